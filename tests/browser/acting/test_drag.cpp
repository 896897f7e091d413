// Drags with the mouse, which the page does itself or leaves to the browser [tool.drag.rest].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

TEST_CASE("drag and drop of a draggable element: the page sees a user's events", "[drag]") {
  Session session;
  session.navigate(web().url("/drag"));
  const auto answer = session.ok("browser_drag", {{"startTarget", "#source"}, {"endTarget", "#target"}});
  CHECK_THAT(answer.section("Result"), Contains("dragged button \"Drag me\" to region \"Drop target\""));
  CHECK(session.text_of("#target") == "Dropped: source");
  const auto log = session.text_of("#log");
  CHECK_THAT(log, Contains("dragstart source\n") && Contains("dragenter\n") && Contains("drop\n"));
  CHECK_THAT(log, Contains("dragend source\n"));
  SECTION("and again, with another") {
    session.ok("browser_drag", {{"startTarget", "#three"}, {"endTarget", "#one"}});
    CHECK(session.evaluate("document.querySelector('#sortable').firstElementChild.id") == "three");
  }
  SECTION("then a click is a click") {
    session.evaluate("() => { window.ups = 0; document.addEventListener('mouseup', () => window.ups++); }");
    session.ok("browser_click", at("h1"));
    CHECK(session.evaluate("window.ups") == 1);
  }
}

TEST_CASE("what is taken up only after it was held for a while is held so long, and waited for after the drop",
          "[drag]") {
  Session session;
  // The page's own timers are what is waited for: the first one is longer than a move takes to come, which would end
  // it.
  web().set_page(
      "/held",
      R"html(<!doctype html><title>Held</title><p id="source" style="cursor:grab">Column</p><p id="target">Place</p><p id="out"></p>
<script>let timer, taken;
source.onmousedown = () => { timer = setTimeout(() => { taken = true; }, 250); };
onmousemove = (event) => { if (event.buttons && !taken) clearTimeout(timer); };
onmouseup = () => { clearTimeout(timer); if (taken) setTimeout(() => { out.textContent = 'moved'; }, 150); };</script>)html");
  session.navigate(web().url("/held"));
  const auto answer = session.ok("browser_drag", {{"startTarget", "#source"}, {"endTarget", "#target"}});
  CHECK_THAT(answer.section("Snapshot"), Contains("moved"));
}

TEST_CASE("a drag rests before its drop, for pages that look at one dragover in some", "[drag] [tool.drag.rest]") {
  Session session;
  web().set_page("/throttled",
                 R"html(<!doctype html><p id=source draggable=true>Block</p><div id=target>Canvas</div><script>
const frames = (n, then) => requestAnimationFrame(n > 1 ? () => frames(n - 1, then) : then);
let due = 0;
target.ondragover = (event) => { event.preventDefault(); due ||= frames(2, () => { target.dataset.over = 'yes'; }); };
target.ondrop = () => { target.textContent = target.dataset.over ? 'dropped' : 'nothing is over it'; };
</script>)html");
  session.navigate(web().url("/throttled"));
  session.ok("browser_drag", {{"startTarget", "#source"}, {"endTarget", "#target"}});
  CHECK(session.text_of("#target") == "dropped");
  session.navigate(web().url("/throttled?again"));
  session.ok("browser_drop", {{"target", "#target"}, {"data", {{"text/plain", "x"}}}});
  CHECK(session.text_of("#target") == "dropped");
}

TEST_CASE("a drag rests before its drop until what gives way to it stands", "[drag] [tool.drag.rest]") {
  Session session;
  // What is dragged takes the place of what it is over, and all slide there. Until they stand the pointer is over
  // nothing.
  web().set_page("/gives-way",
                 R"html(<!doctype html><style>li { height: 40px }</style><ul id=list><li id=a draggable=true>A</li>
<li id=b>B</li><li id=c>C</li></ul><script>
list.ondragover = (event) => {
  event.preventDefault();
  const moving = document.getAnimations().length > 0;
  if (moving) return list.prepend(a);
  if (event.target === a || event.target === list) return;
  const before = new Map([...list.children].map((li) => [li, li.offsetTop]));
  event.target.after(a);
  for (const [li, top] of before) li.animate([{ transform: `translateY(${top - li.offsetTop}px)` }, {}], 300);
};
list.ondrop = () => { document.title = list.textContent.replace(/\s/g, ''); };
</script>)html");
  session.navigate(web().url("/gives-way"));
  session.ok("browser_drag", {{"startTarget", "#a"}, {"endTarget", "#c"}});
  CHECK(session.evaluate("document.title") == "BCA");
}

