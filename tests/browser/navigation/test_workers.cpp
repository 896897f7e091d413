// What a page has its workers do belongs to the answer, as what it fetches does [nav.workers].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// What a worker does by the words that it is sent: "once 300" answers after 300 ms, "never" not at all, "stream" each
// 50 ms for ever.
constexpr std::string_view kWorker =
    "let count = 0; const begin = (port) => { port.onmessage = ({ data }) => { const [how, ms] = data.split(' '); "
    "const answer = ++count; if (how === 'once') setTimeout(() => port.postMessage('answer ' + answer), +ms); "
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

}  // namespace

TEST_CASE("what a click asks a worker for is in its answer", "[workers] [nav.workers]") {
  Session session;
  session.navigate(worker_page("ask('once 400')"));
  CHECK_THAT(session.ok("browser_click", at("#go")).section("Snapshot"), Contains("answer 1"));
  CHECK_THAT(session.ok("browser_click", at("#go")).section("Snapshot"), Contains("answer 2"));
}

TEST_CASE("what the page asks a worker again when it has an answer is waited for too", "[workers] [nav.workers]") {
  Session session;
  session.navigate(worker_page("ask('once 200')",
                               "let more = 2; end.addEventListener('message', () => { if (more-- > 0) "
                               "setTimeout(() => ask('once 200'), 20); });"));
  CHECK_THAT(session.ok("browser_click", at("#go")).section("Snapshot"), Contains("answer 3"));
}

TEST_CASE("a shared worker that has answered before is waited for", "[workers] [nav.workers]") {
  Session session;
  session.navigate(
      worker_page("ask('once 400')",
                  "const first = new Promise((done) => { end.addEventListener('message', done, { once: true }); "
                  "}); ask('once 0');",
                  true));
  session.evaluate("first.then(() => true)");
  CHECK_THAT(session.ok("browser_click", at("#go")).section("Snapshot"), Contains("answer 2"));
}

TEST_CASE("a worker that never answers is waited for once, and told of", "[workers] [nav.workers]") {
  Session session;
  session.navigate(
      worker_page("ask('never')",
                  "const first = new Promise((done) => { end.addEventListener('message', done, { once: true }); "
                  "}); ask('once 0');"));
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
                  "ask('once 200')));",
                  "ask('never');"));
  CHECK_THAT(session.ok("browser_click", at("#go")).section("Snapshot"), Contains("answer 2"));
}
