// The Tasks extension of 2026-07-28: long calls, their handles, their questions, and their cancel.

#include "tests/support/catch.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/test_server.h"

using namespace bridle;
using namespace bridle::wire;

namespace {

const Json kTasks = {{"extensions", {{"io.modelcontextprotocol/tasks", Json::object()}}},
                     {"elicitation", Json::object()}};

struct TaskClient : McpClient {
  explicit TaskClient(int port) : McpClient(port, Revision::v2026_07_28) { capabilities = kTasks; }
  Answer ask(const std::string& method, const Json& params) {
    return post({{"jsonrpc", "2.0"}, {"id", method}, {"method", method}, {"params", params}});
  }
  Json get(const std::string& task) { return ask("tasks/get", {{"taskId", task}}).only().at("result"); }
  // The task's id.
  std::string begin(const std::string& tool, const Json& arguments) {
    const Json made = call(1, tool, arguments).only().at("result");
    REQUIRE(made["resultType"] == "task");
    CHECK(made["status"] == "working");
    return made["taskId"].get<std::string>();
  }
  bool reaches(const std::string& task, const std::string& status) {
    return eventually([&] { return get(task)["status"] == status; });
  }
};

}  // namespace

TEST_CASE("tasks: a long call becomes one, and its result waits", "[wire.tasks]") {
  TestServer server({}, true);
  TaskClient client(server.port());
  const auto task = client.begin("slow_compute", {{"seconds", 0.05}, {"label", "x"}});
  REQUIRE(client.reaches(task, "completed"));
  const Json done = client.get(task);
  CHECK(done["result"]["content"][0]["text"] == "Computed x in 0.05 s");
  CHECK(done["result"]["resultType"] == "complete");
  CHECK(server.counter("tasks") == 1);
  CHECK(server.counter("registry") == 0);
}

TEST_CASE("tasks: cancel reaches the work, which is what ends the task", "[wire.tasks]") {
  TestServer server({}, true);
  TaskClient client(server.port());
  const auto task = client.begin("slow_compute", {{"seconds", 300}});
  CHECK(server.counter("registry") == 1);
  CHECK(client.ask("tasks/cancel", {{"taskId", task}}).only()["result"]["resultType"] == "complete");
  REQUIRE(client.reaches(task, "cancelled"));
  CHECK(server.counter("registry") == 0);
  CHECK(server.status()["recent"][0]["state"] == "aborted");
  CHECK(server.status()["recent"][0]["reason"] == "client_cancelled");
  CHECK(client.ask("tasks/cancel", {{"taskId", task}}).status == 200);  // idempotent
  CHECK(client.get(task)["status"] == "cancelled");
}

TEST_CASE("tasks: neither the end of the connection nor a cancel notification ends one", "[wire.tasks]") {
  TestServer server({}, true);
  TaskClient client(server.port());
  // The handle is out, so the connection's end is no cancel.
  const auto task = client.begin("slow_compute", {{"seconds", 300}});
  CHECK(client.get(task)["status"] == "working");
  CHECK(server.counter("aborted_total") == 0);
  CHECK(
      client.post({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 1}}}}).status ==
      202);
  CHECK(client.get(task)["status"] == "working");
  CHECK(server.shutdown());
}

TEST_CASE("tasks: failures: isError is completed, a protocol error is failed") {
  TestServer server({}, true);
  TaskClient client(server.port());
  const auto failing = client.begin("failing_job", Json::object());
  REQUIRE(client.reaches(failing, "completed"));
  CHECK(client.get(failing)["result"]["isError"] == true);
  const auto broken = client.begin("protocol_error_job", Json::object());
  REQUIRE(client.reaches(broken, "failed"));
  CHECK(client.get(broken)["error"]["code"] == -32603);
  CHECK_FALSE(client.get(broken).contains("result"));
}

