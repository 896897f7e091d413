#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"

// Whose process is at the other end of a TCP connection [wire.peer-user]. The kernel knows the owners of its own
// sockets only, so a connection from another machine, through a proxy or through a container's published port has no
// known owner.
namespace bridle {

enum class PeerUser {
  same,     // this process's effective user
  other,    // somebody else, root too
  unknown,  // not a socket of this machine, one that nobody holds any more, or a user without a number here
};

struct PeerOwner {
  PeerUser user = PeerUser::unknown;
  uid_t uid = 0;  // means nothing while the user is unknown
};

// Asks the kernel for the owners of peers' sockets: sock_diag over one netlink socket that stays open, which takes a
// few microseconds; /proc/net/tcp and tcp6 where the kernel has no sock_diag. Never blocks on a peer, never throws. One
// thread at a time.
class PeerOwners {
 public:
  PeerOwners();
  // The owner of the socket that the connected socket `fd` is connected to.
  PeerOwner of(int fd);

 private:
  struct End;
  static std::optional<End> to_end(const sockaddr_storage& storage);
  std::optional<uid_t> find(const End& local, const End& remote);
  std::optional<uid_t> ask_kernel(const End& local, const End& remote);
  static std::optional<uid_t> look_up(const End& local, const End& remote);

  const uid_t own_;
  const std::optional<uid_t> unmapped_;  // what the kernel shows for every user without a number here
  Fd netlink_;
  std::uint32_t sequence_ = 0;
  bool kernel_answers_ = false;  // sock_diag has found a socket, so one that it doesn't find isn't there
};

// The owner of the socket that has `local` and `remote` as its ends, as /proc/net/tcp* writes them ("0100007F:1F90"),
// in the text of such a file. nullopt: not in there, or held by nobody.
std::optional<uid_t> owner_in(std::string_view table, const std::string& local, const std::string& remote);

// Whether a user namespace with this /proc/self/uid_map has a number for every user.
bool maps_every_user(std::string_view uid_map);

}  // namespace bridle
