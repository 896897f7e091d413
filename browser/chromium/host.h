#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "base/concurrency/timed_job.h"
#include "browser/chromium/browser.h"

namespace bridle {

// Starts the browser when it is first needed, and again after it ended. Any thread.
class BrowserHost {
 public:
  // `may_start`: called, with no lock held, before a browser is started; throws LaunchError if there must be none.
  // `background`: ends a browser that was unused for options.idle; null: none is ended so.
  explicit BrowserHost(LaunchOptions options, std::function<void()> may_start = nullptr,
                       Background* background = nullptr);
  ~BrowserHost();

  // The running browser; starts one when there is none. A launch goes on if the caller aborts, because other callers or
  // the next call will use the browser. Throws LaunchError, Aborted.
  std::shared_ptr<Browser> ensure(const CallContext& ctx);
  // While what it returns lives, the browser is in use, and isn't ended for being unused. Waits for the end of one that
  // is being ended. Null where none is ended so. Throws Aborted.
  std::shared_ptr<void> begin_use(const CallContext& ctx);
  // The running browser, or null. Never waits.
  std::shared_ptr<Browser> current() const;
  // How many browsers were started so far. A scope that sees another number than before knows that its tabs belonged to
  // an earlier browser.
  int generation() const;
  // Whether a browser runs or is being started.
  bool busy() const;
  // While it lives, end_unused() ends nothing: of who has asked for the browser and isn't listening to its tabs yet.
  class Hold {
   public:
    explicit Hold(BrowserHost& host) : host_(host) { host_.hold(1); }
    ~Hold() { host_.hold(-1); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    BrowserHost& host_;
  };
  // Ends a browser with a kept profile that no session uses any more, so that another program can have the folder; the
  // next ensure() starts one again. It goes on in the background if the caller aborts. True: the folder is free.
  bool end_unused(const CallContext& ctx);
  // Ends the browser and starts none any more. begin_shutdown() does the same without waiting for the end.
  void shutdown();
  void begin_shutdown();
  const LaunchOptions& options() const { return options_; }

 private:
  struct Uses;
  void end_if_unused();
  void refuse_launches();
  void hold(int more);
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
  bool ending_ GUARDED_BY(mutex_) = false;  // an unused one
  int holds_ GUARDED_BY(mutex_) = 0;
  bool shut_down_ GUARDED_BY(mutex_) = false;
  AbortController stop_;
  const std::shared_ptr<Uses> uses_;         // null: it may be unused for ever
  std::thread launcher_ GUARDED_BY(mutex_);  // starts a browser, or ends an unused one
};

}  // namespace bridle
