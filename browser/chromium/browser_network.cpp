#include "browser/chromium/browser_network.h"

namespace bridle {
namespace {

constexpr int kHttpPort = 80;
constexpr int kHttpsPort = 443;

// Names that don't resolve can't be connected to, whichever way a page tries: bridle's own servers are for its clients
// [security.own-ports]. A port of their own is closed on every host, so that no name of this machine is forgotten. Of
// the ports that all the web uses only this machine's are.
std::string resolver_rules(const std::vector<int>& own_ports) {
  std::string rules;
  const auto close = [&](const std::string& pattern) {
    rules += (rules.empty() ? "MAP " : ",MAP ") + pattern + " ~NOTFOUND";
  };
  for (const int port : own_ports) {
    const auto suffix = ":" + std::to_string(port);
    if (port != kHttpPort && port != kHttpsPort) {
      close("*" + suffix);
      continue;
    }
    for (const char* host : {"localhost", "*.localhost", "127.*", "0.0.0.0", "[::1]", "[::]", "[::ffff:7f*"}) {
      close(host + suffix);
    }
  }
  return rules;
}

}  // namespace

bool needs_forward_proxy(const LaunchOptions& options) {
  return !options.origins.empty() || options.block_private_networks || (options.proxy && !options.proxy->user.empty());
}

std::unique_ptr<const ForwardProxy> make_forward_proxy(const LaunchOptions& options) {
  if (!needs_forward_proxy(options)) return nullptr;
  return std::make_unique<const ForwardProxy>(
      ForwardProxy::Rules{.origins = options.origins,
                          .block_private_networks = options.block_private_networks,
                          .own_ports = options.own_ports ? options.own_ports() : std::vector<int>(),
                          .upstream = options.proxy,
                          .bypass = options.proxy_bypass});
}

std::shared_ptr<const RequestFilter> make_request_filter(const LaunchOptions& options, const ForwardProxy* proxy) {
  if (options.origins.empty() && !options.holds_forms && proxy == nullptr) return nullptr;
  ProxyCredential credential;
  if (proxy != nullptr) credential = {proxy->user(), proxy->password()};
  return std::make_shared<const RequestFilter>(options.origins, std::move(credential), options.holds_forms);
}

std::vector<std::string> network_flags(const LaunchOptions& options, int forward_proxy) {
  std::vector<std::string> flags;
  if (forward_proxy != 0) {
    // WebRTC's UDP passes no proxy.
    return {"--proxy-server=http://127.0.0.1:" + std::to_string(forward_proxy), "--proxy-bypass-list=<-loopback>",
            "--webrtc-ip-handling-policy=disable_non_proxied_udp"};
  }
  if (options.proxy) {
    flags.push_back("--proxy-server=" + options.proxy->without_credential());
    if (!options.proxy_bypass.empty()) flags.push_back("--proxy-bypass-list=" + options.proxy_bypass.text());
  }
  const auto own_ports = options.own_ports ? options.own_ports() : std::vector<int>();
  if (const auto rules = resolver_rules(own_ports); !rules.empty()) flags.push_back("--host-resolver-rules=" + rules);
  return flags;
}

}  // namespace bridle
