// bridle-site [--port N]: the fixture server on its own, for tests that aren't written in C++ and for looking at pages.
// Ends at end of file on stdin, SIGTERM or SIGINT.
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <exception>
#include <iostream>
#include <optional>
#include <span>
#include <string_view>

#include "tests/site/site_server.h"

namespace {

std::optional<std::uint16_t> parse_port(std::span<char*> arguments) {
  if (arguments.size() == 1) return std::uint16_t{0};
  if (arguments.size() != 3 || std::string_view(arguments[1]) != "--port") return std::nullopt;
  const std::string_view text = arguments[2];
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

void wait_for_end(int signals) {
  for (;;) {
    std::array<pollfd, 2> fds{{{STDIN_FILENO, POLLIN, 0}, {signals, POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), -1) < 0) continue;
    if (fds[1].revents != 0) return;
    std::array<char, 256> ignored;
    if (fds[0].revents != 0 && ::read(STDIN_FILENO, ignored.data(), ignored.size()) <= 0) return;
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const auto port = parse_port(std::span(argv, static_cast<std::size_t>(argc)));
  if (!port) {
    std::cerr << "usage: bridle-site [--port N]\n";
    return 2;
  }
  // Blocked before the server starts its threads, which inherit the mask.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  const bridle::Fd signals(::signalfd(-1, &ends, SFD_CLOEXEC));

  bridle::site::SiteServer server(*port);
  std::cout << "site listening on " << server.origin() << std::endl;
  wait_for_end(signals.get());
  return 0;
} catch (const std::exception& error) {
  std::cerr << "bridle-site: " << error.what() << '\n';
  return 1;
}
