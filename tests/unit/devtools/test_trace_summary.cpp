// What a trace says, from traces that are made up [tool.trace].
#include <string>

#include "tests/support/catch.h"
#include "tools/devtools/parse/trace_summary.h"
#include "tools/devtools/trace_words.h"

using namespace bridle;

namespace {

// A trace of one page, in process 10, whose main thread is 7.
class MadeTrace {
 public:
  MadeTrace() {
    owner("TracingStartedInBrowser", {{"frames", {{{"frame", "MAIN"}, {"processId", 10}}}}});
    feed({{"ph", "M"},
          {"name", "thread_name"},
          {"pid", 10},
          {"tid", 7},
          {"ts", 0},
          {"args", {{"name", "CrRendererMain"}}}});
  }
  void owner(const char* name, const Json& data) {
    feed({{"ph", "I"},
          {"name", name},
          {"cat", "devtools.timeline"},
          {"pid", 1},
          {"tid", 1},
          {"ts", 1},
          {"args", {{"data", data}}}});
  }
  void mark(const char* name, double ts, const Json& data, const char* phase = "R") {
    feed({{"ph", phase},
          {"name", name},
          {"pid", 10},
          {"tid", 7},
          {"ts", ts},
          {"args", {{"frame", "MAIN"}, {"data", data}}}});
  }
  void slice(const char* name, double ts, double duration, const Json& data = Json::object(), int tid = 7) {
    feed({{"ph", "X"},
          {"name", name},
          {"pid", 10},
          {"tid", tid},
          {"ts", ts},
          {"dur", duration},
          {"args", {{"data", data}}}});
  }
  void load(const char* id, double ts, const char* url = "http://a/") {
    mark("navigationStart", ts, {{"documentLoaderURL", url}, {"navigationId", id}});
  }
  TraceReport report() {
    TraceSummary summary("MAIN", owners_);
    for (const auto& text : events_) summary.add(*scan_trace_event(text));
    return summary.report();
  }

 private:
  void feed(const Json& event) {
    events_.push_back(dump(event));
    owners_.add(*scan_trace_event(events_.back()));
  }
  TraceOwners owners_{"MAIN"};
  std::vector<std::string> events_;
};

}  // namespace

TEST_CASE("trace: LCP with its phases, FCP and TTFB, of the last load", "[trace] [tool.trace]") {
  MadeTrace trace;
  trace.load("OLD", 1'000'000, "http://old/");
  trace.mark("largestContentfulPaint::Candidate", 1'100'000,
             {{"navigationId", "OLD"}, {"nodeId", 1}, {"candidateIndex", 9}});
  trace.mark("firstContentfulPaint", 5'300'000, {{"navigationId", "NEW"}});
  trace.load("NEW", 5'000'000, "http://new/");
  trace.load("EMPTY", 5'000'100, "");
  trace.mark("LargestImagePaint::Candidate", 5'900'000, {{"DOMNodeId", 4}, {"imageUrl", "http://new/hero.png"}});
  trace.mark("largestContentfulPaint::Candidate", 5'900'000,
             {{"navigationId", "NEW"},
              {"nodeId", 4},
              {"nodeName", "IMG id='hero'"},
              {"type", "image"},
              {"candidateIndex", 2},
              {"imageLoadStart", 250.0},
              {"imageLoadEnd", 700.0}});
  trace.mark("largestContentfulPaint::Candidate", 5'300'000,
             {{"navigationId", "NEW"}, {"nodeId", 3}, {"type", "text"}, {"candidateIndex", 1}});
  trace.mark("ResourceReceiveResponse", 5'220'000,
             {{"requestId", "NEW"}, {"timing", {{"requestTime", 5.05}, {"receiveHeadersStart", 100.0}}}});
  const auto report = trace.report();
  CHECK(report.loaded);
  CHECK(report.url == "http://new/");
  CHECK(report.navigation_id == "NEW");
  CHECK(report.fcp.value() == Approx(300));
  CHECK(report.ttfb.value() == Approx(150));
  REQUIRE(report.lcp);
  CHECK(report.lcp->at == Approx(900));
  CHECK(report.lcp->element == "IMG id='hero'");
  CHECK(report.lcp->url == "http://new/hero.png");
  CHECK(report.lcp->ttfb == Approx(150));
  CHECK(report.lcp->load_delay == Approx(100));
  CHECK(report.lcp->load_duration == Approx(450));
  CHECK(report.lcp->render_delay == Approx(200));
  const auto words = trace_words(report, [](long long) { return std::string(); });
  CHECK_THAT(words,
             matchers::Contains("LCP 900 ms (good): IMG id='hero' http://new/hero.png\n  TTFB 150 ms, load delay 100 "
                                "ms, load 450 ms, render delay 200 ms\n"));
  CHECK_THAT(words, matchers::Contains("FCP 300 ms (good), TTFB 150 ms (good)"));
}

