// Whole tasks, as an agent does them: by what the snapshots show, step by step.
#include <signal.h>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// The ref in the first line of `yaml` that holds `words`.
std::string ref_in(const std::string& yaml, const std::string& words) {
  const auto line = yaml.find(words);
  INFO(words << " in\n" << yaml);
  REQUIRE(line != std::string::npos);
  const auto end = yaml.find('\n', line);
  const auto at = yaml.find("[ref=", line);
  REQUIRE(at < end);
  return yaml.substr(at + 5, yaml.find(']', at) - at - 5);
}

// An agent that keeps what it last saw, and acts on words in it.
struct Agent {
  Session session{};
  std::string seen{};

  void open(const std::string& path) {
    session.navigate(web().url(path));
    look();
  }
  void look() { seen = session.snapshot(); }
  Answer click(const std::string& words) {
    auto answer = session.ok("browser_click", {{"target", ref_in(seen, words)}, {"element", words}});
    look();
    return answer;
  }
  Answer type(const std::string& words, const std::string& text, bool submit = false) {
    auto answer = session.ok("browser_type", {{"target", ref_in(seen, words)}, {"text", text}, {"submit", submit}});
    look();
    return answer;
  }
  bool sees(const std::string& words) const { return seen.find(words) != std::string::npos; }
};

}  // namespace

TEST_CASE("a to-do app: add, tick off, filter, delete", "[sessions]") {
  Agent agent;
  agent.open("/todo");
  CHECK(agent.sees("1 left"));
  const auto cat = ref_in(agent.seen, "checkbox \"Done: Feed the cat\"");
  const auto added = agent.type("textbox \"New task\"", "Write the tests", true);
  CHECK_THAT(added.section("Snapshot"), Contains("Write the tests"));  // the action's own result shows it
  CHECK(agent.sees("2 left"));
  // The list was rendered anew: the ref is still that of the same task.
  CHECK(ref_in(agent.seen, "checkbox \"Done: Feed the cat\"") == cat);
  agent.session.ok("browser_click", {{"target", cat}});
  agent.look();
  CHECK(agent.sees("checkbox \"Done: Feed the cat\" [checked]"));
  CHECK(agent.sees("1 left"));
  agent.click("tab \"Open\"");
  CHECK_FALSE(agent.sees("Feed the cat"));
  CHECK(agent.sees("Write the tests"));
  agent.click("tab \"All\"");
  agent.click("button \"Delete Water the plants\"");
  CHECK_FALSE(agent.sees("Water the plants"));
}

TEST_CASE("a shop: search, sort, cart, and a checkout in a dialog", "[sessions]") {
  Agent agent;
  agent.open("/shop");
  agent.session.ok("browser_wait_for", {{"text", "Anchor"}});
  agent.session.ok("browser_select_option",
                   {{"target", "role=combobox[name=\"Sort\"]"}, {"values", {"Dearest first"}}});
  agent.look();
  CHECK(agent.seen.find("Lantern") < agent.seen.find("Anchor"));
  agent.type("searchbox \"Search\"", "an");
  CHECK_FALSE(agent.sees("Hammer"));
  agent.click("button \"Add Lantern to the cart\"");
  const auto second = agent.click("button \"Add Candle to the cart\"");
  CHECK_THAT(second.section("Snapshot"), Contains("Remove Candle"));
  agent.click("button \"Remove Candle\"");
  CHECK_FALSE(agent.sees("Remove Candle"));
  agent.click("button \"Check out\"");
  CHECK(agent.sees("textbox \"Name\""));
  CHECK_FALSE(agent.sees("Add Lantern"));  // behind the modal dialog
  agent.type("textbox \"Name\"", "Ann");
  const auto placed = agent.click("button \"Place the order\"");
  CHECK_THAT(placed.section("Snapshot"), Contains("Thank you, Ann: 1 items ordered."));
}

TEST_CASE("an endless list: found without printing it all, and scrolled for more", "[sessions]") {
  web().set_page("/endless", R"html(<!doctype html><title>Endless</title>
<h1>Endless</h1><ul id="list" aria-label="Entries" style="height: 300px; overflow-y: scroll"></ul><p id="out">none</p><script>
const list = document.getElementById('list');
let count = 0;
const more = () => { for (let i = 0; i < 40; i++) { const line = document.createElement('li'), button = document.createElement('button');
  button.textContent = 'Entry ' + ++count; const mine = count; button.onclick = () => { document.getElementById('out').textContent = 'chose ' + mine; };
  line.append(button); list.append(line); } };
list.addEventListener('scroll', () => { if (count < 400 && list.scrollTop + list.clientHeight > list.scrollHeight - 50) fetch('/api/json').then(more); });
more();
</script>)html");
  Agent agent;
  agent.open("/endless");
  CHECK(agent.sees("[scroll:"));  // there is more below
  int entries = 40;
  for (int round = 0; round < 3; ++round) {
    const auto last = agent.session.ok("browser_find", {{"regex", "^Entry " + std::to_string(entries) + "$"}});
    // Hovering scrolls it into view; the list loads more, and the result waits for that.
    agent.session.ok("browser_hover", {{"target", ref_in(last.section("Snapshot"), "Entry")}});
    entries += 40;
    agent.session.ok("browser_wait_for", {{"text", "Entry " + std::to_string(entries)}});
  }
  const auto found = agent.session.ok("browser_find", {{"text", "Entry 137"}});
  CHECK(found.text.size() < 1500);
  agent.session.ok("browser_click", {{"target", ref_in(found.section("Snapshot"), "Entry 137")}});
  CHECK(agent.session.text_of("#out") == "chose 137");
  const auto brief = agent.session.ok("browser_snapshot", {{"budget", 300}});
  CHECK(brief.section("Snapshot").size() <= 300 * 6 + 200);
  CHECK_THAT(brief.section("Snapshot"), Contains("more items") || Contains("items"));
}

