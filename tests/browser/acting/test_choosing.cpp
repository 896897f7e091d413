// Comboboxes and listboxes that are made of other elements [tool.select.made].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// Widgets after the ARIA Authoring Practices. `make` gives an element with class=select, of which the options stand in
// data-options ("Small=s|Large=l", "!" before a disabled one), a list that opens and closes. data-*: portal (the list
// comes at the end of the body), multi, late (the options come with an answer of the site's), never (no list ever),
// keys (opens by ArrowDown alone), stays (a click has no effect), plain (no aria-controls).
const char kChoosingScript[] = R"html(<style>[role=listbox] { border: 1px solid; max-height: 120px; overflow: auto }
[role=option] { height: 30px }</style><script>
window.log = [];
const say = (what) => log.push(what);
const make = (widget, root = document.body) => {
  const data = widget.dataset;
  let chosen = (data.chosen ?? '').split('|').filter(Boolean);
  const list = document.createElement('div');
  list.id = widget.id + '-list';
  list.setAttribute('role', 'listbox');
  if (data.multi) list.ariaMultiSelectable = 'true';
  const show = () => {
    const text = chosen.join(', ') || 'Nothing';
    if (widget.tagName === 'INPUT') widget.value = chosen.join(', ');
    else widget.textContent = text;
  };
  const close = () => { list.remove(); widget.ariaExpanded = 'false'; say('closed'); };
  const fill = () => {
    list.replaceChildren(...data.options.split('|').filter(Boolean).map((entry) => {
      const [label, value] = entry.replace('!', '').split('=');
      const option = document.createElement('div');
      option.setAttribute('role', 'option');
      option.textContent = label;
      if (value) option.dataset.value = value;
      if (entry.startsWith('!')) option.ariaDisabled = 'true';
      option.ariaSelected = String(chosen.includes(label));
      option.onclick = (event) => {
        say((event.isTrusted ? '' : 'untrusted ') + label);
        if (data.stays) return;
        if (data.multi) {
          chosen = chosen.includes(label) ? chosen.filter((one) => one !== label) : [...chosen, label];
          option.ariaSelected = String(chosen.includes(label));
        } else {
          chosen = [label];
          close();
        }
        show();
      };
      return option;
    }));
  };
  const open = () => {
    say('opened');
    if (data.never) return;
    widget.ariaExpanded = 'true';
    if (data.late) fetch('/held?key=' + data.late).then(fill);
    else fill();
    (data.portal ? document.body : root).append(list);
  };
  widget.ariaExpanded = 'false';
  if (!data.plain) widget.setAttribute('aria-controls', list.id);
  if (!data.keys) widget.onclick = () => (list.isConnected ? close() : open());
  widget.addEventListener('keydown', ({ key, isTrusted }) => {
    say(key + (isTrusted ? '' : ' untrusted'));
    if (key === 'Escape' && list.isConnected) close();
    if (key === 'ArrowDown' && data.keys) open();
  });
  show();
};
for (const widget of document.querySelectorAll('.select')) make(widget);
for (const host of document.querySelectorAll('x-select')) {
  const root = host.attachShadow({ mode: 'open' });
  root.innerHTML = '<div id=inner role=combobox tabindex=0 aria-label=Size data-options="Small=s|Large=l"></div><p id=below></p>';
  make(root.getElementById('inner'), root.getElementById('below'));
}
</script>)html";

std::string combobox(const std::string& attributes, const std::string& id = "c") {
  return "<div id=" + id + " class=select role=combobox tabindex=0 aria-haspopup=listbox aria-label=Size " +
         attributes + "></div>";
}
const std::string kSizes = "data-options='Small=s|Large=l|!Huge=xl'";

