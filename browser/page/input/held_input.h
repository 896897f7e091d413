#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/concurrency/sync.h"
#include "base/text/json.h"
#include "browser/tab/tab.h"

namespace bridle {

// The keys and mouse buttons that a person's input has pressed in a tab and not released [panel.input]. Any thread.
class HeldInput : public TabExtra {
 public:
  // Commands of CDP's Input domain, in the order in which the page gets them.
  void note(const std::vector<Tab::Command>& commands);
  // What releases all that is held, so that nothing is from now on. A button goes up where the mouse was last, which is
  // no click and no drop; of the keys the last one goes up first.
  std::vector<Tab::Command> take();

 private:
  Mutex mutex_;
  std::vector<Json> keys_ GUARDED_BY(mutex_){};  // the parameters of each one's press
  std::vector<std::string> buttons_ GUARDED_BY(mutex_){};
  double x_ GUARDED_BY(mutex_) = 0;  // CSS px of the main frame's viewport
  double y_ GUARDED_BY(mutex_) = 0;
};

// What the tab's input holds; made when it is missing. For who has the tab's turn.
std::shared_ptr<HeldInput> held_input(Tab& tab);
// Sends input that a person gives the tab, and keeps what it holds. For who has the tab's turn; throws as
// Tab::call_all().
void send_held_input(const CallContext& ctx, Tab& tab, const std::vector<Tab::Command>& commands);
// Releases what such input holds, if it does. A page that is busy, gone or blocked by a dialog is waited for a moment
// at most: it gets the events in their order all the same. Throws nothing.
void release_held_input(Tab& tab);

}  // namespace bridle
