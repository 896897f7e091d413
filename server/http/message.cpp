#include "base/limits.h"
#include "server/http/head.h"
#include "server/http/server.h"

namespace bridle {
namespace {

HttpReply reply_with(int status, const char* type, std::string body) {
  HttpReply reply;
  reply.status = status;
  reply.headers.emplace_back("Content-Type", type);
  reply.body = std::move(body);
  return reply;
}

}  // namespace

HttpServerOptions::HttpServerOptions()
    : max_head_bytes(limits::kHeadBytes),
      max_target_bytes(limits::kTargetBytes),
      max_body_bytes(limits::kBodyBytes),
      max_connections(limits::kConnections),
      head_time(limits::kHeadTime),
      body_time(limits::kBodyTime),
      idle_time(limits::kIdleConnection),
      write_time(limits::kWriteTime) {}

HttpReply HttpReply::json(int status, std::string body) {
  return reply_with(status, "application/json", std::move(body));
}

HttpReply HttpReply::text(int status, std::string body) {
  return reply_with(status, "text/plain; charset=utf-8", std::move(body));
}

HttpReply HttpReply::empty(int status) {
  HttpReply reply;
  reply.status = status;
  return reply;
}

const std::string* HttpRequest::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (equals_ignoring_case(key, name)) return &value;
  }
  return nullptr;
}

std::vector<std::string> HttpRequest::header_values(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : headers) {
    if (equals_ignoring_case(key, name)) values.push_back(value);
  }
  return values;
}

std::string HttpRequest::query_param(std::string_view name) const {
  std::string_view rest = query;
  while (!rest.empty()) {
    const auto end = rest.find('&');
    const auto pair = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const auto equals = pair.find('=');
    if (percent_decode(pair.substr(0, equals), true) != name) continue;
    const auto value = equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
    return percent_decode(value, true).value_or("");
  }
  return {};
}

}  // namespace bridle
