// Sliders that are made of other elements, set by keys [tool.type.slider].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// A slider as libraries make them, after the ARIA Authoring Practices. `attributes` are data-*: step, page (0: those
// keys are its own business), ends (no: so are Home and End), keys (both, horizontal, vertical, none), flip (arrows go
// the other way round), late (the value follows so many frames behind), stop (it goes no further).
const char kScript[] = R"html(<script>
window.presses = [];
const signs = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 1, PageDown: -1 };
const make = (slider) => {
  const { step = 1, page = 10, ends, keys = 'both', flip, late, stop, places = 0, words } = slider.dataset;
  const least = Number(slider.ariaValueMin);
  const most = Number(slider.ariaValueMax);
  let now = Number(slider.ariaValueNow);
  const show = () => {
    slider.ariaValueNow = Number(places) ? now.toFixed(Number(places)) : now;
    if (words) slider.ariaValueText = now + ' ' + words;
  };
  slider.addEventListener('keydown', (event) => {
    presses.push(event.key + (event.isTrusted ? '' : ' untrusted'));
    const { key } = event;
    const arrow = key.startsWith('Arrow');
    if (keys === 'none') return;
    if (arrow && keys === 'horizontal' && /Up|Down/.test(key)) return;
    if (arrow && keys === 'vertical' && /Left|Right/.test(key)) return;
    let next = now;
    if (arrow) next = now + signs[key] * Number(step) * (flip ? -1 : 1);
    else if (key in signs && Number(page)) next = now + signs[key] * Number(page) * Number(step);
    else if (key === 'Home' && ends !== 'no') next = least;
    else if (key === 'End' && ends !== 'no') next = most;
    else return;
    event.preventDefault();
    now = Math.min(Math.max(next, least), Number(stop ?? most));
    (function follow(frames) { if (frames > 0) requestAnimationFrame(() => follow(frames - 1)); else show(); })(Number(late ?? 0));
    slider.dispatchEvent(new CustomEvent('moved', { detail: now }));
  });
  slider.addEventListener('mousedown', () => presses.push('mousedown'));
};
for (const slider of document.querySelectorAll('[role=slider]')) make(slider);
</script>)html";

std::string slider(const std::string& attributes, double now, double min = 0, double max = 100) {
  return fmt::format(
      "<!doctype html><title>Slider</title><style>#s {{ width: 40px; height: 40px }}</style>"
      "<div id=s role=slider tabindex=0 aria-label=Volume aria-valuenow={} aria-valuemin={} aria-valuemax={} {}></div>"
      "<input id=other aria-label=Other>",
      now, min, max, attributes);
}

void open(Session& session, const std::string& html) {
  web().set_page("/slider", html + kScript);
  session.navigate(web().url("/slider"));
}

Json set_to(const std::string& text, const std::string& target = "#s") { return {{"target", target}, {"text", text}}; }

std::string now_of(Session& session, const std::string& selector = "#s") {
  return session.evaluate("document.querySelector(" + Json(selector).dump() + ").ariaValueNow").get<std::string>();
}
void check_set(Session& session, const std::string& text) {
  session.ok("browser_type", set_to(text));
  CHECK(now_of(session) == text);
}
std::vector<std::string> presses(Session& session) {
  return session.evaluate("window.presses.splice(0)").get<std::vector<std::string>>();
}

}  // namespace

TEST_CASE("a slider is set by trusted keys, without a click, and the result tells where it stands",
          "[slider] [tool.type.slider]") {
  Session session;
  open(session, slider("", 20));
  const auto answer = session.ok("browser_type", set_to("24"));
  CHECK_THAT(answer.section("Result"), Contains("set slider \"Volume\" to 24"));
  CHECK(now_of(session) == "24");
  CHECK(presses(session) == std::vector<std::string>{"ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"});
  CHECK(session.evaluate("document.activeElement.id") == "s");
  SECTION("downwards") {
    session.ok("browser_type", set_to("22"));
    CHECK(presses(session) == std::vector<std::string>{"ArrowLeft", "ArrowLeft"});
  }
  SECTION("where it stands already, no key is pressed") {
    CHECK_THAT(session.ok("browser_type", set_to("24.0")).section("Result"), Contains("to 24"));
    CHECK(presses(session).empty());
  }
  SECTION("slowly is no different") {
    session.ok("browser_type", {{"target", "#s"}, {"text", "25"}, {"slowly", true}});
    CHECK(now_of(session) == "25");
  }
}

TEST_CASE("several sliders in a form, with what they say of their values", "[slider] [forms] [tool.type.slider]") {
  Session session;
  open(session, slider("data-words=percent", 20));
  const auto answer = session.ok(
      "browser_fill_form",
      {{"fields",
        {{{"target", "#s"}, {"value", "23"}, {"type", "slider"}}, {{"target", "#other"}, {"value", "text"}}}}});
  CHECK_THAT(answer.section("Result"), Contains("set slider \"Volume\" to 23 (\"23 percent\")"));
  CHECK(now_of(session) == "23");
  CHECK(session.evaluate("document.querySelector('#other').value") == "text");
}

