// The models' APIs against a scripted server: what is sent, how answers are read, what is tried again.
#include <future>

#include "server/agent/anthropic_model.h"
#include "server/agent/event_stream.h"
#include "server/agent/openai_model.h"
#include "tests/support/catch.h"
#include "tests/support/model_script.h"
#include "tests/support/stopwatch.h"

namespace {

using namespace bridle;
using namespace bridle::agent;
using namespace std::chrono_literals;
using bridle::testing::calls_tool;
using bridle::testing::ModelScript;
using bridle::testing::ModelTurn;
using bridle::testing::Stopwatch;
using Fault = ModelTurn::Fault;
using matchers::Contains;

constexpr auto kModelPatience = 10s;

ModelEndpoint endpoint_of(const ModelScript& script) {
  return {.url = script.url(), .model = "scripted", .key = "secret-key"};
}

Conversation small_talk() {
  Conversation conversation{.system = "Be brief.", .tools = {{"look", "Look around", {{"type", "object"}}}}};
  conversation.messages.push_back({.role = Message::Role::user, .text = "Go."});
  conversation.messages.push_back(
      {.role = Message::Role::model, .text = "I look.", .calls = {{.id = "a", .name = "look"}}});
  Message results{.role = Message::Role::results};
  results.results.push_back({.id = "a", .text = "A wall.", .is_error = true});
  conversation.messages.push_back(results);
  conversation.messages.push_back({.role = Message::Role::user, .text = "2 steps are left."});
  return conversation;
}

std::string words_of_failure(Model& model) {
  try {
    model.ask({}, small_talk());
  } catch (const ModelError& error) {
    return error.what();
  }
  return "it did not fail";
}

}  // namespace

TEST_CASE("event streams are read whatever pieces they come in", "[agent] [agent.models.http]") {
  const std::string text =
      ": a comment\nevent: first\ndata: one\ndata:two\r\n\r\ndata: three\r\rid: 7\n\ndata: unfinished";
  const auto size = GENERATE(1U, 2U, 3U, 1000U);
  std::vector<std::string> got;
  EventStream stream([&](std::string_view event, std::string_view data) {
    got.push_back(std::string(event) + "=" + std::string(data));
  });
  for (std::size_t at = 0; at < text.size(); at += size) stream.feed(std::string_view(text).substr(at, size));
  CHECK(got == std::vector<std::string>{"first=one\ntwo", "message=three"});
}

TEST_CASE("chat-completions: the conversation goes out, the streamed answer is put together",
          "[agent] [agent.models]") {
  site::SiteServer site;
  ModelTurn turn{.text = "Next goal: both"};
  turn.calls = {{"look", {{"at", "x"}}}, {"done", {{"success", true}}}, {"look", {}, "{broken"}};
  ModelScript script(site, {turn});
  OpenAiModel model(endpoint_of(script));
  const auto answer = model.ask({}, small_talk());
  CHECK(answer.text == "Next goal: both");
  REQUIRE(answer.calls.size() == 3);
  CHECK(answer.calls[0].name == "look");
  CHECK(answer.calls[0].id == "c1-0");
  CHECK(answer.calls[0].arguments == Json{{"at", "x"}});
  CHECK(answer.calls[1].arguments == Json{{"success", true}});
  CHECK_THAT(answer.calls[2].broken, Contains("not JSON"));
  CHECK(answer.usage.input == 100);
  CHECK(answer.usage.output == 10);
  CHECK(answer.usage.cached == 30);
  const auto asked = script.question(0);
  CHECK(asked.at("model") == "scripted");
  CHECK(asked.at("stream") == true);
  const Json& messages = asked.at("messages");
  REQUIRE(messages.size() == 5);
  CHECK(messages[0] == Json{{"role", "system"}, {"content", "Be brief."}});
  CHECK(messages[2].at("tool_calls")[0].at("function") == Json{{"name", "look"}, {"arguments", "{}"}});
  CHECK(messages[3] == Json{{"role", "tool"}, {"tool_call_id", "a"}, {"content", "A wall."}});
  CHECK(asked.at("tools")[0].at("function").at("name") == "look");
  const auto request = site.requests(script.path()).at(0);
  CHECK(*site::find_header(request.headers, "authorization") == "Bearer secret-key");
}

