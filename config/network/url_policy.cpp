#include "config/network/url_policy.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/errors.h"
#include "base/limits.h"
#include "base/text/codecs.h"
#include "base/text/log.h"
#include "base/text/secrets.h"
#include "base/text/text.h"

namespace bridle {
namespace {

struct RefusedScheme {
  std::string_view scheme;
  std::string_view instead;
};

constexpr std::array kRefused{
    RefusedScheme{"chrome", "browser pages can't be driven; navigate to a web page"},
    RefusedScheme{"devtools", "browser pages can't be driven; navigate to a web page"},
    RefusedScheme{"chrome-extension", "extension pages can't be driven; navigate to a web page"},
    RefusedScheme{"view-source",
                  "navigate to the page itself and read it with browser_evaluate (document.documentElement.outerHTML)"},
    RefusedScheme{"javascript", "run the script with browser_evaluate"},
    RefusedScheme{"mailto", "it opens a mail program, not a page"},
    RefusedScheme{"tel", "it opens a phone program, not a page"},
    RefusedScheme{"blob", "a blob: URL lives only in the page that made it; click what opens it there"},
    RefusedScheme{"about", "of the about: pages only about:blank can be opened"},
};

bool is_known_scheme(std::string_view scheme) {
  return scheme == "http" || scheme == "https" || scheme == "data" || scheme == "file" ||
         std::any_of(kRefused.begin(), kRefused.end(),
                     [&](const RefusedScheme& refused) { return refused.scheme == scheme; });
}

// The scheme of `url`; "" when it has none. `localhost:3000` and `example.com:8080` have none; `javascript:1` has.
std::string scheme_of(std::string_view url) {
  const auto colon = url.find(':');
  if (colon == std::string_view::npos || colon == 0 || !std::isalpha(static_cast<unsigned char>(url[0]))) return {};
  for (const char c : url.substr(0, colon)) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '+' && c != '-' && c != '.') return {};
  }
  const auto rest = url.substr(colon + 1);
  const auto port_end = rest.find_first_of("/?#");
  const auto port = rest.substr(0, port_end);
  const bool is_port = !port.empty() && port.size() <= 5 &&
                       std::all_of(port.begin(), port.end(), [](unsigned char c) { return std::isdigit(c); });
  auto scheme = lower(url.substr(0, colon));
  return is_port && !is_known_scheme(scheme) ? std::string() : scheme;
}

bool is_loopback_host(std::string_view authority) {
  const auto host =
      lower(authority.substr(0, authority.starts_with('[') ? authority.find(']') + 1 : authority.find(':')));
  return host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.") || host == "[::1]" ||
         host == "0.0.0.0";
}

std::string quoted(std::string_view url) { return "\"" + loggable(url, 120) + "\""; }

std::string allowed_url(const UrlPolicy& policy, std::string url) {
  if (const auto why = policy.own_port_reason(url); !why.empty()) {
    throw ToolError(quoted(std::string_view(url)) + " can't be opened: " + why + ". Nothing was sent.");
  }
  if (const auto why = policy.origins.reason(url); !why.empty()) {
    throw ToolError(quoted(std::string_view(url)) + " is blocked: " + why +
                    ". Nothing was sent. Only whoever started the server can change that.");
  }
  return url;
}

}  // namespace

std::string UrlPolicy::own_port_reason(std::string_view url) const {
  const auto ports = own_ports ? own_ports() : std::vector<int>();
  const auto place = authority_of(url);
  const auto colon = place.rfind(':');
  if (ports.empty() || colon == std::string::npos) return {};
  const auto port = place.substr(colon + 1);
  const bool own = std::any_of(ports.begin(), ports.end(), [&](int one) { return std::to_string(one) == port; });
  // Of the ports that all the web uses only this machine's are closed.
  if (!own || ((port == "80" || port == "443") && !names_this_machine(place.substr(0, colon)))) return {};
  return "port " + port +
         " is bridle's own, which no page may reach; start bridle with another --port to open a site there";
}

std::string UrlPolicy::check(std::string_view given) const {
  const auto url = trimmed(given, " \t\r\n");
  if (url.empty()) throw ToolError("url is empty: give an absolute URL such as https://example.com/.");
  if (percent_decode_leniently(url).find(kHidden) != std::string::npos) {
    throw ToolError(std::string("url has \"") + kHidden +
                    "\" in it, which stands where a secret isn't told. Give its real value, or click the link that has "
                    "it [tool.secrets].");
  }
  if (url.size() > limits::kUrlLength) {
    throw ToolError("url is " + std::to_string(url.size()) + " characters long; at most " +
                    std::to_string(limits::kUrlLength) + " are allowed.");
  }
  if (std::any_of(url.begin(), url.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; })) {
    throw ToolError("url holds control characters: give one absolute URL on one line.");
  }
  const auto scheme = scheme_of(url);
  if (scheme == "http" || scheme == "https") {
    const auto rest = url.substr(scheme.size() + 1);
    if (!rest.starts_with("//") || rest.size() == 2 || rest[2] == '/' || rest[2] == '?' || rest[2] == '#') {
      throw ToolError(quoted(url) + " names no host: give an absolute URL such as https://example.com/path.");
    }
    return allowed_url(*this, std::string(url));
  }
  if (scheme == "data") return std::string(url);
  if (scheme == "about" && lower(url) == "about:blank") return "about:blank";
  if (scheme == "file") {
    if (allow_file_access) return std::string(url);
    throw ToolError(
        "file: URLs are not allowed: start the server with --allow-file-access, or serve the files over http.");
  }
  for (const auto& refused : kRefused) {
    if (refused.scheme == scheme) {
      throw ToolError("URLs with " + std::string(scheme) + ": can't be opened: " + std::string(refused.instead) + ".");
    }
  }
  if (!scheme.empty()) {
    throw ToolError("The scheme " + loggable(scheme, 40) + ": is not supported: use http, https, data or about:blank.");
  }
  if (url[0] == '/' || url[0] == '.' || url[0] == '?' || url[0] == '#') {
    throw ToolError(quoted(url) + " is a relative URL: give an absolute one, such as https://example.com" +
                    (url[0] == '/' ? std::string(url.substr(0, 60)) : "/path") + ".");
  }
  const auto authority = url.substr(0, url.find_first_of("/?#"));
  const bool is_host = std::all_of(authority.begin(), authority.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '-' || c == ':' || c == '[' || c == ']' || c == '_' || c >= 0x80;
  });
  const bool plausible = authority.find('.') != std::string_view::npos || is_loopback_host(authority) ||
                         authority.find(':') != std::string_view::npos;
  if (!is_host || !plausible) {
    throw ToolError(quoted(url) + " is not an absolute URL: give one such as https://example.com/.");
  }
  return allowed_url(*this, (is_loopback_host(authority) ? "http://" : "https://") + std::string(url));
}

}  // namespace bridle
