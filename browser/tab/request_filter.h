#pragma once

#include <optional>
#include <string>

#include "browser/cdp/connection.h"
#include "config/origin_rules.h"

namespace bridle {

// Enforces --allowed-origins and --blocked-origins at the network layer [nav.policy.origins]: every request of a
// watched CDP session is held by the browser until its URL was judged here, each hop of a redirect anew. Stateless and
// thread-safe. Each browser has one if a list was given, and none otherwise, so that no request is held then.
class RequestFilter {
 public:
  explicit RequestFilter(OriginRules rules) : rules_(std::move(rules)) {}

  // Begins to hold the session's requests. Posted before the target is resumed, so that no request is missed.
  void watch(const CdpSession& session) const;

  struct Refused {
    std::string url{};
    std::string why{};       // OriginRules::reason
    std::string frame_id{};  // "" of a worker
    bool document = false;   // a navigation of that frame
    std::string request_id;  // of a navigation: its loader id
  };
  // Answers a Fetch.requestPaused; returns what it refused, if it did. On the reader thread. A refused navigation of
  // `main_frame` is aborted, which leaves the page as it is; everything else fails with net::ERR_BLOCKED_BY_CLIENT
  // [why.refused-navigation-aborted].
  std::optional<Refused> answer(const CdpSession& session, const Json& params, const std::string& main_frame) const;

  static bool wants(std::string_view method) { return method == "Fetch.requestPaused"; }

 private:
  const OriginRules rules_;
};

}  // namespace bridle
