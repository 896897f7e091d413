// --cdp-endpoint: a browser that somebody else started, and that goes on without us.
#include <algorithm>
#include <regex>

#include "browser/cdp/websocket_transport.h"
#include "tests/browser/support/users_browser.h"
#include "tests/support/stopwatch.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// A tab of the session's own, as the first call would take the one that is in front.
void open_own(Session& session) { session.ok("browser_tabs", {{"action", "new"}}); }

}  // namespace

TEST_CASE("attach: the tab in front becomes the current one with the first call that needs a tab, and stays",
          "[attach] [tool.attach]") {
  web();
  UsersBrowser mine("attach-front");
  const auto client = mine.client();
  const auto open = [&](const std::string& title) {
    const auto url = web().url("/plain?title=" + title);
    return client->call({}, "", "Target.createTarget", {{"url", url}}).value("targetId", "");
  };
  const auto front = open("Front");
  open("Behind");
  REQUIRE(eventually([&] { return mine.pages().size() == 3; }));
  client->call({}, "", "Target.activateTarget", {{"targetId", front}});
  const auto attached = [&] {
    const auto pages = mine.pages();
    return std::count_if(pages.begin(), pages.end(), [](const Json& page) { return page.value("attached", false); });
  };
  House house(attached_at(mine.http()));
  {
    Session session(house);
    // Looking at the list takes none.
    CHECK(session.ok("browser_tabs", {{"action", "list"}}).structured["tabs"].empty());
    CHECK(attached() == 0);
    const auto first = session.ok("browser_snapshot");
    CHECK_THAT(first.section("Page"), Contains("- Page Title: Front"));
    CHECK_THAT(first.section("Events"), Contains("in front in the browser (" + web().url("/plain?title=Front") + ")") &&
                                            Contains("is never closed"));
    CHECK(attached() == 1);
    CHECK(mine.pages().size() == 3);
    // Another session's first call doesn't get it too.
    Session other(house);
    other.navigate(web().url("/plain?title=Other"));
    CHECK(mine.pages().size() == 4);
    CHECK(session.evaluate("document.title") == "Front");
    // Closing it lets go of it; the next call opens a tab of its own.
    CHECK_THAT(session.ok("browser_tabs", {{"action", "close"}, {"index", 0}}).section("Result"),
               Contains("stays open"));
    CHECK(attached() == 1);  // the other's
    session.navigate(web().url("/plain?title=Own"));
    CHECK(mine.pages().size() == 5);
  }
  REQUIRE(eventually([&] { return mine.pages().size() == 3; }));
  {
    Session session(house);
    session.ok("browser_snapshot");
    session.ok("browser_close");
    CHECK(mine.pages().size() == 3);
    session.ok("browser_snapshot");  // not taken again unasked
    CHECK(mine.pages().size() == 4);
  }
  REQUIRE(eventually([&] { return mine.pages().size() == 3; }));
  CHECK(eventually([&] { return attached() == 0; }));
}

TEST_CASE("attach: by http and by ws; works as our own does; leaves the browser and its tabs alone",
          "[attach] [tool.attach]") {
  web();
  UsersBrowser mine("attach-basic");
  for (const auto& endpoint : {mine.http(), mine.http() + "/", mine.websocket()}) {
    CAPTURE(endpoint);
    {
      House house(attached_at(endpoint));
      Session session(house);
      open_own(session);
      check_landed(session, session.navigate(web().url("/plain?title=Ours")), web().url("/plain?title=Ours"));
      CHECK(mine.pages().size() == 2);
      session.navigate(web().url("/click-lab"));
      CHECK_THAT(session.snapshot(), Contains("[ref="));
      CHECK(session.scope().tabs().size() == 1);  // not the user's
      const auto large = session.ok("browser_take_screenshot");
      CHECK(large.content.size() == 2);
    }
    CHECK(mine.runs());
    REQUIRE(eventually([&] { return mine.pages().size() == 1; }));  // ours are closed
    CHECK(UsersBrowser::title_of(mine.pages()[0]) == "Mine");
  }
}

