#include "server/mcp_server.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/log.h"
#include "server/instructions.h"
#include "server/serializer.h"

namespace bridle {
namespace {

using jsonrpc::Message;
using Outcome = McpServer::Outcome;

Outcome answer(const Message& message, std::string_view result_text) {
  return {.text = jsonrpc::result(message.id, result_text)};
}

Outcome failure(const Message& message, int code, std::string_view words, int status = 200) {
  return {.http_status = status, .text = jsonrpc::error(message.id, code, words)};
}

const Json& no_object() {
  static const Json none = Json::object();
  return none;
}

// A member of params that is an object, or an empty one.
const Json& object_in(const Json& params, const char* name) {
  if (!params.is_object()) return no_object();
  const auto found = params.find(name);
  return found != params.end() && found->is_object() ? *found : no_object();
}

std::string string_in(const Json& params, const char* name) {
  if (!params.is_object()) return {};
  const auto found = params.find(name);
  return found != params.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Json progress_token(const Message& message) {
  const Json& meta = object_in(message.params, "_meta");
  const auto token = meta.find("progressToken");
  if (token == meta.end() || (!token->is_string() && !token->is_number_integer())) return nullptr;
  return *token;
}

}  // namespace

// One table of methods, and which era knows each.
struct McpServer::Method {
  std::string_view name;
  bool legacy;
  bool modern;
  Handler handler;
};

const McpServer::Method* McpServer::find_method(const Caller& caller, std::string_view name) {
  static constexpr Method kMethods[] = {
      {"ping", true, false, &McpServer::ping},
      {"server/discover", false, true, &McpServer::discover},
      {"logging/setLevel", true, false, &McpServer::set_level},
      {"tools/list", true, true, &McpServer::list_tools},
      {"tools/call", true, true, &McpServer::call_tool},
  };
  for (const Method& method : kMethods) {
    if (method.name == name) return (is_modern(caller.revision) ? method.modern : method.legacy) ? &method : nullptr;
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
  if (method != nullptr && method->handler == &McpServer::call_tool) return call_tool(caller, message, outbox);
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

// Unknown versions are answered with our latest legacy one, never refused (spec/protocol 1.6).
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
                       {"capabilities", serializer::capabilities(revision, false, false)},
                       {"serverInfo", serializer::server_info(revision)},
                       {"instructions", kInstructions}};
  return answer(message, jsonrpc::dump(result));
}

Outcome McpServer::discover(const Caller& caller, const Message& message, const std::shared_ptr<Outbox>&) {
  Json versions = Json::array();
  for (const Revision revision : kRevisions) versions.push_back(to_string(revision));
  const Json result = {{"supportedVersions", std::move(versions)},
                       {"capabilities", serializer::capabilities(caller.revision, false, false)},
                       {"instructions", kInstructions}};
  return answer(message, serializer::wrap_result(caller.revision, result, true));
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
  // One page holds all, so no cursor was ever given out (spec/protocol 6.4).
  if (message.params.is_object() && message.params.contains("cursor")) {
    return failure(message, jsonrpc::kInvalidParams,
                   "Invalid params: unknown cursor; leave it out to start from the first page");
  }
  return answer(message, tool_lists_[static_cast<std::size_t>(caller.revision)]);
}

Outcome McpServer::call_tool(const Caller& caller, const Message& message, const std::shared_ptr<Outbox>& outbox) {
  const auto refused = [&](int code, const std::string& words, int status = 200) {
    if (caller.session && status == 200) caller.session->note_answered(message.id);
    return failure(message, code, words, status);
  };
  const std::string name = string_in(message.params, "name");
  if (name.empty()) return refused(jsonrpc::kInvalidParams, "Invalid params: name must be the name of a tool");
  const ToolSpec* spec = services_.toolbox.find(name);
  if (spec == nullptr) return refused(jsonrpc::kInvalidParams, "Unknown tool: " + jsonrpc::shown(name));
  Json arguments = Json::object();
  if (const auto given = message.params.find("arguments"); given != message.params.end()) arguments = *given;
  if (!arguments.is_object()) return refused(jsonrpc::kInvalidParams, "Invalid params: arguments must be an object");
  if (is_taken(caller, message.id)) {
    return failure(message, jsonrpc::kInvalidRequest, "Invalid request: this id is in flight already", 400);
  }
  // SEP-1303: what is wrong with the arguments is for the model to read.
  if (const std::string words = check_arguments(*spec, arguments); !words.empty()) {
    if (caller.session) caller.session->note_answered(message.id);
    return answer(message, serializer::tool_result(caller.revision, ToolResult::error("### Error\n" + words)));
  }
  ToolCall::Plan plan{.caller = caller,
                      .id = message.id,
                      .spec = spec,
                      .arguments = std::move(arguments),
                      .progress_token = progress_token(message)};
  Outcome error;
  if (is_modern(caller.revision) && !read_answers(plan, message, error)) return error;
  switch (ToolCall::start(services_, std::move(plan), outbox)) {
    case AbortRegistry::Refusal::none:
      return {.started = true};
    case AbortRegistry::Refusal::duplicate_id:
      return failure(message, jsonrpc::kInvalidRequest, "Invalid request: this id is in flight already", 400);
    case AbortRegistry::Refusal::too_many:
      break;
  }
  return failure(
      message, jsonrpc::kInternalError,
      "Too many calls at once: the limit is " + std::to_string(limits::kInFlight) + "; try again when some have ended");
}

// The state is the client's to forge: what the seal doesn't cover is not believed (spec/protocol 1.10).
bool McpServer::read_answers(ToolCall::Plan& plan, const Message& message, Outcome& error) const {
  const auto given = message.params.find("requestState");
  const auto responses = message.params.find("inputResponses");
  if (responses != message.params.end() && !responses->is_object()) {
    error = failure(message, jsonrpc::kInvalidParams, "Invalid params: inputResponses must be an object");
    return false;
  }
  if (given == message.params.end()) return true;  // a first round; answers without a state are asked for again
  const auto state = given->is_string()
                         ? services_.sealer.open(given->get_ref<const std::string&>(), plan.spec->name, plan.arguments)
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

// Double, late, unknown and malformed cancels are nobody's trouble (spec/cancellation 10).
void McpServer::cancelled(const Caller& caller, const Message& message) {
  if (!message.params.is_object() || !message.params.contains("requestId")) return;
  const std::string id = jsonrpc::id_text(message.params["requestId"]);
  if (id.empty()) return;
  if (caller.session && caller.session->was_answered(id) && !in_flight(caller, id)) return;
  services_.registry.cancel({.session = caller.name, .id = id}, AbortReason::client_cancelled,
                            string_in(message.params, "reason"));
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
