#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/concurrency/bell.h"
#include "base/text/json.h"
#include "server/calls/call.h"
#include "tools/contract/tool.h"

namespace bridle {

// What a call is for, in a few words of its arguments: its element, URL or goal. Secrets stand there by name.
std::string target_words(const Json& arguments);

// How the panel names the one that callers without a session have together.
inline constexpr const char* kSessionless = "sessionless";
// The session's name as the panel shows it.
std::string shown_session(const std::string& session);

// How the panel names a call.
std::string call_name(long number);

// A call that has ended, as its own thread hands it over.
struct PastCall {
  CallRow row{};
  const Json* arguments = nullptr;
  std::string client{};
  Clock::time_point ended{};
  std::string effects{};  // what it had done before its abort
  bool is_error = false;
  std::string text{};  // the first lines of the result
  std::string url{};   // where the page is then
  std::string settle{};
  // What who looked at its tab saw before and after it (JPEG), and the files where that is kept. Null, "": none.
  std::shared_ptr<const std::string> before{};
  std::shared_ptr<const std::string> after{};
  std::string kept_before{};
  std::string kept_after{};

  // Takes `text`, `url` and `settle` from the result.
  void read(const ToolResult& result);
};

// Wall-clock ms of a point in time, the same each time it is asked.
long long epoch_ms(Clock::time_point when);

// The last limits::kTimeline tool calls that have ended, oldest first, numbered from 1 on [panel.timeline]. Any thread.
class Timeline {
 public:
  // Rings `changes` with each new one.
  explicit Timeline(Bell& changes) : changes_(changes) {}

  struct Entry {
    long n = 0;
    std::string json{};    // as the panel gets it
    std::string words{};   // what a search looks through, in lower case
    std::string before{};  // files; "": none
    std::string after{};
  };
  using Entries = std::vector<std::shared_ptr<const Entry>>;

  void add(const PastCall& call) EXCLUDES(mutex_);
  long newest() const EXCLUDES(mutex_);  // its number; 0: none yet
  long oldest() const EXCLUDES(mutex_);
  // The file of an entry's picture by its name there, "12-before"; "": there is none (any more).
  std::string picture(std::string_view name) const EXCLUDES(mutex_);
  // Those after `n`, oldest first.
  Entries after(long n) const EXCLUDES(mutex_);
  // At most `most` of those before `n` (0: of all) that hold every word of `query`, newest first; and whether there are
  // more.
  Entries before(long n, std::string_view query, std::size_t most, bool& more) const EXCLUDES(mutex_);

 private:
  Bell& changes_;
  mutable Mutex mutex_;
  long newest_ GUARDED_BY(mutex_) = 0;
  std::deque<std::shared_ptr<const Entry>> entries_ GUARDED_BY(mutex_);
};

}  // namespace bridle
