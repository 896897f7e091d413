#include "server/http/listener.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "base/text/text.h"

namespace bridle {
namespace {

constexpr int kBacklog = 511;
constexpr std::size_t kRefusedAtOnce = 64;  // refused sockets that are given time to read their 503
constexpr Millis kRefusedTime{500};
constexpr Millis kAcceptPause{50};  // after an accept that failed for want of resources
constexpr int kPortTries = 32;      // ports that the system picks for IPv4, until one is free for IPv6 too

// The answer where no descriptor is left. It lives as long as the program.
std::string_view over_capacity() {
  static const std::string kText = refusal_text({503, "The server has no descriptor left for another connection."});
  return kText;
}

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};

std::unique_ptr<addrinfo, FreeAddresses> resolve(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  const bool brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  const auto name = brackets ? host.substr(1, host.size() - 2) : host;
  addrinfo* list = nullptr;
  if (const int error = ::getaddrinfo(name.c_str(), std::to_string(port).c_str(), &hints, &list); error != 0) {
    throw std::runtime_error(fmt::format("cannot listen on {}: {}", host, ::gai_strerror(error)));
  }
  return std::unique_ptr<addrinfo, FreeAddresses>(list);
}

// A listening socket; none, and `error` set, when the system refuses.
Fd listen_on(const sockaddr* address, socklen_t size, int& error) {
  Fd fd(::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;  // and no SO_REUSEPORT: a second server on the same port must fail
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (fd && ::bind(fd.get(), address, size) == 0 && ::listen(fd.get(), kBacklog) == 0) return fd;
  error = errno;
  return {};
}

Fd listen_on_loopback(int family, int port, int& error) {
  const auto network_port = htons(static_cast<std::uint16_t>(port));
  if (family == AF_INET) {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = network_port;
    v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return listen_on(reinterpret_cast<const sockaddr*>(&v4), sizeof v4, error);
  }
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = network_port;
  v6.sin6_addr = in6addr_loopback;
  return listen_on(reinterpret_cast<const sockaddr*>(&v6), sizeof v6, error);
}

SocketAddress own_address(const Fd& fd) {
  SocketAddress own;
  ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&own.storage), &own.size);
  return own;
}

// The family isn't there at all: nobody can listen on it.
bool is_missing(int error) { return error == EAFNOSUPPORT || error == EADDRNOTAVAIL || error == EPROTONOSUPPORT; }

// Whether this machine has an IPv6 loopback, whatever this process may do with it.
bool has_ipv6_loopback() {
  std::ifstream file("/proc/thread-self/net/if_inet6");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("00000000000000000000000000000001 ")) return true;
  }
  return false;
}

[[noreturn]] void throw_unbound(const std::string& host, int port, int error) {
  if (error == EADDRINUSE) {
    throw std::runtime_error(fmt::format(
        "port {} on {} is already in use; is another bridle running? Choose another port with --port", port, host));
  }
  if (error == EACCES) {
    throw std::runtime_error(fmt::format("port {} needs privileges; choose one above 1023 with --port", port));
  }
  throw std::runtime_error(fmt::format("cannot listen on {} port {}: {}", host, port, ::strerror(error)));
}

// Somebody who listens on the other loopback would answer whoever asks for "localhost", with pages that a browser takes
// for ours.
[[noreturn]] void throw_half_bound(const std::string& taken, int port, const std::string& free) {
  throw std::runtime_error(
      fmt::format("port {0} on {1} is already in use, though not on {2}: whoever listens there would get what is meant "
                  "for this server by the name localhost. Choose another port with --port, or give --host {2} to do "
                  "without {1} and without that name",
                  port, taken, free));
}

}  // namespace

void HttpListener::bind(const std::string& host, int port) {
  if (lower(host) == "localhost") {
    bind_loopback(port);
  } else {
    bind_address(host, port);
  }
  port_ = own_address(fds_.front()).port();
  reserve_fd_.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

void HttpListener::bind_loopback(int port) {
  for (int tries = 1;; ++tries) {
    int v4_error = 0;
    int v6_error = 0;
    Fd v4 = listen_on_loopback(AF_INET, port, v4_error);
    if (!v4 && !is_missing(v4_error)) throw_unbound("127.0.0.1", port, v4_error);
    const int common = v4 ? own_address(v4).port() : port;
    Fd v6 = listen_on_loopback(AF_INET6, common, v6_error);
    if (!v6 && v6_error == EADDRINUSE && v4) {
      if (port == 0 && tries < kPortTries) continue;
      throw_half_bound("[::1]", common, "127.0.0.1");
    }
    if (!v6 && (!is_missing(v6_error) || !v4)) throw_unbound("[::1]", common, v6_error);
    if (v4) own_hosts_.emplace_back("127.0.0.1");
    if (v6) own_hosts_.emplace_back("[::1]");
    // Without a socket of ours for IPv6, the name is ours only if there is no IPv6 loopback for others either.
    if (v4 && (v6 || !has_ipv6_loopback())) own_hosts_.emplace_back("localhost");
    if (v4) fds_.push_back(std::move(v4));
    if (v6) fds_.push_back(std::move(v6));
    return;
  }
}

void HttpListener::bind_address(const std::string& host, int port) {
  const auto addresses = resolve(host, port);
  int error = EADDRNOTAVAIL;
  Fd fd;
  // IPv4 first, where a name has both.
  for (const int family : {AF_INET, AF_INET6}) {
    for (const auto* address = addresses.get(); address != nullptr && !fd; address = address->ai_next) {
      if (address->ai_family == family) fd = listen_on(address->ai_addr, address->ai_addrlen, error);
    }
  }
  if (!fd) throw_unbound(host, port, error);
  const auto own = own_address(fd);
  const auto address = own.address();
  // A socket on all addresses has the loopback's, where nobody else can listen any more.
  int v6_only = 1;
  socklen_t size = sizeof v6_only;
  ::getsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &v6_only, &size);
  const bool both = address == "::" && v6_only == 0;
  if (both || address == "0.0.0.0") own_hosts_.emplace_back("127.0.0.1");
  if (address == "::") own_hosts_.emplace_back("[::1]");
  if (both || (address == "0.0.0.0" && !has_ipv6_loopback())) own_hosts_.emplace_back("localhost");
  if (own_hosts_.empty()) own_hosts_.push_back(own.storage.ss_family == AF_INET6 ? "[" + address + "]" : address);
  fds_.push_back(std::move(fd));
}

