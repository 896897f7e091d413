// The control panel's parts that need no server.
#include <thread>

#include "base/errors.h"
#include "base/limits.h"
#include "server/panel/entry.h"
#include "server/panel/page_files.h"
#include "server/panel/timeline.h"
#include "tests/support/catch.h"
#include "tests/unit/support/call_table_support.h"
#include "tools/contract/user_hold.h"
#include "tools/panel/hand_input.h"

using namespace bridle;
using namespace std::chrono_literals;
using bridle::testing::CallTableFixture;
using bridle::testing::eventually;
using matchers::Contains;

namespace {

PastCall past_call(const Json& arguments) {
  PastCall past;
  past.row.key = {.session = "post-17", .id = "\"a\""};
  past.row.tool = "browser_click";
  past.row.state = CallState::completed;
  past.row.traits = {.number = 7, .maker = 3, .target = "button"};
  past.row.began = Clock::now();
  past.ended = past.row.began;
  past.arguments = &arguments;
  return past;
}

Json only(const Timeline& timeline) { return Json::parse(timeline.after(timeline.newest() - 1).at(0)->json); }

}  // namespace

TEST_CASE("timeline: an entry says what its call was, short, and of tabs' handles only the beginning",
          "[panel] [panel.timeline]") {
  Bell bell;
  Timeline timeline(bell);
  const auto rung = bell.count();
  const Json arguments = {
      {"target", std::string(5000, 'x')}, {"list", Json(100, 1)}, {"tab", "i-0123456789abcdefghij"}};
  auto past = past_call(arguments);
  past.read(ToolResult::text("### Result\nclicked\n\n### Page\n- Page URL: http://a.example/\n- Pending: a timer\n" +
                             std::string(5000, 'y')));
  timeline.add(past);
  CHECK(bell.count() == rung + 1);
  const Json entry = only(timeline);
  CHECK(entry.at("n") == 1);
  CHECK(entry.at("call") == "k7");
  CHECK(entry.at("parent") == "k3");
  CHECK(entry.at("session") == "sessionless");
  CHECK(entry.at("request") == "a");
  CHECK(entry.at("url") == "http://a.example/");
  CHECK(entry.at("settle") == "a timer");
  CHECK(entry.at("cut") == true);
  CHECK(entry.at("reason") == "");
  CHECK(entry.at("arguments").at("tab") == "i-01234567");
  CHECK(timeline.after(0)[0]->json.size() < 4000);
}

TEST_CASE("timeline: a tab's handle is cut wherever it stands, and arguments have a bound in all",
          "[panel] [panel.timeline] [wire.handles]") {
  Bell bell;
  Timeline timeline(bell);
  const std::string handle = "i-0123456789abcdefghij";
  const Json arguments = {{"steps", Json::array({{{"tool", "browser_click"}, {"arguments", {{"tab", handle}}}}})},
                          {"function", "() => '" + handle + "'"}};
  auto past = past_call(arguments);
  past.row.traits.target = "steps in " + handle;
  past.read(ToolResult::text("### Result\nopened " + handle + " in a context of its own, i-5 is none"));
  timeline.add(past);
  CHECK_THAT(timeline.after(0)[0]->json, !Contains(handle) && Contains("opened i-01234567 in") && Contains("i-5 is"));
  CHECK_THAT(timeline.after(0)[0]->words, !Contains(handle));
  CHECK(only(timeline).at("arguments").at("steps")[0].at("arguments").at("tab") == "i-01234567");
  Json wide = Json::object();
  for (char name = 'a'; name < 'a' + 18; ++name) {
    Json inner = Json::array();
    for (int i = 0; i < 18; ++i) inner.push_back(Json(18, std::string(250, 'x')));
    wide[std::string(1, name)] = std::move(inner);
  }
  const Json small = {{"target", "button"}};
  timeline.add(past_call(small));
  CHECK(only(timeline).at("cut") == false);
  timeline.add(past_call(wide));
  CHECK(only(timeline).at("cut") == true);
  CHECK(timeline.after(2)[0]->json.size() < 2 * limits::kTimelineArguments);
  CHECK(only(timeline).at("arguments").at("a")[0][0] == std::string(250, 'x'));
  CHECK(only(timeline).at("arguments").contains("…"));
}

