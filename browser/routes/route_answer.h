#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/json.h"

namespace bridle {

// What becomes of a held request: a command of CDP's Fetch domain, without its requestId.
struct RouteAnswer {
  std::string method{};
  Json params{};
};

using RouteHeaders = std::vector<std::pair<std::string, std::string>>;

// A header of a request (Network.Request), whatever the case of its name; "" without.
std::string request_header(const Json& request, std::string_view name);
// Whether the browser asks for a page's permission to send a request to another origin (CORS).
bool is_preflight(const Json& request);

// Fetch.fulfillRequest. A page of another origin may read what it is answered, unless the reply says for itself who
// may: a mock is there to be read.
RouteAnswer fulfilled(const Json& request, int status, RouteHeaders headers, std::string_view body);
// The answer to a preflight that lets the request through.
RouteAnswer preflight_allowed(const Json& request);
RouteAnswer failed(const std::string& error_reason);

}  // namespace bridle