TEST_CASE("trace: the load of an LCP image is its request's, where that is in the trace", "[trace] [tool.trace]") {
  MadeTrace trace;
  trace.load("N", 1'000'000);
  trace.mark("LargestImagePaint::Candidate", 1'900'000, {{"DOMNodeId", 4}, {"imageUrl", "http://a/hero.png"}});
  trace.mark(
      "largestContentfulPaint::Candidate", 1'900'000,
      {{"navigationId", "N"}, {"nodeId", 4}, {"type", "image"}, {"imageLoadStart", 400.0}, {"imageLoadEnd", 500.0}});
  trace.mark("ResourceSendRequest", 1'300'000, {{"requestId", "7"}, {"url", "http://a/hero.png"}, {"frame", "MAIN"}},
             "I");
  trace.mark("ResourceFinish", 1'710'000, {{"requestId", "7"}, {"finishTime", 1.7}}, "I");
  const auto lcp = trace.report().lcp.value();
  CHECK(lcp.load_delay == Approx(300));
  CHECK(lcp.load_duration == Approx(400));
  CHECK(lcp.render_delay == Approx(200));
}

TEST_CASE("trace: phases sum to the LCP, whatever the load's times say", "[trace] [tool.trace]") {
  MadeTrace trace;
  trace.load("N", 1'000'000);
  trace.mark("largestContentfulPaint::Candidate", 1'200'000,
             {{"navigationId", "N"}, {"type", "image"}, {"imageLoadStart", -50.0}, {"imageLoadEnd", 1e300}});
  const auto lcp = trace.report().lcp.value();
  CHECK(lcp.ttfb + lcp.load_delay + lcp.load_duration + lcp.render_delay == Approx(lcp.at));
  for (const double phase : {lcp.ttfb, lcp.load_delay, lcp.load_duration, lcp.render_delay}) CHECK(phase >= 0);
}

