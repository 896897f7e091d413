// JavaScript dialogs: told, answered, and in nobody's way [nav.dialogs].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

TEST_CASE("a dialog on load: the navigation says so, other tools refuse at once, answering opens the way",
          "[dialogs] [nav.outcome.dialog]") {
  Session session;
  const auto answer = session.call("browser_navigate", {{"url", web().url("/alert-on-load")}});
  CHECK(answer.waited < 4s);
  CHECK_THAT(answer.section("Modal state"), Contains("alert") && Contains("Alert on load!"));
  for (const char* tool : {"browser_snapshot", "browser_take_screenshot"}) {
    const auto refused = session.error(tool);
    CHECK_THAT(refused.section("Error"),
               Contains("dialog open: ") && Contains("Alert on load!") && Contains("browser_handle_dialog"));
    CHECK(refused.waited < 1s);
  }
  CHECK_THAT(session.error("browser_click", at("#out")).section("Error"), Contains("dialog open: "));
  const auto handled = session.ok("browser_handle_dialog", {{"accept", true}});
  CHECK_THAT(handled.section("Result"), Contains("accepted") && Contains("Alert on load!"));
  CHECK(session.text_of("#out") == "after");
}

TEST_CASE("a dialog from a click: the click is done, and the dialog told", "[dialogs] [nav.dialogs]") {
  Session session;
  SECTION("alert") {
    session.navigate(web().url("/alert-on-click"));
    const auto answer = session.ok("browser_click", at("#alert"));
    CHECK(answer.waited < 4s);
    CHECK_THAT(answer.section("Result"), Contains("clicked button \"Alert\""));
    CHECK_THAT(answer.section("Modal state"), Contains("Clicked!"));
    session.ok("browser_handle_dialog", {{"accept", true}});
    CHECK(session.text_of("#out") == "after");
  }
  SECTION("two in a row: the answer to the first tells of the second") {
    session.navigate(web().url("/alert-on-click"));
    CHECK_THAT(session.ok("browser_click", at("#twice")).section("Modal state"), Contains("First"));
    CHECK_THAT(session.ok("browser_handle_dialog", {{"accept", true}}).section("Modal state"), Contains("Second"));
    CHECK(session.ok("browser_handle_dialog", {{"accept", true}}).section("Modal state").empty());
    CHECK(session.text_of("#out") == "after both");
  }
  SECTION("late: the next call is told") {
    session.navigate(web().url("/alert-on-click"));
    session.ok("browser_click", at("#late"));
    REQUIRE(session.tab()->wait(CallContext{}.within(kPatience),
                                [&] { return session.tab()->state().dialog.has_value(); }));
    CHECK_THAT(session.error("browser_snapshot").section("Error"), Contains("Late!"));
    session.ok("browser_handle_dialog", {{"accept", true}});
    CHECK(session.text_of("#out") == "after late");
  }
  SECTION("confirm, accepted and dismissed") {
    session.navigate(web().url("/confirm-on-click"));
    session.ok("browser_click", at("#confirm"));
    session.ok("browser_handle_dialog", {{"accept", true}});
    CHECK(session.text_of("#out") == "confirmed");
    session.ok("browser_click", at("#confirm"));
    session.ok("browser_handle_dialog", {{"accept", false}});
    CHECK(session.text_of("#out") == "dismissed");
  }
  SECTION("prompt, with a text, with none, dismissed") {
    session.navigate(web().url("/prompt-on-click"));
    session.ok("browser_click", at("#prompt"));
    session.ok("browser_handle_dialog", {{"accept", true}, {"promptText", "Zoë"}});
    CHECK(session.text_of("#out") == "name: Zoë");
    session.ok("browser_click", at("#prompt"));
    session.ok("browser_handle_dialog", {{"accept", false}});
    CHECK(session.text_of("#out") == "dismissed");
  }
}

TEST_CASE("a dialog from a script of ours", "[dialogs]") {
  Session session;
  session.navigate(web().url("/plain"));
  // Several times: the dialog may open before or after the first question about the script's result.
  for (int round = 0; round < 10; ++round) {
    const auto answer =
        session.call("browser_evaluate", {{"function", "() => { alert('from the script'); return 1 }"}});
    CHECK(answer.waited < 4s);
    CHECK_THAT(answer.section("Modal state"), Contains("from the script"));
    session.ok("browser_handle_dialog", {{"accept", true}});
    CHECK(session.evaluate("1 + 1") == 2);
  }
}