TEST_CASE("chat-completions: a server that doesn't stream is understood", "[agent] [agent.models]") {
  site::SiteServer site;
  site.set_handler("/v1/chat/completions", [](const site::Request&, site::Response& response) {
    response.json(
        R"({"choices":[{"message":{"content":"Hm.","tool_calls":[{"id":"x","function":{"name":"look","arguments":{"at":1}}}]},
            "finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,"completion_tokens":6}})");
  });
  OpenAiModel model({.url = site.url("/v1/"), .model = "m"});
  const auto answer = model.ask({}, small_talk());
  CHECK(answer.text == "Hm.");
  REQUIRE(answer.calls.size() == 1);
  CHECK(answer.calls[0].arguments == Json{{"at", 1}});
  CHECK(answer.usage.total() == 11);
  CHECK(site::find_header(site.requests("/v1/chat/completions").at(0).headers, "authorization") == nullptr);
}

TEST_CASE("Messages: turns alternate, the streamed answer is put together", "[agent] [agent.models]") {
  site::SiteServer site;
  ModelScript script(site, {calls_tool("look", {{"at", "y"}}, "I see.")}, ModelScript::Api::anthropic);
  AnthropicModel model(endpoint_of(script));
  const auto answer = model.ask({}, small_talk());
  CHECK(answer.text == "I see.");
  REQUIRE(answer.calls.size() == 1);
  CHECK(answer.calls[0].arguments == Json{{"at", "y"}});
  CHECK(answer.usage.input == 100);
  CHECK(answer.usage.cached == 30);
  CHECK(answer.usage.output == 10);
  const auto asked = script.question(0);
  const Json& messages = asked.at("messages");
  REQUIRE(messages.size() == 3);
  CHECK(messages[1].at("content")[1].at("type") == "tool_use");
  CHECK(messages[2].at("role") == "user");
  CHECK(messages[2].at("content")[0].at("type") == "tool_result");
  CHECK(messages[2].at("content")[0].at("is_error") == true);
  CHECK(messages[2].at("content")[1].at("text") == "2 steps are left.");
  CHECK(asked.at("tools")[0].at("input_schema") == Json{{"type", "object"}});
  const auto request = site.requests(script.path()).at(0);
  CHECK(*site::find_header(request.headers, "x-api-key") == "secret-key");
  CHECK(site::find_header(request.headers, "anthropic-version") != nullptr);
}

TEST_CASE("pictures: as the user's in chat-completions, within the result in Messages",
          "[agent] [agent.models.pictures]") {
  site::SiteServer site;
  auto talk = small_talk();
  for (auto& message : talk.messages) {
    for (auto& result : message.results) result.pictures.push_back({.data = "UElD", .mime_type = "image/png"});
  }
  SECTION("chat-completions") {
    ModelScript script(site, {calls_tool("look", Json::object())});
    OpenAiModel(endpoint_of(script)).ask({}, talk);
    const auto asked = dump(script.question(0));
    CHECK_THAT(asked, Contains(R"("image_url":{"url":"data:image/png;base64,UElD"})"));
    const Json question = script.question(0);
    for (const Json& message : question.at("messages")) {
      if (message.at("role") == "tool") CHECK(message.at("content").is_string());
    }
  }
  SECTION("Messages") {
    ModelScript script(site, {calls_tool("look", Json::object())}, ModelScript::Api::anthropic);
    AnthropicModel(endpoint_of(script)).ask({}, talk);
    const Json question = script.question(0);
    const Json& shown = question.at("messages")[2].at("content")[0];
    CHECK(shown.at("type") == "tool_result");
    CHECK(shown.at("content")[1].at("source") ==
          Json{{"type", "base64"}, {"media_type", "image/png"}, {"data", "UElD"}});
  }
}

