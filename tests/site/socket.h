// The few POSIX socket pieces the fixture server stands on.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/concurrency/wake_fd.h"
#include "base/fd.h"

namespace bridle::site {

// All times of the fixture are milliseconds of the steady clock, which on Linux is CLOCK_MONOTONIC: another process
// on the same machine can compare them with its own (`process.hrtime` in node).
using Millis = std::chrono::milliseconds;
Millis steady_now();

// A non-blocking listener on 127.0.0.1; port 0 takes a free one. Throws std::system_error.
Fd listen_on_loopback(std::uint16_t port);
std::uint16_t local_port(int socket);

// How a wait ended.
enum class Wait {
  ready,    // what was waited for is here
  elapsed,  // the deadline passed
  hung_up,  // the peer closed its end, by FIN or RST
  stopped,  // the server stops
};

// One accepted connection. Used by its own thread only, except for `wake_event`, which any thread may signal.
// No call outlasts the server's stop: `stop_event` stays readable from then on and ends every poll.
class Channel {
 public:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;

  Channel(Fd socket, int stop_event);

  // Appends what arrives to `buffer`. hung_up at end of stream.
  Wait receive(std::string& buffer);
  // ready once everything is handed to the kernel.
  Wait send(std::string_view bytes);
  // Sends nothing and reads nothing: waits until `condition` holds (it is asked again at each wake), watching the peer.
  Wait wait_for(const std::function<bool()>& condition, Deadline deadline);
  // Closes with RST instead of FIN.
  void close_with_reset();
  void close_gently();

  const WakeFd& wake_event() const { return wake_event_; }
  std::uint16_t port() const { return port_; }

 private:
  Fd socket_;
  WakeFd wake_event_;
  int stop_event_;
  std::uint16_t port_;
};

}  // namespace bridle::site
