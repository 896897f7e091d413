#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/concurrency/deadline.h"
#include "base/fd.h"
#include "server/http/connection.h"

namespace bridle {

// The listening sockets and their accept loop. Refuses connections itself, without a thread for them.
class HttpListener {
 public:
  HttpListener() = default;
  HttpListener(const HttpListener&) = delete;
  HttpListener& operator=(const HttpListener&) = delete;

  // Binds and listens. `host` is an address, a name of one, or "localhost": the loopback of every family that this
  // machine has, on one port [wire.loopback.both]. Throws std::runtime_error with a sentence for the user.
  void bind(const std::string& host, int port);
  int port() const { return port_; }
  // The hosts of URLs that can lead to nobody but this listener: the addresses that it listens on ("127.0.0.1",
  // "[::1]"), first the one to be printed, and "localhost" where nobody else can have a loopback of its own.
  const std::vector<std::string>& own_hosts() const { return own_hosts_; }

  // Takes an accepted socket and returns "", or returns the whole answer to refuse it with; the descriptor then stays
  // the listener's.
  using Accepted = std::function<std::string_view(int fd, const SocketAddress& peer)>;
  // Accepts until `stop_fd` is readable, then closes the listening sockets. `refused` is called for each refusal.
  void run(int stop_fd, const Accepted& accepted, const std::function<void()>& refused);

 private:
  void bind_loopback(int port);
  void bind_address(const std::string& host, int port);
  void accept_all(int listening_fd, const Accepted& accepted, const std::function<void()>& refused);
  void out_of_descriptors(int listening_fd, const std::function<void()>& refused);
  void refuse(Fd fd, std::string_view answer);
  void drain_refused(const std::vector<int>& readable);

  // A refused peer still sends its request: closing at once would reset the connection before it reads the answer.
  struct Refused {
    Fd fd;
    Deadline until;
  };

  std::vector<Fd> fds_;
  std::vector<std::string> own_hosts_;
  Fd reserve_fd_;  // given up to accept, and refuse, when no descriptor is left
  int port_ = 0;
  Deadline pause_ = Deadline::at(Clock::time_point::min());  // no accept before it
  std::vector<Refused> refused_;
};

}  // namespace bridle
