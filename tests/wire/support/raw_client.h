#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/concurrency/deadline.h"

namespace bridle::wire {

// Far above what any step needs, also under a sanitizer: a test that reaches it has failed.
inline constexpr Millis kPatience{30'000};

struct RawReply {
  int status = 0;
  std::string head;  // with the status line
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  bool whole = false;  // the body ended as its framing promised

  // The first value; "" when absent.
  std::string header(std::string_view name) const {
    for (const auto& [key, value] : headers) {
      const bool same = key.size() == name.size() &&
                        std::equal(key.begin(), key.end(), name.begin(),
                                   [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
      if (same) return value;
    }
    return {};
  }
};

// A socket to a server on loopback that sends exactly the bytes it is told to, and reads answers with a deadline.
// A step that takes longer than its time throws; the peer's close never does, unless it cuts a head short.
class RawClient {
 public:
  explicit RawClient(int port, const char* host = "127.0.0.1") : RawClient(Unconnected{}, host) { connect(port); }
  struct Unconnected {};  // creates the socket only
  explicit RawClient(Unconnected, const char* host = "127.0.0.1") : host_(host) {
    fd_ = ::socket(is_v6() ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd_ < 0) throw std::runtime_error("no socket");
  }
  ~RawClient() { close(); }
  RawClient(RawClient&& other) noexcept
      : host_(std::move(other.host_)), fd_(std::exchange(other.fd_, -1)), buffer_(std::move(other.buffer_)) {}
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  RawClient& operator=(RawClient&&) = delete;

  void connect(int port) {
    sockaddr_storage storage{};
    socklen_t size = sizeof(sockaddr_in);
    if (is_v6()) {
      auto* address = reinterpret_cast<sockaddr_in6*>(&storage);
      address->sin6_family = AF_INET6;
      address->sin6_port = htons(static_cast<std::uint16_t>(port));
      ::inet_pton(AF_INET6, host_.c_str(), &address->sin6_addr);
      size = sizeof(sockaddr_in6);
    } else {
      auto* address = reinterpret_cast<sockaddr_in*>(&storage);
      address->sin_family = AF_INET;
      address->sin_port = htons(static_cast<std::uint16_t>(port));
      ::inet_pton(AF_INET, host_.c_str(), &address->sin_addr);
    }
    if (::connect(fd_, reinterpret_cast<sockaddr*>(&storage), size) != 0) throw std::runtime_error("cannot connect");
  }

  // Throws when the server takes no more bytes.
  void send(std::string_view bytes) {
    if (!try_send(bytes)) throw std::runtime_error("the server closed while we sent");
  }
  // False when the server closed before all was sent.
  bool try_send(std::string_view bytes, Millis time = kPatience) {
    const auto deadline = Deadline::after(time);
    while (!bytes.empty()) {
      const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent > 0) {
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno == EAGAIN) {
        wait(POLLOUT, deadline);
      } else {
        return false;
      }
    }
    return true;
  }

  void half_close() { ::shutdown(fd_, SHUT_WR); }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  // Closes with a RST.
  void reset() {
    const linger now{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
  }
  int fd() const { return fd_; }
  int local_port() const {
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&own), &size);
    return ntohs(own.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&own)->sin6_port
                                           : reinterpret_cast<sockaddr_in*>(&own)->sin_port);
  }

  // Status line and headers. The body is left to the functions below.
  RawReply read_head(Millis time = kPatience) {
    const auto deadline = Deadline::after(time);
    std::size_t end;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
      if (!fill(deadline)) throw std::runtime_error("the server closed before an answer: '" + buffer_ + "'");
    }
    RawReply reply;
    reply.head = take(end + 4);
    if (reply.head.size() > 12) reply.status = std::atoi(reply.head.c_str() + 9);
    for (auto at = reply.head.find("\r\n") + 2; at + 2 < reply.head.size();) {
      const auto line_end = reply.head.find("\r\n", at);
      const auto colon = reply.head.find(": ", at);
      if (colon < line_end) {
        reply.headers.emplace_back(reply.head.substr(at, colon - at),
                                   reply.head.substr(colon + 2, line_end - colon - 2));
      }
      at = line_end + 2;
    }
    return reply;
  }

