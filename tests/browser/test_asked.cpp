// What only the browser knows of a page's elements is in the snapshot [tool.snapshot.asked].
#include <thread>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

TEST_CASE("roles and states that custom elements have by their ElementInternals", "[snapshot] [tool.snapshot.asked]") {
  Session session;
  web().set_page("/internals", R"html(<!doctype html><title>Internals</title>
<script>
customElements.define('x-tab', class extends HTMLElement {
  constructor() {
    super();
    this.internals = this.attachInternals();
    this.internals.role = 'tab';
    this.addEventListener('click', () => {
      for (const tab of document.querySelectorAll('x-tab')) tab.internals.ariaSelected = String(tab === this);
    });
  }
});
customElements.define('x-plain', class extends HTMLElement {});
customElements.define('x-switch', class extends HTMLElement {
  constructor() {
    super();
    this.internals = this.attachInternals();
    this.internals.role = 'switch';
    this.internals.ariaLabel = 'Dark mode';
    this.internals.ariaChecked = 'true';
  }
});
</script>
<x-tab>Flights</x-tab> <x-tab>Trains</x-tab> <x-plain>words</x-plain>
<x-switch style="display: inline-block; width: 20px; height: 20px"><b></b></x-switch>)html");
  const auto opened = session.navigate(web().url("/internals")).section("Snapshot");
  CHECK_THAT(opened, Contains("tab \"Flights\" [ref=") && Contains("tab \"Trains\" [ref=") && Contains("words"));
  CHECK_THAT(opened, Contains("switch \"Dark mode\" [checked]") && !Contains("[selected]"));
  CHECK(session.ok("browser_click", {{"target", "role=switch[name=\"Dark mode\"]"}}).says("clicked switch"));
  const auto clicked = session.ok("browser_click", {{"target", "tab \"Trains\""}}).section("Snapshot");
  CHECK_THAT(clicked, Contains("tab \"Trains\" [selected]"));
  const auto back = session.ok("browser_click", {{"target", "tab \"Flights\""}}).section("Snapshot");
  CHECK_THAT(back, Contains("tab \"Flights\" [selected]") && Contains("tab \"Trains\" [ref="));
}

TEST_CASE("a shape that draws nothing and lies below what is drawn next is nothing to press",
          "[snapshot] [tool.snapshot.asked]") {
  Session session;
  web().set_page("/blocks", R"html(<!doctype html><title>Blocks</title><svg width="300" height="200">
<rect width="90" height="40" fill-opacity="0"/><g><path d="M0 0h80v40h-80z" fill="blue"/></g>
<rect x="120" width="50" height="40" fill-opacity="0"/></svg>
<script>
for (const el of document.querySelectorAll('rect')) el.addEventListener('mousedown', () => {});
</script>)html");
  const auto opened = session.navigate(web().url("/blocks")).section("Snapshot");
  CHECK_THAT(opened, Contains("[looks=rectangle 50x40]") && !Contains("90x40") && !Contains("black"));
}

TEST_CASE("shapes and swatches that scripts listen on have refs, and others have not",
          "[snapshot] [tool.snapshot.asked]") {
  Session session;
  web().set_page("/listeners", R"html(<!doctype html><title>Listeners</title>
<style>.box { width: 30px; height: 30px; display: inline-block }</style>
<svg width="200" height="60"><circle id="c" cx="20" cy="20" r="15" fill="red"/><rect x="60" y="5" width="30" height="30"
fill="green"/></svg>
<div><span class="box" id="s" style="background: blue"></span><span class="box" style="background: gold"></span></div>
<p id="out">nothing</p>
<script>
for (const el of [c, s]) el.addEventListener('mousedown', () => { out.textContent = 'pressed ' + el.id; });
</script>)html");
  const auto opened = session.navigate(web().url("/listeners")).section("Snapshot");
  CHECK_THAT(opened, Contains("red circle") && Contains("blue") && !Contains("green") && !Contains("gold"));
  const auto ref_of = [&](const std::string& name) {
    const auto at = opened.rfind("[ref=", opened.find(name)) + 5;
    return opened.substr(at, opened.find(']', at) - at);
  };
  CHECK_THAT(session.ok("browser_click", {{"target", ref_of("red circle")}}).section("Snapshot"),
             Contains("pressed c"));
  CHECK_THAT(session.ok("browser_click", {{"target", ref_of("blue")}}).section("Snapshot"), Contains("pressed s"));
}

