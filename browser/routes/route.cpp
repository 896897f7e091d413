#include "browser/routes/route.h"

#include <algorithm>

#include "base/text/text.h"

namespace bridle {
namespace {

struct ErrorName {
  const char* name;
  const char* reason;
};
constexpr ErrorName kErrors[] = {{"aborted", "Aborted"},
                                 {"accessdenied", "AccessDenied"},
                                 {"addressunreachable", "AddressUnreachable"},
                                 {"blockedbyclient", "BlockedByClient"},
                                 {"blockedbyresponse", "BlockedByResponse"},
                                 {"connectionaborted", "ConnectionAborted"},
                                 {"connectionclosed", "ConnectionClosed"},
                                 {"connectionfailed", "ConnectionFailed"},
                                 {"connectionrefused", "ConnectionRefused"},
                                 {"connectionreset", "ConnectionReset"},
                                 {"failed", "Failed"},
                                 {"internetdisconnected", "InternetDisconnected"},
                                 {"namenotresolved", "NameNotResolved"},
                                 {"timedout", "TimedOut"}};

}  // namespace

std::string error_reason(std::string_view name) {
  for (const auto& row : kErrors) {
    if (name == row.name) return row.reason;
  }
  return {};
}

std::string error_names() {
  std::string names;
  for (const auto& row : kErrors) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

bool Route::takes(const Json& request) const {
  if (!method.empty()) {
    const auto asked =
        is_preflight(request) ? request_header(request, "access-control-request-method") : request.value("method", "");
    if (asked != method) return false;
  }
  return glob.matches(request.value("url", ""));
}

RouteAnswer Route::answer(const Json& request) const {
  const bool changes = !added.empty() || !removed.empty();
  if (is_preflight(request)) {
    if (reply || replay || !error.empty()) return preflight_allowed(request);
    return {"Fetch.continueRequest", Json::object()};
  }
  if (!error.empty()) return failed(error);
  if (replay) return replay->answer(request).value_or(failed("Failed"));
  if (reply) return fulfilled(request, reply->status, reply->headers, reply->body);
  Json params = Json::object();
  if (changes) {
    Json& list = params["headers"] = Json::array();
    const auto headers = request.value("headers", Json::object());
    for (const auto& entry : headers.items()) {
      const auto& name = entry.key();
      const auto& value = entry.value();
      const bool gone = std::find(removed.begin(), removed.end(), lower(name)) != removed.end();
      if (!gone && !std::any_of(added.begin(), added.end(),
                                [&](const auto& header) { return equals_ignoring_case(header.first, name); }))
        list.push_back({{"name", name}, {"value", value}});
    }
    for (const auto& [name, value] : added) list.push_back({{"name", name}, {"value", value}});
  }
  return {"Fetch.continueRequest", std::move(params)};
}

std::size_t Route::size() const {
  constexpr std::size_t kItself = 1024;
  return kItself + pattern.size() * 64 + (reply ? reply->body.size() : 0) + (replay ? replay->size() : 0);
}

}  // namespace bridle
