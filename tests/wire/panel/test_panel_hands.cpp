// The control panel with a real browser: taking over, input and handing back.
#include "tests/support/catch.h"
#include "tests/wire/support/panel_desk.h"

using namespace bridle;
using namespace bridle::wire;
using matchers::Contains;

TEST_CASE("panel: who takes over holds acting calls, not reading ones; input is real; the next result tells",
          "[panel] [panel.take-over] [panel.take-over.reads] [panel.take-over.told] [panel.input]") {
  Desk desk;
  CHECK(desk.post("input", {{"events", {{{"type", "move"}, {"x", 1}, {"y", 1}}}}}) == 409);
  CHECK(desk.post("take-over", Json::object(), "nobody0001") == 409);
  CHECK(desk.post("take-over") == 200);
  PanelEvents other(desk.visitor, "?viewer=viewer0002");
  CHECK(other.state([](const Json&) { return true; })["sessions"][0]["held"]["by"] == "another viewer");
  CHECK(desk.post("take-over", Json::object(), "viewer0002") == 409);
  CHECK(desk.post("hand-back", Json::object(), "viewer0002") == 409);
  auto click = desk.client.start(desk.client.call_request(2, "browser_click", {{"target", "button"}}));
  const Json held = desk.events->call("held");
  CHECK(held.at("tool") == "browser_click");
  CHECK(held.at("target") == "button");
  const Json events = {{{"type", "move"}, {"x", 50}, {"y", 25}},
                       {{"type", "down"}, {"x", 50}, {"y", 25}, {"button", "left"}, {"buttons", 1}, {"clicks", 1}},
                       {{"type", "up"}, {"x", 50}, {"y", 25}, {"button", "left"}, {"clicks", 1}},
                       {{"type", "keydown"}, {"key", "A"}, {"code", "KeyA"}, {"modifiers", 8}},
                       {{"type", "keyup"}, {"key", "A"}, {"code", "KeyA"}, {"modifiers", 8}},
                       {{"type", "text"}, {"text", "bc \xC3\xA9"}},
                       {{"type", "keydown"}, {"key", "Backspace"}, {"code", "Backspace"}},
                       {{"type", "keyup"}, {"key", "Backspace"}, {"code", "Backspace"}}};
  CHECK(desk.post("input", {{"events", events}}) == 200);
  for (const Json& bad :
       {Json(), Json::array(), Json{{{"type", "shout"}}}, Json{{{"type", "down"}, {"button", "x"}}},
        Json{{{"type", "move"}, {"x", "1"}}}, Json{{{"type", "text"}}}, Json(101, Json{{"type", "move"}})})
    CHECK(desk.post("input", {{"events", bad}}) == 400);
  CHECK(desk.post("input", {{"events", events}}, "viewer0002") == 409);
  const auto seen = desk.client.call(3, "browser_snapshot", Json::object());
  CHECK_THAT(seen.text(), Contains("textbox [active]") && Contains("\"Abc \"") && !Contains("user took over"));
  CHECK(desk.post("hand-back") == 200);
  const auto result = click->all_messages();
  REQUIRE(result.size() == 1);
  CHECK_THAT(result[0].dump(), Contains("clicked button") && Contains("the user took over the browser"));
  CHECK_THAT(desk.client.call(4, "browser_click", {{"target", "button"}}).text(), !Contains("user took over"));
}

