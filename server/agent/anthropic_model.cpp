#include "server/agent/anthropic_model.h"

#include <map>
#include <memory>

namespace bridle::agent {
namespace {

constexpr const char* kVersion = "2023-06-01";
constexpr int kMaxTokens = 8192;  // of one answer; the API wants a bound
const Json kCached = {{"type", "ephemeral"}};

Json anthropic_message(const Message& message) {
  Json content = Json::array();
  for (const auto& result : message.results) {
    Json shown = result.text;
    if (!result.pictures.empty()) {
      shown = Json::array({{{"type", "text"}, {"text", result.text}}});
      for (const auto& picture : result.pictures) {
        shown.push_back({{"type", "image"},
                         {"source", {{"type", "base64"}, {"media_type", picture.mime_type}, {"data", picture.data}}}});
      }
    }
    content.push_back({{"type", "tool_result"},
                       {"tool_use_id", result.id},
                       {"content", std::move(shown)},
                       {"is_error", result.is_error}});
  }
  if (!message.text.empty()) content.push_back({{"type", "text"}, {"text", message.text}});
  for (const auto& call : message.calls)
    content.push_back({{"type", "tool_use"}, {"id", call.id}, {"name", call.name}, {"input", call.arguments}});
  return {{"role", message.role == Message::Role::model ? "assistant" : "user"}, {"content", std::move(content)}};
}

// What stays the same from step to step is marked, so that the API may keep it: the tools and the system's words, and
// the conversation so far.
Json anthropic_request(const Conversation& conversation, const std::string& model) {
  Json messages = Json::array();
  for (const auto& message : conversation.messages) {
    Json json = anthropic_message(message);
    // Turns alternate: what a user and results say in a row is one turn.
    if (!messages.empty() && messages.back().at("role") == json.at("role")) {
      for (auto& block : json["content"]) messages.back()["content"].push_back(std::move(block));
    } else {
      messages.push_back(std::move(json));
    }
  }
  if (!messages.empty() && !messages.back().at("content").empty())
    messages.back()["content"].back()["cache_control"] = kCached;
  Json tools = Json::array();
  for (const auto& tool : conversation.tools) {
    tools.push_back({{"name", tool.name}, {"description", tool.description}, {"input_schema", tool.input_schema}});
  }
  Json system = Json::array({{{"type", "text"}, {"text", conversation.system}, {"cache_control", kCached}}});
  return {{"model", model},
          {"max_tokens", kMaxTokens},
          {"system", std::move(system)},
          {"messages", std::move(messages)},
          {"tools", std::move(tools)},
          {"stream", true}};
}

// One answer as it comes, block by block.
struct AnthropicReading {
  ModelAnswer answer{};
  std::map<long, std::pair<ModelCall, std::string>> calls{};  // with the text of their arguments
  StreamResult result{};

  void on_event(std::string_view event, std::string_view data) {
    const Json json = parse_json(data);
    if (!json.is_object()) {
      if (event == "document") result.error = "it answers with no JSON";
      return;
    }
    const auto type = string_in(json, "type");
    if (type == "error") {
      const auto error = object_in(json, "error");
      result.error = string_in(error, "message");
      if (result.error.empty()) result.error = "an error without words";
      const auto kind = string_in(error, "type");
      result.passing = kind == "overloaded_error" || kind == "api_error" || kind == "rate_limit_error";
    } else if (type == "message_start") {
      take_usage(object_in(object_in(json, "message"), "usage"));
    } else if (type == "content_block_start") {
      take_block(integer_in(json, "index"), object_in(json, "content_block"));
    } else if (type == "content_block_delta") {
      const auto delta = object_in(json, "delta");
      answer.text += string_in(delta, "text");
      if (const auto call = calls.find(integer_in(json, "index")); call != calls.end())
        call->second.second += string_in(delta, "partial_json");
    } else if (type == "message_delta") {
      take_usage(object_in(json, "usage"));
    } else if (type == "message_stop") {
      result.complete = true;
    } else if (type == "message") {  // a whole document
      take_usage(object_in(json, "usage"));
      const auto content = json.find("content");
      long index = 0;
      if (content != json.end() && content->is_array())
        for (const Json& block : *content) take_block(index++, block);
      result.complete = true;
    }
  }

  void take_block(long index, const Json& block) {
    if (!block.is_object()) return;
    answer.text += string_in(block, "text");
    if (string_in(block, "type") != "tool_use") return;
    auto& [call, text] = calls[index];
    call.id = string_in(block, "id");
    call.name = string_in(block, "name");
    // In a stream the input is empty here, and follows in pieces.
    if (const auto input = object_in(block, "input"); !input.empty()) text = dump(input);
  }

  void take_usage(const Json& usage) {
    // What was read from the cache and written to it isn't counted by the API as input.
    const long cached = integer_in(usage, "cache_read_input_tokens");
    const long input = integer_in(usage, "input_tokens") + cached + integer_in(usage, "cache_creation_input_tokens");
    if (input > 0) answer.usage.input = input;
    if (cached > 0) answer.usage.cached = cached;
    if (const long output = integer_in(usage, "output_tokens"); output > 0) answer.usage.output = output;
  }

  ModelAnswer finish() {
    for (auto& [index, entry] : calls) {
      auto& [call, text] = entry;
      read_arguments(text, call);
      answer.calls.push_back(std::move(call));
    }
    return std::move(answer);
  }
};

}  // namespace

ModelAnswer AnthropicModel::ask(const CallContext& ctx, const Conversation& conversation) {
  auto request = api_request(endpoint_, "/messages", anthropic_request(conversation, endpoint_.model));
  request.headers.push_back(std::string("anthropic-version: ") + kVersion);
  if (!endpoint_.key.empty()) request.headers.push_back("x-api-key: " + endpoint_.key);
  std::unique_ptr<AnthropicReading> reading;
  ask_api(ctx, endpoint_, request, [&]() -> StreamReader {
    reading = std::make_unique<AnthropicReading>();
    return {.feed = [&](std::string_view event, std::string_view data) { reading->on_event(event, data); },
            .result = [&] { return reading->result; }};
  });
  return reading->finish();
}

}  // namespace bridle::agent