TEST_CASE("a link is good for who asked for it, once", "[panel] [panel.entry.link]") {
  PanelEntry entry(8437);
  const auto token = entry.make_token("user 1000");
  CHECK(entry.enter(token, "user 1001").empty());
  // Who couldn't use it hasn't used it up.
  CHECK_FALSE(entry.enter(token, "user 1000").empty());
  CHECK(entry.enter(token, "user 1000").empty());
  // A peer whose user nobody knows: a container's port, a tunnel.
  CHECK_FALSE(entry.enter(entry.make_token("user 1000"), "address 172.17.0.1").empty());
  CHECK_FALSE(entry.enter(entry.make_token("address 172.17.0.1"), "user 1000").empty());
  CHECK(entry.enter("", "user 1000").empty());
}

TEST_CASE("timeline: it holds the last ones, and says from which on", "[panel] [panel.timeline]") {
  Bell bell;
  Timeline timeline(bell);
  CHECK(timeline.oldest() == 1);
  const Json none = Json::object();
  for (std::size_t i = 0; i < limits::kTimeline + 1; ++i) timeline.add(past_call(none));
  CHECK(timeline.oldest() == 2);
  CHECK(timeline.after(0).size() == limits::kTimeline);
  CHECK(timeline.after(timeline.newest()).empty());
}

TEST_CASE("target words: what a call is for, on one line", "[panel] [panel.state]") {
  CHECK(target_words({{"target", "#a\nb"}, {"url", "http://x/"}}) == "#a\\x0ab");
  CHECK(target_words({{"url", "http://x/"}}) == "http://x/");
  CHECK(target_words({{"steps", {1, 2}}}) == "2 steps");
  CHECK(target_words({{"target", 1}}).empty());
  CHECK(target_words(Json()).empty());
}

TEST_CASE("the page's files: each has a type, and the tag changes with its bytes", "[panel] [panel.page]") {
  CHECK(panel::page_files().size() > 5);
  for (const auto& file : panel::page_files()) {
    CAPTURE(file.name);
    CHECK(panel::content_type(file.name) != "application/octet-stream");
    CHECK_FALSE(file.text.empty());
    // Nothing is loaded from elsewhere, and nothing runs inline.
    for (const char* no : {"https://", " onclick=", "<script>", " style=\""})
      CHECK((file.text.find(no) == std::string_view::npos || !file.name.ends_with(".html")));
  }
  CHECK(panel::etag_of("a") != panel::etag_of("b"));
  CHECK(panel::etag_of("a") == panel::etag_of("a"));
}

TEST_CASE("a hold: one viewer's, for whom calls wait; news of its end is told once", "[panel] [panel.take-over]") {
  UserHold hold;
  const auto nothing = [](bool) {};
  hold.wait({}, nothing);
  CHECK(hold.take("one", Millis(20)));
  CHECK(hold.take("one"));
  CHECK_FALSE(hold.take("two"));
  CHECK_FALSE(hold.hand_back("two"));
  std::vector<bool> told;
  CHECK_THROWS_AS(hold.wait({}, [&](bool waits) { told.push_back(waits); }), ToolError);
  CHECK(told == std::vector<bool>{true, false});
  CHECK(hold.news() == 0);
  CHECK(hold.hand_back("one"));
  CHECK_FALSE(hold.state());
  // Until it was told it stays news; who comes again meanwhile is told of too.
  const auto first = hold.news();
  CHECK(first != 0);
  CHECK(hold.news() == first);
  CHECK(hold.take("two"));
  CHECK(hold.hand_back("two"));
  hold.told(first);
  CHECK(hold.news() != 0);
  hold.told(hold.news());
  CHECK(hold.news() == 0);
  AbortController aborted;
  aborted.abort(AbortReason::client_cancelled, "");
  CHECK(hold.take("one"));
  CHECK_THROWS_AS(hold.wait({.signal = aborted.signal()}, nothing), Aborted);
}