TEST_CASE("panel: what the person holds down goes up before the hold ends, and that is no click",
          "[panel] [panel.input] [panel.input.released] [panel.take-over.ends]") {
  Desk desk([](ServerOptions& options) { options.viewer_gone = Millis(200); });
  constexpr const char* kWatch =
      "() => { const seen = []; window.allSeen = new Promise(done => { "
      "for (const type of ['mousedown', 'mouseup', 'click', 'auxclick', 'keydown', 'keyup']) "
      "addEventListener(type, e => { "
      "seen.push([type, e.key ?? e.button, e.shiftKey, e.clientX ?? '', e.clientY ?? ''].join(' ')); "
      "if (seen.length === 8) done(seen.join()) }, true) }) }";
  REQUIRE_FALSE(desk.client.call(2, "browser_evaluate", {{"function", kWatch}}).is_error_result());
  CHECK(desk.post("take-over") == 200);
  const Json pressed = {{{"type", "keydown"}, {"key", "Shift"}, {"code", "ShiftLeft"}, {"modifiers", 8}},
                        {{"type", "keydown"}, {"key", "A"}, {"code", "KeyA"}, {"modifiers", 8}},
                        {{"type", "keydown"}, {"key", "b"}, {"code", "KeyB"}, {"modifiers", 8}},
                        {{"type", "keyup"}, {"key", "b"}, {"code", "KeyB"}, {"modifiers", 8}},
                        {{"type", "down"}, {"x", 50}, {"y", 110}, {"button", "left"}, {"buttons", 1}, {"clicks", 1}},
                        {{"type", "move"}, {"x", 60}, {"y", 115}, {"button", "left"}, {"buttons", 1}}};
  CHECK(desk.post("input", {{"events", pressed}}) == 200);
  // Where something stays down this call has no end.
  auto next =
      desk.client.start(desk.client.call_request(3, "browser_evaluate", {{"function", "() => window.allSeen"}}));
  desk.events->call("held");
  SECTION("its viewer goes away") { desk.events.reset(); }
  SECTION("it hands back") { CHECK(desk.post("hand-back") == 200); }
  CHECK_THAT(next->all_messages()[0].dump(),
             Contains("keydown Shift true  ,keydown A true  ,keydown b true  ,keyup b true  ,mousedown 0 false 50 110,"
                      "mouseup 0 true 60 115,keyup A true  ,keyup Shift false  "));
  CHECK_THAT(desk.client.call(4, "browser_evaluate", {{"function", "() => document.title"}}).text(), Contains("A<b>T"));
}

TEST_CASE("panel: where the person has left the page at another origin, the refusal says who went there",
          "[panel] [panel.take-over.told] [nav.origin]") {
  Desk desk;
  const auto there = desk.server.site.url("/plain");
  CHECK_FALSE(desk.client.call(2, "browser_navigate", {{"url", there}}).is_error_result());
  const auto elsewhere = desk.server.site.other_url("/plain");
  CHECK_FALSE(
      desk.client
          .call(3, "browser_evaluate", {{"function", "() => { onkeydown = () => { location = '" + elsewhere + "' } }"}})
          .is_error_result());
  CHECK(desk.post("take-over") == 200);
  CHECK(desk.post("input", {{"events", {{{"type", "keydown"}, {"key", "x"}, {"code", "KeyX"}}}}}) == 200);
  desk.events->state([&](const Json& all) { return all["sessions"][0]["tabs"][0].at("url") == elsewhere; });
  CHECK(desk.post("hand-back") == 200);
  const auto refused = desk.client.call(4, "browser_press_key", {{"key", "y"}});
  CHECK(refused.is_error_result());
  CHECK_THAT(refused.text(), Contains("Nothing was done") && Contains("the user took over the browser"));
  const auto listed = desk.client.call(5, "browser_tabs", {{"action", "list"}});
  CHECK_THAT(listed.text(), Contains(elsewhere));
}