TEST_CASE("while a dialog is open no body can be read, and the answer says so at once", "[dialogs] [nav.dialogs]") {
  Session session;
  session.navigate(web().url("/alert-on-click"));
  session.ok("browser_click", at("#alert"));
  const auto refused = session.ok("browser_network_request", {{"index", 1}, {"part", "response-body"}});
  CHECK(refused.waited < 1s);
  CHECK_THAT(refused.section("Result"), Contains("dialog is open") && Contains("browser_handle_dialog"));
  session.ok("browser_handle_dialog", {{"accept", true}});
  CHECK_THAT(session.ok("browser_network_request", {{"index", 1}, {"part", "response-body"}}).section("Result"),
             Contains("<!doctype html>"));
}

TEST_CASE("beforeunload: by link, by reload, and on closing the tab", "[dialogs] [nav.dialogs]") {
  Session session;
  session.navigate(web().url("/beforeunload"));
  session.ok("browser_click", at("#touch"));
  SECTION("by link: dismissed stays, accepted leaves") {
    const auto held = session.ok("browser_click", at("#link"));
    CHECK_THAT(held.section("Modal state"), Contains("beforeunload"));
    session.ok("browser_handle_dialog", {{"accept", false}});
    CHECK(session.text_of("#out") == "touched");
    session.ok("browser_click", at("#link"));
    const auto left = session.ok("browser_handle_dialog", {{"accept", true}});
    CHECK_THAT(left.section("Page"), Contains(web().url("/plain?title=Left")));
  }
  SECTION("by reload") {
    const auto held = session.error("browser_reload");
    CHECK(held.structured["outcome"] == "dialog");
    session.ok("browser_handle_dialog", {{"accept", false}});
  }
  SECTION("while it is open, a navigation answers at once") {
    session.ok("browser_click", at("#link"));
    const auto answer = session.error("browser_navigate", {{"url", web().url("/plain")}});
    CHECK(answer.waited < 1s);
    CHECK(answer.structured["outcome"] == "dialog");
    CHECK_THAT(answer.section("Modal state"), Contains("beforeunload"));
    session.ok("browser_handle_dialog", {{"accept", false}});
    CHECK(session.text_of("#out") == "touched");
  }
  SECTION("on closing: it holds up nothing") {
    const auto closed = session.ok("browser_tabs", {{"action", "close"}});
    CHECK(closed.waited < 4s);
    CHECK(closed.structured["tabs"].empty());
  }
}

TEST_CASE("a new navigation closes an open alert", "[dialogs]") {
  Session session;
  session.navigate(web().url("/alert-on-click"));
  session.ok("browser_click", at("#alert"));
  check_landed(session, session.navigate(web().url("/plain")), web().url("/plain"));
}

TEST_CASE("no dialog to answer: an honest error", "[dialogs]") {
  Session session;
  session.navigate(web().url("/plain"));
  CHECK_THAT(session.error("browser_handle_dialog", {{"accept", true}}).section("Error"),
             Contains("No dialog is open"));
}

// --- what pages put into our words

TEST_CASE("a file that a page asks for by showOpenFilePicker is said to be cancelled, and no chooser is left open",
          "[files] [tool.uploads]") {
  Session session;
  web().set_page("/picker",
                 R"html(<!doctype html><title>Picker</title><button id="pick">Pick</button><pre id="log"></pre>
<script>pick.onclick = () => showOpenFilePicker().catch((error) => { log.textContent = error.name; });</script>)html");
  session.navigate(web().url("/picker"));
  const auto answer = session.ok("browser_click", at("#pick"));
  CHECK_THAT(answer.section("Events"), Contains("showOpenFilePicker") && Contains("cancelled"));
  CHECK(answer.section("Modal state").empty());
  CHECK(session.text_of("#log") == "AbortError");
  CHECK(session.ok("browser_snapshot").section("Events").empty());
  CHECK_THAT(session.error("browser_file_upload", {{"paths", Json::array()}}).section("Error"),
             Contains("No file chooser is open"));
}

TEST_CASE("a page that asks for a passkey or for a screen to share is told at once that none was given",
          "[dialogs] [nav.after-action.asks]") {
  Session session;
  web().set_page("/asks", R"html(<!doctype html><title>Asks</title><p id="log"></p>
<button id="get" onclick="say(navigator.credentials.get({ publicKey: { challenge: new Uint8Array(32) } }))">Sign in</button>
<button id="create" onclick="say(navigator.credentials.create({ publicKey: { challenge: new Uint8Array(32), rp: { name: 'x' },
  user: { id: new Uint8Array(8), name: 'u', displayName: 'U' }, pubKeyCredParams: [{ type: 'public-key', alg: -7 }] } }))">Register</button>
