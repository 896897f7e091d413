// The second look at a click's target, during the event, and what a short wait must not miss (issue: clicks on the
// wrong or a covered element reported as success).
#include "browser/page/world/world.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// `script` runs when the mouse comes over the button: after all checks of the click, before its press.
std::string trap(const std::string& script) {
  return R"html(<!doctype html><title>Trap</title><style>#b { position: absolute; left: 50px; top: 50px; width: 120px; height: 40px }
.over { position: fixed; inset: 0; background: #8888 }</style>
<button id="b">Aim</button><pre id="log"></pre><script>
const log = (text) => { document.getElementById('log').textContent += text + '\n'; };
const b = document.getElementById('b');
b.addEventListener('click', () => log('hit'));
document.addEventListener('mousedown', (event) => { if (event.target !== b) log('wrong ' + event.target.className); });
document.addEventListener('click', (event) => { if (event.target !== b) log('wrong click'); });
const cover = () => { const over = document.createElement('div'); over.className = 'over'; document.body.append(over); return over; };
let times = 0;
b.addEventListener('mouseover', () => { )html" +
         script + "});\n</script>";
}

}  // namespace

TEST_CASE("an overlay that comes as the click arrives doesn't get it: an error, and nothing was clicked", "[guard]") {
  Session session(hasty_house());
  web().set_page("/trap-cover", trap("cover();"));
  session.navigate(web().url("/trap-cover"));
  const auto answer = session.error("browser_click", at("#b"));
  CHECK_THAT(answer.section("Error"), Contains("button \"Aim\"") && Contains("over"));
  CHECK(session.text_of("#log").empty());
  CHECK(page_stats(session).guard == false);
}

TEST_CASE("an overlay that goes away again: the click is tried again, once", "[guard]") {
  Session session;
  web().set_page("/trap-flash",
                 trap("if (times++ === 0) { const over = cover(); setTimeout(() => over.remove(), 300); }"));
  session.navigate(web().url("/trap-flash"));
  const auto answer = session.ok("browser_click", at("#b"));
  CHECK_THAT(answer.section("Result"), Contains("clicked button \"Aim\""));
  CHECK(session.text_of("#log") == "hit\n");
}

TEST_CASE("a button that jumps away from the mouse is followed, not missed in silence", "[guard] [tool.actionable]") {
  Session session;
  web().set_page("/trap-jump", trap("if (times++ === 0) b.style.left = '300px';"));
  session.navigate(web().url("/trap-jump"));
  session.ok("browser_click", at("#b"));
  CHECK(session.text_of("#log") == "hit\n");
  web().set_page("/trap-flee", trap("b.style.left = (50 + 200 * (++times % 2)) + 'px';"));
  Session other(hasty_house());
  other.navigate(web().url("/trap-flee"));
  const auto answer = other.call("browser_click", at("#b"));
  // It may be caught; if it isn't, nothing else was clicked either.
  CHECK(other.text_of("#log") == (answer.is_error ? "" : "hit\n"));
}

TEST_CASE("what a hit itself moves about is no miss: menus that open on mousedown", "[guard]") {
  Session session;
  web().set_page("/trap-menu", trap("") + "<script>b.addEventListener('mousedown', () => { cover(); });</script>");
  session.navigate(web().url("/trap-menu"));
  CHECK_THAT(session.ok("browser_click", at("#b")).section("Result"), Contains("clicked"));
}

TEST_CASE("a click inside a label, on an icon, on a child: all hits", "[guard] [tool.actionable]") {
  Session session;
  web().set_page("/children", R"html(<!doctype html><title>Children</title>
<button id="b"><svg width="40" height="40"><rect width="40" height="40"/></svg></button>
<label id="l"><input id="c" type="checkbox"><span style="padding: 20px; background: #ccc">Big label</span></label>
<p id="out"></p><script>b.onclick = () => { out.textContent = 'clicked'; };</script>)html");
  session.navigate(web().url("/children"));
  session.ok("browser_click", at("#b"));
  CHECK(session.text_of("#out") == "clicked");
  session.ok("browser_click", at("#l"));
  CHECK(session.evaluate("document.querySelector('#c').checked") == true);
}

TEST_CASE("after a click, and after an aborted one, no guard is left to stop a user's own", "[guard][abort]") {
  Session session;
  session.navigate(web().url("/click-lab"));
  session.ok("browser_click", at("#counter"));
  CHECK(page_stats(session).guard == false);
  CHECK(page_stats(session).listeners == 0);
  auto running = session.start("browser_click", at("#covered"));
  CHECK(eventually([&] { return page_stats(session).pollers == 1; }));
  running->abort_and_get();
  CHECK(eventually([&] { return page_stats(session).pollers == 0 && page_stats(session).guard == false; }));
  session.ok("browser_click", at("#counter"));
  CHECK(session.text_of("#count") == "2");
}

// --- the wait after typing: short on a quiet page, and yet it misses nothing

TEST_CASE("what typing brings about is in its result, however it comes", "[guard][settle] [nav.after-action]") {
  Session session;
  web().set_page(
      "/effects",
      R"html(<!doctype html><title>Effects</title><label>Type <input id="i"></label><p id="out">nothing</p><script>
const out = document.getElementById('out');
const set = () => { out.textContent = 'effect ' + how + ' seen'; };
let how = '';
const ways = {
  sync: set, microtask: () => queueMicrotask(set), frame: () => requestAnimationFrame(set),
  timer: () => setTimeout(set, 0), frames: () => requestAnimationFrame(() => requestAnimationFrame(set)),
  message: () => { const { port1, port2 } = new MessageChannel(); port1.onmessage = set; port2.postMessage(0); },
  fetch: async () => { await fetch('/api/slow?ms=150'); set(); },
  resized: () => { new ResizeObserver(([entry]) => { if (entry.contentRect.height > 99) set(); }).observe(i); i.style.height = '200px'; },
  shown: () => {
    const row = document.body.appendChild(document.createElement('div'));
    row.textContent = 'row';
    new IntersectionObserver(set).observe(row);
  },
};
document.getElementById('i').addEventListener('input', () => { how = document.title; ways[how](); });
</script>)html");
  session.navigate(web().url("/effects"));
  const std::string way =
      GENERATE("sync", "microtask", "message", "frame", "timer", "frames", "fetch", "resized", "shown");
  INFO(way);
  session.evaluate("() => { document.title = '" + way + "' }");
  session.snapshot();
  SECTION("by browser_type") {
    const auto answer = session.ok("browser_type", {{"target", "#i"}, {"text", "x"}});
    if (way != "frames") CHECK_THAT(answer.section("Snapshot"), Contains("effect " + way + " seen"));
  }
  SECTION("by a key") {
    session.evaluate("() => { document.getElementById('i').focus() }");
    const auto answer = session.ok("browser_press_key", {{"key", "a"}});
    if (way != "frames") CHECK_THAT(answer.section("Snapshot"), Contains("effect " + way + " seen"));
  }
  CHECK(page_stats(session).observers == 0);
}

TEST_CASE("what isn't there is told once nothing is being loaded any more, not when the time is over",
          "[guard] [tool.actionable] [tool.target.nearest]") {
  BrowserSettings settings;
  settings.action_timeout = 10min;
  House patient(settings);
  Session session(patient);
  web().set_page("/fetching",
                 "<button>Save</button><p id=unseen hidden>Unseen</p><script>fetch('/held?key=list')</script>");
  for (const auto* target : {"#nothing", "#unseen"}) {
    session.navigate(web().url("/fetching"));
    const auto running = session.start("browser_click", {{"target", target}});
    REQUIRE(eventually([&] { return page_stats(session).pollers == 1; }));
    CHECK_FALSE(running->ended());
    web().release("list");
    const auto answer = running->get();  // a fault would be told by its own bound
    CHECK(answer.is_error);
    CAPTURE(answer.text);
    CHECK_FALSE(answer.says("waited"));
  }
}

TEST_CASE("a mouse that the page has locked is said, with what lets go of it", "[guard] [tool.actionable]") {
  Session session;
  web().set_page("/locked",
                 R"html(<!doctype html><title>Game</title><canvas id="game" width="200" height="100"></canvas>
<button id="other">Other</button><pre id="log"></pre><script>
game.onclick = () => { document.getElementById('log').textContent += 'shot '; game.requestPointerLock(); };
other.onclick = () => { document.getElementById('log').textContent += 'other '; };
</script>)html");
  session.navigate(web().url("/locked"));
  session.ok("browser_click", at("#game"));
  REQUIRE(eventually([&] { return session.evaluate("document.pointerLockElement !== null") == true; }));
  session.ok("browser_click", at("#game"));
  const auto refused = session.error("browser_click", at("#other"));
  CHECK_THAT(refused.section("Error"), Contains("locked the mouse to <canvas") && Contains("Escape"));
  session.ok("browser_press_key", {{"key", "Escape"}});
  session.ok("browser_click", at("#other"));
  CHECK(session.text_of("#log") == "shot shot other ");
}

TEST_CASE("a release that is listened for only behind the press's frame is heard, and no other comes twice",
          "[guard] [why.release-again]") {
  Session session;
  web().set_page("/late-release", R"html(<!doctype html><title>Late</title>
<div id="late" tabindex="0">Late</div><div id="drawn">Drawn</div><div id="answering">Answering</div><div id="asking">Asking</div><div id="idle">Idle</div><button id="button">Button</button><pre id="log"></pre><script>
const say = (text) => { log.textContent += text + ' '; };
const seen = [];
for (const type of ['mousedown', 'mouseup', 'click']) addEventListener(type, () => seen.push(type), true);
document.addEventListener('mouseup', () => {});
const later = (then) => requestAnimationFrame(() => setTimeout(then));
late.onmousedown = button.onmousedown = () => {
  later(() => document.addEventListener('mouseup', () => say('released'), { once: true }));
};
drawn.onmousedown = () => later(() => {});
answering.onmousedown = asking.onmousedown = () => later(() => {});
asking.onclick = () => fetch('/api/slow?ms=150');
answering.onclick = () => say('answered');
button.onclick = () => say('clicked');
</script>)html");
  session.navigate(web().url("/late-release"));
  const auto seen = [&] { return session.evaluate("() => seen.splice(0).join(' ')"); };
  const auto answer = session.ok("browser_click", at("#late"));
  CHECK_THAT(answer.section("Snapshot"), Contains("released"));
  CHECK(seen() == "mousedown mouseup click mouseup");
  for (const auto* other : {"#drawn", "#answering", "#asking", "#idle", "#button"}) {
    session.ok("browser_click", at(other));
    CHECK(seen() == "mousedown mouseup click");
  }
  CHECK(session.text_of("#log") == "released answered clicked ");
}

TEST_CASE("an item of a menu in a menu that only the mouse opens is clicked", "[guard] [tool.actionable]") {
  web().set_page(
      "/menus",
      R"html(<!doctype html><style>ul ul { display: none; position: absolute } li:hover > ul { display: block }
li { padding: 6px }</style><ul><li>Products<ul><li>Phones<ul><li><button onclick="out.textContent = 'chosen'">Android</button>
</ul></ul></ul><p id="out"></p>)html");
  for (const auto* target : {"button \"Android\"", "text=Android"}) {
    CAPTURE(target);
    Session session;
    session.navigate(web().url("/menus"));
    session.ok("browser_click", at(target));
    CHECK(session.text_of("#out") == "chosen");
  }
}

TEST_CASE("what an endless animation moves is clicked where it is", "[guard] [tool.actionable]") {
  web().set_page("/beats",
                 R"html(<!doctype html><style>@keyframes beat { 50% { transform: scale(1.2) translateY(-12px) } }
button { animation: beat 1s infinite; margin: 50px; padding: 20px }</style>
<button onclick="out.textContent = 'bought'">Buy</button><p id="out"></p>)html");
  Session session;
  session.navigate(web().url("/beats"));
  session.ok("browser_click", at("button"));
  CHECK(session.text_of("#out") == "bought");
}

TEST_CASE("a target named by words is looked for in the document that its page goes on to meanwhile",
          "[guard] [tool.actionable]") {
  Session session;
  web().set_page("/arrived", "<button onclick=\"this.textContent = 'Pressed'\">Save</button>");
  web().set_page("/leaving",
                 "<p>Old</p><script>fetch('/held?key=leave').then(() => { location.href = '/arrived' })</script>");
  session.navigate(web().url("/leaving"));
  auto running = session.start("browser_click", at("Save"));
  REQUIRE(eventually([&] { return page_stats(session).pollers == 1; }));
  web().release("leave");
  const auto answer = running->get();
  CHECK_THAT(answer.text, Contains("button \"Pressed\""));
}
