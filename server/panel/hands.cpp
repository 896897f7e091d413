#include <utility>

#include "base/errors.h"
#include "server/panel/panel.h"
#include "server/panel/replies.h"
#include "server/panel/state.h"

// What the person does with their own hands: taking over, and handing back [panel.take-over].
namespace bridle {
namespace {

constexpr Millis kHandTime{5000};

}  // namespace

// Nothing that the person has pressed stays down in the pages: it is up before the client's calls go on.
bool Panel::end_hold(ToolScope& scope, const std::string& viewer) const {
  if (!scope.hold().let_go(viewer)) return false;
  const auto& release = parts_.board.toolbox().release_input;
  if (release) release(scope);
  return scope.hold().hand_back(viewer);
}

bool Panel::is_here(const std::string& viewer) {
  const MutexLock lock(mutex_);
  const auto found = viewers_.find(viewer);
  return found != viewers_.end() && found->second.streams > 0;
}

// {session, viewer}
HttpReply Panel::take_over(HttpRequest& request) {
  std::optional<HttpReply> refused;
  const Json body = panel::body_of(request, refused);
  if (refused) return std::move(*refused);
  const auto viewer = string_in(body, "viewer");
  // Without its stream nobody would notice the end of the viewer, and the session would stay held.
  if (!is_here(viewer)) return panel::refusal(409, "Open /panel/events with this viewer first");
  const auto scope = panel::scope_of(parts_.board, string_in(body, "session"), true);
  if (!scope) return panel::refusal(404, "There is no such session any more");
  if (!scope->hold().take(viewer, parts_.hold_limit))
    return panel::refusal(409, "Another viewer has taken over this session");
  parts_.board.changes().ring();
  return panel::ok();
}

// {session, viewer}
HttpReply Panel::hand_back(HttpRequest& request) {
  std::optional<HttpReply> refused;
  const Json body = panel::body_of(request, refused);
  if (refused) return std::move(*refused);
  const auto scope = panel::scope_of(parts_.board, string_in(body, "session"));
  if (!scope) return panel::refusal(404, "There is no such session any more");
  if (!end_hold(*scope, string_in(body, "viewer")))
    return panel::refusal(409, "This viewer has not taken over the session");
  panel::answer_handed_back(parts_.board, string_in(body, "session"));
  parts_.board.changes().ring();
  return panel::ok();
}

// {session, tab, viewer, events} [panel.input].
HttpReply Panel::input(HttpRequest& request) {
  std::optional<HttpReply> refused;
  const Json body = panel::body_of(request, refused);
  if (refused) return std::move(*refused);
  const auto scope = panel::scope_of(parts_.board, string_in(body, "session"));
  const auto may = [&, viewer = string_in(body, "viewer")] { return scope && scope->hold().acts(viewer); };
  if (!may()) return panel::refusal(409, "Take over first: this viewer has not taken over the session");
  const auto tab = live_tab(string_in(body, "session"), string_in(body, "tab"));
  if (!tab) return panel::refusal(404, "There is no such tab any more");
  try {
    const auto busy = tab->input(until(Deadline::after(kHandTime)), body.value("events", Json()), may);
    if (!busy.empty()) return panel::refusal(409, busy);
  } catch (const ToolError& error) {
    return panel::refusal(400, error.what());
  }
  return panel::ok();
}

// {session, tab, dialog?, accept, text?}
HttpReply Panel::dialog(HttpRequest& request) {
  std::optional<HttpReply> refused;
  const Json body = panel::body_of(request, refused);
  if (refused) return std::move(*refused);
  const auto tab = live_tab(string_in(body, "session"), string_in(body, "tab"));
  if (!tab) return panel::refusal(404, "There is no such tab any more");
  const Json accept = body.value("accept", Json());
  if (!accept.is_boolean()) return panel::refusal(400, "accept must be true or false");
  try {
    tab->answer_dialog(until(Deadline::after(kHandTime)), string_in(body, "dialog"), accept.get<bool>(),
                       string_in(body, "text"));
  } catch (const ToolError& error) {
    return panel::refusal(409, error.what());
  }
  parts_.board.changes().ring();
  return panel::ok();
}

// {question, action, content}: the first answer counts, from here or from the client [panel.questions].
HttpReply Panel::answer_question(HttpRequest& request) {
  std::optional<HttpReply> refused;
  const Json body = panel::body_of(request, refused);
  if (refused) return std::move(*refused);
  const auto action = string_in(body, "action");
  if (action != "accept" && action != "decline" && action != "cancel")
    return panel::refusal(400, "action must be accept, decline or cancel");
  Json result = {{"action", action}};
  if (action == "accept") result["content"] = object_in(body, "content");
  if (!panel::answer(parts_.board, string_in(body, "question"), std::move(result)))
    return panel::refusal(409, "The question was answered elsewhere, or its call has ended");
  parts_.board.changes().ring();
  return panel::ok();
}

void Panel::hand_back_all(const std::string& viewer) {
  const auto from = [&](const std::shared_ptr<ToolScope>& scope) { return scope && end_hold(*scope, viewer); };
  bool any = from(parts_.board.default_scope);
  for (const auto& session : parts_.board.sessions().all()) {
    if (!from(session->scope_if_open())) continue;
    panel::answer_handed_back(parts_.board, session->label());
    any = true;
  }
  if (any) parts_.board.changes().ring();
}

}  // namespace bridle
