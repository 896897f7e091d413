#include <fcntl.h>

#include <catch2/catch.hpp>

#include "tests/wire/mcp_client.h"
#include "tests/wire/schema_check.h"
#include "tests/wire/test_server.h"

using namespace bridle;
using namespace bridle::wire;

namespace {

// A client on a pair of pipes.
class Pipes {
 public:
  explicit Pipes(TestServer& server) {
    REQUIRE(::pipe2(to_.data(), O_CLOEXEC) == 0);
    REQUIRE(::pipe2(from_.data(), O_CLOEXEC) == 0);
    thread_ = std::thread([this, &server] {
      server.server->run_stdio(to_[0], from_[1]);
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

Json initialize() {
  return {{"jsonrpc", "2.0"},
          {"id", 0},
          {"method", "initialize"},
          {"params",
           {{"protocolVersion", "2025-11-25"},
            {"capabilities", Json::object()},
            {"clientInfo", {{"name", "x"}, {"version", "1"}}}}}};
}

Json call(const Json& id, const char* tool) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"method", "tools/call"},
          {"params", {{"name", tool}, {"arguments", Json::object()}}}};
}

}  // namespace

TEST_CASE("stdio: a legacy client; a bad line is told, and the next is served; a cancel is silent; the end aborts") {
  TestServer server;
  {
    Pipes pipes(server);
    pipes.say(initialize());
    CHECK(pipes.hear()["result"]["protocolVersion"] == "2025-11-25");
    pipes.say_line("{broken");
    const Json refused = pipes.hear();
    CHECK(refused["error"]["code"] == -32700);
    CHECK_FALSE(refused.contains("id"));
    pipes.say_line("[]");
    CHECK(pipes.hear()["error"]["code"] == -32600);
    pipes.say_line("");
    pipes.say(call(1, "instant"));
    CHECK(pipes.hear()["result"]["content"][0]["text"] == "now");
    pipes.say(call(2, "gate"));
    REQUIRE(eventually([&] { return server.at_gate() == 1; }));
    pipes.say(Json{{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 2}}}});
    REQUIRE(eventually([&] { return server.at_gate() == 0; }));
    pipes.say(Json{{"jsonrpc", "2.0"}, {"id", 3}, {"method", "ping"}});
    CHECK(pipes.hear()["id"] == 3);
    pipes.say(call(4, "gate"));
    REQUIRE(eventually([&] { return server.at_gate() == 1; }));
    pipes.close_input();
    CHECK(eventually([&] { return server.at_gate() == 0; }));
    CHECK(pipes.hear().is_null());
  }
  CHECK(server.status()["recent"][0]["reason"] == "session_closed");
}

TEST_CASE("stdio: a modern client, cancelling by notification, listening") {
  TestServer server;
  Pipes pipes(server);
  constexpr auto kModern = Revision::v2026_07_28;
  const auto modern = [](Json message) {
    message["params"]["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                                  {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
    return message;
  };
  const auto request = [&](const Json& id, const char* method) {
    return modern({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", Json::object()}});
  };
  pipes.say(request("d", "server/discover"));
  CHECK(pipes.hear(kModern, "server/discover")["result"]["supportedVersions"].size() == 5);
  pipes.say(request(1, "ping"));
  CHECK(pipes.hear(kModern)["error"]["code"] == -32601);
  pipes.say(modern(call(2, "gate")));
  REQUIRE(eventually([&] { return server.at_gate() == 1; }));
  pipes.say(Json{{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 2}}}});
  REQUIRE(eventually([&] { return server.at_gate() == 0; }));
  Json listen = request("l", "subscriptions/listen");
  listen["params"]["notifications"] = Json::object();
  pipes.say(listen);
  CHECK(pipes.hear(kModern)["method"] == "notifications/subscriptions/acknowledged");
  pipes.say(modern(call(3, "instant")));
  CHECK(pipes.hear(kModern, "tools/call")["result"]["resultType"] == "complete");
  pipes.say(modern(call(4, "gate")));
  REQUIRE(eventually([&] { return server.at_gate() == 1; }));
  CHECK(server.shutdown());
  std::vector<Json> last;
  for (Json message; !(message = pipes.hear(kModern)).is_null();) last.push_back(message);
  REQUIRE(last.size() == 2);  // the listener's result, the call's error
  for (const Json& message : last) CHECK((message["id"] == "l" || message["error"]["code"] == -32603));
}
