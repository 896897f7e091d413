#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <thread>
#include <unordered_map>

#include "base/concurrency/sync.h"

namespace bridle {

// One epoll thread that notices when a peer closes its side of a socket (FIN, RST or half-close) without reading
// from it or writing to it. A socket costs it nothing until somebody asks to be told.
//
// Threads: everything may be called from any thread. Watches and registrations may outlive the watcher; once it is
// gone nothing fires any more. Callbacks run outside every lock of this class; they only notify.
class PeerWatcher {
  struct Core;
  struct Registration;

 public:
  // One socket. Its owner calls forget() before it closes the descriptor.
  class Watch : public std::enable_shared_from_this<Watch> {
   public:
    Watch(std::shared_ptr<Core> core, int fd);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // True once the peer closed its side. False after forget() unless it was noticed before.
    bool closed() const EXCLUDES(mutex_);
    // Calls `fn` once when the peer closes its side; inline when it already did. Dropping the handle unregisters,
    // and waits for a call that runs in another thread; dropping it inside the call is fine.
    [[nodiscard]] std::shared_ptr<void> on_close(std::function<void()> fn) EXCLUDES(mutex_);
    // Stops watching. Registrations that didn't fire never will.
    void forget() EXCLUDES(mutex_);

   private:
    friend class PeerWatcher;
    struct Handle;
    void fire() EXCLUDES(mutex_);
    void remove(const Registration* registration) EXCLUDES(mutex_);
    bool look() const REQUIRES(mutex_);

    const std::shared_ptr<Core> core_;
    const std::uint64_t id_;
    mutable Mutex mutex_;
    int fd_ GUARDED_BY(mutex_);  // -1 once forgotten
    bool armed_ GUARDED_BY(mutex_) = false;
    mutable bool closed_ GUARDED_BY(mutex_) = false;
    std::list<std::shared_ptr<Registration>> registrations_ GUARDED_BY(mutex_);
  };

  // Throws std::runtime_error when the system has no epoll or eventfd left.
  PeerWatcher();
  ~PeerWatcher();
  PeerWatcher(const PeerWatcher&) = delete;
  PeerWatcher& operator=(const PeerWatcher&) = delete;

  std::shared_ptr<Watch> watch(int fd);
  // Handles of on_close alive now.
  long registrations() const;

 private:
  void run();

  std::shared_ptr<Core> core_;
  std::thread thread_;
};

}  // namespace bridle
