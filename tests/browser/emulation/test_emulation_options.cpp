// --device, --user-agent, --grant-permissions, --init-script, --block-service-workers: what every tab has from its
// first document on [tool.emulate.options].
#include "tests/browser/support/browser_fixture.h"
#include "tools/emulation/emulation_arguments.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

BrowserSettings launched_with(const std::function<void(LaunchOptions&)>& change) {
  BrowserSettings settings;
  change(settings.launch);
  return settings;
}

std::string last_agent(const std::string& path) {
  const auto requests = web().requests(path);
  REQUIRE_FALSE(requests.empty());
  const auto* agent = site::find_header(requests.front().headers, "user-agent");
  return agent == nullptr ? "" : *agent;
}

}  // namespace

TEST_CASE("options: every tab is the device, popups too, and a reset leads back to it", "[tool.emulate.options]") {
  House house(launched_with([](LaunchOptions& launch) {
    launch.device = "iPhone 15";
    launch.permissions = {"geolocation"};
  }));
  Session session(house);
  web().set_page("/start", "<!doctype html><meta name=viewport content='width=device-width'>");
  web().reset_log();
  session.navigate(web().url("/start"));
  CHECK_THAT(last_agent("/start"), Contains("iPhone OS 17_5"));
  CHECK(session.evaluate("[innerWidth, devicePixelRatio, navigator.platform]") == Json::array({393, 3, "iPhone"}));
  CHECK(session.evaluate("async () => (await navigator.permissions.query({ name: 'geolocation' })).state") ==
        "granted");
  CHECK_THAT(session.ok("browser_emulate").text, Contains("- device: iPhone 15"));
  CHECK_THAT(session.ok("browser_emulate", {{"device", "Pixel 7"}}).text, Contains("- device: Pixel 7"));
  CHECK_THAT(session.ok("browser_emulate", {{"device", nullptr}}).text, Contains("- device: iPhone 15"));
  session.ok("browser_emulate", {{"permissions", Json::array()}});
  session.ok("browser_emulate", {{"permissions", nullptr}});
  CHECK(session.evaluate("async () => (await navigator.permissions.query({ name: 'geolocation' })).state") ==
        "granted");
  Session other(house);
  web().reset_log();
  other.navigate(web().url("/start"));
  CHECK_THAT(last_agent("/start"), Contains("iPhone OS 17_5"));
}

TEST_CASE("options: a user agent of one's own", "[tool.emulate.options]") {
  House house(launched_with([](LaunchOptions& launch) {
    Emulation emulation;
    emulation.user_agent = "Mozilla/5.0 (Windows NT 10.0) Mine/1.0";
    launch.emulation = std::make_shared<const Emulation>(emulation);
  }));
  Session session(house);
  web().set_page("/agent", "<!doctype html>");
  web().reset_log();
  session.navigate(web().url("/agent"));
  CHECK(last_agent("/agent") == "Mozilla/5.0 (Windows NT 10.0) Mine/1.0");
  CHECK(session.evaluate("[navigator.platform, innerWidth]") == Json::array({"Win32", 1280}));
}

