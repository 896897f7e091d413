// Text by trusted events, points in elements, drags along a path, selects that nobody sees, tabs by Ctrl and middle
// clicks.
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

std::string page_of(const std::string& html) {
  web().set_page("/input", "<!doctype html><title>Input</title>" + html);
  return web().url("/input");
}

// Tells each event that reaches the document, as `keyup:field`, an untrusted one with a question mark.
const std::string kEventLog =
    "<script>window.log = []; const listen = (...types) => { for (const type of types) document.addEventListener(type, "
    "(e) => log.push(type + ':' + e.target.id + (e.isTrusted ? '' : '?')), true); };</script>";

Json typed(const std::string& target, const std::string& text) { return {{"target", target}, {"text", text}}; }

std::string log_of(Session& session) { return session.evaluate("log.splice(0).join(' ')").get<std::string>(); }

}  // namespace

TEST_CASE("typing: a user's events, and one change", "[typing] [tool.type]") {
  Session session;
  session.navigate(page_of(kEventLog +
                           "<input id=field value=old><input id=other><input id=day type=date>"
                           "<script>listen('keydown', 'beforeinput', 'input', 'keyup', 'change')</script>"));
  session.ok("browser_type", typed("#field", "new"));
  CHECK(log_of(session) == "keydown:field beforeinput:field input:field change:field? keyup:field");
  session.ok("browser_type", typed("#field", ""));
  CHECK(log_of(session) == "keydown:field beforeinput:field input:field change:field? keyup:field");
  session.ok("browser_type", typed("#other", "x"));  // leaves the first
  CHECK(log_of(session) == "keydown:other beforeinput:other input:other change:other? keyup:other");
  session.ok("browser_press_key", {{"key", "y"}});
  session.ok("browser_click", at("#field"));
  CHECK_THAT(log_of(session), Contains("change:other") && !Contains("change:other?"));
  session.ok("browser_type", typed("#day", "2026-11-23"));
  CHECK(log_of(session) == "input:day? change:day?");
  CHECK(page_stats(session).listeners == 0);
}

// As jQuery UI's autocomplete and Webix' filters do: the search is begun by the key, and reads the field later.
TEST_CASE("typing: a search that a keydown begins finds the text", "[typing] [tool.type]") {
  Session session;
  session.navigate(
      page_of("<input id=search aria-label=Search><p id=out></p><script>var begun = ''; search.onkeydown = (e) => { "
              "begun = e.key + e.keyCode; }; search.oninput = () => { if (begun) out.textContent = 'found ' + "
              "search.value; };</script>"));
  CHECK_THAT(session.ok("browser_type", typed("#search", "pea")).section("Snapshot"), Contains("found pea"));
  CHECK(session.evaluate("begun") == "Unidentified229");
}

// An editor or a terminal reads what its hidden field holds as it hears an input method's key.
TEST_CASE("typing: no key goes down where only an editor hears it", "[typing] [tool.type]") {
  Session session;
  session.navigate(page_of(kEventLog +
                           "<textarea id=hidden style='opacity:0;width:1px;height:1px'></textarea>"
                           "<p id=free contenteditable>old</p><script>listen('keydown', 'input')</script>"));
  session.ok("browser_type", typed("#hidden", "ls"));
  CHECK(log_of(session) == "keydown:hidden keydown:hidden input:hidden");  // Control and A, which select
  session.ok("browser_type", typed("#free", "new"));
  CHECK(log_of(session) == "input:free");
}

TEST_CASE("typing: a list that a keyup filters is filtered in the answer", "[typing] [tool.type]") {
  Session session;
  session.navigate(page_of(
      "<input id=filter aria-label=Filter><ul><li>apple<li>pear</ul><script>filter.onkeyup = () => { for (const li of "
      "document.querySelectorAll('li')) li.hidden = !li.textContent.includes(filter.value); };</script>"));
  const auto answer = session.ok("browser_type", typed("#filter", "pea"));
  CHECK_THAT(answer.section("Snapshot"), Contains("removed") && Contains("apple"));
  CHECK_THAT(session.ok("browser_type", typed("#filter", "")).section("Snapshot"), Contains("apple"));
}

