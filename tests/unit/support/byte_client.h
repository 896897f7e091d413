#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "tests/site/site_server.h"

namespace bridle::testing {

inline constexpr site::Millis kPatience{5000};

struct Answer {
  int status = 0;
  std::string head;
  std::string body;  // unchunked
};

// An HTTP client that shows every byte. Its reads give up after kPatience.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    must(::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0, "connect");
  }

  void send(std::string_view bytes) {
    must(::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()), "send");
  }

  void get(const std::string& target, const std::string& headers = "") {
    send("GET " + target + " HTTP/1.1\r\nHost: fixture\r\n" + headers + "\r\n");
  }

  // False at the end of the stream, at an error, or when nothing comes for so long.
  bool receive(site::Millis timeout = kPatience) {
    pollfd readable{socket_.get(), POLLIN, 0};
    if (::poll(&readable, 1, static_cast<int>(timeout.count())) <= 0) return false;
    std::array<char, 64 * 1024> chunk;
    const ssize_t count = ::recv(socket_.get(), chunk.data(), chunk.size(), 0);
    error_ = count < 0 ? errno : 0;
    if (count <= 0) return false;
    buffer_.append(chunk.data(), static_cast<std::size_t>(count));
    return true;
  }

  bool receive_until(std::string_view text) {
    while (!buffer_.contains(text)) {
      if (!receive()) return false;
    }
    return true;
  }

  Answer answer(bool with_body = true) {
    Answer got;
    must(receive_until("\r\n\r\n"), "receive a head");
    got.head = take(buffer_.find("\r\n\r\n") + 4);
    got.status = std::stoi(got.head.substr(9, 3));
    if (got.head.contains("Transfer-Encoding: chunked")) {
      bool malformed = false;
      std::optional<site::ChunkedBody> chunked;
      while (!(chunked = site::parse_chunked(buffer_, malformed))) {
        must(!malformed && receive(), "receive a chunked body");
      }
      got.body = chunked->body;
      take(chunked->consumed);
    } else if (const std::size_t at = got.head.find("Content-Length: "); with_body && at != std::string::npos) {
      const std::size_t size = std::stoul(got.head.substr(at + 16));
      while (buffer_.size() < size) must(receive(), "receive a body");
      got.body = take(size);
    }
    return got;
  }

  void close() { socket_.reset(); }
  void close_with_reset() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    socket_.reset();
  }
  void half_close() { ::shutdown(socket_.get(), SHUT_WR); }
  int last_error() const { return error_; }
  const std::string& buffered() const { return buffer_; }

 private:
  // Not REQUIRE: Catch's macros belong to one thread, and clients are used by many.
  static void must(bool good, const char* what) {
    if (!good) throw std::runtime_error(std::string("client: can't ") + what);
  }

  std::string take(std::size_t count) {
    std::string taken = buffer_.substr(0, count);
    buffer_.erase(0, count);
    return taken;
  }

  Fd socket_;
  std::string buffer_;
  int error_ = 0;
};

inline Answer fetch(std::uint16_t port, const std::string& target, const std::string& headers = "") {
  Client client(port);
  client.get(target, headers);
  return client.answer();
}

inline std::string header_of(const Answer& answer, const std::string& name) {
  const std::size_t at = answer.head.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const std::size_t start = at + name.size() + 4;
  return answer.head.substr(start, answer.head.find("\r\n", start) - start);
}

}  // namespace bridle::testing
