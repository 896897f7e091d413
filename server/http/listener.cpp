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
#include <memory>
#include <stdexcept>

namespace bridle {
namespace {

constexpr int kBacklog = 511;
constexpr std::size_t kRefusedAtOnce = 64;  // refused sockets that are given time to read their 503
constexpr Millis kRefusedTime{500};
constexpr Millis kAcceptPause{50};  // after an accept that failed for want of resources
constexpr std::string_view kOverCapacity =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 42\r\n"
    "Retry-After: 1\r\nConnection: close\r\n\r\nThe server has too many open connections.\n";

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
Fd listen_on(const addrinfo& address, int& error) {
  Fd fd(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;  // and no SO_REUSEPORT: a second server on the same port must fail
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (fd && ::bind(fd.get(), address.ai_addr, address.ai_addrlen) == 0 && ::listen(fd.get(), kBacklog) == 0) return fd;
  error = errno;
  return {};
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

}  // namespace

void HttpListener::bind(const std::string& host, int port) {
  const auto addresses = resolve(host, port);
  int error = EADDRNOTAVAIL;
  // IPv4 first: what clients try for "localhost".
  for (const int family : {AF_INET, AF_INET6}) {
    for (const auto* address = addresses.get(); address != nullptr && !fd_; address = address->ai_next) {
      if (address->ai_family != family) continue;
      fd_ = listen_on(*address, error);
    }
  }
  if (!fd_) throw_unbound(host, port, error);
  SocketAddress own;
  ::getsockname(fd_.get(), reinterpret_cast<sockaddr*>(&own.storage), &own.size);
  port_ = own.port();
  reserve_fd_.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

void HttpListener::run(int stop_fd, const Accepted& accepted, const std::function<void()>& refused) {
  std::vector<pollfd> poller;
  std::vector<int> readable;
  for (;;) {
    poller.assign(1, pollfd{stop_fd, POLLIN, 0});
    auto wake = Deadline::none();
    const bool paused = !pause_.expired();
    if (paused) wake = pause_;
    poller.push_back(pollfd{paused ? -1 : fd_.get(), POLLIN, 0});  // -1 is skipped
    for (const auto& peer : refused_) {
      poller.push_back(pollfd{peer.fd.get(), POLLIN, 0});
      wake = wake.earlier(peer.until);
    }
    const int time = wake.is_none() ? -1 : static_cast<int>(wake.remaining().count());
    ::poll(poller.data(), poller.size(), time);
    if (poller[0].revents != 0) break;
    readable.clear();
    for (std::size_t i = 2; i < poller.size(); ++i) {
      if (poller[i].revents != 0) readable.push_back(poller[i].fd);
    }
    drain_refused(readable);
    if (poller[1].revents != 0) accept_all(accepted, refused);
  }
  fd_.reset();
}

void HttpListener::accept_all(const Accepted& accepted, const std::function<void()>& refused) {
  // Bounded, so that a flood doesn't keep the loop from its stop descriptor.
  for (int i = 0; i < kBacklog; ++i) {
    SocketAddress peer;
    const int fd = ::accept4(fd_.get(), reinterpret_cast<sockaddr*>(&peer.storage), &peer.size, SOCK_CLOEXEC);
    if (fd >= 0) {
      if (accepted(fd, peer)) continue;
      refused();
      refuse(Fd(fd));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return;
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      return out_of_descriptors(refused);
    }
    // Anything else is the matter of one connection that went away before it was accepted.
  }
}

// The pending connection would make poll() return at once, for ever. With the reserve it is accepted and refused.
void HttpListener::out_of_descriptors(const std::function<void()>& refused) {
  reserve_fd_.reset();
  Fd fd(::accept4(fd_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  const bool accepted = static_cast<bool>(fd);
  if (accepted) {
    refused();
    [[maybe_unused]] const auto sent =
        ::send(fd.get(), kOverCapacity.data(), kOverCapacity.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    fd.reset();
  }
  reserve_fd_.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!accepted || !reserve_fd_) pause_ = Deadline::after(kAcceptPause);
}

void HttpListener::refuse(Fd fd) {
  [[maybe_unused]] const auto sent =
      ::send(fd.get(), kOverCapacity.data(), kOverCapacity.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
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
