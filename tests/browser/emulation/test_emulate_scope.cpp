// How far browser_emulate reaches: frames, workers, popups, requests, crashes; and what it keeps to itself
// [tool.emulate.everywhere].
#include <algorithm>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

std::string emulate_tab(Session& session, const Json& args = Json::object()) {
  return session.ok("browser_emulate", args).section("Result");
}

void open_scoped(Session& session, const std::string& path,
                 const std::string& html = "<!doctype html><title>Page</title>") {
  web().set_page(path, html);
  session.navigate(web().url(path));
}

std::string request_header(const site::RequestRecord& request, const std::string& name) {
  const auto* value = site::find_header(request.headers, name);
  return value == nullptr ? "" : *value;
}

// A page that wants to know who is there: "user:password" in base64 as its text, or 401.
void ask_who(const std::string& path, const std::string& right) {
  web().set_handler(path, [right](const site::Request& request, site::Response& response) {
    const auto* given = request.header("authorization");
    if (given != nullptr && *given == right) return response.html("<title>Inside</title>welcome");
    response.status = 401;
    response.set_header("www-authenticate", "Basic realm=\"inside\"");
    response.html("<title>Outside</title>who is there?");
  });
}

constexpr const char* kRightAnswer = "Basic bWU6czNzYW1l";  // me:s3same

// Of a tab that the page has opened, once it has loaded.
std::string popup_by(Session& session, const std::string& script, const std::string& path) {
  const auto before = session.scope().listed_tabs().size();
  session.evaluate(script);
  REQUIRE(eventually([&] { return session.scope().listed_tabs().size() > before; }));
  const auto tab = session.scope().listed_tabs().back();
  REQUIRE(eventually([&] { return tab->state().url.ends_with(path) && tab->state().loaded; }));
  return tab->id();
}

Json evaluate_in(Session& session, const std::string& tab, const std::string& function) {
  return session.ok("browser_evaluate", {{"tab", tab}, {"function", function}}).structured["value"];
}

constexpr const char* kWhatIsSeen =
    "() => [navigator.userAgent, navigator.platform, Intl.DateTimeFormat().resolvedOptions().timeZone, "
    "Intl.DateTimeFormat().resolvedOptions().locale, matchMedia('(prefers-color-scheme: dark)').matches]";
const Json kEmulated{{"userAgent", "Mozilla/5.0 (iPhone) Test"},
                     {"timezone", "Asia/Tokyo"},
                     {"locale", "fr-FR"},
                     {"colorScheme", "dark"},
                     {"headers", {{"X-Team", "blue"}}}};
const Json kEmulatedSeen = Json::array({"Mozilla/5.0 (iPhone) Test", "iPhone", "Asia/Tokyo", "fr-FR", true});

}  // namespace

TEST_CASE("emulate: a popup has it from its first request on, and a change reaches it", "[tool.emulate.everywhere]") {
  Session session;
  open_scoped(session, "/opener");
  web().set_page("/popup-emulated", "<!doctype html><script>window.first = navigator.userAgent</script>");
  emulate_tab(session, kEmulated);
  for (const char* script :
       {"() => { window.open('/popup-emulated') }", "() => { window.open('/popup-emulated', '', 'noopener') }"}) {
    INFO(script);
    web().reset_log();
    const auto popup = popup_by(session, script, "/popup-emulated");
    const auto requests = web().requests("/popup-emulated");
    REQUIRE_FALSE(requests.empty());
    CHECK(request_header(requests.front(), "user-agent") == kEmulatedSeen[0].get<std::string>());
    CHECK(request_header(requests.front(), "x-team") == "blue");
    CHECK(evaluate_in(session, popup, kWhatIsSeen) == kEmulatedSeen);
    CHECK(evaluate_in(session, popup, "() => window.first") == kEmulatedSeen[0]);
    CHECK_THAT(session.ok("browser_emulate", {{"tab", popup}}).text, Contains("- headers: X-Team"));
    // From the popup, though its opener's process has the timezone.
    session.ok("browser_emulate", {{"tab", popup}, {"timezone", "Europe/Berlin"}, {"locale", "de-DE"}});
    for (const char* tab : {"", popup.c_str()}) {
      const auto seen = session.ok("browser_evaluate", {{"tab", popup}, {"function", kWhatIsSeen}}).structured["value"];
      INFO(tab);
      CHECK(seen[2] == "Europe/Berlin");
      CHECK(seen[3] == "de-DE");
    }
    CHECK(session.evaluate(kWhatIsSeen)[2] == "Europe/Berlin");
    emulate_tab(session, {{"timezone", "Asia/Tokyo"}, {"locale", "fr-FR"}});
    CHECK(evaluate_in(session, popup, kWhatIsSeen) == kEmulatedSeen);
    session.ok("browser_tabs", {{"action", "close"}, {"index", 1}});
  }
}

