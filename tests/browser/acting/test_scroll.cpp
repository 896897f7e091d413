// browser_scroll [tool.scroll].
#include <cmath>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

void open_page(Session& session, const std::string& body) {
  web().set_page("/scroll", "<!doctype html><title>Scroll</title><style>body { margin: 0 }</style>" + body);
  session.navigate(web().url("/scroll"));
}

std::string scroll(Session& session, const Json& args) { return session.ok("browser_scroll", args).section("Result"); }
std::string refused(Session& session, const Json& args) {
  return session.error("browser_scroll", args).section("Error");
}
double top(Session& session, const std::string& of) {
  return session.evaluate("() => (" + of + ").scrollTop").get<double>();
}
constexpr const char* kRoot = "document.scrollingElement";

// Lays a container over #m, which stands at 200 px: that is what the page scrolls now.
void check_cover_scrolls(Session& session) {
  session.evaluate(
      "() => { document.body.insertAdjacentHTML('beforeend', \"<div id=o style='position:fixed;inset:0;overflow:auto'>"
      "<div style=height:2000px></div></div>\") }");
  CHECK_THAT(scroll(session, {{"amount", 50}}), Contains("down by 50 px"));
  CHECK(top(session, "o") == 50);
  CHECK(top(session, "m") == 200);
}

}  // namespace

TEST_CASE("scroll: the page by a page, by px, to its end and back; trusted wheel events", "[tool.scroll]") {
  Session session;
  open_page(session,
            "<script>window.wheels = []; addEventListener('wheel', (e) => { wheels.push([e.isTrusted, e.deltaY]) })"
            "</script><button>First</button><div style=height:2000px></div><button>Middle</button>"
            "<div style=height:2000px></div><button>Last</button>");
  session.ok("browser_snapshot");
  CHECK_THAT(scroll(session, Json::object()), Contains("scrolled the page down by ") && Contains(" px more below"));
  CHECK(top(session, kRoot) > 300);
  CHECK(session.evaluate("wheels.every(([trusted, by]) => trusted && by > 300)") == true);
  const double before = top(session, kRoot);
  CHECK_THAT(scroll(session, {{"direction", "down"}, {"amount", 100}}), Contains("down by 100 px"));
  CHECK(top(session, kRoot) == before + 100);
  CHECK_THAT(scroll(session, {{"y", -100}}), Contains("up by 100 px"));
  CHECK(top(session, kRoot) == before);
  CHECK_THAT(scroll(session, {{"amount", "end"}}),
             Contains("that is its end") && Contains("came into view: button \"Last\" [ref=e"));
  CHECK(session.evaluate("Math.ceil(scrollY + innerHeight) >= document.scrollingElement.scrollHeight") == true);
  const auto count = session.evaluate("wheels.length");
  CHECK_THAT(scroll(session, {{"amount", "page"}}), Contains("the page is at its end: there is nothing more below"));
  CHECK(session.evaluate("wheels.length") == count);
  CHECK_THAT(scroll(session, {{"direction", "up"}, {"amount", "end"}}), Contains("button \"First\" [ref="));
  CHECK(top(session, kRoot) == 0);
}

TEST_CASE("scroll: the container around a target, and no other", "[tool.scroll]") {
  Session session;
  open_page(session,
            "<div id=a aria-label=Left role=list style='height:200px;overflow:auto'><p id=inner>Item</p><div "
            "style=height:900px></div><button>Deep</button></div><div id=wide style='width:300px;overflow-x:scroll'>"
            "<div style=width:2000px>wide</div></div><div style=height:3000px></div>");
  session.ok("browser_snapshot");
  CHECK_THAT(scroll(session, {{"target", "#inner"}, {"amount", "end"}}),
             Contains("scrolled list \"Left\"") && Contains("that is its end") && Contains("button \"Deep\""));
  CHECK(top(session, "a") > 700);
  CHECK(top(session, kRoot) == 0);
  // At its end the wheel would go on to the page.
  CHECK_THAT(scroll(session, {{"target", "#inner"}}), Contains("at its end"));
  CHECK(top(session, kRoot) == 0);
  CHECK_THAT(scroll(session, {{"target", "#wide"}, {"direction", "right"}, {"amount", 150}}),
             Contains("right by 150 px") && Contains("1550 px more to the right"));
  CHECK(session.evaluate("wide.scrollLeft") == 150);
  CHECK_THAT(scroll(session, {{"direction", "left"}}),
             Contains("\"wide\"") && Contains("left by 150 px; that is its end"));
}

