#include "browser/chromium/hosts.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"

namespace bridle {

struct BrowserHosts::Living {
  explicit Living(Background& with) : background(with) {}

  Background& background;
  Mutex mutex;
  std::vector<std::weak_ptr<BrowserHost>> hosts GUARDED_BY(mutex);
  long started_before GUARDED_BY(mutex) = 0;  // by hosts that are gone
  bool ended GUARDED_BY(mutex) = false;

  std::vector<std::shared_ptr<BrowserHost>> all() EXCLUDES(mutex) {
    std::vector<std::shared_ptr<BrowserHost>> found;
    MutexLock lock(mutex);
    std::erase_if(hosts, [](const auto& host) { return host.expired(); });
    for (const auto& host : hosts) {
      if (auto still = host.lock()) found.push_back(std::move(still));
    }
    return found;
  }

  // Its session has ended. A browser's end takes long, so whoever lets go of it must not wait for it.
  void end(BrowserHost* host) EXCLUDES(mutex) {
    std::shared_ptr<BrowserHost> last(host);  // let go of outside the lock
    const long started = host->generation();
    MutexLock lock(mutex);
    started_before += started;
    if (ended) return;
    background.threads.submit([last] { last->shutdown(); });
  }
};

BrowserHosts::BrowserHosts(LaunchOptions options, bool one_each, Background& background)
    : options_(std::move(options)),
      one_each_(one_each),
      living_(std::make_shared<Living>(background)),
      common_(std::make_shared<BrowserHost>(options_, nullptr, &background)) {
  MutexLock lock(living_->mutex);
  living_->hosts.push_back(common_);
}

std::shared_ptr<BrowserHost> BrowserHosts::host(bool shared) {
  if (!one_each_ || shared) return common_;
  const auto may_start = [living = std::weak_ptr(living_)] {
    const auto now = living.lock();
    if (!now) return;
    const auto hosts = now->all();
    const auto running = std::count_if(hosts.begin(), hosts.end(), [](const auto& host) { return host->busy(); });
    if (static_cast<std::size_t>(running) < limits::kBrowsers) return;
    throw LaunchError("There are " + std::to_string(limits::kBrowsers) +
                      " browsers already, one for each session (--browser-per-session). End a session that is no "
                      "longer needed, and call again.");
  };
  std::shared_ptr<BrowserHost> own(new BrowserHost(options_, may_start, &living_->background),
                                   [living = living_](BrowserHost* host) { living->end(host); });
  MutexLock lock(living_->mutex);
  living_->hosts.push_back(own);
  return own;
}

void BrowserHosts::shutdown() {
  {
    MutexLock lock(living_->mutex);
    living_->ended = true;
  }
  const auto hosts = living_->all();
  // All of them begin to exit before any is waited for.
  for (const auto& host : hosts) host->begin_shutdown();
  for (const auto& host : hosts) host->shutdown();
}

std::vector<std::shared_ptr<Browser>> BrowserHosts::running() const {
  std::vector<std::shared_ptr<Browser>> found;
  for (const auto& host : living_->all()) {
    if (auto browser = host->current()) found.push_back(std::move(browser));
  }
  return found;
}

long BrowserHosts::started() const {
  const auto hosts = living_->all();
  MutexLock lock(living_->mutex);
  long count = living_->started_before;
  lock.unlock();
  for (const auto& host : hosts) count += host->generation();
  return count;
}

}  // namespace bridle
