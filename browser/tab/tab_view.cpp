#include "browser/tab/tab_view.h"

namespace bridle {
namespace {

// What a frame tree says of frames, as the events that would have told it.
void learn_frames(FrameTracker& frames, const std::string& session, const Json& tree) {
  const auto children = tree.find("childFrames");
  if (children == tree.end()) return;
  for (const Json& child : *children) {
    const auto& frame = child.at("frame");
    frames.on_event(session, "Page.frameAttached",
                    {{"frameId", frame.at("id")}, {"parentFrameId", frame.value("parentId", "")}});
    learn_frames(frames, session, child);
  }
}

}  // namespace

bool TabView::wants(std::string_view method) {
  return NavigationTracker::wants(method) || DialogGate::wants(method) || FrameTracker::wants(method) ||
         NetworkLog::wants(method) || ConsoleLog::wants(method) || FileChooserGate::wants(method) ||
         DragGate::wants(method) || method == "Inspector.targetCrashed";
}

void TabView::on_event(const std::string& session, bool main, std::string_view method, const Json& params) {
  if (main && method == "Inspector.targetCrashed") {
    crashed = true;
    dialog.reset();
    network.clear_in_flight(session);
  }
  if (main && NavigationTracker::wants(method)) {
    const auto commits_before = navigation.commit().seq;
    navigation.on_event(method, params);
    if (navigation.commit().seq != commits_before) {
      crashed = false;
      title.clear();
      chooser.reset();
    }
  }
  if (DialogGate::wants(method)) {
    const auto before = dialog.open();
    dialog.on_event(method, params);
    const bool stays = before && before->type == "beforeunload" && !dialog.open() && !params.value("result", true);
    if (main && stays) navigation.abandon_pending();
  }
  if (FrameTracker::wants(method)) frames.on_event(session, method, params);
  if (NetworkLog::wants(method)) network.on_event(session, method, params, Clock::now());
  if (FileChooserGate::wants(method)) chooser.on_event(session, method, params);
  if (DragGate::wants(method)) drag.on_event(method, params);
  if (ConsoleLog::wants(method)) console.on_event(method, params, navigation.commit().loader_id);
}

void TabView::learn_document(const std::string& session, const Json& frame_tree) {
  navigation.adopt(frame_tree.at("frame"));
  learn_frames(frames, session, frame_tree);
}

bool TabView::origin_is_certain() const {
  const auto* frame = frames.find(navigation.main_frame());
  return frame != nullptr && !frame->main_world.empty();
}

std::string TabView::origin_key() const {
  const auto& commit = navigation.commit();
  // The document's world knows of a sandbox; the commit tells the URL's origin.
  const auto& origin = origin_is_certain() ? frames.find(navigation.main_frame())->main_origin : commit.security_origin;
  return origin == "://" ? "opaque " + commit.loader_id : commit.security_origin;
}

}  // namespace bridle
