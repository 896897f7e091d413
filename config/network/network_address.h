#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bridle {

// An IPv4 or IPv6 address. An IPv4 address that is written as an IPv6 one (::ffff:127.0.0.1) is the IPv4 address: the
// system connects to the same socket. A value type.
class NetworkAddress {
 public:
  // Dotted decimal, or IPv6 with or without brackets. nullopt for names, and for all other ways to write a number.
  static std::optional<NetworkAddress> parse(std::string_view host);
  // nullopt for other families.
  static std::optional<NetworkAddress> of(const sockaddr& address);

  bool is_v4() const;
  // Reaches only this machine: loopback, or the unspecified address, which Linux connects to loopback.
  bool is_loopback() const;
  // Reaches no host of the public internet: loopback, link-local (with the clouds' metadata services), the private
  // ranges of RFC 1918 and RFC 4193, shared, benchmark, multicast and reserved ranges; and whatever embeds such an IPv4
  // address (NAT64, 6to4, Teredo, IPv4-compatible).
  bool is_private() const;
  // Whether one of this machine's sockets could have it. Asks the system.
  bool is_this_machine() const;
  // Whether the first `bits` of its bits are those of `network`; an IPv4 address is in no IPv6 network.
  bool is_in(const NetworkAddress& network, int bits) const;

  // For connect(2); `port` in host byte order. Returns the size.
  socklen_t to_sockaddr(int port, sockaddr_storage& out) const;
  std::string text() const;  // without brackets

  friend bool operator==(const NetworkAddress&, const NetworkAddress&) = default;

 private:
  bool is_private_v4() const;
  NetworkAddress embedded(std::size_t offset) const;

  std::array<std::uint8_t, 16> bytes_{};  // IPv4 in its mapped form
};

}  // namespace bridle
