// The format of trace files, and whose their events are [tool.trace] [tool.trace.private].
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tools/devtools/parse/trace_events.h"

using namespace bridle;

namespace {

std::vector<std::string> split(const std::string& text, std::size_t piece = 1) {
  std::vector<std::string> events;
  TraceSplitter splitter([&](std::string_view event) { events.emplace_back(event); });
  for (std::size_t at = 0; at < text.size(); at += piece) splitter.append(std::string_view(text).substr(at, piece));
  return events;
}

TraceEvent event_of(const std::string& text) {
  const auto event = scan_trace_event(text);
  REQUIRE(event);
  return *event;
}

constexpr const char* kStarted =
    R"({"args":{"data":{"frames":[{"frame":"MAIN","url":"http://a/","processId":10},)"
    R"({"frame":"OTHER","url":"http://secret/","processId":20}]}},"cat":"disabled-by-default-devtools.timeline",)"
    R"("name":"TracingStartedInBrowser","ph":"I","pid":1,"tid":1,"ts":5})";

std::string committed(const std::string& frame, const std::string& parent, int process, int ts = 6) {
  return R"({"args":{"data":{"frame":")" + frame + R"(","parent":")" + parent + R"(","url":"http://x/","processId":)" +
         std::to_string(process) +
         R"(}},"cat":"disabled-by-default-devtools.timeline","name":"FrameCommittedInBrowser","ph":"I","pid":1,"tid":1,"ts":)" +
         std::to_string(ts) + "}";
}

std::string task(int process, const std::string& args = "{}", const std::string& name = "RunTask") {
  return R"({"args":)" + args + R"(,"cat":"x","dur":9,"name":")" + name + R"(","ph":"X","pid":)" +
         std::to_string(process) + R"(,"tid":7,"ts":8})";
}

}  // namespace

TEST_CASE("trace: events are found in pieces of any size, in both forms", "[trace] [tool.trace]") {
  const std::string a = R"({"name":"a}\"]{","args":{"x":[1,{"y":"\\"}]}})";
  const std::string b = R"({"name":"b"})";
  for (const std::string& text :
       {"{\"traceEvents\":[" + a + ",\n" + b + "],\"metadata\":{\"x\":[{}]}}", "[" + a + " ,\r\n\t" + b}) {
    for (const std::size_t piece : {1, 2, 3, 7, 1000}) CHECK(split(text, piece) == std::vector{a, b});
  }
  CHECK(split("").empty());
  CHECK(split("{\"traceEvents\":[]}").empty());
  CHECK(split("[{\"name\":\"cut").empty());
  TraceSplitter splitter([](std::string_view) {});
  splitter.append("[nonsense");
  CHECK(splitter.malformed());
  CHECK_FALSE(splitter.done());
}

TEST_CASE("trace: an event at the limit is kept, a longer one is dropped alone", "[trace] [tool.trace]") {
  const auto of_size = [](std::size_t size) { return "{" + std::string(size - 2, ' ') + "}"; };
  for (const std::size_t size : {TraceSplitter::kLongest - 1, TraceSplitter::kLongest, TraceSplitter::kLongest + 1}) {
    std::size_t events = 0;
    TraceSplitter splitter([&](std::string_view) { ++events; });
    splitter.append("[" + of_size(size) + ",{}]");
    const bool fits = size <= TraceSplitter::kLongest;
    CHECK(events == (fits ? 2U : 1U));
    CHECK(splitter.dropped() == (fits ? 0U : 1U));
    CHECK(splitter.done());
  }
}

TEST_CASE("trace: an event's own fields are told from those of its arguments", "[trace] [tool.trace]") {
  const std::string text =
      R"({"args":{"pid":99,"name":"no","deep":[{"ts":1}]}, "cat":"a,b","dur":3,"name":"RunTask","ph":"X","pid":10,"tid":11,"ts":1234567890123})";
  const auto event = event_of(text);
  CHECK(event.name == "RunTask");
  CHECK(event.category == "a,b");
  CHECK(event.phase == "X");
  CHECK(event.pid == 10);
  CHECK(event.tid == 11);
  CHECK(event.ts == 1234567890123);
  CHECK(event.duration == 3);
  CHECK(event.args == R"({"pid":99,"name":"no","deep":[{"ts":1}]})");
  CHECK(event_of("{}").pid == -1);
  const std::string huge = R"({"pid":1e300,"ts":-99999999999999999999999,"dur":-5,"tid":"x","ph":7})";
  CHECK(event_of(huge).pid == -1);
  CHECK(event_of(huge).ts == 0);
  CHECK(event_of(huge).duration == 0);
  CHECK(event_of(huge).phase.empty());
  for (const char* bad : {"", "[", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":\"", "{\"a\":\"\\",
                          "{\"a\":{\"b\":\"}\"", "{a:1}", "{\"a\":1,}"})
    CHECK_FALSE(scan_trace_event(bad));
}