TEST_CASE("emulate: a popup keeps it when its opener is closed", "[tool.emulate.everywhere]") {
  Session session;
  open_scoped(session, "/opener");
  web().set_page("/popup-left", "<!doctype html><title>Left</title>");
  emulate_tab(session, kEmulated);
  const auto popup = popup_by(session, "() => { window.open('/popup-left') }", "/popup-left");
  session.ok("browser_tabs", {{"action", "close"}, {"index", 0}});
  REQUIRE(eventually([&] { return evaluate_in(session, popup, kWhatIsSeen) == kEmulatedSeen; }));
  session.ok("browser_navigate", {{"tab", popup}, {"url", web().url("/popup-left")}});
  CHECK(evaluate_in(session, popup, kWhatIsSeen) == kEmulatedSeen);
}

TEST_CASE("emulate: a popup keeps it when its opener goes to another process", "[tool.emulate.everywhere]") {
  Session session;
  open_scoped(session, "/opener");
  web().set_page("/popup-stays", "<!doctype html><title>Stays</title>");
  web().set_page("/elsewhere", "<!doctype html><title>Elsewhere</title>");
  emulate_tab(session, kEmulated);
  const auto popup = popup_by(session, "() => { window.open('/popup-stays') }", "/popup-stays");
  session.ok("browser_tabs", {{"action", "select"}, {"index", 0}});
  session.navigate(web().cross_site_url("/elsewhere"));
  CHECK(session.evaluate(kWhatIsSeen) == kEmulatedSeen);
  CHECK(eventually([&] { return evaluate_in(session, popup, kWhatIsSeen) == kEmulatedSeen; }));
}

TEST_CASE("emulate: frames of other processes, workers, a reload and a crash", "[tool.emulate.everywhere]") {
  Session session;
  web().set_page("/inner-emulated", "<!doctype html><title>Inner</title>");
  open_scoped(session, "/outer-emulated",
              "<!doctype html><iframe src='" + web().cross_site_url("/inner-emulated") + "'></iframe>");
  const auto frames = [&] { return session.tab()->frames_below_main(); };
  REQUIRE(eventually([&] { return frames().size() == 1; }));
  const auto in_frame = [&] {
    const auto frame = session.tab()->frame(frames().at(0));
    return session.tab()
        ->call(CallContext{}.within(kPatience), "Runtime.evaluate",
               {{"expression", std::string("(") + kWhatIsSeen + ")()"},
                {"returnByValue", true},
                {"uniqueContextId", frame->main_world}},
               kPatience, frame->session)
        .at("result")
        .at("value");
  };
  emulate_tab(session, kEmulated);  // of a frame that is there
  CHECK(in_frame() == kEmulatedSeen);
  CHECK(session.evaluate(kWhatIsSeen) == kEmulatedSeen);
  web().reset_log();
  session.ok("browser_reload");  // of one that comes
  REQUIRE(
      eventually([&] { return frames().size() == 1 && !session.tab()->frame(frames().at(0))->main_world.empty(); }));
  CHECK(in_frame() == kEmulatedSeen);
  REQUIRE_FALSE(web().requests("/inner-emulated").empty());
  CHECK(request_header(web().requests("/inner-emulated").back(), "x-team") == "blue");
  CHECK(request_header(web().requests("/inner-emulated").back(), "user-agent") == kEmulatedSeen[0].get<std::string>());

  web().set_page("/from-worker", "x");
  const auto in_worker =
      session.evaluate("() => new Promise((resolve) => { const code = `fetch('" + web().url("/from-worker") +
                       "').then(() => postMessage([navigator.userAgent, "
                       "Intl.DateTimeFormat().resolvedOptions().timeZone]))`; new Worker(URL.createObjectURL(new "
                       "Blob([code]))).onmessage = (e) => resolve(e.data) })");
  CHECK(in_worker == Json::array({kEmulatedSeen[0], kEmulatedSeen[2]}));
  CHECK(request_header(web().requests("/from-worker").back(), "x-team") == "blue");

  session.tab()->post("Page.crash", Json::object());
  REQUIRE(eventually([&] { return session.tab()->state().crashed; }));
  session.navigate(web().url("/outer-emulated"));
  CHECK(session.evaluate(kWhatIsSeen) == kEmulatedSeen);
}

