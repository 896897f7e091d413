#pragma once

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>
#include <utility>

#include "server/server.h"
#include "tests/support/catch.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/schema_check.h"

namespace bridle::wire {

// A client on a pair of pipes.
class Pipes {
 public:
  explicit Pipes(Server& server) {
    REQUIRE(::pipe2(to_.data(), O_CLOEXEC) == 0);
    REQUIRE(::pipe2(from_.data(), O_CLOEXEC) == 0);
    thread_ = std::thread([this, &server] {
      server.run_stdio(to_[0], from_[1]);
      ::close(from_[1]);
    });
  }
  ~Pipes() {
    close_input();
    thread_.join();
    ::close(to_[0]);
    ::close(from_[0]);
  }
  void say_line(const std::string& line) {
    const std::string bytes = line + "\n";
    REQUIRE(::write(to_[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  void say(const Json& message) { say_line(message.dump()); }
  // The next line, as JSON; null at the end.
  Json hear(Revision revision = kLatestLegacy, const std::string& method = "?") {
    const auto deadline = Deadline::after(kPatience);
    std::size_t end;
    while ((end = heard_.find('\n')) == std::string::npos) {
      pollfd one{from_[0], POLLIN, 0};
      if (::poll(&one, 1, static_cast<int>(deadline.remaining().count())) == 0) FAIL("the server said nothing");
      char bytes[65536];
      const auto count = ::read(from_[0], bytes, sizeof bytes);
      if (count <= 0) return nullptr;
      heard_.append(bytes, static_cast<std::size_t>(count));
    }
    const Json message = Json::parse(heard_.substr(0, end));
    heard_.erase(0, end + 1);
    CHECK(check_message(revision, method, message) == "");
    return message;
  }
  void close_input() {
    if (to_[1] >= 0) ::close(std::exchange(to_[1], -1));
  }

 private:
  std::array<int, 2> to_{};
  std::array<int, 2> from_{};
  std::string heard_;
  std::thread thread_;
};

}  // namespace bridle::wire
