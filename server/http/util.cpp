#include "server/http/util.h"

#include <algorithm>
#include <cctype>

#include "server/mcp/jsonrpc.h"

namespace bridle {
namespace {

std::string_view next_item(std::string_view& rest, char separator) {
  const auto end = rest.find(separator);
  const std::string_view item = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return trimmed(item);
}

bool has_zero_weight(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string item = lower(next_item(parameters, ';'));
    if (item.starts_with("q=0") && item.find_first_not_of("0.", 2) == std::string::npos) return true;
  }
  return false;
}

}  // namespace

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Accepts parse_accept(const HttpRequest& request) {
  Accepts accepts;
  const auto values = request.header_values("Accept");
  if (values.empty()) return {.json = true, .sse = true};
  for (const std::string& value : values) {
    std::string_view rest = value;
    while (!rest.empty()) {
      std::string_view item = next_item(rest, ',');
      const std::string type = lower(next_item(item, ';'));
      if (has_zero_weight(item)) continue;
      if (type == "*/*" || type == "application/*" || type == "application/json") accepts.json = true;
      if (type == "*/*" || type == "text/*" || type == "text/event-stream") accepts.sse = true;
    }
  }
  return accepts;
}

bool has_json_body(const HttpRequest& request) {
  const std::string* type = request.header("Content-Type");
  if (type == nullptr) return false;
  std::string_view rest = *type;
  return lower(next_item(rest, ';')) == "application/json";
}

bool has_encoded_body(const HttpRequest& request) {
  const std::string* encoding = request.header("Content-Encoding");
  return encoding != nullptr && !encoding->empty() && lower(*encoding) != "identity";
}

HttpReply rpc_refusal(int status, int code, std::string_view words, std::string_view id) {
  return HttpReply::json(status, jsonrpc::error(id, code, words));
}

HttpReply method_not_allowed(std::string_view allow) {
  HttpReply reply = rpc_refusal(405, jsonrpc::kInvalidRequest, "Method not allowed; use " + std::string(allow));
  reply.headers.emplace_back("Allow", allow);
  return reply;
}

}  // namespace bridle