TEST_CASE("an editor: typed, made bold by a shortcut, saved, told", "[sessions]") {
  web().set_page("/editor", R"html(<!doctype html><title>Editor</title>
<div role="toolbar" aria-label="Format"><button id="bold" aria-pressed="false">Bold</button><button id="save">Save</button></div>
<div id="text" contenteditable="true" role="textbox" aria-label="Document" aria-multiline="true">Old words</div>
<p role="status" id="status">saved</p><script>
const $ = (id) => document.getElementById(id);
$('bold').onmousedown = (event) => { event.preventDefault(); document.execCommand('bold'); $('bold').setAttribute('aria-pressed', document.queryCommandState('bold')); };
$('text').addEventListener('input', () => { $('status').textContent = 'not saved'; });
const save = async () => { $('status').textContent = 'saving'; await fetch('/api/echo', {method: 'POST', body: $('text').innerHTML}); $('status').textContent = 'saved ' + $('text').textContent.length; };
$('save').onclick = save;
$('text').addEventListener('keydown', (event) => { if (event.ctrlKey && event.key === 's') { event.preventDefault(); save(); } });
</script>)html");
  Agent agent;
  agent.open("/editor");
  const auto typed = agent.type("textbox \"Document\"", "Hello brave world");
  CHECK_THAT(typed.section("Snapshot"), Contains("not saved"));
  agent.session.ok("browser_press_key", {{"key", "Control+A"}});
  agent.click("button \"Bold\"");
  CHECK(agent.sees("button \"Bold\" [pressed]"));
  const auto saved = agent.session.ok("browser_press_key", {{"key", "Control+s"}});
  CHECK_THAT(saved.section("Snapshot"), Contains("saved 17"));
  const auto log = agent.session.ok("browser_network_requests", {{"filter", "/api/echo"}}).section("Result");
  const auto entry = log.rfind('\n', log.find(". [POST]")) + 1;
  const auto sent = agent.session.ok("browser_network_request", {{"index", std::stoi(log.substr(entry))}});
  CHECK_THAT(sent.section("Result"), Contains("<b>Hello brave world</b>"));
}

TEST_CASE("a consent dialog: the page behind it is known as covered, and free once it is answered",
          "[sessions] [tool.snapshot.marks]") {
  BrowserSettings settings;
  settings.action_timeout = 400ms;
  static House house(settings);
  Agent agent{Session(house)};
  agent.open("/consent");
  const auto line = agent.seen.substr(agent.seen.find("button \"Read on\""));
  CHECK_THAT(line.substr(0, line.find('\n')), Contains("[covered]"));
  const auto refused = agent.session.error("browser_click", {{"target", ref_in(agent.seen, "button \"Read on\"")}});
  CHECK_THAT(refused.section("Error"), Contains("covered by <div id=\"overlay\""));
  agent.click("button \"Reject all\"");
  CHECK_FALSE(agent.sees("We value your privacy"));
  agent.click("button \"Read on\"");
  CHECK(agent.session.text_of("#out") == "read");
}

TEST_CASE("with a browser for each session, the end of one is nobody else's", "[sessions] [tool.browser-per-session]") {
  web();
  BrowserSettings settings;
  settings.browser_per_session = true;
  House house(settings);
  const auto before = profiles().size();
  auto one = std::make_unique<Session>(house);
  Session two(house);
  const auto counter = [&](const char* name) { return house.toolbox().counters()[name].get<long>(); };
  CHECK(counter("browsers") == 0);  // each starts with its session's first call
  one->navigate(web().url("/plain?one"));
  two.navigate(web().url("/plain?two"));
  CHECK(one->browser() != two.browser());
  CHECK(counter("browsers") == 2);
  CHECK(counter("tabs") == 2);
  CHECK(profiles().size() == before + 2);

  const auto pid = two.browser()->pid();
  REQUIRE(::kill(one->browser()->pid(), SIGKILL) == 0);
  REQUIRE(eventually([&] { return one->browser() == nullptr; }));
  CHECK(two.href() == web().url("/plain?two"));
  CHECK(two.browser()->pid() == pid);
  one->call("browser_navigate", {{"url", web().url("/plain?again")}});
  CHECK(eventually([&] { return one->browser() != nullptr; }));

  // A browser ends with its session.
  one.reset();
  CHECK(eventually([&] { return counter("browsers") == 1 && profiles().size() == before + 1; }));
  CHECK(two.href() == web().url("/plain?two"));
  CHECK(counter("browsers_started_total") == 3);
}