TEST_CASE("options: init scripts run before the page's own, in frames and popups; service workers are refused",
          "[tool.init-script] [tool.block-service-workers]") {
  House house(launched_with([](LaunchOptions& launch) {
    launch.init_scripts = std::make_shared<const std::vector<std::string>>(
        std::vector<std::string>{"window.order = ['one']", "window.order.push('two')"});
    launch.block_service_workers = true;
  }));
  Session session(house);
  web().set_page("/scripted", "<!doctype html><script>window.order.push('page')</script>");
  web().set_page("/scripted-outer",
                 "<!doctype html><script>window.order.push('outer')</script><iframe src=/scripted></iframe>");
  session.navigate(web().url("/scripted-outer"));
  CHECK(session.evaluate("window.order.join()") == "one,two,outer");
  CHECK(session.evaluate("frames[0].order.join()") == "one,two,page");
  CHECK(session.evaluate("() => new Promise((resolve) => { const w = window.open('/scripted'); w.addEventListener("
                         "'load', () => resolve(w.order.join())) })") == "one,two,page");
  CHECK(session.evaluate("() => navigator.serviceWorker.register('/sw.js').then(() => 'there', (e) => e.name)") ==
        "SecurityError");
  CHECK(session.evaluate("() => navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0);
}

TEST_CASE("a page is told of a mouse, and on an emulated phone of none", "[tool.emulate.mouse]") {
  Session session;
  web().set_page("/hovered",
                 "<!doctype html><style>p { display: none } @media (hover: hover) and (pointer: fine) { div:hover p { "
                 "display: block } }</style><div>Products<p>Boots</p></div>");
  session.navigate(web().url("/hovered"));
  CHECK_THAT(session.ok("browser_hover", {{"target", "div"}}).section("Snapshot"), Contains("Boots"));
  const char* kAsked = "['(any-hover: hover)', '(any-pointer: coarse)'].map((one) => matchMedia(one).matches)";
  CHECK(session.evaluate(kAsked) == Json::array({true, false}));
  session.ok("browser_emulate", {{"device", "Pixel 7"}});
  session.ok("browser_reload");
  CHECK(session.evaluate("matchMedia('(hover: hover)').matches") == false);
  session.ok("browser_emulate", {{"device", nullptr}});
  session.ok("browser_reload");
  CHECK(session.evaluate(kAsked) == Json::array({true, false}));
}

TEST_CASE("a page isn't told that it is driven", "[tool.emulate.webdriver]") {
  Session session;
  web().set_page("/driven", "<!doctype html><script>window.seen = navigator.webdriver</script>");
  session.navigate(web().url("/driven"));
  CHECK(session.evaluate("[window.seen, navigator.webdriver]") == Json::array({false, false}));
}

TEST_CASE("options: --emulate holds from the first document, over a device, and a null leads back to it",
          "[tool.emulate.options]") {
  House house(launched_with([](LaunchOptions& launch) {
    launch.device = "iPhone 15";
    launch.emulation = std::make_shared<const Emulation>(
        start_emulation_of(R"({"locale": "fr-FR", "timezone": "Asia/Tokyo", "scale": 2, "headers": {"X-Start": "yes"},
                               "credentials": {"username": "u", "password": "p", "origin": "http://a.example"}})"));
  }));
  Session session(house);
  web().set_page("/start", "<!doctype html><meta name=viewport content='width=device-width'>");
  web().reset_log();
  session.navigate(web().url("/start"));
  const auto requests = web().requests("/start");
  REQUIRE_FALSE(requests.empty());
  const auto* header = site::find_header(requests.front().headers, "x-start");
  REQUIRE(header != nullptr);
  CHECK(*header == "yes");
  const auto* language = site::find_header(requests.front().headers, "accept-language");
  REQUIRE(language != nullptr);
  CHECK_THAT(*language, Contains("fr-FR"));
  const std::string clock = "[new Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language]";
  CHECK(session.evaluate(clock) == Json::array({"Asia/Tokyo", "fr-FR"}));
  CHECK(session.evaluate("[innerWidth, devicePixelRatio]") == Json::array({393, 2}));
  session.ok("browser_emulate", {{"locale", "de-DE"}});
  const auto reset = session.ok("browser_emulate", {{"locale", nullptr}, {"credentials", nullptr}}).text;
  CHECK_THAT(reset, Contains("fr-FR") && Contains("http://a.example"));
}

TEST_CASE("options: what --emulate can't have is said at the start", "[tool.emulate.options]") {
  const auto refused = [](const char* json, const char* words) {
    CAPTURE(json);
    CHECK_THROWS_WITH(start_emulation_of(json), Contains(words) && !Contains("browser_emulate") && !Contains("hush"));
  };
  refused(R"({"device": "iPhone 15"})", "--device names it");
  refused(R"({"permissions": []})", "--grant-permissions");
  refused(R"({"tab": "t1"})", "every tab's");
  refused(R"({"local": "de"})", "locale");
  refused(R"({"scale": "much"})", "\"scale\" must be");
  refused(R"({"credentials": {"username": "hush", "password": "hush"}})", "need an origin");
  refused(R"({"headers": {"Host": "hush"}})", "the browser's own");
  CHECK(start_emulation_of("{}") == Emulation{});
}
