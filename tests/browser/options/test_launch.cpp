// How the browser is launched or connected to: --channel, --browser-arg, --cdp-header, --cdp-timeout,
// --shared-browser-context.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>
#include <mutex>
#include <regex>
#include <thread>

#include "base/fd.h"
#include "browser/cdp/websocket_transport.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

std::string command_line_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Takes connections one after another, reads each one's head, answers nothing and closes it when `answers`.
class Listener {
 public:
  explicit Listener(bool answers) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t size = sizeof(address);
    auto* any = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(::bind(socket_.get(), any, size) == 0);
    REQUIRE(::listen(socket_.get(), 8) == 0);
    REQUIRE(::getsockname(socket_.get(), any, &size) == 0);
    port_ = std::to_string(ntohs(address.sin_port));
    if (answers) thread_ = std::thread([this] { serve(); });
  }
  ~Listener() {
    ::shutdown(socket_.get(), SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
  }
  const std::string& port() const { return port_; }
  std::string head() const {
    const std::lock_guard lock(mutex_);
    return head_;
  }

 private:
  void serve() {
    for (;;) {
      const Fd peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!peer) return;
      std::string head;
      std::array<char, 4096> bytes;
      while (head.find("\r\n\r\n") == std::string::npos) {
        const auto got = ::read(peer.get(), bytes.data(), bytes.size());
        if (got <= 0) break;
        head.append(bytes.data(), static_cast<std::size_t>(got));
      }
      const std::lock_guard lock(mutex_);
      head_ = head;
    }
  }
  Fd socket_;
  std::string port_;
  std::thread thread_;
  mutable std::mutex mutex_;
  std::string head_;
};

}  // namespace

TEST_CASE("attach: --cdp-header goes with each request and into no words", "[attach] [tool.cli.browser]") {
  const Listener listener(true);
  const WebSocketTransport::Settings settings{.headers = {"X-Key: hush", "X-Empty: ", "Authorization: Bearer hush"}};
  for (const std::string scheme : {"http://", "ws://"}) {
    try {
      WebSocketTransport::connect(CallContext{}.within(5s), scheme + "user:pw@127.0.0.1:" + listener.port(), settings);
      FAIL("there is no browser");
    } catch (const LaunchError& error) {
      CHECK_THAT(error.what(), !Contains("hush"));
    }
    REQUIRE(eventually([&] { return !listener.head().empty(); }));
    const auto head = listener.head();
    CAPTURE(scheme, head);
    CHECK((scheme == "ws://") == (head.find("Upgrade: websocket") != std::string::npos));
    CHECK(std::regex_search(head, std::regex("\r\nX-Empty: ?\r\n")));
    CHECK_THAT(head, Contains("X-Key: hush\r\n") && Contains("Authorization: Bearer hush\r\n") && !Contains("Basic"));
  }
}

TEST_CASE("attach: where a proxy knows the path of the debugging port with a slash alone, that is asked",
          "[attach] [tool.cli.browser]") {
  web().reset_log();
  web().set_page("/json/version/", R"({"webSocketDebuggerUrl": "ws://127.0.0.1:1/devtools"})");
  // It is found there; what it names is no browser.
  CHECK_THROWS_WITH(WebSocketTransport::connect(CallContext{}.within(5s), web().url("")),
                    Contains("handshake") && !Contains("/json/version"));
  CHECK(web().requests("/json/version/").size() == 1);
}

TEST_CASE("attach: --cdp-timeout bounds the wait for a browser that doesn't answer", "[attach] [tool.cli.browser]") {
  const Listener listener(false);
  const Stopwatch begun;
  CHECK_THROWS_AS(WebSocketTransport::connect({}, "ws://127.0.0.1:" + listener.port(), {.timeout = 100ms}),
                  LaunchError);
  CHECK_THROWS_AS(WebSocketTransport::connect({}, "http://127.0.0.1:" + listener.port(), {.timeout = 100ms}),
                  LaunchError);
  CHECK(begun.waited() < 4s);  // 5 s are the default of each
}

TEST_CASE("launch: a switch of the user's reaches the browser; a channel that isn't there names what was looked for",
          "[launch] [tool.cli.browser]") {
  web();
  BrowserSettings settings;
  settings.launch.channel = "chromium";
  settings.launch.args = {"--user-agent=bridle-arg-test", "--disable-features=UserAgentClientHint"};
  settings.launch.ignored_args = {"--password-store=basic", "--disable-quic", "--gaia-url=https://127.0.0.1:1"};
  House house(settings);
  Session session(house);
  session.navigate(web().url("/plain"));
  CHECK(session.evaluate("navigator.userAgent") == "bridle-arg-test");
  const auto command_line = command_line_of(session.browser()->pid());
  // Of several such switches Chromium takes the last: ours must be in the same one.
  CHECK(command_line.find("--disable-features=") == command_line.rfind("--disable-features="));
  CHECK_THAT(command_line, Contains("DeferRendererTasksAfterInput") && Contains(",UserAgentClientHint"));
  CHECK_THAT(command_line, !Contains("--password-store") && Contains("--use-mock-keychain"));
  // What keeps a promise stays, whatever the options say.
  CHECK_THAT(command_line, Contains("--disable-quic") && Contains("--gaia-url="));
  CHECK_THROWS_WITH(ChromiumProcess::find_executable({.channel = "msedge-dev"}),
                    Contains("Microsoft Edge Dev") && Contains("--channel msedge-dev") &&
                        Contains("microsoft-edge-dev, /opt/microsoft/msedge-dev/msedge"));
}

TEST_CASE("profile: sessions share one that isn't kept, and each has its own tabs", "[profile] [tool.shared-context]") {
  web();
  BrowserSettings settings;
  settings.launch.shared_context = true;
  const auto before = profiles().size();
  {
    House house(settings);
    Session one(house);
    Session two(house);
    one.navigate(web().url("/plain?one"));
    two.navigate(web().url("/plain?two"));
    CHECK(profiles().size() == before + 1);
    one.evaluate("document.cookie = 'shared=fresh; path=/'");
    one.evaluate("localStorage.setItem('shared', 'too')");
    CHECK(two.evaluate("document.cookie") == "shared=fresh");
    CHECK(two.evaluate("localStorage.getItem('shared')") == "too");
    CHECK(one.scope().tabs().size() == 1);
    CHECK(two.scope().tabs().size() == 1);
    one.ok("browser_close");
    CHECK(two.evaluate("document.cookie") == "shared=fresh");
    one.navigate(web().url("/plain?again"));
    CHECK(one.evaluate("document.cookie") == "shared=fresh");
  }
  CHECK(profiles().size() == before);
  House house(settings);
  Session session(house);
  session.navigate(web().url("/plain"));
  CHECK(session.evaluate("document.cookie") == "");
}