TEST_CASE("typing: a page that keeps the text out, and one that takes the focus", "[typing] [tool.type]") {
  Session session;
  session.navigate(
      page_of("<input id=no value=old aria-label=No onbeforeinput='event.preventDefault()'>"
              "<input id=away aria-label=Away onfocus='other.focus()'><input id=other>"));
  CHECK_THAT(session.ok("browser_type", typed("#no", "new")).section("Result"), Contains("kept the text out"));
  session.ok("browser_type", typed("#away", "secret"));
  CHECK(session.evaluate("[no.value, away.value, other.value].join()") == "old,secret,");
}

TEST_CASE("typing into a frame of this origin and of another", "[typing] [tool.type]") {
  const std::string inner =
      "<!doctype html><body contenteditable><p id=p>one</p><p>two</p><script>document.addEventListener('beforeinput', "
      "(e) => { top.postMessage(String(e.isTrusted), '*'); })</script>";
  web().set_page("/edited", inner);
  const std::string origin = GENERATE(0, 1) == 0 ? web().origin() : web().other_origin();
  CAPTURE(origin);
  Session session;
  session.navigate(page_of("<input id=out value=outside><iframe src='" + origin +
                           "/edited'></iframe><script>window.told = []; onmessage = (e) => told.push(e.data); "
                           "out.focus();</script>"));
  session.ok("browser_type", typed("#p", "changed"));
  CHECK(session.evaluate("told.join()") == "true");
  session.ok("browser_press_key", {{"key", "Control+A"}});
  session.ok("browser_press_key", {{"key", "Delete"}});
  CHECK(session.evaluate("out.value") == "outside");
  CHECK_THAT(session.snapshot(), !Contains("changed") && !Contains("two"));
}

TEST_CASE("a long text in a textarea comes whole, and soon", "[typing] [tool.type]") {
  Session session;
  session.navigate(page_of("<textarea id=area></textarea>"));
  std::string text;
  for (int line = 0; line < 3000; ++line) text += "line " + std::to_string(line) + "\n";
  CHECK(session.ok("browser_type", typed("#area", text)).waited < 5s);
  CHECK(session.evaluate("area.value.length") == text.size());
}

TEST_CASE("a click at a point of an element, two and three times", "[position] [tool.position]") {
  Session session;
  session.navigate(page_of(
      "<canvas id=c width=200 height=100 style='border: 3px solid'></canvas><p id=p>some words here</p><output "
      "id=out></output><script>c.onmousedown = (e) => { out.textContent += `${e.offsetX},${e.offsetY}:${e.detail} "
      "`; }; c.onmousemove = (e) => { c.title = `${e.offsetX},${e.offsetY}`; };</script>"));
  session.ok("browser_click", {{"target", "#c"}, {"position", {{"x", 150}, {"y", 20}}}});
  CHECK(session.text_of("#out") == "150,20:1 ");
  session.ok("browser_hover", {{"target", "#c"}, {"position", {{"x", 10}, {"y", 90}}}});
  CHECK(session.evaluate("c.title") == "10,90");
  CHECK_THAT(session.error("browser_click", {{"target", "#c"}, {"position", {{"x", 500}, {"y", 20}}}}).section("Error"),
             Contains("206 x 106 px large"));
  session.ok("browser_click", {{"target", "#p"}, {"clickCount", 3}});
  CHECK_THAT(session.evaluate("String(getSelection())").get<std::string>(), Contains("some words here"));
}

// As a tooltip lies over the next row of a table, and a menu of a header over the page, once their owner was clicked.
TEST_CASE("the mouse leaves what is there for it alone before a click on what lies below",
          "[position] [tool.actionable]") {
  Session session;
  session.navigate(page_of(
      "<style>body { margin: 0 } button { display: block; height: 30px } #tip, #menu ul { display: none; position: "
      "absolute; left: 0; width: 300px; height: 60px; margin: 0; background: #444 } #head:hover ~ #tip, #menu:hover ul "
      "{ display: block } #menu { width: 100px; height: 30px } #tip { top: 30px } #menu ul { top: 90px }</style>"
      "<div id=head style='width:100px;height:30px'>name</div><button id=one onclick=out.textContent+=1>One</button>"
      "<div id=menu>Menu<ul><li>Entry</ul></div><button id=two onclick=out.textContent+=2>Two</button>"
      "<div id=tip class=tooltip>Click to sort</div><output id=out></output>"));
  session.ok("browser_hover", {{"target", "#head"}});
  session.ok("browser_click", {{"target", "#one"}});
  session.ok("browser_hover", {{"target", "#menu"}});
  session.ok("browser_click", {{"target", "#two"}});
  CHECK(session.text_of("#out") == "12");
}

