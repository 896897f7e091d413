// The control panel over the wire: who gets in, what its events tell, and its stops.
#include "tests/support/catch.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/panel_visitor.h"
#include "tests/wire/support/test_server.h"

using namespace bridle;
using namespace bridle::wire;
using matchers::Contains;

TEST_CASE("panel: without a cookie there is only how to get in; a link lets one browser in, once",
          "[panel] [panel.entry] [panel.entry.link]") {
  TestServer server;
  PanelVisitor visitor(server.port());
  for (const char* path :
       {"/", "/panel/app.js", "/panel/events", "/panel/past", "/panel/view?tab=t1", "/panel/nothing"}) {
    CAPTURE(path);
    const auto refused = visitor.raw("GET", path, {{"Accept", "text/html,*/*"}});
    CHECK(refused.status == 401);
    CHECK_THAT(refused.body, Contains("bridle panel"));
  }
  const auto path = visitor.link();
  CHECK(visitor.raw("GET", path + "x", {}).status == 401);
  const auto entered = visitor.enter(path);
  CHECK(entered.status == 303);
  CHECK(entered.header("Location") == "/");
  CHECK_THAT(entered.header("Set-Cookie"), Contains("HttpOnly") && Contains("SameSite=Strict") && Contains("Path=/"));
  const auto page = visitor.get("/", {{"Accept", "text/html"}});
  CHECK(page.status == 200);
  CHECK_THAT(page.body, Contains("<!doctype html>") && Contains("/panel/app.js"));
  CHECK(visitor.enter(path).status == 401);
  CHECK(visitor.raw("GET", "/", {{"Accept", "text/html"}, {"Cookie", visitor.cookie() + "x"}}).status == 401);
  // A link is the command's, never a page's.
  CHECK(visitor.raw("POST", "/panel/link", {{"Sec-Fetch-Site", "same-origin"}}).status == 403);
  const auto own = "http://127.0.0.1:" + std::to_string(server.port());
  CHECK(visitor.raw("POST", "/panel/link", {{"Origin", own}}).status == 403);
  CHECK(visitor.raw("GET", "/panel/link", {}).status == 405);
}

TEST_CASE("panel: with a token, a link needs it, and the cookie is enough for the page",
          "[panel] [panel.entry.token]") {
  const std::string token = "a-token-that-is-hard-to-guess-0123456789";
  TestServer server([&](ServerOptions& options) { options.token = token; });
  PanelVisitor visitor(server.port());
  CHECK(visitor.raw("POST", "/panel/link", {}).status == 401);
  const auto answer = visitor.raw("POST", "/panel/link", {{"Authorization", "Bearer " + token}});
  REQUIRE(answer.status == 200);
  const std::string url = Json::parse(answer.body).at("url");
  CHECK(visitor.enter(url.substr(url.find("/panel/"))).status == 303);
  CHECK(visitor.get("/panel/past").status == 200);
}

TEST_CASE("panel: every answer is closed to other pages, and kept by no cache but by its tag",
          "[panel] [panel.entry.headers]") {
  TestServer server;
  PanelVisitor visitor(server.port());
  const auto locked = visitor.raw("GET", "/", {{"Accept", "text/html"}});
  visitor.enter();
  for (const auto& reply : {locked, visitor.get("/", {{"Accept", "text/html"}}), visitor.get("/panel/app.css"),
                            visitor.get("/panel/past"), visitor.get("/panel/none"), visitor.post("/panel/stop", 1)}) {
    CAPTURE(reply.head);
    const auto policy = reply.header("Content-Security-Policy");
    CHECK_THAT(policy, Contains("default-src 'none'") && Contains("frame-ancestors 'none'") &&
                           Contains("script-src 'self'") && !Contains("unsafe"));
    CHECK(reply.header("X-Content-Type-Options") == "nosniff");
    CHECK(reply.header("Referrer-Policy") == "no-referrer");
    CHECK_THAT(reply.header("Cache-Control"), Contains("no-"));
    CHECK(reply.header("Access-Control-Allow-Origin").empty());
  }
  const auto script = visitor.get("/panel/app.js");
  CHECK(script.header("Content-Type") == "text/javascript; charset=utf-8");
  const auto again = visitor.get("/panel/app.js", {{"If-None-Match", script.header("ETag")}});
  CHECK(again.status == 304);
  CHECK(again.body.empty());
}

