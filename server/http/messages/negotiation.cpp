#include "server/http/messages/negotiation.h"

#include "base/text/text.h"

namespace bridle {
namespace {

bool has_zero_weight(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string item = lower(trimmed(take_until(parameters, ';')));
    if (item.starts_with("q=0") && item.find_first_not_of("0.", 2) == std::string::npos) return true;
  }
  return false;
}

// Calls `take` with each media type of an Accept header that isn't ruled out, in lower case.
template <typename Take>
void for_each_type(const std::vector<std::string>& values, Take take) {
  for (const std::string& value : values) {
    std::string_view rest = value;
    while (!rest.empty()) {
      std::string_view item = take_until(rest, ',');
      const std::string type = lower(trimmed(take_until(item, ';')));
      if (!has_zero_weight(item)) take(std::string_view(type));
    }
  }
}

}  // namespace

Accepts parse_accept(const HttpRequest& request) {
  Accepts accepts;
  const auto values = request.header_values("Accept");
  if (values.empty()) return {.json = true, .sse = true};
  for_each_type(values, [&accepts](std::string_view type) {
    if (type == "*/*" || type == "application/*" || type == "application/json") accepts.json = true;
    if (type == "*/*" || type == "text/*" || type == "text/event-stream") accepts.sse = true;
  });
  return accepts;
}

bool asks_for_events(const HttpRequest& request) {
  bool asks = false;
  for_each_type(request.header_values("Accept"),
                [&asks](std::string_view type) { asks = asks || type == "text/event-stream"; });
  return asks;
}

bool has_json_body(const HttpRequest& request) {
  const std::string* type = request.header("Content-Type");
  if (type == nullptr) return false;
  std::string_view rest = *type;
  return lower(trimmed(take_until(rest, ';'))) == "application/json";
}

bool has_encoded_body(const HttpRequest& request) {
  const std::string* encoding = request.header("Content-Encoding");
  return encoding != nullptr && !encoding->empty() && lower(*encoding) != "identity";
}

}  // namespace bridle
