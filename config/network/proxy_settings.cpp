#include "config/network/proxy_settings.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "base/text/codecs.h"
#include "base/text/text.h"
#include "config/network/origin_rules.h"

namespace bridle {
namespace {

constexpr const char* kExamples =
    "write http://HOST:PORT or socks5://HOST:PORT, with USER:PASSWORD@ before HOST if it needs them";

bool read_port(std::string_view digits, int& port) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  return error == std::errc() && end == digits.data() + digits.size() && port > 0 && port <= 65535;
}

// Whether `text` fits `pattern`, in which * stands for any characters.
bool matches(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() != '*') {
    return !text.empty() && text.front() == pattern.front() && matches(text.substr(1), pattern.substr(1));
  }
  for (std::size_t skipped = 0; skipped <= text.size(); ++skipped) {
    if (matches(text.substr(skipped), pattern.substr(1))) return true;
  }
  return false;
}

std::string_view without_brackets(std::string_view host) {
  return host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
}

// 10.0.0.0/8; nullopt when `item` is no such range.
std::optional<bool> in_range(std::string_view item, std::string_view host) {
  const auto slash = item.find('/');
  const auto network = NetworkAddress::parse(item.substr(0, slash));
  if (slash == std::string_view::npos || !network) return std::nullopt;
  int bits = 0;
  const auto digits = item.substr(slash + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  const auto address = NetworkAddress::parse(host);
  return address && bits > 0 && address->is_in(*network, bits);
}

bool item_covers(std::string_view item, std::string_view host, int port) {
  if (item == "<local>") return host.find('.') == std::string_view::npos && !NetworkAddress::parse(host);
  if (const auto scheme_end = item.find("://"); scheme_end != std::string_view::npos)
    item.remove_prefix(scheme_end + 3);
  if (const auto inside = in_range(item, host)) return *inside;
  const auto colon = item.rfind(':');
  const auto bracket = item.rfind(']');
  if (colon != std::string_view::npos &&
      (bracket == std::string_view::npos ? item.find(':') == colon : colon > bracket)) {
    int only = 0;
    if (!read_port(item.substr(colon + 1), only) || only != port) return false;
    item = item.substr(0, colon);
  }
  if (item.starts_with('.')) return host.ends_with(item) || host == item.substr(1);
  return matches(without_brackets(host), without_brackets(item));
}

}  // namespace

ProxyServer ProxyServer::parse(std::string_view text) {
  ProxyServer server;
  auto rest = trimmed(text);
  if (const auto scheme_end = rest.find("://"); scheme_end != std::string_view::npos) {
    const auto scheme = lower(rest.substr(0, scheme_end));
    if (scheme == "socks5" || scheme == "socks") {
      server.kind = Kind::socks5;
    } else if (scheme != "http") {
      throw std::invalid_argument("a proxy of the kind " + scheme + ": is not supported: " + kExamples);
    }
    rest.remove_prefix(scheme_end + 3);
  }
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
    auto credential = rest.substr(0, at);
    server.user = percent_decode_leniently(take_until(credential, ':'));
    server.password = percent_decode_leniently(credential);
    rest.remove_prefix(at + 1);
  }
  const auto colon = rest.find(':', rest.starts_with('[') ? std::min(rest.find(']'), rest.size()) : 0);
  server.host = lower(rest.substr(0, colon));
  server.port = server.kind == Kind::socks5 ? 1080 : 80;
  const bool has_host = !server.host.empty() && server.host.find_first_of("/?# \"'\\,;") == std::string::npos;
  if (!has_host || (colon != std::string_view::npos && !read_port(rest.substr(colon + 1), server.port))) {
    throw std::invalid_argument(std::string("it names no host and port: ") + kExamples);
  }
  return server;
}

std::string ProxyServer::without_credential() const {
  return (kind == Kind::socks5 ? "socks5://" : "http://") + host + ":" + std::to_string(port);
}

ProxyBypass::ProxyBypass(std::vector<std::string> items) : items_(std::move(items)) {
  for (auto& item : items_) item = lower(item);
}

bool ProxyBypass::covers(std::string_view host, int port) const {
  const bool with_loopback = std::find(items_.begin(), items_.end(), "<-loopback>") != items_.end();
  if (!with_loopback && names_this_machine(host)) return true;
  return std::any_of(items_.begin(), items_.end(), [&](const auto& item) { return item_covers(item, host, port); });
}

std::string ProxyBypass::text() const {
  std::string list;
  for (const auto& item : items_) list += (list.empty() ? "" : ";") + item;
  return list;
}

}  // namespace bridle