// As a player of films takes its controls away while the mouse rests.
TEST_CASE("controls that come only where the mouse moves are brought by that", "[position] [tool.actionable]") {
  Session session;
  session.navigate(page_of(
      "<style>body { margin: 0 } #player { width: 300px; height: 200px; background: #222 } #bar { transition: opacity "
      ".1s } #player:not(.awake) #bar { opacity: 0; pointer-events: none }</style><div id=player><div id=bar><button "
      "onclick='out.textContent += 1'>Settings</button></div></div><output id=out></output><script>"
      "player.onmousemove = () => { player.className = 'awake'; };</script>"));
  session.ok("browser_click", {{"target", "text=Settings"}});
  CHECK(session.text_of("#out") == "1");
}

// Some players pass over the first movement after their controls have gone, as what changes the pointer's look may be
// taken for one.
TEST_CASE("controls that come at the second movement of the mouse are brought by a click and by a hover",
          "[position] [tool.actionable]") {
  Session session;
  const auto player = page_of(
      "<style>body { margin: 0 } #player { width: 300px; height: 200px; background: #222 } #player:not(.awake) #bar { "
      "opacity: 0; pointer-events: none }</style><div id=player><div id=bar><button onclick='out.textContent += "
      "1'>Settings</button></div></div><output id=out></output><script>let moves = 0; player.onmousemove = () => { if "
      "(++moves > 1) player.className = 'awake'; };</script>");
  session.navigate(player);
  session.ok("browser_click", {{"target", "text=Settings"}});
  CHECK(session.text_of("#out") == "1");
  session.navigate("about:blank");
  session.navigate(player);
  session.ok("browser_hover", {{"target", "#player"}});
  CHECK(session.evaluate("player.className") == "awake");
}

TEST_CASE(
    "a menu that takes no notice of a mouse that is there before it has moved elsewhere is opened by the first hover",
    "[position] [tool.actionable]") {
  Session session;
  session.navigate(
      page_of("<style>body { margin: 0 } nav { width: 100%; height: 40px }</style><nav><a id=shop href=#>Shop</a><div "
              "id=out></div></nav><p>Text</p><script>let rests = true; onpointermove = (e) => { if "
              "(!e.target.closest('nav')) rests = false; }; shop.onpointerenter = () => { if (!rests) out.textContent "
              "= 'Shoes'; "
              "};</script>"));
  CHECK_THAT(session.ok("browser_hover", {{"target", "#shop"}}).section("Snapshot"), Contains("Shoes"));
}

TEST_CASE("a submenu is opened by a hover also where the menu waits for the mouse to reach the one that is open",
          "[position] [tool.actionable]") {
  Session session;
  // The menu takes no movement for a moment after the mouse has left an open item, as a timer of its own tells it.
  session.navigate(page_of(
      "<style>[role=menuitem] { width: 200px; height: 30px }</style><div role=menu><div role=menuitem id=edit "
      "aria-haspopup=menu aria-expanded=false>Edit</div><div role=menuitem id=view aria-haspopup=menu "
      "aria-expanded=false>View</div></div><div id=out></div><script>let waits = false; for (const item of "
      "document.querySelectorAll('[role=menuitem]')) { item.onmousemove = () => { if (waits || item.ariaExpanded === "
      "'true') return; for (const each of document.querySelectorAll('[role=menuitem]')) each.ariaExpanded = each === "
      "item; out.innerHTML = `<div role=menu><div role=menuitem>First of ${item.id}</div></div>`; }; "
      "item.onmouseleave = () => { if (item.ariaExpanded !== 'true') return; waits = true; setTimeout(() => { waits = "
      "false; }, 300); }; }</script>"));
  CHECK_THAT(session.ok("browser_hover", {{"target", "#edit"}}).section("Snapshot"), Contains("First of edit"));
  CHECK_THAT(session.ok("browser_hover", {{"target", "#view"}}).section("Snapshot"), Contains("First of view"));
}