TEST_CASE("a target far off takes few keys", "[slider] [tool.type.slider]") {
  Session session;
  SECTION("by pages") {
    open(session, slider("data-ends=no", 0));
    session.ok("browser_type", set_to("73"));
    CHECK(presses(session).size() < 20);
    CHECK(now_of(session) == "73");
  }
  SECTION("by the ends") {
    open(session, slider("data-page=0", 0, 0, 1000));
    session.ok("browser_type", set_to("997"));
    CHECK(presses(session).size() < 10);
    CHECK(now_of(session) == "997");
    session.ok("browser_type", set_to("2"));
    CHECK(presses(session).size() < 10);
    CHECK(now_of(session) == "2");
  }
  SECTION("by arrows where no other key has an effect") {
    open(session, slider("data-page=0 data-ends=no", 0));
    check_set(session, "90");
  }
  SECTION("a page that leads the other way") {
    open(session, slider("data-page=-10 data-ends=no", 50));
    session.ok("browser_type", set_to("93"));
    CHECK(presses(session).size() < 20);
    CHECK(now_of(session) == "93");
  }
}

TEST_CASE("the step is learnt, and what lies between two is told with the closest", "[slider] [tool.type.slider]") {
  Session session;
  SECTION("steps of 5") {
    open(session, slider("data-step=5", 20));
    check_set(session, "35");
    CHECK_THAT(session.ok("browser_type", set_to("42")).section("Result"),
               Contains("set slider \"Volume\" to 40, the closest to 42") && Contains("from 0 to 100"));
    CHECK(now_of(session) == "40");
    CHECK_THAT(session.ok("browser_type", set_to("38.5")).section("Result"), Contains("to 40, the closest to 38.5"));
    CHECK(now_of(session) == "40");
    CHECK_THAT(session.ok("browser_type", set_to("37")).section("Result"), Contains("to 35, the closest to 37"));
    CHECK(now_of(session) == "35");
  }
  SECTION("the last step ends before the end") {
    open(session, slider("data-step=30 data-stop=90", 0));
    CHECK_THAT(session.ok("browser_type", set_to("100")).section("Result"), Contains("to 90, the closest to 100"));
  }
  SECTION("steps of 0.1, whose sums are not exact") {
    open(session, slider("data-step=0.1 data-page=0 data-ends=no", 0, 0, 1));
    CHECK_THAT(session.ok("browser_type", set_to("0.7")).section("Result"), !Contains("closest"));
    CHECK(presses(session).size() == 7);
    session.ok("browser_type", set_to("0.3"));
    CHECK(presses(session).size() == 4);
  }
  SECTION("steps of 0.1, printed with two places") {
    open(session, slider("data-step=0.1 data-places=2", 0, -1, 1));
    CHECK_THAT(session.ok("browser_type", set_to("-0.4")).section("Result"), Contains("to -0.40"));
    CHECK(now_of(session) == "-0.40");
  }
}

TEST_CASE("sliders that go another way are read by how their value moves", "[slider] [tool.type.slider]") {
  Session session;
  SECTION("from right to left") {
    open(session, slider("dir=rtl data-flip=1", 50));
    check_set(session, "53");
    check_set(session, "47");
  }
  SECTION("from right to left, at its end") {
    open(session, slider("dir=rtl data-flip=1", 0));
    check_set(session, "3");
  }
  SECTION("upright") {
    open(session, slider("aria-orientation=vertical data-keys=vertical", 50));
    session.ok("browser_type", set_to("53"));
    CHECK(presses(session) == std::vector<std::string>{"ArrowUp", "ArrowUp", "ArrowUp"});
    CHECK(now_of(session) == "53");
  }
  SECTION("upright without saying so") {
    open(session, slider("data-keys=vertical", 50));
    check_set(session, "48");
  }
  SECTION("with values that follow late") {
    open(session, slider("data-late=3", 50));
    check_set(session, "53");
  }
}

