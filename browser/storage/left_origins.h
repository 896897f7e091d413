#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/concurrency/abort.h"
#include "base/concurrency/timed_job.h"
#include "browser/chromium/seen_origins.h"

namespace bridle {

class Browser;
class BrowserContext;

// Reads what origins have stored once no document of theirs is left in the context, in the background, so that a
// storage state doesn't have to when it is saved: a visit takes the browser some 13 ms each [why.left-origins]. What it
// has read, SeenOrigins remembers until a document of the origin comes. Any thread.
class LeftOrigins {
 public:
  // Begins to watch a context that the browser's events name. `background` outlives it; `context` is alive until then.
  LeftOrigins(Background& background, const std::shared_ptr<Browser>& browser,
              std::shared_ptr<const BrowserContext> context);
  // Ends a read that is under way. Waits for that, but not for the browser.
  ~LeftOrigins();
  LeftOrigins(const LeftOrigins&) = delete;
  LeftOrigins& operator=(const LeftOrigins&) = delete;

 private:
  void look();
  void read(Browser& browser, const std::vector<SeenOrigins::Unread>& origins);

  const std::weak_ptr<Browser> browser_;
  const std::shared_ptr<const BrowserContext> context_;
  AbortController ending_;
  // Since when no document of an origin has been seen, and its mark then. The job's.
  struct Left {
    Clock::time_point since{};
    std::uint64_t mark = 0;
  };
  std::map<std::string, Left> left_{};
  TimedJob job_;
};

}  // namespace bridle