TEST_CASE("a drag within an element, along a path, and from point to point", "[position] [tool.position]") {
  Session session;
  session.navigate(page_of(
      "<style>body { margin: 0 } svg { border: 2px solid }</style><svg id=s width=300 height=200></svg><div id=d "
      "style='width:100px;height:50px'>End</div><p id=words>first second third</p><output id=out></output><script>"
      "let down = false; const tell = (what, e) => { out.textContent += `${what}${e.clientX - 2},${e.clientY - 2} `; };"
      "s.onmousedown = (e) => { down = true; tell('down', e); }; onmouseup = (e) => { if (down) tell('up', e); down = "
      "false; }; onmousemove = (e) => { if (down) s.last = `${e.clientX - 2},${e.clientY - 2}`, (s.all ||= "
      "[]).push(s.last); };</script>"));
  const auto point = [](int x, int y) { return Json{{"x", x}, {"y", y}}; };
  session.ok("browser_drag",
             {{"startTarget", "#s"}, {"path", Json::array({point(10, 20), point(200, 30), point(200, 150)})}});
  CHECK(session.text_of("#out") == "down10,20 up200,150 ");
  CHECK_THAT(session.evaluate("s.all.join(' ')").get<std::string>(), Contains("200,30"));
  session.evaluate("() => { out.textContent = ''; s.all = []; }");
  session.ok("browser_drag", {{"startTarget", "#s"}, {"startPosition", point(5, 5)}, {"endPosition", point(100, 100)}});
  CHECK(session.text_of("#out") == "down5,5 up100,100 ");
  session.evaluate("() => { out.textContent = ''; s.all = []; }");
  session.ok("browser_drag", {{"startTarget", "#s"}, {"endTarget", "#d"}, {"endPosition", point(10, 10)}});
  CHECK_THAT(session.text_of("#out"), Contains("down150,100") && Contains("up8,21"));  // below the svg and its border
  // Text is selected by dragging over it.
  session.ok("browser_drag",
             {{"startTarget", "#words"}, {"startPosition", point(0, 8)}, {"endPosition", point(300, 8)}});
  CHECK(session.evaluate("String(getSelection()).trim()") == "first second third");
  CHECK_THAT(session.error("browser_drag", {{"startTarget", "#s"}}).section("Error"), Contains("endTarget"));
  CHECK_THAT(session.error("browser_drag", {{"startTarget", "#s"}, {"path", Json::array({point(1, 1)})}}).text,
             Contains("one point only"));
}

TEST_CASE("a select that nobody sees is set, by itself and by its widget", "[select] [tool.select.unseen]") {
  Session session;
  session.navigate(page_of(
      "<div style='height: 3000px'></div><div><select id=s style='position: absolute; opacity: 0; width: 1px'>"
      "<option>Small<option>Large</select><span id=w role=combobox tabindex=0 aria-label=Size>Small</span></div>"
      "<script>s.onchange = () => { w.textContent = s.value; };</script>"));
  session.ok("browser_select_option", {{"target", "#s"}, {"values", {"Large"}}});
  CHECK(session.text_of("#w") == "Large");
  session.ok("browser_select_option", {{"target", "role=combobox[name=Size]"}, {"values", {"Small"}}});
  CHECK(session.text_of("#w") == "Small");
  const Json field{{"target", "#w"}, {"name", "Size"}, {"value", "Large"}};
  session.ok("browser_fill_form", {{"fields", Json::array({field})}});
  CHECK(session.text_of("#w") == "Large");
}

TEST_CASE("Ctrl, Shift and middle clicks: the new tab is told with its title", "[popups] [nav.popup]") {
  Session session;
  session.navigate(page_of("<a id=link href='/plain?title=Other'>Link</a>"));
  const Json how =
      GENERATE(Json{{"modifiers", {"Control"}}}, Json{{"modifiers", {"Shift"}}}, Json{{"button", "middle"}});
  CAPTURE(how);
  Json click = how;
  click["target"] = "#link";
  const auto answer = session.ok("browser_click", click);
  CHECK_THAT(answer.section("Events"), Contains("opened a new tab: "));
  if (answer.waited < 700ms) CHECK_THAT(answer.section("Events"), Contains("\"Other\""));  // else it came too late
  CHECK_THAT(answer.text, !Contains("superseded"));
  CHECK(session.href() == web().url("/input"));
}

