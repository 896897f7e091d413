#include "browser/tab/frame_tracker.h"
#include "browser/tab/gates/dialog_gate.h"
#include "tests/support/catch.h"

using namespace bridle;
using namespace std::chrono_literals;

// --- dialogs

TEST_CASE("a dialog is open from its opening to its closing", "[page_trackers]") {
  DialogGate gate;
  CHECK_FALSE(gate.open());
  CHECK(gate.on_event("Page.javascriptDialogOpening",
                      {{"type", "prompt"}, {"message", "Name?"}, {"defaultPrompt", "nobody"}, {"url", "http://a/"}}));
  REQUIRE(gate.open());
  CHECK(gate.open()->type == "prompt");
  CHECK(gate.open()->message == "Name?");
  CHECK(gate.open()->default_prompt == "nobody");
  CHECK(gate.open()->url == "http://a/");
  CHECK(gate.seq() == 1);
  CHECK(gate.on_event("Page.javascriptDialogClosed", {{"result", true}}));
  CHECK_FALSE(gate.open());
  CHECK(gate.seq() == 1);  // counts openings
}

TEST_CASE("each opening has a number of its own, and other events are none of it", "[page_trackers]") {
  DialogGate gate;
  CHECK_FALSE(gate.on_event("Page.loadEventFired", {}));
  CHECK_FALSE(DialogGate::wants("Page.loadEventFired"));
  CHECK(DialogGate::wants("Page.javascriptDialogOpening"));
  CHECK(DialogGate::wants("Page.javascriptDialogClosed"));
  gate.on_event("Page.javascriptDialogOpening", {{"type", "alert"}, {"message", "one"}});
  gate.on_event("Page.javascriptDialogClosed", {});
  gate.on_event("Page.javascriptDialogOpening", {{"type", "alert"}, {"message", "two"}});
  CHECK(gate.open()->seq == 2);
  gate.reset();
  CHECK_FALSE(gate.open());
}

// --- frames

namespace {

Json context(int id, const std::string& unique, const std::string& frame, bool is_default,
             const std::string& name = "") {
  return {{"context",
           {{"id", id},
            {"origin", "http://a"},
            {"uniqueId", unique},
            {"name", name},
            {"auxData", {{"frameId", frame}, {"isDefault", is_default}}}}}};
}
Json navigated(const std::string& id, const std::string& parent, const std::string& url) {
  Json frame{{"id", id}, {"url", url}, {"loaderId", "L"}};
  if (!parent.empty()) frame["parentId"] = parent;
  return {{"frame", frame}};
}

}  // namespace

TEST_CASE("frames are known with their parents, URLs and worlds", "[page_trackers]") {
  FrameTracker frames;
  frames.on_event("S", "Page.frameNavigated", navigated("MAIN", "", "http://a/"));
  frames.on_event("S", "Page.frameAttached", {{"frameId", "F1"}, {"parentFrameId", "MAIN"}});
  frames.on_event("S", "Page.frameNavigated", navigated("F1", "MAIN", "http://a/frame"));
  frames.on_event("S", "Runtime.executionContextCreated", context(1, "U1", "MAIN", true));
  frames.on_event("S", "Runtime.executionContextCreated", context(2, "U2", "MAIN", false, FrameTracker::kWorldName));
  frames.on_event("S", "Runtime.executionContextCreated", context(3, "U3", "F1", true));
  frames.on_event("S", "Runtime.executionContextCreated", context(9, "U9", "F1", false, "some extension"));
  REQUIRE(frames.find("MAIN"));
  CHECK(frames.find("MAIN")->main_world == "U1");
  CHECK(frames.find("MAIN")->main_context_id == 1);
  CHECK(frames.find("MAIN")->main_origin == "http://a");
  CHECK(frames.find("MAIN")->bridle_world == "U2");
  CHECK(frames.find("MAIN")->bridle_context_id == 2);
  REQUIRE(frames.find("F1"));
  CHECK(frames.find("F1")->parent == "MAIN");
  CHECK(frames.find("F1")->url == "http://a/frame");
  CHECK(frames.find("F1")->main_world == "U3");
  CHECK(frames.find("F1")->bridle_world.empty());
  REQUIRE(frames.children("MAIN").size() == 1);
  CHECK(frames.children("MAIN")[0].id == "F1");
  CHECK(frames.find("F2") == nullptr);
}

TEST_CASE("a frame whose document is on its way says so until it has come or given up", "[page_trackers]") {
  FrameTracker frames;
  const auto navigating = [&] { return frames.find("F1")->navigating; };
  frames.on_event("S", "Page.frameNavigated", navigated("MAIN", "", "http://a/"));
  frames.on_event("S", "Page.frameStartedNavigating", {{"frameId", "F0"}});
  CHECK(frames.find("F0") == nullptr);  // only what is attached is known
  frames.on_event("S", "Page.frameAttached", {{"frameId", "F1"}, {"parentFrameId", "MAIN"}});
  CHECK_FALSE(navigating());
  frames.on_event("S", "Page.frameStartedNavigating", {{"frameId", "F1"}});
  CHECK(navigating());
  frames.on_event("S", "Page.frameNavigated", navigated("F1", "MAIN", "http://a/frame"));
  CHECK_FALSE(navigating());
  frames.on_event("S", "Page.frameStartedNavigating", {{"frameId", "F1"}});
  frames.on_event("S", "Page.frameStoppedLoading", {{"frameId", "F1"}});
  CHECK_FALSE(navigating());
  frames.on_event("S", "Page.frameStartedNavigating", {{"frameId", "F1"}});
  frames.set_session("CHILD", "F1", "MAIN");
  CHECK_FALSE(navigating());
}