TEST_CASE("of the edges of a box that scripts listen on to resize it, the one at its lower right corner has a ref",
          "[snapshot] [tool.snapshot.asked] [tool.snapshot.pointers]") {
  Session session;
  const auto answer = session.navigate(
      "data:text/html,<style>.box { position: relative; width: 200px; height: 99px } .box div { position: absolute; "
      "width: 10px; height: 10px } .s { bottom: 0; cursor: ns-resize } .e { right: 0; cursor: ew-resize } .se { right: "
      "0; bottom: 0; cursor: se-resize } .nw { cursor: nw-resize }</style><div class=box><p>Load</p><div class=s></div>"
      "<div class=e></div><div class=se></div><div class=nw></div></div><script>for (const edge of "
      "document.querySelectorAll('.box div')) edge.addEventListener('mousedown', () => 0)</script>");
  const auto lines = answer.section("Snapshot");
  CHECK_THAT(lines, Contains("Load") && Contains("[class=se] [cursor=se-resize]"));
  CHECK_THAT(lines, !Contains("[class=s]") && !Contains("[class=e]") && !Contains("[class=nw]"));
}

TEST_CASE("a box that scripts listen on only after it was shown has a ref in the next snapshot",
          "[snapshot] [tool.snapshot.asked]") {
  Session session;
  web().set_page("/hydrated", R"html(<!doctype html><title>Hydrated</title><p>Find the spot</p>
<div id="pad" style="width: 150px; height: 120px; border: 1px solid"></div>)html");
  CHECK_THAT(session.navigate(web().url("/hydrated")).section("Snapshot"), !Contains("[cursor=pointer]"));
  session.evaluate("() => { pad.addEventListener('click', () => { document.title = 'hit'; }); }");
  CHECK_THAT(session.ok("browser_snapshot").section("Snapshot"), Contains("[cursor=pointer]"));
}

TEST_CASE("signs that scripts listen on have refs of their own, and those that only set words apart have none",
          "[snapshot] [tool.snapshot.asked]") {
  Session session;
  web().set_page("/counter", R"html(<!doctype html><title>Counter</title>
<div><span id="less">-</span> <span id="count">1</span> <span id="more">+</span></div><p><span>new</span> <span>+</span> <span>old</span></p>
<script>
more.addEventListener('click', () => { count.textContent = Number(count.textContent) + 1; });
less.onclick = () => { count.textContent = Number(count.textContent) - 1; };
</script>)html");
  const auto opened = session.navigate(web().url("/counter")).section("Snapshot");
  const auto line_of = [&](const std::string& sign) {
    const auto end = opened.find("]: \"" + sign + "\"\n");
    REQUIRE(end != std::string::npos);
    return opened.substr(opened.rfind('\n', end) + 1, end - opened.rfind('\n', end));
  };
  const auto ref_of = [](const std::string& line) {
    const auto at = line.find("[ref=") + 5;
    return line.substr(at, line.find(']', at) - at);
  };
  INFO(opened);
  CHECK_THAT(opened, Contains("new + old"));
  CHECK_THAT(session.ok("browser_click", {{"target", ref_of(line_of("+"))}}).section("Snapshot"), Contains("2"));
  CHECK_THAT(session.ok("browser_click", {{"target", ref_of(line_of("-"))}}).section("Snapshot"), Contains("1"));
}

