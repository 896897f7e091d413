#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/fd.h"
#include "server/http/connection.h"

namespace bridle {

// The listening socket and its accept loop. Refuses connections itself, with a 503, without a thread for them.
class HttpListener {
 public:
  HttpListener() = default;
  HttpListener(const HttpListener&) = delete;
  HttpListener& operator=(const HttpListener&) = delete;

  // Binds and listens. Throws std::runtime_error with a sentence for the user.
  void bind(const std::string& host, int port);
  int port() const { return port_; }

  // Takes an accepted socket. Returns false to have it refused; the descriptor then stays the listener's.
  using Accepted = std::function<bool(int fd, const SocketAddress& peer)>;
  // Accepts until `stop_fd` is readable, then closes the listening socket. `refused` is called for each refusal.
  void run(int stop_fd, const Accepted& accepted, const std::function<void()>& refused);

 private:
  void accept_all(const Accepted& accepted, const std::function<void()>& refused);
  void out_of_descriptors(const std::function<void()>& refused);
  void refuse(Fd fd);
  void drain_refused(const std::vector<int>& readable);

  // A refused peer still sends its request: closing at once would reset the connection before it reads the 503.
  struct Refused {
    Fd fd;
    Deadline until;
  };

  Fd fd_;
  Fd reserve_fd_;  // given up to accept, and refuse, when no descriptor is left
  int port_ = 0;
  Deadline pause_ = Deadline::at(Clock::time_point::min());  // no accept before it
  std::vector<Refused> refused_;
};

}  // namespace bridle