<button id="share" onclick="say(navigator.mediaDevices.getDisplayMedia())">Share</button>
<button id="password" onclick="say(navigator.credentials.get({ password: true }))">Password</button>
<button id="colour" onclick="say(new EyeDropper().open())">Pick a colour</button>
<button id="on" onclick="log.textContent = 'goes on'">Go on</button>
<script>
const say = (promise) => promise.then((value) => { log.textContent = 'given ' + value }, (error) => { log.textContent = error.name });
</script>)html");
  auto url = web().url("/asks");
  url.replace(url.find("127.0.0.1"), 9, "localhost");  // a passkey belongs to a name, and not to an address
  session.navigate(url);
  for (const auto* id : {"#get", "#create", "#share"}) {
    CAPTURE(id);
    const auto answer = session.ok("browser_click", at(id));
    CHECK_THAT(answer.section("Snapshot"), Contains("NotAllowedError"));
    CHECK(answer.says("asked for a passkey") == (std::string(id) != "#share"));
    CHECK_THAT(session.ok("browser_click", at("#on")).section("Snapshot"), Contains("goes on"));
  }
  const auto password = session.ok("browser_click", at("#password"));
  CHECK_THAT(password.section("Snapshot"), Contains("given null"));
  CHECK_FALSE(password.says("passkey"));
  // One that the page only offers in the list under a field is no question.
  session.evaluate(
      "() => { navigator.credentials.get({ mediation: 'conditional', publicKey: { challenge: new Uint8Array(32) } })"
      ".catch((error) => { log.textContent = error.name }) }");
  CHECK_FALSE(session.ok("browser_click", at("#on")).says("NotAllowedError"));
}

TEST_CASE("a page that asks for a credential, for an account or to send notifications is told that none was given",
          "[dialogs] [nav.after-action.asks]") {
  Session session;
  web().set_page("/asks", R"html(<!doctype html><title>Asks</title><p id="log"></p>
<button id="digital" onclick="ask({ digital: { requests: [{ protocol: 'openid4vp', data: {} }] } })">Show a licence</button>
<button id="account" onclick="ask({ identity: { mode: 'active', providers: [{ configURL: '/config', clientId: '1' }] } })">Sign in</button>
<button id="silent" onclick="ask({ mediation: 'silent', identity: { providers: [{ configURL: '/config', clientId: '1' }] } })">Try</button>
<button id="notify" onclick="say(Notification.requestPermission())">Tell me</button>
<button id="colour" onclick="say(new EyeDropper().open())">Pick a colour</button>
<button id="on" onclick="log.textContent = 'goes on'">Go on</button>
<script>
const say = (promise) => promise.then((value) => { log.textContent = 'given ' + value }, (error) => { log.textContent = error.name });
const ask = (what) => say(navigator.credentials.get(what));
</script>)html");
  auto url = web().url("/asks");
  url.replace(url.find("127.0.0.1"), 9, "localhost");
  session.navigate(url);
  const auto check = [&](const char* id, const char* seen, const char* event) {
    CAPTURE(id);
    const auto answer = session.ok("browser_click", at(id));
    CHECK_THAT(answer.section("Snapshot"), Contains(seen));
    CHECK_THAT(answer.section("Events"), Contains(event));
    CHECK_THAT(session.ok("browser_click", at("#on")).section("Snapshot"), Contains("goes on"));
  };
  check("#digital", "NetworkError", "asked for a digital credential");
  check("#account", "NetworkError", "asked which account of another site");
  check("#colour", "AbortError", "asked for a colour to be picked");
  check("#notify", "given default", "asked for leave to send notifications");
  CHECK_FALSE(session.ok("browser_click", at("#silent")).says("account of another site"));
}

TEST_CASE("a page that asks to be printed: the answer says so", "[dialogs] [nav.after-action.asks]") {
  Session session;
  web().set_page("/prints",
                 "<title>Prints</title><button id=b onclick='print()'>Print</button><button id=c>Other</button>"
                 "<button id=d onclick='setTimeout(print)'>Later</button>");
  session.navigate(web().url("/prints"));
  for (const auto* id : {"#b", "#d"})
    CHECK_THAT(session.ok("browser_click", at(id)).section("Events"),
               Contains("asked to be printed") && Contains("browser_pdf_save"));
  CHECK_FALSE(session.ok("browser_click", at("#c")).says("printed"));
}
