#include <random>
#include <utility>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/wire/support/browser_server.h"

using namespace bridle;
using namespace bridle::wire;

using bridle::testing::Stopwatch;

namespace {

// A moment later, or at once when the exchange has ended: cancels are to fall anywhere in a call's life.
void let_pass(std::chrono::microseconds span) {
  Mutex mutex;
  CondVar never;
  MutexLock lock(mutex);
  never.wait_until(lock, Clock::now() + span, [] { return false; });
}

std::vector<std::pair<std::string, Json>> all_kinds_of_work(const site::SiteServer& site) {
  return {
      {"browser_navigate", {{"url", site.url("/never")}, {"timeout", 60000}}},
      {"browser_navigate", {{"url", site.url("/slow?ms=200")}}},
      {"browser_navigate", {{"url", site.url("/click-lab")}}},
      {"browser_navigate", {{"url", site.url("/with-never-image")}}},
      {"browser_navigate_back", Json::object()},
      {"browser_reload", Json::object()},
      {"browser_snapshot", Json::object()},
      {"browser_click", {{"target", "text=Counter"}}},
      {"browser_click", {{"target", "text=Fetch slowly"}}},
      {"browser_click", {{"target", "text=Nothing has this text"}}},
      {"browser_type", {{"target", "input"}, {"text", "some words to type"}, {"slowly", true}}},
      {"browser_press_key", {{"key", "Control+A"}}},
      {"browser_hover", {{"target", "text=Moving"}}},
      {"browser_drag", {{"startTarget", "#counter"}, {"endTarget", "#dom"}}},
      {"browser_drag", {{"startTarget", "#never"}, {"endTarget", "h1"}}},
      {"browser_fill_form", {{"fields", Json::array({{{"target", "text=Nothing"}, {"value", "x"}}})}}},
      {"browser_select_option", {{"target", "select"}, {"values", Json::array({"x"})}}},
      {"browser_file_upload", {{"target", "text=Nothing has this text"}}},
      {"browser_find", {{"text", "lab"}}},
      {"browser_console_messages", Json::object()},
      {"browser_network_requests", {{"static", true}}},
      {"browser_network_request", {{"index", 1}}},
      {"browser_wait_for", {{"time", 20}}},
      {"browser_wait_for", {{"text", "It never comes"}, {"timeout", 60000}}},
      {"browser_tabs", {{"action", "new"}, {"url", site.url("/never?tab")}}},
      {"browser_tabs", {{"action", "list"}}},
      {"browser_evaluate", {{"function", "() => { for (;;) {} }"}, {"timeout", 60000}}},
      {"browser_evaluate", {{"function", "() => new Promise(() => {})"}, {"timeout", 60000}}},
      {"browser_evaluate", {{"function", "() => 1"}}},
      {"browser_take_screenshot", {{"fullPage", true}}},
      {"browser_resize", {{"width", 900}, {"height", 700}}},
      {"browser_status", Json::object()},
  };
}

struct Gauges {
  long long registry, pending_cdp, tab_waiters, queued, streams, early_cancels, waiters, listeners, links,
      watched_peers;
  bool operator==(const Gauges&) const = default;
};

Gauges gauges(const BrowserServer& server) {
  const Json counters = server.server->status().at("counters");
  const auto read = [&](const char* name) { return counters.at(name).get<long long>(); };
  return {read("registry"),      read("pending_cdp"), read("tab_waiters"), read("queued"), read("streams"),
          read("early_cancels"), read("waiters"),     read("listeners"),   read("links"),  read("watched_peers")};
}

// The tab serves the next call, with the truth.
void check_usable(McpClient& client, const BrowserServer& server, const Json& id) {
  const auto answer = client.call(id, "browser_navigate", {{"url", server.site.url("/plain?title=Usable")}});
  INFO(answer.only().dump());
  REQUIRE(answer.messages.size() == 1);
  CHECK_FALSE(answer.is_error_result());
  CHECK(answer.only().at("result").at("structuredContent").at("title") == "Usable");
}

}  // namespace

TEST_CASE("storm: 200 random cancels over all tools; every counter back at its start and no warning",
          "[cancel.nothing-left]") {
  BrowserServer server;
  McpClient client(server.port());
  client.open();
  const auto before = gauges(server);
  check_usable(client, server, "first");
  // What a call posted without waiting for it is answered, and its own thread lets go of it, a moment later.
  REQUIRE(eventually([&] { return gauges(server) == before; }));
  const auto work = all_kinds_of_work(server.site);
  std::mt19937 random(11);  // NOLINT: the same every time
  int silent = 0;
  // Ids of their own: a cancel of one that initialize has used, if it overtakes its request, is of that
  // [cancel.known-ids].
  for (int i = 1; i <= 200; ++i) {
    const auto turn = static_cast<std::size_t>(i - 1);
    const auto& [tool, arguments] = work[turn < work.size() ? turn : random() % work.size()];
    INFO(i << ": " << tool << " " << arguments.dump());
    auto call = client.start(client.call_request(i, tool, arguments));
    let_pass(std::chrono::microseconds(random() % 60'000));
    REQUIRE(client.cancel(i) == 202);
    const auto messages = call->all_messages();  // the stream ends in any case
    REQUIRE(call->ended_cleanly());
    REQUIRE(messages.size() <= 1);
    if (messages.empty()) ++silent;
  }
  CHECK(silent > 60);
  check_usable(client, server, "last");
  CHECK(eventually([&] { return gauges(server) == before; }));
  const auto after = gauges(server);
  CHECK(after.registry == 0);
  CHECK(after.pending_cdp == before.pending_cdp);
  CHECK(after.tab_waiters == 0);
  CHECK(after.queued == 0);
  CHECK(after.streams == before.streams);
  CHECK(after.links == before.links);
  CHECK(server.counter("abort_warnings_total") == 0);
  CHECK(server.counter("invalid_transitions_total") == 0);
  CHECK(server.counter("error_total") == 0);
}

TEST_CASE("storm: 100 rapid cancel-and-restart rounds on one tab; every cancelled load's socket closes",
          "[cancel.browser.navigation]") {
  BrowserServer server;
  McpClient client(server.port());
  client.open();
  check_usable(client, server, "first");
  for (int round = 1; round <= 100; ++round) {
    const auto path = "/never?round=" + std::to_string(round);
    auto call = client.start(
        client.call_request(round, "browser_navigate", {{"url", server.site.url(path)}, {"timeout", 60000}}));
    REQUIRE(server.site.wait_for_request(path, kPatience));
    const Stopwatch since_cancel;
    REQUIRE(client.cancel(round) == 202);
    CHECK(call->all_messages().empty());
    CHECK(server.site.wait_for_hangup(path, kPatience).has_value());
    CHECK(since_cancel.waited() < Millis(1000));
  }
  check_usable(client, server, "last");
  CHECK(eventually([&] { return server.counter("registry") == 0 && server.counter("pending_cdp") == 0; }));
  CHECK(server.counter("abort_warnings_total") == 0);
}
