#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/concurrency/sync.h"
#include "base/text/json.h"
#include "tests/site/site_server.h"

// A model's API at the fixture site, which answers by a script and keeps what it was asked.
namespace bridle::testing {

struct ModelTurn {
  std::string text{};
  struct Call {
    std::string tool;
    Json arguments = Json::object();
    std::string raw{};  // in place of the arguments: what isn't JSON
  };
  std::vector<Call> calls{};
  enum class Fault {
    none,
    stall_before,  // no byte of an answer until released
    stall_within,  // the answer begins, and stays unfinished until released
    cut,           // the connection ends in the answer's middle
    status,        // `status`, with `retry_after`
  };
  Fault fault = Fault::none;
  int status = 500;
  std::string retry_after{};
};

inline ModelTurn calls_tool(std::string tool, Json arguments, std::string text = {}) {
  return {.text = std::move(text), .calls = {{std::move(tool), std::move(arguments)}}};
}
inline ModelTurn says_done(bool success, std::string text) {
  return calls_tool("done", {{"success", success}, {"text", std::move(text)}});
}

enum class ModelApi { openai, anthropic };

// What the site's handler plays. It may still be at it when its test is over, so the handler owns it.
class PlayedScript {
 public:
  PlayedScript(std::vector<ModelTurn> turns, ModelApi api, bool each)
      : turns_(std::move(turns)), api_(api), each_(each) {}
  std::size_t asked() const { return asked_; }
  void answer(const site::Request& request, site::Response& response) {
    const std::size_t number = asked_++;
    const auto& turn = turns_[std::min<std::size_t>(each_ ? answered(request) : number, turns_.size() - 1)];
    using Fault = ModelTurn::Fault;
    if (turn.fault == Fault::stall_before && !response.hold()) return;
    if (turn.fault == Fault::status) {
      response.status = turn.status;
      if (!turn.retry_after.empty()) response.set_header("Retry-After", turn.retry_after);
      response.json(R"({"error":{"message":"the script says no"}})");
      return;
    }
    response.set_header("Content-Type", "text/event-stream");
    if (!response.begin()) return;
    for (const auto& event : begin_events(turn)) {
      if (!response.write(event)) return;
    }
    if (turn.fault == Fault::stall_within && !response.hold()) return;
    if (turn.fault == Fault::cut) {
      response.reset();
      return;
    }
    for (const auto& event : end_events()) {
      if (!response.write(event)) return;
    }
  }

 private:
  // How many answers the conversation has.
  static std::size_t answered(const site::Request& request) {
    const Json body = Json::parse(request.body);
    std::size_t count = 0;
    for (const Json& message : body.at("messages")) count += message.at("role") == "assistant" ? 1 : 0;
    return count;
  }
  static std::string data(const Json& json) { return "data: " + json.dump() + "\n\n"; }
  static std::string arguments_of(const ModelTurn::Call& call) {
    return call.raw.empty() ? call.arguments.dump() : call.raw;
  }

  std::vector<std::string> begin_events(const ModelTurn& turn) const {
    std::vector<std::string> events;
    int index = 0;
    if (api_ == ModelApi::openai) {
      events.push_back(data({{"choices", {{{"delta", {{"role", "assistant"}, {"content", turn.text}}}}}}}));
      for (const auto& call : turn.calls) {
        const auto text = arguments_of(call);
        const auto half = text.size() / 2;
        const auto piece = [&](const Json& more) {
          return data({{"choices", {{{"delta", {{"tool_calls", Json::array({more})}}}}}}});
        };
        events.push_back(piece({{"index", index},
                                {"id", "c" + std::to_string(asked_) + "-" + std::to_string(index)},
                                {"type", "function"},
                                {"function", {{"name", call.tool}, {"arguments", text.substr(0, half)}}}}));
        events.push_back(piece({{"index", index}, {"function", {{"arguments", text.substr(half)}}}}));
        ++index;
      }
      return events;
    }
    events.push_back("event: message_start\n" +
                     data({{"type", "message_start"},
                           {"message", {{"usage", {{"input_tokens", 70}, {"cache_read_input_tokens", 30}}}}}}));
    const auto block = [&](const Json& begin, const Json& delta) {
      events.push_back(data({{"type", "content_block_start"}, {"index", index}, {"content_block", begin}}));
      events.push_back(data({{"type", "content_block_delta"}, {"index", index}, {"delta", delta}}));
      events.push_back(data({{"type", "content_block_stop"}, {"index", index}}));
      ++index;
    };
    if (!turn.text.empty()) block({{"type", "text"}, {"text", ""}}, {{"type", "text_delta"}, {"text", turn.text}});
    for (const auto& call : turn.calls) {
      block({{"type", "tool_use"}, {"id", "t" + std::to_string(index)}, {"name", call.tool}, {"input", Json::object()}},
            {{"type", "input_json_delta"}, {"partial_json", arguments_of(call)}});
    }
    return events;
  }

  std::vector<std::string> end_events() const {
    if (api_ == ModelApi::openai) {
      return {data({{"choices", {{{"delta", Json::object()}, {"finish_reason", "stop"}}}}}),
              data({{"choices", Json::array()},
                    {"usage",
                     {{"prompt_tokens", 100},
                      {"completion_tokens", 10},
                      {"prompt_tokens_details", {{"cached_tokens", 30}}}}}}),
              "data: [DONE]\n\n"};
    }
    return {
        data({{"type", "message_delta"}, {"delta", {{"stop_reason", "end_turn"}}}, {"usage", {{"output_tokens", 10}}}}),
        data({{"type", "message_stop"}})};
  }

  const std::vector<ModelTurn> turns_;
  const ModelApi api_;
  const bool each_;
  std::atomic<std::size_t> asked_{0};
};

class ModelScript {
 public:
  using Api = ModelApi;
  // Serves at `path` of the site. After the last turn it is given again. `each`: each conversation begins anew with the
  // first one, else all that asks goes on where another one was.
  ModelScript(site::SiteServer& site, std::vector<ModelTurn> turns, Api api = Api::openai, bool each = false)
      : site_(site),
        path_(api == Api::openai ? "/v1/chat/completions" : "/v1/messages"),
        played_(std::make_shared<PlayedScript>(std::move(turns), api, each)) {
    site_.set_handler(path_, [played = played_](const site::Request& request, site::Response& response) {
      played->answer(request, response);
    });
  }
  const std::string& path() const { return path_; }
  std::string url() const { return site_.url("/v1"); }
  std::size_t asked() const { return played_->asked(); }
  // The body of the n-th question, from 0.
  Json question(std::size_t n) const {
    const auto requests = site_.requests(path_);
    return n < requests.size() ? Json::parse(requests[n].body) : Json();
  }

 private:
  site::SiteServer& site_;
  const std::string path_;
  const std::shared_ptr<PlayedScript> played_;
};

}  // namespace bridle::testing
