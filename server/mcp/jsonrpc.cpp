#include "server/mcp/jsonrpc.h"

#include <utility>

#include "base/log.h"

namespace bridle::jsonrpc {
namespace {

// Brackets are counted before parsing, so that nothing recursive ever meets a hostile depth.
bool too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
      continue;
    }
    if (c == '"')
      in_string = true;
    else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
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

Parsed parse(std::string_view text) {
  Parsed parsed;
  if (too_deep(text)) {
    parsed.problem = "Parse error: nested too deeply";
    return parsed;
  }
  const Json value = Json::parse(text.begin(), text.end(), nullptr, false);
  if (value.is_discarded()) {
    parsed.problem = "Parse error: not valid JSON in UTF-8";
    return parsed;
  }
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
