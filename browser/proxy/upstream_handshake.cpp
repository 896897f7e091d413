#include "browser/proxy/upstream_handshake.h"

#include <utility>

#include "base/limits.h"
#include "base/text/codecs.h"

namespace bridle {
namespace {

constexpr char kSocksVersion = 5;
constexpr char kNoPassword = 0;  // authentication methods
constexpr char kPassword = 2;
constexpr std::size_t kSocksText = 255;  // bytes of a name, a user, a password

std::string without_brackets(const std::string& host) {
  return host.starts_with('[') ? host.substr(1, host.size() - 2) : host;
}

// A text after its length in one byte.
std::string counted(const std::string& text) {
  const auto cut = text.substr(0, kSocksText);
  return static_cast<char>(cut.size()) + cut;
}

const char* socks_error(char code) {
  switch (code) {
    case 2:
      return "the proxy's rules forbid it";
    case 3:
      return "the proxy can't reach its network";
    case 4:
      return "the proxy can't reach the host";
    case 5:
      return "the host refused the proxy's connection";
    default:
      return "the proxy could not connect";
  }
}

}  // namespace

UpstreamHandshake::UpstreamHandshake(const ProxyServer& proxy, std::string host, int port)
    : proxy_(proxy),
      host_(std::move(host)),
      port_(port),
      step_(proxy.kind == ProxyServer::Kind::http ? Step::connect_reply : Step::socks_method) {
  if (step_ == Step::socks_method) {
    output_ = std::string{kSocksVersion, 1, proxy_.user.empty() ? kNoPassword : kPassword};
    return;
  }
  const auto authority = host_ + ":" + std::to_string(port_);
  output_ = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
  if (const auto value = credential(proxy_); !value.empty()) output_ += "Proxy-Authorization: " + value + "\r\n";
  output_ += "\r\n";
}

std::string UpstreamHandshake::credential(const ProxyServer& proxy) {
  return proxy.user.empty() ? "" : "Basic " + base64(proxy.user + ":" + proxy.password);
}

std::string UpstreamHandshake::take_output() { return std::exchange(output_, {}); }

UpstreamHandshake::Progress UpstreamHandshake::refuse(std::string why) {
  error_ = std::move(why);
  return Progress::refused;
}

UpstreamHandshake::Progress UpstreamHandshake::take(std::string& received) {
  return step_ == Step::connect_reply ? take_connect_reply(received) : take_socks(received);
}

UpstreamHandshake::Progress UpstreamHandshake::take_connect_reply(std::string& received) {
  const auto end = received.find("\r\n\r\n");
  if (end == std::string::npos) {
    return received.size() > limits::kHeadBytes ? refuse("the proxy's answer is no HTTP") : Progress::more;
  }
  const auto space = received.find(' ');
  if (!received.starts_with("HTTP/1.") || space == std::string::npos) return refuse("the proxy's answer is no HTTP");
  const auto status = received.substr(space + 1, 3);
  if (!status.starts_with('2')) {
    return refuse(status == "407" ? "the proxy wants other credentials (--proxy-server http://USER:PASSWORD@HOST:PORT)"
                                  : "the proxy answered " + status);
  }
  received.erase(0, end + 4);
  return Progress::done;
}

UpstreamHandshake::Progress UpstreamHandshake::take_socks(std::string& received) {
  if (step_ != Step::socks_reply) {
    if (received.size() < 2) return Progress::more;
    const char answer = received[1];
    received.erase(0, 2);
    if (step_ == Step::socks_method && answer == kPassword && !proxy_.user.empty()) {
      output_ = char{1} + counted(proxy_.user) + counted(proxy_.password);
      step_ = Step::socks_password;
      return take_socks(received);
    }
    if (answer != 0)
      return refuse("the proxy wants other credentials (--proxy-server socks5://USER:PASSWORD@HOST:PORT)");
    send_socks_request();
    return take_socks(received);
  }
  // Version, reply, reserved, kind of address, address, port.
  if (received.size() < 5) return Progress::more;
  if (received[1] != 0) return refuse(socks_error(received[1]));
  const char kind = received[3];
  const auto name = static_cast<unsigned char>(received[4]);
  const std::size_t address = kind == 1 ? 4 : kind == 4 ? 16 : std::size_t{1} + name;
  const auto size = 4 + address + 2;
  if (received.size() < size) return Progress::more;
  received.erase(0, size);
  return Progress::done;
}

void UpstreamHandshake::send_socks_request() {
  constexpr char kConnect = 1;
  constexpr char kDomain = 3;
  output_ = std::string{kSocksVersion, kConnect, 0, kDomain} + counted(without_brackets(host_)) +
            static_cast<char>(port_ >> 8) + static_cast<char>(port_ & 0xFF);
  step_ = Step::socks_reply;
}

}  // namespace bridle
