#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "config/network/network_address.h"

namespace bridle {

class ProxyLoop;

// Connects to the first of several addresses that answers (RFC 8305): the next one is tried when one fails, or has not
// answered for a while. Belongs to the loop's thread.
class Dialer {
 public:
  // The sockets' events reach connection `id` of the loop.
  Dialer(ProxyLoop& loop, std::uint64_t id) : loop_(loop), id_(id) {}

  // Forgets what it did before, and tries the first. `port` in host byte order.
  void begin(const std::vector<NetworkAddress>& addresses, int port);
  // Tries one more beside those under way, if there is one.
  void try_next();
  // The connection that has come about; none as long as there is none. What fails makes room for the next address.
  Fd take_connected();
  void stop();

  bool has_more() const { return !addresses_.empty(); }
  // Nothing is under way, and nothing is left.
  bool failed() const { return attempts_.empty() && addresses_.empty(); }
  // Chromium's name of the last failure's network error.
  const std::string& net_error() const { return net_error_; }

 private:
  ProxyLoop& loop_;
  const std::uint64_t id_;
  int port_ = 0;
  std::vector<NetworkAddress> addresses_{};  // still to be tried, the first at the end
  std::vector<Fd> attempts_{};               // connections under way
  std::string net_error_{};
};

}  // namespace bridle
