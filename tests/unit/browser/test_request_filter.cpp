#include "browser/tab/request_filter.h"
#include "tests/support/catch.h"
#include "tests/unit/support/fake_tab.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

const ProxyCredential kCredential{"bridle", "secret"};

// A tab that may only fetch from http://a; with a credential its browser has a proxy, too.
struct Fenced {
  FakeTransport* transport = new FakeTransport;
  std::shared_ptr<CdpConnection> connection{std::make_shared<CdpConnection>(std::unique_ptr<CdpTransport>(transport))};
  std::shared_ptr<Tab> tab;
  explicit Fenced(const ProxyCredential& credential = {}, bool holds_forms = false)
      : tab(std::make_shared<Tab>(
            "t1", Tab::Info{kMain, "CTX", ""}, CdpSession(connection, "S"),
            Tab::Setup{std::make_shared<const RequestFilter>(OriginRules({"http://a"}, std::vector<std::string>{}),
                                                             credential, holds_forms),
                       ""})) {
    connection->start([](const std::string&) {});
    tab->attach(800, 600);
    tab->wait_until_ready(CallContext{}.within(std::chrono::seconds(20)));
    REQUIRE(tab->state().ready);
  }
  ~Fenced() { connection->stop(); }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;

  // A request held by the browser; the commands that answered it.
  Json answer_to(const std::string& url, const std::string& type, const std::string& frame = kMain,
                 const std::string& session = "S") {
    const auto id = "R" + std::to_string(++requests_);
    transport->push_event(session, "Fetch.requestPaused",
                          {{"requestId", id},
                           {"networkId", "L" + id},
                           {"frameId", frame},
                           {"resourceType", type},
                           {"request", {{"url", url}, {"method", "GET"}}}});
    REQUIRE(transport->drain());
    Json answers = Json::array();
    for (const char* method : {"Fetch.continueRequest", "Fetch.failRequest"}) {
      for (const auto& command : transport->sent(method)) {
        if (command.params["requestId"] != id) continue;
        CHECK(command.session == session);
        answers.push_back(command.params.value("errorReason", "continued"));
      }
    }
    return answers;
  }

  // The document fetches something; how often a Fetch.enable was sent by then.
  std::size_t holds_after_fetch() {
    transport->push_event("S", "Network.requestWillBeSent",
                          {{"requestId", "F" + std::to_string(++requests_)},
                           {"frameId", kMain},
                           {"loaderId", "L2"},
                           {"type", "Fetch"},
                           {"request", {{"url", "http://a/"}, {"method", "GET"}}}});
    REQUIRE(transport->drain());
    return transport->sent("Fetch.enable").size();
  }

 private:
  int requests_ = 0;
};

std::vector<std::string> methods(const FakeTransport& transport, const std::string& session) {
  std::vector<std::string> found;
  for (const auto& command : transport.sent()) {
    if (command.session == session) found.push_back(command.method);
  }
  return found;
}

}  // namespace

TEST_CASE("without a list no request is held", "[request_filter]") {
  const FakeTab fake;
  CHECK(fake.transport->sent("Fetch.enable").empty());
}

TEST_CASE("a tab's requests are held from before it runs", "[request_filter]") {
  const Fenced fenced;
  const auto sent = methods(*fenced.transport, "S");
  const auto at = [&](const char* method) { return std::find(sent.begin(), sent.end(), method); };
  REQUIRE(at("Fetch.enable") != sent.end());
  CHECK(at("Fetch.enable") < at("Runtime.runIfWaitingForDebugger"));
}

TEST_CASE("the proxy's question is answered with its credential, a site's is left to the browser", "[request_filter]") {
  const Fenced fenced(kCredential);
  auto* const transport = fenced.transport;
  const auto enabled = transport->sent("Fetch.enable");
  REQUIRE(enabled.size() == 1);
  CHECK(enabled[0].params["handleAuthRequests"] == true);
  for (const char* source : {"Proxy", "Server"}) {
    transport->push_event("S", "Fetch.authRequired", {{"requestId", source}, {"authChallenge", {{"source", source}}}});
  }
  REQUIRE(transport->drain());
  const auto answers = transport->sent("Fetch.continueWithAuth");
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].params["authChallengeResponse"] ==
        Json({{"response", "ProvideCredentials"}, {"username", "bridle"}, {"password", "secret"}}));
  CHECK(answers[1].params["authChallengeResponse"] == Json({{"response", "Default"}}));
}

