#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"

namespace bridle {

// Lets one call at a time work on a tab, in the order they came [cancel.queue]. Waiting obeys the
// caller's signal: an aborted call leaves the queue and never starts. Any thread.
class TabQueue {
 public:
  // Thrown when limits::kTabQueue calls wait already; what() names the call that runs.
  class Full : public std::exception {
   public:
    explicit Full(std::string busy_with) : busy_with_(std::move(busy_with)) {}
    const char* what() const noexcept override { return "the tab's queue is full"; }
    const std::string& busy_with() const { return busy_with_; }

   private:
    std::string busy_with_;
  };

  // The turn, given back on destruction. Must not outlive the queue.
  class Turn {
   public:
    Turn() = default;
    Turn(TabQueue* queue, const void* ticket) : queue_(queue), ticket_(ticket) {}
    Turn(Turn&& other) noexcept : queue_(other.queue_), ticket_(other.ticket_) { other.queue_ = nullptr; }
    Turn& operator=(Turn&& other) noexcept;
    ~Turn() { give_back(); }
    explicit operator bool() const { return queue_ != nullptr; }

   private:
    void give_back();
    TabQueue* queue_ = nullptr;
    const void* ticket_ = nullptr;
  };

  // Waits for the turn. Throws Full at once, Aborted; false in the Turn at ctx's deadline.
  Turn acquire(const CallContext& ctx, std::string tool);
  // Waiting calls now, without the running one.
  std::size_t waiting() const;

  static long queued() noexcept;  // gauge: waiting calls over all tabs

 private:
  struct Ticket {
    std::string tool;
  };
  void leave(const void* ticket);

  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<std::shared_ptr<Ticket>> line_ GUARDED_BY(mutex_);  // front runs
};

}  // namespace bridle
