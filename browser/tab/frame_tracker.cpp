#include "browser/tab/frame_tracker.h"

#include <algorithm>
#include <array>
#include <utility>

#include "config/network/origin_rules.h"

namespace bridle {

bool FrameTracker::wants(std::string_view method) {
  static constexpr std::array<std::string_view, 8> kMethods{"Page.frameAttached",
                                                            "Page.frameStartedNavigating",
                                                            "Page.frameStoppedLoading",
                                                            "Page.frameDetached",
                                                            "Page.frameNavigated",
                                                            "Runtime.executionContextCreated",
                                                            "Runtime.executionContextDestroyed",
                                                            "Runtime.executionContextsCleared"};
  return std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end();
}

bool FrameTracker::on_event(const std::string& session, std::string_view method, const Json& params) {
  if (method == "Page.frameAttached") {
    auto& frame = entry(string_field(params, "frameId"));
    frame.parent = string_field(params, "parentFrameId");
    frame.session = session;
  } else if (method == "Page.frameNavigated") {
    ++documents_;
    const auto& json = params.at("frame");
    auto& frame = entry(string_field(json, "id"));
    if (const auto parent = string_field(json, "parentId"); !parent.empty()) frame.parent = parent;
    frame.session = session;
    frame.url = string_field(json, "url") + string_field(json, "urlFragment");
    frame.navigating = false;
    if (frame.parent.empty()) {
      for (const auto& child : children(frame.id)) remove_with_children(child.id);
    }
  } else if (method == "Page.frameStartedNavigating" || method == "Page.frameStoppedLoading") {
    if (auto* frame = find(string_field(params, "frameId")))
      frame->navigating = method == "Page.frameStartedNavigating";
  } else if (method == "Page.frameDetached") {
    // A swap moves the frame to another process, and the session of that process announces what follows.
    if (string_field(params, "reason") != "swap") remove_with_children(string_field(params, "frameId"));
  } else if (method == "Runtime.executionContextCreated") {
    on_context_created(session, params.at("context"));
  } else if (method == "Runtime.executionContextDestroyed") {
    on_context_destroyed(string_field(params, "executionContextUniqueId"));
  } else if (method == "Runtime.executionContextsCleared") {
    for (auto& [id, frame] : frames_) {
      if (frame.session != session) continue;
      frame.main_world.clear();
      frame.bridle_world.clear();
    }
  } else {
    return false;
  }
  return true;
}

void FrameTracker::on_context_created(const std::string& session, const Json& context) {
  const auto aux = context.find("auxData");
  if (aux == context.end()) return;
  const auto frame_id = string_field(*aux, "frameId");
  if (frame_id.empty()) return;
  auto& frame = entry(frame_id);
  frame.session = session;
  if (aux->value("isDefault", false)) {
    frame.main_world = string_field(context, "uniqueId");
    frame.main_origin = string_field(context, "origin");
    frame.main_context_id = context.value("id", 0);
  } else if (string_field(context, "name") == kWorldName) {
    frame.bridle_world = string_field(context, "uniqueId");
    frame.bridle_context_id = context.value("id", 0);
    if (session == script_session_) frame.scripted_world = frame.bridle_world;
  }
}

void FrameTracker::on_context_destroyed(const std::string& unique_id) {
  for (auto& [id, frame] : frames_) {
    if (frame.main_world == unique_id) frame.main_world.clear();
    if (frame.bridle_world == unique_id) frame.bridle_world.clear();
  }
}

void FrameTracker::set_session(const std::string& session, const std::string& frame_id, const std::string& parent) {
  auto& frame = entry(frame_id);
  frame.session = session;
  frame.navigating = false;
  if (!parent.empty()) frame.parent = parent;
  frame.main_world.clear();
  frame.bridle_world.clear();
}

void FrameTracker::drop_session(const std::string& session) {
  ++documents_;
  std::erase_if(frames_, [&](const auto& item) { return item.second.session == session; });
}

FrameState& FrameTracker::entry(const std::string& id) {
  auto& frame = frames_[id];
  frame.id = id;
  return frame;
}

void FrameTracker::remove_with_children(const std::string& id) {
  for (const auto& child : children(id)) remove_with_children(child.id);
  frames_.erase(id);
}

const FrameState* FrameTracker::find(const std::string& id) const {
  const auto it = frames_.find(id);
  return it == frames_.end() ? nullptr : &it->second;
}

FrameState* FrameTracker::find(const std::string& id) {
  const auto it = frames_.find(id);
  return it == frames_.end() ? nullptr : &it->second;
}

bool FrameTracker::add_origins(std::set<std::string>& origins) const {
  if (frames_.empty()) return false;
  for (const auto& [id, frame] : frames_) {
    const bool told = !frame.main_world.empty();
    auto origin = network_origin(told ? frame.main_origin : frame.url);
    if (!origin.empty()) {
      origins.insert(std::move(origin));
    } else if (!told) {
      return false;
    }
  }
  return true;
}

std::vector<FrameState> FrameTracker::children(const std::string& parent) const {
  std::vector<FrameState> found;
  for (const auto& [id, frame] : frames_) {
    if (frame.parent == parent) found.push_back(frame);
  }
  return found;
}

std::vector<std::string> FrameTracker::descendants(const std::string& id) const {
  std::vector<std::string> ids{id};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (const auto& child : children(ids[i])) ids.push_back(child.id);
  }
  ids.erase(ids.begin());
  return ids;
}

}  // namespace bridle
