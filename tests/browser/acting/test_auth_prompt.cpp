// The browser's own question for a name and a password, which nobody sees [nav.after-action.asks], and other requests
// that don't end [nav.after-action.fetching].
#include "browser/page/told_state.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

constexpr const char* kStopped = "the browser asked for a name and a password, it seems for ";

void open_prompt(Session& session, const std::string& body) {
  web().set_page("/prompt", "<!doctype html><title>Prompt</title>" + body);
  session.navigate(web().url("/prompt"));
}

}  // namespace

TEST_CASE("a picture that wants a name and a password leaves the page usable", "[nav.after-action.asks]") {
  Session session;
  web().set_page("/prompt",
                 "<!doctype html><title>Prompt</title><button onclick=\"this.textContent = 'Pressed'\">Press</button>"
                 "<img src=/auth alt=chart>");
  const auto opened = session.navigate(web().url("/prompt"));
  CHECK_THAT(opened.section("Events"), Contains(kStopped + web().url("/auth")) && Contains("browser_emulate"));
  const auto pressed = session.ok("browser_click", {{"target", "button"}});
  CHECK_THAT(pressed.section("Snapshot"), Contains("button \"Pressed\""));
  CHECK_THAT(pressed.text, !Contains(kStopped));
}

TEST_CASE("a fetch that wants a name and a password is told with what its end brings", "[nav.after-action.asks]") {
  Session session;
  open_prompt(
      session,
      "<button onclick=\"fetch('/auth').catch(() => { out.textContent = 'refused' })\">Load</button><p id=out>-</p>");
  SECTION("by a click") {
    const auto told = session.ok("browser_click", {{"target", "button"}});
    CHECK_THAT(told.section("Events"), Contains(kStopped + web().url("/auth")));
    CHECK_THAT(told.section("Snapshot"), Contains("refused"));
  }
  SECTION("before a key") {
    session.evaluate("() => { document.querySelector('button').click() }");
    REQUIRE(web().wait_for_request("/auth", kPatience));
    // The key comes to the page at last, whether or not the request was old enough by the first time.
    REQUIRE(eventually([&] {
      session.ok("browser_press_key", {{"key", "Tab"}});
      return session.text_of("#out") == "refused";
    }));
    CHECK_THAT(session.ok("browser_press_key", {{"key", "Shift+Tab"}}).text, !Contains(kStopped));
  }
}

TEST_CASE("a page that waits in its main thread for a name and a password is told, and asked no more",
          "[nav.after-action.asks]") {
  Session session;
  open_prompt(
      session,
      "<p id=out>-</p><script>const ask = () => { const asked = new XMLHttpRequest(); asked.open('GET', '/auth', "
      "false); asked.send(); return asked.status };"
      "if (location.search) out.textContent = 'status ' + ask()</script>");
  const auto unanswered = session.tab()->send("Runtime.evaluate", {{"expression", "ask()"}});
  REQUIRE(web().wait_for_request("/auth", kPatience));
  const auto told = session.error("browser_snapshot", Json::object());
  CHECK_THAT(told.section("Error"), Contains(web().url("/auth") + " has no answer") && Contains("browser_emulate"));
  const auto opened = session.navigate(web().url("/prompt?again"));
  CHECK_THAT(opened.section("Snapshot"), Contains("status 401"));
}

TEST_CASE("a slow answer is waited for, stops nothing, and is told as pending", "[nav.after-action.fetching]") {
  Session session;
  open_prompt(session,
              "<button onclick=\"fetch('/held?key=slow-save').then(() => { out.textContent = 'saved' })\">Save</button>"
              "<button onclick=\"out.textContent = 'went on'\">Go on</button><p id=out>-</p>");
  const auto saving = session.ok("browser_click", {{"target", "button \"Save\""}});
  CHECK_THAT(saving.section("Page"), Contains("Pending: the page still waits for " + web().url("/held?key=slow-save")));
  const auto other = session.ok("browser_click", {{"target", "button \"Go on\""}});
  CHECK_THAT(other.section("Snapshot"), Contains("went on"));
  CHECK_THAT(other.text, !Contains(kStopped) && !Contains("Pending"));
  web().release("slow-save");
  session.ok("browser_wait_for", {{"text", "saved"}});
}

TEST_CASE("what a document still loads is waited for as it is opened, and by no action",
          "[nav.after-action.fetching]") {
  Session session;
  open_prompt(session, "<button>Press</button><img src='/held?key=slow-picture'>");
  const auto tab = session.tab();
  REQUIRE(tab->state().dom_content_loaded);
  REQUIRE_FALSE(tab->state().loaded);
  const auto told = state_as_told(*tab, web().url("/prompt"), "Prompt");
  REQUIRE(told);
  CHECK(told->reached == WaitUntil::dom_content_loaded);
  // What isn't there won't come with it.
  CHECK_THAT(session.error("browser_click", {{"target", "button \"Pres\""}}).section("Error"),
             Contains("Nearest: button \"Press\"") && !Contains("(waited "));
  // Its end is waited for alike, which a script that never comes keeps away.
  web().set_page("/prompt",
                 "<!doctype html><title>Prompt</title><button>Press</button><script src='/held?key=slow-script'>"
                 "</script><p>The end");
  CHECK_THAT(session.navigate(web().url("/prompt")).section("Page"), Contains("the document is still arriving"));
  REQUIRE_FALSE(tab->state().dom_content_loaded);
  const auto partly = state_as_told(*tab, web().url("/prompt"), "Prompt");
  REQUIRE(partly);
  CHECK(partly->reached == WaitUntil::commit);
  web().release("slow-script");
  web().release("slow-picture");
  REQUIRE(eventually([&] { return tab->state().loaded; }));
  CHECK(state_as_told(*tab, web().url("/prompt"), "Prompt")->reached == WaitUntil::load);
}
