#include <atomic>
#include <future>
#include <stdexcept>

#include "browser/cdp/connection.h"
#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/unit/support/concurrency_support.h"
#include "tests/unit/support/fake_transport.h"

using namespace bridle;
using namespace std::chrono_literals;
using bridle::testing::eventually;
using bridle::testing::FakeTransport;
using bridle::testing::Stopwatch;
using bridle::testing::Thread;

namespace {

struct Wire {
  FakeTransport* transport = new FakeTransport;
  std::atomic<int> closings{0};
  std::string closed_with{};
  std::mutex mutex{};
  CdpConnection connection{
      std::unique_ptr<CdpTransport>(transport)};  // the last: its end joins the reader, which uses the rest

  Wire() {
    connection.start([this](const std::string& reason) {
      const std::lock_guard lock(mutex);
      closed_with = reason;
      ++closings;
    });
  }
  bool forgot_everything() const {
    return eventually([this] { return connection.pending() == 0; });
  }
};

// The words of whatever `fn` throws as E.
template <typename E, typename Fn>
std::string thrown(Fn&& fn) {
  try {
    fn();
  } catch (const E& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("a call gets its own result, whatever the order of the replies", "[cdp_connection]") {
  Wire wire;
  wire.transport->ignore("A.first");
  auto early = std::async(std::launch::async, [&] { return wire.connection.call({}, "S", "A.first", {{"n", 1}}); });
  REQUIRE(wire.transport->wait_sent("A.first"));
  wire.transport->on("A.second", [](const auto& command) {
    return std::vector<std::string>{FakeTransport::result(command, {{"who", "second"}})};
  });
  CHECK(wire.connection.call({}, "S", "A.second", {})["who"] == "second");
  const auto command = wire.transport->sent("A.first").at(0);
  CHECK(command.session == "S");
  CHECK(command.params == Json{{"n", 1}});
  wire.transport->push(FakeTransport::result(command, {{"who", "first"}}));
  CHECK(early.get()["who"] == "first");
  CHECK(wire.connection.pending() == 0);
}

TEST_CASE("the browser's error names the method and keeps its code", "[cdp_connection]") {
  Wire wire;
  wire.transport->on("Page.navigate", [](const auto& command) {
    return std::vector<std::string>{FakeTransport::error(command, -32602, "Cannot navigate to invalid URL")};
  });
  try {
    wire.connection.call({}, "S", "Page.navigate", {});
    FAIL("no error");
  } catch (const CdpError& error) {
    CHECK(std::string(error.what()) == "Page.navigate: Cannot navigate to invalid URL");
    CHECK(error.message() == "Cannot navigate to invalid URL");
    CHECK(error.code() == -32602);
  }
  CHECK(wire.connection.pending() == 0);
}

TEST_CASE("an abort before the send sends nothing", "[cdp_connection] [cancel.browser.no-more]") {
  Wire wire;
  AbortController controller;
  controller.abort(AbortReason::client_cancelled);
  CallContext ctx;
  ctx.signal = controller.signal();
  CHECK_THROWS_AS(wire.connection.call(ctx, "S", "Page.navigate", {}), Aborted);
  CHECK(wire.transport->sent().empty());
  CHECK(wire.connection.pending() == 0);
}

TEST_CASE("an abort while waiting ends the wait, and the late reply hurts nobody", "[cdp_connection]") {
  Wire wire;
  wire.transport->ignore("Slow.command");
  AbortController controller;
  CallContext ctx;
  ctx.signal = controller.signal();
  auto waiting = std::async(std::launch::async, [&] { wire.connection.call(ctx, "S", "Slow.command", {}); });
  REQUIRE(wire.transport->wait_sent("Slow.command"));
  REQUIRE(wire.connection.pending() == 1);
  controller.abort(AbortReason::client_cancelled);
  CHECK_THROWS_AS(waiting.get(), Aborted);
  CHECK(wire.connection.pending() == 0);
  wire.transport->push(FakeTransport::result(wire.transport->sent("Slow.command").at(0), {}));
  CHECK(wire.connection.call({}, "S", "Next.command", {}).is_object());
}

TEST_CASE("no reply in time is a CdpTimeout that names the method", "[cdp_connection] [cancel.limits]") {
  Wire wire;
  wire.transport->ignore("Slow.command");
  const auto words = thrown<CdpTimeout>([&] { wire.connection.call({}, "S", "Slow.command", {}, 20ms); });
  CHECK_THAT(words, matchers::StartsWith("Slow.command: "));
  CHECK(wire.connection.pending() == 0);
}

TEST_CASE("the caller's deadline bounds a longer limit", "[cdp_connection]") {
  Wire wire;
  wire.transport->ignore("Slow.command");
  const auto ctx = CallContext{}.within(20ms);
  const Stopwatch began;
  CHECK_THROWS_AS(wire.connection.call(ctx, "S", "Slow.command", {}, 60s), CdpTimeout);
  CHECK(began.waited() < 10s);
}

TEST_CASE("the end of the browser fails all that is pending, by name, once, and then tells", "[cdp_connection]") {
  Wire wire;
  wire.transport->set_mute(true);
  auto one = std::async(std::launch::async, [&] { wire.connection.call({}, "S", "Page.navigate", {}); });
  auto two = std::async(std::launch::async, [&] { wire.connection.call({}, "", "Target.createTarget", {}); });
  std::atomic<int> told{0};
  wire.connection.post("S", "Page.reload", {}, [&](const CdpReply& reply) {
    if (reply.kind == CdpReply::Kind::closed && reply.message == "signal 9") ++told;
  });
  REQUIRE(wire.transport->wait_sent("Page.navigate"));
  REQUIRE(wire.transport->wait_sent("Target.createTarget"));
  wire.transport->close("signal 9");
  CHECK(thrown<CdpClosed>([&] { one.get(); }) == "Page.navigate: signal 9");
  CHECK(thrown<CdpClosed>([&] { two.get(); }) == "Target.createTarget: signal 9");
  REQUIRE(eventually([&] { return wire.closings == 1; }));
  CHECK(wire.connection.pending() == 0);
  CHECK(told == 1);
  CHECK(wire.closed_with == "signal 9");
  CHECK_FALSE(wire.connection.open());
  CHECK(wire.connection.close_reason() == "signal 9");
  CHECK(thrown<CdpClosed>([&] { wire.connection.call({}, "S", "Page.stopLoading", {}); }) ==
        "Page.stopLoading: signal 9");
  CHECK(wire.connection.pending() == 0);
}

TEST_CASE("close() fails what is pending too", "[cdp_connection]") {
  Wire wire;
  wire.transport->set_mute(true);
  auto waiting = std::async(std::launch::async, [&] { wire.connection.call({}, "S", "Page.navigate", {}); });
  REQUIRE(wire.transport->wait_sent("Page.navigate"));
  wire.connection.close();
  CHECK(thrown<CdpClosed>([&] { waiting.get(); }) == "Page.navigate: closed by bridle");
  CHECK(wire.forgot_everything());
}

TEST_CASE("fail_session fails that session's commands and no others", "[cdp_connection]") {
  Wire wire;
  wire.transport->set_mute(true);
  auto gone = std::async(std::launch::async, [&] { wire.connection.call({}, "GONE", "Runtime.evaluate", {}); });
  auto kept = std::async(std::launch::async, [&] { return wire.connection.call({}, "KEPT", "DOM.getDocument", {}); });
  REQUIRE(wire.transport->wait_sent("Runtime.evaluate"));
  REQUIRE(wire.transport->wait_sent("DOM.getDocument"));
  wire.connection.fail_session("GONE", "the page crashed");
  CHECK(thrown<CdpClosed>([&] { gone.get(); }) == "Runtime.evaluate: the page crashed");
  CHECK(wire.connection.pending() == 1);
  wire.transport->push(FakeTransport::result(wire.transport->sent("DOM.getDocument").at(0), {{"ok", true}}));
  CHECK(kept.get()["ok"] == true);
  CHECK(wire.connection.pending() == 0);
}

TEST_CASE("fail_session leaves alone what was sent from its mark on", "[cdp_connection]") {
  Wire wire;
  wire.transport->set_mute(true);
  std::vector<std::string> failed;
  const auto note = [&](const std::string& name) {
    return [&failed, name](const CdpReply&) { failed.push_back(name); };
  };
  const auto before = wire.connection.send("S", "A.before", {}, note("before"));
  const auto mark = wire.connection.mark();
  const auto after = wire.connection.send("S", "A.after", {}, note("after"));
  wire.connection.fail_session("S", "the page crashed", mark);
  CHECK(failed == std::vector<std::string>{"before"});
  CHECK(wire.connection.pending() == 1);
}

TEST_CASE("events go to the handler of their session only, in order", "[cdp_connection]") {
  Wire wire;
  std::vector<std::string> seen;  // reader thread only, until drained
  wire.connection.set_event_handler("A", [&](std::string_view method, std::string_view message) {
    seen.push_back("A " + std::string(method) + " " + dump(parse_cdp(message)["params"]));
  });
  wire.connection.set_event_handler(
      "", [&](std::string_view method, std::string_view) { seen.push_back("browser " + std::string(method)); });
  wire.transport->push_event("A", "Page.one", {{"n", 1}});
  wire.transport->push_event("B", "Page.two", {});  // nobody listens
  wire.transport->push_event("", "Target.three", {});
  wire.transport->push_event("A", "Page.four", {});
  REQUIRE(wire.transport->drain());
  CHECK(seen == std::vector<std::string>{"A Page.one {\"n\":1}", "browser Target.three", "A Page.four null"});
  wire.connection.set_event_handler("A", nullptr);
  wire.transport->push_event("A", "Page.five", {});
  REQUIRE(wire.transport->drain());
  CHECK(seen.size() == 3);
}

TEST_CASE("removing an event handler waits for the one that runs", "[cdp_connection]") {
  Wire wire;
  std::promise<void> entered;
  std::promise<void> leave;
  std::atomic<bool> ended{false};
  wire.connection.set_event_handler("A", [&](std::string_view, std::string_view) {
    entered.set_value();
    leave.get_future().wait();
    ended = true;
  });
  wire.transport->push_event("A", "Page.one", {});
  entered.get_future().wait();
  std::atomic<bool> removed{false};
  std::atomic<bool> ended_before_removal{false};
  const Thread remover([&] {
    wire.connection.set_event_handler("A", nullptr);
    ended_before_removal = ended.load();
    removed = true;
  });
  leave.set_value();
  REQUIRE(eventually([&] { return removed.load(); }));
  CHECK(ended_before_removal);
}

TEST_CASE("a handler may remove itself and post while it runs", "[cdp_connection]") {
  Wire wire;
  std::atomic<int> runs{0};
  wire.connection.set_event_handler("A", [&](std::string_view, std::string_view) {
    ++runs;
    wire.connection.post("A", "Page.handleJavaScriptDialog", {{"accept", false}});
    wire.connection.set_event_handler("A", nullptr);
  });
  wire.transport->push_event("A", "Page.one", {});
  wire.transport->push_event("A", "Page.two", {});
  REQUIRE(wire.transport->drain());
  CHECK(runs == 1);
  CHECK(wire.transport->sent("Page.handleJavaScriptDialog").size() == 1);
  CHECK(wire.forgot_everything());
}

TEST_CASE("dropping a Pending forgets its reply", "[cdp_connection]") {
  Wire wire;
  wire.transport->ignore("Slow.command");
  std::atomic<int> calls{0};
  {
    const auto pending = wire.connection.send("S", "Slow.command", {}, [&](const CdpReply&) { ++calls; });
    CHECK(wire.connection.pending() == 1);
  }
  CHECK(wire.connection.pending() == 0);
  wire.transport->push(FakeTransport::result(wire.transport->sent("Slow.command").at(0), {}));
  REQUIRE(wire.transport->drain());
  CHECK(calls == 0);
}

// Whatever a handler refers to may go once the drop has returned: on each of the three ways a handler is called.
TEST_CASE("dropping a Pending while its handler runs waits for the handler", "[cdp_connection]") {
  Wire wire;
  wire.transport->ignore("Slow.command");
  std::promise<void> entered;
  std::promise<void> leave;
  std::atomic<bool> ended{false};
  auto pending = wire.connection.send("S", "Slow.command", {}, [&](const CdpReply&) {
    entered.set_value();
    leave.get_future().wait();
    ended = true;
  });
  REQUIRE(wire.transport->wait_sent("Slow.command"));
  std::jthread failer;
  SECTION("by a reply") { wire.transport->push(FakeTransport::result(wire.transport->sent("Slow.command").at(0), {})); }
  SECTION("by the browser's end") { wire.transport->close("gone"); }
  SECTION("by the session's end") {
    failer = std::jthread([&] { wire.connection.fail_session("S", "gone"); });
  }
  entered.get_future().wait();
  std::atomic<bool> dropped{false};
  std::atomic<bool> ended_before_drop{false};
  {
    const Thread dropper([&] {
      pending.drop();
      ended_before_drop = ended.load();
      dropped = true;
    });
    leave.set_value();
  }
  CHECK(dropped);
  CHECK(ended_before_drop);
}

TEST_CASE("a handler may drop its own Pending", "[cdp_connection]") {
  Wire wire;
  wire.transport->ignore("Slow.command");
  std::atomic<int> calls{0};
  CdpConnection::Pending pending;
  pending = wire.connection.send("S", "Slow.command", {}, [&](const CdpReply&) {
    pending.drop();
    ++calls;
  });
  REQUIRE(wire.transport->wait_sent("Slow.command"));
  SECTION("when its reply comes") {
    wire.transport->push(FakeTransport::result(wire.transport->sent("Slow.command").at(0), {}));
  }
  SECTION("when its session fails, on another thread than the reader") { wire.connection.fail_session("S", "gone"); }
  CHECK(eventually([&] { return calls == 1; }));
  CHECK(wire.forgot_everything());
}

TEST_CASE("a moved Pending is dropped once, by its last owner", "[cdp_connection]") {
  Wire wire;
  wire.transport->set_mute(true);
  const auto ignore = [](const CdpReply&) {};
  auto one = wire.connection.send("S", "A.one", {}, ignore);
  auto two = wire.connection.send("S", "A.two", {}, ignore);
  CHECK(wire.connection.pending() == 2);
  one = std::move(two);  // drops what it held
  CHECK(wire.connection.pending() == 1);
  const auto three = std::move(one);
  CHECK(wire.connection.pending() == 1);
}

TEST_CASE("a handler that throws takes nothing else with it", "[cdp_connection]") {
  const testing::LogCapture log;
  Wire wire;
  wire.transport->ignore("Slow.command");
  const auto angry = [](const CdpReply&) { throw std::runtime_error("angry handler"); };
  wire.connection.set_event_handler(
      "A", [](std::string_view, std::string_view) { throw std::runtime_error("angry event"); });
  wire.connection.post("S", "Slow.command", {}, angry);
  wire.connection.post("T", "Slow.command", {}, angry);
  wire.connection.post("U", "Slow.command", {}, angry);
  wire.transport->push_event("A", "Page.one", {});
  wire.transport->push(FakeTransport::result(wire.transport->sent("Slow.command").at(0), {}));
  REQUIRE(wire.transport->drain());
  CHECK(log.with("angry event").size() == 1);
  CHECK(log.with("angry handler").size() == 1);
  CHECK(wire.connection.call({}, "S", "Next.command", {}).is_object());
  wire.connection.fail_session("T", "gone");
  CHECK(log.with("angry handler").size() == 2);
  wire.transport->close("gone");
  REQUIRE(eventually([&] { return wire.closings == 1; }));
  CHECK(log.with("angry handler").size() == 3);
  CHECK(wire.connection.pending() == 0);
}

TEST_CASE("what is no CDP, and replies nobody waits for, are dropped", "[cdp_connection]") {
  const testing::LogCapture log;
  Wire wire;
  wire.transport->push("garbage");
  wire.transport->push(R"({"id":99999,"result":{}})");
  wire.transport->push(R"({"error":{"code":1,"message":"x"},"id":99998})");
  CHECK(wire.connection.call({}, "", "Browser.getVersion", {}).is_object());
  CHECK(log.with("no CDP").size() == 1);
}

TEST_CASE("calls from many threads race the end: each ends once, nothing stays pending", "[cdp_connection]") {
  Wire wire;
  std::atomic<int> results{0};
  std::atomic<int> closed{0};
  {
    std::vector<Thread> callers;
    for (int i = 0; i < 8; ++i) {
      callers.emplace_back([&] {
        for (int n = 0; n < 200; ++n) {
          try {
            wire.connection.call({}, "S", "Quick.command", {});
            ++results;
          } catch (const CdpClosed&) {
            ++closed;
          }
        }
      });
    }
    REQUIRE(wire.transport->wait_sent("Quick.command", 300));
    wire.transport->close("gone");
  }
  CHECK(results + closed == 1600);
  CHECK(results > 0);
  CHECK(closed > 0);
  CHECK(wire.connection.pending() == 0);
}