TEST_CASE("a drag comes to the middle of its end by a point beside it", "[drag] [tool.drag.rest]") {
  Session session;
  // A list that asks in which half of an item the pointer is, and at its exact middle finds neither.
  web().set_page("/halves",
                 R"html(<!doctype html><style>li { width: 200px; height: 40px }</style><ul id=list><li id=a>A</li>
<li id=b>B</li><li id=c>C</li></ul><script>
const native = location.search === '?native';
let dragged = null;
const over = (event) => {
  event.preventDefault();
  const { top, height } = c.getBoundingClientRect();
  const off = event.clientY - top - height / 2;
  if (dragged && off < 0 && -off < height / 2) c.before(a);
  if (dragged && off > 0 && off < height / 2) c.after(a);
};
a.draggable = native;
if (native) list.ondragover = over, a.ondragstart = () => { dragged = a; };
else a.onmousedown = () => { dragged = a; document.onmousemove = over; document.onmouseup = () => { dragged = null; }; };
</script>)html");
  const auto* kind = GENERATE("?native", "?mouse");
  CAPTURE(kind);
  session.navigate(web().url("/halves") + kind);
  session.ok("browser_drag", {{"startTarget", "#a"}, {"endTarget", "#c"}});
  CHECK(session.evaluate("list.textContent.replace(/\\s/g, '')") == "BAC");
}

TEST_CASE("a drag straight up goes neither left nor right at its end", "[drag] [tool.drag.rest]") {
  Session session;
  // A grid that asks, as many do, in which direction the pointer goes over an item: to its right, it goes behind it.
  web().set_page("/grid", R"html(<!doctype html><style>
i { display: block; position: absolute; left: 50px; width: 40px; height: 40px } #b { top: 20px } #a { top: 120px }
</style><i id=b>B</i><i id=a>A</i><script>
let held = false, last = 0;
window.ways = [];
a.onmousedown = (event) => { held = true; last = event.clientX; };
document.onmousemove = (event) => {
  if (held && event.clientX !== last) ways.push(event.clientX > last ? 'right' : 'left');
  last = event.clientX;
};
document.onmouseup = () => { held = false; };
</script>)html");
  session.navigate(web().url("/grid"));
  session.ok("browser_drag", {{"startTarget", "#a"}, {"endTarget", "#b"}});
  CHECK(session.evaluate("ways.length") == 0);
}

TEST_CASE("drag with the mouse: a slider's thumb follows", "[drag]") {
  Session session;
  session.navigate(web().url("/drag"));
  session.ok("browser_drag", {{"startTarget", "#thumb"}, {"endTarget", "#track"}});
  const int volume = std::stoi(session.text_of("#volume"));
  CHECK(volume > 40);
  CHECK(volume < 60);
  CHECK_THAT(session.text_of("#log"), Contains("released at"));
}

TEST_CASE("a drag whose end is missing or stays hidden moves nothing", "[drag]") {
  Session session(hasty_house());
  session.navigate(web().url("/drag"));
  CHECK_THAT(session.error("browser_drag", {{"startTarget", "#source"}, {"endTarget", "#nowhere"}}).section("Error"),
             Contains("#nowhere"));
  CHECK(session.text_of("#log").empty());
  session.evaluate("() => { document.querySelector('#target').style.visibility = 'hidden' }");
  CHECK_THAT(session.error("browser_drag", {{"startTarget", "#source"}, {"endTarget", "#target"}}).section("Error"),
             Contains("not visible"));
  CHECK_THAT(session.text_of("#log"), !Contains("drop\n"));
  CHECK(session.text_of("#target") == "Drop here");
}

TEST_CASE("an aborted drag drops nothing, and no button stays down", "[drag][abort]") {
  Session session;
  session.navigate(web().url("/drag"));
  session.evaluate("() => { document.querySelector('#target').style.visibility = 'hidden' }");
  auto running = session.start("browser_drag", {{"startTarget", "#source"}, {"endTarget", "#target"}});
  // Reading doesn't wait for the tab's turn.
  REQUIRE(eventually([&] {
    return session.perform("browser_find", {{"text", "dragstart"}}, {}).says("dragstart source");
  }));
  running->abort_and_get();
  session.evaluate("() => { document.querySelector('#target').style.visibility = '' }");
  CHECK(session.text_of("#target") == "Drop here");
  CHECK_THAT(session.text_of("#log"), !Contains("drop\n"));
  // The mouse is free: the next drag is whole.
  session.ok("browser_drag", {{"startTarget", "#source"}, {"endTarget", "#target"}});
  INFO(session.text_of("#log"));
  CHECK(session.text_of("#target") == "Dropped: source");
}
