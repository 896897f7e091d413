#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "browser/cdp/connection.h"

namespace bridle {

// A command that was sent, until its reply is taken. Dropping it forgets the reply. Owned by one thread; the reply
// comes on the connection's reader thread.
class PendingReply {
 public:
  // Sends. `on_reply` runs on the reader thread once the reply can be taken; it must not block.
  PendingReply(CdpConnection& connection, std::string_view session, std::string_view method, const Json& params,
               std::function<void()> on_reply = nullptr);

  const std::string& method() const { return method_; }
  bool has_come() const;
  // Gives the reply once; nullopt before it has come.
  std::optional<CdpReply> take();
  // Waits until it has come; false at ctx's deadline. Throws Aborted.
  bool wait(const CallContext& ctx) const;

 private:
  // Shared with the reader thread, which may still be delivering the reply when the waiter leaves.
  struct Slot {
    Mutex mutex;
    CondVar came;
    std::optional<CdpReply> reply GUARDED_BY(mutex);
  };
  std::string method_;
  std::shared_ptr<Slot> slot_ = std::make_shared<Slot>();
  CdpConnection::Pending pending_;
};

}  // namespace bridle