TEST_CASE("emulate: two sessions, and two tabs of one, don't share it", "[tool.emulate]") {
  Session one, other;
  open_scoped(one, "/mine");
  open_scoped(other, "/mine");
  emulate_tab(one, kEmulated);
  emulate_tab(one, {{"permissions", {"geolocation"}}});
  CHECK(other.evaluate(kWhatIsSeen)[2] != "Asia/Tokyo");
  CHECK(other.evaluate(kWhatIsSeen)[4] == false);
  CHECK(other.evaluate("async () => (await navigator.permissions.query({ name: 'geolocation' })).state") == "prompt");
  CHECK_THAT(emulate_tab(other), Contains("Nothing is emulated"));
  one.ok("browser_tabs", {{"action", "new"}});
  one.navigate(web().url("/mine"));
  CHECK(one.evaluate(kWhatIsSeen)[0] != kEmulatedSeen[0]);
  CHECK(request_header(web().requests("/mine").back(), "x-team").empty());
}

TEST_CASE("emulate: headers go with every request until they are reset, and no result tells their values",
          "[tool.emulate.secrets]") {
  Session session;
  open_scoped(session, "/with-headers");
  web().set_handler("/cross-headers", [](const site::Request&, site::Response& response) {
    response.set_header("access-control-allow-origin", "*");
    response.set_header("access-control-allow-headers", "*");
    response.text("x");
  });
  const auto answer = session.ok("browser_emulate", {{"headers", {{"X-Team", "blue"}, {"X-Api-Key", "k-s3cret"}}}});
  CHECK_THAT(answer.text, Contains("- headers: X-Api-Key, X-Team") && !Contains("s3cret"));
  CHECK(answer.structured.dump().find("s3cret") == std::string::npos);
  session.ok("browser_reload");
  CHECK(request_header(web().requests("/with-headers").back(), "x-api-key") == "k-s3cret");
  session.evaluate("async () => (await fetch('" + web().cross_site_url("/cross-headers") + "')).status");
  CHECK(request_header(web().requests("/cross-headers").back(), "x-team") == "blue");
  CHECK(session.ok("browser_network_requests").text.find("s3cret") == std::string::npos);
  CHECK(session.ok("browser_network_request", {{"index", 1}}).text.find("s3cret") == std::string::npos);
  emulate_tab(session, {{"headers", nullptr}});
  session.ok("browser_reload");
  CHECK(request_header(web().requests("/with-headers").back(), "x-team").empty());
}

