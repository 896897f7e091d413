// CDP messages that are too long to be kept [tool.large-message].
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "browser/cdp/connection.h"
#include "browser/cdp/incoming_message.h"
#include "browser/cdp/message.h"
#include "browser/cdp/pipe_transport.h"
#include "browser/tab/console_log.h"
#include "tests/support/catch.h"
#include "tests/unit/support/fake_tab.h"

using namespace bridle;
using namespace bridle::testing;
using matchers::Contains;

namespace {

constexpr std::size_t kMax = 1000;

// What becomes of a message that comes in pieces of `step`.
std::string taken(const std::string& message, std::size_t step, std::size_t max = kMax) {
  IncomingMessage incoming(max);
  for (std::size_t at = 0; at < message.size(); at += step) incoming.append(std::string_view(message).substr(at, step));
  auto first = incoming.take();
  incoming.append("next");  // nothing of it is left
  CHECK(incoming.take() == "next");
  return first;
}

std::string padded(const std::string& begin, const std::string& end, std::size_t size) {
  return begin + std::string(size - begin.size() - end.size(), 'x') + end;
}

constexpr std::array<std::size_t, 5> kSteps{1, 7, 256, 999, 100'000};

// A browser that writes whatever it is told to.
struct Browser {
  Fd commands;
  Fd replies;
  std::unique_ptr<CdpConnection> connection{};

  Browser() {
    std::array<int, 2> to;
    std::array<int, 2> from;
    REQUIRE(::pipe2(to.data(), O_CLOEXEC) == 0);
    REQUIRE(::pipe2(from.data(), O_CLOEXEC) == 0);
    commands.reset(to[0]);
    replies.reset(from[1]);
    connection = std::make_unique<CdpConnection>(std::make_unique<PipeTransport>(Fd(to[1]), Fd(from[0]), Fd()));
  }
  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto n = ::write(replies.get(), bytes.data(), bytes.size());
      REQUIRE(n > 0);
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  void write_long(const std::string& begin, std::size_t mebibytes, const std::string& end) const {
    const std::string part(1 << 20, 'x');
    write(begin);
    for (std::size_t i = 0; i < mebibytes; ++i) write(part);
    write(end + '\0');
  }
};

// Of this process, kB.
long memory(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field + ":")) return std::stol(line.substr(field.size() + 1));
  }
  return 0;
}

}  // namespace

TEST_CASE("a message up to its bound comes whole, in pieces of any size", "[incoming_message]") {
  for (const auto step : kSteps) {
    CAPTURE(step);
    for (const std::size_t size : {std::size_t{1}, kMax - 1, kMax})
      CHECK(taken(std::string(size, 'm'), step).size() == size);
    CHECK(taken(padded("{\"id\":7,\"result\":{", "}}", kMax), step).ends_with("x}}"));
  }
}

TEST_CASE("for a longer reply an error of the same id stands in", "[incoming_message] [tool.large-message]") {
  for (const auto step : kSteps) {
    CAPTURE(step);
    for (const std::size_t size : {kMax + 1, kMax * 40}) {
      const auto message = taken(padded("{\"id\":123456,\"result\":{\"a\":\"", "\"},\"sessionId\":\"S\"}", size), step);
      const auto envelope = scan_cdp(message);
      REQUIRE(envelope);
      CHECK(envelope->kind == CdpEnvelope::Kind::error_reply);
      CHECK(envelope->id == 123456);
      CHECK(message.size() < 400);
    }
  }
}

TEST_CASE("for a longer event one of the same method and session stands in",
          "[incoming_message] [tool.large-message]") {
  for (const auto step : kSteps) {
    CAPTURE(step);
    const auto message = taken(
        padded("{\"method\":\"Runtime.consoleAPICalled\",\"params\":{\"a\":\"", "\"},\"sessionId\":\"S1\"}", kMax * 3),
        step);
    const auto envelope = scan_cdp(message);
    REQUIRE(envelope);
    CHECK(envelope->kind == CdpEnvelope::Kind::event);
    CHECK(envelope->method == "Runtime.consoleAPICalled");
    CHECK(envelope->session == "S1");
    CHECK(parse_cdp(message)["params"][IncomingMessage::kDroppedBytes] == kMax * 3);
    // A session that only the params name is none: the browser's own events have none.
    const auto own =
        taken(padded("{\"method\":\"A.b\",\"params\":{\"a\":\"", "\",\"sessionId\":\"S1\"}}", kMax * 3), step);
    CHECK(scan_cdp(own)->session.empty());
  }
}

TEST_CASE("nothing stands in for what is no CDP", "[incoming_message]") {
  for (const auto step : kSteps) {
    CHECK(taken(std::string(kMax * 2, 'x'), step).empty());
    CHECK(taken(padded("{\"id\":", "}", kMax * 2), step).empty());
    CHECK(taken("{\"id\":" + std::string(kMax * 2, '1'), step).empty());
    CHECK(taken("{\"method\":\"" + std::string(kMax * 2, 'm') + "\"}", step).empty());
  }
}

