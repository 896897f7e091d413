#include "server/http/messages/message.h"

#include "base/text/codecs.h"
#include "base/text/text.h"

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

const std::string& HttpReply::always_text() {
  static const std::string kText = [] {
    std::string lines;
    for (const auto& [name, value] : kAlways) lines.append(name).append(": ").append(value).append("\r\n");
    return lines;
  }();
  return kText;
}

void HttpRequest::drop_body() {
  std::string().swap(body);
  body_room.reset();
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
    auto value = take_until(rest, '&');
    const auto key = take_until(value, '=');
    if (percent_decode(key, true) == name) return percent_decode(value, true).value_or("");
  }
  return {};
}

}  // namespace bridle
