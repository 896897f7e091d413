#include "server/transports/modern_headers.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/text/codecs.h"

namespace bridle {
namespace {

// One value of a header, decoded. nullopt with `problem` set when it is missing, doubled with another value, or
// malformed.
std::optional<std::string> single_value(const HttpRequest& http, const std::string& name, std::string& problem) {
  const auto values = http.header_values(name);
  if (values.empty()) {
    problem = "the header " + name + " is missing";
    return std::nullopt;
  }
  const bool same =
      std::all_of(values.begin(), values.end(), [&](const auto& value) { return value == values.front(); });
  auto decoded = same ? decode_header_value(values.front()) : std::nullopt;
  if (!decoded) problem = "the header " + name + " holds invalid characters, or several values";
  return decoded;
}

// The member of params that Mcp-Name mirrors.
const char* named_member(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  if (method == "resources/read") return "uri";
  if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel") return "taskId";
  return nullptr;
}

bool same_value(const Json& value, const std::string& header) {
  if (value.is_string()) return value.get_ref<const std::string&>() == header;
  if (value.is_boolean()) return header == (value.get<bool>() ? "true" : "false");
  if (!value.is_number()) return false;
  double number = 0;  // "integers compared numerically"
  const auto [end, error] = std::from_chars(header.data(), header.data() + header.size(), number);
  return error == std::errc() && end == header.data() + header.size() && number == value.get<double>();
}

}  // namespace

std::optional<std::string> decode_header_value(std::string_view value) {
  static constexpr std::string_view kPrefix = "=?base64?";
  static constexpr std::string_view kSuffix = "?=";
  const bool plain =
      std::all_of(value.begin(), value.end(), [](char c) { return (c >= 0x20 && c < 0x7F) || c == '\t'; });
  if (!plain) return std::nullopt;
  const bool encoded =
      value.size() >= kPrefix.size() + kSuffix.size() && value.starts_with(kPrefix) && value.ends_with(kSuffix);
  if (!encoded) return std::string(value);
  return from_base64(value.substr(kPrefix.size(), value.size() - kPrefix.size() - kSuffix.size()));
}

std::string check_method_header(const HttpRequest& http, const jsonrpc::Message& message) {
  for (const std::string& value : http.header_values("Mcp-Method")) {
    if (value != message.method) return "the header Mcp-Method is not the method of the request";
  }
  return {};
}

std::string check_required_headers(const HttpRequest& http, const jsonrpc::Message& message) {
  if (http.header("MCP-Protocol-Version") == nullptr) return "the header MCP-Protocol-Version is missing";
  if (http.header("Mcp-Method") == nullptr) return "the header Mcp-Method is missing";
  const char* member = named_member(message.method);
  if (member == nullptr) return {};
  const auto named = message.params.find(member);
  if (named == message.params.end() || !named->is_string()) return {};  // the method itself says what is wrong
  std::string problem;
  const auto value = single_value(http, "Mcp-Name", problem);
  if (!value) return problem;
  return *value == named->get_ref<const std::string&>() ? ""
                                                        : std::string("the header Mcp-Name is not params.") + member;
}

std::string check_param_headers(const HttpRequest& http, const Json& schema, const Json& arguments) {
  const auto properties = schema.find("properties");
  if (properties == schema.end() || !properties->is_object()) return {};
  for (const auto& [name, property] : properties->items()) {
    if (!property.is_object()) continue;
    const auto given = arguments.is_object() ? arguments.find(name) : arguments.end();
    const bool present = arguments.is_object() && given != arguments.end() && !given->is_null();
    if (const auto nested = property.find("properties"); nested != property.end()) {
      const std::string problem = check_param_headers(http, property, present ? *given : Json());
      if (!problem.empty()) return problem;
    }
    const auto mirrored = property.find("x-mcp-header");
    if (mirrored == property.end() || !mirrored->is_string()) continue;
    const std::string header = "Mcp-Param-" + mirrored->get<std::string>();
    if (!present) {
      // "null or absent: MUST NOT expect the header"; one that is there has nothing to match.
      if (http.header(header) != nullptr) return "the header " + header + " has no argument";
      continue;
    }
    std::string problem;
    const auto value = single_value(http, header, problem);
    if (!value) return problem;
    if (!same_value(*given, *value)) return "the header " + header + " is not the argument " + name;
  }
  return {};
}

}  // namespace bridle
