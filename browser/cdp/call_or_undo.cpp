#include "browser/cdp/call_or_undo.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/limits.h"

namespace bridle {

Json call_or_undo(CdpConnection& connection, const CallContext& ctx, std::string_view method, const Json& params,
                  const std::function<void(const Json& result)>& undo,
                  const std::function<void(const CdpReply& reply)>& seen) {
  struct Slot {
    Mutex mutex;
    CondVar ready;
    bool abandoned = false;
    std::optional<CdpReply> reply;
  };
  const auto slot = std::make_shared<Slot>();
  connection.post("", method, params, [slot, undo, seen](CdpReply reply) {
    if (seen) seen(reply);
    MutexLock lock(slot->mutex);
    if (!slot->abandoned) {
      slot->reply = std::move(reply);
      slot->ready.notify_all();
      return;
    }
    lock.unlock();
    if (reply.kind == CdpReply::Kind::result) undo(result_of(reply.message));
  });
  MutexLock lock(slot->mutex);
  try {
    const bool replied =
        wait_until(ctx.within(limits::kCdpCommand), slot->ready, lock, [&] { return slot->reply.has_value(); });
    if (!replied) throw CdpTimeout(fmt::format("{}: no reply from the browser in time", method));
  } catch (...) {
    slot->abandoned = true;
    const auto late = std::exchange(slot->reply, std::nullopt);
    lock.unlock();
    if (late && late->kind == CdpReply::Kind::result) undo(result_of(late->message));
    throw;
  }
  CdpReply reply = std::move(*slot->reply);
  lock.unlock();
  return result_of(result_message(method, std::move(reply)));
}

}  // namespace bridle
