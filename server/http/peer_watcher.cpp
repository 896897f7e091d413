#include "server/http/peer_watcher.h"

#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/epoll.h>

#include <array>
#include <cerrno>
#include <stdexcept>

#include "base/concurrency/thread.h"
#include "base/concurrency/wake_fd.h"
#include "base/fd.h"

namespace bridle {

// A callback and the state of its one call.
struct PeerWatcher::Registration {
  explicit Registration(std::function<void()> callback) : fn(std::move(callback)) {}

  void run() EXCLUDES(mutex) {
    {
      MutexLock lock(mutex);
      if (state != State::waiting) return;
      state = State::running;
      runner = std::this_thread::get_id();
    }
    try {
      fn();
    } catch (...) {
      spdlog::error("a peer-close callback threw");
    }
    MutexLock lock(mutex);
    state = State::over;
    ended.notify_all();
  }

  void cancel() EXCLUDES(mutex) {
    MutexLock lock(mutex);
    if (state == State::waiting) state = State::over;
    if (runner == std::this_thread::get_id()) return;  // inside the callback itself
    while (state == State::running) ended.wait(lock);
  }

  enum class State {
    waiting,  // not called yet
    running,  // being called by `runner`
    over,     // called or cancelled
  };
  const std::function<void()> fn;
  Mutex mutex;
  CondVar ended;
  State state GUARDED_BY(mutex) = State::waiting;
  std::thread::id runner GUARDED_BY(mutex);
};

// The part of the watcher that outlives it, because watches may. Events carry a watch's id, never a descriptor: a
// descriptor may have been closed and given out again by the time its event is read.
struct PeerWatcher::Core {
  Core() : epoll(::epoll_create1(EPOLL_CLOEXEC)) {}
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  std::shared_ptr<Watch> find(std::uint64_t id) EXCLUDES(mutex) {
    MutexLock lock(mutex);
    const auto found = watches.find(id);
    return found == watches.end() ? nullptr : found->second.lock();
  }

  const Fd epoll;
  const WakeFd wake;
  std::atomic<std::uint64_t> next_id{1};  // 0 is the eventfd
  std::atomic<long> registrations{0};
  std::atomic<bool> stopping{false};
  Mutex mutex;
  std::unordered_map<std::uint64_t, std::weak_ptr<Watch>> watches GUARDED_BY(mutex);
};

struct PeerWatcher::Watch::Handle {
  Handle(std::shared_ptr<Watch> w, std::shared_ptr<Registration> r) : watch(std::move(w)), registration(std::move(r)) {
    watch->core_->registrations.fetch_add(1, std::memory_order_relaxed);
  }
  ~Handle() {
    registration->cancel();
    watch->remove(registration.get());
    watch->core_->registrations.fetch_sub(1, std::memory_order_relaxed);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  std::shared_ptr<Watch> watch;
  std::shared_ptr<Registration> registration;
};

PeerWatcher::Watch::Watch(std::shared_ptr<Core> core, int fd)
    : core_(std::move(core)), id_(core_->next_id.fetch_add(1, std::memory_order_relaxed)), fd_(fd) {}

PeerWatcher::Watch::~Watch() { forget(); }

bool PeerWatcher::Watch::look() const {
  if (closed_ || fd_ < 0) return closed_;
  pollfd poller{fd_, POLLRDHUP, 0};
  closed_ = ::poll(&poller, 1, 0) > 0 && (poller.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
  return closed_;
}

bool PeerWatcher::Watch::closed() const {
  MutexLock lock(mutex_);
  return look();
}

std::shared_ptr<void> PeerWatcher::Watch::on_close(std::function<void()> fn) {
  auto registration = std::make_shared<Registration>(std::move(fn));
  auto handle = std::make_shared<Handle>(shared_from_this(), registration);
  bool already;
  {
    MutexLock lock(mutex_);
    registrations_.push_back(registration);
    if (!armed_ && fd_ >= 0) {
      {
        MutexLock core_lock(core_->mutex);
        core_->watches[id_] = weak_from_this();
      }
      epoll_event event{};
      event.events = EPOLLRDHUP | EPOLLONESHOT;  // EPOLLHUP and EPOLLERR are always reported
      event.data.u64 = id_;
      if (::epoll_ctl(core_->epoll.get(), EPOLL_CTL_ADD, fd_, &event) != 0) {
        throw std::runtime_error("the connection cannot be watched");
      }
      armed_ = true;
    }
    // The event may have been used up, or not be read yet: ask the socket itself.
    already = look();
  }
  if (already) registration->run();
  return handle;
}

void PeerWatcher::Watch::fire() {
  std::list<std::shared_ptr<Registration>> due;
  {
    MutexLock lock(mutex_);
    if (fd_ < 0) return;
    closed_ = true;
    due = registrations_;
  }
  for (const auto& registration : due) registration->run();
}

void PeerWatcher::Watch::remove(const Registration* registration) {
  std::shared_ptr<Registration> removed;  // destroyed after the lock, with whatever its callback holds
  MutexLock lock(mutex_);
  for (auto it = registrations_.begin(); it != registrations_.end(); ++it) {
    if (it->get() != registration) continue;
    removed = std::move(*it);
    registrations_.erase(it);
    return;
  }
}

void PeerWatcher::Watch::forget() {
  MutexLock lock(mutex_);
  if (armed_) {
    ::epoll_ctl(core_->epoll.get(), EPOLL_CTL_DEL, fd_, nullptr);
    MutexLock core_lock(core_->mutex);
    core_->watches.erase(id_);
  }
  armed_ = false;
  fd_ = -1;
}

PeerWatcher::PeerWatcher() : core_(std::make_shared<Core>()) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = 0;
  if (!core_->epoll || ::epoll_ctl(core_->epoll.get(), EPOLL_CTL_ADD, core_->wake.get(), &event) != 0) {
    throw std::runtime_error("the system refused an epoll descriptor; too many files are open");
  }
  thread_ = start_thread("bridle-peers", [this] { run(); });
}

PeerWatcher::~PeerWatcher() {
  core_->stopping = true;
  core_->wake.wake();
  thread_.join();
}

std::shared_ptr<PeerWatcher::Watch> PeerWatcher::watch(int fd) { return std::make_shared<Watch>(core_, fd); }

long PeerWatcher::registrations() const { return core_->registrations.load(std::memory_order_relaxed); }

void PeerWatcher::run() {
  std::array<epoll_event, 64> events;
  while (!core_->stopping) {
    const int count = ::epoll_wait(core_->epoll.get(), events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      if (const auto watch = core_->find(events[static_cast<std::size_t>(i)].data.u64)) watch->fire();
    }
  }
}

}  // namespace bridle
