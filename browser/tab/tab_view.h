#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/concurrency/deadline.h"
#include "browser/tab/console_log.h"
#include "browser/tab/frame_tracker.h"
#include "browser/tab/gates/dialog_gate.h"
#include "browser/tab/gates/drag_gate.h"
#include "browser/tab/gates/file_chooser_gate.h"
#include "browser/tab/navigation_tracker.h"
#include "browser/tab/network_log.h"

namespace bridle {

// All that the events have told about a tab. Only ever touched under its tab's lock.
struct TabView {
  explicit TabView(std::string main_frame_id) : navigation(std::move(main_frame_id)) {}

  NavigationTracker navigation;
  DialogGate dialog;
  FrameTracker frames;
  NetworkLog network;
  ConsoleLog console;
  FileChooserGate chooser;
  DragGate drag;
  std::map<std::string, int> blocked{};  // requests refused since the last result, by the reason
  std::string told_by_last{};            // what the document that was left had told, for the one that takes its place
  bool crashed = false;                  // the renderer died; a navigation revives the tab
  bool gone = false;                     // closed, detached, or its browser ended
  std::string gone_why{};
  std::string title{};           // as last read
  std::string awaited_loader{};  // TabState::awaited
  bool ready = false;            // the set-up commands were answered: events come in, worlds are known
  bool fresh = true;             // nothing was asked of it yet
  // When the page asked for new tabs that the browser opens without naming an opener (TabMonitor::asked_for_tab),
  // oldest first; the newest few.
  std::deque<Clock::time_point> tabs_asked_for{};

  // The events that it takes, so that others needn't be parsed.
  static bool wants(std::string_view method);
  // Hands an event to the trackers that it concerns. `main`: of the tab's own session, else of a frame's in another
  // process.
  void on_event(const std::string& session, bool main, std::string_view method, const Json& params);
  // An event of which only the method and the size are known, because it was too long: the console tells of it.
  void on_dropped(std::string_view method, std::size_t bytes);
  // A document that was there before we listened, from Page.getFrameTree.
  void learn_document(const std::string& session, const Json& frame_tree);

  TabState state() const;
  DocumentOrigin document_origin() const;
  // False for a moment after a commit: the origin is only the URL's as yet.
  bool origin_is_certain() const;
};

}  // namespace bridle
