// What pages see of browser_emulate [tool.emulate].
#include <algorithm>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

std::string emulate_here(Session& session, const Json& args = Json::object()) {
  return session.ok("browser_emulate", args).section("Result");
}

std::string emulate_error(Session& session, const Json& args) {
  return session.error("browser_emulate", args).section("Error");
}

constexpr const char* kPhonePage =
    "<!doctype html><meta name=viewport content='width=device-width'><title>Page</title>";

void open_emulated(Session& session, const std::string& path = "/emulated", const std::string& html = kPhonePage) {
  web().set_page(path, html);
  session.navigate(web().url(path));
}

std::string last_header(const std::string& path, const std::string& name) {
  const auto requests = web().requests(path);
  REQUIRE_FALSE(requests.empty());
  const auto* value = site::find_header(requests.back().headers, name);
  return value == nullptr ? "" : *value;
}

bool media_matches(Session& session, const std::string& query) {
  return session.evaluate("() => matchMedia('" + query + "').matches").get<bool>();
}

}  // namespace

TEST_CASE("emulate: a phone is what the page's own scripts and its site see", "[tool.emulate] [tool.emulate.device]") {
  Session session;
  open_emulated(session);
  const auto told = emulate_here(session, {{"device", "pixel 7"}});
  CHECK_THAT(told, Contains("- device: Pixel 7") && Contains("- viewport: 412x839") && Contains("- scale: 2.625") &&
                       Contains("- mobile: yes") && Contains("- touch: yes") && Contains("browser_reload"));
  session.ok("browser_reload");
  const auto seen = session.evaluate(
      "async () => ({ width: innerWidth, screen: screen.height, ratio: devicePixelRatio, points: "
      "navigator.maxTouchPoints, touch: 'ontouchstart' in window, agent: navigator.userAgent, platform: "
      "navigator.platform, mobile: navigator.userAgentData.mobile, hover: matchMedia('(hover: none)').matches,"
      "high: await navigator.userAgentData.getHighEntropyValues(['model', 'platformVersion']) })");
  INFO(seen.dump());
  CHECK(seen["width"] == 412);
  CHECK(seen["screen"] == 915);
  CHECK(seen["ratio"] == 2.625);
  CHECK(seen["points"] == 5);
  CHECK(seen["touch"] == true);
  CHECK(seen["mobile"] == true);
  CHECK(seen["platform"] == "Linux armv81");
  CHECK(seen["high"]["model"] == "Pixel 7");
  CHECK(seen["high"]["platform"] == "Android");
  CHECK_THAT(seen["agent"].get<std::string>(), Contains("Android 14; Pixel 7") && Contains("Mobile Safari"));
  CHECK(last_header("/emulated", "user-agent") == seen["agent"].get<std::string>());
  CHECK(last_header("/emulated", "sec-ch-ua-mobile") == "?1");
  CHECK(last_header("/emulated", "sec-ch-ua-platform") == "\"Android\"");

  emulate_here(session, {{"device", "iPhone 15 landscape"}});
  session.ok("browser_reload");
  CHECK(session.evaluate("[innerWidth, devicePixelRatio, navigator.platform]") == Json::array({734, 3, "iPhone"}));
  CHECK(last_header("/emulated", "sec-ch-ua").empty());  // its browser sends no client hints

  CHECK_THAT(emulate_here(session, {{"device", nullptr}}), Contains("Nothing is emulated"));
  session.ok("browser_reload");
  CHECK(session.evaluate("[innerWidth, devicePixelRatio, navigator.maxTouchPoints]") == Json::array({1280, 1, 0}));
  CHECK_THAT(session.evaluate("navigator.userAgent").get<std::string>(), Contains("X11; Linux"));
}

TEST_CASE("emulate: one field beside a device, and the size by browser_resize", "[tool.emulate]") {
  Session session;
  open_emulated(session);
  CHECK_THAT(emulate_here(session, {{"device", "iPhone 15"}, {"viewport", {{"width", 500}, {"height", 400}}}}),
             Contains("- viewport: 500x400") && Contains("- scale: 3"));
  CHECK(session.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == Json::array({500, 400, 3}));
  session.ok("browser_resize", {{"width", 600}, {"height", 300}});
  CHECK(session.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == Json::array({600, 300, 3}));
  CHECK_THAT(emulate_here(session), Contains("- viewport: 600x300"));
  emulate_here(session, {{"device", nullptr}});
  session.ok("browser_resize", {{"width", 640}, {"height", 480}});
  emulate_here(session, {{"scale", 2}});
  CHECK(session.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == Json::array({640, 480, 2}));
  emulate_here(session, {{"scale", nullptr}});
  CHECK(session.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == Json::array({640, 480, 1}));
}

