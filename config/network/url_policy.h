#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/network/origin_rules.h"

namespace bridle {

// Which URLs may be opened [nav.policy.schemes]. A value type; read-only once set up.
class UrlPolicy {
 public:
  bool allow_file_access = false;
  std::function<std::vector<int>()> own_ports{};  // of bridle itself [security.own-ports]; may be empty
  OriginRules origins{};                          // also enforced on what pages fetch: browser/tab/request_filter.h

  // The URL to navigate to: completed (`example.com` is https, `localhost:3000` http). Throws ToolError, saying what
  // to do instead, for a URL that may not or can't be opened.
  std::string check(std::string_view url) const;
  // Why a URL can't be opened whose port is bridle's own; "" if it isn't.
  std::string own_port_reason(std::string_view url) const;
};

}  // namespace bridle
