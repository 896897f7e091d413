// [nav.settle]: the outcomes end to end, and what surrounds it.
#include <csignal>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// A port that nobody listens on.
int closed_port() {
  const auto listener = site::listen_on_loopback(0);
  return site::local_port(listener.get());
}

}  // namespace

TEST_CASE("committed: URL, title, status, verdict, and the page itself",
          "[navigation] [nav.outcome.committed] [nav.verdict] [tool.structured]") {
  Session session;
  const auto answer = session.navigate(web().url("/plain?title=Hello"));
  check_landed(session, answer, web().url("/plain?title=Hello"));
  CHECK(answer.structured["status"] == 200);
  CHECK(answer.structured["title"] == "Hello");
  CHECK(answer.structured["tab"] == session.tab()->id());
  CHECK(answer.structured["settledMs"].get<long>() >= 0);
  CHECK_THAT(answer.section("Page"), matchers::Matches("[\\s\\S]*- Settled: load in \\d+ ms\n[\\s\\S]*"));
  CHECK_THAT(answer.section("Page"), !Contains("HTTP status"));
  CHECK_THAT(answer.section("Snapshot"), Contains("A plain page."));
  CHECK_THAT(answer.section("Snapshot"), Contains("[ref=") || Contains("heading \"Hello\""));
}

