#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/concurrency/call_context.h"
#include "server/calls/call_table.h"
#include "server/mcp/session_store.h"
#include "server/panel/timeline.h"
#include "tools/contract/tool.h"

namespace bridle {

// What /status, /stop, browser_status and browser_stop say and do [cancel.status] [cancel.stop].
// Any thread. Outlives every RequestControl it hands out.
class StatusBoard {
 public:
  // `server_state`: {name, version, state, ...}. `extra_counters`: gauges and totals of the layers that only the server
  // knows (streams, connections, ...).
  StatusBoard(CallTable& calls, SessionStore& sessions, const Toolbox& toolbox);
  std::function<nlohmann::json()> server_state;
  std::function<nlohmann::json()> extra_counters;

  // All sessions, with their tabs; of an isolated tab's handle only the beginning [wire.handles].
  nlohmann::json status_of_all() const;
  // POST /stop: `session` empty: all of them; an id or a label.
  nlohmann::json stop_any(const CallContext& ctx, const nlohmann::json& request, const std::string& session);
  // As one call sees it: its own session, itself left out of a stop of everything.
  std::unique_ptr<RequestControl> control_for(const CallKey& caller, std::shared_ptr<ToolScope> scope);

  // The modern requests' private session names start so; together they are one caller.
  static constexpr std::string_view kModernPrefix = "post-";
  // For the panel, which projects them.
  const CallTable& calls() const { return calls_; }
  const SessionStore& sessions() const { return sessions_; }
  const Toolbox& toolbox() const { return toolbox_; }
  Bell& changes() const { return calls_.changes(); }
  Timeline& timeline() { return timeline_; }
  // Aborts (stopped_by_user) what `selects` picks, without waiting for its end. How many calls it has reached.
  std::size_t begin_stop(const std::function<bool(const Call&)>& selects, const char* who) {
    return calls_.begin_stop(selects, who).size();
  }

  // Tabs of callers without a session.
  std::shared_ptr<ToolScope> default_scope{};

 private:
  friend class CallerControl;
  nlohmann::json status(const std::function<bool(const std::string&)>& shows) const;
  nlohmann::json counters(const std::vector<std::shared_ptr<Call>>& live) const;
  nlohmann::json stop(const CallContext& ctx, const std::function<bool(const Call&)>& selects, const char* who);

  CallTable& calls_;
  SessionStore& sessions_;
  const Toolbox& toolbox_;
  Timeline timeline_;
};

}  // namespace bridle