TEST_CASE("emulate: language and timezone, in the page, its worker and its requests", "[tool.emulate]") {
  Session session;
  open_emulated(session);
  CHECK_THAT(emulate_here(session, {{"locale", "de-DE"}, {"timezone", "Asia/Kolkata"}}),
             Contains("- locale: de-DE") && Contains("- timezone: Asia/Kolkata"));
  session.ok("browser_reload");
  CHECK(session.evaluate("[navigator.language, navigator.languages.join(), new Date(0).getTimezoneOffset(), "
                         "(1234.5).toLocaleString(), new Date(0).getHours()]") ==
        Json::array({"de-DE", "de-DE", -330, "1.234,5", 5}));
  CHECK_THAT(last_header("/emulated", "accept-language"), Contains("de-DE"));
  const auto in_worker = session.evaluate(
      "() => new Promise((resolve) => { const code = 'postMessage([navigator.language, new "
      "Date(0).getTimezoneOffset(), (1234.5).toLocaleString()])';"
      "new Worker(URL.createObjectURL(new Blob([code]))).onmessage = (e) => resolve(e.data) })");
  CHECK(in_worker == Json::array({"de-DE", -330, "1.234,5"}));
  emulate_here(session, {{"locale", nullptr}, {"timezone", nullptr}});
  session.ok("browser_reload");
  CHECK(session.evaluate("[navigator.language, new Date(0).getTimezoneOffset(), (1234.5).toLocaleString()]") ==
        Json::array({"en-US", 0, "1,234.5"}));
}

TEST_CASE("emulate: media features and the media type; another server's name for it", "[tool.emulate]") {
  Session session;
  open_emulated(session);
  emulate_here(session, {{"colorScheme", "dark"},
                         {"reducedMotion", "reduce"},
                         {"forcedColors", "active"},
                         {"contrast", "more"},
                         {"media", "print"}});
  for (const char* query : {"(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)",
                            "(forced-colors: active)", "(prefers-contrast: more)", "print"}) {
    INFO(query);
    CHECK(media_matches(session, query));
  }
  CHECK_THAT(emulate_here(session, {{"media", nullptr}, {"contrast", nullptr}}),
             Contains("- forcedColors: active") && !Contains("- media"));
  CHECK_FALSE(media_matches(session, "print"));
  CHECK_FALSE(media_matches(session, "(prefers-contrast: more)"));
  const auto* tool = session.house().toolbox().resolve("browser_emulate_media");
  REQUIRE(tool != nullptr);
  CHECK(tool->name == "browser_emulate");
}

TEST_CASE("emulate: a place, and the permission to ask for it", "[tool.emulate] [tool.emulate.permissions]") {
  Session session;
  open_emulated(session);
  constexpr const char* kWhere =
      "() => new Promise((resolve) => navigator.geolocation.getCurrentPosition((at) => resolve([at.coords.latitude, "
      "at.coords.longitude]), (e) => resolve(e.code)))";
  constexpr const char* kState = "async () => (await navigator.permissions.query({ name: 'geolocation' })).state";
  CHECK_THAT(emulate_here(session, {{"geolocation", {{"latitude", 52.5}, {"longitude", 13.25}}},
                                    {"permissions", {"geolocation"}}}),
             Contains("- geolocation: 52.5, 13.25") && Contains("- permissions: geolocation"));
  CHECK(session.evaluate(kState) == "granted");
  CHECK(session.evaluate(kWhere) == Json::array({52.5, 13.25}));
  CHECK_THAT(emulate_here(session, {{"permissions", Json::array()}}), Contains("- permissions: none"));
  CHECK(session.evaluate(kState) == "denied");
  emulate_here(session, {{"permissions", nullptr}, {"geolocation", nullptr}});
  CHECK(session.evaluate(kState) == "prompt");
}