TEST_CASE("the frames below one, parents first", "[page_trackers]") {
  FrameTracker frames;
  frames.on_event("S", "Page.frameNavigated", navigated("MAIN", "", "http://a/"));
  for (const auto& [id, parent] : {std::pair{"Z", "MAIN"}, {"A", "Z"}, {"B", "MAIN"}, {"C", "A"}})
    frames.on_event("S", "Page.frameAttached", {{"frameId", id}, {"parentFrameId", parent}});
  CHECK(frames.descendants("MAIN") == std::vector<std::string>{"B", "Z", "A", "C"});
  CHECK(frames.descendants("Z") == std::vector<std::string>{"A", "C"});
  CHECK(frames.descendants("C").empty());
}

TEST_CASE("a world that is destroyed or cleared is gone, others stay", "[page_trackers]") {
  FrameTracker frames;
  frames.on_event("S", "Runtime.executionContextCreated", context(1, "U1", "MAIN", true));
  frames.on_event("S", "Runtime.executionContextCreated", context(2, "U2", "MAIN", false, FrameTracker::kWorldName));
  frames.on_event("OTHER", "Runtime.executionContextCreated", context(1, "V1", "F1", true));
  frames.on_event("S", "Runtime.executionContextDestroyed",
                  {{"executionContextId", 1}, {"executionContextUniqueId", "U1"}});
  CHECK(frames.find("MAIN")->main_world.empty());
  CHECK(frames.find("MAIN")->bridle_world == "U2");
  frames.on_event("S", "Runtime.executionContextsCleared", Json::object());
  CHECK(frames.find("MAIN")->bridle_world.empty());
  CHECK(frames.find("F1")->main_world == "V1");
}

TEST_CASE("a new document of the main frame takes the old one's frames with it", "[page_trackers]") {
  FrameTracker frames;
  frames.on_event("S", "Page.frameNavigated", navigated("MAIN", "", "http://a/"));
  frames.on_event("S", "Page.frameAttached", {{"frameId", "F1"}, {"parentFrameId", "MAIN"}});
  frames.on_event("S", "Page.frameAttached", {{"frameId", "F2"}, {"parentFrameId", "F1"}});
  CHECK(frames.size() == 3);
  frames.on_event("S", "Page.frameNavigated", navigated("MAIN", "", "http://b/"));
  CHECK(frames.size() == 1);
}

TEST_CASE("a detached frame goes with its own; a swapped one stays", "[page_trackers]") {
  FrameTracker frames;
  frames.on_event("S", "Page.frameNavigated", navigated("MAIN", "", "http://a/"));
  frames.on_event("S", "Page.frameAttached", {{"frameId", "F1"}, {"parentFrameId", "MAIN"}});
  frames.on_event("S", "Page.frameAttached", {{"frameId", "F2"}, {"parentFrameId", "F1"}});
  frames.on_event("S", "Page.frameDetached", {{"frameId", "F1"}, {"reason", "swap"}});
  CHECK(frames.find("F1") != nullptr);
  frames.on_event("S", "Page.frameDetached", {{"frameId", "F1"}, {"reason", "remove"}});
  CHECK(frames.find("F1") == nullptr);
  CHECK(frames.find("F2") == nullptr);
  CHECK(frames.size() == 1);
}

TEST_CASE("an out-of-process frame: its own session, its worlds through that, gone with it", "[page_trackers]") {
  FrameTracker frames;
  frames.on_event("S", "Page.frameNavigated", navigated("MAIN", "", "http://a/"));
  frames.on_event("S", "Page.frameAttached", {{"frameId", "F1"}, {"parentFrameId", "MAIN"}});
  frames.on_event("S", "Runtime.executionContextCreated", context(3, "U3", "F1", true));
  frames.on_event("S", "Page.frameDetached", {{"frameId", "F1"}, {"reason", "swap"}});
  frames.set_session("CHILD", "F1", "MAIN");
  REQUIRE(frames.find("F1"));
  CHECK(frames.find("F1")->session == "CHILD");
  CHECK(frames.find("F1")->parent == "MAIN");
  CHECK(frames.find("F1")->main_world.empty());  // the old process's is no use any more
  frames.on_event("CHILD", "Runtime.executionContextCreated", context(1, "C1", "F1", true));
  // The old process takes its leave late.
  frames.on_event("S", "Runtime.executionContextDestroyed", {{"executionContextUniqueId", "U3"}});
  CHECK(frames.find("F1")->main_world == "C1");
  CHECK(frames.find("F1")->session == "CHILD");
  frames.on_event("CHILD", "Page.frameNavigated", navigated("F1", "", "http://x/frame"));
  CHECK(frames.find("F1")->parent == "MAIN");  // its session doesn't name the parent
  frames.drop_session("CHILD");
  CHECK(frames.find("F1") == nullptr);
  CHECK(frames.find("MAIN") != nullptr);
}

TEST_CASE("contexts without a frame (workers) are none of a frame's", "[page_trackers]") {
  FrameTracker frames;
  frames.on_event("S", "Runtime.executionContextCreated", {{"context", {{"id", 1}, {"uniqueId", "W"}, {"name", ""}}}});
  frames.on_event("S", "Runtime.executionContextCreated",
                  {{"context", {{"id", 2}, {"uniqueId", "X"}, {"auxData", Json::object()}}}});
  CHECK(frames.size() == 0);
  CHECK_FALSE(frames.on_event("S", "Page.loadEventFired", Json::object()));
}
