#include <random>

#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/test_server.h"

using namespace bridle;
using namespace bridle::wire;

using bridle::testing::Stopwatch;

TEST_CASE("load: 64 tools running and 1,000 streams open, and a cancel answers within 100 ms",
          "[cancel.at-once] [cancel.wire.silence]") {
  TestServer server;
  std::vector<std::unique_ptr<Exchange>> streams;
  std::vector<McpClient> clients;
  const std::size_t wanted = 1000;
  for (std::size_t i = 0; i < wanted; ++i) {
    clients.emplace_back(server.port());
    clients.back().open();
    streams.push_back(clients.back().get());
    REQUIRE(streams.back()->head().status == 200);
  }
  CHECK(eventually([&] { return server.counter("streams") == static_cast<long long>(wanted); }));
  std::vector<std::unique_ptr<Exchange>> calls;
  for (int i = 0; i < 64; ++i)
    calls.push_back(clients[0].start(clients[0].call_request(i + 1, "gate", Json::object())));
  REQUIRE(eventually([&] { return server.at_gate() == 64; }));
  auto worst_answer = Millis::zero();
  auto worst_end = Millis::zero();
  for (int i = 0; i < 64; ++i) {
    const Stopwatch watch;
    CHECK(clients[0].cancel(i + 1) == 202);
    const auto answered = watch.waited();
    CHECK(calls[static_cast<std::size_t>(i)]->all_messages().empty());
    const auto ended = watch.waited();
    CHECK(answered < Millis(100));
    CHECK(ended < Millis(200));
    worst_answer = std::max(worst_answer, answered);
    worst_end = std::max(worst_end, ended);
  }
  WARN("worst of 64: cancel answered after " << worst_answer.count() << " ms, stream ended after " << worst_end.count()
                                             << " ms");
  streams.clear();
  calls.clear();
  CHECK(eventually([&] { return server.counter("streams") == 0 && server.counter("registry") == 0; }));
  CHECK(eventually([&] { return server.counter("connections") == 0 && server.counter("watched_peers") == 0; }));
}

TEST_CASE("load: 500 cancels at the moment of completion: an answer or silence, never both, never neither",
          "[cancel.states.once]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  std::mt19937 random(7);  // NOLINT: the same every time
  int answered = 0;
  int silent = 0;
  for (int i = 0; i < 500; ++i) {
    const Json id = i + 1;
    const double seconds = 0.002;
    auto call =
        client.start(client.call_request(id, "test_sleep", {{"seconds", seconds}}), i % 2 == 0 ? kBoth : kJsonOnly);
    const auto until = Clock::now() + std::chrono::microseconds(random() % 3000);
    while (Clock::now() < until) {
    }
    CHECK(client.cancel(id) == 202);
    const auto messages = call->all_messages();
    REQUIRE(messages.size() <= 1);
    // The client is released a moment before the tool has ended.
    Json recent;
    REQUIRE(eventually([&] { return !(recent = server.status()["recent"]).empty() && recent[0]["id"] == id; }));
    const std::string state = recent[0]["state"];
    if (messages.empty()) {
      ++silent;
      REQUIRE(state == "aborted");
    } else {
      ++answered;
      REQUIRE(state == "completed");
    }
  }
  CHECK(answered + silent == 500);
  WARN("of 500 cancels " << silent << " came in time, " << answered << " too late");
  CHECK(eventually([&] { return server.counter("registry") == 0; }));
  CHECK(server.counter("abort_warnings_total") == 0);
  CHECK(server.counter("invalid_transitions_total") == 0);
}

TEST_CASE("load: of 300 calls at once 256 run and the rest is refused at once", "[wire.load]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  std::vector<std::unique_ptr<Exchange>> calls;
  for (int i = 0; i < 300; ++i)
    calls.push_back(client.start(client.call_request(i + 1, "gate", Json::object()), kBoth));
  REQUIRE(eventually([&] { return server.at_gate() == 256; }));
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    if (calls[static_cast<std::size_t>(i)]->head().header("Content-Type") != "application/json") continue;
    ++refused;
    const auto messages = calls[static_cast<std::size_t>(i)]->all_messages();
    CHECK(messages.at(0)["error"]["message"].get<std::string>().find("256") != std::string::npos);
  }
  CHECK(refused == 44);
  CHECK(client.post({{"jsonrpc", "2.0"}, {"id", 999}, {"method", "ping"}}).status == 200);
  server.open_gate();
  CHECK(eventually([&] { return server.counter("registry") == 0; }));
}
