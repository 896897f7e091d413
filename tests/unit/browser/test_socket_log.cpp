#include "browser/tab/network_log.h"
#include "browser/tab/socket_log.h"
#include "tests/support/catch.h"

// What a page's WebSockets owe it, and what it asks for again and again.
using namespace bridle;

namespace {

constexpr Clock::time_point at(int ms) { return Clock::time_point(Millis(1'000'000 + ms)); }

// A log with one socket, open since 0, and an action that began at 5000.
struct Sockets {
  SocketLog log{};

  Sockets() {
    on("Created", 0);
    on("HandshakeResponseReceived", 10);
    log.begin_action(at(5000));
  }
  void on(const std::string& what, int ms) {
    log.on_event("S", "Network.webSocket" + what, {{"requestId", "1"}, {"url", "ws://a/s?x=1"}}, at(ms));
  }
  NetworkActivity now() const {
    NetworkActivity activity;
    log.add_to(activity);
    return activity;
  }
};

// Asks again and again at one place, as a poll does.
struct PollingPage {
  NetworkLog log{};
  int asked = 0;

  void begin(int ms, const std::string& path = "/status") {
    ++asked;
    const Json body{{"url", "http://a" + path + "?at=" + std::to_string(asked)}, {"method", "GET"}};
    log.on_event("S", "Network.requestWillBeSent",
                 {{"requestId", std::to_string(asked)}, {"type", "Fetch"}, {"frameId", "F"}, {"request", body}},
                 at(ms));
  }
  void end(int ms) { log.on_event("S", "Network.loadingFinished", {{"requestId", std::to_string(asked)}}, at(ms)); }
  // Asks at each of them, for 50 ms, and at the last without an end.
  void ask(std::initializer_list<int> times) {
    for (const int ms : times) {
      begin(ms);
      if (ms != *(times.end() - 1)) end(ms + 50);
    }
  }
};

}  // namespace

TEST_CASE("a message of the page's is owed an answer", "[page_trackers] [nav.sockets]") {
  Sockets sockets;
  CHECK_FALSE(sockets.now().last);
  sockets.on("FrameSent", 5100);
  sockets.on("FrameSent", 5200);
  CHECK(sockets.now().owed == at(5100));
  CHECK(sockets.now().last_fetch == at(5100));
  sockets.on("FrameReceived", 5300);
  CHECK_FALSE(sockets.now().owed);
  CHECK(sockets.now().last == at(5300));
  sockets.on("FrameReceived", 5400);
  CHECK(sockets.now().heard == at(5400));
  SECTION("of which the next action knows nothing") {
    sockets.log.begin_action(at(5500));
    CHECK_FALSE(sockets.now().last);
    sockets.on("FrameReceived", 5600);
    CHECK_FALSE(sockets.now().last);
  }
  SECTION("until it is closed") {
    sockets.on("FrameSent", 5500);
    CHECK(sockets.now().owed);
    sockets.on("Closed", 5600);
    CHECK_FALSE(sockets.now().last);
  }
  SECTION("until its session ends") {
    sockets.log.drop_session("S");
    CHECK_FALSE(sockets.now().last);
  }
}

TEST_CASE("of a socket that streams only the first message after the page's is an answer",
          "[page_trackers] [nav.sockets]") {
  Sockets sockets;
  for (int ms = 5100; ms < 7000; ms += 100) sockets.on("FrameReceived", ms);
  CHECK_FALSE(sockets.now().last);
  sockets.log.begin_action(at(7000));
  sockets.on("FrameSent", 7010);
  sockets.on("FrameReceived", 7100);
  sockets.on("FrameReceived", 7200);
  CHECK(sockets.now().heard == at(7100));
}

TEST_CASE("a socket that was given up owes nothing until something comes in time", "[page_trackers] [nav.sockets]") {
  Sockets sockets;
  sockets.on("FrameSent", 5100);
  sockets.log.give_up();
  CHECK_FALSE(sockets.now().owed);
  sockets.on("FrameSent", 5200);
  CHECK_FALSE(sockets.now().owed);
  sockets.on("FrameReceived", 9000);
  sockets.on("FrameSent", 9100);
  CHECK_FALSE(sockets.now().owed);
  sockets.on("FrameReceived", 9300);
  sockets.on("FrameSent", 9400);
  CHECK(sockets.now().owed == at(9400));
}

TEST_CASE("what Engine.IO keeps a connection by is nothing that the page has asked", "[page_trackers] [nav.sockets]") {
  const auto frame = [](const std::string& payload) {
    return SocketLog::params_of_frame("Network.webSocketFrameSent",
                                      R"({"method":"Network.webSocketFrameSent","params":{"requestId":"1","response":)"
                                      R"({"opcode":1,"mask":true,"payloadData":")" +
                                          payload + R"("}}})");
  };
  for (const std::string url : {"ws://a/socket.io/?EIO=4&transport=websocket", "ws://a/terminal"}) {
    CAPTURE(url);
    SocketLog log;
    log.on_event("S", "Network.webSocketCreated", {{"requestId", "1"}, {"url", url}}, at(0));
    log.on_event("S", "Network.webSocketHandshakeResponseReceived", {{"requestId", "1"}}, at(10));
    log.begin_action(at(5000));
    const auto owed = [&] {
      NetworkActivity activity;
      log.add_to(activity);
      return activity.owed.has_value();
    };
    log.on_event("S", "Network.webSocketFrameSent", frame("3"), at(5100));
    CHECK(owed() == (url == "ws://a/terminal"));
    log.on_event("S", "Network.webSocketFrameSent", frame(R"(42[\"setup\"])"), at(5200));
    CHECK(owed());
    log.on_event("S", "Network.webSocketFrameReceived", frame("2"), at(5300));
    CHECK(owed() == (url != "ws://a/terminal"));
  }
}

TEST_CASE("of a message's event only the request is read", "[page_trackers] [nav.sockets]") {
  const std::string event = R"({"method":"Network.webSocketFrameSent","params":{"requestId":"12.7","timestamp":1,)"
                            R"("response":{"opcode":1,"payloadData":"\"requestId\":\"9\""}},"sessionId":"S"})";
  CHECK(SocketLog::params_of_frame("Network.webSocketFrameSent", event) == Json{{"requestId", "12.7"}});
  CHECK(SocketLog::params_of_frame("Network.webSocketCreated", event).is_null());
  CHECK(SocketLog::params_of_frame("Network.webSocketFrameSent", R"({"params":{"requestId":"1)").is_null());
}

TEST_CASE("what a page asks for in a rhythm brings nothing that is waited for",
          "[page_trackers] [tool.target.nearest]") {
  PollingPage page;
  SECTION("from the fourth time on") {
    page.ask({0, 1000, 2010});
    CHECK(page.log.brings_content(at(2020)));
    page.end(2050);
    page.ask({3000});
    CHECK(!page.log.brings_content(at(3010)));
  }
  SECTION("but what is asked for out of it, or elsewhere, does") {
    page.ask({0, 1000, 2000, 3000});
    page.end(3050);
    SECTION("sooner") { page.begin(3300); }
    SECTION("elsewhere") { page.begin(4000, "/rows"); }
    CHECK(page.log.brings_content(at(4010)));
  }
  SECTION("and so does what acts ask for, one after another") {
    page.ask({0, 700, 2900, 4100});
    CHECK(page.log.brings_content(at(4110)));
  }
}
