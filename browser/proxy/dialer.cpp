#include "browser/proxy/dialer.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "browser/proxy/proxy_loop.h"

namespace bridle {
namespace {

// IPv6 and IPv4 in turn, as RFC 8305 has it, in the resolver's order otherwise; the last is to be tried first.
std::vector<NetworkAddress> in_turn(const std::vector<NetworkAddress>& addresses) {
  std::vector<NetworkAddress> same;
  std::vector<NetworkAddress> other;
  for (const auto& address : addresses)
    (address.is_v4() == addresses.front().is_v4() ? same : other).push_back(address);
  std::vector<NetworkAddress> order;
  for (std::size_t i = 0; i < std::max(same.size(), other.size()); ++i) {
    if (i < same.size()) order.push_back(same[i]);
    if (i < other.size()) order.push_back(other[i]);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

const char* net_error_of(int error) {
  switch (error) {
    case ECONNREFUSED:
      return "net::ERR_CONNECTION_REFUSED";
    case ETIMEDOUT:
      return "net::ERR_CONNECTION_TIMED_OUT";
    case EHOSTUNREACH:
    case ENETUNREACH:
    case EADDRNOTAVAIL:
      return "net::ERR_ADDRESS_UNREACHABLE";
    default:
      return "net::ERR_CONNECTION_FAILED";
  }
}

}  // namespace

void Dialer::begin(const std::vector<NetworkAddress>& addresses, int port) {
  port_ = port;
  attempts_.clear();
  net_error_.clear();
  addresses_ = in_turn(addresses);
  try_next();
}

void Dialer::try_next() {
  while (!addresses_.empty()) {
    sockaddr_storage address{};
    const auto size = addresses_.back().to_sockaddr(port_, address);
    addresses_.pop_back();
    Fd attempt(::socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (attempt &&
        (::connect(attempt.get(), reinterpret_cast<const sockaddr*>(&address), size) == 0 || errno == EINPROGRESS)) {
      loop_.watch(attempt.get(), id_);
      attempts_.push_back(std::move(attempt));
      return;
    }
    net_error_ = net_error_of(errno);
  }
}

Fd Dialer::take_connected() {
  for (std::size_t i = 0; i < attempts_.size();) {
    pollfd poller{attempts_[i].get(), POLLOUT, 0};
    if (::poll(&poller, 1, 0) <= 0) {
      ++i;
      continue;
    }
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(attempts_[i].get(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error == 0) {
      Fd connected = std::move(attempts_[i]);
      stop();
      return connected;
    }
    net_error_ = net_error_of(error);
    attempts_.erase(attempts_.begin() + static_cast<std::ptrdiff_t>(i));
    if (attempts_.empty()) try_next();
  }
  return {};
}

void Dialer::stop() {
  attempts_.clear();
  addresses_.clear();
}

}  // namespace bridle