TEST_CASE("a page of any size comes with its snapshot, and no snapshot or search meets the cut of a result",
          "[navigation] [tool.snapshot.outline] [tool.snapshot.room] [tool.snapshot.cuts]") {
  constexpr std::size_t kShown = 7000;  // the budget of a new page, and the words around it
  Session session;
  const auto answer = in_time([&] { return session.navigate(web().url("/elements?n=10000")); },
                              [](const Answer& one) { return one.says("[ref="); });
  CHECK_THAT(answer.section("Snapshot"), Contains("[ref=") && Contains("more items") && Contains("(cut to 6,000 of "));
  CHECK(answer.text.size() < kShown);
  constexpr std::size_t kByWorth = 20'500;
  const auto asked = [&](const std::string& tool, const Json& args) {
    return in_time([&] { return session.call(tool, args); }, [](const Answer& one) { return !one.is_error; });
  };
  const auto snapshot = asked("browser_snapshot", Json::object());
  CHECK_THAT(snapshot.section("Snapshot"), Contains("(cut to 20,000 of "));
  CHECK(snapshot.section("Snapshot").size() < kByWorth);
  CHECK(snapshot.section("Snapshot").size() > kByWorth / 2);
  for (const auto& wanted :
       {Json{{"budget", 5500}}, Json{{"budget", 100'000}}, Json{{"boxes", true}}, Json{{"depth", 9}}}) {
    const auto more = asked("browser_snapshot", wanted);
    CAPTURE(wanted);
    CHECK_THAT(more.text, !Contains("(cut at ") && !Contains("### Error"));
    CHECK((wanted.value("budget", 0) == 100'000) == (more.text.find("so the budget was lowered") != std::string::npos));
  }
  const auto found = asked("browser_find", {{"regex", "."}});
  CHECK_THAT(found.text, !Contains("(cut at ") && !Contains("### Error"));
}

TEST_CASE("a bare host on this machine means http", "[navigation] [nav.policy.bare-host]") {
  Session session;
  const auto answer = session.ok("browser_navigate", {{"url", "127.0.0.1:" + std::to_string(web().port()) + "/plain"}});
  check_landed(session, answer, web().url("/plain"));
}

TEST_CASE("statuses with a body are pages, and say their status", "[navigation] [nav.outcome.committed]") {
  Session session;
  for (std::string said : {"404 Not Found", "403 Status", "500 Internal Server Error", "503 Service Unavailable"}) {
    const auto url = web().url("/status/" + said.substr(0, 3));
    const auto answer = session.navigate(url);
    check_landed(session, answer, url);
    CHECK(answer.structured["status"] == std::stoi(said));
    CHECK_THAT(answer.section("Page"), Contains("- HTTP status: " + said + "\n"));
    CHECK_THAT(answer.section("Snapshot"), Contains("A body of its own."));
  }
}

TEST_CASE("redirects: all hops in order, one commit", "[navigation] [nav.redirects]") {
  Session session;
  SECTION("one") {
    check_landed(session, session.navigate(web().url("/redirect?to=/plain")), web().url("/plain"),
                 {web().url("/redirect?to=/plain")});
  }
  SECTION("each kind of status") {
    for (const int status : {301, 303, 307, 308}) {
      const auto from = web().url("/redirect?to=/plain&status=" + std::to_string(status));
      check_landed(session, session.navigate(from), web().url("/plain"), {from});
    }
  }
  SECTION("a chain") {
    check_landed(
        session, session.navigate(web().url("/redirect-chain?n=3")), web().url("/redirect-chain?n=0"),
        {web().url("/redirect-chain?n=3"), web().url("/redirect-chain?n=2"), web().url("/redirect-chain?n=1")});
  }
  SECTION("to another origin: success, both ends named") {
    const auto from = web().url("/cross-redirect?path=/plain");
    const auto answer = session.navigate(from);
    check_landed(session, answer, web().other_url("/plain"), {from});
  }
  SECTION("A to B to A") {
    const auto answer = session.navigate(web().url("/aba"));
    check_landed(session, answer, web().url("/plain?title=ABA&text=Back+at+the+first+origin."),
                 {web().url("/aba"), web().other_url("/aba?hop=1")});
  }
}

TEST_CASE("same_document: a fragment of the page that is there", "[navigation] [nav.outcome.same-document]") {
  Session session;
  session.navigate(web().url("/hash"));
  const auto marked = session.evaluate("() => { window.mark = 1; return 1 }");
  check_landed(session, session.navigate(web().url("/hash#one")), web().url("/hash#one"), {}, "same_document");
  check_landed(session, session.navigate(web().url("/hash#two")), web().url("/hash#two"), {}, "same_document");
  CHECK(session.evaluate("window.mark") == marked);
  CHECK(session.text_of("#current") == "#two");
}

TEST_CASE("timeout: the words of the contract; the tab stays and keeps loading",
          "[navigation] [nav.outcome.timeout] [nav.timeout]") {
  Session session;
  session.navigate(web().url("/plain"));
  const auto url = web().url("/never?timeout");
  const auto answer = session.error("browser_navigate", {{"url", url}, {"timeout", 300}});
  CHECK_THAT(answer.text,
             Contains("browser_navigate: navigation did not commit to " + web().origin() + " within 0.3s (timeout)"));
  CHECK(answer.structured["outcome"] == "timeout");
  CHECK(answer.structured["url"] == web().url("/plain"));  // not the pending one
  CHECK(answer.waited < 3s);
  CHECK(web().open_connections("/never?timeout") == 1);

  const auto list = session.ok("browser_tabs", {{"action", "list"}});
  CHECK(list.waited < 1s);
  REQUIRE(list.structured["tabs"].size() == 1);
  CHECK(list.structured["tabs"][0]["url"] == web().url("/plain"));

  web().release("/never");
  wait_committed(session, url);
  CHECK(session.href() == url);
}

TEST_CASE("origin_mismatch: names both; a matching origin is fine", "[navigation] [nav.outcome.origin-mismatch]") {
  Session session;
  const auto from = web().url("/cross-redirect?path=/plain");
  const auto answer = session.error("browser_navigate", {{"url", from}, {"expectOrigin", web().origin()}});
  CHECK(answer.structured["outcome"] == "origin_mismatch");
  CHECK_THAT(answer.section("Error"), Contains(web().origin()) && Contains(web().other_origin()));
  CHECK(answer.structured["url"] == web().other_url("/plain"));
  check_landed(session, session.ok("browser_navigate", {{"url", from}, {"expectOrigin", web().other_origin() + "/"}}),
               web().other_url("/plain"), {from});
  CHECK_THAT(session.error("browser_navigate", {{"url", from}, {"expectOrigin", "nonsense"}}).text,
             Contains("expectOrigin"));
}

TEST_CASE("net_error: named with the URL, at once; the next page is not taken for the error page",
          "[navigation] [nav.outcome.net-error] [nav.error-page] [nav.http-auth]") {
  Session session;
  const auto refused = "http://127.0.0.1:" + std::to_string(closed_port()) + "/";
  const std::vector<std::pair<std::string, std::string>> cases{
      {refused, "net::ERR_CONNECTION_REFUSED"},
      {web().url("/reset"), "net::ERR_"},
      {"http://127.0.0.1:1/", "net::ERR_UNSAFE_PORT"},
      {web().url("/redirect-loop"), "net::ERR_TOO_MANY_REDIRECTS"},
      {web().url("/empty-500"), "net::ERR_HTTP_RESPONSE_CODE_FAILURE"},
      {web().url("/auth"), "net::ERR_INVALID_AUTH_CREDENTIALS"},
  };
  int round = 0;
  for (const auto& [url, error] : cases) {
    const auto answer = session.error("browser_navigate", {{"url", url}});
    CAPTURE(url, answer.text);
    CHECK(answer.structured["outcome"] == "net_error");
    CHECK_THAT(answer.section("Error"), Contains(error) && Contains(url));
    CHECK(answer.waited < 4s);
    const auto next = web().url("/plain?n=" + std::to_string(round++));
    check_landed(session, session.navigate(next), next);
  }
}

TEST_CASE("no_content: an error that says so, the page unchanged", "[navigation] [nav.outcome.no-content]") {
  Session session;
  session.navigate(web().url("/plain?title=Before"));
  for (const char* path : {"/no-content", "/reset-content"}) {
    const auto answer = session.error("browser_navigate", {{"url", web().url(path)}});
    CHECK(answer.structured["outcome"] == "no_content");
    CHECK(answer.structured["url"] == web().url("/plain?title=Before"));
    CHECK_THAT(answer.section("Error"), Contains("unchanged") && Contains(web().url(path)));
    CHECK(session.href() == web().url("/plain?title=Before"));
  }
}

TEST_CASE("download: reported as one, the page unchanged", "[navigation] [nav.outcome.download]") {
  Session session;
  session.navigate(web().url("/plain?title=Before"));
  const auto answer = session.ok("browser_navigate", {{"url", web().url("/download?name=a.bin")}});
  CHECK(answer.structured["outcome"] == "download");
  CHECK(answer.structured["url"] == web().url("/plain?title=Before"));
  CHECK_THAT(answer.section("Result"), Contains("download"));
  CHECK(session.href() == web().url("/plain?title=Before"));
}

TEST_CASE("dialog: beforeunload holds the navigation; accepting or dismissing decides it",
          "[navigation] [nav.outcome.dialog]") {
  Session session;
  session.navigate(web().url("/beforeunload"));
  session.ok("browser_click", {{"target", "#touch"}});
  const auto held = session.error("browser_navigate", {{"url", web().url("/plain?title=Left")}});
  CHECK(held.structured["outcome"] == "dialog");
  CHECK(held.waited < 4s);
  CHECK_THAT(held.section("Modal state"), Contains("beforeunload"));
  CHECK_THAT(held.section("Error"), Contains("browser_handle_dialog"));
  SECTION("accepted: it goes on") {
    session.ok("browser_handle_dialog", {{"accept", true}});
    wait_committed(session, web().url("/plain?title=Left"));
    CHECK_THAT(session.snapshot(), Contains("heading \"Left\""));
  }
  SECTION("dismissed: the page stays") {
    const auto answer = session.ok("browser_handle_dialog", {{"accept", false}});
    CHECK_THAT(answer.section("Page"), Contains(web().url("/beforeunload")));
    CHECK(session.text_of("#out") == "touched");
  }
}

TEST_CASE("superseded: names what took over", "[navigation] [nav.outcome.superseded]") {
  Session session;
  session.navigate(web().url("/plain"));
  auto running = session.start("browser_navigate", {{"url", web().url("/never?superseded")}, {"timeout", 15000}});
  REQUIRE(web().wait_for_request("/never?superseded", kPatience));
  session.tab()->session().post("Page.navigate", {{"url", web().url("/plain?title=Other")}});
  const auto answer = running->get();
  CAPTURE(answer.text);
  CHECK(answer.is_error);
  CHECK(answer.structured["outcome"] == "superseded");
  CHECK_THAT(answer.section("Error"), Contains(web().url("/plain?title=Other")));
}

TEST_CASE("tab_gone: closing isn't queued behind the navigation, which fails at once",
          "[navigation] [nav.outcome.tab-gone] [nav.hanging]") {
  Session session;
  const auto tab = session.navigate(web().url("/plain")).structured["tab"];
  auto running = session.start("browser_navigate", {{"url", web().url("/never?gone")}, {"timeout", 15000}});
  REQUIRE(web().wait_for_request("/never?gone", kPatience));
  const auto closing = session.ok("browser_tabs", {{"action", "close"}, {"tab", tab}});
  CHECK(closing.waited < 2s);
  const Stopwatch closed_at;
  const auto answer = running->get();
  CHECK(closed_at.waited() < 1s);
  CAPTURE(answer.text);
  CHECK(answer.is_error);
  CHECK(answer.structured["outcome"] == "tab_gone");
  CHECK_THAT(answer.section("Error"), Contains(tab.get<std::string>()));
  CHECK(web().wait_for_hangup("/never?gone", kPatience));
}

TEST_CASE("crashed: said within a second, shown in the list; a navigation or a reload revives the tab",
          "[navigation] [nav.outcome.crashed]") {
  Session session;
  session.navigate(web().url("/plain?title=Doomed"));
  const auto crash = [&] {
    session.tab()->session().post("Page.crash");
    REQUIRE(eventually([&] { return session.tab()->state().crashed; }));
  };
  crash();
  CHECK(session.ok("browser_tabs", {{"action", "list"}}).structured["tabs"][0]["crashed"] == true);
  const auto refused = session.error("browser_snapshot");
  CHECK_THAT(refused.text, Contains("crash"));
  CHECK(refused.waited < 1s);
  SECTION("navigate") {
    check_landed(session, session.navigate(web().url("/plain?title=Alive")), web().url("/plain?title=Alive"));
  }
  SECTION("reload") { check_landed(session, session.ok("browser_reload"), web().url("/plain?title=Doomed")); }
  CHECK(session.ok("browser_tabs", {{"action", "list"}}).structured["tabs"][0]["crashed"] == false);
}

TEST_CASE("crashed: a navigation on its way ends within a second, as a crash", "[navigation] [nav.outcome.crashed]") {
  House house;
  Session session(house);
  session.navigate(web().url("/plain"));
  session.navigate(web().url("/plain?second"));
  const std::string tool = GENERATE("browser_navigate", "browser_reload");
  std::atomic<int> visits{0};
  web().set_handler("/crash", [&](const site::Request&, site::Response& response) {
    response.set_header("Cache-Control", "no-store");
    if (++visits > (tool == "browser_reload" ? 1 : 0) && !response.hold()) return;
    response.html("<p>crash</p>");
  });
  if (tool == "browser_reload") session.navigate(web().url("/crash"));
  Json args{{"timeout", 15000}};
  if (tool == "browser_navigate") args["url"] = web().url("/crash");
  auto running = session.start(tool, args);
  REQUIRE(eventually([&] { return web().open_connections("/crash") == 1; }));
  // A pending navigation holds Page.crash back: the renderers are killed from outside.
  const Json processes = session.browser()->connection().call({}, "", "SystemInfo.getProcessInfo", {});
  for (const auto& process : processes["processInfo"]) {
    if (process["type"] == "renderer") ::kill(process["id"].get<pid_t>(), SIGKILL);
  }
  const Stopwatch killed_at;
  const auto answer = running->get();
  CAPTURE(answer.text);
  CHECK(killed_at.waited() < 1s);
  CHECK(answer.is_error);
  CHECK(answer.structured["outcome"] == "crashed");
  CHECK_THAT(answer.section("Error"), Contains("crash"));
  check_landed(session, session.navigate(web().url("/plain?n=2")), web().url("/plain?n=2"));
}

TEST_CASE("blocked: an error at once, no tab, no browser", "[navigation] [nav.outcome.blocked]") {
  House house;
  Session session(house);
  for (const char* url :
       {"chrome://settings", "javascript:alert(1)", "file:///etc/passwd", "mailto:a@b.c", "view-source:http://a.b/",
        "blob:http://a.b/c", "ftp://a.b/", "about:config", "devtools://x", "/relative", "http://", "foo:bar"}) {
    CAPTURE(url);
    const auto answer = session.error("browser_navigate", {{"url", url}});
    CHECK(answer.waited < 500ms);
    CHECK(session.error("browser_tabs", {{"action", "new"}, {"url", url}}).waited < 500ms);
  }
  CHECK(session.browser() == nullptr);
  CHECK(session.scope().tabs().empty());
}

TEST_CASE("waitUntil decides what the call waits for", "[navigation] [nav.wait-until]") {
  Session session;
  SECTION("commit: nothing more") {
    const auto url = web().url("/never-body?commit");
    const auto answer = session.ok("browser_navigate", {{"url", url}, {"waitUntil", "commit"}});
    CHECK(answer.structured["url"] == url);
    CHECK_THAT(answer.section("Page"), Contains("- Settled: commit in "));
    CHECK(web().open_connections("/never-body?commit") == 1);
  }
  SECTION("domcontentloaded: not the pictures") {
    const auto answer = session.ok("browser_navigate",
                                   {{"url", web().url("/with-never-image?dcl")}, {"waitUntil", "domcontentloaded"}});
    CHECK(answer.waited < 1800ms);
    CHECK_THAT(answer.section("Page"),
               Contains("- Settled: domcontentloaded in ") && Contains("still loading: 1 request"));
  }
  SECTION("load: what comes in time is waited for") {
    const auto answer = session.navigate(web().url("/with-slow-image?ms=400"));
    CHECK_THAT(answer.section("Page"), Contains("- Settled: load in "));
    CHECK(session.text_of("#state") == "loaded");
  }
  SECTION("load: at most 2 s more, then it is said what still loads") {
    const auto answer = session.navigate(web().url("/with-never-image?load"));
    CHECK(answer.took >= 1900ms);
    CHECK(answer.waited < 5s);
    CHECK_THAT(answer.section("Page"),
               Contains("- Settled: domcontentloaded in ") && Contains("still loading: 1 request"));
    CHECK_THAT(answer.section("Snapshot"), Contains("button \"Ready\""));
  }
  SECTION("networkidle") {
    const auto answer =
        session.ok("browser_navigate", {{"url", web().url("/plain?idle")}, {"waitUntil", "networkidle"}});
    CHECK_THAT(answer.section("Page"), Contains("- Settled: networkidle in "));
  }
}

TEST_CASE("a slow page, and one whose body is slow, are waited for", "[navigation] [nav.timeout] [nav.settled]") {
  Session session;
  check_landed(session, session.navigate(web().url("/slow?ms=300")), web().url("/slow?ms=300"));
  const auto body = session.navigate(web().url("/slow-body?ms=300"));
  check_landed(session, body, web().url("/slow-body?ms=300"));
  CHECK_THAT(body.section("Snapshot"), Contains("The body came in the end."));
}

TEST_CASE("where the page leads on at once is followed to its end", "[navigation] [nav.follow]") {
  Session session;
  const auto to = [](const std::string& rest) { return web().url(rest); };
  for (const std::string& path :
       {std::string("/js-redirect?how=href&to=/plain"), std::string("/js-redirect?how=replace&to=/plain"),
        std::string("/js-redirect?how=assign&to=/plain"), std::string("/js-redirect?how=onload&to=/plain"),
        std::string("/js-redirect?how=settimeout&to=/plain"), std::string("/meta-refresh?s=0&to=/plain"),
        std::string("/header-refresh?s=0&to=/plain")}) {
    CAPTURE(path);
    check_landed(session, session.navigate(to(path)), to("/plain"), {to(path)});
  }
  const auto slow = session.navigate(to("/js-redirect?how=href&to=/slow?ms=500"));
  check_landed(session, slow, to("/slow?ms=500"), {to("/js-redirect?how=href&to=/slow?ms=500")});
  CHECK_THAT(slow.section("Snapshot"), Contains("It came in the end."));
  const auto meta = session.navigate(to("/meta-refresh?s=0&to=/slow?ms=400"));
  check_landed(session, meta, to("/slow?ms=400"), {to("/meta-refresh?s=0&to=/slow?ms=400")});
}

TEST_CASE("data: and about:blank", "[navigation]") {
  Session session;
  const auto answer = session.ok("browser_navigate", {{"url", "data:text/html,<title>D</title><p>data page"}});
  CHECK(answer.structured["title"] == "D");
  CHECK_THAT(answer.section("Snapshot"), Contains("data page"));
  check_landed(session, session.navigate("about:blank"), "about:blank");
}

// --- the second guard

TEST_CASE("a long data: URL is told by its beginning", "[navigate] [nav.verdict]") {
  Session session;
  const auto url = "data:text/html,<title>Data</title><p>" + std::string(3000, 'x');
  const auto answer = session.navigate(url);
  CHECK_THAT(answer.section("Page"), Contains("data:text/html") && Contains("characters)"));
  CHECK(answer.section("Page").size() < 500);
  CHECK_THAT(session.ok("browser_tabs", {{"action", "list"}}).section("Open tabs"), Contains("characters)"));
  CHECK(session.href().size() > 3000);
}
