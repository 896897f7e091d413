#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/test_server.h"

using namespace bridle;
using namespace bridle::wire;

using bridle::testing::Stopwatch;

namespace {

// The fields that must return to their start after any load.
void check_nothing_left(TestServer& server) {
  for (const char* gauge : {"registry", "waiters", "listeners", "pending_cdp", "queued", "streams", "watched_peers"}) {
    CAPTURE(gauge);
    CHECK(eventually([&] { return server.counter(gauge) == 0; }));
  }
}

}  // namespace

TEST_CASE("cancel: the stream ends without a frame, JSON mode answers an empty 202, whatever the id",
          "[cancel.key] [cancel.wire.notification] [cancel.wire.answer] [cancel.wire.silence]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  for (const Json& id : {Json(0), Json(""), Json("1"), Json(1), Json(-5), Json("a b\n\"c\"")}) {
    for (const char* accept : {kBoth, kJsonOnly}) {
      CAPTURE(id.dump(), accept);
      auto call = client.start(client.call_request(id, "gate", Json::object(), "token"), accept);
      REQUIRE(eventually([&] { return server.at_gate() == 1; }));
      const Stopwatch before;
      CHECK(client.cancel(id, "changed my mind") == 202);
      CHECK(call->all_messages().empty());
      CHECK(before.waited() < Millis(500));
      CHECK(call->head().status == (accept == kJsonOnly ? 202 : 200));
      if (accept == kBoth) CHECK(call->ended_cleanly());
      REQUIRE(eventually([&] { return server.at_gate() == 0; }));
    }
  }
  check_nothing_left(server);
  const Json status = server.status();
  for (const Json& row : status["recent"]) {
    CHECK(row["state"] == "aborted");
    CHECK(row["reason"] == "client_cancelled");
  }
}

TEST_CASE("cancel: 1 and \"1\" are different requests, and another session's cancel is nothing", "[cancel.key]") {
  TestServer server;
  McpClient client(server.port());
  McpClient other(server.port());
  client.open();
  other.open();
  auto number = client.start(client.call_request(1, "gate", Json::object()));
  auto text = client.start(client.call_request("1", "gate", Json::object()));
  REQUIRE(eventually([&] { return server.at_gate() == 2; }));
  CHECK(other.cancel(1) == 202);
  CHECK(client.cancel(true) == 202);
  CHECK(client.cancel(nullptr) == 202);
  CHECK(client.cancel(Json::object()) == 202);
  CHECK(client.cancel(1.5) == 202);
  CHECK(client.cancel("1") == 202);
  CHECK(text->all_messages().empty());
  CHECK(eventually([&] { return server.at_gate() == 1; }));
  CHECK(client.cancel("1") == 202);
  CHECK(client.cancel("1", 12) == 202);
  server.open_gate();
  REQUIRE(number->all_messages().size() == 1);
}

TEST_CASE("cancel: malformed ones are accepted and dropped", "[cancel.reason.text] [wire.accepted]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  for (const Json& params :
       {Json(nullptr), Json::object(), Json{{"requestId", Json::array()}}, Json{{"reason", "x"}}}) {
    Json message = {{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}};
    if (!params.is_null()) message["params"] = params;
    CHECK(client.post(message).status == 202);
  }
  CHECK(client.cancel(0) == 202);  // initialize: it can't be cancelled, and nothing waits for a later id 0
  CHECK(client.call(0, "instant", Json::object()).text() == "now");
}

TEST_CASE("cancel: one that overtakes its request is used up by it, once", "[cancel.early]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  CHECK(client.cancel(50) == 202);
  CHECK(client.call(50, "instant", Json::object()).messages.empty());
  CHECK(client.call(50, "instant", Json::object()).text() == "now");
  CHECK(server.counter("early_cancels") == 0);
  // Of a request that was answered at once, as of one that finished: nothing is kept.
  CHECK(client.post({{"jsonrpc", "2.0"}, {"id", 51}, {"method", "ping"}}).status == 200);
  CHECK(client.cancel(51) == 202);
  CHECK(client.call(51, "instant", Json::object()).text() == "now");
  CHECK(client.cancel(51) == 202);
  CHECK(client.call(51, "instant", Json::object()).text() == "now");
}

