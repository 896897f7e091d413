#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "browser/chromium/browser.h"

namespace bridle {

// Starts the browser when it is first needed, and again after it ended. Any thread.
class BrowserHost {
 public:
  // `may_start`: called, with no lock held, before a browser is started; throws LaunchError if there must be none.
  explicit BrowserHost(LaunchOptions options, std::function<void()> may_start = nullptr)
      : options_(std::move(options)), may_start_(std::move(may_start)) {}
  ~BrowserHost();

  // The running browser; starts one when there is none. A launch goes on if the caller aborts, because other callers or
  // the next call will use the browser. Throws LaunchError, Aborted.
  std::shared_ptr<Browser> ensure(const CallContext& ctx);
  // The running browser, or null. Never waits.
  std::shared_ptr<Browser> current() const;
  // How many browsers were started so far. A scope that sees another number than before knows that its tabs belonged to
  // an earlier browser.
  int generation() const;
  // Whether a browser runs or is being started.
  bool busy() const;
  // Ends the browser and starts none any more. begin_shutdown() does the same without waiting for the end.
  void shutdown();
  void begin_shutdown();
  const LaunchOptions& options() const { return options_; }

 private:
  void refuse_launches();
  void launch_in_background(std::shared_ptr<Browser> first_close) REQUIRES(mutex_);

  const LaunchOptions options_;
  const std::function<void()> may_start_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::shared_ptr<Browser> browser_ GUARDED_BY(mutex_);
  std::string launch_error_ GUARDED_BY(mutex_);
  int attempts_ GUARDED_BY(mutex_) = 0;  // launches ended, well or not
  int generation_ GUARDED_BY(mutex_) = 0;
  bool launching_ GUARDED_BY(mutex_) = false;
  bool shut_down_ GUARDED_BY(mutex_) = false;
  AbortController stop_;
  std::thread launcher_ GUARDED_BY(mutex_);
};

}  // namespace bridle