TEST_CASE("emulate: a slow network is slow, none is none, and a slow processor is slow", "[tool.emulate]") {
  Session session;
  open_emulated(session);
  web().set_handler("/kilobytes", [](const site::Request&, site::Response& response) {
    response.text(std::string(50'000, 'x'));
    response.set_header("cache-control", "no-store");
  });
  constexpr const char* kFetch =
      "async () => { const begun = performance.now(); try { await (await fetch('/kilobytes')).text() } catch { return "
      "-1 } return performance.now() - begun }";
  CHECK_THAT(emulate_here(session, {{"network", {{"latency", 300}, {"download", 800}}}}),
             Contains("- network: latency 300 ms, download 800 kbit/s, upload unlimited"));
  const auto slow = session.evaluate(kFetch).get<double>();  // 300 ms and half a second
  CHECK(slow > 600);
  CHECK(slow < 15'000);
  CHECK_THAT(emulate_here(session, {{"network", "offline"}}), Contains("- network: offline"));
  CHECK(session.evaluate(kFetch) == -1);
  CHECK(session.evaluate("navigator.onLine") == false);
  emulate_here(session, {{"network", nullptr}});
  CHECK(session.evaluate("navigator.onLine") == true);
  CHECK(session.evaluate(kFetch).get<double>() > 0);
  constexpr const char* kWork =
      "() => { const begun = performance.now(); let x = 0; for (let i = 0; i < 3e7; ++i) x += i % 7; return "
      "performance.now() - begun + x * 0 }";
  // The fastest of three, as whatever else the machine does makes one slower.
  const auto work = [&] {
    double fastest = session.evaluate(kWork).get<double>();
    for (int i = 0; i < 2; ++i) fastest = std::min(fastest, session.evaluate(kWork).get<double>());
    return fastest;
  };
  // Both anew, where the machine was busy while the first was measured.
  const auto is_slowed = [&] {
    const auto plain = work();
    CHECK_THAT(emulate_here(session, {{"cpu", 20}}), Contains("- cpu: 20 times slower"));
    const auto slowed = work();
    CHECK_THAT(emulate_here(session, {{"cpu", nullptr}}), Contains("Nothing is emulated"));
    return slowed > 3 * plain;
  };
  bool slowed = false;
  for (int tries = 0; !slowed && tries < 5; ++tries) slowed = is_slowed();
  CHECK(slowed);
}

TEST_CASE("emulate: what doesn't fit is said, and nothing has changed", "[tool.emulate] [tool.emulate.whole]") {
  Session session;
  open_emulated(session);
  emulate_here(session, {{"colorScheme", "dark"}});
  const auto before = emulate_here(session);
  const auto with = [](const char* name, const Json& value) {
    return Json{{"reducedMotion", "reduce"}, {name, value}};
  };
  CHECK_THAT(emulate_error(session, with("timezone", "Mars/Phobos")), Contains("no timezone \"Mars/Phobos\""));
  CHECK_THAT(emulate_error(session, with("locale", "qq-ZZ")), Contains("no locale \"qq-ZZ\""));
  CHECK_THAT(emulate_error(session, with("locale", "de_DE")), Contains("BCP 47"));
  CHECK_THAT(emulate_error(session, with("device", "iPhone 99")), Contains("Near: iPhone"));
  CHECK_THAT(emulate_error(session, with("permissions", {"flying"})), Contains("\"flying\" is no permission"));
  CHECK_THAT(emulate_error(session, with("userAgent", "a\nb")), Contains("one line"));
  CHECK_THAT(emulate_error(session, with("network", Json::object())), Contains("needs latency"));
  CHECK_THAT(emulate_error(session, with("headers", {{"bad name", "x"}})), Contains("letters, digits and dashes"));
  CHECK_THAT(emulate_error(session, with("headers", {{"Host", "x"}})), Contains("browser's own"));
  const auto secret = emulate_error(session, with("headers", {{"X-A", "s3cret\r\nx: y"}}));
  CHECK_THAT(secret, Contains("one line") && !Contains("s3cret"));
  // What the schema says is no concern of the tool's.
  const auto problem = [&](const char* name, const Json& value) {
    return check_arguments(session.house().tool("browser_emulate"), with(name, value)).problem;
  };
  CHECK_THAT(problem("geolocation", {{"latitude", 91}, {"longitude", 0}}), Contains("at most 90"));
  CHECK_THAT(problem("network", "5G"), Contains("Slow 3G"));
  CHECK_THAT(problem("network", {{"latency", -1}}), Contains("at least 0"));
  CHECK_THAT(problem("cpu", 0.5), Contains("at least 1"));
  CHECK_THAT(problem("colorScheme", "blue"), Contains("colorScheme"));
  CHECK_THAT(problem("viewport", {{"width", 0}, {"height", 10}}), Contains("at least 1"));
  CHECK_THAT(problem("viewport", {{"width", 10}}), Contains("height"));
  CHECK_THAT(problem("headers", {{"X-A", 1}}), Contains("string"));
  for (const char* name : {"device", "viewport", "touch", "media", "cpu", "network", "headers", "credentials"})
    CHECK(problem(name, nullptr).empty());
  session.navigate("about:blank");
  CHECK_THAT(emulate_error(session, with("credentials", {{"username", "a"}, {"password", "b"}})),
             Contains("open the site first"));
  CHECK(emulate_here(session) == before);
  CHECK_FALSE(media_matches(session, "(prefers-reduced-motion: reduce)"));
}

TEST_CASE("emulate: a page whose scripts don't run is read and acted on all the same, its frames too",
          "[tool.emulate] [tool.emulate.scripts]") {
  Session session;
  web().set_page("/still-inner", "<!doctype html><button>Inner</button><script>document.title = 'ran'</script>");
  web().set_page("/still",
                 "<!doctype html><title>Still</title><p id=out>as sent</p><a href=/still-next>Next</a>"
                 "<button onclick=\"out.textContent = 'inline'\">Press</button><input aria-label=Name>"
                 "<iframe src='" +
                     web().cross_site() + "/still-inner'></iframe>" +
                     "<script>out.textContent = 'ran'; addEventListener('click', () => out.textContent = 'heard')"
                     "</script>");
  web().set_page("/still-next", "<!doctype html><title>Next</title><p>Arrived</p>");
  session.ok("browser_emulate", {{"javaScript", false}});
  session.navigate(web().url("/still"));
  const auto snapshot = session.snapshot();
  CHECK_THAT(snapshot, Contains("as sent") && Contains("Inner"));
  CHECK_THAT(session.ok("browser_click", at("text=Press")).text, !Contains("inline") && !Contains("heard"));
  session.ok("browser_type", {{"target", "input"}, {"text", "Ada"}});
  CHECK(session.evaluate("() => document.querySelector('input').value") == "Ada");
  CHECK(session.text_of("#out") == "as sent");
  const auto followed = session.ok("browser_click", at("text=Next"));
  CHECK_THAT(followed.text, Contains("/still-next") && Contains("Arrived"));
  CHECK_THAT(session.ok("browser_emulate").text, Contains("- javaScript: no"));
  session.ok("browser_emulate", {{"javaScript", nullptr}});
  session.navigate(web().url("/still"));
  CHECK(session.text_of("#out") == "ran");
}

TEST_CASE("emulate: what a content security policy forbids runs where it is passed by, in frames too",
          "[tool.emulate] [tool.emulate.scripts]") {
  Session session;
  const auto guarded = [](const std::string& path, const std::string& body) {
    web().set_page(path,
                   "<!doctype html><meta http-equiv=Content-Security-Policy content=\"script-src 'none'\"><p "
                   "id=out>as sent</p><script>document.getElementById('out').textContent = 'ran'</script>" +
                       body);
  };
  guarded("/policy-inner", "");
  guarded("/policy", "<iframe src='" + web().cross_site() + "/policy-inner'></iframe>");
  session.navigate(web().url("/policy"));
  CHECK(session.text_of("#out") == "as sent");
  session.ok("browser_emulate", {{"bypassCSP", true}});
  session.navigate(web().url("/policy"));
  CHECK(session.text_of("#out") == "ran");
  CHECK_THAT(session.snapshot(), !Contains("as sent"));
  CHECK_THAT(session.ok("browser_emulate", {{"bypassCSP", nullptr}}).text, Contains("browser_reload"));
  session.navigate(web().url("/policy"));
  CHECK(session.text_of("#out") == "as sent");
}
