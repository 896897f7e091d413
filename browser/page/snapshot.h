#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "browser/tab/tab.h"

namespace bridle {

// Hands out the numbers of refs (`e12`) and frames (`f1`): unique over all tabs of a session. Any thread.
class RefSpace {
 public:
  std::uint64_t next() const;
  // Takes the numbers [from, to). False, and nothing taken, if anybody took numbers since `from` was read.
  bool claim(std::uint64_t from, std::uint64_t to);
  // The number of a frame; the same for as long as the session lives.
  int frame_number(const std::string& frame_id);
  // The frame id behind `f<number>`; "" when unknown.
  std::string frame_id(int number) const;

 private:
  mutable Mutex mutex_;
  std::uint64_t next_ GUARDED_BY(mutex_) = 1;
  std::map<std::string, int> numbers_ GUARDED_BY(mutex_);
  std::map<int, std::string> frames_ GUARDED_BY(mutex_);
};

struct SnapshotOptions {
  std::string target{};       // "" the whole page
  int depth = 0;              // 0: no limit
  bool boxes = false;         // with each element's box, CSS px
  bool delta = false;         // only what changed since the last one
  bool again = false;         // in place of the last one: compared with the one before it
  bool numbers_only = false;  // only hands out refs: no delta compares with it
  int budget_chars = 0;       // 0: none
  int whole_chars = 0;        // a page of at most as many is not cut to the budget
  int page_chars = 0;         // the budget of a delta of a page that no snapshot has shown; 0: as budget_chars
};

struct Snapshot {
  std::string yaml{};      // never empty: what isn't there is said
  bool changed = true;     // false: a delta of an unchanged page
  bool cut = false;        // the budget left something out
  bool shrunk = false;     // a delta in which something has gone and nothing has come
  bool thinned = false;    // one in which far more elements have gone than come
  bool under_way = false;  // the page does what was asked for, or goes on, by its words: "Sending document…"
};

// The page as text with refs [tool.snapshot]: one walk in each frame, frames stitched in. A frame that doesn't answer
// is left out, and the text says so. Throws as page_call does; ToolError for a target that isn't there.
Snapshot take_snapshot(const CallContext& ctx, Tab& tab, RefSpace& refs, const SnapshotOptions& options);

struct FindOptions {
  std::string text{};   // without regard to case; or:
  std::string regex{};  // as JavaScript takes it
  std::string flags{};
  int limit = 20;  // lines shown, over all frames
};
struct Found {
  std::string yaml{};  // the lines that match, each below its path, with refs
  long count = 0;
  long shown = 0;
};
// Searches what a snapshot of the whole page would print, frames too, without printing it. Throws as take_snapshot.
Found find_in_page(const CallContext& ctx, Tab& tab, RefSpace& refs, const FindOptions& options);

}  // namespace bridle
