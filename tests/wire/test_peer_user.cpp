// Only processes of the same user are served, where no token says otherwise.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "server/http/peer_user.h"
#include "tests/support/catch.h"
#include "tests/wire/mcp_client.h"
#include "tests/wire/test_server.h"

using namespace bridle;
using namespace bridle::wire;

namespace {

constexpr uid_t kNobody = 65534;
constexpr const char* kTable =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1 0 100 0 0 10 0\n"
    "   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 222 1 0 20 4 30 10 -1\n"
    "   2: 0100007F:C351 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1\n";

// A connected pair over loopback: {ours, theirs}.
std::pair<int, int> connected(int family) {
  sockaddr_storage address{};
  socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  address.ss_family = static_cast<sa_family_t>(family);
  if (family == AF_INET) {
    reinterpret_cast<sockaddr_in&>(address).sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  } else {
    reinterpret_cast<sockaddr_in6&>(address).sin6_addr = in6addr_loopback;
  }
  const int listener = ::socket(family, SOCK_STREAM, 0);
  REQUIRE(::bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(::listen(listener, 1) == 0);
  REQUIRE(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const int theirs = ::socket(family, SOCK_STREAM, 0);
  REQUIRE(::connect(theirs, reinterpret_cast<sockaddr*>(&address), size) == 0);
  const int ours = ::accept(listener, nullptr, nullptr);
  REQUIRE(ours >= 0);
  ::close(listener);
  return {ours, theirs};
}

// What a process of another user gets from GET /healthz: the status line's code, or -1.
int status_for(uid_t user, int port) {
  int results[2];
  REQUIRE(::pipe(results) == 0);
  const std::string request =
      "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\nConnection: close\r\n\r\n";
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    int status = -1;
    char answer[64] = {};
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::setresuid(user, user, user) == 0) {
      const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
      if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
          ::send(fd, request.data(), request.size(), 0) > 0 && ::recv(fd, answer, sizeof answer - 1, 0) > 12) {
        status = (answer[9] - '0') * 100 + (answer[10] - '0') * 10 + (answer[11] - '0');
      }
    }
    [[maybe_unused]] const auto written = ::write(results[1], &status, sizeof status);
    ::_exit(0);
  }
  int status = -1;
  CHECK(::read(results[0], &status, sizeof status) == sizeof status);
  ::waitpid(child, nullptr, 0);
  ::close(results[0]);
  ::close(results[1]);
  return status;
}

}  // namespace

TEST_CASE("peer user: the table of the kernel, as /proc shows it") {
  CHECK(owner_in(kTable, "0100007F:C350", "0100007F:1F90") == uid_t{1000});
  CHECK(owner_in(kTable, "0100007F:1F90", "00000000:0000") == uid_t{0});
  // Held by nobody: its uid says 0, and means nothing.
  CHECK(owner_in(kTable, "0100007F:C351", "0100007F:1F90") == std::nullopt);
  CHECK(owner_in(kTable, "0100007F:C352", "0100007F:1F90") == std::nullopt);
  CHECK(owner_in("", "0100007F:C350", "0100007F:1F90") == std::nullopt);
}

// Where the kernel has no sock_diag, this is the way.
TEST_CASE("peer user: a real connection stands in /proc/net/tcp as it is looked up there") {
  const auto [ours, theirs] = connected(AF_INET);
  const auto end_of = [](int fd) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    REQUIRE(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    char text[32];
    std::snprintf(text, sizeof text, "%08X:%04X", address.sin_addr.s_addr, ntohs(address.sin_port));
    return std::string(text);
  };
  std::ifstream file("/proc/net/tcp");
  const std::string table(std::istreambuf_iterator<char>(file), {});
  CHECK(owner_in(table, end_of(theirs), end_of(ours)) == ::geteuid());
  CHECK(owner_in(table, end_of(ours), end_of(theirs)) == ::geteuid());
  ::close(ours);
  ::close(theirs);
}

TEST_CASE("peer user: this process is the same user, a closed socket nobody's", "[wire.peer-user]") {
  for (const int family : {AF_INET, AF_INET6}) {
    const auto [ours, theirs] = connected(family);
    CAPTURE(family);
    CHECK(peer_user(ours) == PeerUser::same);
    CHECK(peer_user(theirs) == PeerUser::same);
    ::close(theirs);
    CHECK(eventually([fd = ours] { return peer_user(fd) == PeerUser::unknown; }));
    ::close(ours);
  }
  CHECK(peer_user(-1) == PeerUser::unknown);
}

TEST_CASE("peer user: another user's process is refused, unless there is a token", "[wire.peer-user]") {
  if (::geteuid() != 0) {
    WARN("not root: can't become another user");
    return;
  }
  TestServer server;
  CHECK(status_for(0, server.port()) == 200);
  CHECK(status_for(kNobody, server.port()) == 403);
  TestServer with_token([](ServerOptions& options) { options.token = "let-me-in"; });
  CHECK(status_for(kNobody, with_token.port()) == 200);  // /healthz asks for none
}
