#include "server/status_board.h"

#include <algorithm>
#include <utility>

#include "server/mcp/jsonrpc.h"

namespace bridle {
namespace {

// A label is the start of its session's id: either names it.
bool names_session(const std::string& given, const std::string& label) {
  return given == label || (given.size() > label.size() && given.starts_with(label));
}

bool same_caller(const std::string& session, const std::string& caller) {
  if (caller.starts_with(StatusBoard::kModernPrefix)) return session.starts_with(StatusBoard::kModernPrefix);
  return session == caller;
}

constexpr std::size_t kShownOfHandle = 10;  // as a call's row and the log show it

// `whole`: isolated tabs, too, stand there by the handle with which they can be driven.
void append_tabs(Json& tabs, const std::shared_ptr<ToolScope>& scope, const std::string& session, bool whole) {
  if (!scope) return;
  Json mine = scope->tabs();
  for (Json& tab : mine) {
    if (!whole && tab.value("isolated", false)) tab["id"] = tab.value("id", "").substr(0, kShownOfHandle);
    if (!session.empty()) tab["session"] = session;
    tabs.push_back(std::move(tab));
  }
}

}  // namespace

// What one call may see and stop.
class CallerControl : public RequestControl {
 public:
  CallerControl(StatusBoard& board, CallKey caller, std::shared_ptr<ToolScope> scope)
      : board_(board), caller_(std::move(caller)), scope_(std::move(scope)) {}

  Json status(bool all_sessions) override {
    if (all_sessions) return board_.status_of_all();
    Json out = board_.status([this](const std::string& session) { return same_caller(session, caller_.session); });
    out["tabs"] = Json::array();
    append_tabs(out["tabs"], scope_, "", true);
    return out;
  }

  Json stop(const CallContext& ctx, const Json& request, const std::string& session) override {
    const std::string id = jsonrpc::id_text(request);
    const auto selects = [&](const Call& one) {
      if (one.key() == caller_) return false;
      const bool mine =
          session.empty() ? same_caller(one.key().session, caller_.session) : names_session(session, one.key().session);
      return mine && (request.is_null() || one.key().id == id);
    };
    return board_.stop(ctx, selects, "browser_stop");
  }

 private:
  StatusBoard& board_;
  const CallKey caller_;
  const std::shared_ptr<ToolScope> scope_;
};

StatusBoard::StatusBoard(CallTable& calls, SessionStore& sessions, const Toolbox& toolbox)
    : calls_(calls), sessions_(sessions), toolbox_(toolbox), timeline_(calls.changes()) {}

Json StatusBoard::status_of_all() const {
  Json out = status([](const std::string&) { return true; });
  out["browsers"] = toolbox_.browsers ? toolbox_.browsers() : Json::array();
  out["tabs"] = Json::array();
  for (const auto& session : sessions_.all()) {
    append_tabs(out["tabs"], session->scope_if_open(), session->label(), false);
  }
  append_tabs(out["tabs"], default_scope, "", false);
  return out;
}

Json StatusBoard::status(const std::function<bool(const std::string&)>& shows) const {
  const auto live = calls_.live();
  Json requests = Json::array();
  for (const auto& request : live) {
    if (shows(request->key().session)) requests.push_back(request->row());
  }
  Json recent = Json::array();
  for (Json& row : calls_.recent()) {
    if (shows(row["session"].get_ref<const std::string&>())) recent.push_back(std::move(row));
  }
  return {{"server", server_state ? server_state() : Json::object()},
          {"requests", std::move(requests)},
          {"recent", std::move(recent)},
          {"counters", counters(live)}};
}

Json StatusBoard::counters(const std::vector<std::shared_ptr<Call>>& live) const {
  Json out = calls_.counters();
  const auto merge = [&out](const Json& more) {
    for (const auto& [name, value] : more.items()) {
      const std::string key = name == "cdp_pending" ? "pending_cdp" : name;
      const auto known = out.find(key);
      if (known != out.end() && known->is_number_integer() && value.is_number_integer()) {
        *known = known->get<long long>() + value.get<long long>();  // waiters, listeners: of every layer
      } else {
        out[key] = value;
      }
    }
  };
  if (toolbox_.counters) merge(toolbox_.counters());
  if (extra_counters) merge(extra_counters());
  out["queued"] = std::count_if(live.begin(), live.end(),
                                [](const auto& request) { return request->state() == CallState::starting; });
  out["sessions"] = sessions_.size();
  for (const char* gauge : {"registry", "early_cancels", "waiters", "listeners", "pending_cdp", "streams", "tabs"}) {
    if (!out.contains(gauge)) out[gauge] = 0;
  }
  return out;
}

Json StatusBoard::stop_any(const CallContext& ctx, const Json& request, const std::string& session) {
  const std::string id = jsonrpc::id_text(request);
  return stop(
      ctx,
      [&](const Call& one) {
        return (session.empty() || names_session(session, one.key().session)) &&
               (request.is_null() || one.key().id == id);
      },
      "POST /stop");
}

Json StatusBoard::stop(const CallContext& ctx, const std::function<bool(const Call&)>& selects, const char* who) {
  const auto report = calls_.stop(ctx, selects, who);
  Json requests = Json::array();
  for (const auto& request : report.calls) requests.push_back(request->row());
  return {{"wasCancelled", report.was_cancelled}, {"timedOut", report.timed_out}, {"requests", std::move(requests)}};
}

std::unique_ptr<RequestControl> StatusBoard::control_for(const CallKey& caller, std::shared_ptr<ToolScope> scope) {
  return std::make_unique<CallerControl>(*this, caller, std::move(scope));
}

}  // namespace bridle
