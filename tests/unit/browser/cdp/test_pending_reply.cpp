#include <future>

#include "browser/cdp/pending_reply.h"
#include "tests/support/catch.h"
#include "tests/unit/support/concurrency_support.h"
#include "tests/unit/support/fake_transport.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

struct Wire {
  FakeTransport* transport = new FakeTransport;
  CdpConnection connection{std::unique_ptr<CdpTransport>(transport)};
  Wire() {
    connection.start([](const std::string&) {});
    transport->ignore("Slow.command");
  }
  ~Wire() { connection.stop(); }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  void answer() const { transport->push(FakeTransport::result(transport->sent("Slow.command").at(0), {{"a", 1}})); }
};

}  // namespace

TEST_CASE("a reply can be taken once, after it has been told of", "[pending_reply]") {
  Wire wire;
  std::promise<void> told;
  PendingReply reply(wire.connection, "S", "Slow.command", Json::object(), [&] { told.set_value(); });
  CHECK_FALSE(reply.has_come());
  CHECK_FALSE(reply.take());
  wire.answer();
  told.get_future().wait();
  CHECK(reply.has_come());
  const auto came = reply.take();
  REQUIRE(came);
  CHECK(result_of(result_message(reply.method(), *came)) == Json{{"a", 1}});
  CHECK_FALSE(reply.take());
}

TEST_CASE("a wait for a reply ends with it, at its deadline, and by an abort", "[pending_reply]") {
  Wire wire;
  const PendingReply reply(wire.connection, "S", "Slow.command", Json::object());
  CHECK_FALSE(reply.wait(CallContext{}.within(Millis(5))));
  AbortController controller;
  CallContext ctx;
  ctx.signal = controller.signal();
  auto waits = std::async(std::launch::async, [&] { return reply.wait(ctx); });
  wire.answer();
  CHECK(waits.get());
  controller.abort(AbortReason::client_cancelled);
  CHECK_THROWS_AS(reply.wait(ctx), Aborted);
}

TEST_CASE("a dropped reply is forgotten, also where it was moved before", "[pending_reply]") {
  Wire wire;
  std::vector<PendingReply> kept;
  kept.emplace_back(wire.connection, "S", "Slow.command", Json::object());
  auto moved = std::move(kept.front());
  kept.clear();
  CHECK(wire.connection.pending() == 1);
  { const auto last = std::move(moved); }
  CHECK(wire.connection.pending() == 0);
}

TEST_CASE("an error, and a connection that has ended, come out by the command's name", "[pending_reply]") {
  Wire wire;
  wire.transport->on("DOM.bad", [](const auto& command) {
    return std::vector<std::string>{FakeTransport::error(command, -32000, "No.")};
  });
  PendingReply bad(wire.connection, "S", "DOM.bad", Json::object());
  REQUIRE(bad.wait({}));
  CHECK_THROWS_WITH(result_message(bad.method(), *bad.take()), "DOM.bad: No.");
  wire.transport->close("gone");
  CHECK(eventually([&] { return !wire.connection.open(); }));
  PendingReply late(wire.connection, "S", "DOM.late", Json::object());
  CHECK(late.has_come());
  CHECK_THROWS_AS(result_message(late.method(), *late.take()), CdpClosed);
}