void HttpListener::run(int stop_fd, const Accepted& accepted, const std::function<void()>& refused) {
  std::vector<pollfd> poller;
  std::vector<int> readable;
  const auto first_peer = static_cast<std::ptrdiff_t>(1 + fds_.size());
  for (;;) {
    poller.assign(1, pollfd{stop_fd, POLLIN, 0});
    auto wake = Deadline::none();
    const bool paused = !pause_.expired();
    if (paused) wake = pause_;
    for (const Fd& fd : fds_) poller.push_back(pollfd{paused ? -1 : fd.get(), POLLIN, 0});  // -1 is skipped
    for (const auto& peer : refused_) {
      poller.push_back(pollfd{peer.fd.get(), POLLIN, 0});
      wake = wake.earlier(peer.until);
    }
    const int time = wake.is_none() ? -1 : static_cast<int>(wake.remaining().count());
    ::poll(poller.data(), poller.size(), time);
    if (poller[0].revents != 0) break;
    readable.clear();
    for (auto peer = poller.begin() + first_peer; peer != poller.end(); ++peer) {
      if (peer->revents != 0) readable.push_back(peer->fd);
    }
    drain_refused(readable);
    for (auto fd = poller.begin() + 1; fd != poller.begin() + first_peer; ++fd) {
      if (fd->revents != 0) accept_all(fd->fd, accepted, refused);
    }
  }
  fds_.clear();
}

void HttpListener::accept_all(int listening_fd, const Accepted& accepted, const std::function<void()>& refused) {
  // Bounded, so that a flood doesn't keep the loop from its stop descriptor.
  for (int i = 0; i < kBacklog; ++i) {
    SocketAddress peer;
    const int fd = ::accept4(listening_fd, reinterpret_cast<sockaddr*>(&peer.storage), &peer.size, SOCK_CLOEXEC);
    if (fd >= 0) {
      const std::string_view refusal = accepted(fd, peer);
      if (refusal.empty()) continue;
      refused();
      refuse(Fd(fd), refusal);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return;
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      return out_of_descriptors(listening_fd, refused);
    }
    // Anything else is the matter of one connection that went away before it was accepted.
  }
}

// The pending connection would make poll() return at once, for ever. With the reserve it is accepted and refused.
void HttpListener::out_of_descriptors(int listening_fd, const std::function<void()>& refused) {
  reserve_fd_.reset();
  Fd fd(::accept4(listening_fd, nullptr, nullptr, SOCK_CLOEXEC));
  const bool accepted = static_cast<bool>(fd);
  if (accepted) {
    refused();
    const auto answer = over_capacity();
    [[maybe_unused]] const auto sent = ::send(fd.get(), answer.data(), answer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    fd.reset();
  }
  reserve_fd_.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!accepted || !reserve_fd_) pause_ = Deadline::after(kAcceptPause);
}

void HttpListener::refuse(Fd fd, std::string_view answer) {
  [[maybe_unused]] const auto sent = ::send(fd.get(), answer.data(), answer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  ::shutdown(fd.get(), SHUT_WR);
  if (refused_.size() >= kRefusedAtOnce) refused_.erase(refused_.begin());
  refused_.push_back({std::move(fd), Deadline::after(kRefusedTime)});
}

// Discards what refused peers send, and closes those that are through.
void HttpListener::drain_refused(const std::vector<int>& readable) {
  std::erase_if(refused_, [&readable](const Refused& peer) {
    bool over = peer.until.expired();
    if (!over && std::find(readable.begin(), readable.end(), peer.fd.get()) != readable.end()) {
      std::array<char, 4096> bytes;
      const auto size = ::recv(peer.fd.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
      over = size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR);
    }
    return over;
  });
}

}  // namespace bridle
