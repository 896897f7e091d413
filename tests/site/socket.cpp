#include "tests/site/socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace bridle::site {
namespace {

constexpr int kBacklog = 512;

[[noreturn]] void throw_errno(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

bool peer_gone(short events) { return (events & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0; }

// Rounded up, so that a wait is never shorter than it was asked to be.
int poll_timeout(Channel::Deadline deadline) {
  if (!deadline) return -1;
  const auto left = std::chrono::ceil<Millis>(*deadline - std::chrono::steady_clock::now());
  return left.count() <= 0 ? 0 : static_cast<int>(std::min<Millis::rep>(left.count(), 3'600'000));
}

}  // namespace

Millis steady_now() { return std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now().time_since_epoch()); }

Fd listen_on_loopback(std::uint16_t port) {
  Fd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener) throw_errno("socket");
  const int on = 1;
  ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) throw_errno("bind");
  if (::listen(listener.get(), kBacklog) != 0) throw_errno("listen");
  return listener;
}

std::uint16_t local_port(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) throw_errno("getsockname");
  return ntohs(address.sin_port);
}

Channel::Channel(Fd socket, int stop_event)
    : socket_(std::move(socket)), stop_event_(stop_event), port_(local_port(socket_.get())) {
  const int on = 1;
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

Wait Channel::receive(std::string& buffer) {
  std::array<char, 16 * 1024> chunk;
  for (;;) {
    std::array<pollfd, 2> fds{{{socket_.get(), POLLIN, 0}, {stop_event_, POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return Wait::hung_up;
    }
    if (fds[1].revents != 0) return Wait::stopped;
    const ssize_t count = ::recv(socket_.get(), chunk.data(), chunk.size(), MSG_DONTWAIT);
    if (count > 0) {
      buffer.append(chunk.data(), static_cast<std::size_t>(count));
      return Wait::ready;
    }
    if (count == 0) return Wait::hung_up;
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return Wait::hung_up;
  }
}

Wait Channel::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return Wait::hung_up;
    std::array<pollfd, 2> fds{{{socket_.get(), POLLOUT | POLLRDHUP, 0}, {stop_event_, POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return Wait::hung_up;
    if (fds[1].revents != 0) return Wait::stopped;
    if (peer_gone(fds[0].revents)) return Wait::hung_up;
  }
  return Wait::ready;
}

Wait Channel::wait_for(const std::function<bool()>& condition, Deadline deadline) {
  for (;;) {
    if (condition()) return Wait::ready;
    // Only the peer's leaving is of interest: POLLIN would wake for ever when a client pipelines its next request.
    std::array<pollfd, 3> fds{
        {{socket_.get(), POLLRDHUP, 0}, {stop_event_, POLLIN, 0}, {wake_event_.get(), POLLIN, 0}}};
    const int count = ::poll(fds.data(), fds.size(), poll_timeout(deadline));
    if (count < 0) {
      if (errno == EINTR) continue;
      return Wait::hung_up;
    }
    if (fds[1].revents != 0) return Wait::stopped;
    if (peer_gone(fds[0].revents)) return Wait::hung_up;
    if (fds[2].revents != 0) wake_event_.drain();
    if (count == 0 && deadline && std::chrono::steady_clock::now() >= *deadline) return Wait::elapsed;
  }
}

void Channel::close_with_reset() {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  socket_.reset();
}

void Channel::close_gently() {
  if (socket_) ::shutdown(socket_.get(), SHUT_WR);
}

}  // namespace bridle::site
