#include "browser/tab/queue.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/limits.h"

namespace bridle {
namespace {
std::atomic<long> queued_calls{0};
}

TabQueue::Turn& TabQueue::Turn::operator=(Turn&& other) noexcept {
  if (this != &other) {
    give_back();
    queue_ = std::exchange(other.queue_, nullptr);
    ticket_ = other.ticket_;
  }
  return *this;
}

void TabQueue::Turn::give_back() {
  if (queue_ != nullptr) std::exchange(queue_, nullptr)->leave(ticket_);
}

TabQueue::Turn TabQueue::acquire(const CallContext& ctx, std::string tool) {
  ctx.signal.throw_if_aborted();
  const auto ticket = std::make_shared<Ticket>(Ticket{std::move(tool)});
  MutexLock lock(mutex_);
  if (line_.size() > limits::kTabQueue) throw Full(line_.front()->tool);
  line_.push_back(ticket);
  if (line_.front() == ticket) return Turn(this, ticket.get());

  struct Gauge {
    Gauge() { ++queued_calls; }
    ~Gauge() { --queued_calls; }
  } const gauge;
  try {
    if (wait_until(ctx, changed_, lock, [&]() REQUIRES(mutex_) { return line_.front() == ticket; }))
      return Turn(this, ticket.get());
  } catch (...) {
    std::erase(line_, ticket);
    changed_.notify_all();
    throw;
  }
  std::erase(line_, ticket);
  changed_.notify_all();
  return Turn();
}

void TabQueue::leave(const void* ticket) {
  MutexLock lock(mutex_);
  std::erase_if(line_, [&](const auto& entry) { return entry.get() == ticket; });
  changed_.notify_all();
}

std::size_t TabQueue::waiting() const {
  MutexLock lock(mutex_);
  return line_.empty() ? 0 : line_.size() - 1;
}

long TabQueue::queued() noexcept { return queued_calls; }

}  // namespace bridle