TEST_CASE("what may pass is tried again, the rest fails at once and names its cause",
          "[agent] [agent.models.retries]") {
  site::SiteServer site;
  const ModelTurn good = calls_tool("look", Json::object());
  SECTION("a quota, a fault, a cut answer") {
    ModelScript script(site, {{.fault = Fault::status, .status = 429, .retry_after = "0"},
                              {.fault = Fault::status, .status = 503, .retry_after = "0"},
                              {.text = "half", .fault = Fault::cut},
                              good});
    const auto answer = OpenAiModel(endpoint_of(script)).ask({}, small_talk());
    CHECK(answer.calls.size() == 1);
    CHECK(answer.text.empty());  // nothing of the answer that was cut
    CHECK(script.asked() == 4);
  }
  SECTION("three more tries, no more") {
    ModelScript script(site, {{.fault = Fault::status, .status = 500, .retry_after = "0"}});
    OpenAiModel model(endpoint_of(script));
    const auto words = words_of_failure(model);
    CHECK_THAT(words, Contains("after 4 tries") && Contains("status 500") && Contains("the script says no"));
    CHECK(script.asked() == 4);
  }
  SECTION("a wrong key") {
    const int status = GENERATE(400, 401, 403, 404);
    ModelScript script(site, {{.fault = Fault::status, .status = status}});
    OpenAiModel model(endpoint_of(script));
    const auto words = words_of_failure(model);
    CHECK_THAT(words, Contains("status " + std::to_string(status)));
    CHECK_THAT(words, !Contains("secret-key"));
    if (status == 401) CHECK_THAT(words, Contains("BRIDLE_MODEL_KEY"));
    CHECK(script.asked() == 1);
  }
  SECTION("an error that repeats the key") {
    site.set_handler("/v1/chat/completions", [](const site::Request&, site::Response& response) {
      response.status = 401;
      response.json(R"({"error":{"message":"Incorrect API key provided: secret-key."}})");
    });
    OpenAiModel model({.url = site.url("/v1"), .model = "m", .key = "secret-key"});
    const auto words = words_of_failure(model);
    CHECK_THAT(words, Contains("Incorrect API key provided: (the key).") && !Contains("secret-key"));
  }
  SECTION("the run's time is over") {
    ModelScript script(site, {{.fault = Fault::stall_before}});
    OpenAiModel model(endpoint_of(script));
    CHECK_THROWS_AS(model.ask(CallContext{}.within(50ms), small_talk()), ModelError);
  }
}

TEST_CASE("Retry-After is honoured in seconds and as a date, up to 30 s", "[agent] [agent.models.retries]") {
  const auto asked = [](const std::string& value) { return retry_after({.headers = {"Retry-After: " + value}}); };
  CHECK(asked("0") == 0ms);
  CHECK(asked("7") == 7s);
  CHECK(asked("30") == 30s);
  CHECK(asked("31") == 30s);
  CHECK(asked("9223372036854775807") == 30s);
  CHECK(asked("Sun, 06 Nov 1994 08:49:37 GMT") == 0ms);
  CHECK(asked("Fri, 31 Dec 2100 23:59:59 GMT") == 30s);
  CHECK_FALSE(asked("-1"));
  CHECK_FALSE(asked("soon"));
  CHECK_FALSE(asked(""));
  CHECK_FALSE(retry_after({}));
}

TEST_CASE("an abort closes the model's socket and is not followed by a try", "[agent] [agent.models.abort]") {
  site::SiteServer site;
  const auto fault = GENERATE(Fault::stall_before, Fault::stall_within);
  const auto api = GENERATE(ModelScript::Api::openai, ModelScript::Api::anthropic);
  ModelScript script(site, {{.text = "I begin", .fault = fault}}, api);
  AbortController controller;
  auto asked = std::async(std::launch::async, [&] {
    const CallContext ctx{.signal = controller.signal()};
    if (api == ModelScript::Api::openai) return OpenAiModel(endpoint_of(script)).ask(ctx, small_talk());
    return AnthropicModel(endpoint_of(script)).ask(ctx, small_talk());
  });
  REQUIRE(site.wait_for_open_connections(script.path(), 1, kModelPatience));
  controller.abort(AbortReason::stopped_by_user);
  CHECK_THROWS_AS(asked.get(), Aborted);
  CHECK(site.wait_for_hangup(script.path(), kModelPatience).has_value());
  CHECK(script.asked() == 1);
}

TEST_CASE("an abort ends the pause between two tries", "[agent] [agent.models.abort]") {
  site::SiteServer site;
  ModelScript script(site, {{.fault = Fault::status, .status = 429, .retry_after = "30"}});
  AbortController controller;
  auto asked = std::async(std::launch::async, [&] {
    return OpenAiModel(endpoint_of(script)).ask({.signal = controller.signal()}, small_talk());
  });
  REQUIRE(site.wait_for_request(script.path(), kModelPatience));
  REQUIRE(site.wait_for_open_connections(script.path(), 0, kModelPatience));
  const Stopwatch before;
  controller.abort(AbortReason::stopped_by_user);
  CHECK_THROWS_AS(asked.get(), Aborted);
  CHECK(before.waited() < 15s);  // half of the pause
  CHECK(script.asked() == 1);
}