TEST_CASE("attach: the user's tab is listed, and driven once it is selected; it stays at the end",
          "[attach] [tool.attach]") {
  web();
  UsersBrowser mine("attach-select");
  {
    House house(attached_at(mine.http()));
    Session session(house);
    const auto listed = session.ok("browser_tabs", {{"action", "list"}});
    CHECK_THAT(listed.section("Open tabs"), Contains("not yours") && Contains("[Mine]"));
    CHECK(listed.structured["tabs"].empty());
    std::smatch match;
    const auto text = listed.section("Open tabs");
    REQUIRE(std::regex_search(text, match, std::regex("(other-[0-9A-F]+)")));
    session.ok("browser_tabs", {{"action", "select"}, {"tab", match[1].str()}});
    CHECK(session.scope().tabs().size() == 1);
    CHECK_THAT(session.snapshot(), Contains("Mine"));
    CHECK(session.href() == web().url("/plain?title=Mine"));
    check_landed(session, session.navigate(web().url("/iframes-cross-site")), web().url("/iframes-cross-site"));
    check_landed(session, session.ok("browser_navigate_back"), web().url("/plain?title=Mine"));
    CHECK_THAT(session.ok("browser_tabs", {{"action", "list"}}).text, !Contains("not yours"));
    CHECK_THAT(session.error("browser_tabs", {{"action", "select"}, {"tab", "other-00000000"}}).section("Error"),
               Contains("There is no tab"));
  }
  REQUIRE(mine.runs());
  REQUIRE(mine.pages().size() == 1);
  CHECK(UsersBrowser::title_of(mine.pages()[0]) == "Mine");
}

TEST_CASE("attach: a tab of ours that stands behind another one goes on drawing", "[attach] [tool.tab.drawn]") {
  web().set_page("/draws-attached",
                 "<!doctype html><button onclick='requestAnimationFrame(() => requestAnimationFrame(() => "
                 "out.append(document.visibilityState)))'>Draw</button><p id=out></p>");
  UsersBrowser mine("attach-draws");
  House house(attached_at(mine.http()));
  Session session(house);
  open_own(session);
  const auto first = session.navigate(web().url("/draws-attached")).structured["tab"].get<std::string>();
  open_own(session);
  CHECK_THAT(session.ok("browser_click", {{"target", "button"}, {"tab", first}}).section("Snapshot"),
             Contains(": visible"));
}

TEST_CASE("attach: a popup of our tab is told; a tab that the user opens isn't touched", "[attach]") {
  web();
  UsersBrowser mine("attach-popup");
  House house(attached_at(mine.http()));
  Session session(house);
  web().set_page("/attach-popup", "<button id=open onclick=\"window.open('/plain?title=Popped')\">open</button>");
  open_own(session);
  session.navigate(web().url("/attach-popup"));
  session.ok("browser_click", {{"target", "#open"}});
  REQUIRE(eventually([&] { return session.scope().tabs().size() == 2; }));
  const auto popup = session.scope().tabs()[1]["id"];
  CHECK(eventually([&] {
    return session.call("browser_evaluate", {{"function", "document.title"}, {"tab", popup}}).structured["value"] ==
           "Popped";
  }));
  {
    CdpConnection user(WebSocketTransport::connect({}, mine.websocket()));
    user.start([](const std::string&) {});
    user.call({}, "", "Target.createTarget", {{"url", web().url("/plain?title=Users")}});
    REQUIRE(eventually([&] { return mine.pages().size() == 4; }));
  }
  CHECK(session.scope().tabs().size() == 2);
}