void open_widgets(Session& session, const std::string& body) {
  web().set_page("/choosing",
                 "<!doctype html><title>Choosing</title><input aria-label=Before>" + body + kChoosingScript);
  session.navigate(web().url("/choosing"));
}
Json choice(const std::vector<std::string>& values, const std::string& target = "#c") {
  return {{"target", target}, {"values", values}};
}
std::vector<std::string> log_of(Session& session) {
  return session.evaluate("window.log.splice(0)").get<std::vector<std::string>>();
}
using Log = std::vector<std::string>;

}  // namespace

TEST_CASE("a combobox is opened and its option clicked, by label or value", "[choosing] [tool.select.made]") {
  Session session;
  const bool portal = GENERATE(false, true);
  const bool plain = GENERATE(false, true);
  open_widgets(session, combobox(kSizes + (portal ? " data-portal=1" : "") + (plain ? " data-plain=1" : "")) +
                            "<div role=listbox aria-label=Other><div role=option>Large</div></div>");
  const auto answer = session.ok("browser_select_option", choice({"Large"}));
  CHECK_THAT(answer.section("Result"), Contains("selected \"Large\" in combobox \"Size\""));
  CHECK_THAT(answer.section("Snapshot"), Contains("Large"));
  CHECK(session.text_of("#c") == "Large");
  CHECK(log_of(session) == Log{"opened", "Large", "closed"});
  session.ok("browser_select_option", choice({"s"}));
  CHECK(session.text_of("#c") == "Small");
  session.ok("browser_select_option", choice({"large"}, "role=combobox[name=Size]"));
  CHECK(session.text_of("#c") == "Large");
}

TEST_CASE("a list that is open already is used as it is", "[choosing] [tool.select.made]") {
  Session session;
  open_widgets(session, combobox(kSizes));
  session.ok("browser_click", at("#c"));
  session.ok("browser_select_option", choice({"Large"}));
  CHECK(log_of(session) == Log{"opened", "Large", "closed"});
}

TEST_CASE("a combobox of a shadow root, named by its host, and one of a frame", "[choosing] [tool.select.made]") {
  Session session;
  SECTION("shadow root") {
    open_widgets(session, "<x-select id=c></x-select>");
    CHECK_THAT(session.ok("browser_select_option", choice({"Large"})).section("Result"),
               Contains("selected \"Large\" in combobox \"Size\""));
    CHECK(log_of(session) == Log{"opened", "Large", "closed"});
  }
  SECTION("frame") {
    web().set_page("/choosing-frame", "<!doctype html>" + combobox(kSizes) + kChoosingScript);
    open_widgets(session, combobox("data-options='None'", "other") + "<iframe src=/choosing-frame></iframe>");
    session.ok("browser_select_option", choice({"l"}));
    CHECK(session.evaluate("frames[0].document.querySelector('#c').textContent") == "Large");
    CHECK(log_of(session).empty());
  }
}

TEST_CASE("options that are loaded late are waited for", "[choosing] [tool.select.made]") {
  Session session;
  open_widgets(session, combobox(kSizes + " data-late=late-options"));
  auto running = session.start("browser_select_option", choice({"Large"}));
  REQUIRE(web().wait_for_request("/held?key=late-options", kPatience));
  web().release("late-options");
  CHECK_THAT(running->get().section("Result"), Contains("selected \"Large\""));
  CHECK(session.text_of("#c") == "Large");
}

TEST_CASE("an option that is disabled, missing or one too many: the page is as before",
          "[choosing] [tool.select.made]") {
  Session session;
  open_widgets(session, combobox(kSizes));
  const auto refused = [&](const std::vector<std::string>& values) {
    auto words = session.error("browser_select_option", choice(values)).section("Error");
    CHECK(log_of(session) == Log{"opened", "Escape", "closed"});
    CHECK(session.text_of("#c") == "Nothing");
    return words;
  };
  CHECK_THAT(refused({"Huge"}), Contains("The option \"Huge\" of combobox \"Size\" is disabled"));
  CHECK_THAT(refused({"Tiny"}), Contains("has no option \"Tiny\". It has: \"Small\" (value \"s\"), \"Large\"") &&
                                    Contains("\"Huge\" (value \"xl\") (disabled)"));
  CHECK_THAT(refused({"Small", "Large"}), Contains("takes one value, not 2"));
  const Json field{{"target", "#c"}, {"value", "Tiny"}};
  CHECK_THAT(session.error("browser_fill_form", {{"fields", Json::array({field})}}).section("Error"),
             Contains("no option \"Tiny\"") && Contains("Nothing was filled."));
}

