#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/deadline.h"
#include "base/text/json.h"
#include "browser/routes/har_replay.h"
#include "browser/routes/route_answer.h"
#include "browser/routes/url_glob.h"

namespace bridle {

// One route: which requests it takes, and what becomes of them. A value type, read-only once it is in a table.
struct Route {
  explicit Route(const std::string& which) : pattern(which), glob(which) {}

  std::string pattern;  // as it was given
  UrlGlob glob;
  std::string method{};  // the requests' own; "" any
  // One of these; none: the request goes on, changed or only later.
  struct Reply {
    int status = 200;
    RouteHeaders headers{};
    std::string body{};
  };
  std::optional<Reply> reply{};
  std::shared_ptr<const HarReplay> replay{};  // what the file hasn't fails
  std::string error{};                        // a Network.ErrorReason
  RouteHeaders added{};                       // to the request
  std::vector<std::string> removed{};         // of the request's headers, in lower case
  Millis delay{0};
  long times = 0;       // how many requests it takes; 0: all
  std::string words{};  // what it does, for lists

  // Whether it takes a request (Network.Request); of a CORS preflight, the request that is to follow.
  bool takes(const Json& request) const;
  // What becomes of one that it takes.
  RouteAnswer answer(const Json& request) const;
  // Of memory, about.
  std::size_t size() const;
};

// The CDP name of an error that Playwright names so; "" for none of those.
std::string error_reason(std::string_view name);
std::string error_names();  // "aborted, accessdenied, ..."

}  // namespace bridle