TEST_CASE("panel: only its own page may do things", "[panel] [panel.entry.same-origin]") {
  TestServer server([](ServerOptions& options) { options.allowed_hosts = {"friend.example"}; });
  PanelVisitor visitor(server.port());
  visitor.enter();
  const Headers with_cookie{{"Cookie", visitor.cookie()}, {"Content-Type", "application/json"}};
  const auto post = [&](Headers headers) {
    headers.insert(headers.end(), with_cookie.begin(), with_cookie.end());
    return visitor.raw("POST", "/panel/stop", headers, R"({"all":true})").status;
  };
  CHECK(post({}) == 403);
  CHECK(post({{"Origin", "http://friend.example"}}) == 403);  // a friend of MCP's, but not of the panel's
  CHECK(post({{"Origin", "http://evil.example"}}) == 403);
  CHECK(post({{"Origin", "null"}}) == 403);
  CHECK(visitor.post("/panel/stop", {{"all", true}}).status == 200);
  const auto own = "http://127.0.0.1:" + std::to_string(server.port());
  CHECK(visitor
            .raw("POST", "/panel/stop", {{"Cookie", visitor.cookie()}, {"Origin", own}, {"Content-Type", "text/plain"}},
                 R"({"all":true})")
            .status == 415);
  for (const Json& bad : {Json::object(), Json{{"all", false}}, Json{{"all", true}, {"call", "k1"}}, Json::array()})
    CHECK(visitor.post("/panel/stop", bad).status == 400);
}

TEST_CASE("panel: events tell of calls as they begin, run, stop and end; a stop is the registry's own",
          "[panel] [panel.events] [panel.state] [panel.stop] [panel.timeline]") {
  TestServer server;
  PanelVisitor visitor(server.port());
  visitor.enter();
  PanelEvents events(visitor);
  CHECK(events.next("hello").at("resumed") == false);
  McpClient client(server.port());
  client.open();
  auto running = client.start(client.call_request("a", "gate", Json::object()));
  const Json call = events.call("running");
  CHECK(call.at("tool") == "gate");
  CHECK(call.at("request") == "a");
  const Json state = events.newest;
  REQUIRE(state.at("sessions").size() == 1);
  CHECK(state["sessions"][0].at("client") == "wire test 1");
  CHECK(state["sessions"][0].at("id") == call.at("session"));
  CHECK(Json::parse(visitor.post("/panel/stop", {{"call", "k999"}}).body).at("reached") == 0);
  CHECK(Json::parse(visitor.post("/panel/stop", {{"call", call.at("id")}}).body).at("reached") == 1);
  const Json past = events.next("past");
  CHECK(past.at("call") == call.at("id"));
  CHECK(past.at("outcome") == "aborted");
  CHECK(past.at("reason") == "stopped_by_user");
  CHECK_THAT(past.at("text").get<std::string>(), Contains("control panel"));
  CHECK(running->all_messages()[0]["result"]["isError"] == true);
  // A session's, and all.
  auto one = client.start(client.call_request("b", "gate", Json::object()));
  REQUIRE(eventually([&] { return server.at_gate() == 1; }));
  CHECK(Json::parse(visitor.post("/panel/stop", {{"session", "other"}}).body).at("reached") == 0);
  CHECK(Json::parse(visitor.post("/panel/stop", {{"session", call.at("session")}}).body).at("reached") == 1);
  CHECK(one->all_messages().size() == 1);
  CHECK(client.call("c", "instant", Json::object()).text() == "now");
  while (events.next("past").at("request") != "c") {
  }
}

TEST_CASE("panel: a tool that ignores its stop is shown as overdue, and then as ended",
          "[panel] [panel.stop.overdue]") {
  TestServer server([](ServerOptions& options) { options.requests.abort_warning = Millis(600); });
  PanelVisitor visitor(server.port());
  visitor.enter();
  PanelEvents events(visitor);
  McpClient client(server.port());
  client.open();
  auto call = client.start(client.call_request(1, "test_ignore_abort", {{"seconds", 2}}));
  events.call("running");
  CHECK(visitor.post("/panel/stop", {{"all", true}}).status == 200);
  events.call("stopping");
  events.call("overdue");
  CHECK(events.next("past").at("outcome") == "aborted");
}

