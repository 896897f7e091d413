#include "browser/proxy/proxy_loop.h"

#include <spdlog/spdlog.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "browser/proxy/proxy_connection.h"

namespace bridle {
namespace {

// What epoll names besides connections, whose numbers begin after these.
constexpr std::uint64_t kListener = 0;
constexpr std::uint64_t kWake = 1;
constexpr std::uint64_t kFirstConnection = 2;
constexpr Millis kAcceptPause{50};  // after an accept that failed for want of descriptors

int make_epoll() {
  const int fd = ::epoll_create1(EPOLL_CLOEXEC);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
  return fd;
}

}  // namespace

ProxyLoop::ProxyLoop(ProxyPolicy policy, Fd listener)
    : policy_(std::move(policy)), listener_(std::move(listener)), epoll_(make_epoll()), next_id_(kFirstConnection) {
  add(listener_.get(), kListener, EPOLLIN);
  add(wake_.get(), kWake, EPOLLIN);
}

ProxyLoop::~ProxyLoop() = default;

void ProxyLoop::add(int fd, std::uint64_t data, std::uint32_t events) const {
  epoll_event event{};
  event.events = events;
  event.data.u64 = data;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
  }
}

void ProxyLoop::watch(int fd, std::uint64_t id) const { add(fd, id, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET); }

// Calls on the connection, if it is still there, and removes it if that was its end.
template <typename Call>
void ProxyLoop::with(std::uint64_t id, Call&& call) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  try {
    call(*found->second);
    if (!found->second->closed()) return;
  } catch (const std::exception& error) {  // no memory, no descriptor: only this connection ends
    spdlog::warn("a connection of the proxy ended: {}", error.what());
  }
  wake_at(Deadline::none(), id);
  connections_.erase(found);
  open_ = static_cast<long>(connections_.size());
}

void ProxyLoop::run() {
  std::array<epoll_event, 256> events;
  while (!stopping_) {
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), time_to_wait());
    bool accept = false;
    for (int i = 0; i < count; ++i) {
      const auto data = events[static_cast<std::size_t>(i)].data.u64;
      if (data == kListener) {
        accept = true;
      } else if (data == kWake) {
        wake_.drain();
      } else {
        with(data, [](ProxyConnection& connection) { connection.on_ready(); });
      }
    }
    deliver_lookups();
    deliver_timers();
    for (const auto id : std::exchange(again_, {})) {
      with(id, [](ProxyConnection& connection) { connection.on_ready(); });
    }
    if (accept) accept_all();
    if (accept_pause_.expired()) pause_accepting(false);
  }
  connections_.clear();
  open_ = 0;
}

void ProxyLoop::stop() {
  stopping_ = true;
  wake_.wake();
}

int ProxyLoop::time_to_wait() const {
  if (!again_.empty()) return 0;
  auto next = accept_pause_;
  if (!timers_.empty()) next = next.earlier(Deadline::at(timers_.begin()->first));
  return next.is_none() ? -1 : static_cast<int>(next.remaining().count());
}

// Without descriptors there is nothing to do but let others end; the listener would stay readable meanwhile.
void ProxyLoop::pause_accepting(bool pause) {
  epoll_event event{};
  event.events = pause ? 0U : EPOLLIN;
  event.data.u64 = kListener;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, listener_.get(), &event);
  accept_pause_ = pause ? Deadline::after(kAcceptPause) : Deadline::none();
}

void ProxyLoop::accept_all() {
  for (;;) {
    Fd client(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!client) {
      if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) return pause_accepting(true);
      if (errno == ECONNABORTED || errno == EINTR) continue;
      return;
    }
    if (connections_.size() >= limits::kProxyConnections) continue;  // closed at once
    const auto id = next_id_++;
    auto made = std::make_unique<ProxyConnection>(*this, id, std::move(client));
    connections_.emplace(id, std::move(made));
    open_ = static_cast<long>(connections_.size());
    with(id, [](ProxyConnection& connection) { connection.begin(); });
  }
}

void ProxyLoop::look_up(const std::string& host, std::uint64_t id) {
  resolver_.resolve(host, [this, id](std::vector<NetworkAddress> addresses, const std::string& error) {
    {
      MutexLock lock(mutex_);
      lookups_.push_back({id, std::move(addresses), error});
    }
    wake_.wake();
  });
}

void ProxyLoop::deliver_lookups() {
  std::vector<Lookup> ready;
  {
    MutexLock lock(mutex_);
    ready.swap(lookups_);
  }
  for (auto& lookup : ready) {
    with(lookup.id, [&](ProxyConnection& connection) { connection.on_addresses(lookup.addresses, lookup.error); });
  }
}

void ProxyLoop::wake_at(Deadline when, std::uint64_t id) {
  if (const auto old = timer_of_.find(id); old != timer_of_.end()) {
    timers_.erase({old->second, id});
    timer_of_.erase(old);
  }
  if (when.is_none()) return;
  timers_.insert({when.when(), id});
  timer_of_[id] = when.when();
}

void ProxyLoop::deliver_timers() {
  const auto now = Clock::now();
  while (!timers_.empty() && timers_.begin()->first <= now) {
    const auto id = timers_.begin()->second;
    wake_at(Deadline::none(), id);
    with(id, [](ProxyConnection& connection) { connection.on_timer(); });
  }
}

void ProxyLoop::forget_failure(const std::string& authority) {
  MutexLock lock(mutex_);
  std::erase_if(failures_, [&](const Failure& failure) { return failure.authority == authority; });
}

void ProxyLoop::note_failure(const std::string& authority, std::string net_error, std::string words) {
  MutexLock lock(mutex_);
  std::erase_if(failures_, [&](const Failure& failure) { return failure.authority == authority; });
  if (failures_.size() >= limits::kProxyFailures) failures_.erase(failures_.begin());
  failures_.push_back({authority, std::move(net_error), std::move(words)});
}

std::pair<std::string, std::string> ProxyLoop::failure_of(const std::string& authority) const {
  MutexLock lock(mutex_);
  const auto found = std::find_if(failures_.begin(), failures_.end(),
                                  [&](const Failure& failure) { return failure.authority == authority; });
  if (found == failures_.end()) return {};
  return {found->net_error, found->words};
}

}  // namespace bridle
