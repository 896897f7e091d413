// What the browser is told of an emulation, and that it is told nothing while there is none [tool.emulate].
#include <algorithm>

#include "browser/emulation/emulation.h"
#include "tests/support/catch.h"
#include "tests/unit/support/fake_tab.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

std::vector<std::string> methods_of(const std::vector<EmulationCommand>& commands) {
  std::vector<std::string> methods;
  for (const auto& command : commands) methods.push_back(command.method);
  return methods;
}

Json params_of(const std::vector<EmulationCommand>& commands, const std::string& method) {
  const auto found =
      std::find_if(commands.begin(), commands.end(), [&](const auto& command) { return command.method == method; });
  REQUIRE(found != commands.end());
  return found->params;
}

Emulation whole() {
  Emulation all;
  bool landscape = false;
  all.become(*find_device("Pixel 7", &landscape), false, "156");
  all.locale = "de-DE";
  all.timezone = "Asia/Tokyo";
  all.geolocation = Geolocation{1, 2, 3};
  all.color_scheme = "dark";
  all.cpu = 4;
  all.network = network_preset("Slow 3G");
  all.headers = {{"X-A", "b"}};
  return all;
}

}  // namespace

TEST_CASE("emulation: only what differs is sent, to the sessions that take it", "[emulation] [tool.emulate]") {
  CHECK(emulation_commands({}, {}, SessionKind::page, {}).empty());
  CHECK(emulation_commands(whole(), whole(), SessionKind::page, {800, 600}).empty());
  CHECK(emulation_commands({}, whole(), SessionKind::page, {800, 600}).size() == 10);
  CHECK(methods_of(emulation_commands({}, whole(), SessionKind::worker, {})) ==
        std::vector<std::string>{"Network.enable", "Emulation.setUserAgentOverride", "Network.emulateNetworkConditions",
                                 "Network.setExtraHTTPHeaders"});
  const auto frame = methods_of(emulation_commands({}, whole(), SessionKind::frame, {}));
  CHECK(std::find(frame.begin(), frame.end(), "Emulation.setDeviceMetricsOverride") == frame.end());
  auto other = whole();
  other.color_scheme = "light";
  CHECK(methods_of(emulation_commands(whole(), other, SessionKind::page, {})) ==
        std::vector<std::string>{"Emulation.setEmulatedMedia"});
}

TEST_CASE("emulation: what is taken back is as the browser has it", "[emulation] [tool.emulate]") {
  const auto back = emulation_commands(whole(), {}, SessionKind::page, {800, 600});
  CHECK(params_of(back, "Emulation.setTimezoneOverride") == Json{{"timezoneId", ""}});
  CHECK(params_of(back, "Emulation.setUserAgentOverride") ==
        Json{{"userAgent", ""}, {"acceptLanguage", ""}, {"platform", ""}});
  CHECK(params_of(back, "Emulation.setDeviceMetricsOverride") ==
        Json{{"width", 800}, {"height", 600}, {"deviceScaleFactor", 0}, {"mobile", false}});
  CHECK(params_of(back, "Network.emulateNetworkConditions") ==
        Json{{"offline", false}, {"latency", 0}, {"downloadThroughput", -1}, {"uploadThroughput", -1}});
  // A window that somebody looks at gets its own size back.
  const auto attached = methods_of(emulation_commands(whole(), {}, SessionKind::page, {}));
  CHECK(std::find(attached.begin(), attached.end(), "Emulation.clearDeviceMetricsOverride") != attached.end());
}

TEST_CASE("emulation: a user agent brings what belongs to it", "[emulation] [tool.emulate.device]") {
  const auto facts = [](const char* device) {
    bool landscape = false;
    const auto* found = find_device(device, &landscape);
    REQUIRE(found != nullptr);
    return facts_of_user_agent(user_agent_of(*found, "156"));
  };
  CHECK(facts("iPhone 15").platform == "iPhone");
  CHECK(facts("iPhone 15").metadata.is_null());
  CHECK(facts("iPad Pro 11").platform == "iPad");
  CHECK(facts("Desktop Firefox").metadata.is_null());
  CHECK(facts("Desktop Safari").platform == "MacIntel");
  const auto pixel = facts("Pixel 4a (5G)").metadata;
  CHECK(pixel["model"] == "Pixel 4a (5G)");
  CHECK(pixel["platform"] == "Android");
  CHECK(pixel["platformVersion"] == "11");
  CHECK(pixel["mobile"] == true);
  CHECK(pixel["fullVersion"] == "156.0.0.0");
  CHECK(facts("Galaxy Tab S9").metadata["mobile"] == false);
  const auto edge = facts("Desktop Edge");
  CHECK(edge.platform == "Win32");
  CHECK(edge.metadata["brands"].back() == Json{{"brand", "Microsoft Edge"}, {"version", "156"}});
  CHECK(facts_of_user_agent("Mine/1.0").platform.empty());
  CHECK(facts_of_user_agent("Mozilla/5.0 (Linux; Android 14").metadata.is_null());
}

