#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/concurrency/abort.h"
#include "server/mcp/log_level.h"
#include "server/mcp/revision.h"
#include "server/mcp/session.h"

namespace bridle {

// Who sent a message, as far as the answer depends on it. Made by a transport, immutable afterwards.
struct Caller {
  Revision revision = kLatestLegacy;
  std::shared_ptr<Session> session{};  // legacy; null in 2026-07-28
  std::string name{};                  // the session's name in the registry; private to the request in 2026-07-28
  bool one_shot = false;               // see BeginOptions
  AbortSignal signal{};                // ends its requests: the session's; of a modern connection (stdio): its own
  nlohmann::json capabilities = nlohmann::json::object();
  bool may_wait = true;                 // the thread that brings a message has nothing else to bring (not so on stdio)
  std::optional<LogLevel> log_level{};  // asked for with this request (2026-07-28)

  static Caller of(std::shared_ptr<Session> session) {
    Caller caller;
    caller.revision = session->revision();
    caller.name = session->label();
    caller.signal = session->signal();
    caller.capabilities = session->capabilities();
    caller.may_wait = !session->single_stream();
    caller.session = std::move(session);
    return caller;
  }
};

inline constexpr const char* kTasksExtension = "io.modelcontextprotocol/tasks";

// Whether the client can show a form (elicitation). `{}` and {form: ...} mean yes, {url: ...} alone no.
bool can_show_forms(const Caller& caller);
// Whether the request declares io.modelcontextprotocol/tasks (2026-07-28).
bool knows_tasks(const Caller& caller);

}  // namespace bridle
