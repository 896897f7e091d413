// What a page has its workers do belongs to the answer, as what it fetches does [nav.workers].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// What a worker does by the words that it is sent: "now" answers at once, "held KEY" once another tab has let go of
// that key (a Gate: nothing of it is a request, which would be waited for anyway), "never" not at all, "stream" each 50
// ms for ever.
constexpr std::string_view kWorker =
    "let count = 0; const gate = new BroadcastChannel('gate'); "
    "const begin = (port) => { port.onmessage = ({ data }) => { const [how, key] = data.split(' '); "
    "const answer = () => port.postMessage('answer ' + ++count); if (how === 'now') answer(); "
    "if (how === 'held') { gate.addEventListener('message', (event) => { if (event.data === key) answer(); }); "
    "gate.postMessage('asked ' + key); } "
    "if (how === 'stream') { let tick = 0; setInterval(() => port.postMessage('tick ' + tick++), 50); } }; };";

// A page with a button #go whose listener runs `body`, an empty #out that shows what has come last, `end`, by which its
// worker is reached, a function `ask(words)`, and `script`.
std::string worker_page(const std::string& body, const std::string& script = "", bool shared = false) {
  web().set_page("/worker",
                 "<!doctype html><title>Worker</title><button id=go>Go</button><p id=out></p><script>"
                 "const source = URL.createObjectURL(new Blob([`" +
                     std::string(kWorker) + (shared ? "onconnect = ({ ports }) => begin(ports[0])" : "begin(self)") +
                     "`])); const end = " + (shared ? "new SharedWorker(source).port" : "new Worker(source)") +
                     "; end.onmessage = ({ data }) => { out.textContent = data; };"
                     "const ask = (words) => end.postMessage(words); go.onclick = () => { " +
                     body + " };" + script + "</script>");
  return web().url("/worker");
}

// A further tab of the session, in which what workers hold is let go of while the first one acts.
class Gate {
 public:
  explicit Gate(Session& session) : session_(session) {
    web().set_page("/gate",
                   "<!doctype html><title>Gate</title><script>const asked = []; const gate = new "
                   "BroadcastChannel('gate'); gate.onmessage = ({ data }) => asked.push(data);</script>");
    const auto first = session.tab()->id();
    tab_ = session.ok("browser_tabs", {{"action", "new"}, {"url", web().url("/gate")}}).structured["tab"];
    session.ok("browser_tabs", {{"action", "select"}, {"tab", first}});
  }

  // The snapshot of a click on #go, during which a worker asks for these keys, one after the other.
  std::string click(const std::vector<std::string>& keys) {
    const auto running = session_.start("browser_click", at("#go"));
    for (const auto& key : keys) {
      REQUIRE(eventually([&] { return evaluate("() => asked.includes('asked " + key + "')") == true; }));
      CHECK_FALSE(running->ended());
      evaluate("() => { gate.postMessage('" + key + "') }");
    }
    return running->get().section("Snapshot");
  }

 private:
  Json evaluate(const std::string& function) {
    return session_.ok("browser_evaluate", {{"tab", tab_}, {"function", function}}).structured["value"];
  }

  Session& session_;
  Json tab_{};
};

}  // namespace

TEST_CASE("what a click asks a worker for is in its answer", "[workers] [nav.workers]") {
  Session session;
  session.navigate(worker_page("ask('held asked-' + (window.clicks = (window.clicks ?? 0) + 1))"));
  Gate gate(session);
  CHECK_THAT(gate.click({"asked-1"}), Contains("answer 1"));
  CHECK_THAT(gate.click({"asked-2"}), Contains("answer 2"));
}

TEST_CASE("what the page asks a worker again when it has an answer is waited for too", "[workers] [nav.workers]") {
  Session session;
  session.navigate(worker_page("ask('held again-1')",
                               "let asked = 1; end.addEventListener('message', () => { if (asked < 3) "
                               "requestAnimationFrame(() => ask('held again-' + ++asked)); });"));
  CHECK_THAT(Gate(session).click({"again-1", "again-2", "again-3"}), Contains("answer 3"));
}

TEST_CASE("a shared worker that has answered before is waited for", "[workers] [nav.workers]") {
  Session session;
  session.navigate(
      worker_page("ask('held shared')",
                  "const first = new Promise((done) => { end.addEventListener('message', done, { once: true }); "
                  "}); ask('now');",
                  true));
  session.evaluate("first.then(() => true)");
  CHECK_THAT(Gate(session).click({"shared"}), Contains("answer 2"));
}

TEST_CASE("a worker that never answers is waited for once, and told of", "[workers] [nav.workers]") {
  Session session;
  session.navigate(
      worker_page("ask('never')",
                  "const first = new Promise((done) => { end.addEventListener('message', done, { once: true }); "
                  "}); ask('now');"));
  session.evaluate("first.then(() => true)");
  const auto first = session.ok("browser_click", at("#go"));
  CHECK(first.took >= 900ms);
  CHECK_THAT(first.section("Page"), Contains("- Pending: a worker of the page has not answered"));
  CHECK(session.ok("browser_click", at("#go")).waited < 500ms);
}

TEST_CASE("a stream of a worker's messages holds no answer up", "[workers] [nav.workers]") {
  Session session;
  session.navigate(
      worker_page("ask('never')",
                  "ask('stream'); const late = new Promise((done) => end.addEventListener('message', ({ data }) "
                  "=> { if (data === 'tick 24') done(true); }));"));
  session.evaluate("late");
  session.ok("browser_click", at("#go"));
  CHECK(session.ok("browser_click", at("#go")).waited < 600ms);
}

TEST_CASE("messages between the ends of a page's own channel are waited for no more than before",
          "[workers] [nav.workers]") {
  Session session;
  session.navigate(
      worker_page("channel.port2.postMessage(null)",
                  "const channel = new MessageChannel(); channel.port1.onmessage = () => { out.textContent = "
                  "'scheduled'; };"));
  for (int i = 0; i < 2; ++i) CHECK(session.ok("browser_click", at("#go")).waited < 300ms);
}

TEST_CASE("what the page asks a worker for once it has drawn something is waited for", "[workers] [nav.workers]") {
  Session session;
  session.navigate(
      worker_page("out.textContent = 'drawn'; requestAnimationFrame(() => requestAnimationFrame(() => "
                  "ask('held drawn')));",
                  "ask('never');"));
  CHECK_THAT(Gate(session).click({"drawn"}), Contains("answer 1"));
}

TEST_CASE("the script that a worker runs keeps no page loading for ever", "[workers] [tool.target.nearest]") {
  BrowserSettings settings;
  settings.action_timeout = 10min;
  House patient(settings);
  Session session(patient);
  session.navigate(worker_page("ask('now')"));
  session.ok("browser_click", at("#go"));
  CHECK_FALSE(session.error("browser_click", at("#nothing")).says("waited"));  // a fault would be told by its own bound
  CHECK_FALSE(session.ok("browser_network_requests", {{"static", true}}).says("[pending]"));
  session.navigate(web().url("/empty"));
  CHECK_FALSE(session.error("browser_click", at("#nothing")).says("waited"));
}
