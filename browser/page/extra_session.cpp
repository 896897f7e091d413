#include "browser/page/extra_session.h"

#include <spdlog/fmt/fmt.h>

#include <utility>

#include "browser/cdp/call_or_undo.h"
#include "browser/cdp/pending_reply.h"

namespace bridle {

std::unique_ptr<ExtraSession> ExtraSession::attach(const CallContext& ctx, const Tab& tab,
                                                   CdpConnection::EventHandler on_event) {
  ctx.signal.throw_if_aborted();
  auto& connection = tab.session().connection();
  const Json result =
      call_or_undo(connection, ctx, "Target.attachToTarget", {{"targetId", tab.info().target_id}, {"flatten", true}},
                   [&connection](const Json& late) {
                     connection.post("", "Target.detachFromTarget", {{"sessionId", late.at("sessionId")}});
                   });
  const auto id = result.value("sessionId", "");
  std::unique_ptr<ExtraSession> extra(new ExtraSession(CdpSession(tab.session().shared_connection(), id)));
  connection.set_event_handler(
      id, [&connection, id, on_event = std::move(on_event)](std::string_view method, std::string_view message) {
        const auto sent_before_crash = connection.mark();
        on_event(method, message);
        // What a crashed page was asked is never answered.
        if (method == "Inspector.targetCrashed") connection.fail_session(id, "the page crashed", sent_before_crash);
      });
  return extra;
}

ExtraSession::~ExtraSession() {
  auto& connection = session_.connection();
  connection.set_event_handler(session_.id(), nullptr);
  connection.fail_session(session_.id(), "its session has ended");
  connection.post("", "Target.detachFromTarget", {{"sessionId", session_.id()}});
}

std::string ExtraSession::call_raw(const CallContext& ctx, std::string_view method, const Json& params,
                                   Millis limit) const {
  ctx.signal.throw_if_aborted();
  PendingReply reply(session_.connection(), session_.id(), method, params);
  if (!reply.wait(ctx.within(limit))) throw CdpTimeout(fmt::format("{}: no reply from the browser in time", method));
  return result_message(method, reply.take().value());
}

}  // namespace bridle
