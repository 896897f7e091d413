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
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/fd.h"

namespace bridle {
namespace {

constexpr int kListening = 10;  // TCP_LISTEN

// One end of a connection; an IPv4 address that came through an IPv6 socket is an IPv4 one.
struct End {
  int family = AF_UNSPEC;
  std::array<std::uint32_t, 4> address{};  // network order
  std::uint16_t port = 0;                  // network order
};

std::optional<End> to_end(const sockaddr_storage& storage) {
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

// sock_diag(7): one socket by its ends. `answered`: the kernel knows it. An error says nothing: without its tcp_diag
// module the kernel has ENOENT for every socket.
std::optional<uid_t> ask_kernel(const End& local, const End& remote, bool& answered) {
  answered = false;
  const Fd netlink(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  if (netlink.get() < 0) return std::nullopt;
  struct {
    nlmsghdr header;
    inet_diag_req_v2 body;
  } question{};
  question.header.nlmsg_len = sizeof question;
  question.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.header.nlmsg_flags = NLM_F_REQUEST;
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
  if (::sendto(netlink.get(), &question, sizeof question, 0, reinterpret_cast<sockaddr*>(&kernel), sizeof kernel) < 0) {
    return std::nullopt;
  }
  alignas(nlmsghdr) std::array<char, 4096> bytes;
  // The kernel answers within the send.
  const auto size = ::recv(netlink.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (size < static_cast<ssize_t>(sizeof(nlmsghdr))) return std::nullopt;
  nlmsghdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY || size < static_cast<ssize_t>(NLMSG_LENGTH(sizeof(inet_diag_msg)))) {
    return std::nullopt;
  }
  answered = true;
  inet_diag_msg found{};
  std::memcpy(&found, bytes.data() + NLMSG_HDRLEN, sizeof found);
  // A listener on that port is not the connection; a socket without an inode is held by nobody, and its uid says 0.
  if (found.idiag_state == kListening || found.id.idiag_dport != remote.port || found.idiag_inode == 0) {
    return std::nullopt;
  }
  return found.idiag_uid;
}

// As /proc/net/tcp* writes it: words of the address as the machine reads them, then the port.
std::string as_in_table(const End& end) {
  std::string text;
  char word[16];
  for (int i = 0; i < (end.family == AF_INET ? 1 : 4); ++i) {
    std::snprintf(word, sizeof word, "%08X", end.address[static_cast<std::size_t>(i)]);
    text += word;
  }
  std::snprintf(word, sizeof word, ":%04X", ntohs(end.port));
  return text + word;
}

// The same of an IPv4 end in /proc/net/tcp6.
std::string as_mapped(const End& end) { return "0000000000000000FFFF0000" + as_in_table(end); }

std::optional<uid_t> look_up(const End& local, const End& remote) {
  const auto in_file = [](const char* path, const std::string& one, const std::string& other) {
    std::ifstream file(path);
    return owner_in(std::string(std::istreambuf_iterator<char>(file), {}), one, other);
  };
  if (local.family == AF_INET6) return in_file("/proc/net/tcp6", as_in_table(local), as_in_table(remote));
  const auto owner = in_file("/proc/net/tcp", as_in_table(local), as_in_table(remote));
  return owner ? owner : in_file("/proc/net/tcp6", as_mapped(local), as_mapped(remote));
}

}  // namespace

std::optional<uid_t> owner_in(std::string_view table, const std::string& local, const std::string& remote) {
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) {
    // sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode ...
    std::istringstream words(line);
    std::string number, one, other, state, queues, timer, retransmits;
    uid_t uid = 0;
    unsigned long timeout = 0, inode = 0;
    if (!(words >> number >> one >> other >> state >> queues >> timer >> retransmits >> uid >> timeout >> inode))
      continue;
    if (one == local && other == remote) return inode == 0 ? std::nullopt : std::optional(uid);
  }
  return std::nullopt;
}

PeerUser peer_user(int fd) {
  sockaddr_storage ours{};
  sockaddr_storage theirs{};
  socklen_t size = sizeof ours;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&ours), &size) != 0) return PeerUser::unknown;
  size = sizeof theirs;
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&theirs), &size) != 0) return PeerUser::unknown;
  const auto here = to_end(ours);
  const auto there = to_end(theirs);
  if (!here || !there) return PeerUser::unknown;
  // The ends of the peer's socket, as the peer sees them.
  bool answered = false;
  auto owner = ask_kernel(*there, *here, answered);
  if (!owner && there->family == AF_INET) {
    // A client on an IPv6 socket that reaches us by IPv4.
    End local = *there;
    End remote = *here;
    for (End* end : {&local, &remote}) {
      end->address = {0, 0, htonl(0xFFFF), end->address[0]};
      end->family = AF_INET6;
    }
    bool mapped_answered = false;
    owner = ask_kernel(local, remote, mapped_answered);
  }
  if (!owner && !answered) owner = look_up(*there, *here);
  if (!owner) return PeerUser::unknown;
  return *owner == ::geteuid() ? PeerUser::same : PeerUser::other;
}

}  // namespace bridle