TEST_CASE("attach: an isolated tab has none of the user's logins, and goes with its context",
          "[attach][isolated] [tool.isolated]") {
  web();
  UsersBrowser mine("attach-isolated");
  {
    House house(attached_at(mine.http()));
    Session session(house);
    open_own(session);
    session.navigate(web().url("/set-cookie?name=login&value=yes"));
    const auto opened =
        session.ok("browser_tabs", {{"action", "new"}, {"isolated", true}, {"url", web().url("/popup")}});
    const auto tab = opened.structured["tab"].get<std::string>();
    const auto cookie = [&](const std::string& in) {
      return session.ok("browser_evaluate", {{"function", "document.cookie"}, {"tab", in}}).structured["value"];
    };
    CHECK(cookie(tab) == "");
    CHECK(session.evaluate("document.cookie") == "login=yes");
    // What it opens is in its context too.
    session.ok("browser_click", {{"target", "#open"}, {"tab", tab}});
    REQUIRE(eventually([&] { return session.scope().tabs().size() == 3; }));
    const auto popup = session.scope().tabs()[2]["id"].get<std::string>();
    CHECK(popup.starts_with("i-"));
    CHECK(cookie(popup) == "");
    session.ok("browser_tabs", {{"action", "new"}});  // one of the own goes on being that
    CHECK(session.evaluate("1") == 1);
    CHECK(session.scope().tabs().size() == 4);
  }
  REQUIRE(mine.runs());
  REQUIRE(eventually([&] { return mine.pages().size() == 1; }));
  CHECK(UsersBrowser::title_of(mine.pages()[0]) == "Mine");
}

TEST_CASE("attach: a connection that is lost is told, and made anew", "[attach]") {
  web();
  UsersBrowser mine("attach-lost");
  House house(attached_at(mine.http()));
  Session session(house);
  open_own(session);
  session.navigate(web().url("/plain?title=Ours"));
  session.browser()->connection().close();  // as if the network had dropped it
  REQUIRE(eventually([&] { return session.browser() == nullptr; }));
  auto answer = session.call("browser_navigate", {{"url", web().url("/plain?again")}});
  if (answer.is_error) answer = session.ok("browser_navigate", {{"url", web().url("/plain?again")}});
  CHECK_THAT(answer.section("Events"), Contains("connection to the browser was lost") && Contains("connected anew"));
  CHECK_THAT(session.ok("browser_tabs", {{"action", "list"}}).section("Open tabs"), Contains("[Ours]"));  // honestly
  CHECK(mine.runs());
}

TEST_CASE("attach: the browser's end fails what runs, and the next call says what to do", "[attach]") {
  web();
  UsersBrowser mine("attach-ended");
  House house(attached_at(mine.http()));
  Session session(house);
  session.navigate(web().url("/plain"));
  auto running = session.start("browser_wait_for", {{"text", "nowhere"}, {"timeout", 60000}});
  const auto waiters = Tab::waiters();
  REQUIRE(eventually([&] { return Tab::waiters() > 0 || waiters > 0; }));
  const Stopwatch began;
  mine.end();
  const auto answer = running->get();
  CHECK(answer.is_error);
  CHECK(began.waited() < 2500ms);
  const auto next = session.error("browser_navigate", {{"url", web().url("/plain")}});
  CHECK_THAT(next.section("Error"), Contains("--cdp-endpoint") && Contains("--remote-debugging-port"));
  CHECK(next.waited < 8s);
}

TEST_CASE("attach: what is no browser is an error that says so, and repeats no secret", "[attach]") {
  const auto words = [](const std::string& endpoint) -> std::string {
    try {
      WebSocketTransport::connect(CallContext{}.within(5s), endpoint);
    } catch (const LaunchError& error) {
      return error.what();
    }
    return "connected";
  };
  CHECK_THAT(words(web().origin()), Contains("no browser's debugging port") && Contains(web().origin()));
  const auto host = web().origin().substr(7);
  CHECK_THAT(words("ws://" + host + "/plain?token=secret"),
             Contains("WebSocket handshake") && Contains("200") && !Contains("secret"));
  CHECK_THAT(words("ws://user:secret@" + host + "/reset"), !Contains("secret") && Contains("No browser answers"));
  CHECK_THAT(words("http://127.0.0.1:1"), Contains("No browser answers at --cdp-endpoint http://127.0.0.1:1"));
  for (const char* wrong : {"9222", "ftp://x", "", "http://"}) {
    CAPTURE(wrong);
    CHECK_THAT(words(wrong), Contains("--cdp-endpoint"));
  }
}

