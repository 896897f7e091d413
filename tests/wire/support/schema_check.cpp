#include "tests/wire/support/schema_check.h"

#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>

// A validator for exactly the keywords that the schemas use, drafts 7 and 2020-12 alike; another keyword throws.
namespace bridle::wire {
namespace {

using Json = nlohmann::json;

class Validator {
 public:
  explicit Validator(Json schema) : schema_(std::move(schema)) {
    definitions_ = schema_.contains("$defs") ? "$defs" : "definitions";
  }

  bool has(const std::string& name) const { return schema_[definitions_].contains(name); }
  std::string check(const std::string& name, const Json& value) const {
    if (!has(name)) throw std::logic_error("the schema defines no " + name);
    return check(schema_[definitions_][name], value, name);
  }

 private:
  static bool has_type(const Json& value, const std::string& type) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    return type == "null" && value.is_null();
  }

  std::string check(const Json& schema, const Json& value, const std::string& path) const {
    if (schema.is_boolean()) return schema.get<bool>() ? "" : path + ": not allowed";
    for (const auto& [keyword, rule] : schema.items()) {
      std::string problem = check_keyword(schema, keyword, rule, value, path);
      if (!problem.empty()) return problem;
    }
    return {};
  }

  std::string check_keyword(const Json& schema, const std::string& keyword, const Json& rule, const Json& value,
                            const std::string& path) const {
    static const std::set<std::string> kNotes = {"$schema", "description", "format",  "$comment",
                                                 "title",   "default",     "examples"};
    if (kNotes.contains(keyword)) return {};
    if (keyword == "$ref") return check_ref(rule, value, path);
    if (keyword == "type") return check_type(rule, value, path);
    if (keyword == "const") return rule == value ? "" : path + ": must be " + rule.dump();
    if (keyword == "enum") {
      for (const Json& one : rule)
        if (one == value) return {};
      return path + ": not one of " + rule.dump();
    }
    if (keyword == "minimum") return value.is_number() && value < rule ? path + ": too small" : "";
    if (keyword == "maximum") return value.is_number() && value > rule ? path + ": too large" : "";
    if (keyword == "maxItems")
      return value.is_array() && value.size() > rule.get<std::size_t>() ? path + ": too long" : "";
    if (keyword == "minItems")
      return value.is_array() && value.size() < rule.get<std::size_t>() ? path + ": too short" : "";
    if (keyword == "minLength")
      return value.is_string() && value.get<std::string>().size() < rule.get<std::size_t>() ? path + ": too short" : "";
    if (keyword == "anyOf") return check_any(rule, value, path);
    if (keyword == "not") return check(rule, value, path).empty() ? path + ": must not fit " + rule.dump() : "";
    if (keyword == "propertyNames") {
      if (!value.is_object()) return {};
      for (const auto& [name, member] : value.items())
        if (auto problem = check(rule, name, path + "." + name); !problem.empty()) return problem;
      return {};
    }
    if (keyword == "allOf") {
      for (const Json& part : rule)
        if (auto problem = check(part, value, path); !problem.empty()) return problem;
      return {};
    }
    if (keyword == "items") return check_items(rule, value, path);
    if (keyword == "required" || keyword == "properties" || keyword == "additionalProperties") {
      return check_members(schema, keyword, rule, value, path);
    }
    throw std::logic_error("unknown schema keyword " + keyword);
  }

  std::string check_ref(const Json& rule, const Json& value, const std::string& path) const {
    const auto name = rule.get<std::string>();
    return check(schema_[definitions_].at(name.substr(name.rfind('/') + 1)), value, path);
  }

  static std::string check_type(const Json& rule, const Json& value, const std::string& path) {
    for (const Json& type : rule.is_array() ? rule : Json::array({rule})) {
      if (has_type(value, type.get<std::string>())) return {};
    }
    return path + ": must be " + rule.dump() + ", is " + value.dump().substr(0, 80);
  }

  std::string check_any(const Json& rule, const Json& value, const std::string& path) const {
    std::string problems;
    for (const Json& choice : rule) {
      const auto problem = check(choice, value, path);
      if (problem.empty()) return {};
      problems += "\n  | " + problem;
    }
    return path + ": fits none of" + problems;
  }

  std::string check_items(const Json& rule, const Json& value, const std::string& path) const {
    if (!value.is_array()) return {};
    for (std::size_t i = 0; i < value.size(); ++i) {
      auto problem = check(rule, value[i], path + "[" + std::to_string(i) + "]");
      if (!problem.empty()) return problem;
    }
    return {};
  }

  std::string check_members(const Json& schema, const std::string& keyword, const Json& rule, const Json& value,
                            const std::string& path) const {
    if (!value.is_object()) return {};
    if (keyword == "required") {
      for (const Json& name : rule) {
        if (!value.contains(name.get<std::string>())) return path + ": lacks " + name.get<std::string>();
      }
      return {};
    }
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [name, member] : value.items()) {
      const bool known = properties.contains(name);
      if (keyword == "properties" && known) {
        if (auto problem = check(rule[name], member, path + "." + name); !problem.empty()) return problem;
      }
      if (keyword == "additionalProperties" && !known) {
        if (auto problem = check(rule, member, path + "." + name); !problem.empty()) return problem;
      }
    }
    return {};
  }

