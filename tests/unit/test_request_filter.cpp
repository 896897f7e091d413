#include "browser/tab/request_filter.h"
#include "tests/support/catch.h"
#include "tests/unit/fake_tab.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// A tab that may only fetch from http://a.
struct Fenced {
  FakeTransport* transport = new FakeTransport;
  std::shared_ptr<CdpConnection> connection{std::make_shared<CdpConnection>(std::unique_ptr<CdpTransport>(transport))};
  std::shared_ptr<Tab> tab{std::make_shared<Tab>(
      "t1", Tab::Info{kMain, "CTX", ""}, CdpSession(connection, "S"),
      Tab::Setup{std::make_shared<const RequestFilter>(OriginRules({"http://a"}, std::vector<std::string>{})), ""})};
  Fenced() {
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
  auto* const transport = new FakeTransport;
  const auto connection = std::make_shared<CdpConnection>(std::unique_ptr<CdpTransport>(transport));
  const auto filter = std::make_shared<const RequestFilter>(OriginRules(), ProxyCredential{"bridle", "secret"});
  const auto tab =
      std::make_shared<Tab>("t1", Tab::Info{kMain, "CTX", ""}, CdpSession(connection, "S"), Tab::Setup{filter, ""});
  connection->start([](const std::string&) {});
  tab->attach(800, 600);
  tab->wait_until_ready(CallContext{}.within(std::chrono::seconds(20)));
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
  connection->stop();
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
