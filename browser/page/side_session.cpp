#include "browser/page/side_session.h"

#include "browser/cdp/call_or_undo.h"

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
      session_(open_page_session(ctx, own_browser_, root_frame_)) {}

SideSession::~SideSession() {
  auto& connection = session_.connection();
  connection.set_event_handler(session_.id(), nullptr);
  connection.set_event_handler(own_browser_.id(), nullptr);
  detach(connection, own_browser_.id());
}

void SideSession::on_event(CdpConnection::EventHandler handler) const {
  auto& connection = session_.connection();
  connection.set_event_handler(own_browser_.id(), [handler](std::string_view method, std::string_view message) {
    if (method == "Target.detachedFromTarget") handler(method, message);
  });
  connection.set_event_handler(session_.id(), std::move(handler));
}

}  // namespace bridle