TEST_CASE("several are chosen, and no others", "[choosing] [tool.select.made]") {
  Session session;
  const std::string sizes = "data-multi=1 data-options='Small=s|Medium=m|Large=l' data-chosen=Small";
  SECTION("of a combobox, which is closed afterwards") {
    open_widgets(session, combobox(sizes));
    CHECK_THAT(session.ok("browser_select_option", choice({"Large", "m"})).section("Result"),
               Contains("selected \"Large\", \"Medium\" in combobox \"Size\""));
    CHECK(log_of(session) == Log{"opened", "Medium", "Large", "Small", "Escape", "closed"});
    CHECK(session.text_of("#c") == "Medium, Large");
    session.ok("browser_select_option", choice({}));
    CHECK(session.text_of("#c") == "Nothing");
  }
  SECTION("of a listbox that stands there") {
    open_widgets(session, combobox(sizes));
    session.ok("browser_click", at("#c"));
    log_of(session);
    CHECK_THAT(session.ok("browser_select_option", choice({"Small", "Large"}, "#c-list")).section("Result"),
               Contains("selected \"Small\", \"Large\" in listbox"));
    CHECK(log_of(session) == Log{"Large"});
    CHECK_THAT(session.ok("browser_select_option", choice({"Small", "Large"}, "#c-list")).section("Result"),
               Contains("(as it was)"));
    CHECK(log_of(session).empty());
  }
}

// As Tom Select does: the widget takes no notice of the select that it hides, says `selected` of the option that the
// keys are at, and leaves out of its list what is chosen, which it shows beside its field.
TEST_CASE("a widget that doesn't follow its hidden select is worked itself", "[choosing] [tool.select.unseen]") {
  const std::string widget = R"html(<select id=s multiple hidden><option value=r>Red<option value=g>Green<option
value=b>Blue</select><div class=multi><div id=tags><input id=f role=combobox aria-label=Tags aria-controls=l aria-expanded=false></div>
<div id=l role=listbox hidden></div></div><script>
const draw = () => {
  const left = [...s.options].filter((option) => !option.selected);
  l.replaceChildren(...left.map(({ label, value }, i) => {
    const option = document.createElement('div');
    Object.assign(option, { id: 'o' + value, role: 'option', textContent: label, ariaSelected: String(i === 0) });
    option.onclick = () => {
      [...s.options].find((one) => one.value === value).selected = true;
      const tag = document.createElement('p');
      tag.innerHTML = label + ' <button>×</button>';
      tags.prepend(tag);
      draw();
    };
    return option;
  }));
  f.setAttribute('aria-activedescendant', l.firstChild?.id ?? '');
};
const open = (is) => { l.hidden = !is; f.ariaExpanded = String(is); draw(); };
f.onclick = () => open(true);
f.onkeydown = ({ key }) => key === 'Escape' && open(false);
</script>)html";
  Session session;
  const std::string target = GENERATE("#s", "#f");
  web().set_page("/hidden-select", "<!doctype html><meta charset=utf-8>" + widget);
  session.navigate(web().url("/hidden-select"));
  const auto first = session.ok("browser_select_option", choice({"r", "Green"}, target)).section("Result");
  CHECK_THAT(first, Contains("selected \"Red\", \"Green\" in combobox \"Tags\"\n"));
  CHECK(session.evaluate("[...s.selectedOptions].map((one) => one.value).join()") == "r,g");
  const auto second = session.ok("browser_select_option", choice({"Blue"}, target)).section("Result");
  CHECK_THAT(second, Contains("selected \"Blue\"") && Contains("it also shows"));
  CHECK(session.evaluate("[...s.selectedOptions].map((one) => one.value).join()") == "r,g,b");
  CHECK(session.evaluate("l.hidden") == true);
}

