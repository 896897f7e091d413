#include "config/network/network_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

#include "base/fd.h"

namespace bridle {
namespace {

constexpr std::size_t kV4Offset = 12;  // of the IPv4 address in a mapped one

struct Range {
  const char* network;
  int bits;
};

// RFC 6890 and its registries: what is not globally reachable.
constexpr Range kPrivateV4[] = {
    {"0.0.0.0", 8},       {"10.0.0.0", 8},     {"100.64.0.0", 10}, {"127.0.0.0", 8},    {"169.254.0.0", 16},
    {"172.16.0.0", 12},   {"192.0.0.0", 24},   {"192.0.2.0", 24},  {"192.168.0.0", 16}, {"198.18.0.0", 15},
    {"198.51.100.0", 24}, {"203.0.113.0", 24}, {"224.0.0.0", 4},   {"240.0.0.0", 4},
};
constexpr Range kPrivateV6[] = {
    {"::", 128},    {"::1", 128},   {"100::", 64}, {"2001:db8::", 32},  {"fc00::", 7},
    {"fe80::", 10}, {"fec0::", 10}, {"ff00::", 8}, {"64:ff9b:1::", 48},
};

template <std::size_t count>
bool in_any(const NetworkAddress& address, const Range (&ranges)[count]) {
  return std::any_of(std::begin(ranges), std::end(ranges), [&](const Range& range) {
    return address.is_in(*NetworkAddress::parse(range.network), range.bits);
  });
}

}  // namespace

std::optional<NetworkAddress> NetworkAddress::parse(std::string_view host) {
  if (host.size() > 2 && host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const std::string text(host);
  NetworkAddress address;
  if (::inet_pton(AF_INET6, text.c_str(), address.bytes_.data()) == 1) return address;
  address.bytes_ = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  if (::inet_pton(AF_INET, text.c_str(), address.bytes_.data() + kV4Offset) == 1) return address;
  return std::nullopt;
}

std::optional<NetworkAddress> NetworkAddress::of(const sockaddr& address) {
  NetworkAddress out;
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, &address, sizeof v6);
    std::memcpy(out.bytes_.data(), &v6.sin6_addr, out.bytes_.size());
    return out;
  }
  if (address.sa_family != AF_INET) return std::nullopt;
  sockaddr_in v4{};
  std::memcpy(&v4, &address, sizeof v4);
  out.bytes_ = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  std::memcpy(out.bytes_.data() + kV4Offset, &v4.sin_addr, sizeof v4.sin_addr);
  return out;
}

bool NetworkAddress::is_v4() const {
  return std::all_of(bytes_.begin(), bytes_.begin() + 10, [](std::uint8_t byte) { return byte == 0; }) &&
         bytes_[10] == 0xFF && bytes_[11] == 0xFF;
}

bool NetworkAddress::is_loopback() const {
  if (is_v4()) return bytes_[kV4Offset] == 127 || bytes_[kV4Offset] == 0;
  return std::all_of(bytes_.begin(), bytes_.end() - 1, [](std::uint8_t byte) { return byte == 0; }) && bytes_[15] <= 1;
}

bool NetworkAddress::is_private_v4() const { return in_any(*this, kPrivateV4); }

NetworkAddress NetworkAddress::embedded(std::size_t offset) const {
  NetworkAddress v4;
  v4.bytes_ = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), 4, v4.bytes_.begin() + kV4Offset);
  return v4;
}

bool NetworkAddress::is_private() const {
  if (is_v4()) return is_private_v4();
  if (in_any(*this, kPrivateV6)) return true;
  static const auto kNat64 = *parse("64:ff9b::");
  static const auto kCompatible = *parse("::");
  static const auto kSixToFour = *parse("2002::");
  static const auto kTeredo = *parse("2001::");
  if (is_in(kNat64, 96) || is_in(kCompatible, 96)) return embedded(kV4Offset).is_private_v4();
  if (is_in(kSixToFour, 16)) return embedded(2).is_private_v4();
  // A Teredo client's address stands there with all bits turned round; that nobody needs such a tunnel to be driven is
  // simpler.
  return is_in(kTeredo, 32);
}

bool NetworkAddress::is_this_machine() const {
  if (is_loopback()) return true;
  sockaddr_storage own{};
  const auto size = to_sockaddr(0, own);
  const Fd fd(::socket(own.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  // Only an address of its own can be bound.
  return fd && ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&own), size) == 0;
}

bool NetworkAddress::is_in(const NetworkAddress& network, int bits) const {
  if (is_v4() != network.is_v4()) return false;
  std::size_t left = static_cast<std::size_t>(bits);
  for (std::size_t i = is_v4() ? kV4Offset : 0; left > 0 && i < bytes_.size(); ++i) {
    const auto taken = std::min<std::size_t>(left, 8);
    const auto mask = static_cast<std::uint8_t>(0xFF << (8 - taken));
    if (((bytes_[i] ^ network.bytes_[i]) & mask) != 0) return false;
    left -= taken;
  }
  return true;
}

socklen_t NetworkAddress::to_sockaddr(int port, sockaddr_storage& out) const {
  out = {};
  if (is_v4()) {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(static_cast<std::uint16_t>(port));
    std::memcpy(&v4.sin_addr, bytes_.data() + kV4Offset, sizeof v4.sin_addr);
    std::memcpy(&out, &v4, sizeof v4);
    return sizeof v4;
  }
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(static_cast<std::uint16_t>(port));
  std::memcpy(&v6.sin6_addr, bytes_.data(), bytes_.size());
  std::memcpy(&out, &v6, sizeof v6);
  return sizeof v6;
}

std::string NetworkAddress::text() const {
  std::array<char, INET6_ADDRSTRLEN> buffer{};
  if (is_v4()) {
    ::inet_ntop(AF_INET, bytes_.data() + kV4Offset, buffer.data(), buffer.size());
  } else {
    ::inet_ntop(AF_INET6, bytes_.data(), buffer.data(), buffer.size());
  }
  return buffer.data();
}

}  // namespace bridle
