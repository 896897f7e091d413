#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/concurrency/sync.h"
#include "base/text/json.h"

namespace bridle {

// An element that an action had to do with, as it was then.
struct RecordedTarget {
  std::string locator{};   // as Playwright writes it
  std::string describe{};  // textbox "Password"
  std::string tag{};
  std::string role{};
  std::string input_type{};
  bool secret = false;
  bool made = false;  // no <select>, but a widget that was chosen in
};

struct RecordedAction {
  std::string tool{};
  Json args{};  // without what was typed into a secret's field: null stands for that
  std::map<std::string, RecordedTarget> targets{};  // by the argument that named it
  std::string tab{};
  bool popup = false;  // a page has opened the tab
};

Json to_json(const RecordedAction& action);
RecordedAction recorded_action(const Json& json);
// Without what is a secret; false: it is no action, or none that a Playwright test has a word for.
bool prepare_for_record(RecordedAction& action);

// What a session has done, for browser_export_test; kept while the set `testing` is on [tool.export-test]. Any thread.
class ActionRecord {
 public:
  // What isn't an action, or no Playwright test has a word for, is not kept; nor is more than
  // limits::kRecordedActions.
  void add(RecordedAction action);
  std::vector<RecordedAction> all() const;
  bool is_full() const;

 private:
  mutable Mutex mutex_;
  std::vector<RecordedAction> actions_ GUARDED_BY(mutex_);
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
  bool full_ GUARDED_BY(mutex_) = false;
};

}  // namespace bridle