  Json schema_;
  std::string definitions_;
};

const Validator& validator_of(Revision revision) {
  static std::mutex mutex;
  static std::map<Revision, Validator> all;
  const std::lock_guard lock(mutex);
  const auto found = all.find(revision);
  if (found != all.end()) return found->second;
  std::ifstream file(std::string(BRIDLE_SOURCE_DIR "/tests/schemas/") + std::string(to_string(revision)) + ".json");
  return all.emplace(revision, Validator(Json::parse(file))).first->second;
}

// io.modelcontextprotocol/tasks has a schema of its own.
const Validator& validator_of_tasks() {
  static const Validator tasks = [] {
    std::ifstream file(BRIDLE_SOURCE_DIR "/tests/schemas/ext-tasks.json");
    return Validator(Json::parse(file));
  }();
  return tasks;
}

const char* result_name(const std::string& method) {
  static const std::map<std::string, const char*> kNames = {{"initialize", "InitializeResult"},
                                                            {"tools/list", "ListToolsResult"},
                                                            {"tools/call", "CallToolResult"},
                                                            {"server/discover", "DiscoverResult"},
                                                            {"subscriptions/listen", "SubscriptionsListenResult"},
                                                            {"resources/list", "ListResourcesResult"},
                                                            {"resources/read", "ReadResourceResult"},
                                                            {"resources/templates/list", "ListResourceTemplatesResult"},
                                                            {"prompts/list", "ListPromptsResult"},
                                                            {"prompts/get", "GetPromptResult"},
                                                            {"completion/complete", "CompleteResult"}};
  const auto found = kNames.find(method);
  return found == kNames.end() ? "EmptyResult" : found->second;
}

const char* message_name(const std::string& method) {
  static const std::map<std::string, const char*> kNames = {
      {"notifications/progress", "ProgressNotification"},
      {"notifications/message", "LoggingMessageNotification"},
      {"notifications/cancelled", "CancelledNotification"},
      {"elicitation/create", "ElicitRequest"},
      {"sampling/createMessage", "CreateMessageRequest"},
      {"roots/list", "ListRootsRequest"},
      {"notifications/subscriptions/acknowledged", "SubscriptionsAcknowledgedNotification"},
      {"notifications/tools/list_changed", "ToolListChangedNotification"},
      {"notifications/prompts/list_changed", "PromptListChangedNotification"},
      {"notifications/resources/list_changed", "ResourceListChangedNotification"},
      {"notifications/resources/updated", "ResourceUpdatedNotification"}};
  const auto found = kNames.find(method);
  return found == kNames.end() ? nullptr : found->second;
}

std::string check_response(const Validator& validator, Revision revision, const std::string& method,
                           const Json& message) {
  if (message.contains("error")) {
    // Before 2025-11-25 the schemas have no error without an id, though the texts speak of it.
    const auto& errors = message.contains("id") ? validator : validator_of(Revision::v2025_11_25);
    return errors.check(errors.has("JSONRPCErrorResponse") ? "JSONRPCErrorResponse" : "JSONRPCError", message);
  }
  const char* envelope = validator.has("JSONRPCResultResponse") ? "JSONRPCResultResponse" : "JSONRPCResponse";
  if (auto problem = validator.check(envelope, message); !problem.empty()) return problem;
  const Json& result = message["result"];
  if (is_modern(revision) && result.value("resultType", "") == "input_required") {
    return validator.check("InputRequiredResult", result);
  }
  if (is_modern(revision) && result.value("resultType", "") == "task") {
    return validator_of_tasks().check("CreateTaskResult", result);
  }
  if (method == "tasks/get") {
    if (result.contains("result")) {
      if (auto problem = validator.check("CallToolResult", result["result"]); !problem.empty()) return problem;
    }
    return validator_of_tasks().check("GetTaskResult", result);
  }
  if (method == "tasks/update") return validator_of_tasks().check("UpdateTaskResult", result);
  if (method == "tasks/cancel") return validator_of_tasks().check("CancelTaskResult", result);
  if (method == "?") return {};  // the caller doesn't know
  return validator.check(result_name(method), result);
}

}  // namespace

std::string check_message(Revision revision, const std::string& method, const Json& message) {
  const Validator& validator = validator_of(revision);
  if (!message.is_object()) return "a message is no object: " + message.dump().substr(0, 100);
  if (!message.contains("method")) return check_response(validator, revision, method, message);
  const char* envelope = message.contains("id") ? "JSONRPCRequest" : "JSONRPCNotification";
  if (auto problem = validator.check(envelope, message); !problem.empty()) return problem;
  const char* name = message_name(message["method"].get<std::string>());
  if (name == nullptr) return "an unexpected message: " + message.dump();
  return validator.check(name, message);
}

}  // namespace bridle::wire
