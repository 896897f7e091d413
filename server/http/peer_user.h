#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

// Whose process is at the other end of a TCP connection [wire.peer-user]. The kernel knows the owners of its own
// sockets only, so a connection from another machine, through a proxy or through a container's published port has no
// known owner.
namespace bridle {

enum class PeerUser {
  same,     // this process's effective user
  other,    // somebody else, root too
  unknown,  // not a socket of this machine, or one that nobody holds any more
};

// Asks the kernel (sock_diag, else /proc/net/tcp and tcp6). Never blocks on the peer. Any thread.
PeerUser peer_user(int fd);

// The owner of the socket that has `local` and `remote` as its ends, as /proc/net/tcp* writes them ("0100007F:1F90"),
// in the text of such a file. nullopt: not in there, or held by nobody.
std::optional<uid_t> owner_in(std::string_view table, const std::string& local, const std::string& remote);

}  // namespace bridle