TEST_CASE("once a document came through the proxy, documents alone are held", "[request_filter]") {
  Fenced fenced(kCredential);
  const auto response = [&](const Json& members) {
    Json received{{"requestId", "L1"},
                  {"type", "Document"},
                  {"response", {{"url", "http://a/"}, {"remoteIPAddress", "127.0.0.1"}}}};
    received.merge_patch(members);
    fenced.transport->push_event("S", "Network.responseReceived", received);
    REQUIRE(fenced.transport->drain());
    return fenced.transport->sent("Fetch.enable").size();
  };
  CHECK(response({{"type", "Image"}}) == 1);
  CHECK(response({{"response", {{"fromDiskCache", true}}}}) == 1);
  CHECK(response({{"response", {{"fromServiceWorker", true}}}}) == 1);
  CHECK(response({{"response", {{"url", "data:text/html,"}}}}) == 1);
  CHECK(response({{"response", {{"remoteIPAddress", ""}}}}) == 1);  // a route has answered it
  // For a moment nothing is held, so that what the document fetches passes nobody; then the browser's documents are.
  const auto left_to_proxy = [&](const std::string& session) {
    const auto sent = fenced.transport->sent("Fetch.enable");
    REQUIRE(sent.size() >= 4);
    const auto* const last = &sent.back();
    const auto documents = Json::parse(R"([{"urlPattern": "*", "resourceType": "Document"}])");
    CHECK((last[-2].session.empty() && last[-2].params["patterns"].empty()));
    CHECK((last[-1].session == session && last[-1].params["patterns"].empty()));
    CHECK(last[-1].params["handleAuthRequests"] == false);
    CHECK((last[0].session.empty() && last[0].params["patterns"] == documents));
    CHECK(last[0].params["handleAuthRequests"] == true);
  };
  REQUIRE(response(Json::object()) == 4);
  left_to_proxy("S");
  CHECK(response(Json::object()) == 4);
  // A document that has come since was wrapped at its commit, which is mended once it fetches much.
  fenced.transport->push_event("S", "Page.frameNavigated",
                               {{"frame", {{"id", kMain}, {"loaderId", "L2"}, {"url", "http://a/2"}}}});
  REQUIRE(fenced.transport->drain());
  for (int index = 1; index < 10; ++index) CHECK(fenced.holds_after_fetch() == 4);
  CHECK(fenced.holds_after_fetch() == 7);
  left_to_proxy("S");
  CHECK(fenced.holds_after_fetch() == 7);
  // A frame in a process of its own begins there; a worker's failures would be told by nobody.
  for (const char* type : {"iframe", "worker"}) {
    fenced.transport->push_event("S", "Target.attachedToTarget",
                                 {{"sessionId", type}, {"targetInfo", {{"type", type}, {"targetId", type}}}});
    REQUIRE(fenced.transport->drain());
    if (type == std::string("iframe")) {
      left_to_proxy(type);
    } else {
      const auto begun = fenced.transport->sent("Fetch.enable").back();
      CHECK(begun.session == type);
      CHECK_FALSE(begun.params["patterns"][0].contains("resourceType"));
    }
  }
}

TEST_CASE("where forms are held, the tab itself goes on holding documents", "[request_filter]") {
  Fenced fenced(kCredential, true);
  fenced.transport->push_event("S", "Network.responseReceived",
                               {{"requestId", "L1"},
                                {"type", "Document"},
                                {"response", {{"url", "http://a/"}, {"remoteIPAddress", "127.0.0.1"}}}});
  REQUIRE(fenced.transport->drain());
  const auto sent = fenced.transport->sent("Fetch.enable");
  REQUIRE(sent.size() == 2);
  CHECK(sent[1].session == "S");
  CHECK(sent[1].params["patterns"] == Json::parse(R"([{"urlPattern": "*", "resourceType": "Document"}])"));
  for (int index = 1; index <= 11; ++index) CHECK(fenced.holds_after_fetch() == 2);
}

TEST_CASE("without a proxy every request is held for good", "[request_filter]") {
  const Fenced fenced;
  fenced.transport->push_event("S", "Network.responseReceived",
                               {{"requestId", "L1"},
                                {"type", "Document"},
                                {"response", {{"url", "http://a/"}, {"remoteIPAddress", "127.0.0.1"}}}});
  REQUIRE(fenced.transport->drain());
  CHECK(fenced.transport->sent("Fetch.enable").size() == 1);
}

