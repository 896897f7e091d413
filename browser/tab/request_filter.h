#pragma once

#include <optional>
#include <string>

#include "browser/cdp/connection.h"
#include "browser/routes/route_table.h"
#include "config/network/origin_rules.h"

namespace bridle {

// What the browser's proxy wants to be told before it serves (browser/proxy/forward_proxy.h).
struct ProxyCredential {
  std::string user{};
  std::string password{};
  bool empty() const { return user.empty(); }
};

// Enforces --allowed-origins and --blocked-origins at the network layer [nav.policy.origins]: the requests of a watched
// CDP session are held by the browser until their URLs were judged here, each hop of a redirect anew. What isn't held
// ends at the browser's proxy [security.egress], whose credential is given here as well. Stateless and thread-safe. A
// browser without lists, without such a proxy and without forms to judge has none, so that no request is held.
class RequestFilter {
 public:
  // Without rules and credential it holds navigations alone, for what their caller may object to. `holds_forms`: some
  // of its callers have such objections.
  explicit RequestFilter(OriginRules rules, ProxyCredential credential = {}, bool holds_forms = false)
      : rules_(std::move(rules)), credential_(std::move(credential)), holds_forms_(holds_forms) {}

  // Begins to hold the session's requests, and what the patterns of a RouteTable name beside them. Posted before the
  // target is resumed, so that no request is missed.
  void watch(const CdpSession& session, const Json& routed = Json::array()) const;
  // Whether the proxy can be left to refuse what is no document, once the browser has its credential.
  bool has_proxy() const { return !credential_.empty(); }
  // From now on documents alone are held: the rest is judged by the proxy [why.documents-held-alone]. They are held for
  // the whole browser, so their Fetch events come by its own session; where forms are held, by the tab's.
  void leave_to_proxy(const CdpSession& session, const Json& routed = Json::array()) const;
  // Of a session that is left to the proxy: what its documents of this moment fetch passes no interceptor of Chromium's
  // any more. Worth it for each new one that fetches much. Nothing happens where forms are held.
  void free_documents(const CdpSession& session) const;
  // Why the lists forbid a URL (OriginRules::reason), "" if they don't.
  std::string reason(std::string_view url) const { return rules_.reason(url); }

  struct Refused {
    std::string url{};
    std::string why{};       // OriginRules::reason
    std::string frame_id{};  // "" of a worker
    bool document = false;   // a navigation of that frame
    std::string request_id;  // of a navigation: its loader id
  };
  // Answers a Fetch.requestPaused or Fetch.authRequired; returns what it refused, if it did. On the reader thread. A
  // refused navigation of `main_frame` is aborted, which leaves the page as it is; everything else fails with
  // net::ERR_BLOCKED_BY_CLIENT [why.refused-navigation-aborted]. `objection`: why it is to be refused even if the lists
  // allow it. What isn't refused goes to `routes`, if there are any, before the network [tool.route.lists].
  std::optional<Refused> answer(const CdpSession& session, std::string_view method, const Json& params,
                                const std::string& main_frame, const std::string& objection = {},
                                RouteTable* routes = nullptr) const;
  // Whether the request posts a form: a navigation by POST.
  static bool posts_form(std::string_view method, const Json& params);

  static bool wants(std::string_view method) {
    return method == "Fetch.requestPaused" || method == "Fetch.authRequired";
  }

 private:
  enum class Held { all, documents, nothing };
  void hold(const CdpSession& session, Held held, const Json& routed = Json::array()) const;
  void answer_challenge(const CdpSession& session, const Json& params) const;

  const OriginRules rules_;
  const ProxyCredential credential_;
  const bool holds_forms_;
};

}  // namespace bridle
