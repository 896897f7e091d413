#include "server/mcp/dispatcher.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/log.h"
#include "server/mcp/instructions.h"
#include "server/mcp/params.h"
#include "server/mcp/serializer.h"
#include "tools/contract/response.h"
#include "tools/contract/schema_check.h"

namespace bridle {

using jsonrpc::Message;
using Outcome = McpServer::Outcome;
using namespace rpc;

// A row of the table of methods: its name, the eras that know it, and what the catalogue must hold for it.
struct McpServer::Method {
  enum class Needs { nothing, resources, prompts, either };
  std::string_view name;
  bool legacy;
  bool modern;
  Handler handler;
  bool starts = false;  // runs on a thread of its own: registered, cancellable
  Needs needs = Needs::nothing;

  bool is_served(const Catalogue& catalogue) const {
    switch (needs) {
      case Needs::resources:
        return catalogue.has_resources();
      case Needs::prompts:
        return catalogue.has_prompts();
      case Needs::either:
        return catalogue.has_resources() || catalogue.has_prompts();
      case Needs::nothing:
        break;
    }
    return true;
  }
};

const McpServer::Method* McpServer::find_method(const Caller& caller, std::string_view name) const {
  using Needs = Method::Needs;
  static constexpr Method kMethods[] = {
      {"ping", true, false, &McpServer::ping},
      {"server/discover", false, true, &McpServer::discover},
      {"logging/setLevel", true, false, &McpServer::set_level},
      {"tools/list", true, true, &McpServer::list_tools},
      {"tools/call", true, true, &McpServer::call_tool, true},
      {"resources/list", true, true, &McpServer::list_resources, false, Needs::resources},
      {"resources/templates/list", true, true, &McpServer::list_templates, false, Needs::resources},
      {"resources/read", true, true, &McpServer::read_resource, true, Needs::resources},
      {"resources/subscribe", true, false, &McpServer::subscribe, false, Needs::resources},
      {"resources/unsubscribe", true, false, &McpServer::unsubscribe, false, Needs::resources},
      {"prompts/list", true, true, &McpServer::list_prompts, false, Needs::prompts},
      {"prompts/get", true, true, &McpServer::get_prompt, true, Needs::prompts},
      {"completion/complete", true, true, &McpServer::complete, false, Needs::either},
      {"tasks/get", false, true, &McpServer::get_task},
      {"tasks/update", false, true, &McpServer::update_task},
      {"tasks/cancel", false, true, &McpServer::cancel_task},
  };
  for (const Method& method : kMethods) {
    if (method.name != name) continue;
    const bool known = is_modern(caller.revision) ? method.modern : method.legacy;
    return known && method.is_served(services_.catalogue) ? &method : nullptr;
  }
  return nullptr;
}

McpServer::McpServer(const CallServices& services) : services_(services) {
  for (const Revision revision : kRevisions) {
    tool_lists_[static_cast<std::size_t>(revision)] = serializer::tool_list(revision, services.toolbox);
  }
}

std::string McpServer::invalid_message(const Message& message) {
  return jsonrpc::error(message.id, jsonrpc::kInvalidRequest, "Invalid request: " + message.problem);
}

Outcome McpServer::request(const Caller& caller, const Message& message, const std::shared_ptr<Outbox>& outbox) {
  if (!message.params.is_null() && !message.params.is_object()) {
    return failure(message, jsonrpc::kInvalidParams, "Invalid params: params must be an object");
  }
  if (caller.session && message.method == "initialize") {
    return failure(message, jsonrpc::kInvalidRequest, "Invalid request: this session is initialized already", 400);
  }
  const Method* method = find_method(caller, message.method);
  if (method != nullptr && method->starts) return (this->*method->handler)(caller, message, outbox);
  // Answered at once, so never in the registry; its id counts all the same.
  if (caller.session) {
    if (is_taken(caller, message.id)) {
      return failure(message, jsonrpc::kInvalidRequest, "Invalid request: this id is in flight already", 400);
    }
    caller.session->note_answered(message.id);
  }
  if (method == nullptr) {
    // 2026-07-28: "Unknown method -> 404".
    return failure(message, jsonrpc::kMethodNotFound, "Method not found: " + jsonrpc::shown(message.method),
                   is_modern(caller.revision) ? 404 : 200);
  }
  return (this->*method->handler)(caller, message, outbox);
}

// ---- lifecycle

// Unknown versions are answered with our latest legacy one, never refused [wire.initialize].
Outcome McpServer::initialize(Session& session, const Message& message) {
  const std::string wanted = string_in(message.params, "protocolVersion");
  if (wanted.empty()) return failure(message, jsonrpc::kInvalidParams, "Invalid params: protocolVersion is missing");
  const auto known = parse_revision(wanted);
  const Revision revision = known && !is_modern(*known) ? *known : kLatestLegacy;
  if (!session.negotiate(revision, object_in(message.params, "capabilities"))) {
    return failure(message, jsonrpc::kInvalidRequest, "Invalid request: this session is initialized already", 400);
  }
  session.note_answered(message.id);
  const Json& client = object_in(message.params, "clientInfo");
  spdlog::info("session {} opened: {} {}, {}", session.label(), loggable(string_in(client, "name"), 60),
               loggable(string_in(client, "version"), 30), to_string(revision));
  const Json result = {{"protocolVersion", to_string(revision)},
                       {"capabilities", serializer::capabilities(revision, services_.catalogue)},
                       {"serverInfo", serializer::server_info(revision)},
                       {"instructions", kInstructions}};
  return answer(message, dump(result));
}

Outcome McpServer::discover(const Caller& caller, const Message& message, const std::shared_ptr<Outbox>&) {
  Json versions = Json::array();
  for (const Revision revision : kRevisions) versions.push_back(to_string(revision));
  const Json result = {{"supportedVersions", std::move(versions)},
                       {"capabilities", serializer::capabilities(caller.revision, services_.catalogue)},
                       {"instructions", kInstructions}};
  return answer(message, serializer::discovery(result));
}

Outcome McpServer::ping(const Caller& caller, const Message& message, const std::shared_ptr<Outbox>&) {
  return answer(message, serializer::empty_result(caller.revision));
}

Outcome McpServer::set_level(const Caller& caller, const Message& message, const std::shared_ptr<Outbox>&) {
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

Outcome McpServer::list_tools(const Caller& caller, const Message& message, const std::shared_ptr<Outbox>&) {
  if (has_cursor(message)) return bad_cursor(message);
  return answer(message, tool_lists_[static_cast<std::size_t>(caller.revision)]);
}

Outcome McpServer::call_tool(const Caller& caller, const Message& message, const std::shared_ptr<Outbox>& outbox) {
  const std::string name = string_in(message.params, "name");
  if (name.empty()) {
    return refuse(caller, message, jsonrpc::kInvalidParams, "Invalid params: name must be the name of a tool");
  }
  const ToolSpec* spec = services_.toolbox.find(name);
  if (spec == nullptr) return refuse(caller, message, jsonrpc::kInvalidParams, "Unknown tool: " + jsonrpc::shown(name));
  Json arguments = Json::object();
  if (const auto given = message.params.find("arguments"); given != message.params.end()) arguments = *given;
  if (!arguments.is_object()) {
    return refuse(caller, message, jsonrpc::kInvalidParams, "Invalid params: arguments must be an object");
  }
  if (is_taken(caller, message.id)) {
    return failure(message, jsonrpc::kInvalidRequest, "Invalid request: this id is in flight already", 400);
  }
  if (const Json missing = missing_capabilities(caller, *spec); !missing.is_null()) {
    if (is_modern(caller.revision)) return {.http_status = 400, .text = missing_capability(message.id, missing)};
    if (caller.session) caller.session->note_answered(message.id);
    const std::string words = name + " needs a client that declares " + dump(missing) + ".";
    return answer(message, serializer::tool_result(caller.revision, error_result(words)));
  }
  // SEP-1303: what is wrong with the arguments is for the model to read.
  CheckedArguments checked = check_arguments(*spec, std::move(arguments));
  if (!checked.problem.empty()) {
    if (caller.session) caller.session->note_answered(message.id);
    return answer(message, serializer::tool_result(caller.revision, error_result(std::move(checked.problem))));
  }
  if (!(caller.session ? caller.session->calls() : sessionless_calls_).take()) {
    return refuse(caller, message, jsonrpc::kInternalError,
                  "Too many tool calls: more than " + std::to_string(static_cast<int>(limits::kCallsPerSecond)) +
                      " a second; make fewer, or wait a moment");
  }
  ToolCall::Plan plan{.caller = caller, .name = name, .spec = spec, .arguments = std::move(checked.values)};
  return start(std::move(plan), message, outbox);
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

Outcome McpServer::start(ToolCall::Plan plan, const Message& message, const std::shared_ptr<Outbox>& outbox) {
  plan.id = message.id;
  plan.progress_token = progress_token(message);
  Outcome outcome;
  if (is_modern(plan.caller.revision) && !read_answers(plan, message, outcome)) return outcome;
  const bool may_become_task = plan.spec != nullptr && plan.spec->may_take_long && knows_tasks(plan.caller);
  std::shared_ptr<ToolCall> call;
  switch (ToolCall::start(services_, std::move(plan), outbox, &call)) {
    case AbortRegistry::Refusal::none:
      outcome.started = true;
      outcome.call = std::move(call);
      outcome.may_become_task = may_become_task;
      return outcome;
    case AbortRegistry::Refusal::duplicate_id:
      return failure(message, jsonrpc::kInvalidRequest, "Invalid request: this id is in flight already", 400);
    case AbortRegistry::Refusal::too_many:
      break;
  }
  return failure(
      message, jsonrpc::kInternalError,
      "Too many calls at once: the limit is " + std::to_string(limits::kInFlight) + "; try again when some have ended");
}

Outcome McpServer::refuse(const Caller& caller, const Message& message, int code, const std::string& words,
                          const Json& data, int status) const {
  if (caller.session && status == 200) caller.session->note_answered(message.id);
  return failure(message, code, words, status, data);
}

std::shared_ptr<ToolScope> McpServer::scope_of(const Caller& caller) const {
  return caller.session ? caller.session->scope_if_open() : services_.default_scope;
}

// The state is the client's to forge: what the seal doesn't cover is not believed [wire.questions].
bool McpServer::read_answers(ToolCall::Plan& plan, const Message& message, Outcome& error) const {
  const auto given = message.params.find("requestState");
  const auto responses = message.params.find("inputResponses");
  if (responses != message.params.end() && !responses->is_object()) {
    error = failure(message, jsonrpc::kInvalidParams, "Invalid params: inputResponses must be an object");
    return false;
  }
  if (given == message.params.end()) {
    // A first round. What needs a state is asked for again; the rest is for those who asked without one.
    if (responses == message.params.end()) return true;
    for (const auto& [key, response] : responses->items()) {
      if (!response.is_object()) {
        error = failure(message, jsonrpc::kInvalidParams, "Invalid params: an input response must be an object");
        return false;
      }
    }
    plan.unsealed = *responses;
    return true;
  }
  const auto state = given->is_string()
                         ? services_.sealer.open(given->get_ref<const std::string&>(), plan.name, plan.arguments)
                         : std::nullopt;
  if (!state) {
    error = failure(message, jsonrpc::kInvalidParams,
                    "Invalid params: requestState is not one of this call, or it expired; make the call anew");
    return false;
  }
  plan.answers = state->answers;
  if (responses == message.params.end()) return true;
  for (const Json& key : state->asked) {
    const auto found = responses->find(key.get_ref<const std::string&>());
    if (found == responses->end()) continue;
    if (!found->is_object()) {
      error = failure(message, jsonrpc::kInvalidParams, "Invalid params: an input response must be an object");
      return false;
    }
    plan.answers[key.get_ref<const std::string&>()] = *found;
  }
  return true;
}

// ---- notifications and responses

void McpServer::notification(const Caller& caller, const Message& message) {
  if (message.method == "notifications/cancelled") cancelled(caller, message);
}

// Double, late, unknown and malformed cancels are nobody's trouble [cancel.ignored].
void McpServer::cancelled(const Caller& caller, const Message& message) {
  if (!message.params.is_object() || !message.params.contains("requestId")) return;
  const std::string id = jsonrpc::id_text(message.params["requestId"]);
  if (id.empty()) return;
  if (caller.session && caller.session->was_answered(id) && !in_flight(caller, id)) return;
  const RequestKey key{.session = caller.name, .id = id};
  // "notifications/cancelled MUST NOT be used" for tasks: its request was answered.
  if (is_modern(caller.revision) && services_.tasks.holds(key)) return;
  services_.registry.cancel(key, AbortReason::client_cancelled, string_in(message.params, "reason"));
}

void McpServer::response(const Caller& caller, Message message) {
  if (caller.session) caller.session->questions().answer(std::move(message));
}

std::shared_ptr<Request> McpServer::in_flight(const Caller& caller, const std::string& id) const {
  const auto live = services_.registry.live();
  const RequestKey key{.session = caller.name, .id = id};
  const auto found = std::find_if(live.begin(), live.end(), [&](const auto& request) { return request->key() == key; });
  return found == live.end() ? nullptr : *found;
}

bool McpServer::is_taken(const Caller& caller, const std::string& id) const {
  const auto request = in_flight(caller, id);
  if (!request) return false;
  if (!caller.may_wait || !request->signal().aborted()) return true;
  CallContext moment;
  moment.deadline = Deadline::after(limits::kCleanup);
  return !request->wait_terminal(moment);
}

}  // namespace bridle