TEST_CASE("what the proxy refuses is told with the words of the lists", "[request_filter] [nav.policy.origins]") {
  const Fenced fenced(kCredential);
  const auto push = [&](const char* method, Json params) {
    fenced.transport->push_event("S", method, std::move(params));
  };
  push("Network.responseReceived", {{"requestId", "L1"},
                                    {"type", "Document"},
                                    {"response", {{"url", "http://a/"}, {"remoteIPAddress", "127.0.0.1"}}}});
  int requests = 0;
  const auto failing = [&](const char* url, const char* type, const Json& members = Json::object()) {
    const auto id = "N" + std::to_string(++requests);
    push("Network.requestWillBeSent",
         {{"requestId", id}, {"type", type}, {"request", {{"url", url}, {"method", "GET"}}}});
    Json failed{{"requestId", id}, {"type", type}, {"errorText", "net::ERR_EMPTY_RESPONSE"}};
    failed.update(members);
    push("Network.loadingFailed", failed);
    REQUIRE(fenced.transport->drain());
    return fenced.tab->logged_request(requests).request.value().error;
  };
  CHECK(failing("http://b/x", "Fetch") == "net::ERR_BLOCKED_BY_CLIENT");
  CHECK(failing("https://a/x", "Image") == "net::ERR_BLOCKED_BY_CLIENT");
  CHECK(failing("http://a/x", "Fetch") == "net::ERR_EMPTY_RESPONSE");
  // Nobody asked the proxy for these.
  CHECK(failing("http://b/x", "Fetch", {{"canceled", true}}) == "net::ERR_EMPTY_RESPONSE");
  CHECK(failing("http://b/x", "Fetch", {{"blockedReason", "csp"}}) == "net::ERR_EMPTY_RESPONSE");
  const auto blocked = fenced.tab->take_blocked_requests();
  REQUIRE(blocked.size() == 2);
  for (const auto& [why, count] : blocked) {
    CAPTURE(why);
    CHECK(why.find("--allowed-origins") != std::string::npos);
    CHECK(count == 1);
  }
}

TEST_CASE("each request is answered once: let through, or refused", "[request_filter] [nav.policy.origins]") {
  Fenced fenced;
  CHECK(fenced.answer_to("http://a/x", "Document") == Json{"continued"});
  CHECK(fenced.answer_to("http://a/x", "Image") == Json{"continued"});
  CHECK(fenced.answer_to("data:text/html,x", "Document") == Json{"continued"});
  CHECK(fenced.answer_to("http://b/x", "Image") == Json{"BlockedByClient"});
  CHECK(fenced.answer_to("https://a/x", "Script") == Json{"BlockedByClient"});
  CHECK(fenced.answer_to("http://b/x", "Document", "CHILD") == Json{"BlockedByClient"});
  CHECK(fenced.tab->take_blocked_requests().size() == 2);
  CHECK(fenced.tab->take_blocked_requests().empty());
  CHECK_FALSE(fenced.tab->state().navigation_pending);
}

TEST_CASE("a refused navigation of the page is aborted, and known as blocked", "[request_filter]") {
  Fenced fenced;
  const auto push = [&](const Event& event) { fenced.transport->push_event("S", event.method, event.params); };
  push(started("LR1", "http://b/"));
  REQUIRE(fenced.transport->drain());
  auto watch = fenced.tab->watch_commit(CommitWatch::Kind::follow);
  CHECK(fenced.answer_to("http://b/", "Document") == Json{"Aborted"});
  CHECK_FALSE(fenced.tab->state().navigation_pending);
  const auto end = fenced.tab->decide(watch).decision;
  REQUIRE(end);
  CHECK(end->outcome == NavigationOutcome::blocked);
  CHECK(end->detail == "http://b/");
}

TEST_CASE("frames of other processes and workers are watched before they run, and the workers of workers",
          "[request_filter]") {
  Fenced fenced;
  const auto attach = [&](const std::string& parent, const std::string& session, const std::string& type) {
    fenced.transport->push_event(parent, "Target.attachedToTarget",
                                 {{"sessionId", session}, {"targetInfo", {{"type", type}, {"targetId", session}}}});
    REQUIRE(fenced.transport->drain());
    const auto sent = methods(*fenced.transport, session);
    const auto at = [&](const char* method) { return std::find(sent.begin(), sent.end(), method); };
    REQUIRE(at("Fetch.enable") != sent.end());
    CHECK(at("Fetch.enable") < at("Runtime.runIfWaitingForDebugger"));
    CHECK(at("Target.setAutoAttach") < at("Runtime.runIfWaitingForDebugger"));
    CHECK(fenced.answer_to("http://b/x", "Fetch", "", session) == Json{"BlockedByClient"});
    CHECK(fenced.answer_to("http://a/x", "Fetch", "", session) == Json{"continued"});
  };
  attach("S", "FRAME", "iframe");
  attach("S", "WORKER", "worker");
  attach("WORKER", "NESTED", "worker");
}