namespace {

int parts(const std::string& text, const std::string& part) {
  int count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("each icon of a row that scripts listen on has a ref, also where all of the row has a pointer cursor",
          "[snapshot] [tool.snapshot.asked]") {
  Session session;
  web().set_page("/rating", R"html(<!doctype html><title>Rating</title>
<style>.fa::before { content: "\f005" } .row { display: inline-flex; cursor: pointer }</style>
<div id="a" class="row"><div class="star"><i class="fa fa-star"></i></div><div class="star"><i class="fa fa-star-o"></i></div></div>
<div id="b"><svg width="20" height="20"><path fill="gold" d="M1 1h18v18z"/></svg><svg width="20" height="20"><path
fill="gray" d="M1 1h18v18z"/></svg></div>
<div><svg width="20" height="20"><path fill="blue" d="M1 1h18v18z"/></svg><svg width="20" height="20"><path
fill="blue" d="M1 1h18v18z"/></svg></div>
<p id="out">nothing</p>
<script>
document.querySelectorAll('.star, #b svg').forEach((el, i) => el.addEventListener('click', () => { out.textContent = 'rated ' + i; }));
</script>)html");
  const auto opened = session.navigate(web().url("/rating")).section("Snapshot");
  const auto click = [&](const std::string& name) {
    const auto at = opened.rfind("[ref=", opened.find(name)) + 5;
    return session.ok("browser_click", {{"target", opened.substr(at, opened.find(']', at) - at)}}).section("Snapshot");
  };
  CHECK_THAT(opened, Contains("img [looks=blue shape x2]"));
  CHECK_THAT(click("[icon=fa-star]"), Contains("rated 0"));
  CHECK_THAT(click("[icon=fa-star-o]"), Contains("rated 1"));
  CHECK_THAT(click("gray shape"), Contains("rated 3"));
}

TEST_CASE("an icon beside a field that scripts listen on itself has a ref, though it is hidden from readers",
          "[snapshot] [tool.snapshot.asked]") {
  web().set_page("/eye", R"html(<!doctype html><title>Eye</title>
    <style>svg { position: absolute; margin: 4px }</style>
    <p><input type="password" aria-label="Word"><svg aria-hidden="true" class="show-icon" width="14" height="14" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>
    <p><input aria-label="Plain"><svg aria-hidden="true" class="look-icon" width="14" height="14" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>
    <script>document.querySelector('svg').addEventListener('click', () => {})</script>)html");
  Session session;
  const auto opened = session.navigate(web().url("/eye")).section("Snapshot");
  CHECK_THAT(opened, Contains("[looks=black shape 14x14] [cursor=pointer]\n- paragraph"));
  CHECK(opened.find("[looks=") == opened.rfind("[looks="));
}

TEST_CASE("the icon beside a field that scripts listen on around it has a ref", "[snapshot] [tool.snapshot.asked]") {
  Session session;
  web().set_page(
      "/addons",
      R"html(<!doctype html><style>.g { display: flex } .a { padding: 6px } .i::before { content: "\e011" }</style>
<div class="g"><input aria-label="Date"><div class="a" id="opens"><span class="glyphicon glyphicon-th i"></span></div></div>
<div class="g"><input aria-label="Mail"><div class="a"><span class="glyphicon glyphicon-envelope i"></span></div></div>
<p id="out"></p><script>opens.addEventListener('click', () => { out.textContent = 'a calendar' });</script>)html");
  const auto opened = session.navigate(web().url("/addons")).section("Snapshot");
  CHECK_THAT(opened, Contains("img [icon=glyphicon-envelope]"));
  const auto at = opened.rfind("[ref=", opened.find("[icon=glyphicon-th]")) + 5;
  const auto pressed = session.ok("browser_click", {{"target", opened.substr(at, opened.find(']', at) - at)}});
  CHECK_THAT(pressed.section("Snapshot"), Contains("a calendar"));
}

TEST_CASE("a link that leads nowhere and holds an icon alone has a ref where a script listens on it",
          "[snapshot] [tool.snapshot.asked]") {
  Session session;
  web().set_page("/bars", R"html(<!doctype html><style>.i::before { content: "\e011" }</style>
<div><a id="opens"><i class="bars icon i"></i></a><a><i class="flag icon i"></i></a></div>
<p id="out"></p><script>opens.addEventListener('click', () => { out.textContent = 'a menu' });</script>)html");
  const auto opened = session.navigate(web().url("/bars")).section("Snapshot");
  CHECK_THAT(opened, !Contains("[icon=flag] [cursor=pointer]"));
  const auto at = opened.rfind("[ref=", opened.find("[icon=bars]")) + 5;
  const auto pressed = session.ok("browser_click", {{"target", opened.substr(at, opened.find(']', at) - at)}});
  CHECK_THAT(pressed.section("Snapshot"), Contains("a menu"));
}

TEST_CASE(
    "a link that leads nowhere around a drawing alone, as a shape to drag, has a ref where a script listens on it",
    "[snapshot] [tool.snapshot.asked]") {
  Session session;
  web().set_page("/palette", R"html(<!doctype html><title>Palette</title>
<style>a { display: inline-block; width: 34px; height: 32px }</style><div id="all"></div><p id="out"></p><script>
for (let i = 0; i < 40; i++) {
  const shape = i % 2 ? '<ellipse cx="16" cy="15" rx="14" ry="9" fill="gold"/>' : '<rect y="8" width="28" height="14" fill="navy"/>';
  all.insertAdjacentHTML('beforeend', `<a><svg width="32" height="30"><g>${shape}</g></svg></a>`);
  if (i > 1) all.lastChild.addEventListener('mousedown', () => { out.textContent = 'took ' + i; });
}
</script>)html");
  const auto opened = session.navigate(web().url("/palette")).section("Snapshot");
  CHECK_THAT(opened, Contains("generic [ref=e1] [looks=dark blue rectangle] [cursor=pointer]\n"));
  const auto pressed = session.ok("browser_click", {{"target", "e2"}});
  CHECK_THAT(pressed.section("Snapshot"), Contains("took 3"));
}

TEST_CASE("of a page that is read twice at once each answer is right", "[snapshot] [tool.snapshot.asked]") {
  Session session;
  web().set_page("/two-readers", R"html(<!doctype html><title>Readers</title>
<style>div { width: 30px; height: 30px; display: inline-block }</style>
<body><script>
customElements.define('x-tab', class extends HTMLElement {
  constructor() { super(); this.attachInternals().role = 'tab'; }
});
for (let i = 0; i < 30; i++) {
  const listens = document.createElement('div');
  listens.style.background = 'blue';
  listens.onmousedown = () => {};
  const silent = document.createElement('div');
  silent.style.background = 'gold';
  document.body.append(listens, silent, i % 3 ? '' : Object.assign(document.createElement('x-tab'), { textContent: 'T' + i }));
}
function replaceAll() {
  for (const el of [...document.body.children]) {
    const other = el.cloneNode(true);
    other.onmousedown = el.onmousedown;
    el.replaceWith(other);
  }
}
</script>)html");
  for (int round = 0; round < 5; ++round) {
    session.navigate(web().url("/two-readers?round=" + std::to_string(round)));
    // Not by a tool, whose answer would have asked about them.
    session.tab()->call(CallContext{}, "Runtime.evaluate", {{"expression", "replaceAll()"}});
    std::string first, second;
    std::thread other([&] { first = session.ok("browser_snapshot").section("Snapshot"); });
    second = session.ok("browser_snapshot").section("Snapshot");
    other.join();
    for (const auto& text : {first, second}) {
      INFO(text);
      CHECK(parts(text, "blue") == 30);
      CHECK(parts(text, "gold") == 0);
      CHECK(parts(text, "tab \"T") == 10);
    }
  }
}