TEST_CASE("an event is bounded more tightly than a reply", "[incoming_message]") {
  const auto big = limits::kCdpParsed + 1;
  CHECK(taken(padded("{\"id\":1,\"result\":{\"a\":\"", "\"}}", big), 1 << 20, limits::kCdpMessage).size() == big);
  CHECK(taken(padded("{\"method\":\"A.b\",\"params\":{\"a\":\"", "\"}}", big), 1 << 20, limits::kCdpMessage).size() <
        100);
  CHECK(
      taken(padded("{\"method\":\"A.b\",\"params\":{\"a\":\"", "\"}}", big - 1), 1 << 20, limits::kCdpMessage).size() ==
      big - 1);
}

TEST_CASE("300 MiB in one message cost little memory, and only their waiter fails",
          "[incoming_message] [tool.large-message]") {
  Browser browser;
  std::atomic<int> events{0};
  std::string event;
  Mutex mutex;
  browser.connection->set_event_handler("S1", [&](std::string_view, std::string_view message) {
    MutexLock lock(mutex);
    event = message;
    lock.unlock();
    ++events;
  });
  browser.connection->start([](const std::string&) {});
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak counts from here
  [[maybe_unused]] const long before = memory("VmRSS");
  auto first = std::async(std::launch::async, [&] { return browser.connection->call({}, "S1", "A.large", {}); });
  REQUIRE(eventually([&] { return browser.connection->pending() == 1; }));
  auto second = std::async(std::launch::async, [&] { return browser.connection->call({}, "S2", "A.small", {}); });
  REQUIRE(eventually([&] { return browser.connection->pending() == 2; }));
  browser.write_long("{\"id\":1,\"result\":{\"a\":\"", 300, "\"},\"sessionId\":\"S1\"}");
  browser.write_long("{\"method\":\"Runtime.consoleAPICalled\",\"params\":{\"a\":\"", 300, "\"},\"sessionId\":\"S1\"}");
  browser.write("{\"id\":2,\"result\":{\"ok\":true}}" + std::string(1, '\0'));
  CHECK(second.get()["ok"] == true);
  CHECK_THROWS_WITH(first.get(), Contains("A.large") && Contains("300 MiB") && Contains("Ask for less"));
  CHECK(events == 1);
  MutexLock lock(mutex);
  CHECK(event.size() < 200);
  lock.unlock();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK(memory("VmHWM") - before < 100 * 1024);
#endif
  browser.connection->stop();
}

TEST_CASE("an answer that must be parsed is bounded, one that is taken raw is not", "[incoming_message]") {
  const auto answer = [](std::size_t size) { return padded("{\"id\":1,\"result\":{\"a\":\"", "\"}}", size); };
  CHECK(result_of(answer(limits::kCdpParsed)).contains("a"));
  CHECK_THROWS_WITH(result_of(answer(limits::kCdpParsed + 1)), Contains("16 MiB") && Contains("Ask for less"));
}

TEST_CASE("the console tells of a message that was dropped; a dialog of any text blocks its page",
          "[incoming_message] [tool.large-message]") {
  FakeTab fake;
  fake.event("Runtime.consoleAPICalled", {{IncomingMessage::kDroppedBytes, 300 << 20}});
  fake.event("Page.frameNavigated", {{IncomingMessage::kDroppedBytes, 20 << 20}});
  REQUIRE(fake.transport->drain());
  const auto lines = fake.tab->console(true).entries;
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].level == "warning");
  CHECK_THAT(lines[0].text, Contains("300 MiB") && Contains("left out"));
  CHECK_THAT(lines[1].text, Contains("Page.frameNavigated"));
  CHECK_FALSE(fake.tab->state().dialog);
  fake.event("Page.javascriptDialogOpening", {{IncomingMessage::kDroppedBytes, 20 << 20}});
  REQUIRE(fake.transport->drain());
  CHECK(fake.tab->state().dialog);
}

TEST_CASE("a console line that was cut keeps none of the memory that it came in", "[incoming_message]") {
  const std::string text(100'000, 'x');
  ConsoleLog log;
  log.on_event("Runtime.consoleAPICalled", {{"type", "log"}, {"args", {{{"type", "string"}, {"value", text}}}}}, "L");
  log.on_event("Log.entryAdded", {{"entry", {{"level", "error"}, {"text", text}, {"url", text}}}}, "L");
  REQUIRE(log.entries().size() == 2);
  for (const auto& entry : log.entries()) {
    CHECK(entry.text.size() == 4000);
    CHECK(entry.text.capacity() < 10'000);
    CHECK(entry.url.capacity() < 10'000);
  }
}
