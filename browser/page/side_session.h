#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "base/concurrency/call_context.h"
#include "browser/tab/tab.h"

namespace bridle {

// A CDP session of its own to a tab's page, or to a frame of it in another process, beside the session that the tab
// has. What is turned on in it (domains, overlays, casts) is off again when it ends, whatever happened to its caller,
// and nothing that it hears reaches the tab [why.side-sessions]. Object ids and node ids are its own; backend node ids
// hold in all sessions. Commands may be sent from any thread; events come on the connection's reader thread. The
// session ends with what it reaches, and then its commands fail with CdpClosed.
class SideSession {
 public:
  // `frame`: one that the session has to reach; "" is the main frame. After an abort no session is left. Throws
  // Aborted, CdpError, CdpClosed, CdpTimeout.
  SideSession(const CallContext& ctx, const Tab& tab, const std::string& frame = {});
  ~SideSession() { end(); }
  // Ends it before its object goes. Never waits for the browser; no event handler runs afterwards, unless this is the
  // reader thread.
  void end();
  SideSession(const SideSession&) = delete;
  SideSession& operator=(const SideSession&) = delete;

  // As Tab::call. `tab` is the one that the session was opened for.
  Json call(const CallContext& ctx, Tab& tab, std::string_view method, const Json& params = Json::object(),
            Millis limit = limits::kCdpCommand) const {
    return tab.call(ctx, method, params, limit, session_.id());
  }
  // The same for who holds the session longer than a tab's call: it knows of the tab only what the browser says.
  Json call(const CallContext& ctx, std::string_view method, const Json& params = Json::object(),
            Millis limit = limits::kCdpCommand) const {
    return session_.call(ctx, method, params, limit);
  }
  // The same, but yields the whole raw message: for large payloads.
  std::string call_raw(const CallContext& ctx, std::string_view method, const Json& params = Json::object(),
                       Millis limit = limits::kCdpCommand) const;
  // Without waiting; the reply goes to the handler, if there is one, on the reader thread.
  void post(std::string_view method, const Json& params = Json::object(),
            CdpConnection::ReplyHandler handler = nullptr) const {
    session_.post(method, params, std::move(handler));
  }
  const CdpSession& session() const { return session_; }
  // `handler` gets its events, and Target.detachedFromTarget when what it reaches is gone.
  void on_event(CdpConnection::EventHandler handler) const;
  // The frame's part of the page that it reaches: the main frame, or the outermost one of its process.
  const std::string& root_frame() const { return root_frame_; }

 private:
  const std::string root_frame_;
  const CdpSession own_browser_;  // ends with its children, of which `session_` is one
  const CdpSession session_;
  std::atomic<bool> ended_{false};
};

// The outermost frame that is in one process with this one, up to the main frame.
std::string local_root(const Tab& tab, const std::string& frame);

}  // namespace bridle
