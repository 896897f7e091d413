#include "browser/routes/route_answer.h"

#include <algorithm>

#include "base/text/codecs.h"
#include "base/text/text.h"
#include "config/network/origin_rules.h"

namespace bridle {
namespace {

Json entry(const std::string& name, const std::string& value) { return {{"name", name}, {"value", value}}; }

bool has_header(const RouteHeaders& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(),
                     [name](const auto& header) { return equals_ignoring_case(header.first, name); });
}

}  // namespace

std::string request_header(const Json& request, std::string_view name) {
  const auto headers = request.find("headers");
  if (headers == request.end() || !headers->is_object()) return {};
  for (const auto& [key, value] : headers->items()) {
    if (equals_ignoring_case(key, name) && value.is_string()) return value.get<std::string>();
  }
  return {};
}

bool is_preflight(const Json& request) {
  return request.value("method", "") == "OPTIONS" && !request_header(request, "access-control-request-method").empty();
}

RouteAnswer fulfilled(const Json& request, int status, RouteHeaders headers, std::string_view body) {
  const auto origin = request_header(request, "origin");
  if (!origin.empty() && origin != network_origin(request.value("url", "")) &&
      !has_header(headers, "access-control-allow-origin")) {
    headers.emplace_back("Access-Control-Allow-Origin", origin);
    headers.emplace_back("Access-Control-Allow-Credentials", "true");
    headers.emplace_back("Vary", "Origin");
  }
  Json list = Json::array();
  for (const auto& [name, value] : headers) list.push_back(entry(name, value));
  return {"Fetch.fulfillRequest",
          {{"responseCode", status}, {"responseHeaders", std::move(list)}, {"body", base64(body)}}};
}

RouteAnswer preflight_allowed(const Json& request) {
  RouteHeaders headers{{"Access-Control-Allow-Origin", request_header(request, "origin")},
                       {"Access-Control-Allow-Methods", request_header(request, "access-control-request-method")},
                       {"Access-Control-Allow-Credentials", "true"},
                       {"Vary", "Origin"}};
  const auto asked = request_header(request, "access-control-request-headers");
  if (!asked.empty()) headers.emplace_back("Access-Control-Allow-Headers", asked);
  return fulfilled(request, 204, std::move(headers), "");
}

RouteAnswer failed(const std::string& error_reason) { return {"Fetch.failRequest", {{"errorReason", error_reason}}}; }

}  // namespace bridle