TEST_CASE("titles that scripts set are told", "[nav.popup]") {
  Session session;
  session.navigate(page_of("<p>text</p>"));
  session.evaluate("() => { document.title = 'Changed'; }");
  CHECK_THAT(session.ok("browser_tabs", {{"action", "list"}}).text, Contains("[Changed]"));
  session.evaluate("() => { document.title = 'Again'; }");
  CHECK_THAT(session.ok("browser_wait_for", {{"text", "text"}}).section("Page"), Contains("Again"));
}

// As MediaWiki's VisualEditor, which keeps a text of its own and hears of none before.
TEST_CASE("what an editor does by a timer when it gets the focus is done before the text comes",
          "[actions] [tool.type]") {
  Session session;
  session.navigate(
      "data:text/html,<div id=editor contenteditable role=textbox></div><script>"
      "let isOn = false; let kept = ''; editor.onfocus = () => setTimeout(() => (isOn = true));"
      "editor.oninput = () => { if (isOn) kept = editor.textContent };</script>");
  session.ok("browser_type", {{"target", "#editor"}, {"text", "Alpha beta"}});
  CHECK(session.evaluate("() => kept") == "Alpha beta");
}

TEST_CASE("keys that another element has got, or that none has taken, are no text in the field",
          "[actions] [tool.type.slowly]") {
  web().set_page("/thief",
                 "<!doctype html><input id=field onfocus='setTimeout(() => thief.focus())'><input id=full value=a "
                 "maxlength=1 onfocus='setTimeout(() => full.setSelectionRange(1, 1))'><div id=thief role=dialog "
                 "aria-label=Cookies tabindex=-1>Some</div>");
  Session session;
  session.navigate(web().url("/thief"));
  const auto type = [&](const char* target, bool slowly) {
    return session.ok("browser_type", {{"target", target}, {"text", "abc"}, {"slowly", slowly}}).section("Result");
  };
  CHECK_THAT(type("#field", true),
             Contains("but dialog \"Cookies\"") && Contains("had taken the focus and got the keys"));
  CHECK_THAT(type("#full", true), Contains("typed into textbox <input id=\"full\">, but it took none of the keys"));
  CHECK_THAT(type("#full", false), Contains("which takes 1 character: the rest was left out"));
}

TEST_CASE("a text goes on into the fields to which the page moves the focus, as a code's",
          "[actions] [tool.type.moved-on]") {
  web().set_page("/code", R"html(<!doctype html><form>
<input class=digit maxlength=1 aria-label=One><input class=digit maxlength=1 aria-label=Two><input class=digit aria-label=Three>
</form><label>Postcode <input id=postcode maxlength=5></label><p role=status id=sent></p><script>
const digits = [...document.querySelectorAll('.digit')];
for (const [i, digit] of digits.entries())
  digit.addEventListener('input', () => {
    if (digit.value !== '') requestAnimationFrame(() => digits[i + 1]?.focus());
    if (digits.every(({ value }) => value !== '')) sent.textContent = 'sent ' + digits.map(({ value }) => value).join('');
  });
</script>)html");
  Session session;
  const auto url = web().url("/code");
  session.navigate(url);
  const auto typed = session.ok("browser_type", {{"target", "textbox \"One\""}, {"text", "123"}});
  CHECK_THAT(typed.section("Result"), Contains("typed into textbox \"One\"") && !Contains("left out"));
  CHECK_THAT(typed.section("Snapshot"), Contains("sent 123"));
  session.navigate(url);
  const Json field{{"target", "textbox \"One\""}, {"value", "456"}};
  CHECK_THAT(session.ok("browser_fill_form", {{"fields", {field}}}).section("Snapshot"), Contains("sent 456"));
  CHECK_THAT(session.ok("browser_type", {{"target", "#postcode"}, {"text", "1234567"}}).section("Result"),
             Contains("which takes 5 characters: the rest was left out"));
}
