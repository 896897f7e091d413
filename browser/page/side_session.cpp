#include "browser/page/side_session.h"

#include <spdlog/fmt/fmt.h>

#include <utility>

#include "browser/cdp/call_or_undo.h"
#include "browser/cdp/pending_reply.h"

namespace bridle {
namespace {

void detach(CdpConnection& connection, const std::string& session) {
  connection.post("", "Target.detachFromTarget", {{"sessionId", session}});
}

// A browser session that no other code listens to: the page session below it is announced there, and not as a new tab.
CdpSession open_browser_session(const CallContext& ctx, const Tab& tab) {
  auto& connection = tab.session().connection();
  ctx.signal.throw_if_aborted();
  tab.throw_if_gone();
  const Json opened =
      call_or_undo(connection, ctx, "Target.attachToBrowserTarget", Json::object(),
                   [&connection](const Json& late) { detach(connection, late.at("sessionId").get<std::string>()); });
  return {tab.session().shared_connection(), opened.at("sessionId").get<std::string>()};
}

CdpSession open_page_session(const CallContext& ctx, const CdpSession& browser, const std::string& target) {
  try {
    const Json opened = browser.call(ctx, "Target.attachToTarget", {{"targetId", target}, {"flatten", true}});
    return {browser.shared_connection(), opened.at("sessionId").get<std::string>()};
  } catch (...) {
    detach(browser.connection(), browser.id());
    throw;
  }
}

}  // namespace

std::string local_root(const Tab& tab, const std::string& frame) {
  std::string root = frame.empty() ? tab.main_frame() : frame;
  for (auto state = tab.frame(root); state && !state->parent.empty(); state = tab.frame(root)) {
    const auto parent = tab.frame(state->parent);
    if (!parent || parent->session != state->session) break;
    root = parent->id;
  }
  return root;
}

SideSession::SideSession(const CallContext& ctx, const Tab& tab, const std::string& frame)
    : root_frame_(local_root(tab, frame)),
      own_browser_(open_browser_session(ctx, tab)),
      session_(open_page_session(ctx, own_browser_, root_frame_)) {
  on_event([](std::string_view, std::string_view) {});
}

void SideSession::end() {
  if (ended_.exchange(true)) return;
  auto& connection = session_.connection();
  connection.set_event_handler(session_.id(), nullptr);
  connection.set_event_handler(own_browser_.id(), nullptr);
  connection.fail_session(session_.id(), "its session has ended");
  detach(connection, own_browser_.id());
}

void SideSession::on_event(CdpConnection::EventHandler handler) const {
  auto& connection = session_.connection();
  // The session below is the only one that is attached through it.
  connection.set_event_handler(
      own_browser_.id(), [&connection, id = session_.id(), handler](std::string_view method, std::string_view message) {
        if (method != "Target.detachedFromTarget") return;
        handler(method, message);
        connection.fail_session(id, "it was closed");
      });
  connection.set_event_handler(session_.id(), [&connection, id = session_.id(), handler = std::move(handler)](
                                                  std::string_view method, std::string_view message) {
    const auto sent_before_crash = connection.mark();
    handler(method, message);
    // What a crashed page was asked is never answered.
    if (method == "Inspector.targetCrashed") connection.fail_session(id, "the page crashed", sent_before_crash);
  });
}

std::string SideSession::call_raw(const CallContext& ctx, std::string_view method, const Json& params,
                                  Millis limit) const {
  ctx.signal.throw_if_aborted();
  PendingReply reply(session_.connection(), session_.id(), method, params);
  if (!reply.wait(ctx.within(limit))) throw CdpTimeout(fmt::format("{}: no reply from the browser in time", method));
  return result_message(method, reply.take().value());
}

}  // namespace bridle