TEST_CASE("attach: an abort ends the wait for a browser that never answers", "[attach][abort]") {
  AbortController controller;
  CallContext ctx;
  ctx.signal = controller.signal();
  const auto host = web().origin().substr(7);
  auto connecting = std::async(std::launch::async, [&] {
    try {
      WebSocketTransport::connect(ctx, "ws://" + host + "/never?attach");
    } catch (const Aborted&) {
      return true;
    } catch (const std::exception&) {
    }
    return false;
  });
  REQUIRE(web().wait_for_request("/never?attach", kPatience));
  const Stopwatch began;
  controller.abort(AbortReason::client_cancelled);
  CHECK(connecting.get());
  CHECK(began.waited() < 1s);
}

TEST_CASE("attach: a tab whose page asks whether to leave is closed with its session", "[attach] [tool.attach]") {
  web();
  const bool asks_already = GENERATE(false, true);
  CAPTURE(asks_already);
  UsersBrowser mine(asks_already ? "asked" : "unasked");
  House house(attached_at(mine.http()));
  {
    Session session(house);
    open_own(session);
    session.navigate(web().url("/beforeunload"));
    session.ok("browser_click", {{"target", "#touch"}});
    if (asks_already)
      CHECK_THAT(session.ok("browser_click", {{"target", "#link"}}).section("Modal state"), Contains("beforeunload"));
  }
  CHECK(eventually([&] { return mine.pages().size() == 1; }));  // the user's own
}

TEST_CASE("attach: a tab that somebody reloads just then is closed with its session", "[attach] [tool.attach]") {
  web();
  UsersBrowser mine("reloaded");
  const auto client = mine.client();
  House house(attached_at(mine.http()));
  for (int round = 0; round < 8; ++round) {
    CAPTURE(round);
    {
      Session session(house);
      open_own(session);
      session.navigate(web().url("/plain"));
      const auto target = session.tab()->info().target_id;
      const Json attached = client->call({}, "", "Target.attachToTarget", {{"targetId", target}, {"flatten", true}});
      client->post(attached.at("sessionId").get<std::string>(), "Page.reload", Json::object());
    }
    REQUIRE(eventually([&] { return mine.pages().size() == 1; }));  // the user's own
  }
}

TEST_CASE("attach: a click that the browser drops is not told as one, and is repeated once it is let through",
          "[attach] [guard] [tool.actionable]") {
  web();
  UsersBrowser mine("attach-dropped");
  const auto client = mine.client();
  House house(attached_at(mine.http()));
  Session session(house);
  open_own(session);
  session.navigate(web().url("/click-lab"));
  std::string id;
  for (const Json& page : mine.pages()) {
    if (page.value("url", "").find("/click-lab") != std::string::npos) id = page.value("targetId", "");
  }
  const auto debugger =
      client->call({}, "", "Target.attachToTarget", {{"targetId", id}, {"flatten", true}}).value("sessionId", "");
  const auto drop = [&](bool on) { client->call({}, debugger, "Input.setIgnoreInputEvents", {{"ignore", on}}); };
  drop(true);
  const auto refused = session.error("browser_click", at("#counter"));
  CHECK_THAT(refused.section("Error"), Contains("drops what is pressed") && Contains("Nothing was clicked"));
  CHECK(session.text_of("#count") == "0");
  CHECK_THAT(session.error("browser_drag", {{"startTarget", "#counter"}, {"endTarget", "#count"}}).section("Error"),
             Contains("drops what is pressed") && Contains("Nothing was moved"));
  drop(false);
  session.ok("browser_click", at("#counter"));
  CHECK(session.text_of("#count") == "1");
}
