// The few POSIX socket pieces the fixture server stands on.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bridle::site {

// All times of the fixture are milliseconds of the steady clock, which on Linux is CLOCK_MONOTONIC: another process
// on the same machine can compare them with its own (`process.hrtime` in node).
using Millis = std::chrono::milliseconds;
Millis steady_now();

// Owns one file descriptor.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept;
  ~UniqueFd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void reset();

 private:
  int fd_ = -1;
};

// A non-blocking listener on 127.0.0.1; port 0 takes a free one. Throws std::system_error.
UniqueFd listen_on_loopback(std::uint16_t port);
std::uint16_t local_port(int socket);
UniqueFd make_event();
void signal_event(int event);

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

  Channel(UniqueFd socket, int stop_event);

  // Appends what arrives to `buffer`. hung_up at end of stream.
  Wait receive(std::string& buffer);
  // ready once everything is handed to the kernel.
  Wait send(std::string_view bytes);
  // Sends nothing and reads nothing: waits until `condition` holds (it is asked again at each wake), watching the peer.
  Wait wait_for(const std::function<bool()>& condition, Deadline deadline);
  // Closes with RST instead of FIN.
  void close_with_reset();
  void close_gently();

  int wake_event() const { return wake_event_.get(); }
  std::uint16_t port() const { return port_; }

 private:
  UniqueFd socket_;
  UniqueFd wake_event_;
  int stop_event_;
  std::uint16_t port_;
};

}  // namespace bridle::site
