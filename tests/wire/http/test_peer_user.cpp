// Only processes of the same user are served, where no token says otherwise.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>

#include "server/http/peer_user.h"
#include "tests/support/catch.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/neighbours.h"
#include "tests/wire/support/test_server.h"

using namespace bridle;
using namespace bridle::wire;

namespace {

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

PeerUser user_of_peer(int fd) { return PeerOwners().of(fd).user; }

// What a process of another user gets from GET /healthz: the status line's code, or -1.
int status_for(uid_t user, int port) {
  const OtherUser other(
      [port] {
        RawClient client(port);
        client.send(http_text(port, "GET", "/healthz", "", {}));
        return client.read().status;
      },
      user);
  return other.result();
}

// In a process with a user namespace of its own: what `look` returns, or -1. `map`: the namespace's numbers, or "" for
// none at all.
int in_user_namespace(const std::string& map, const std::function<int()>& look) {
  int results[2];
  REQUIRE(::pipe(results) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    int result = -1;
    if (::unshare(CLONE_NEWUSER) == 0) {
      const int file = ::open("/proc/self/uid_map", O_WRONLY | O_CLOEXEC);
      const bool mapped = map.empty() || ::write(file, map.data(), map.size()) == static_cast<ssize_t>(map.size());
      if (mapped) result = look();
    }
    [[maybe_unused]] const auto written = ::write(results[1], &result, sizeof result);
    ::_exit(0);
  }
  int result = -1;
  CHECK(::read(results[0], &result, sizeof result) == sizeof result);
  ::waitpid(child, nullptr, 0);
  ::close(results[0]);
  ::close(results[1]);
  return result;
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
    CHECK(user_of_peer(ours) == PeerUser::same);
    CHECK(user_of_peer(theirs) == PeerUser::same);
    ::close(theirs);
    CHECK(eventually([fd = ours] { return user_of_peer(fd) == PeerUser::unknown; }));
    ::close(ours);
  }
  CHECK(user_of_peer(-1) == PeerUser::unknown);
}

TEST_CASE("peer user: another user's process is refused, unless there is a token", "[wire.peer-user]") {
  if (!can_be_another_user()) return;
  TestServer server;
  CHECK(status_for(0, server.port()) == 200);
  CHECK(status_for(kNobody, server.port()) == 403);
  TestServer with_token([](ServerOptions& options) { options.token = "let-me-in"; });
  CHECK(status_for(kNobody, with_token.port()) == 200);  // /healthz asks for none
}

TEST_CASE("peer user: a user namespace with a number for everybody is told from one without", "[wire.peer-user]") {
  CHECK(maps_every_user("         0          0 4294967295\n"));
  CHECK(maps_every_user("0 0 1000\n1000 5000 4294966295\n"));
  for (const char* map : {"", "\n", "0 1000 1\n", "0 1000 1\n1 100000 65536\n", "65534 65534 1\n", "nonsense"}) {
    CAPTURE(map);
    CHECK_FALSE(maps_every_user(map));
  }
}

// There, everybody without a number is shown by one and the same: 65534, or what the system says.
TEST_CASE("peer user: in a user namespace, who has no number there is unknown, even if we have none either",
          "[wire.peer-user]") {
  const auto [ours, theirs] = connected(AF_INET);
  const auto look = [fd = ours] { return static_cast<int>(user_of_peer(fd)); };
  const int unmapped = in_user_namespace("", look);
  if (unmapped < 0) {
    WARN("the system gives no user namespace, so this is not tried");
    return;
  }
  CHECK(unmapped == static_cast<int>(PeerUser::unknown));
  // Its own user has a number: 7 there.
  const std::string map = "7 " + std::to_string(::geteuid()) + " 1\n";
  CHECK(in_user_namespace(map, look) == static_cast<int>(PeerUser::same));
  ::close(ours);
  ::close(theirs);
}

TEST_CASE("peer user: in a user namespace, another user outside of it is unknown", "[wire.peer-user]") {
  if (!can_be_another_user()) return;
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  REQUIRE(::bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(::listen(listener, 1) == 0);
  REQUIRE(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const OtherUser other([port = ntohs(address.sin_port)] {
    static auto* const client = new RawClient(port);
    return client->fd() >= 0 ? 0 : 1;
  });
  CHECK(other.result() == 0);
  const int ours = ::accept(listener, nullptr, nullptr);
  REQUIRE(ours >= 0);
  CHECK(user_of_peer(ours) == PeerUser::other);
  const int seen = in_user_namespace("0 0 1\n", [ours] { return static_cast<int>(user_of_peer(ours)); });
  CHECK((seen == -1 || seen == static_cast<int>(PeerUser::unknown)));
  ::close(ours);
  ::close(listener);
}

TEST_CASE("peer user: asking takes microseconds, however many sockets there are", "[wire.peer-user]") {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < 200; ++i) pairs.push_back(connected(i % 2 == 0 ? AF_INET : AF_INET6));
  PeerOwners owners;
  constexpr int kRounds = 20;
  int same = 0;
  const auto before = std::clock();
  for (int i = 0; i < kRounds; ++i) {
    for (const auto& [ours, theirs] : pairs) same += owners.of(ours).user == PeerUser::same ? 1 : 0;
  }
  const std::chrono::nanoseconds each((std::clock() - before) * (1'000'000'000 / CLOCKS_PER_SEC) / (kRounds * 200));
  CHECK(same == kRounds * 200);
  WARN("ns for a peer's owner: " << each.count());
  CHECK(each < std::chrono::microseconds(200));
  for (const auto& [ours, theirs] : pairs) {
    ::close(ours);
    ::close(theirs);
  }
}