TEST_CASE("cancel: a finished id in flight again can be cancelled", "[cancel.known-ids]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  CHECK(client.post({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}}).status == 200);
  CHECK(client.call(1, "instant", Json::object()).text() == "now");
  auto call = client.start(client.call_request(1, "gate", Json::object()));
  REQUIRE(eventually([&] { return server.at_gate() == 1; }));
  CHECK(client.cancel(1) == 202);
  CHECK(call->all_messages().empty());
}

TEST_CASE("duplicate ids: a client that uses one id for everything may go on right after its cancel",
          "[cancel.duplicate-id]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  for (int i = 0; i < 50; ++i) {
    auto call = client.start(client.call_request(1, "test_sleep", {{"seconds", 30}}));
    REQUIRE(eventually([&] { return server.counter("registry") == 1; }));
    CHECK(client.cancel(1) == 202);
    CHECK(call->all_messages().empty());
    CHECK(client.post({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}}).status == 200);
    CHECK(client.call(1, "instant", Json::object()).text() == "now");
  }
}

TEST_CASE("duplicate ids in flight: 400, and the first is unharmed", "[cancel.duplicate-id]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  auto first = client.start(client.call_request(7, "gate", Json::object()));
  REQUIRE(eventually([&] { return server.at_gate() == 1; }));
  for (const Json& message :
       {client.call_request(7, "instant", Json::object()), Json{{"jsonrpc", "2.0"}, {"id", 7}, {"method", "ping"}}}) {
    const auto second = client.post(message);
    CHECK(second.status == 400);
    CHECK(second.error_code() == -32600);
    CHECK(second.only()["id"] == 7);
  }
  CHECK(client.call("7", "instant", Json::object()).text() == "now");
  server.open_gate();
  REQUIRE(first->all_messages().size() == 1);
}

TEST_CASE("cancel: a tool that ignores it keeps nobody waiting, is warned of once, and its late result is discarded",
          "[cancel.overdue]") {
  TestServer server([](ServerOptions& options) { options.requests.abort_warning = Millis(100); });
  McpClient client(server.port());
  client.open();
  CHECK(client.post({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "logging/setLevel"}, {"params", {{"level", "warning"}}}})
            .status == 200);
  auto standing = client.get();
  CHECK(standing->head().status == 200);
  auto call = client.start(client.call_request(2, "test_ignore_abort", {{"seconds", 0.6}}));
  REQUIRE(eventually(
      [&] { return !server.status()["requests"].empty() && server.status()["requests"][0]["state"] == "running"; }));
  const Stopwatch before;
  CHECK(client.cancel(2) == 202);
  CHECK(call->all_messages().empty());
  CHECK(before.waited() < Millis(300));
  const auto row = server.status()["requests"][0];
  CHECK(row["state"] == "aborting");
  const auto warning = standing->next_message();
  REQUIRE(warning);
  CHECK((*warning)["params"]["data"] ==
        "Tool \"test_ignore_abort\" did not respond to abort signal within 3s. Tools MUST honor ctx.signal for proper "
        "cancellation.");
  CHECK(eventually([&] { return server.counter("registry") == 0; }));
  CHECK(server.counter("abort_warnings_total") == 1);
  CHECK(server.counter("late_results_total") == 1);
  const auto recent = server.status()["recent"][0];
  CHECK(recent["state"] == "aborted");
  CHECK(recent["overdue"] == true);
}

TEST_CASE("the deadline: a result that names the time, state completed", "[cancel.wire.not-by-client]") {
  TestServer server([](ServerOptions& options) { options.requests.request_deadline = Millis(200); });
  McpClient client(server.port());
  client.open();
  for (const char* accept : {kBoth, kJsonOnly}) {
    const auto answer = client.call(1, "gate", Json::object(), accept);
    CHECK(answer.is_error_result());
    CHECK(answer.text().find("time of 1 s") != std::string::npos);
    CHECK(eventually([&] { return server.status()["recent"][0]["state"] == "completed"; }));
  }
}