TEST_CASE("emulation: devices by name, case aside and turned; unknown ones name those near",
          "[emulation] [tool.emulate.device]") {
  bool landscape = false;
  REQUIRE(find_device("IPHONE 15 LANDSCAPE", &landscape) != nullptr);
  CHECK(landscape);
  CHECK(find_device("Desktop Chrome landscape", &landscape) == nullptr);
  CHECK(find_device("", &landscape) == nullptr);
  CHECK(nearest_devices("iphone15", 1) == std::vector<std::string>{"iPhone 15"});
  CHECK_THAT(unknown_device("Pixel 77"), matchers::Contains("Near: Pixel 7"));
  Emulation turned;
  turned.become(*find_device("iPhone 15", &landscape), true, "156");
  CHECK(turned.viewport == ViewSize{734, 343});
  CHECK(turned.screen == ViewSize{852, 393});
  CHECK(turned.device == "iPhone 15 landscape");
}

TEST_CASE("emulation: a tab that emulates nothing is sent nothing for it", "[emulation] [tool.emulate]") {
  FakeTab fake;
  for (const char* method :
       {"Emulation.setUserAgentOverride", "Emulation.setTimezoneOverride", "Fetch.enable", "Emulation.setEmulatedMedia",
        "Network.setExtraHTTPHeaders", "Network.emulateNetworkConditions", "Network.setBypassServiceWorker"}) {
    INFO(method);
    CHECK(fake.transport->sent(method).empty());
  }
  CHECK(fake.transport->sent("Emulation.setDeviceMetricsOverride").size() == 1);
  fake.event(
      "Target.attachedToTarget",
      {{"sessionId", "W"}, {"targetInfo", {{"type", "worker"}, {"targetId", "T"}}}, {"waitingForDebugger", true}});
  REQUIRE(fake.transport->wait_sent("Runtime.runIfWaitingForDebugger", 2));
  CHECK(fake.transport->sent("Target.setAutoAttach").size() == 1);
  CHECK(fake.tab->emulation() == nullptr);
}

TEST_CASE("emulation: a worker that comes has it before it runs, and a change reaches it",
          "[emulation] [tool.emulate.everywhere]") {
  FakeTab fake;
  Emulation agent;
  agent.user_agent = "Mine/1.0";
  fake.tab->emulate({}, std::make_shared<const Emulation>(agent));
  fake.event(
      "Target.attachedToTarget",
      {{"sessionId", "W"}, {"targetInfo", {{"type", "worker"}, {"targetId", "T"}}}, {"waitingForDebugger", true}});
  REQUIRE(fake.transport->wait_sent("Runtime.runIfWaitingForDebugger", 2));
  CHECK(fake.transport->sent("Emulation.setUserAgentOverride").size() == 2);
  agent.headers = {{"X-A", "b"}};
  fake.tab->emulate({}, std::make_shared<const Emulation>(agent));
  CHECK(fake.transport->sent("Network.setExtraHTTPHeaders").size() == 2);
  fake.event("Target.detachedFromTarget", {{"sessionId", "W"}});
  fake.event("Page.frameStartedLoading", {{"frameId", kMain}});
  REQUIRE(eventually([&] { return fake.tab->state().loading; }));
  fake.tab->emulate({}, nullptr);
  CHECK(fake.transport->sent("Network.setExtraHTTPHeaders").size() == 3);
  CHECK(fake.clean());
}

TEST_CASE("emulation: a site is told its credential once a request, another origin never",
          "[emulation] [tool.emulate.credentials]") {
  FakeTab fake;
  Emulation emulation;
  emulation.credentials = HttpCredentials{"https://a.example", "me", "open"};
  fake.tab->emulate({}, std::make_shared<const Emulation>(emulation));
  REQUIRE(fake.transport->wait_sent("Fetch.enable", 1));
  CHECK(fake.transport->sent("Fetch.enable").front().params["patterns"][0]["urlPattern"] == "https://a.example/*");
  const auto ask = [&](const char* request, const char* origin, const char* source, const char* type = "Fetch") {
    const auto before = fake.transport->sent("Fetch.continueWithAuth").size();
    fake.event("Fetch.authRequired", {{"requestId", request},
                                      {"resourceType", type},
                                      {"frameId", fake.tab->main_frame()},
                                      {"authChallenge", {{"origin", origin}, {"source", source}}}});
    REQUIRE(fake.transport->wait_sent("Fetch.continueWithAuth", before + 1));
    return fake.transport->sent("Fetch.continueWithAuth").back().params["authChallengeResponse"].value("response", "");
  };
  CHECK(ask("1", "https://a.example", "Server") == "ProvideCredentials");
  CHECK(ask("1", "https://a.example", "Server") == "CancelAuth");
  CHECK(ask("1", "https://a.example", "Server", "Document") == "Default");
  CHECK(ask("2", "https://a.example:8443", "Server") == "Default");
  CHECK(ask("3", "http://a.example", "Server") == "Default");
  CHECK(ask("4", "https://a.example", "Proxy") == "Default");
  fake.event("Fetch.requestPaused", {{"requestId", "5"}, {"request", {{"url", "https://a.example/"}}}});
  REQUIRE(fake.transport->wait_sent("Fetch.continueRequest", 1));
  fake.tab->emulate({}, nullptr);
  REQUIRE(fake.transport->wait_sent("Fetch.disable", 1));
}
