#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bridle {

// The origin of a URL as a browser sees it: scheme, host and port in lower case, default ports and a host's last dot
// left out; ws and wss count as http and https. "" for what has no origin of that kind: data:, about:, blob:, relative
// URLs, hosts in a form that a browser would rewrite (not ASCII, percent escapes).
std::string network_origin(std::string_view url);

// host:port of a URL that has such an origin, with the default port where it names none; "" for others.
std::string authority_of(std::string_view url);

// Whether a host, as network_origin() writes it, is this machine under whichever name: localhost and its subdomains, a
// loopback address, the unspecified one, in whatever notation.
bool names_this_machine(std::string_view host);

// --allowed-origins and --blocked-origins [nav.policy.origins]: what the browser may fetch, from whatever page
// and by whatever way. A value type; read-only once set up.
class OriginRules {
 public:
  OriginRules() = default;
  // Items are plain origins, such as https://example.com or http://localhost:3000, or hosts, such as example.com or
  // localhost:3000, which stand for http and https; the port * is any (http://localhost:*); a semicolon may separate
  // several in one. Throws std::invalid_argument with what is wrong and what to write instead.
  OriginRules(const std::vector<std::string>& allowed, const std::vector<std::string>& blocked);

  // No list was given: everything is allowed, and nothing needs to be watched.
  bool empty() const { return !has_allowed_ && blocked_.empty(); }
  // URLs without an origin (data:, about:blank, blob:) reach no host and are allowed. An origin that is in both lists
  // is blocked, and a blocked origin of this machine is blocked under all of its names: localhost, 127.0.0.1, [::1].
  bool allows(std::string_view url) const;
  const std::vector<std::string>& blocked() const { return blocked_; }
  // Why a URL isn't allowed, as the end of a sentence: "it is in --blocked-origins".
  std::string reason(std::string_view url) const;

 private:
  // The item of --blocked-origins that forbids `origin`; null if none does.
  const std::string* blocker_of(const std::string& origin) const;

  bool has_allowed_ = false;
  std::vector<std::string> allowed_{};
  std::vector<std::string> blocked_{};
};

// The only origins on whose documents something may be done: typing a secret [tool.secrets.origins], acting in a run
// [agent.run.origins]. A value type; read-only once set up.
struct OriginList {
  // Items as OriginRules takes them. Throws std::invalid_argument as it does.
  explicit OriginList(std::vector<std::string> items) : listed(std::move(items)), rules(listed, {}) {}

  // Whether a document of that security origin is meant. One without an origin of its own (sandboxed, data:) never is.
  bool holds(std::string_view origin) const { return !network_origin(origin).empty() && rules.allows(origin); }

  std::vector<std::string> listed;  // as they were given
  OriginRules rules;
};

}  // namespace bridle
