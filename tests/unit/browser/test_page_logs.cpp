#include "browser/tab/console_log.h"
#include "browser/tab/network_log.h"
#include "tests/support/catch.h"

// What a page has asked for and written: its requests and its console.
using namespace bridle;
using namespace std::chrono_literals;

namespace {

Clock::time_point at(int ms) { return Clock::time_point(Millis(1'000'000 + ms)); }

Json request(const std::string& id, const std::string& url, const std::string& type = "Fetch") {
  return {{"requestId", id},
          {"frameId", "MAIN"},
          {"loaderId", "L"},
          {"type", type},
          {"request", {{"url", url}, {"method", "GET"}, {"headers", {{"A", "b"}}}}}};
}
Json answer(const std::string& id, int status) {
  return {
      {"requestId", id},
      {"response", {{"status", status}, {"statusText", "OK"}, {"mimeType", "text/html"}, {"headers", {{"C", "d"}}}}}};
}
Json finished(const std::string& id, double bytes = 10) { return {{"requestId", id}, {"encodedDataLength", bytes}}; }

}  // namespace

TEST_CASE("a request is in flight from its start to its end", "[page_trackers]") {
  NetworkLog log;
  CHECK(log.in_flight() == 0);
  CHECK_FALSE(log.activity_since(0).last);
  CHECK(log.on_event("S", "Network.requestWillBeSent", request("R1", "http://a/api"), at(0)));
  CHECK(log.activity_since(0).busy == 1);
  CHECK(log.in_flight() == 1);
  CHECK(log.started() == 1);
  CHECK(log.activity_since(0).last == at(0));
  log.on_event("S", "Network.responseReceived", answer("R1", 201), at(10));
  CHECK(log.activity_since(0).busy == 1);
  log.on_event("S", "Network.loadingFinished", finished("R1", 123), at(20));
  CHECK(log.activity_since(0).busy == 0);
  CHECK(log.in_flight() == 0);
  CHECK(log.activity_since(0).last == at(20));
  const auto& entry = log.entries().at(0);
  CHECK(entry.index == 1);
  CHECK(entry.url == "http://a/api");
  CHECK(entry.method == "GET");
  CHECK(entry.status == 201);
  CHECK(entry.mime_type == "text/html");
  CHECK(entry.encoded_bytes == 123);
  CHECK(entry.request_headers == Json{{"A", "b"}});
  CHECK(entry.response_headers == Json{{"C", "d"}});
  CHECK(entry.finished);
}

TEST_CASE("what a document asked for as it was left keeps the next one waiting for nothing", "[page_trackers]") {
  const auto of = [](const std::string& loader, const std::string& id, const std::string& frame = "MAIN") {
    auto one = request(id, "http://a/" + id);
    one["loaderId"] = loader;
    one["frameId"] = frame;
    return one;
  };
  NetworkLog log;
  log.enter_document("MAIN", "L1", true);
  log.enter_document("CHILD", "C1", false);
  log.on_event("S", "Network.requestWillBeSent", of("L1", "beforeunload"), at(0));
  log.on_event("S", "Network.requestWillBeSent", of("C1", "child", "CHILD"), at(0));
  auto document = of("L2", "L2");
  document["type"] = "Document";
  log.on_event("S", "Network.requestWillBeSent", document, at(1));
  CHECK(log.in_flight() == 3);
  SECTION("the whole page") {
    log.enter_document("MAIN", "L2", true);
    CHECK(log.in_flight() == 1);  // its own document
    CHECK(log.activity_since(0).fetches == 0);
    log.on_event("S", "Network.loadingFinished", finished("L2"), at(2));
    // As the old one's process tells late.
    log.on_event("S", "Network.requestWillBeSent", of("L1", "pagehide"), at(3));
    log.on_event("S", "Network.requestWillBeSent", of("C1", "late", "CHILD"), at(3));
    CHECK(log.in_flight() == 0);
    CHECK(log.activity_since(0).fetching.empty());
    log.on_event("S", "Network.requestWillBeSent", of("L2", "own"), at(4));
    CHECK(log.in_flight() == 1);
    CHECK(log.activity_since(0).fetching == "http://a/own");
    CHECK(log.entries().size() == 6);  // all are told
    // A browser that isn't ours may keep a document, and what that asks for then is a page's own.
    log.enter_document("MAIN", "L1", true);
    CHECK(log.in_flight() == 0);
    log.on_event("S", "Network.requestWillBeSent", of("L1", "again"), at(5));
    CHECK(log.in_flight() == 1);
  }
  SECTION("a frame of it") {
    log.enter_document("CHILD", "C2", false);
    CHECK(log.activity_since(0).fetching == "http://a/beforeunload");
    CHECK(log.activity_since(0).fetches == 1);
  }
}