  // A whole answer. `has_body` is false for the answer to a HEAD.
  RawReply read(bool has_body = true, Millis time = kPatience) {
    auto reply = read_head(time);
    const auto length = reply.header("Content-Length");
    if (!has_body || reply.status == 204 || reply.status / 100 == 1) {
      reply.whole = true;
    } else if (reply.header("Transfer-Encoding") == "chunked") {
      while (auto chunk = read_chunk(time)) {
        reply.whole = chunk->empty();
        if (reply.whole) break;
        reply.body += *chunk;
      }
    } else if (!length.empty()) {
      const auto deadline = Deadline::after(time);
      const auto size = static_cast<std::size_t>(std::atoll(length.c_str()));
      while (buffer_.size() < size && fill(deadline)) {
      }
      reply.whole = buffer_.size() >= size;
      reply.body = take(std::min(size, buffer_.size()));
    } else {
      reply.body = read_all(time);
      reply.whole = true;
    }
    return reply;
  }

  // So many bytes of a body; fewer when the server closes before.
  std::string read_bytes(std::size_t size, Millis time = kPatience) {
    const auto deadline = Deadline::after(time);
    while (buffer_.size() < size && fill(deadline)) {
    }
    return take(std::min(size, buffer_.size()));
  }

  // The next chunk's data: "" is the terminating chunk, nullopt the connection's end.
  std::optional<std::string> read_chunk(Millis time = kPatience) {
    const auto deadline = Deadline::after(time);
    std::size_t line;
    while ((line = buffer_.find("\r\n")) == std::string::npos) {
      if (!fill(deadline)) return std::nullopt;
    }
    const auto size = static_cast<std::size_t>(std::strtoull(buffer_.c_str(), nullptr, 16));
    while (buffer_.size() < line + 2 + size + 2) {
      if (!fill(deadline)) return std::nullopt;
    }
    take(line + 2);
    auto data = take(size);
    take(2);
    return data;
  }

  // The next frame of a chunked text/event-stream, without its empty line, comments included; nullopt at the
  // stream's end, which `stream_whole` tells from a cut connection.
  std::optional<std::string> read_event(Millis time = kPatience) {
    for (;;) {
      const auto end = events_.find("\n\n");
      if (end != std::string::npos) {
        auto frame = events_.substr(0, end);
        events_.erase(0, end + 2);
        return frame;
      }
      const auto chunk = read_chunk(time);
      stream_whole = chunk && chunk->empty();
      if (!chunk || chunk->empty()) return std::nullopt;
      events_ += *chunk;
    }
  }
  bool stream_whole = false;

  // Everything up to the server's close.
  std::string read_all(Millis time = kPatience) {
    const auto deadline = Deadline::after(time);
    while (fill(deadline)) {
    }
    return take(buffer_.size());
  }
  // True when the server closes within `time`; what it still sends is dropped.
  bool closed_within(Millis time = kPatience) {
    try {
      read_all(time);
      return true;
    } catch (const std::runtime_error&) {
      return false;
    }
  }

 private:
  bool is_v6() const { return host_.find(':') != std::string::npos; }
  std::string take(std::size_t size) {
    auto taken = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return taken;
  }
  void wait(short events, Deadline deadline) {
    pollfd poller{fd_, events, 0};
    if (::poll(&poller, 1, static_cast<int>(deadline.remaining().count())) == 0 && deadline.expired()) {
      throw std::runtime_error("the server took too long");
    }
  }
  // False when the server closed or reset the connection.
  bool fill(Deadline deadline) {
    std::array<char, 64 * 1024> bytes;
    for (;;) {
      const auto size = ::recv(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (size > 0) buffer_.append(bytes.data(), static_cast<std::size_t>(size));
      if (size >= 0) return size > 0;
      if (errno != EAGAIN) return false;
      wait(POLLIN, deadline);
    }
  }

  std::string host_;
  int fd_ = -1;
  std::string buffer_;
  std::string events_;
};

}  // namespace bridle::wire
