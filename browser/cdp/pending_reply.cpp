#include "browser/cdp/pending_reply.h"

#include <utility>

namespace bridle {

PendingReply::PendingReply(CdpConnection& connection, std::string_view session, std::string_view method,
                           const Json& params, std::function<void()> on_reply)
    : method_(method),
      pending_(connection.send(session, method, params, [slot = slot_, tell = std::move(on_reply)](CdpReply reply) {
        MutexLock lock(slot->mutex);
        slot->reply = std::move(reply);
        slot->came.notify_all();
        lock.unlock();
        if (tell) tell();
      })) {}

bool PendingReply::has_come() const {
  MutexLock lock(slot_->mutex);
  return slot_->reply.has_value();
}

std::optional<CdpReply> PendingReply::take() {
  MutexLock lock(slot_->mutex);
  return std::exchange(slot_->reply, std::nullopt);
}

bool PendingReply::wait(const CallContext& ctx) const {
  MutexLock lock(slot_->mutex);
  return wait_until(ctx, slot_->came, lock, [&]() REQUIRES(slot_->mutex) { return slot_->reply.has_value(); });
}

}  // namespace bridle