// As SlimSelect's, which shrinks to nothing and stays in the page.
TEST_CASE("a list that closes after each choice is opened again", "[choosing] [tool.select.made]") {
  Session session;
  web().set_page("/closing-list",
                 R"html(<!doctype html><style>#l { transition: transform .2s; transform-origin: top }</style>
<div class=multi><div id=c role=combobox tabindex=0 aria-label=Size aria-controls=l aria-expanded=false>Nothing</div></div>
<div id=l role=listbox><div role=option>Small</div><div role=option>Medium</div><div role=option>Large</div></div><script>
const chosen = [];
const open = (is) => { c.ariaExpanded = String(is); l.style.transform = is ? 'none' : 'scaleY(0)'; };
open(false);
c.onclick = () => open(true);
for (const option of l.children) option.onclick = () => {
  option.ariaSelected = 'true';
  chosen.push(option.textContent);
  c.textContent = chosen.join(', ');
  open(false);
};
</script>)html");
  session.navigate(web().url("/closing-list"));
  CHECK_THAT(session.ok("browser_select_option", choice({"Small", "Large"})).section("Result"),
             Contains("selected \"Small\", \"Large\" in combobox \"Size\""));
  CHECK(session.evaluate("chosen.join()") == "Small,Large");
}

TEST_CASE("what a click doesn't change is told", "[choosing] [tool.select.made]") {
  Session session;
  open_widgets(session, combobox(kSizes + " data-stays=1"));
  CHECK_THAT(session.ok("browser_select_option", choice({"Large"})).section("Result"),
             Contains("the page shows no sign of it") && Contains("its list is still open"));
}

TEST_CASE("an editable combobox is opened by a click, else by a key; nothing is typed",
          "[choosing] [tool.select.made]") {
  Session session;
  const auto field = [](const std::string& more) {
    return "<input id=c class=select role=combobox aria-label=Size " + kSizes + more + ">";
  };
  SECTION("by a click") {
    open_widgets(session, field(""));
    session.ok("browser_select_option", choice({"Large"}));
    CHECK(session.evaluate("document.querySelector('#c').value") == "Large");
    CHECK(log_of(session) == Log{"opened", "Large", "closed"});
  }
  SECTION("by ArrowDown") {
    open_widgets(session, field(" data-keys=1"));
    session.ok("browser_select_option", choice({"Large"}));
    CHECK(log_of(session) == Log{"ArrowDown", "opened", "Large", "closed"});
  }
  SECTION("by neither") {
    open_widgets(session, field(" data-never=1"));
    CHECK_THAT(session.error("browser_select_option", choice({"Large"})).section("Error"),
               Contains("shows no options when it is clicked: type into it with browser_type"));
    CHECK(session.evaluate("document.querySelector('#c').value") == "");
  }
}

TEST_CASE("a long list that holds only what is seen is scrolled", "[choosing] [tool.select.made]") {
  Session session;
  open_widgets(
      session,
      R"html(<div id=c role=listbox aria-label=Rows tabindex=0 style="height:120px"><div id=all style="height:6000px;position:relative"></div></div>
<p id=got></p><script>
const draw = () => {
  const first = Math.floor(c.scrollTop / 30);
  all.replaceChildren(...Array.from({ length: 5 }, (_, i) => {
    const row = document.createElement('div');
    row.setAttribute('role', 'option');
    row.textContent = 'Row ' + (first + i);
    row.style.cssText = `position:absolute;top:${(first + i) * 30}px;height:30px;width:100%`;
    row.onclick = () => { got.textContent = row.textContent; row.ariaSelected = 'true'; };
    return row;
  }));
};
c.onscroll = draw;
draw();
</script>)html");
  session.ok("browser_select_option", choice({"Row 90"}));
  CHECK(session.text_of("#got") == "Row 90");
}