TEST_CASE("what a slider doesn't take presses no key, and the error says what it takes",
          "[slider] [tool.type.slider]") {
  Session session(hasty_house());
  open(session, slider("", 20));
  CHECK_THAT(session.error("browser_type", set_to("150")).section("Error"),
             Contains("slider \"Volume\"") && Contains("from 0 to 100, now at 20") && Contains("150"));
  CHECK_THAT(session.error("browser_type", set_to("-1")).section("Error"), Contains("from 0 to 100, now at 20"));
  CHECK_THAT(session.error("browser_type", set_to("loud")).section("Error"),
             Contains("a number") && Contains("\"loud\"") && Contains("from 0 to 100, now at 20"));
  CHECK_THAT(session.error("browser_type", set_to("")).section("Error"), Contains("a number"));
  CHECK_THAT(session.error("browser_fill_form", {{"fields", {{{"target", "#s"}, {"value", "0x10"}}}}}).section("Error"),
             Contains("field 1 of 1") && Contains("a number") && Contains("Nothing was filled"));
  session.evaluate("() => { document.querySelector('#s').ariaReadOnly = 'true' }");
  CHECK_THAT(session.error("browser_type", set_to("30")).section("Error"), Contains("read-only"));
  session.evaluate("() => { document.querySelector('#s').ariaReadOnly = null }");
  session.evaluate("() => { document.querySelector('#s').removeAttribute('tabindex') }");
  CHECK_THAT(session.error("browser_type", set_to("30")).section("Error"),
             Contains("focus") && Contains("browser_drag"));
  session.evaluate("() => { document.querySelector('#s').removeAttribute('aria-valuenow') }");
  CHECK_THAT(session.error("browser_type", set_to("30")).section("Error"),
             Contains("aria-valuenow") && Contains("browser_drag"));
  CHECK(presses(session).empty());
}

TEST_CASE("a slider that stays, or is held up, is told with the way that remains", "[slider] [tool.type.slider]") {
  Session session;
  SECTION("no key has an effect") {
    open(session, slider("data-keys=none", 20));
    CHECK_THAT(session.error("browser_type", set_to("30")).section("Error"),
               Contains("stays at 20") && Contains("browser_drag") && Contains("from 0 to 100"));
    CHECK(presses(session).size() == 4);
  }
  SECTION("another one is in its way") {
    open(session, slider("data-stop=23", 20));
    const auto answer = session.error("browser_fill_form", {{"fields", {{{"target", "#s"}, {"value", "60"}}}}});
    CHECK_THAT(answer.section("Error"), Contains("now at 23") && Contains("60") && !Contains("Nothing was filled"));
    CHECK(now_of(session) == "23");
  }
  SECTION("too many steps") {
    open(session, slider("data-page=0 data-ends=no", 0, 0, 1000));
    CHECK_THAT(session.error("browser_type", set_to("900")).section("Error"),
               Contains("400 keys") && Contains("now at 398"));
    CHECK(presses(session).size() == 400);
  }
  SECTION("the page takes its focus away: the keys go nowhere else") {
    open(session, slider("", 20) + "<script>addEventListener('moved', () => other.focus(), true)</script>");
    session.evaluate(
        "() => { addEventListener('keydown', (e) => e.target.id === 'other' && presses.push('strayed')) }");
    CHECK_THAT(session.error("browser_type", set_to("30")).section("Error"),
               Contains("focus") && Contains("now at 21"));
    CHECK(presses(session) == std::vector<std::string>{"ArrowRight"});
  }
  SECTION("it goes from the page") {
    open(session, slider("", 20) + "<script>addEventListener('moved', () => s.remove(), true)</script>");
    CHECK_THAT(session.error("browser_type", set_to("30")).section("Error"), Contains("no longer on the page"));
  }
}

TEST_CASE("a slider whose move leads to another page", "[slider] [tool.type.slider]") {
  Session session;
  open(session, slider("", 20) +
                    "<script>addEventListener('moved', () => { location = '/plain?title=Filtered' }, "
                    "true)</script>");
  const auto answer = session.ok("browser_type", set_to("22"));
  CHECK_THAT(answer.text, Contains("Filtered"));
}

TEST_CASE("a slider in a frame", "[slider] [tool.type.slider]") {
  Session session;
  web().set_page("/slider", slider("data-step=5", 20) + kScript);
  web().set_page("/slider-around", "<!doctype html><input autofocus><iframe src='/slider'></iframe>");
  session.navigate(web().url("/slider-around"));
  CHECK_THAT(session.ok("browser_type", set_to("35", "role=slider[name=\"Volume\"]")).section("Result"),
             Contains("set slider \"Volume\" to 35"));
}

TEST_CASE("an abort in the middle: no key is pressed after it", "[slider] [abort] [tool.type.slider]") {
  Session session;
  // The page is busy with one press, in a request that the site holds: the abort comes while that press is under way.
  open(session, slider("data-page=0 data-ends=no", 0) + R"html(<script>addEventListener('moved', (event) => {
  if (event.detail !== 3) return;
  const request = new XMLHttpRequest();
  request.open('GET', '/held?key=slider-moves', false);
  request.send();
}, true)</script>)html");
  auto running = session.start("browser_type", set_to("90"));
  REQUIRE(web().wait_for_request("/held?key=slider-moves", kPatience));
  running->abort_and_get();
  web().release("slider-moves");
  wait_answered(session);
  CHECK_THAT(session.ok("browser_snapshot").section("Events"), Contains("cancelled: moved slider \"Volume\" by keys"));
  CHECK(now_of(session) == "3");
  // End and PageUp have been tried, too.
  CHECK(presses(session).size() == 5);
}
