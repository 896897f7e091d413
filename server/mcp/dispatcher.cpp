#include "server/mcp/dispatcher.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/text/log.h"
#include "base/text/text.h"
#include "server/mcp/instructions.h"
#include "server/mcp/serializer.h"
#include "tools/contract/response.h"
#include "tools/contract/schema_check.h"

namespace bridle {

using jsonrpc::Message;
using namespace rpc;

namespace {

std::shared_ptr<const ToolSpec> own_tool(const ToolScope& scope, const std::string& name) {
  for (auto& spec : scope.own_tools()) {
    if (spec->name == name) return spec;
  }
  return nullptr;
}

}  // namespace

McpServer::McpServer(const CallServices& services)
    : services_(services), starter_(services), catalogue_(services, starter_), tasks_(services) {
  const auto own = [this](auto handler) {
    return [this, handler](const Caller& caller, const Message& message, const Stream& stream) {
      return (this->*handler)(caller, message, stream);
    };
  };
  using Era = Method::Era;
  add({{.name = "ping", .era = Era::legacy, .handler = own(&McpServer::ping)},
       {.name = "server/discover", .era = Era::modern, .handler = own(&McpServer::discover)},
       {.name = "logging/setLevel", .era = Era::legacy, .handler = own(&McpServer::set_level)},
       {.name = "tools/list", .handler = own(&McpServer::list_tools)},
       {.name = "tools/call", .handler = own(&McpServer::call_tool), .starts = true}});
  add(catalogue_.table());
  add(tasks_.table());
  for (const Revision revision : kRevisions) {
    tool_lists_[static_cast<std::size_t>(revision)] = serializer::tool_list(revision, services.toolbox);
  }
}

void McpServer::add(std::vector<Method> methods) {
  for (Method& method : methods) methods_.emplace(method.name, std::move(method));
}

const Method* McpServer::find_method(const Caller& caller, std::string_view name) const {
  const auto found = methods_.find(name);
  if (found == methods_.end()) return nullptr;
  const Method& method = found->second;
  return method.is_of(caller.revision) && method.is_served(services_.catalogue) ? &method : nullptr;
}

std::string McpServer::invalid_message(const Message& message) {
  return jsonrpc::error(message.id, jsonrpc::kInvalidRequest, "Invalid request: " + message.problem);
}

Outcome McpServer::request(const Caller& caller, const Message& message, const Stream& stream) {
  if (!message.params.is_null() && !message.params.is_object()) {
    return failure(message, jsonrpc::kInvalidParams, "Invalid params: params must be an object");
  }
  if (caller.session && message.method == "initialize") {
    return failure(message, jsonrpc::kInvalidRequest, "Invalid request: this session is initialized already", 400);
  }
  const Method* method = find_method(caller, message.method);
  if (method != nullptr && method->starts) return method->handler(caller, message, stream);
  // Answered at once, so never in the table of calls; its id counts all the same.
  if (caller.session) {
    if (starter_.is_taken(caller, message.id)) {
      return CallStarter::duplicate(message);
    }
    caller.session->note_answered(message.id);
  }
  if (method == nullptr) {
    // 2026-07-28: "Unknown method -> 404".
    return failure(message, jsonrpc::kMethodNotFound, "Method not found: " + jsonrpc::shown(message.method),
                   is_modern(caller.revision) ? 404 : 200);
  }
  return method->handler(caller, message, stream);
}

// ---- lifecycle

// Unknown versions are answered with our latest legacy one, never refused [wire.initialize].
Outcome McpServer::initialize(Session& session, const Message& message) {
  const std::string wanted = string_in(message.params, "protocolVersion");
  if (wanted.empty()) return failure(message, jsonrpc::kInvalidParams, "Invalid params: protocolVersion is missing");
  const auto known = parse_revision(wanted);
  const Revision revision = known && !is_modern(*known) ? *known : kLatestLegacy;
  const Json& capabilities = object_in(message.params, "capabilities");
  if (dump(capabilities).size() > limits::kCapabilities) {
    return failure(message, jsonrpc::kInvalidParams,
                   "Invalid params: capabilities are longer than " + std::to_string(limits::kCapabilities) + " bytes");
  }
  const Json& client = object_in(message.params, "clientInfo");
  const std::string client_name(
      trimmed(loggable(string_in(client, "name"), 60) + " " + loggable(string_in(client, "version"), 30)));
  if (!session.negotiate(revision, capabilities, client_name)) {
    return failure(message, jsonrpc::kInvalidRequest, "Invalid request: this session is initialized already", 400);
  }
  session.note_answered(message.id);
  spdlog::info("session {} opened: {}, {}", session.label(), client_name, to_string(revision));
  const Json result = {{"protocolVersion", to_string(revision)},
                       {"capabilities", serializer::capabilities(revision, services_.catalogue)},
                       {"serverInfo", serializer::server_info(revision)},
                       {"instructions", kInstructions}};
  return answer(message, dump(result));
}

Outcome McpServer::discover(const Caller& caller, const Message& message, const Stream&) {
  Json versions = Json::array();
  for (const Revision revision : kRevisions) versions.push_back(to_string(revision));
  const Json result = {{"supportedVersions", std::move(versions)},
                       {"capabilities", serializer::capabilities(caller.revision, services_.catalogue)},
                       {"instructions", kInstructions}};
  return answer(message, serializer::discovery(result));
}

Outcome McpServer::ping(const Caller& caller, const Message& message, const Stream&) {
  return answer(message, serializer::empty_result(caller.revision));
}

Outcome McpServer::set_level(const Caller& caller, const Message& message, const Stream&) {
  const auto level = parse_log_level(string_in(message.params, "level"));
  if (!level) {
    return failure(
        message, jsonrpc::kInvalidParams,
        "Invalid params: level must be one of debug, info, notice, warning, error, critical, alert, emergency");
  }
  caller.session->set_log_level(*level);
  return answer(message, serializer::empty_result(caller.revision));
}

// ---- tools

Outcome McpServer::list_tools(const Caller& caller, const Message& message, const Stream&) {
  if (has_cursor(message)) return bad_cursor(message);
  const auto scope = caller.session ? caller.session->scope_if_open() : services_.default_scope;
  const auto& specs = services_.toolbox.all();
  const bool as_at_start = std::all_of(specs.begin(), specs.end(), [&](const ToolSpec& spec) {
    return services_.toolbox.lists(spec, scope.get()) == services_.toolbox.lists(spec, nullptr);
  });
  if (as_at_start && (!scope || scope->own_tools().empty()))
    return answer(message, tool_lists_[static_cast<std::size_t>(caller.revision)]);
  return answer(message, serializer::tool_list(caller.revision, services_.toolbox, scope.get()));
}

Outcome McpServer::call_tool(const Caller& caller, const Message& message, const Stream& stream) {
  const std::string name = string_in(message.params, "name");
  if (name.empty()) {
    return starter_.refuse(caller, message, jsonrpc::kInvalidParams, "Invalid params: name must be the name of a tool");
  }
  Json arguments = Json::object();
  if (const auto given = message.params.find("arguments"); given != message.params.end()) arguments = *given;
  if (!arguments.is_object()) {
    return starter_.refuse(caller, message, jsonrpc::kInvalidParams, "Invalid params: arguments must be an object");
  }
  const auto scope = caller.session ? caller.session->scope_if_open() : services_.default_scope;
  const ToolSpec* spec = services_.toolbox.resolve(name, &arguments);
  const auto own = spec == nullptr && scope ? own_tool(*scope, name) : nullptr;
  if (own) spec = own.get();
  if (spec == nullptr) {
    const auto& refused = services_.toolbox.refused;
    if (const auto words = refused.find(name); words != refused.end()) {
      if (caller.session) caller.session->note_answered(message.id);
      return answer(message, serializer::tool_result(caller.revision, error_result(words->second)));
    }
    return starter_.refuse(caller, message, jsonrpc::kInvalidParams, "Unknown tool: " + jsonrpc::shown(name));
  }
  if (starter_.is_taken(caller, message.id)) {
    return CallStarter::duplicate(message);
  }
  if (const Json missing = missing_capabilities(caller, *spec); !missing.is_null()) {
    if (is_modern(caller.revision)) return answer(message, missing_capability(missing), caller.revision);
    if (caller.session) caller.session->note_answered(message.id);
    const std::string words = name + " needs a client that declares " + dump(missing) + ".";
    return answer(message, serializer::tool_result(caller.revision, error_result(words)));
  }
  if (!services_.toolbox.lists(*spec, scope.get())) {
    if (caller.session) caller.session->note_answered(message.id);
    return answer(message,
                  serializer::tool_result(caller.revision, error_result(services_.toolbox.how_to_list(*spec))));
  }
  // SEP-1303: what is wrong with the arguments is for the model to read.
  CheckedArguments checked = check_arguments(*spec, std::move(arguments));
  if (!checked.problem.empty()) {
    if (caller.session) caller.session->note_answered(message.id);
    return answer(message, serializer::tool_result(caller.revision, error_result(checked.problem)));
  }
  if (!(caller.session ? caller.session->calls() : sessionless_calls_).take()) {
    return starter_.refuse(caller, message, jsonrpc::kInternalError,
                           "Too many tool calls: more than " +
                               std::to_string(static_cast<int>(limits::kCallsPerSecond)) +
                               " a second; make fewer, or wait a moment");
  }
  ToolCall::Plan plan{
      .caller = caller, .name = spec->name, .spec = spec, .own = own, .arguments = std::move(checked.values)};
  return starter_.start(std::move(plan), message, stream);
}

// The capabilities that the tool needs and the client doesn't declare, as ClientCapabilities; null if none is missing.
Json McpServer::missing_capabilities(const Caller& caller, const ToolSpec& spec) {
  Json missing;
  if (spec.needs_task && !knows_tasks(caller)) missing["extensions"] = {{kTasksExtension, Json::object()}};
  if (is_modern(caller.revision) && spec.needs_capabilities.is_object()) {
    for (const auto& [name, value] : spec.needs_capabilities.items()) {
      if (name == "elicitation" ? !can_show_forms(caller) : !caller.capabilities.contains(name)) missing[name] = value;
    }
  }
  return missing;
}

// ---- notifications and responses

void McpServer::notification(const Caller& caller, const Message& message) {
  if (message.method == "notifications/cancelled") cancelled(caller, message);
  if (message.method == "notifications/roots/list_changed" && caller.session) {
    if (const auto scope = caller.session->scope_if_open()) scope->roots_changed();
  }
}

// Double, late, unknown and malformed cancels are nobody's trouble [cancel.ignored].
void McpServer::cancelled(const Caller& caller, const Message& message) {
  if (!message.params.is_object() || !message.params.contains("requestId")) return;
  const std::string id = jsonrpc::id_text(message.params["requestId"]);
  if (id.empty()) return;
  const CallKey key{.session = caller.name, .id = id};
  if (caller.session && caller.session->was_answered(id) && !services_.calls.find(key)) return;
  // "notifications/cancelled MUST NOT be used" for tasks: its request was answered.
  if (is_modern(caller.revision) && services_.tasks.holds(key)) return;
  services_.calls.cancel(key, AbortReason::client_cancelled, string_in(message.params, "reason"));
}

void McpServer::response(const Caller& caller, Message message) {
  if (caller.session) caller.session->questions().answer(std::move(message));
}

}  // namespace bridle
