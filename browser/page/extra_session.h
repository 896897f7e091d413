#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "browser/cdp/connection.h"
#include "browser/tab/tab.h"

namespace bridle {

// A second CDP session on a tab's page, for domains that nobody else should hear of or that cost something while they
// are on: they are off again when it ends [why.extra-session]. Any thread; events come on the reader thread. The
// session ends with the tab, and then its commands fail with CdpClosed.
class ExtraSession {
 public:
  // After an abort none is left. Throws Aborted, CdpError, CdpClosed, CdpTimeout.
  static std::unique_ptr<ExtraSession> attach(const CallContext& ctx, const Tab& tab,
                                              CdpConnection::EventHandler on_event);
  ~ExtraSession();
  ExtraSession(const ExtraSession&) = delete;
  ExtraSession& operator=(const ExtraSession&) = delete;

  Json call(const CallContext& ctx, std::string_view method, const Json& params = Json::object(),
            Millis limit = limits::kCdpCommand) const {
    return session_.call(ctx, method, params, limit);
  }
  // The same, but yields the whole raw message: for large payloads.
  std::string call_raw(const CallContext& ctx, std::string_view method, const Json& params = Json::object(),
                       Millis limit = limits::kCdpCommand) const;
  void post(std::string_view method, const Json& params = Json::object(),
            CdpConnection::ReplyHandler handler = nullptr) const {
    session_.post(method, params, std::move(handler));
  }
  const CdpSession& session() const { return session_; }

 private:
  explicit ExtraSession(CdpSession session) : session_(std::move(session)) {}

  const CdpSession session_;
};

}  // namespace bridle
