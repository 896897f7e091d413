#include "server/mcp/jsonrpc.h"

#include <utility>

#include "base/text/log.h"

namespace bridle::jsonrpc {
namespace {

// What is too much about the text, or null. Counted before parsing, so that nothing recursive ever meets a hostile
// depth, and no hostile number of values is ever made: each value of an array or object stands behind a bracket or a
// comma.
const char* excess(std::string_view text) {
  std::size_t depth = 0;
  std::size_t values = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
        while (++i < text.size() && text[i] != '"') {
          if (text[i] == '\\') ++i;
        }
        break;
      case '[':
      case '{':
        if (++depth > kMaxDepth) return "nested too deeply";
        ++values;
        break;
      case ',':
        ++values;
        break;
      case ']':
      case '}':
        if (depth > 0) --depth;
        break;
      default:
        break;
    }
    if (values > kMaxValues) return "more than 100000 values";
  }
  return nullptr;
}

Message invalid(std::string id, std::string problem) {
  Message message;
  message.id = std::move(id);
  message.problem = std::move(problem);
  return message;
}

Message classify_call(const Json& value, Message message, bool has_id) {
  message.method = value["method"].get<std::string>();
  if (const auto params = value.find("params"); params != value.end()) {
    if (!params->is_object() && !params->is_array()) {
      return invalid(std::move(message.id), "params must be an object");
    }
    message.params = *params;
  }
  message.kind = has_id ? Message::Kind::request : Message::Kind::notification;
  return message;
}

Message classify_response(const Json& value, Message message) {
  const bool has_result = value.contains("result");
  const bool has_error = value.contains("error") && value["error"].is_object();
  if (has_result == has_error)
    return invalid(std::move(message.id), "neither a method nor exactly one of result and error");
  message.kind = Message::Kind::response;
  if (has_result) message.result = value["result"];
  if (has_error) message.error = value["error"];
  return message;
}

Message classify(const Json& value) {
  if (!value.is_object()) return invalid({}, "a message must be a JSON object");
  Message message;
  const auto id = value.find("id");
  const bool has_id = id != value.end();
  if (has_id) message.id = id_text(*id);
  const auto version = value.find("jsonrpc");
  if (version == value.end() || *version != "2.0") return invalid(std::move(message.id), "jsonrpc must be \"2.0\"");
  const auto method = value.find("method");
  if (has_id && message.id.empty() && (method != value.end() || !id->is_null())) {
    return invalid({}, "id must be a string of moderate length or an integer");
  }
  if (method == value.end()) return classify_response(value, std::move(message));
  if (!method->is_string()) return invalid(std::move(message.id), "method must be a string");
  return classify_call(value, std::move(message), has_id);
}

}  // namespace

Json parse_bounded(std::string_view text, std::string& problem) {
  if (const char* const much = excess(text)) {
    problem = std::string("Parse error: ") + much;
    return Json::value_t::discarded;
  }
  Json value = Json::parse(text.begin(), text.end(), nullptr, false);
  if (value.is_discarded()) problem = "Parse error: not valid JSON in UTF-8";
  return value;
}

Parsed parse(std::string_view text) {
  Parsed parsed;
  const Json value = parse_bounded(text, parsed.problem);
  if (value.is_discarded()) return parsed;
  parsed.ok = true;
  parsed.batch = value.is_array();
  if (!parsed.batch) {
    parsed.messages.push_back(classify(value));
    return parsed;
  }
  for (const Json& item : value) parsed.messages.push_back(classify(item));
  return parsed;
}

std::string id_text(const Json& id) {
  if (!id.is_string() && !id.is_number_integer()) return {};
  std::string text = dump(id);
  return text.size() <= kMaxIdBytes ? text : std::string();
}

std::string json_string(std::string_view text) { return dump(Json(text)); }

std::string result(std::string_view id, std::string_view result_text) {
  std::string out;
  out.reserve(result_text.size() + id.size() + 40);
  out.append(R"({"jsonrpc":"2.0","id":)").append(id).append(R"(,"result":)").append(result_text).append("}");
  return out;
}

std::string error(std::string_view id, int code, std::string_view message, const Json& data) {
  std::string out = R"({"jsonrpc":"2.0",)";
  if (!id.empty()) out.append(R"("id":)").append(id).append(",");
  out.append(R"("error":{"code":)").append(std::to_string(code)).append(R"(,"message":)").append(json_string(message));
  if (!data.is_null()) out.append(R"(,"data":)").append(dump(data));
  return out.append("}}");
}

std::string notification(std::string_view method, const Json& params) {
  std::string out = R"({"jsonrpc":"2.0","method":)";
  out.append(json_string(method));
  if (!params.is_null()) out.append(R"(,"params":)").append(dump(params));
  return out.append("}");
}

std::string request(std::string_view id, std::string_view method, const Json& params) {
  std::string out = R"({"jsonrpc":"2.0","id":)";
  out.append(id).append(R"(,"method":)").append(json_string(method));
  if (!params.is_null()) out.append(R"(,"params":)").append(dump(params));
  return out.append("}");
}

std::string shown(std::string_view name) { return loggable(name, 80); }

}  // namespace bridle::jsonrpc
