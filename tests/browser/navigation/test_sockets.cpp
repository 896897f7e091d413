// What a page is told over a WebSocket belongs to the answer, as what it fetches does [nav.sockets].
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/concurrency/wake_fd.h"
#include "base/fd.h"
#include "browser/cdp/websocket_handshake.h"
#include "tests/browser/support/browser_fixture.h"
#include "tests/site/socket.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// Serves WebSockets: an answer to each message, a while after it. A message says how: "once 300" has one after 300 ms,
// "never" none, "stream" one each 50 ms for as long as the connection lasts.
class SocketServer {
 public:
  SocketServer()
      : listener_(site::listen_on_loopback(0)),
        url_("ws://127.0.0.1:" + std::to_string(site::local_port(listener_.get())) + "/socket"),
        acceptor_([this] { accept(); }) {}
  ~SocketServer() {
    stop_.wake();
    acceptor_.join();
  }
  SocketServer(const SocketServer&) = delete;
  SocketServer& operator=(const SocketServer&) = delete;
  const std::string& url() const { return url_; }

 private:
  void accept() {
    std::vector<std::jthread> threads;  // which end with the server, as each wait of a channel does
    for (;;) {
      std::array<pollfd, 2> fds{{{listener_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}}};
      if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return;
      if (fds[1].revents != 0) return;
      Fd peer(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!peer) continue;
      threads.emplace_back([this, peer = std::move(peer)]() mutable { Connection(std::move(peer), stop_).serve(); });
    }
  }

  class Connection {
   public:
    Connection(Fd peer, const WakeFd& stop) : channel_(std::move(peer), stop.get()) {}

    void serve() {
      if (!shake_hands()) return;
      for (int count = 1;; ++count) {
        const auto words = message();
        if (words.empty()) return;
        if (words == "stream") {
          int tick = 0;
          do {
            if (!say("tick " + std::to_string(tick++))) return;
          } while (stays(50ms));
        } else if (words.starts_with("once ")) {
          if (!stays(Millis(std::stoi(words.substr(5)))) || !say("answer " + std::to_string(count))) return;
        }
      }
    }

   private:
    bool shake_hands() {
      while (read_.find("\r\n\r\n") == std::string::npos)
        if (channel_.receive(read_) != site::Wait::ready) return false;
      const std::string name = "Sec-WebSocket-Key: ";
      const auto begin = read_.find(name) + name.size();
      const auto key = read_.substr(begin, read_.find("\r\n", begin) - begin);
      read_.erase(0, read_.find("\r\n\r\n") + 4);
      return channel_.send(
                 "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 "Sec-WebSocket-Accept: " +
                 ws::accept_for(key) + "\r\n\r\n") == site::Wait::ready;
    }
    // A message in one frame of less than 126 bytes, as clients mask it; "" at the end.
    std::string message() {
      constexpr std::size_t kHead = 6;
      const auto size = [&] { return kHead + static_cast<std::size_t>(read_[1] & 0x7f); };
      while (read_.size() < kHead || read_.size() < size())
        if (channel_.receive(read_) != site::Wait::ready) return "";
      if ((read_[0] & 0x0f) != 1) return "";
      std::string words = read_.substr(kHead, size() - kHead);
      for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<char>(words[i] ^ read_[2 + i % 4]);
      read_.erase(0, size());
      return words;
    }
    bool say(const std::string& words) {
      return channel_.send(std::string("\x81") + static_cast<char>(words.size()) + words) == site::Wait::ready;
    }
    // Whether the client is still there after this time, which is what the server takes to answer.
    bool stays(Millis time) {
      return channel_.wait_for([] { return false; }, std::chrono::steady_clock::now() + time) == site::Wait::elapsed;
    }

    site::Channel channel_;
    std::string read_;
  };

  WakeFd stop_;
  Fd listener_;
  std::string url_;
  std::thread acceptor_;
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
  session.navigate(page_with(server, "stream",
                             "socket.onopen = () => socket.send('stream');"
                             "const late = new Promise((done) => socket.addEventListener('message', ({ data }) => { if "
                             "(data === 'tick 24') done(); }));"));
  // By then the stream has gone on for so long after the page's message that it is no answer to that.
  session.evaluate("late");
  for (const char* target : {"#out", "#go"}) {
    CAPTURE(target);
    CHECK(session.ok("browser_click", at(target)).waited < 600ms);
  }
}