TEST_CASE("trace: only what is certain to be of the tab is shown", "[trace] [tool.trace.private]") {
  TraceOwners owners("MAIN");
  const std::string child = committed("CHILD", "MAIN", 11);
  const std::string stranger = committed("STRANGER", "OTHER", 20);
  const std::string late = committed("MAIN", "", 12, 9);
  const std::string forged =  // a page may name its own events like this, in its own process
      R"({"args":{"data":{"frame":"MAIN","processId":20}},"cat":"blink.user_timing","name":"FrameCommittedInBrowser","ph":"R","pid":20,"tid":1,"ts":9})";
  const std::string main_thread =
      R"({"args":{"name":"CrRendererMain"},"cat":"__metadata","name":"thread_name","ph":"M","pid":10,"tid":7,"ts":0})";
  for (const auto& text : {std::string(kStarted), child, stranger, late, forged, main_thread})
    owners.add(event_of(text));
  CHECK(owners.has_process(10));
  CHECK(owners.has_process(11));
  CHECK(owners.has_process(12));
  CHECK_FALSE(owners.has_process(20));
  CHECK(owners.has_frame("CHILD"));
  CHECK_FALSE(owners.has_frame("STRANGER"));
  CHECK(owners.main_process() == 12);
  CHECK(owners.is_main_thread(10, 7));

  std::string changed;
  const auto shows = [&](const std::string& text) { return !owners.shown(event_of(text), changed).empty(); };
  CHECK(shows(task(10)));
  CHECK(shows(task(11, R"({"data":{"frame":"CHILD"}})")));
  CHECK(shows(task(10, R"({"data":{"frame":"0x12ab"}})")));
  CHECK(shows(task(10, R"({"data":{"url":"\"frame\":\"OTHER\""}})")));
  CHECK_FALSE(shows(task(10, R"({"data":{"frame":"OTHER"}})")));
  CHECK_FALSE(shows(task(10, R"({"data":{"frameId":"OTHER"}})")));
  CHECK_FALSE(shows(task(20)));
  CHECK_FALSE(shows(task(1)));
  CHECK_FALSE(shows(task(2)));
  CHECK(shows(child));
  CHECK_FALSE(shows(stranger));
  CHECK(shows(main_thread));
  CHECK_FALSE(
      shows(R"({"args":{"labels":"Another page's title"},"name":"process_labels","ph":"M","pid":10,"tid":0,"ts":0})"));
  CHECK_FALSE(shows(R"({"args":{"name":"x"},"name":"thread_name","ph":"M","pid":20,"tid":0,"ts":0})"));
  CHECK(shows(task(1, R"({"snapshot":"..."})", "Screenshot")));

  const std::string started(owners.shown(event_of(kStarted), changed));
  CHECK(started.find("secret") == std::string::npos);
  CHECK(started.find("http://a/") != std::string::npos);
}

TEST_CASE("trace: owners of malformed events are nobody", "[trace] [tool.trace.private]") {
  TraceOwners owners("MAIN");
  std::string changed;
  for (const char* args :
       {"", "7", "[]", "{}", R"({"data":[]})", R"({"data":{"frames":7}})", R"({"data":{"frames":[7,{"frame":3}]}})",
        R"({"data":{"frame":"MAIN","processId":"x"}})", R"({"data":{"frame":"","parent":"","processId":5}})"}) {
    for (const char* name : {"TracingStartedInBrowser", "FrameCommittedInBrowser"}) {
      TraceEvent event{
          .text = "{}", .name = name, .category = "devtools.timeline", .phase = "I", .args = args, .pid = 1};
      owners.add(event);
      owners.shown(event, changed);
    }
  }
  CHECK_FALSE(owners.has_process(5));
  CHECK(owners.main_process() == -1);
}