TEST_CASE(
    "panel: the person's input waits for the call that is under way, and says so when it lasts; a batch's next "
    "step is held",
    "[panel] [panel.take-over] [panel.input]") {
  Desk desk;
  CHECK_FALSE(desk.client.call(2, "browser_navigate", {{"url", desk.server.site.url("/plain")}}).is_error_result());
  const Json steps = {
      {"steps",
       {{{"tool", "browser_evaluate"}, {"arguments", {{"function", "() => fetch('/held?key=step').then(() => 0)"}}}},
        {{"tool", "browser_evaluate"}, {"arguments", {{"function", "() => document.title = 'acted'"}}}}}}};
  auto batch = desk.client.start(desk.client.call_request(3, "browser_batch", steps));
  REQUIRE(desk.server.site.wait_for_request("/held?key=step", kPatience));
  CHECK(desk.post("take-over") == 200);
  const Json press = {{{"type", "keydown"}, {"key", "Home"}, {"code", "Home"}}};
  const auto busy = desk.visitor.post("/panel/input", desk.on({{"events", press}}));
  CHECK(busy.status == 409);
  CHECK_THAT(busy.body, Contains("A call still works in this tab"));
  desk.server.site.release("step");
  CHECK(desk.events->call("held").at("tool") == "browser_batch");
  CHECK(desk.post("input", {{"events", press}}) == 200);
  CHECK(desk.events->newest["sessions"][0]["tabs"][0].at("title") != "acted");
  CHECK(desk.post("hand-back") == 200);
  CHECK_THAT(batch->all_messages()[0].dump(), Contains("the user took over the browser"));
  desk.events->state([](const Json& all) { return all["sessions"][0]["tabs"][0].at("title") == "acted"; });
}

TEST_CASE("panel: a held call can be stopped, waits no longer than --hold-limit, and a viewer who leaves hands back",
          "[panel] [panel.take-over.ends]") {
  SECTION("stopped") {
    Desk desk;
    CHECK(desk.post("take-over") == 200);
    auto click = desk.client.start(desk.client.call_request(2, "browser_click", {{"target", "button"}}));
    desk.events->call("held");
    CHECK(desk.visitor.post("/panel/stop", {{"all", true}}).status == 200);
    CHECK_THAT(click->all_messages()[0].dump(), Contains("stopped by the user"));
    CHECK(desk.post("hand-back") == 200);
  }
  SECTION("the limit") {
    Desk desk([](ServerOptions& options) { options.hold_limit = Millis(200); });
    CHECK(desk.post("take-over") == 200);
    const auto refused = desk.client.call(2, "browser_click", {{"target", "button"}});
    CHECK(refused.is_error_result());
    CHECK_THAT(refused.text(), Contains("Nothing was done") && Contains("taken over"));
  }
  SECTION("left") {
    Desk desk([](ServerOptions& options) { options.viewer_gone = Millis(200); });
    CHECK(desk.post("take-over") == 200);
    auto click = desk.client.start(desk.client.call_request(2, "browser_click", {{"target", "button"}}));
    desk.events->call("held");
    desk.events.reset();
    CHECK_THAT(click->all_messages()[0].dump(), Contains("clicked button"));
  }
}

TEST_CASE("panel: a question that offers taking over stands until the person has handed back",
          "[panel] [panel.questions]") {
  Desk desk({}, {{"elicitation", Json::object()}});
  const Json question = {{"question", "Please log in"}, {"takeOver", true}};
  auto call = desk.client.start(desk.client.call_request(2, "ask_user", question));
  const auto asked = call->next_message();
  REQUIRE(asked);
  CHECK(asked->at("method") == "elicitation/create");
  const Json open = desk.events->state([](const Json& all) { return !all.at("questions").empty(); });
  CHECK(open["questions"][0].at("takeOver") == true);
  CHECK(open["questions"][0].at("message") == "Please log in");
  CHECK(desk.post("take-over") == 200);
  const Json held = desk.events->state([](const Json& all) { return !all["sessions"][0].at("held").is_null(); });
  CHECK(held.at("questions").size() == 1);
  CHECK(desk.post("hand-back") == 200);
  const auto rest = call->all_messages();
  REQUIRE(rest.size() == 2);
  CHECK(rest[0].at("method") == "notifications/cancelled");
  CHECK_THAT(rest[1].dump(), Contains("the user took over and has handed back"));
  const Json over = desk.events->state([](const Json& all) { return all.at("questions").empty(); });
  CHECK(over["sessions"][0].at("held").is_null());
  CHECK_THAT(desk.client.call(3, "browser_snapshot", Json::object()).text(),
             Contains("the user took over the browser"));
}