TEST_CASE("the browser's own request for its tab strip's icon is none of the page's", "[page_trackers]") {
  NetworkLog log;
  CHECK_FALSE(log.on_event("S", "Network.requestWillBeSent", request("R1", "http://a/favicon.ico", "Other"), at(0)));
  auto redirected = request("R1", "http://a/icons/1.png", "Other");
  redirected["redirectResponse"] = {{"url", "http://a/favicon.ico"}, {"status", 301}};
  CHECK_FALSE(log.on_event("S", "Network.requestWillBeSent", redirected, at(1)));
  CHECK_FALSE(log.on_event("S", "Network.responseReceived", answer("R1", 200), at(2)));
  CHECK(log.in_flight() == 0);
  CHECK(log.entries().empty());
  // What the page fetches itself is told, whatever it is called.
  CHECK(log.on_event("S", "Network.requestWillBeSent", request("R2", "http://a/favicon.ico", "Fetch"), at(3)));
  CHECK(log.entries().at(0).index == 1);
}

TEST_CASE("a fetch whose body has come is over, whether the page reads it or not", "[page_trackers]") {
  const auto data = [](double bytes) {
    return Json{{"requestId", "R1"}, {"dataLength", 9}, {"encodedDataLength", bytes}};
  };
  const auto begin = [](NetworkLog& log, const char* type, const Json& headers) {
    log.on_event("S", "Network.requestWillBeSent", request("R1", "http://a/", type), at(0));
    auto response = answer("R1", 200);
    response["response"]["headers"] = headers;
    log.on_event("S", "Network.responseReceived", response, at(10));
  };
  NetworkLog log;
  SECTION("as long as it was said to be") {
    begin(log, "Fetch", {{"content-LENGTH", "700"}});
    log.on_event("S", "Network.dataReceived", data(699), at(20));
    CHECK(log.activity_since(0).busy == 1);
    log.on_event("S", "Network.dataReceived", data(1), at(30));
    CHECK(log.activity_since(0).busy == 0);
    CHECK(log.in_flight() == 0);
    CHECK(log.activity_since(0).last == at(30));
    CHECK_FALSE(log.entries().at(0).finished);
    log.on_event("S", "Network.loadingFinished", finished("R1"), at(40));
    CHECK(log.entries().at(0).finished);
    CHECK(log.activity_since(0).last == at(40));
  }
  SECTION("of no stated length, or an odd one: only its end tells") {
    const Json headers =
        GENERATE(Json{{"x", "700"}}, Json{{"Content-Length", "many"}}, Json{{"Content-Length", "7, 7"}});
    begin(log, "Fetch", headers);
    log.on_event("S", "Network.dataReceived", data(10'000), at(20));
    CHECK(log.activity_since(0).busy == 1);
  }
  SECTION("other types always tell their end") {
    begin(log, "Document", {{"Content-Length", "7"}});
    log.on_event("S", "Network.dataReceived", data(7), at(20));
    CHECK(log.activity_since(0).busy == 1);
  }
}

TEST_CASE("what a page's scripts fetch is told apart, with the oldest of it", "[page_trackers] [nav.fetches]") {
  NetworkLog log;
  const auto begin = [&](const char* id, const char* type) {
    log.on_event("S", "Network.requestWillBeSent", request(id, std::string("http://a/") + id, type), at(0));
  };
  for (const char* type : {"Document", "Image", "Font", "Ping", "EventSource", "Other"}) begin(type, type);
  auto of_worker = request("worker", "http://a/worker.js", "Script");
  of_worker["loaderId"] = "";
  log.on_event("S", "Network.requestWillBeSent", of_worker, at(0));
  CHECK(log.activity_since(0).fetches == 0);
  CHECK(log.in_flight() == 4);  // neither streams and beacons nor what a worker runs, whose end is told to nobody
  CHECK_FALSE(log.activity_since(0).last_fetch);
  begin("module", "Script");
  begin("theme", "Stylesheet");
  begin("list", "Fetch");
  begin("user", "XHR");
  CHECK(log.activity_since(0).fetches == 4);
  CHECK(log.activity_since(0).fetching == "http://a/module");
  log.on_event("S", "Network.loadingFinished", finished("module"), at(10));
  CHECK(log.activity_since(0).fetching == "http://a/theme");
  CHECK(log.activity_since(0).last_fetch == at(0));
  for (const char* id : {"theme", "list", "user"}) log.on_event("S", "Network.loadingFinished", finished(id), at(20));
  CHECK(log.activity_since(0).fetches == 0);
  CHECK(log.activity_since(0).last_fetch == at(20));
}

TEST_CASE("a long poll that is renewed isn't the action's", "[page_trackers] [nav.after-action]") {
  NetworkLog log;
  const auto begin = [&](const char* id, const char* url, int ms, const char* body = "") {
    auto params = request(id, url, "XHR");
    if (*body != '\0') params["request"]["method"] = "POST";
    params["request"]["postData"] = body;
    log.on_event("S", "Network.requestWillBeSent", params, at(ms));
  };
  const auto end = [&](const char* id, int ms) { log.on_event("S", "Network.loadingFinished", finished(id), at(ms)); };
  begin("poll", "http://a/events?since=1", 0);
  begin("push", "http://a/push", 0, "{}");
  const int mark = log.begin_action(at(5));
  begin("act", "http://a/scan", 10);
  end("act", 20);
  SECTION("nor is what renews that one") {
    for (const char* id : {"poll", "second", "third"}) {
      end(id, 100);
      begin(id == std::string("poll") ? "second" : "third", "http://a/events?since=2", 600);
      CHECK(log.activity_since(mark).busy == 0);
      CHECK(log.activity_since(mark).last == at(20));
      CHECK(log.activity_since(mark).last_fetch == at(20));
    }
    end("push", 700);
    begin("push again", "http://a/push", 800, "{}");
    CHECK(log.activity_since(mark).busy == 0);
  }
  SECTION("nor what renews one that ended just before the action") {
    end("poll", 5000);
    const int later = log.begin_action(at(5000));
    begin("second", "http://a/events?since=2", 5600);
    CHECK(log.activity_since(later).busy == 0);
    begin("act again", "http://a/scan", 5600);
    CHECK(log.activity_since(later).busy == 1);
  }
  SECTION("nor what renews one whose answer has begun to come, before its end is told") {
    log.on_event("S", "Network.responseReceived", answer("poll", 200), at(100));
    begin("second", "http://a/events?since=2", 101);
    end("poll", 102);
    CHECK(log.activity_since(mark).busy == 0);
    CHECK(log.activity_since(mark).last == at(20));
  }
  SECTION("but one that comes beside it is") {
    begin("more", "http://a/events?since=0", 100);
    CHECK(log.activity_since(mark).busy == 1);
  }
  SECTION("and one that is asked for in its stead") {
    log.on_event("S", "Network.loadingFailed", {{"requestId", "poll"}, {"errorText", "net::ERR_ABORTED"}}, at(100));
    begin("more", "http://a/events?since=0", 100);
    CHECK(log.activity_since(mark).busy == 1);
  }
  SECTION("and one that comes much later, elsewhere, by another method, or with something else to say") {
    end("poll", 100);
    end("push", 100);
    begin("late", "http://a/events?since=2", 1200);
    begin("else", "http://a/scan", 100);
    begin("posted", "http://a/events?since=2", 100, "{}");
    begin("said", "http://a/push", 100, "{1}");
    CHECK(log.activity_since(mark).busy == 4);
  }
  SECTION("and what repeats a request of the action's") {
    begin("act again", "http://a/scan", 30);
    CHECK(log.activity_since(mark).busy == 1);
  }
}

TEST_CASE("a failed request is over, with its error", "[page_trackers]") {
  NetworkLog log;
  log.on_event("S", "Network.requestWillBeSent", request("R1", "http://a/"), at(0));
  log.on_event("S", "Network.loadingFailed", {{"requestId", "R1"}, {"errorText", "net::ERR_FAILED"}}, at(5));
  CHECK(log.activity_since(0).busy == 0);
  CHECK(log.entries().at(0).error == "net::ERR_FAILED");
}

TEST_CASE("each hop of a redirect is an entry; only the last one is in flight", "[page_trackers]") {
  NetworkLog log;
  log.on_event("S", "Network.requestWillBeSent", request("R1", "http://a/1"), at(0));
  auto hop = request("R1", "http://a/2");
  hop["redirectResponse"] = {{"status", 302}, {"url", "http://a/1"}};
  log.on_event("S", "Network.requestWillBeSent", hop, at(5));
  REQUIRE(log.entries().size() == 2);
  CHECK(log.entries()[0].finished);
  CHECK(log.entries()[0].status == 302);
  CHECK(log.in_flight() == 1);
  log.on_event("S", "Network.responseReceived", answer("R1", 200), at(8));
  log.on_event("S", "Network.loadingFinished", finished("R1"), at(9));
  CHECK(log.in_flight() == 0);
  CHECK(log.entries()[0].status == 302);
  CHECK(log.entries()[1].status == 200);
}

TEST_CASE("what was in flight before a mark doesn't count after it", "[page_trackers]") {
  NetworkLog log;
  log.on_event("S", "Network.requestWillBeSent", request("POLL", "http://a/never"), at(0));
  const int mark = log.started();
  CHECK(log.activity_since(mark).busy == 0);
  CHECK_FALSE(log.activity_since(mark).last);
  log.on_event("S", "Network.requestWillBeSent", request("R2", "http://a/x"), at(50));
  CHECK(log.activity_since(mark).busy == 1);
  CHECK(log.activity_since(0).busy == 2);
  CHECK(log.activity_since(mark).last == at(50));
  log.on_event("S", "Network.loadingFinished", finished("POLL"), at(60));
  CHECK(log.activity_since(mark).last == at(50));
}

TEST_CASE("streams, beacons and pictures keep no page busy", "[page_trackers]") {
  NetworkLog log;
  for (const char* type : {"EventSource", "WebSocket", "Ping", "Media", "Image", "Font", "Preflight"}) {
    log.on_event("S", "Network.requestWillBeSent", request(type, "http://a/", type), at(0));
  }
  CHECK(log.started() == 7);
  CHECK(log.activity_since(0).busy == 0);
  CHECK_FALSE(log.activity_since(0).last);
  for (const char* type : {"Fetch", "XHR", "Script", "Document", "Stylesheet"}) {
    CAPTURE(type);
    const int mark = log.started();
    log.on_event("S", "Network.requestWillBeSent", request(type, "http://a/", type), at(0));
    CHECK(log.activity_since(mark).busy == 1);
  }
}

TEST_CASE("request ids of two sessions don't meet", "[page_trackers]") {
  NetworkLog log;
  log.on_event("S1", "Network.requestWillBeSent", request("R1", "http://a/"), at(0));
  log.on_event("S2", "Network.requestWillBeSent", request("R1", "http://b/"), at(0));
  CHECK(log.in_flight() == 2);
  CHECK(log.entries()[0].status == 0);
  log.on_event("S2", "Network.responseReceived", answer("R1", 500), at(1));
  CHECK(log.entries()[0].status == 0);
  CHECK(log.entries()[1].status == 500);
  log.clear_in_flight("S1");
  CHECK(log.in_flight() == 1);
  CHECK(log.entries()[0].finished);
  CHECK_FALSE(log.entries()[1].finished);
}

TEST_CASE("the log of requests is bounded, and old ones leave nothing in flight", "[page_trackers]") {
  NetworkLog log;
  for (int i = 0; i < 1500; ++i) {
    log.on_event("S", "Network.requestWillBeSent", request("R" + std::to_string(i), "http://a/"), at(i));
  }
  CHECK(log.entries().size() == 1000);
  CHECK(log.dropped() == 500);
  CHECK(log.started() == 1500);
  CHECK(log.entries().front().index == 501);
  CHECK(log.in_flight() == 1000);
  CHECK_FALSE(log.on_event("S", "Network.loadingFinished", finished("R0"), at(2000)));  // forgotten: no harm
  for (int i = 500; i < 1500; ++i)
    log.on_event("S", "Network.loadingFinished", finished("R" + std::to_string(i)), at(2000));
  CHECK(log.in_flight() == 0);
}

TEST_CASE("a page's huge post is kept in part", "[page_trackers]") {
  NetworkLog log;
  auto post = request("R1", "http://a/");
  post["request"]["postData"] = std::string(1'000'000, 'x');
  post["request"]["hasPostData"] = true;
  log.on_event("S", "Network.requestWillBeSent", post, at(0));
  CHECK(log.entries()[0].has_post_data);
  CHECK(log.entries()[0].post_data.size() == 64 * 1024);
}

// --- console

TEST_CASE("console lines carry level, text, place and document", "[page_trackers]") {
  ConsoleLog log;
  log.on_event("Runtime.consoleAPICalled",
               {{"type", "warning"},
                {"args",
                 {{{"type", "string"}, {"value", "count"}},
                  {{"type", "number"}, {"value", 3}},
                  {{"type", "undefined"}},
                  {{"type", "bigint"}, {"unserializableValue", "10n"}},
                  {{"type", "object"}, {"description", "Object"}}}},
                {"stackTrace", {{"callFrames", {{{"url", "http://a/app.js"}, {"lineNumber", 11}}}}}}},
               "L1");
  REQUIRE(log.entries().size() == 1);
  const auto& entry = log.entries()[0];
  CHECK(entry.level == "warning");
  CHECK(entry.text == "count 3 undefined 10n Object");
  CHECK(entry.url == "http://a/app.js");
  CHECK(entry.line == 12);
  CHECK(entry.loader_id == "L1");
  CHECK(entry.index == 1);
}

TEST_CASE("levels: error and assert are errors, log and info are info", "[page_trackers]") {
  ConsoleLog log;
  for (const char* type : {"error", "assert", "log", "info", "debug", "warning", "table"}) {
    log.on_event("Runtime.consoleAPICalled", {{"type", type}, {"args", Json::array()}}, "L");
  }
  std::vector<std::string> levels;
  for (const auto& entry : log.entries()) levels.push_back(entry.level);
  CHECK(levels == std::vector<std::string>{"error", "error", "info", "info", "debug", "warning", "info"});
}

TEST_CASE("uncaught exceptions and the browser's own entries are there too", "[page_trackers]") {
  ConsoleLog log;
  log.on_event("Runtime.exceptionThrown",
               {{"exceptionDetails",
                 {{"text", "Uncaught"},
                  {"url", "http://a/"},
                  {"lineNumber", 4},
                  {"exception", {{"type", "object"}, {"description", "Error: boom\n    at f"}}}}}},
               "L");
  log.on_event("Log.entryAdded", {{"entry", {{"level", "error"}, {"text", "Failed to load"}, {"url", "http://a/x"}}}},
               "L");
  REQUIRE(log.entries().size() == 2);
  CHECK(log.entries()[0].level == "error");
  CHECK(log.entries()[0].text == "Uncaught Error: boom\n    at f");
  CHECK(log.entries()[0].line == 5);
  CHECK(log.entries()[1].text == "Failed to load");
  CHECK_FALSE(log.on_event("Page.loadEventFired", Json::object(), "L"));
}

TEST_CASE("the console is bounded in lines and in length", "[page_trackers]") {
  ConsoleLog log;
  const Json line{{"type", "log"}, {"args", {{{"type", "string"}, {"value", std::string(100'000, 'x')}}}}};
  for (int i = 0; i < 1200; ++i) log.on_event("Runtime.consoleAPICalled", line, "L");
  CHECK(log.entries().size() == 1000);
  CHECK(log.dropped() == 200);
  CHECK(log.last_index() == 1200);
  CHECK(log.entries().front().index == 201);
  CHECK(log.entries().back().text.size() == 4000);
}
