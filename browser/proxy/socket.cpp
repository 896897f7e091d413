#include "browser/proxy/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>

namespace bridle {

void send_at_once(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool send_kept(int fd, std::string& kept) {
  std::size_t sent = 0;
  while (sent < kept.size()) {
    const auto count = ::send(fd, kept.data() + sent, kept.size() - sent, MSG_NOSIGNAL);
    if (count > 0) {
      sent += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      return false;
    }
  }
  if (sent == kept.size()) {
    kept = {};  // idle connections hold no memory
  } else {
    kept.erase(0, sent);
  }
  return true;
}

void end_with_reset(int fd) {
  const linger at_once{1, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

}  // namespace bridle