TEST_CASE("panel: a stream that breaks is resumed without a gap, and a lost past is told of",
          "[panel] [panel.events.resume]") {
  TestServer server;
  PanelVisitor visitor(server.port());
  visitor.enter();
  McpClient client(server.port());
  client.open();
  std::string last;
  {
    PanelEvents events(visitor);
    CHECK(client.call(1, "instant", Json::object()).status == 200);
    CHECK(events.next("past").at("n") == 1);
    last = events.last_id;
  }
  for (int i = 2; i < 5; ++i) CHECK(client.call(i, "instant", Json::object()).status == 200);
  PanelEvents resumed(visitor, "", {{"Last-Event-ID", last}});
  CHECK(resumed.next("hello").at("resumed") == true);
  for (int n = 2; n < 5; ++n) CHECK(resumed.next("past").at("n") == n);
  // Another server's.
  PanelEvents foreign(visitor, "?last=deadbeef-3");
  CHECK(foreign.next("hello").at("resumed") == false);
  CHECK(foreign.next("past").at("n") == 1);
  const int all = static_cast<int>(limits::kTimeline);
  for (int i = 5; i < all + 4; ++i) CHECK(client.call(i, "instant", Json::object(), kJsonOnly).status == 200);
  // A call is noted once its client has the answer.
  REQUIRE(eventually(
      [&] { return Json::parse(visitor.get("/panel/past?limit=1").body).at("entries")[0].at("n") == all + 3; }));
  PanelEvents late(visitor, "?last=" + last);
  const Json hello = late.next("hello");
  CHECK(hello.at("missed") == 2);
  CHECK(late.next("past").at("n") == 4);
}

TEST_CASE("panel: the past can be searched and paged", "[panel] [panel.timeline.search]") {
  TestServer server;
  PanelVisitor visitor(server.port());
  visitor.enter();
  McpClient client(server.port());
  client.open();
  for (int i = 1; i <= 5; ++i) CHECK(client.call(i, i == 3 ? "fails" : "instant", Json::object()).status == 200);
  REQUIRE(eventually([&] { return Json::parse(visitor.get("/panel/past").body).at("entries").size() == 5; }));
  const auto past = [&](const std::string& query) { return Json::parse(visitor.get("/panel/past?" + query).body); };
  CHECK(past("limit=2").at("entries").size() == 2);
  CHECK(past("limit=2").at("more") == true);
  CHECK(past("limit=2&before=4").at("entries")[0].at("n") == 3);
  const Json found = past("query=FAILS");
  REQUIRE(found.at("entries").size() == 1);
  CHECK(found["entries"][0].at("isError") == true);
  CHECK(found.at("more") == false);
  CHECK(past("query=fails+nothing").at("entries").empty());
}

TEST_CASE("panel: a question is answered there or at the client, and the first answer counts",
          "[panel] [panel.questions]") {
  TestServer server;
  PanelVisitor visitor(server.port());
  visitor.enter();
  PanelEvents events(visitor);
  McpClient client(server.port());
  client.open({{"elicitation", Json::object()}});
  auto call = client.start(client.call_request(1, "ask", Json::object()));
  const auto asked = call->next_message();
  REQUIRE(asked);
  CHECK(asked->at("method") == "elicitation/create");
  const Json state = events.state([](const Json& all) { return !all.at("questions").empty(); });
  const Json question = state["questions"][0];
  CHECK(question.at("message") == asked->at("params").at("message"));
  CHECK(question.at("schema") == asked->at("params").at("requestedSchema"));
  const Json& fields = question.at("schema").at("properties");
  const Json answer = {
      {"question", question.at("id")}, {"action", "accept"}, {"content", {{fields.begin().key(), "green"}}}};
  CHECK(visitor.post("/panel/answer", {{"question", "q"}, {"action", "accept"}}).status == 409);
  CHECK(visitor.post("/panel/answer", {{"question", question.at("id")}, {"action", "perhaps"}}).status == 400);
  CHECK(visitor.post("/panel/answer", answer).status == 200);
  CHECK(visitor.post("/panel/answer", answer).status == 409);
  const auto rest = call->all_messages();
  REQUIRE(rest.size() == 2);
  CHECK(rest[0].at("method") == "notifications/cancelled");
  CHECK(rest[0].at("params").at("requestId") == asked->at("id"));
  CHECK_THAT(rest[1].dump(), Contains("green"));
  events.state([](const Json& all) { return all.at("questions").empty(); });
}