TEST_CASE("emulate: credentials answer the origin that they are for, and no other", "[tool.emulate.credentials]") {
  ask_who("/inside", kRightAnswer);
  ask_who("/other-inside", kRightAnswer);
  web().set_handler("/to-other", [](const site::Request& request, site::Response& response) {
    response.redirect(request.cross_site + "/other-inside");
  });
  OriginRules lists({}, {"http://blocked.example"});
  BrowserSettings with_lists;
  with_lists.launch.origins = lists;
  House listed(with_lists);
  for (House* house : {&House::shared(), &listed}) {
    INFO("with lists: " << (house == &listed));
    Session session(*house);
    session.navigate(web().url("/plain"));
    web().reset_log();
    const auto answer = session.ok("browser_emulate", {{"credentials", {{"username", "me"}, {"password", "s3same"}}}});
    CHECK_THAT(answer.text, Contains("- credentials: for " + web().origin() + " alone") && !Contains("s3same"));
    CHECK(answer.structured.dump().find("s3same") == std::string::npos);
    session.navigate(web().url("/inside"));
    CHECK(session.evaluate("document.title") == "Inside");
    CHECK(session.evaluate("async () => (await fetch('/inside')).status") == 200);
    // Another site that asks is told nothing, also where the one that is known sends it there.
    for (const auto& url : {web().cross_site_url("/other-inside"), web().url("/to-other")}) {
      INFO(url);
      session.call("browser_navigate", {{"url", url}});
      for (const auto& request : web().requests("/other-inside"))
        CHECK(request_header(request, "authorization").empty());
      CHECK_FALSE(web().requests("/other-inside").empty());
    }
    // A wrong one is given once.
    session.navigate(web().url("/plain"));
    ask_who("/inside-2", "Basic bm9ib2R5");
    emulate_tab(session,
                {{"credentials", {{"username", "wrong"}, {"password", "x"}, {"origin", web().other_origin()}}}});
    web().reset_log();
    session.call("browser_navigate", {{"url", web().other_url("/inside-2")}});
    CHECK(web().requests("/inside-2").size() == 2);
    session.navigate(web().other_url("/plain"));
    CHECK(session.evaluate("async () => (await fetch('/inside-2')).status") == 401);
    CHECK_THAT(emulate_tab(session, {{"credentials", nullptr}}), Contains("keeps a login"));
    session.navigate(web().url("/plain"));
  }
}

TEST_CASE("emulate: an abort leaves what was there, and says so", "[tool.emulate.whole] [cancel.browser]") {
  Session session;
  open_scoped(session, "/busy-emulated");
  emulate_tab(session, {{"colorScheme", "dark"}});
  const auto before = emulate_tab(session);
  // The page answers nothing while it is busy, so the change waits for it.
  session.evaluate(
      "() => { setTimeout(() => { const end = performance.now() + 2500; while (performance.now() < end); window.freed "
      "= "
      "true }, 50) }");
  const auto tab = session.tab();
  const auto busy =
      tab->send("Runtime.evaluate", {{"expression", "new Promise((r) => setTimeout(r, 60))"}, {"awaitPromise", true}});
  auto change = session.start("browser_emulate", {{"colorScheme", "light"}, {"headers", {{"X-Team", "blue"}}}});
  REQUIRE(eventually([&] { return tab->emulation() && tab->emulation()->color_scheme == "light"; }));
  const auto answer = change->abort_and_get();
  CHECK(answer.aborted);
  CHECK(tab->emulation()->color_scheme == "dark");
  const auto after = session.ok("browser_emulate");
  CHECK_THAT(after.section("Result"), matchers::StartsWith(before));
  CHECK_THAT(after.text, Contains("all is as before"));
  REQUIRE(eventually([&] { return session.evaluate("window.freed === true") == true; }));
  CHECK(session.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches") == true);
  session.ok("browser_reload");
  CHECK(request_header(web().requests("/busy-emulated").back(), "x-team").empty());
}

TEST_CASE("emulate: what is emulated ends with the browser", "[tool.emulate]") {
  House house;
  Session session(house);
  open_scoped(session, "/ended");
  emulate_tab(session, {{"colorScheme", "dark"}, {"permissions", {"geolocation"}}});
  session.browser()->connection().post("", "Browser.close", Json::object());
  REQUIRE(eventually([browser = session.browser()] { return !browser->alive(); }));
  CHECK_THAT(emulate_tab(session), Contains("Nothing is emulated"));
}
