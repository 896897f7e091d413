#include "server/http/peer_user.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/text/text.h"

namespace bridle {
namespace {

constexpr int kListening = 10;  // TCP_LISTEN

std::string text_of(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A user that the user namespace has no number for is shown to it as the overflow uid, whoever it is. So that uid tells
// nothing, unless the namespace has a number for everybody: then the uid is a user like any other ("nobody").
std::optional<uid_t> unmapped_uid() {
  if (maps_every_user(text_of("/proc/self/uid_map"))) return std::nullopt;
  constexpr uid_t kDefault = 65534;
  const std::string text = text_of("/proc/sys/kernel/overflowuid");
  uid_t uid = kDefault;
  std::from_chars(text.data(), text.data() + text.size(), uid);
  return uid;
}

}  // namespace

// One end of a connection; an IPv4 address that came through an IPv6 socket is an IPv4 one.
struct PeerOwners::End {
  int family = AF_UNSPEC;
  std::array<std::uint32_t, 4> address{};  // network order
  std::uint16_t port = 0;                  // network order

  std::string in_table() const;
};

PeerOwners::PeerOwners() : own_(::geteuid()), unmapped_(unmapped_uid()) {}

std::optional<PeerOwners::End> PeerOwners::to_end(const sockaddr_storage& storage) {
  End end;
  if (storage.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(storage);
    end.family = AF_INET;
    end.address[0] = v4.sin_addr.s_addr;
    end.port = v4.sin_port;
    return end;
  }
  if (storage.ss_family != AF_INET6) return std::nullopt;
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(storage);
  end.port = v6.sin6_port;
  if (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
    end.family = AF_INET;
    std::memcpy(end.address.data(), v6.sin6_addr.s6_addr + 12, 4);
  } else {
    end.family = AF_INET6;
    std::memcpy(end.address.data(), v6.sin6_addr.s6_addr, 16);
  }
  return end;
}

// sock_diag(7): one socket by its ends. A socket that isn't found says nothing by itself: without its tcp_diag module
// the kernel has ENOENT for every socket.
std::optional<uid_t> PeerOwners::ask_kernel(const End& local, const End& remote) {
  if (!netlink_) netlink_.reset(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  if (!netlink_) return std::nullopt;
  struct {
    nlmsghdr header;
    inet_diag_req_v2 body;
  } question{};
  question.header.nlmsg_len = sizeof question;
  question.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.header.nlmsg_flags = NLM_F_REQUEST;
  question.header.nlmsg_seq = ++sequence_;
  question.body.sdiag_family = static_cast<__u8>(local.family);
  question.body.sdiag_protocol = IPPROTO_TCP;
  question.body.idiag_states = ~0U;
  question.body.id.idiag_sport = local.port;
  question.body.id.idiag_dport = remote.port;
  std::memcpy(question.body.id.idiag_src, local.address.data(), 16);
  std::memcpy(question.body.id.idiag_dst, remote.address.data(), 16);
  question.body.id.idiag_cookie[0] = question.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  if (::sendto(netlink_.get(), &question, sizeof question, 0, reinterpret_cast<sockaddr*>(&kernel), sizeof kernel) <
      0) {
    return std::nullopt;
  }
  alignas(nlmsghdr) std::array<char, 4096> bytes;
  // The kernel answers within the send.
  const auto size = ::recv(netlink_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  nlmsghdr header{};
  if (size >= static_cast<ssize_t>(sizeof header)) std::memcpy(&header, bytes.data(), sizeof header);
  if (header.nlmsg_seq != sequence_) {
    netlink_.reset();  // nothing, or another question's answer, which would be taken for the next one's
    return std::nullopt;
  }
  if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY || size < static_cast<ssize_t>(NLMSG_LENGTH(sizeof(inet_diag_msg)))) {
    return std::nullopt;
  }
  kernel_answers_ = true;
  inet_diag_msg found{};
  std::memcpy(&found, bytes.data() + NLMSG_HDRLEN, sizeof found);
  // A listener on that port is not the connection; a socket without an inode is held by nobody, and its uid says 0.
  if (found.idiag_state == kListening || found.id.idiag_dport != remote.port || found.idiag_inode == 0) {
    return std::nullopt;
  }
  return found.idiag_uid;
}

// As /proc/net/tcp* writes it: words of the address as the machine reads them, then the port.
std::string PeerOwners::End::in_table() const {
  std::string text;
  char word[16];
  for (int i = 0; i < (family == AF_INET ? 1 : 4); ++i) {
    std::snprintf(word, sizeof word, "%08X", address[static_cast<std::size_t>(i)]);
    text += word;
  }
  std::snprintf(word, sizeof word, ":%04X", ntohs(port));
  return text + word;
}

std::optional<uid_t> PeerOwners::look_up(const End& local, const End& remote) {
  const auto one = local.in_table();
  const auto other = remote.in_table();
  if (local.family == AF_INET6) return owner_in(text_of("/proc/net/tcp6"), one, other);
  if (const auto owner = owner_in(text_of("/proc/net/tcp"), one, other)) return owner;
  const std::string mapped = "0000000000000000FFFF0000";  // an IPv4 end in /proc/net/tcp6
  return owner_in(text_of("/proc/net/tcp6"), mapped + one, mapped + other);
}

std::optional<uid_t> PeerOwners::find(const End& local, const End& remote) {
  if (const auto owner = ask_kernel(local, remote)) return owner;
  if (local.family == AF_INET) {
    // A client on an IPv6 socket that reaches us by IPv4.
    const auto mapped = [](End end) {
      end.address = {0, 0, htonl(0xFFFF), end.address[0]};
      end.family = AF_INET6;
      return end;
    };
    if (const auto owner = ask_kernel(mapped(local), mapped(remote))) return owner;
  }
  return kernel_answers_ ? std::nullopt : look_up(local, remote);
}

PeerOwner PeerOwners::of(int fd) {
  sockaddr_storage ours{};
  sockaddr_storage theirs{};
  socklen_t size = sizeof ours;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&ours), &size) != 0) return {};
  size = sizeof theirs;
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&theirs), &size) != 0) return {};
  const auto here = to_end(ours);
  const auto there = to_end(theirs);
  if (!here || !there) return {};
  // The ends of the peer's socket, as the peer sees them.
  const auto owner = find(*there, *here);
  if (!owner || owner == unmapped_) return {};
  return {.user = *owner == own_ ? PeerUser::same : PeerUser::other, .uid = *owner};
}

std::optional<uid_t> owner_in(std::string_view table, const std::string& local, const std::string& remote) {
  // sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode ...
  const auto at = table.find(" " + local + " " + remote + " ");
  if (at == std::string_view::npos) return std::nullopt;
  const auto line = table.substr(at, table.find('\n', at) - at);
  std::istringstream words{std::string(line)};
  std::string one, other, state, queues, timer, retransmits;
  uid_t uid = 0;
  unsigned long timeout = 0, inode = 0;
  if (!(words >> one >> other >> state >> queues >> timer >> retransmits >> uid >> timeout >> inode)) {
    return std::nullopt;
  }
  return inode == 0 ? std::nullopt : std::optional(uid);
}

// Each line is a range: its first uid here, its first uid outside, and its length. (uid_t)-1 is nobody's.
bool maps_every_user(std::string_view uid_map) {
  constexpr unsigned long long kUsers = 0xFFFF'FFFF;
  unsigned long long mapped = 0;
  while (!uid_map.empty()) {
    std::istringstream words{std::string(take_until(uid_map, '\n'))};
    unsigned long long first = 0, outside = 0, count = 0;
    if (words >> first >> outside >> count) mapped += count;
  }
  return mapped >= kUsers;
}

}  // namespace bridle