TEST_CASE("a choice by which the page goes on", "[choosing] [tool.select.made]") {
  Session session;
  open_widgets(session,
               combobox("data-options='English|Deutsch'") +
                   "<script>document.addEventListener('click', ({ target }) => { if (target.textContent === 'Deutsch') "
                   "location.href = '/plain'; });</script>");
  CHECK_THAT(session.ok("browser_select_option", choice({"Deutsch"})).text, Contains("/plain"));
}

TEST_CASE("made comboboxes among the fields of a form", "[choosing] [forms] [tool.select.made]") {
  Session session;
  open_widgets(session, combobox(kSizes) + "<input id=n aria-label=Name>");
  session.ok("browser_fill_form",
             {{"fields",
               {{{"target", "#c"}, {"value", "Large"}, {"type", "combobox"}}, {{"target", "#n"}, {"value", "Ann"}}}}});
  CHECK(session.text_of("#c") == "Large");
  CHECK(session.evaluate("document.querySelector('#n').value") == "Ann");
}

TEST_CASE("an abort while the options are waited for: nothing is clicked after it",
          "[choosing] [abort] [tool.select.made]") {
  Session session;
  open_widgets(session, combobox(kSizes + " data-late=choosing-aborted"));
  auto running = session.start("browser_select_option", choice({"Large"}));
  REQUIRE(web().wait_for_request("/held?key=choosing-aborted", kPatience));
  running->abort_and_get();
  web().release("choosing-aborted");
  wait_answered(session);
  CHECK_THAT(session.ok("browser_snapshot").section("Events"), Contains("cancelled: opened combobox \"Size\""));
  REQUIRE(eventually([&] { return session.evaluate("document.querySelectorAll('[role=option]').length") == 3; }));
  CHECK(log_of(session) == Log{"opened"});
  CHECK(page_stats(session).pollers == 0);
}

// --- a <select>

TEST_CASE("what was selected is told, also where the page takes it for a command and sets the field back", "[select]") {
  Session session;
  web().set_page("/adds", R"html(<!doctype html><title>Adds</title><div id="added"></div>
<select aria-label="Field" onchange="added.append(this.selectedOptions[0].text); this.selectedIndex = 0"><option>Add field...
<option>Prefix<option>Nickname</select>)html");
  session.navigate(web().url("/adds"));
  CHECK_THAT(session.ok("browser_select_option", {{"target", "select"}, {"values", {"Nickname"}}}).section("Result"),
             Contains("selected \"Nickname\" in combobox \"Field\"; the page has set it to \"Add field...\" since"));
  CHECK(session.text_of("#added") == "Nickname");
}

TEST_CASE("a suggestion of a field is chosen as an option is, and what it doesn't suggest is refused with what it does",
          "[choosing] [tool.select.suggestions]") {
  web().set_page("/suggests", R"html(<!doctype html><label>Fruit <input list=fruits></label>
<datalist id=fruits><option value=Apple><option value=pear-1>Pear</datalist><p role=status id=log></p><script>
document.querySelector('input').onchange = ({ target }) => { log.textContent = 'chosen ' + target.value; };</script>)html");
  Session session;
  session.navigate(web().url("/suggests"));
  const auto choose = [](const char* value) { return Json{{"target", "input"}, {"values", {value}}}; };
  CHECK_THAT(session.ok("browser_select_option", choose("Pear")).section("Snapshot"), Contains("chosen pear-1"));
  CHECK_THAT(session.error("browser_select_option", choose("Plum")).section("Error"),
             Contains("has no suggestion \"Plum\"") && Contains("\"Apple\""));
}