TEST_CASE("scroll: what a page that doesn't scroll has in its place, under a header and beside a covered one",
          "[tool.scroll]") {
  Session session;
  open_page(session,
            "<style>html, body { overflow: hidden; height: 100% }</style>"
            "<main id=m style='position:absolute;inset:0;overflow:auto'><div style=height:3000px></div></main>"
            "<header style='position:fixed;inset:0 0 auto;height:60px;background:#fff'>Head</header>");
  CHECK_THAT(scroll(session, {{"amount", 200}}), Contains("main") && Contains("down by 200 px"));
  CHECK(top(session, "m") == 200);
  check_cover_scrolls(session);
  CHECK_THAT(refused(session, {{"target", "#m"}, {"amount", 50}}), Contains("something lies over all of it"));
}

TEST_CASE("scroll: a page that was just changed and whose frames take long scrolls all the same", "[tool.scroll]") {
  Session session;
  open_page(session,
            "<div id=m style='position:absolute;inset:0;overflow:auto'><div style=height:3000px></div></div><script>"
            "(function frame() { const end = performance.now() + 300; while (performance.now() < end); "
            "requestAnimationFrame(frame) })()</script>");
  CHECK_THAT(scroll(session, {{"amount", 200}}), Contains("down by 200 px"));
  check_cover_scrolls(session);
}

TEST_CASE("scroll: in frames, what comes of it, and a page that keeps the wheel", "[tool.scroll]") {
  Session session;
  web().set_page("/framed",
                 "<!doctype html><body style=margin:0><h2 id=h>Top</h2><div style=height:2000px></div><h2>Bottom</h2>"
                 "<script>addEventListener('scroll', () => { if (scrollY > 900) h.textContent = 'Loaded' })</script>");
  open_page(session, "<div style=height:300px></div><iframe src=/framed style='width:400px;height:300px'></iframe>");
  session.ok("browser_snapshot");
  const auto answer = session.ok("browser_scroll", {{"target", "h2 >> nth=0"}, {"amount", 1000}});
  CHECK_THAT(answer.section("Result"), Contains("scrolled the page down by 1000 px"));
  CHECK_THAT(answer.section("Snapshot"), Contains("Loaded"));
  CHECK(top(session, kRoot) == 0);

  open_page(session,
            "<div style=height:3000px></div><script>addEventListener('wheel', (e) => { e.preventDefault();"
            "document.title = 'kept ' + e.deltaY }, {passive: false})</script>");
  CHECK_THAT(scroll(session, {{"amount", 300}}),
             Contains("turned the wheel down over the page, where a script took it"));
  CHECK(session.evaluate("document.title") == "kept 300");
}

TEST_CASE("scroll: a target that has a use of its own for the wheel gets it", "[tool.scroll.over]") {
  Session session;
  const std::string map =
      "<div id=map style='height:200px;width:200px;background:gray'><i>Map</i></div><output id=o></output>"
      "<script>map.addEventListener('wheel', (e) => { e.preventDefault(); o.textContent = 'zoom ' + e.deltaY + ' at ' "
      "+ "
      "Math.round(e.offsetX) }, {passive: false})</script>";
  SECTION("where nothing scrolls") { open_page(session, map); }
  SECTION("in a page that scrolls") { open_page(session, map + "<div style=height:3000px></div>"); }
  session.ok("browser_snapshot");
  const auto answer = session.ok("browser_scroll", {{"target", "#map"}, {"y", -120}});
  CHECK_THAT(answer.section("Result"), Contains("turned the wheel up over") && Contains("where a script took it"));
  CHECK_THAT(answer.section("Snapshot"), Contains("zoom -120 at 100"));
  CHECK(top(session, kRoot) == 0);
}

namespace {

// Sections of the view's height, which nothing but a script shows by turns: it takes the wheel, and none while it moves
// on.
constexpr const char* kSections = R"html(<style>html, body { height: 100%; overflow: hidden }
section { height: 100vh } #w { transition: transform .2s }</style><div id=w></div><script>
for (let i = 1; i < 5; i++)
  w.innerHTML += `<section><button onclick="this.textContent = 'Hit ${i}'">Button ${i}</button></section>`;
let at = 0, moving = false;
w.ontransitionend = () => { moving = false };
addEventListener('wheel', (e) => {
  const to = Math.max(0, Math.min(3, at + Math.sign(e.deltaY)));
  if (moving || to === at) return;
  moving = true;
  at = to;
  w.style.transform = `translateY(${-100 * at}vh)`;
});
</script>)html";

}  // namespace