TEST_CASE("a hold that is let go of still holds calls, and nothing more is done in its name",
          "[panel] [panel.take-over] [panel.input.released]") {
  UserHold hold;
  CHECK_FALSE(hold.acts("one"));
  CHECK_FALSE(hold.let_go("one"));
  CHECK(hold.take("one", Millis(20)));
  CHECK(hold.acts("one"));
  CHECK_FALSE(hold.acts("two"));
  CHECK_FALSE(hold.let_go("two"));
  CHECK(hold.let_go("one"));
  CHECK_FALSE(hold.acts("one"));
  CHECK_THROWS_AS(hold.wait({}, [](bool) {}), ToolError);
  CHECK_FALSE(hold.take("two"));
  CHECK(hold.hand_back("one"));
  CHECK(hold.take("one"));
  CHECK(hold.acts("one"));
}

TEST_CASE("the time that a call waits for a person is not its own", "[request] [panel.take-over]") {
  CallTableFixture t(CallTableFixture::with(&CallTable::Options::request_deadline, 40ms));
  const auto held = t.begin("1");
  held->set_held(true);
  CHECK(held->snapshot().held);
  const auto other = t.begin("2");
  REQUIRE(eventually([&] { return other->signal().aborted(); }));
  CHECK_FALSE(held->signal().aborted());
  const auto freed = Clock::now();
  held->set_held(false);
  CHECK_FALSE(held->snapshot().held);
  REQUIRE(eventually([&] { return held->signal().aborted(); }));
  CHECK(held->signal().reason() == AbortReason::deadline);
  // What it had used before the wait is all that it had used.
  CHECK(held->signal().aborted_at() > freed);
  // A stop ends one that waits, and the warning of one that ignores it comes as ever.
  const auto stopped = t.begin("3");
  stopped->set_held(true);
  CHECK(t.calls.begin_stop([](const Call& one) { return one.key().id == "3"; }, "").size() == 1);
  stopped->set_held(false);
  CHECK(stopped->signal().reason() == AbortReason::stopped_by_user);
}

TEST_CASE("a person's input as commands", "[panel] [panel.input]") {
  const auto only_command = [](const Json& event) { return input_commands(Json::array({event})).at(0); };
  const auto press =
      only_command({{"type", "down"}, {"x", 1.5}, {"y", 2}, {"button", "left"}, {"buttons", 1}, {"clicks", 2}});
  CHECK(press.method == "Input.dispatchMouseEvent");
  CHECK(press.params.at("type") == "mousePressed");
  CHECK(press.params.at("clickCount") == 2);
  const auto key = only_command({{"type", "keydown"}, {"key", "a"}, {"code", "KeyA"}});
  CHECK(key.params.at("type") == "keyDown");
  CHECK(key.params.at("text") == "a");
  CHECK(key.params.at("windowsVirtualKeyCode") == 65);
  const auto shortcut = only_command({{"type", "keydown"}, {"key", "a"}, {"code", "KeyA"}, {"modifiers", 2}});
  CHECK(shortcut.params.at("type") == "rawKeyDown");
  CHECK_FALSE(shortcut.params.contains("text"));
  CHECK(only_command({{"type", "keydown"}, {"key", "Enter"}}).params.at("text") == "\r");
  CHECK(only_command({{"type", "keydown"}, {"key", "F12"}}).params.at("windowsVirtualKeyCode") == 123);
  CHECK(only_command({{"type", "keyup"}, {"key", "ArrowUp"}}).params.at("windowsVirtualKeyCode") == 38);
  CHECK(only_command({{"type", "wheel"}, {"x", 1}, {"y", 1}, {"dy", 100}}).params.at("deltaY") == 100);
  CHECK_NOTHROW(input_commands(Json(limits::kPanelInputs - 1, Json{{"type", "move"}})));
  CHECK_NOTHROW(input_commands(Json(limits::kPanelInputs, Json{{"type", "move"}})));
  CHECK_THROWS_AS(input_commands(Json(limits::kPanelInputs + 1, Json{{"type", "move"}})), ToolError);
  for (const Json& bad : {Json(1), Json{{"type", "move"}, {"x", 1e9}}, Json{{"type", "move"}, {"modifiers", 16}},
                          Json{{"type", "keydown"}}, Json{{"type", "text"}, {"text", ""}}})
    CHECK_THROWS_AS(input_commands(Json::array({bad})), ToolError);
}