TEST_CASE("DELETE ends the session's calls: the stream ends, JSON mode gets 404, nothing stays",
          "[cancel.wire.not-by-client] [wire.session]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  auto stream = client.start(client.call_request(1, "gate", Json::object()));
  auto json = client.start(client.call_request(2, "gate", Json::object()), kJsonOnly);
  auto standing = client.get();
  CHECK(standing->head().status == 200);
  REQUIRE(eventually([&] { return server.at_gate() == 2; }));
  CHECK(client.remove() == 200);
  CHECK(stream->all_messages().empty());
  CHECK(stream->ended_cleanly());
  CHECK(json->head().status == 404);
  CHECK_FALSE(standing->next_message());
  check_nothing_left(server);
  const Json status = server.status();
  for (const Json& row : status["recent"]) CHECK(row["reason"] == "session_closed");
}

TEST_CASE("a legacy client's disconnect is no cancel, and a half-closed one is answered",
          "[cancel.wire.disconnect] [cancel.wire.half-close]") {
  TestServer server;
  McpClient client(server.port(), Revision::v2025_06_18);
  client.open();
  auto gone = client.start(client.call_request(1, "gate", Json::object()));
  auto half = client.start(client.call_request(2, "gate", Json::object()));
  auto half_json = client.start(client.call_request(3, "gate", Json::object()), kJsonOnly);
  REQUIRE(eventually([&] { return server.at_gate() == 3; }));
  gone->reset();
  half->half_close();
  half_json->half_close();
  CHECK(client.post({{"jsonrpc", "2.0"}, {"id", 9}, {"method", "ping"}}).status == 200);
  CHECK(server.at_gate() == 3);
  server.open_gate();
  CHECK(half->all_messages().size() == 1);
  CHECK(half_json->all_messages().size() == 1);
  CHECK(eventually([&] { return server.counter("completed_total") == 3; }));
  CHECK(server.counter("aborted_total") == 0);
  check_nothing_left(server);
}

TEST_CASE("progress: strictly rising, only with a token, silent after the end",
          "[cancel.wire.silence] [wire.progress]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  auto call = client.start(client.call_request(1, "burst", {{"count", 500}}, 77));
  const auto messages = call->all_messages();
  REQUIRE(messages.size() > 2);
  CHECK(messages.size() <= 25);  // rate-limited
  double last = -1;
  for (std::size_t i = 0; i + 1 < messages.size(); ++i) {
    CHECK(messages[i]["params"]["progressToken"] == 77);
    CHECK(messages[i]["params"]["progress"].get<double>() > last);
    last = messages[i]["params"]["progress"].get<double>();
  }
  CHECK(messages.back()["id"] == 1);
  CHECK(client.post(client.call_request(2, "burst", {{"count", 5}})).messages.size() == 1);
  CHECK(client.post(client.call_request(3, "burst", {{"count", 5}}, 1), kJsonOnly).messages.size() == 1);
}

TEST_CASE("questions: asked on the call's own stream, cancelled with it, answered only by their session",
          "[cancel.wire.question] [wire.questions]") {
  TestServer server;
  McpClient client(server.port());
  McpClient other(server.port());
  client.open({{"elicitation", Json::object()}});
  other.open();
  const auto answer = [](const Json& id) {
    return Json{{"jsonrpc", "2.0"}, {"id", id}, {"result", {{"action", "accept"}, {"content", {{"colour", "red"}}}}}};
  };
  auto call = client.start(client.call_request(1, "ask", Json::object()));
  auto question = call->next_message();
  REQUIRE(question);
  CHECK((*question)["method"] == "elicitation/create");
  CHECK(other.post(answer((*question)["id"])).status == 202);
  CHECK(client.post(answer("unknown")).status == 202);
  CHECK(client.post(answer((*question)["id"])).status == 202);
  const auto result = call->next_message();
  REQUIRE(result);
  CHECK((*result)["result"]["content"][0]["text"] == "chosen: red");

  auto cancelled = client.start(client.call_request(2, "ask", Json::object()));
  question = cancelled->next_message();
  REQUIRE(question);
  CHECK(client.cancel(2) == 202);
  const auto rest = cancelled->all_messages();
  REQUIRE(rest.size() == 1);
  CHECK(rest[0]["method"] == "notifications/cancelled");
  CHECK(rest[0]["params"]["requestId"] == (*question)["id"]);
  CHECK(client.post(answer((*question)["id"])).status == 202);

  const auto cannot = other.call(3, "ask", Json::object());
  CHECK(cannot.is_error_result());
  CHECK(client.call(4, "ask", Json::object(), kJsonOnly).is_error_result());
}
