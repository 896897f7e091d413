// What browser_fill_form does between one field and the next, as a person would, and what it tells of a field that lets
// go of its text.
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

Json field_with(const char* target, const Json& value) { return {{"target", target}, {"value", value}}; }

std::string held_by(Session& session, const std::string& id) {
  return session.evaluate(id + ".value").get<std::string>();
}

// A calendar that only the Tab key closes, as kits append it to the body, over the field below.
constexpr const char* kCalendarPage = R"(<!doctype html>
<input id="date" aria-label="Date" role="combobox" aria-haspopup="dialog" aria-expanded="false" aria-controls="popup"
  style="position:absolute;top:20px"><input id="time" aria-label="Time" style="position:absolute;top:60px">
<input id="gift" type="checkbox" aria-label="Gift" style="position:absolute;top:100px">
<div id="popup" hidden style="position:absolute;top:45px;left:0;width:300px;height:200px;background:#eee">May</div>
<script>
  const show = (is) => { popup.hidden = !is; date.ariaExpanded = String(is); };
  date.onfocus = () => show(true);
  date.onkeydown = ({key}) => { if (key === 'Tab') show(false); };
</script>)";

}  // namespace

TEST_CASE("what a field has opened over the next one is left as by a person", "[forms] [tool.forms]") {
  Session session;
  web().set_page("/calendar", kCalendarPage);
  session.navigate(web().url("/calendar"));
  session.ok("browser_fill_form",
             {{"fields", {field_with("#date", "May 1"), field_with("#time", "10:30"), field_with("#gift", true)}}});
  CHECK(held_by(session, "date") == "May 1");
  CHECK(held_by(session, "window.time") == "10:30");
  session.ok("browser_type", {{"target", "#date"}, {"text", "May 2"}});
  session.ok("browser_fill_form", {{"fields", {field_with("#gift", false)}}});
}

TEST_CASE("a combobox that lets go of what was typed is told", "[forms] [tool.forms]") {
  Session session;
  web().set_page("/zone", R"(<!doctype html><input id="zone" aria-label="Zone" role="combobox" aria-expanded="false"
    onblur="this.value = ''"><input id="kept" aria-label="Kept" role="combobox" aria-expanded="false"><input id="next">)");
  session.navigate(web().url("/zone"));
  const auto answer =
      session.ok("browser_fill_form",
                 {{"fields", {field_with("#zone", "North"), field_with("#kept", "May"), field_with("#next", "x")}}});
  CHECK_THAT(answer.section("Result"), Contains("combobox \"Zone\" is empty again") && !Contains("\"Kept\" is empty"));
}

TEST_CASE("that a field's target matches several is told once, however often it is looked for",
          "[forms] [tool.forms]") {
  Session session;
  web().set_page("/twins", "<!doctype html><input aria-label=One><input aria-label=Two>");
  session.navigate(web().url("/twins"));
  const auto told = session.ok("browser_fill_form", {{"fields", {field_with("input", "x")}}}).section("Result");
  const std::string words = "matched 2 elements";
  const auto first = told.find(words);
  REQUIRE(first != std::string::npos);
  CHECK(told.find(words, first + 1) == std::string::npos);
  CHECK(session.evaluate("document.querySelector('input').value") == "x");
}

// bits-ui's date field: each part takes keys alone, and keeps out what comes otherwise.
TEST_CASE("a part of a date that its page makes of keys gets a text by them", "[forms] [tool.type]") {
  Session session;
  web().set_page(
      "/date-parts",
      R"(<!doctype html><span id="month" role="spinbutton" contenteditable="true" tabindex="0" aria-label="Month">1</span>
    <script>month.onbeforeinput = (e) => e.preventDefault();
      month.onkeydown = (e) => { if (/^\d$/.test(e.key)) { month.textContent = (month.textContent + e.key).slice(-2); e.preventDefault(); } };
    </script>)");
  session.navigate(web().url("/date-parts"));
  session.ok("browser_type", {{"target", "#month"}, {"text", "12"}});
  CHECK(session.evaluate("document.querySelector('#month').textContent") == "12");
  session.ok("browser_fill_form", {{"fields", {field_with("#month", "07")}}});
  CHECK(session.evaluate("document.querySelector('#month').textContent") == "07");
}

// WebAwesome's time input: its parts can't be edited, and take digits and the first letter of a half of the day.
TEST_CASE("a part of a time that can't be edited gets a text by keys", "[forms] [tool.type]") {
  Session session;
  web().set_page(
      "/time-parts",
      R"(<!doctype html><span id="hour" role="spinbutton" tabindex="0" aria-label="Hour" aria-valuenow="8">08</span>
    <span id="still" role="spinbutton" tabindex="0" aria-label="Still" aria-valuenow="8">08</span>
    <script>hour.onkeydown = (e) => { if (!/^\d$/.test(e.key)) return;
        hour.ariaValueNow = Number((hour.textContent + e.key).slice(-2)); hour.textContent = hour.ariaValueNow.padStart(2, "0");
        e.preventDefault(); };
    </script>)");
  session.navigate(web().url("/time-parts"));
  const auto answer = session.ok("browser_type", {{"target", "#hour"}, {"text", "11"}});
  CHECK_THAT(answer.section("Snapshot"), Contains("spinbutton \"Hour\" [active] [ref=e1]: \"11\""));
  session.ok("browser_fill_form", {{"fields", {field_with("#hour", "07")}}});
  CHECK(session.evaluate("document.querySelector('#hour').textContent") == "07");
  const auto still = session.ok("browser_type", {{"target", "#still"}, {"text", "9"}});
  CHECK_THAT(still.section("Result"), Contains("but it took none of the keys"));
}
