#pragma once

#include <memory>
#include <vector>

#include "base/concurrency/sync.h"
#include "base/concurrency/timed_job.h"
#include "browser/chromium/host.h"

namespace bridle {

// Gives each session its host: the same one for all, or with --browser-per-session one of its own, whose browser ends
// with the session, so that no page can disturb another session's by what it does to its browser
// [tool.browser-per-session]. Any thread. shutdown() comes before the background's end; hosts may outlive this object.
class BrowserHosts {
 public:
  // `background` outlives shutdown(): it ends the browsers of ended sessions, which takes a while.
  BrowserHosts(LaunchOptions options, bool one_each, Background& background);
  ~BrowserHosts() { shutdown(); }
  BrowserHosts(const BrowserHosts&) = delete;
  BrowserHosts& operator=(const BrowserHosts&) = delete;

  // The host of a new session. `shared`: of all callers without a session.
  std::shared_ptr<BrowserHost> host(bool shared);
  // Ends all browsers; none is started any more. Idempotent.
  void shutdown();

  // The browsers that run, and how many were started so far.
  std::vector<std::shared_ptr<Browser>> running() const;
  long started() const;

 private:
  struct Living;  // what hosts share with us, however long they live

  const LaunchOptions options_;
  const bool one_each_;
  const std::shared_ptr<Living> living_;
  const std::shared_ptr<BrowserHost> common_;
};

}  // namespace bridle
