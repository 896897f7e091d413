// What a page is told over a WebSocket belongs to the answer, as what it fetches does [nav.sockets].
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <mutex>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "browser/cdp/websocket_handshake.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// Serves WebSockets: an answer to each message, a while after it. A message says how: "once 300" has one after 300 ms,
// "never" none, "stream" one each 50 ms for as long as the connection lasts.
class SocketServer {
 public:
  SocketServer() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t size = sizeof(address);
    auto* any = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(::bind(socket_.get(), any, size) == 0);
    REQUIRE(::listen(socket_.get(), 8) == 0);
    REQUIRE(::getsockname(socket_.get(), any, &size) == 0);
    url_ = "ws://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/socket";
    acceptor_ = std::thread([this] {
      while (Fd peer{::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC)}) {
        const std::lock_guard lock(mutex_);
        peers_.push_back(peer.get());
        threads_.emplace_back([peer = std::move(peer)] { serve(peer.get()); });
      }
    });
  }
  ~SocketServer() {
    ::shutdown(socket_.get(), SHUT_RDWR);
    acceptor_.join();
    for (const int peer : peers_) ::shutdown(peer, SHUT_RDWR);
    for (auto& thread : threads_) thread.join();
  }
  SocketServer(const SocketServer&) = delete;
  SocketServer& operator=(const SocketServer&) = delete;
  const std::string& url() const { return url_; }

 private:
  static bool say(int peer, const std::string& words) {
    const auto frame = std::string("\x81") + static_cast<char>(words.size()) + words;
    return ::send(peer, frame.data(), frame.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(frame.size());
  }
  static bool get(int peer, char* to, std::size_t count) {
    return ::recv(peer, to, count, MSG_WAITALL) == static_cast<ssize_t>(count);
  }
  // Within so many milliseconds, which are what the server takes to answer.
  static bool has_left(int peer, int within) {
    pollfd watched{.fd = peer, .events = POLLRDHUP, .revents = 0};
    return ::poll(&watched, 1, within) > 0;
  }
  // A message in one frame of less than 126 bytes, as clients mask it; "" at the end.
  static std::string message(int peer) {
    std::array<char, 6> head;
    if (!get(peer, head.data(), head.size()) || (head[0] & 0x0f) != 1) return "";
    std::string words(head[1] & 0x7f, '\0');
    if (!get(peer, words.data(), words.size())) return "";
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<char>(words[i] ^ head[2 + i % 4]);
    return words;
  }
  static void serve(int peer) {
    std::string head;
    for (char byte = 0; head.find("\r\n\r\n") == std::string::npos; head += byte)
      if (!get(peer, &byte, 1)) return;
    const std::string name = "Sec-WebSocket-Key: ";
    const auto begin = head.find(name) + name.size();
    const auto key = head.substr(begin, head.find("\r\n", begin) - begin);
    const auto answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: " +
        ws::accept_for(key) + "\r\n\r\n";
    if (::send(peer, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) return;
    for (int count = 1;; ++count) {
      const auto words = message(peer);
      if (words.empty()) return;
      if (words == "stream")
        for (int i = 0; say(peer, "tick " + std::to_string(i)) && !has_left(peer, 50); ++i) {
        }
      if (!words.starts_with("once ")) continue;
      if (has_left(peer, std::stoi(words.substr(5)))) return;
      if (!say(peer, "answer " + std::to_string(count))) return;
    }
  }
  Fd socket_;
  std::string url_;
  std::thread acceptor_;
  std::mutex mutex_;
  std::vector<int> peers_;
  std::vector<std::thread> threads_;
};

// A page with a button that sends `sent`, an empty #out that shows what has come last, and `script`.
std::string page_with(const SocketServer& server, const std::string& sent, const std::string& script = "") {
  web().set_page("/socket",
                 "<!doctype html><title>Socket</title><button id=go>Go</button><p id=out></p><script>"
                 "const socket = new WebSocket('" +
                     server.url() +
                     "');"
                     "socket.onmessage = ({ data }) => { out.textContent = data; };"
                     "go.onclick = () => socket.send('" +
                     sent + "');" + script + "</script>");
  return web().url("/socket");
}

}  // namespace

TEST_CASE("what a click asks a WebSocket for is in its answer", "[sockets] [nav.sockets]") {
  SocketServer server;
  Session session;
  session.navigate(page_with(server, "once 400"));
  CHECK_THAT(session.ok("browser_click", at("#go")).section("Snapshot"), Contains("answer 1"));
  CHECK_THAT(session.ok("browser_click", at("#go")).section("Snapshot"), Contains("answer 2"));
}

TEST_CASE("what the page asks again when it has an answer is waited for too", "[sockets] [nav.sockets]") {
  SocketServer server;
  Session session;
  session.navigate(page_with(server, "once 200",
                             "let more = 2; socket.addEventListener('message', () => { if (more-- > 0) "
                             "socket.send('once 200'); });"));
  CHECK_THAT(session.ok("browser_click", at("#go")).section("Snapshot"), Contains("answer 3"));
}

TEST_CASE("what a page asks a WebSocket for while it loads is in the navigation's answer", "[sockets] [nav.sockets]") {
  SocketServer server;
  Session session;
  const auto answer = session.ok(
      "browser_navigate", {{"url", page_with(server, "never", "socket.onopen = () => socket.send('once 300');")}});
  CHECK_THAT(answer.section("Snapshot"), Contains("answer 1"));
}

TEST_CASE("a WebSocket that never answers is waited for once", "[sockets] [nav.sockets]") {
  SocketServer server;
  Session session;
  session.navigate(page_with(server, "never"));
  CHECK(session.ok("browser_click", at("#go")).took >= 900ms);
  CHECK(session.ok("browser_click", at("#go")).waited < 500ms);
}

TEST_CASE("a stream over a WebSocket holds no answer up", "[sockets] [nav.sockets]") {
  SocketServer server;
  Session session;
  session.navigate(page_with(server, "stream", "socket.onopen = () => socket.send('stream');"));
  // The stream has gone on for so long after the page's message that it is no answer to that.
  session.evaluate(
      "new Promise((done) => { const look = () => +out.textContent.slice(5) >= 24 ? done(1) : setTimeout(look, 20); "
      "look(); })");
  for (const char* target : {"#out", "#go"}) {
    CAPTURE(target);
    CHECK(session.ok("browser_click", at(target)).waited < 600ms);
  }
}
