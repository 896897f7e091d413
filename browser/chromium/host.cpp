#include "browser/chromium/host.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "base/concurrency/thread.h"
#include "base/limits.h"

namespace bridle {
namespace {

// The clean end of a browser, or else its kill.
constexpr auto kOneEnd = 2 * limits::kBrowserExit + limits::kCleanup;

}  // namespace

// Shared with those who use the browser, who may outlive the host.
struct BrowserHost::Uses {
  Mutex mutex;
  int count GUARDED_BY(mutex) = 0;
  Clock::time_point last GUARDED_BY(mutex) = Clock::now();
  std::unique_ptr<TimedJob> end_unused{};
};

BrowserHost::BrowserHost(LaunchOptions options, std::function<void()> may_start, Background* background)
    : options_(std::move(options)),
      may_start_(std::move(may_start)),
      uses_(options_.idle && background != nullptr ? std::make_shared<Uses>() : nullptr) {
  if (uses_) uses_->end_unused = std::make_unique<TimedJob>(*background, [this] { end_if_unused(); });
}

BrowserHost::~BrowserHost() { shutdown(); }

std::shared_ptr<void> BrowserHost::begin_use(const CallContext& ctx) {
  if (!uses_) return nullptr;
  MutexLock lock(mutex_);
  wait_until(ctx, changed_, lock, [&]() REQUIRES(mutex_) { return !ending_; });
  {
    const MutexLock uses(uses_->mutex);
    ++uses_->count;
  }
  lock.unlock();
  return {static_cast<void*>(uses_.get()), [uses = uses_, idle = *options_.idle](void*) {
            const auto now = Clock::now();
            {
              const MutexLock inner(uses->mutex);
              --uses->count;
              uses->last = now;
            }
            uses->end_unused->set_by(now + idle);
          }};
}

// On a thread of the background.
void BrowserHost::end_if_unused() {
  std::shared_ptr<Browser> unused;
  {
    MutexLock lock(mutex_);
    if (shut_down_ || launching_ || ending_ || holds_ > 0 || !browser_ || !browser_->alive()) return;
    const MutexLock uses(uses_->mutex);
    if (uses_->count > 0) return;  // the end of that use sets this anew
    if (const auto due = uses_->last + *options_.idle; due > Clock::now()) return uses_->end_unused->set(due);
    ending_ = true;
    unused = browser_;
  }
  spdlog::info("the browser was not used for {} ms and is ended", options_.idle->count());
  unused->close_because("it was not used for " + std::to_string(options_.idle->count()) + " ms, see --idle-timeout");
  unused.reset();
  {
    MutexLock lock(mutex_);
    ending_ = false;
  }
  changed_.notify_all();
}

std::shared_ptr<Browser> BrowserHost::ensure(const CallContext& ctx) {
  ctx.signal.throw_if_aborted();
  if (may_start_ && !busy()) may_start_();
  std::shared_ptr<Browser> dead;  // its destructor joins threads: outside the lock
  MutexLock lock(mutex_);
  wait_until(ctx.within(kOneEnd), changed_, lock, [&]() REQUIRES(mutex_) { return !ending_ || shut_down_; });
  if (shut_down_) throw LaunchError("The server is shutting down.");
  if (ending_) throw LaunchError("The browser that was closed has not ended in time. The next call tries again.");
  if (browser_ && browser_->alive()) return browser_;
  dead = std::move(browser_);
  // A profile must be free of the old browser before a new one takes it.
  if (!launching_) launch_in_background(options_.user_data_dir.empty() ? nullptr : std::move(dead));
  const int before = attempts_;
  // A browser that hangs is ended before the error is told, so that the error has its exit status and what it wrote to
  // stderr. As root it may be started twice.
  constexpr auto kOneStart = limits::kBrowserStart + kOneEnd;
  const bool done = wait_until(ctx.within(2 * (kOneStart + options_.cdp_timeout)), changed_, lock,
                               [&]() REQUIRES(mutex_) { return attempts_ != before || shut_down_; });
  if (!done) throw LaunchError("The browser did not start in time. See the server's log.");
  if (!browser_) throw LaunchError(launch_error_.empty() ? "The server is shutting down." : launch_error_);
  auto started = browser_;
  lock.unlock();
  return started;
}

void BrowserHost::launch_in_background(std::shared_ptr<Browser> first_close) {
  launching_ = true;
  if (launcher_.joinable()) launcher_.join();  // it has ended: launching_ was false
  launcher_ = start_thread("bridle-launch", [this, old = std::move(first_close)]() mutable {
    if (old) old->close();
    old.reset();
    std::shared_ptr<Browser> started;
    std::string error;
    try {
      CallContext ctx;
      ctx.signal = stop_.signal();
      if (options_.cdp_endpoint.empty()) {
        started = Browser::launch(ctx, options_);
        spdlog::info("browser ready: {} (pid {})", started->version(), started->pid());
      } else {
        started = Browser::connect(ctx, options_);
        spdlog::info("attached to {}", started->version());
      }
    } catch (const std::exception& failure) {
      error = failure.what();
      spdlog::error("the browser could not be started: {}", error);
    }
    MutexLock lock(mutex_);
    if (!shut_down_) browser_ = std::move(started);
    launch_error_ = error;
    launching_ = false;
    ++attempts_;
    if (browser_) ++generation_;
    changed_.notify_all();
    lock.unlock();
  });
}

void BrowserHost::hold(int more) {
  MutexLock lock(mutex_);
  holds_ += more;
}

bool BrowserHost::end_unused(const CallContext& ctx) {
  if (options_.user_data_dir.empty()) return false;
  MutexLock lock(mutex_);
  if (!ending_) {
    if (launching_ || shut_down_ || holds_ > 0 || (browser_ && browser_->in_use())) return false;
    if (!browser_) return true;
    ending_ = true;
    if (launcher_.joinable()) launcher_.join();  // it has ended: launching_ and ending_ were false
    launcher_ = start_thread("bridle-launch", [this, last = std::move(browser_)]() mutable {
      last->close();
      last.reset();
      MutexLock ended(mutex_);
      ending_ = false;
      changed_.notify_all();
      ended.unlock();
    });
    browser_.reset();
  }
  return wait_until(ctx.within(kOneEnd), changed_, lock, [&]() REQUIRES(mutex_) { return !ending_; });
}

std::shared_ptr<Browser> BrowserHost::current() const {
  MutexLock lock(mutex_);
  return browser_ && browser_->alive() ? browser_ : nullptr;
}

int BrowserHost::generation() const {
  MutexLock lock(mutex_);
  return generation_;
}

bool BrowserHost::busy() const {
  MutexLock lock(mutex_);
  return launching_ || ending_ || (browser_ && browser_->alive());
}

// None is started any more, and a launch that is under way ends.
void BrowserHost::refuse_launches() {
  {
    MutexLock lock(mutex_);
    shut_down_ = true;
  }
  stop_.abort(AbortReason::shutdown);
  changed_.notify_all();
}

void BrowserHost::begin_shutdown() {
  refuse_launches();
  MutexLock lock(mutex_);
  const auto last = browser_;
  lock.unlock();
  // A kept profile is written to the end by the browser's own end, which shutdown() asks for.
  if (last && !last->shares_profile()) last->connection().close();
}

void BrowserHost::shutdown() {
  refuse_launches();
  if (uses_) uses_->end_unused->stop();
  std::shared_ptr<Browser> last;
  std::thread launcher;
  {
    MutexLock lock(mutex_);
    last = std::move(browser_);
    launcher = std::move(launcher_);
  }
  if (launcher.joinable()) launcher.join();
  if (last) last->close();
}

}  // namespace bridle