TEST_CASE("trace: CLS is the worst session window, without shifts after input", "[trace] [tool.trace]") {
  MadeTrace trace;
  trace.load("N", 1'000'000);
  const auto shift = [&](double ts, double score, bool after_input = false) {
    trace.mark("LayoutShift", ts,
               {{"weighted_score_delta", score},
                {"had_recent_input", after_input},
                {"impacted_nodes", {{{"node_id", 5}, {"old_rect", {0, 10, 20, 30}}, {"new_rect", {0, 50, 20, 30}}}}}},
               "I");
  };
  shift(500'000, 0.9);  // before the load
  shift(1'100'000, 0.05);
  shift(1'900'000, 0.1);
  shift(1'950'000, 0.7, true);
  shift(3'200'000, 0.12);  // a window of its own
  const auto report = trace.report();
  CHECK(report.cls == Approx(0.15));
  REQUIRE(report.shifts.size() == 3);
  CHECK(report.shifts[0].score == Approx(0.12));
  CHECK(report.shifts[0].at == Approx(2200));
  REQUIRE(report.shifts[0].nodes.size() == 1);
  CHECK_THAT(trace_words(report, [](long long node) { return "node " + std::to_string(node); }),
             matchers::Contains("CLS 0.1500 (needs improvement)\n  0.1200 at 2200 ms: node 5 0,10 -> 0,50\n"));
}

TEST_CASE("trace: a session window of shifts ends after five seconds", "[trace] [tool.trace]") {
  MadeTrace trace;
  trace.load("N", 1'000'000);
  for (int i = 0; i < 12; ++i) trace.mark("LayoutShift", 1'000'000 + i * 900'000, {{"weighted_score_delta", 0.1}}, "I");
  CHECK(trace.report().cls == Approx(0.6));
}

TEST_CASE("trace: INP is the slowest interaction, of fifty the second", "[trace] [tool.trace]") {
  MadeTrace trace;
  trace.load("N", 1'000'000);
  const auto input = [&](int interaction, double duration, const char* type, int node = 0) {
    trace.mark(
        "EventTiming", 2'000'000,
        {{"interactionId", interaction}, {"duration", duration}, {"type", type}, {"frame", "MAIN"}, {"nodeId", node}},
        "b");
  };
  input(0, 900, "pointerover");
  input(1, 30, "pointerdown");
  input(1, 80, "pointerup");
  input(1, 20, "click", 6);
  CHECK(trace.report().inp->duration == Approx(80));
  CHECK(trace.report().inp->type == "pointerup");
  CHECK(trace.report().inp->node == 6);
  for (int i = 2; i <= 50; ++i) input(i, 10 + i, "keydown");
  CHECK(trace.report().interactions == 50);
  CHECK(trace.report().inp->duration == Approx(60));
}

TEST_CASE("trace: the main thread's time by kind, long tasks by script", "[trace] [tool.trace]") {
  MadeTrace trace;
  trace.load("N", 1'000'000);
  trace.slice("RunTask", 2'000'000, 100'000);
  trace.slice("EvaluateScript", 2'010'000, 80'000, {{"url", "http://a/x.js"}});
  trace.slice("Layout", 2'020'000, 30'000);
  trace.slice("v8.something", 2'055'000, 10'000);
  trace.slice("UnknownPart", 2'056'000, 1'000);
  trace.slice("RunTask", 3'000'000, 50'000);  // not longer than 50 ms
  trace.slice("RunTask", 4'000'000, 60'000);
  trace.slice("Paint", 4'010'000, 900'000);                       // runs over its task's end
  trace.slice("RunTask", 4'500'000, 500'000, Json::object(), 8);  // another thread
  trace.slice("RunTask", 500'000, 100'000);                       // before the load
  const auto times = trace.report().main_thread;
  CHECK(times.long_task_count == 2);
  CHECK(times.blocked == Approx(60));
  REQUIRE(times.long_tasks.size() == 2);
  CHECK(times.long_tasks[0].url == "http://a/x.js");
  CHECK(times.long_tasks[0].total == Approx(100));
  CHECK(times.long_tasks[1].url.empty());
  const std::map<std::string, double> kinds(times.kinds.begin(), times.kinds.end());
  CHECK(kinds.at("scripting") == Approx(50));
  CHECK(kinds.at("rendering") == Approx(30));
  CHECK(kinds.at("painting") == Approx(50));
  CHECK(kinds.at("other") == Approx(80));
}

TEST_CASE("trace: requests that block rendering, whatever order their events come in", "[trace] [tool.trace]") {
  MadeTrace trace;
  trace.load("N", 1'000'000);
  const auto send = [&](const char* id, const char* blocking, const char* frame = "MAIN") {
    trace.mark(
        "ResourceSendRequest", 1'010'000,
        {{"requestId", id}, {"url", std::string("http://a/") + id}, {"renderBlocking", blocking}, {"frame", frame}},
        "I");
  };
  trace.mark("ResourceFinish", 1'210'000, {{"requestId", "a.css"}}, "I");
  send("a.css", "blocking");
  send("b.js", "in_body_parser_blocking");
  send("c.js", "non_blocking");
  const auto report = trace.report();
  REQUIRE(report.blocking.size() == 2);
  CHECK(report.blocking[0].url == "http://a/a.css");
  CHECK(report.blocking[0].start == Approx(10));
  CHECK(report.blocking[0].end == Approx(210));
  CHECK(report.blocking[1].end == 0);
}

TEST_CASE("trace: nothing in it, no load in it, malformed events", "[trace] [tool.trace]") {
  TraceOwners owners("MAIN");
  TraceSummary empty("MAIN", owners);
  CHECK_FALSE(empty.report().loaded);
  const auto words = trace_words(empty.report(), [](long long) { return std::string(); });
  CHECK_THAT(words, matchers::Contains("No page load is in the trace") &&
                        matchers::Contains("INP: nobody has clicked") && matchers::Contains("CLS 0.0000 (good)"));

  MadeTrace trace;
  trace.slice("RunTask", 1'000'000, 70'000);
  CHECK(trace.report().main_thread.long_task_count == 1);
  for (const char* name :
       {"navigationStart", "firstContentfulPaint", "largestContentfulPaint::Candidate", "LargestImagePaint::Candidate",
        "LayoutShift", "EventTiming", "ResourceSendRequest", "ResourceReceiveResponse", "ResourceFinish"}) {
    for (const char* data :
         {"null", "[]", "{}", R"({"navigationId":4,"documentLoaderURL":[],"candidateIndex":"x"})",
          R"({"requestId":7,"timing":3,"impacted_nodes":[3,{"old_rect":[1]}],"weighted_score_delta":-1e300})"})
      trace.mark(name, 1'000'000, Json::parse(data));
  }
  trace.slice("EvaluateScript", 9e15, 9e18, {{"url", 5}});
  CHECK_FALSE(trace.report().loaded);
  CHECK(trace.report().cls == 0);
}