TEST_CASE("scroll: a page that only its scripts move by the wheel", "[tool.scroll.scripts]") {
  Session session;
  open_page(session, kSections);
  SECTION("turned over it") {
    const auto told = session.ok("browser_scroll", {{"direction", "down"}});
    CHECK(told.section("Result").starts_with("turned the wheel down over the page, which only its scripts move"));
    CHECK_THAT(told.section("Result"), Contains("came into view: button \"Button 2\" [ref="));
    CHECK(session.evaluate("at") == 1);
  }
  SECTION("for a target in another part, and back") {
    CHECK_THAT(session.ok("browser_click", {{"target", "button \"Button 4\""}}).section("Snapshot"),
               Contains("button \"Hit 4\""));
    CHECK(session.evaluate("[at, document.scrollingElement.scrollTop]") == Json::array({3, 0}));
    CHECK_THAT(session.ok("browser_click", {{"target", "button \"Button 2\""}}).section("Snapshot"),
               Contains("button \"Hit 2\""));
    CHECK(session.evaluate("[at, document.scrollingElement.scrollTop]") == Json::array({1, 0}));
  }
  SECTION("a page that listens and moves nothing is scrolled as far as scripts can") {
    session.evaluate("() => { moving = true }");
    CHECK_THAT(session.ok("browser_click", {{"target", "button \"Button 4\""}}).section("Snapshot"),
               Contains("button \"Hit 4\""));
    CHECK(session.evaluate("at") == 0);
  }
}

TEST_CASE("scroll: what can't be is said", "[tool.scroll]") {
  Session session;
  open_page(session, "<p>Short</p>");
  CHECK_THAT(refused(session, Json::object()), Contains("the page doesn't scroll up or down"));
  CHECK_THAT(refused(session, {{"amount", "half"}}), Contains("\"page\" or \"end\""));
  CHECK_THAT(refused(session, {{"amount", -5}}), Contains("from 1 to 1000000"));
  CHECK_THAT(refused(session, {{"x", 5}, {"y", 5}}), Contains("one way at a time"));
  CHECK_THAT(refused(session, {{"x", 0}}), Contains("nowhere"));
  CHECK_THAT(refused(session, {{"y", 5}, {"amount", 5}}), Contains("or x and y"));
  CHECK_THAT(refused(session, {{"target", "#none"}}), Contains("#none"));
}

TEST_CASE("scroll: an abort while the page has the wheel ends the call, and nothing watches on",
          "[tool.scroll] [cancel.browser.input]") {
  Session session;
  open_page(session,
            "<div style=height:3000px></div><script>addEventListener('wheel', (e) => { location = "
            "'/never?wheel' }, {passive: false})</script>");
  auto running = session.start("browser_scroll", {{"amount", 300}});
  REQUIRE(web().wait_for_request("/never?wheel", kPatience));
  running->abort_and_get();
  CHECK(session.evaluate("document.title") == "Scroll");
  CHECK(session.tab()->state().pending_url.empty());
}

TEST_CASE("keys that scroll the page tell how far, once it has come to rest",
          "[tool.snapshot.scrolled] [nav.after-action.timers]") {
  Session session;
  open_page(session, "<p>Top</p><div style=height:6000px></div><button>Bottom</button>");
  const auto end = session.ok("browser_press_key", {{"key", "End"}}).section("Snapshot");
  const double bottom = top(session, kRoot);
  CHECK_THAT(end, Contains("the page has scrolled down by " + std::to_string(static_cast<int>(std::lround(bottom))) +
                           " px to button \"Bottom\" [ref="));
  const auto page_up = session.ok("browser_press_key", {{"key", "PageUp"}}).section("Snapshot");
  const double up = bottom - top(session, kRoot);
  CHECK(up > 0);
  CHECK_THAT(page_up, Contains("up by " + std::to_string(static_cast<int>(std::lround(up))) + " px"));
  // Nobody but the page has a use for it; a smooth scrolling begins some frames later.
  session.evaluate("() => { document.documentElement.style.scrollBehavior = 'smooth' }");
  const double before = top(session, kRoot);
  CHECK_THAT(session.ok("browser_press_key", {{"key", "Shift+Space"}}).section("Snapshot"),
             Contains("has scrolled up by"));
  CHECK(top(session, kRoot) < before);
  CHECK_THAT(session.ok("browser_press_key", {{"key", "Shift"}}).section("Snapshot"), !Contains("has scrolled"));
  const auto scrolled = session.ok("browser_scroll", {{"direction", "up"}});
  CHECK_THAT(scrolled.section("Result"), Contains("scrolled the page up"));
  CHECK_THAT(scrolled.section("Snapshot"), !Contains("has scrolled"));  // its result tells it
}

TEST_CASE("a link to a place in the page tells where it has led", "[tool.snapshot.scrolled]") {
  for (const char* behavior : {"auto", "smooth"}) {
    CAPTURE(behavior);
    Session session;
    open_page(session, std::string("<style>html { scroll-behavior: ") + behavior +
                           " }</style><nav style='position:sticky;top:0'><a href='#far'>Far</a></nav>"
                           "<div style=height:900px></div><h2 id=far>Chapter</h2><div style=height:3000px></div>");
    CHECK_THAT(session.ok("browser_click", {{"target", "text=Far"}}).section("Snapshot"),
               Contains("the page has scrolled down by 9") && Contains("to heading") && Contains("Chapter"));
  }
}
