// The routes of a session: which request is whose, and what the browser is told [tool.route].
#include "base/errors.h"
#include "base/limits.h"
#include "browser/routes/route_table.h"
#include "browser/tab/tab.h"
#include "tests/unit/support/fake_tab.h"

using namespace bridle;
using namespace bridle::testing;
using matchers::Contains;

namespace {

Route replying(const std::string& pattern, int status) {
  Route route(pattern);
  route.reply = Route::Reply{.status = status, .headers = {}, .body = {}};
  return route;
}

// A tab with routes, whose browser answers everything with {}.
struct Routed {
  Timer timer;
  FakeTransport* transport = new FakeTransport;
  std::shared_ptr<CdpConnection> connection{std::make_shared<CdpConnection>(std::unique_ptr<CdpTransport>(transport))};
  std::shared_ptr<RouteTable> routes = std::make_shared<RouteTable>(timer);
  std::shared_ptr<Tab> tab;

  Routed() {
    Tab::Setup setup;
    setup.routes = routes;
    tab = std::make_shared<Tab>("t1", Tab::Info{kMain, "CTX", ""}, CdpSession(connection, "S"), std::move(setup));
    routes->on_change([this] { tab->update_routes(); });
    connection->start([](const std::string&) {});
    tab->attach(800, 600);
    tab->wait_until_ready(CallContext{}.within(std::chrono::seconds(20)));
  }
  ~Routed() {
    routes->end();
    connection->stop();
  }
  Routed(const Routed&) = delete;
  Routed& operator=(const Routed&) = delete;

  // What became of a request: the command's method and, of an answer, its status.
  std::string request(const std::string& url, Json more = Json::object()) {
    const auto id = "R" + std::to_string(++requests_);
    Json params{{"requestId", id}, {"frameId", kMain}, {"resourceType", "Fetch"}};
    params["request"] = {{"url", url}, {"method", "GET"}, {"headers", Json::object()}};
    params.merge_patch(more);
    transport->push_event("S", "Fetch.requestPaused", params);
    REQUIRE(transport->drain());
    return answer(id);
  }
  std::string answer(const std::string& id) {
    for (const char* method : {"Fetch.continueRequest", "Fetch.fulfillRequest", "Fetch.failRequest"}) {
      for (const auto& command : transport->sent(method)) {
        if (command.params["requestId"] != id) continue;
        return command.params.contains("responseCode") ? std::to_string(command.params["responseCode"].get<int>())
                                                       : std::string(method);
      }
    }
    return "none";
  }

 private:
  int requests_ = 0;
};

}  // namespace

TEST_CASE("routes: the browser holds requests only while there are some, and only those", "[routes] [tool.route]") {
  Routed routed;
  CHECK(routed.transport->sent("Fetch.enable").empty());
  CHECK(routed.transport->sent("Fetch.disable").empty());
  const auto number = routed.routes->add(replying("**/api/*", 200));
  REQUIRE(routed.transport->sent("Fetch.enable").size() == 1);
  CHECK(routed.transport->sent("Fetch.enable")[0].params["patterns"] == Json::array({{{"urlPattern", "*api/*"}}}));
  routed.routes->remove(number);
  CHECK(routed.transport->sent("Fetch.disable").size() == 1);
}

TEST_CASE("routes: the newest that takes a request decides; a hop of a redirect goes on", "[routes] [tool.route]") {
  Routed routed;
  routed.routes->add(replying("**", 201));
  auto once = replying("**/x", 202);
  once.times = 2;
  routed.routes->add(std::move(once));
  CHECK(routed.request("http://a/x") == "202");
  CHECK(routed.request("http://a/y") == "201");
  CHECK(routed.request("http://a/x", {{"redirectedRequestId", "R0"}}) == "Fetch.continueRequest");
  CHECK(routed.request("http://a/x") == "202");
  CHECK(routed.request("http://a/x") == "201");
  CHECK(routed.routes->list().size() == 1);
}

TEST_CASE("routes: delayed answers come by the timer, at once when their route goes, never after the end",
          "[routes] [tool.route]") {
  Routed routed;
  auto soon = replying("**/soon", 200);
  soon.delay = Millis{20};
  routed.routes->add(std::move(soon));
  auto late = replying("**/late", 200);
  late.delay = Millis{60'000};
  routed.routes->add(late);
  CHECK(routed.request("http://a/late") == "none");
  CHECK(routed.request("http://a/soon") == "none");
  CHECK(eventually([&] { return routed.answer("R2") == "200"; }));
  CHECK(routed.answer("R1") == "none");
  CHECK(routed.routes->remove("**/late") == 1);
  CHECK(routed.answer("R1") == "200");
  // The answer was sent before the browser was told to hold no more of these.
  routed.routes->add(late);
  CHECK(routed.request("http://a/late") == "none");
  routed.routes->end();
  CHECK(routed.answer("R3") == "none");
  CHECK(routed.timer.pending() == 0);
}

TEST_CASE("routes: as many as there may be, in number and bytes; URLs up to a length", "[routes] [tool.route]") {
  Routed routed;
  for (std::size_t i = 0; i < limits::kRoutes; ++i) routed.routes->add(replying("**", 200));
  CHECK_THROWS_WITH(routed.routes->add(replying("**", 200)), Contains("100 routes already"));
  CHECK(routed.routes->remove_all() == limits::kRoutes);
  auto large = replying("**", 200);
  large.reply->body = std::string(limits::kRouteBytes, 'x');
  CHECK_THROWS_WITH(routed.routes->add(large), Contains("32 MiB"));
  large.reply->body.resize(limits::kRouteBytes - 4096);
  CHECK_NOTHROW(routed.routes->add(large));
  routed.routes->remove_all();
  routed.routes->add(replying("**", 200));
  const std::string begin = "http://a/";
  CHECK(routed.request(begin + std::string(limits::kRoutedUrl - begin.size(), 'x')) == "200");
  CHECK(routed.request(begin + std::string(limits::kRoutedUrl - begin.size() + 1, 'x')) == "Fetch.continueRequest");
}
