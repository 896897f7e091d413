#include "browser/proxy/resolver.h"

#include <netdb.h>

#include <algorithm>
#include <deque>
#include <map>
#include <system_error>
#include <utility>

#include "base/concurrency/sync.h"
#include "base/concurrency/thread.h"
#include "base/limits.h"
#include "config/network/origin_rules.h"

namespace bridle {
namespace {

struct Resolved {
  std::vector<NetworkAddress> addresses{};
  std::string error{};
};

Resolved look_up(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* list = nullptr;
  if (const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &list); error != 0) {
    return {{}, ::gai_strerror(error)};
  }
  Resolved found;
  for (const auto* one = list; one != nullptr; one = one->ai_next) {
    if (const auto address = NetworkAddress::of(*one->ai_addr)) found.addresses.push_back(*address);
  }
  ::freeaddrinfo(list);
  if (found.addresses.empty()) found.error = "it has no address";
  return found;
}

// What needs no lookup: addresses, and the names that RFC 6761 gives to this machine.
std::vector<NetworkAddress> known_addresses(const std::string& host) {
  if (const auto address = NetworkAddress::parse(host)) return {*address};
  if (!names_this_machine(host)) return {};
  return {*NetworkAddress::parse("127.0.0.1"), *NetworkAddress::parse("::1")};
}

}  // namespace

// Shared with the threads, which may outlive the Resolver.
struct Resolver::State {
  Mutex mutex;
  bool closed GUARDED_BY(mutex) = false;
  std::size_t threads GUARDED_BY(mutex) = 0;
  std::deque<std::string> hosts GUARDED_BY(mutex);  // not yet begun
  std::map<std::string, std::vector<Done>> waiting GUARDED_BY(mutex);

  // Begins no lookup any more, and forgets who waits.
  void close() EXCLUDES(mutex) {
    MutexLock lock(mutex);
    closed = true;
    hosts.clear();
    waiting.clear();
  }

  // Looks up what there is to look up, then ends.
  void work() EXCLUDES(mutex) {
    MutexLock lock(mutex);
    while (!hosts.empty()) {
      const std::string host = std::move(hosts.front());
      hosts.pop_front();
      lock.unlock();
      const Resolved found = look_up(host);
      lock.lock();
      // Called under the lock, so that none is called after close(); they only hand the result on.
      if (const auto entry = waiting.extract(host)) {
        for (const auto& done : entry.mapped()) done(found.addresses, found.error);
      }
    }
    --threads;
  }
};

Resolver::Resolver() : state_(std::make_shared<State>()) {}

Resolver::~Resolver() { state_->close(); }

void Resolver::resolve(const std::string& host, Done done) {
  if (auto known = known_addresses(host); !known.empty()) {
    done(std::move(known), {});
    return;
  }
  MutexLock lock(state_->mutex);
  auto& waiting = state_->waiting[host];
  waiting.push_back(std::move(done));
  if (waiting.size() > 1) return;
  state_->hosts.push_back(host);
  if (state_->threads >= limits::kProxyLookups) return;
  ++state_->threads;
  try {
    start_thread("bridle-dns", [state = state_] { state->work(); }).detach();
  } catch (const std::system_error& error) {
    --state_->threads;
    if (state_->threads > 0) return;  // another thread takes it
    state_->hosts.clear();
    const auto all = std::exchange(state_->waiting, {});
    for (const auto& [name, waiters] : all) {
      for (const auto& waiter : waiters) waiter({}, error.what());
    }
  }
}

}  // namespace bridle
