#include "browser/tab/tab_view.h"

namespace bridle {
namespace {

// Turns a frame tree into the events that would have announced its frames.
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

constexpr std::size_t kTabsAskedFor = 64;

// A Ctrl, Shift or middle click on a link, in any frame.
bool asks_for_tab(std::string_view method, const Json& params) {
  if (method != "Page.frameRequestedNavigation") return false;
  const auto disposition = string_field(params, "disposition");
  return disposition == "newTab" || disposition == "newWindow";
}

}  // namespace

bool TabView::wants(std::string_view method) {
  return NavigationTracker::wants(method) || DialogGate::wants(method) || FrameTracker::wants(method) ||
         NetworkLog::wants(method) || ConsoleLog::wants(method) || FileChooserGate::wants(method) ||
         DragGate::wants(method) || method == "Inspector.targetCrashed" || method == "Runtime.bindingCalled";
}

void TabView::on_event(const std::string& session, bool main, std::string_view method, const Json& params) {
  if (asks_for_tab(method, params)) {
    tabs_asked_for.push_back(Clock::now());
    if (tabs_asked_for.size() > kTabsAskedFor) tabs_asked_for.pop_front();
  }
  if (main && method == "Runtime.bindingCalled" && string_field(params, "name") == FrameTracker::kLeavesBinding)
    told_by_last = string_field(params, "payload");
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
  if (method == "Page.frameNavigated") {
    const auto& frame = params.at("frame");
    network.enter_document(string_field(frame, "id"), string_field(frame, "loaderId"),
                           main && !frame.contains("parentId"));
  }
  if (NetworkLog::wants(method)) network.on_event(session, method, params, Clock::now());
  if (FileChooserGate::wants(method)) chooser.on_event(session, method, params);
  if (DragGate::wants(method)) drag.on_event(method, params);
  if (ConsoleLog::wants(method)) console.on_event(method, params, navigation.commit().loader_id);
}

void TabView::on_dropped(std::string_view method, std::size_t bytes) {
  const auto size = std::to_string(bytes >> 20) + " MiB";
  console.add_note(ConsoleLog::wants(method)
                       ? "a message of " + size + " was left out, as it is too long"
                       : "an event of " + size + " (" + std::string(method) + ") was left out, as it is too long",
                   navigation.commit().loader_id);
  // A dialog blocks its page whatever its text is.
  if (method == "Page.javascriptDialogOpening") dialog.on_event(method, {{"type", "alert"}, {"message", ""}});
}

void TabView::learn_document(const std::string& session, const Json& frame_tree) {
  if (navigation.learn_document(frame_tree.at("frame"))) learn_frames(frames, session, frame_tree);
}

bool TabView::origin_is_certain() const {
  const auto* frame = frames.find(navigation.main_frame());
  return frame != nullptr && !frame->main_world.empty();
}

DocumentOrigin TabView::document_origin() const {
  const auto& commit = navigation.commit();
  // The document's world knows of a sandbox; the commit tells the URL's origin.
  const auto& origin = origin_is_certain() ? frames.find(navigation.main_frame())->main_origin : commit.security_origin;
  return {origin == "://" ? "opaque " + commit.loader_id : commit.security_origin, commit.loader_id};
}

TabState TabView::state() const {
  const auto& commit = navigation.commit();
  const auto& loader = navigation.committed_loader();
  TabState now;
  now.ready = ready;
  now.crashed = crashed;
  now.gone = gone;
  now.gone_why = gone_why;
  now.dialog = dialog.open();
  now.url = navigation.url();
  now.title = title;
  now.navigation_pending = navigation.navigation_pending();
  now.pending_url = navigation.pending_url();
  if (const auto& started = navigation.started()) {
    now.started_seq = started->seq;
    now.started_loader_id = started->loader_id;
  }
  if (const auto& last = navigation.last_started()) {
    now.last_started_seq = last->seq;
    now.last_started_url = last->url;
  }
  if (const auto& refresh = navigation.refresh()) {
    now.refresh_url = refresh->url;
    now.refresh_seconds = refresh->seconds;
  }
  now.loading = navigation.loading();
  now.commit_seq = commit.seq;
  now.loader_id = commit.loader_id;
  now.is_error_page = commit.is_error_page();
  now.unreachable_url = commit.unreachable_url;
  now.status = loader.status;
  now.status_text = loader.status_text;
  now.dom_content_loaded = loader.dom_content_loaded;
  now.broke_off = loader.broke_off;
  now.loaded = loader.loaded;
  now.awaited = !awaited_loader.empty() && awaited_loader == commit.loader_id;
  now.network_idle = loader.network_idle;
  now.navigation_seq = navigation.seq();
  now.same_document_seq = navigation.same_document_seq();
  now.download_seq = navigation.download_seq();
  now.dialog_seq = dialog.seq();
  now.documents = frames.documents();
  now.requests = network.started();
  return now;
}

}  // namespace bridle
