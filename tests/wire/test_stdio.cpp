#include "tests/support/catch.h"
#include "tests/wire/support/browser_server.h"
#include "tests/wire/support/stdio_pipes.h"
#include "tests/wire/support/test_server.h"

using namespace bridle;
using namespace bridle::wire;

namespace {

Json initialize() {
  return {{"jsonrpc", "2.0"},
          {"id", 0},
          {"method", "initialize"},
          {"params",
           {{"protocolVersion", "2025-11-25"},
            {"capabilities", Json::object()},
            {"clientInfo", {{"name", "x"}, {"version", "1"}}}}}};
}

Json call(const Json& id, const char* tool) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"method", "tools/call"},
          {"params", {{"name", tool}, {"arguments", Json::object()}}}};
}

Json modern(Json message, const Json& capabilities = Json::object()) {
  message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
  message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
  return message;
}

const Json kTasksCapability = {{"extensions", {{"io.modelcontextprotocol/tasks", Json::object()}}}};

Json about_task(const Json& id, const char* method, const Json& task) {
  return modern({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", {{"taskId", task}}}}, kTasksCapability);
}

Json cancel_of(const Json& id) {
  return {{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", id}}}};
}

}  // namespace

TEST_CASE("stdio: a legacy client; a bad line is told, and the next is served; a cancel is silent; the end aborts",
          "[wire.stdio]") {
  TestServer server;
  {
    Pipes pipes(*server.server);
    pipes.say(initialize());
    CHECK(pipes.hear()["result"]["protocolVersion"] == "2025-11-25");
    pipes.say_line("{broken");
    const Json refused = pipes.hear();
    CHECK(refused["error"]["code"] == -32700);
    CHECK_FALSE(refused.contains("id"));
    pipes.say_line("[]");
    CHECK(pipes.hear()["error"]["code"] == -32600);
    pipes.say_line("");
    pipes.say(call(1, "instant"));
    CHECK(pipes.hear()["result"]["content"][0]["text"] == "now");
    pipes.say(call(2, "gate"));
    REQUIRE(eventually([&] { return server.at_gate() == 1; }));
    pipes.say(Json{{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 2}}}});
    REQUIRE(eventually([&] { return server.at_gate() == 0; }));
    pipes.say(Json{{"jsonrpc", "2.0"}, {"id", 3}, {"method", "ping"}});
    CHECK(pipes.hear()["id"] == 3);
    pipes.say(call(4, "gate"));
    REQUIRE(eventually([&] { return server.at_gate() == 1; }));
    pipes.close_input();
    CHECK(eventually([&] { return server.at_gate() == 0; }));
    CHECK(pipes.hear().is_null());
  }
  CHECK(server.status()["recent"][0]["reason"] == "session_closed");
}

TEST_CASE("stdio: a modern client, cancelling by notification, listening", "[cancel.wire.notification] [wire.stdio]") {
  TestServer server;
  Pipes pipes(*server.server);
  const auto request = [&](const Json& id, const char* method) {
    return modern({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", Json::object()}});
  };
  pipes.say(request("d", "server/discover"));
  CHECK(pipes.hear(kModern, "server/discover")["result"]["supportedVersions"].size() == 5);
  pipes.say(request(1, "ping"));
  CHECK(pipes.hear(kModern)["error"]["code"] == -32601);
  pipes.say(modern(call(2, "gate")));
  REQUIRE(eventually([&] { return server.at_gate() == 1; }));
  pipes.say(Json{{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 2}}}});
  REQUIRE(eventually([&] { return server.at_gate() == 0; }));
  Json listen = request("l", "subscriptions/listen");
  listen["params"]["notifications"] = Json::object();
  pipes.say(listen);
  CHECK(pipes.hear(kModern)["method"] == "notifications/subscriptions/acknowledged");
  pipes.say(modern(call(3, "instant")));
  CHECK(pipes.hear(kModern, "tools/call")["result"]["resultType"] == "complete");
  pipes.say(modern(call(4, "gate")));
  REQUIRE(eventually([&] { return server.at_gate() == 1; }));
  CHECK(server.shutdown());
  std::vector<Json> last;
  for (Json message; !(message = pipes.hear(kModern)).is_null();) last.push_back(message);
  REQUIRE(last.size() == 2);  // the listener's result, the call's error
  for (const Json& message : last) CHECK((message["id"] == "l" || message["error"]["code"] == -32603));
}

TEST_CASE("stdio: a silent call with a token shows life, rising, until it ends; one without is silent",
          "[wire.progress.alive]") {
  TestServer server([](ServerOptions& options) { options.timer.sign_of_life = Millis(20); });
  for (const bool is_modern_client : {false, true}) {
    CAPTURE(is_modern_client);
    const auto revision = is_modern_client ? kModern : kLatestLegacy;
    Pipes pipes(*server.server);
    if (!is_modern_client) {
      pipes.say(initialize());
      pipes.hear();
    }
    const auto sent = [&](Json message) { return is_modern_client ? modern(std::move(message)) : message; };
    pipes.say(sent(call("silent", "gate")));
    Json with_token = call("told", "gate");
    with_token["params"]["_meta"]["progressToken"] = "token";
    pipes.say(sent(with_token));
    double last = 0;
    for (int i = 0; i < 3; ++i) {
      const Json life = pipes.hear(revision);
      CHECK(life["method"] == "notifications/progress");
      CHECK(life["params"]["progressToken"] == "token");
      CHECK(life["params"]["message"] == "still running");
      CHECK(life["params"]["progress"].get<double>() > last);
      last = life["params"]["progress"].get<double>();
    }
    pipes.say(cancel_of("told"));
    REQUIRE(eventually([&] { return server.at_gate() == 1; }));
    pipes.say(sent({{"jsonrpc", "2.0"}, {"id", 9}, {"method", "tools/list"}, {"params", Json::object()}}));
    Json next;
    while ((next = pipes.hear(revision, "tools/list")).contains("method"))
      CHECK(next["params"]["progressToken"] == "token");
    CHECK(next["id"] == 9);  // what was said before the cancel, then this
    pipes.say(cancel_of("silent"));
    CHECK(eventually([&] { return server.at_gate() == 0; }));
  }
}

TEST_CASE("stdio: a call that takes long becomes a task; its id is free, its cancel is tasks/cancel", "[wire.tasks]") {
  TestServer server([](ServerOptions& options) { options.timer.task_after = Millis(20); }, true);
  Pipes pipes(*server.server);
  pipes.say(modern(call(1, "gate_that_may_take_long"), kTasksCapability));
  const Json handle = pipes.hear(kModern);
  CHECK(handle["id"] == 1);
  REQUIRE(handle["result"]["resultType"] == "task");
  const Json task = handle["result"]["taskId"];
  pipes.say(cancel_of(1));  // not for a task
  pipes.say(modern(call(1, "instant"), kTasksCapability));
  CHECK(pipes.hear(kModern, "tools/call")["result"]["content"][0]["text"] == "now");
  pipes.say(about_task(2, "tasks/get", task));
  CHECK(pipes.hear(kModern)["result"]["status"] == "working");
  CHECK(server.at_gate() == 1);
  pipes.say(about_task(3, "tasks/cancel", task));
  CHECK(pipes.hear(kModern)["result"]["resultType"] == "complete");
  CHECK(eventually([&] { return server.at_gate() == 0; }));
  CHECK(eventually([&] {
    pipes.say(about_task(4, "tasks/get", task));
    return pipes.hear(kModern)["result"]["status"] == "cancelled";
  }));
  CHECK(server.counter("registry") == 0);

  // Answered by its result where the client knows no tasks; then its id is taken for as long as it runs.
  pipes.say(modern(call(5, "gate_that_may_take_long")));
  REQUIRE(eventually([&] { return server.at_gate() == 1; }));
  pipes.say(modern(call(5, "instant")));
  const Json taken = pipes.hear(kModern);
  CHECK(taken["id"] == 5);
  CHECK(taken["error"]["code"] == -32600);
  pipes.say(cancel_of(5));
  REQUIRE(eventually([&] { return server.at_gate() == 0; }));
  pipes.say(modern(call(5, "instant")));
  CHECK(pipes.hear(kModern, "tools/call")["id"] == 5);

  // What waits, completes; a new connection's end ends what is no task yet.
  pipes.say(modern(call(6, "gate_that_may_take_long"), kTasksCapability));
  const Json second = pipes.hear(kModern)["result"]["taskId"];
  server.open_gate();
  Json got;
  REQUIRE(eventually([&] {
    pipes.say(about_task(7, "tasks/get", second));
    got = pipes.hear(kModern)["result"];
    return got["status"] == "completed";
  }));
  CHECK(got["result"]["content"][0]["text"] == "through the gate");
}

TEST_CASE("stdio: tasks/cancel reaches the browser: the web server sees the navigation's socket close") {
  BrowserServer server([](ServerOptions& options) { options.timer.task_after = Millis(20); });
  Pipes pipes(*server.server);
  Json navigate = call(1, "browser_navigate");
  navigate["params"]["arguments"] = {{"url", server.site.url("/never?stdio-task")}, {"timeout", 60'000}};
  pipes.say(modern(navigate, kTasksCapability));
  const Json handle = pipes.hear(kModern);
  REQUIRE(handle["result"]["resultType"] == "task");
  REQUIRE(server.site.wait_for_request("/never?stdio-task", kPatience));
  pipes.say(about_task(2, "tasks/cancel", handle["result"]["taskId"]));
  CHECK(server.site.wait_for_hangup("/never?stdio-task", kPatience));
  CHECK(pipes.hear(kModern)["id"] == 2);
  CHECK(eventually([&] { return server.counter("registry") == 0; }));
  navigate["id"] = 3;
  navigate["params"]["arguments"]["url"] = server.site.url("/plain?title=Usable");
  pipes.say(modern(navigate));
  CHECK(pipes.hear(kModern, "tools/call")["result"]["structuredContent"]["title"] == "Usable");
}
