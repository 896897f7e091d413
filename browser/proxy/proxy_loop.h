#pragma once

#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"
#include "base/concurrency/wake_fd.h"
#include "base/fd.h"
#include "base/limits.h"
#include "browser/proxy/proxy_policy.h"
#include "browser/proxy/resolver.h"

namespace bridle {

class ProxyConnection;

// The event loop of a forward proxy: accepts connections, tells each what happened to its sockets, and keeps their
// timers. Everything but the parts that say otherwise belongs to the thread that runs the loop.
class ProxyLoop {
 public:
  // `listener`: a bound socket that listens. Throws std::system_error.
  ProxyLoop(ProxyPolicy policy, Fd listener);
  ~ProxyLoop();
  ProxyLoop(const ProxyLoop&) = delete;
  ProxyLoop& operator=(const ProxyLoop&) = delete;

  // Until stop(); then every connection is closed.
  void run();
  void stop();  // any thread

  // How many connections there are; why the last one to host:port failed, as Chromium's name of a network error and the
  // words for it. Any thread.
  long connections() const { return open_; }
  std::pair<std::string, std::string> failure_of(const std::string& authority) const;

  // For connections.
  const ProxyPolicy& policy() const { return policy_; }
  // Every event of the socket calls ProxyConnection::on_ready of connection `id`.
  void watch(int fd, std::uint64_t id) const;
  // Calls on_addresses of connection `id`, unless it is gone by then.
  void look_up(const std::string& host, std::uint64_t id);
  // Calls on_timer of connection `id` then; replaces what was asked for before. Deadline::none() asks for nothing.
  void wake_at(Deadline when, std::uint64_t id);
  // Calls on_ready again after the others had their turn.
  void again(std::uint64_t id) { again_.push_back(id); }
  // Why the latest connection to a host and port failed; forgotten once there is one.
  void forget_failure(const std::string& authority);
  void note_failure(const std::string& authority, std::string net_error, std::string words);
  // Room for what is read at once.
  std::array<char, limits::kProxyBuffer>& scratch() { return scratch_; }

 private:
  struct Lookup {
    std::uint64_t id;
    std::vector<NetworkAddress> addresses;
    std::string error;
  };
  struct Failure {
    std::string authority;
    std::string net_error;
    std::string words;
  };
  using Connections = std::unordered_map<std::uint64_t, std::unique_ptr<ProxyConnection>>;

  void add(int fd, std::uint64_t data, std::uint32_t events) const;
  int time_to_wait() const;
  void pause_accepting(bool pause);
  void accept_all();
  void deliver_lookups();
  void deliver_timers();
  template <typename Call>
  void with(std::uint64_t id, Call&& call);

  const ProxyPolicy policy_;
  const Fd listener_;
  const Fd epoll_;
  const WakeFd wake_;
  std::atomic<bool> stopping_{false};
  std::atomic<long> open_{0};
  Connections connections_;
  std::uint64_t next_id_;
  std::set<std::pair<Clock::time_point, std::uint64_t>> timers_;
  std::unordered_map<std::uint64_t, Clock::time_point> timer_of_;
  std::vector<std::uint64_t> again_;
  std::array<char, limits::kProxyBuffer> scratch_;
  Deadline accept_pause_ = Deadline::none();

  mutable Mutex mutex_;
  std::vector<Lookup> lookups_ GUARDED_BY(mutex_);    // results that wait for the loop
  std::vector<Failure> failures_ GUARDED_BY(mutex_);  // the latest last
  Resolver resolver_;                                 // ends first: its threads write to the members above
};

}  // namespace bridle