TEST_CASE("tasks: questions stay open until tasks/update answers each", "[wire.tasks]") {
  TestServer server({}, true);
  TaskClient client(server.port());
  const auto task = client.begin("multi_input", Json::object());
  REQUIRE(client.reaches(task, "input_required"));
  CHECK(client.get(task)["inputRequests"].size() == 2);
  const auto update = [&](const Json& responses) {
    return client.ask("tasks/update", {{"taskId", task}, {"inputResponses", responses}});
  };
  const Json yes = {{"action", "accept"}, {"content", {{"name", "Ada"}, {"confirm", true}}}};
  CHECK(update({{"unknown", yes}, {"first", 7}}).status == 200);
  CHECK(client.get(task)["inputRequests"].size() == 2);
  CHECK(update({{"first", yes}}).status == 200);
  CHECK(client.get(task)["status"] == "input_required");
  CHECK(client.get(task)["inputRequests"].contains("second"));
  CHECK(client.get(task)["inputRequests"].size() == 1);
  CHECK(update({{"second", yes}}).status == 200);
  REQUIRE(client.reaches(task, "completed"));
  CHECK(client.get(task)["result"]["content"][0]["text"] == "Got both from Ada");
  CHECK(client.ask("tasks/update", {{"taskId", task}}).error_code() == -32602);
}

TEST_CASE("tasks: a task that waits for its user can be cancelled") {
  TestServer server({}, true);
  TaskClient client(server.port());
  const auto task = client.begin("confirm_delete", {{"filename", "f"}});
  REQUIRE(client.reaches(task, "input_required"));
  client.ask("tasks/cancel", {{"taskId", task}});
  REQUIRE(client.reaches(task, "cancelled"));
  CHECK_FALSE(client.get(task).contains("inputRequests"));
  CHECK(eventually([&] { return server.counter("registry") == 0; }));
}

TEST_CASE("tasks: who doesn't declare the extension gets none", "[wire.errors.modern]") {
  TestServer server({}, true);
  TaskClient client(server.port());
  const auto task = client.begin("slow_compute", {{"seconds", 300}});
  client.capabilities = Json::object();
  CHECK(client.call(2, "slow_compute", {{"seconds", 0.01}}).only()["result"]["resultType"] == "complete");
  const auto refused = [&](const Answer& answer) {
    CHECK(answer.status == 400);
    CHECK(answer.error_code() == -32021);
    const Json needed = answer.only()["error"]["data"]["requiredCapabilities"]["extensions"];
    CHECK(needed.contains("io.modelcontextprotocol/tasks"));
  };
  refused(client.call(3, "failing_job", Json::object()));
  refused(client.ask("tasks/get", {{"taskId", task}}));
  refused(client.ask("tasks/cancel", {{"taskId", task}}));
  client.capabilities = kTasks;
  CHECK(client.ask("tasks/get", {{"taskId", "task-unknown"}}).error_code() == -32602);
  CHECK(client.ask("tasks/cancel", {{"taskId", "task-unknown"}}).error_code() == -32602);
  for (const char* gone : {"tasks/list", "tasks/result"}) CHECK(client.ask(gone, {{"taskId", task}}).status == 404);
  McpClient legacy(server.port());
  legacy.open();
  CHECK(legacy.call(1, "failing_job", Json::object()).is_error_result());
  CHECK(legacy.post({{"jsonrpc", "2.0"}, {"id", 2}, {"method", "tasks/get"}, {"params", {{"taskId", task}}}})
            .error_code() == -32601);
}

TEST_CASE("tasks: a call that takes long becomes one by itself, and its client may hang up") {
  TestServer server({}, true);
  TaskClient client(server.port());
  auto call = client.start(client.call_request(1, "gate_that_may_take_long", Json::object()));
  const auto handle = call->next_message(Millis(15'000));
  REQUIRE(handle);
  CHECK((*handle)["result"]["resultType"] == "task");
  const auto task = (*handle)["result"]["taskId"].get<std::string>();
  call->close();
  CHECK(client.get(task)["status"] == "working");
  server.open_gate();
  REQUIRE(client.reaches(task, "completed"));
  CHECK(client.get(task)["result"]["content"][0]["text"] == "through the gate");
  CHECK(server.counter("aborted_total") == 0);
}
