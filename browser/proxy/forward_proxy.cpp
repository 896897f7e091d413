#include "browser/proxy/forward_proxy.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>

#include "base/concurrency/thread.h"
#include "base/text/codecs.h"
#include "base/text/random.h"
#include "browser/proxy/proxy_loop.h"
#include "config/network/origin_rules.h"

namespace bridle {
namespace {

constexpr int kBacklog = 511;
constexpr std::size_t kPasswordBytes = 24;

[[noreturn]] void throw_system_error(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

Fd listen_on_loopback(int& port) {
  Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) throw_system_error("the proxy's socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(fd.get(), generic, size) != 0 || ::listen(fd.get(), kBacklog) != 0 ||
      ::getsockname(fd.get(), generic, &size) != 0) {
    throw_system_error("the proxy can't listen");
  }
  port = ntohs(address.sin_port);
  return fd;
}

}  // namespace

ForwardProxy::ForwardProxy(Rules rules) : password_(random_token(kPasswordBytes)) {
  Fd listener = listen_on_loopback(port_);
  rules.own_ports.push_back(port_);
  ProxyPolicy policy{
      .rules = EgressRules(std::move(rules.origins), rules.block_private_networks, std::move(rules.own_ports)),
      .credential = "Basic " + base64(user_ + ":" + password_),
      .upstream = std::move(rules.upstream),
      .bypass = std::move(rules.bypass)};
  loop_ = std::make_unique<ProxyLoop>(std::move(policy), std::move(listener));
  thread_ = start_thread("bridle-proxy", [this] { loop_->run(); });
}

ForwardProxy::~ForwardProxy() {
  loop_->stop();
  thread_.join();
}

long ForwardProxy::connections() const { return loop_->connections(); }

std::pair<std::string, std::string> ForwardProxy::failure_of(std::string_view url) const {
  return loop_->failure_of(authority_of(url));
}

}  // namespace bridle
