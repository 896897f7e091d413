#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <future>

#include "base/concurrency/deadline.h"
#include "browser/cdp/pipe_transport.h"
#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/unit/support/concurrency_support.h"

using namespace bridle;
using namespace std::chrono_literals;
using bridle::testing::eventually;
using bridle::testing::Stopwatch;

namespace {

// The browser's ends of the three pipes, in the test's hand.
struct Pipes {
  Fd commands;  // read: what bridle sends
  Fd replies;   // write
  Fd errors;    // write: stderr
  std::unique_ptr<PipeTransport> transport{};

  Pipes() {
    std::signal(SIGPIPE, SIG_IGN);  // as the server does
    std::array<int, 2> a;
    std::array<int, 2> b;
    std::array<int, 2> c;
    REQUIRE(::pipe2(a.data(), O_CLOEXEC) == 0);
    REQUIRE(::pipe2(b.data(), O_CLOEXEC) == 0);
    REQUIRE(::pipe2(c.data(), O_CLOEXEC) == 0);
    commands.reset(a[0]);
    replies.reset(b[1]);
    errors.reset(c[1]);
    transport = std::make_unique<PipeTransport>(Fd(a[1]), Fd(b[0]), Fd(c[0]));
  }

  void reply(std::string_view bytes) const { write_all(replies.get(), bytes); }
  static void write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
      const auto n = ::write(fd, bytes.data(), bytes.size());
      if (n <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  // Reads until `count` messages came.
  std::vector<std::string> read_commands(std::size_t count) const {
    std::vector<std::string> messages;
    std::string buffer;
    std::array<char, 65536> chunk;
    while (messages.size() < count) {
      pollfd fd{commands.get(), POLLIN, 0};
      if (::poll(&fd, 1, 20'000) <= 0) return messages;
      const auto n = ::read(commands.get(), chunk.data(), chunk.size());
      if (n <= 0) return messages;
      buffer.append(chunk.data(), static_cast<std::size_t>(n));
      for (auto end = buffer.find('\0'); end != std::string::npos; end = buffer.find('\0')) {
        messages.push_back(buffer.substr(0, end));
        buffer.erase(0, end + 1);
      }
    }
    return messages;
  }
};

using namespace std::string_literals;

}  // namespace

TEST_CASE("several messages in one read come out one by one", "[pipe_transport]") {
  const Pipes pipes;
  pipes.reply("one\0two\0\0three\0"s);
  CHECK(pipes.transport->receive() == "one");
  CHECK(pipes.transport->receive() == "two");
  CHECK(pipes.transport->receive() == "");
  CHECK(pipes.transport->receive() == "three");
}

TEST_CASE("a message split anywhere is put together", "[pipe_transport]") {
  const std::string whole = "{\"id\":1,\"result\":{}}\0{\"id\":2}\0"s;
  for (std::size_t cut = 1; cut < whole.size(); ++cut) {
    CAPTURE(cut);
    const Pipes pipes;
    auto first = std::async(std::launch::async, [&] {
      auto one = pipes.transport->receive();
      return std::pair(one, pipes.transport->receive());
    });
    pipes.reply(std::string_view(whole).substr(0, cut));
    pipes.reply(std::string_view(whole).substr(cut));
    const auto [one, two] = first.get();
    CHECK(one == "{\"id\":1,\"result\":{}}");
    CHECK(two == "{\"id\":2}");
  }
}

TEST_CASE("byte by byte, the reader asleep in between", "[pipe_transport]") {
  const Pipes pipes;
  auto received = std::async(std::launch::async, [&] { return pipes.transport->receive(); });
  for (const char c : "{\"method\":\"x\"}\0"s) pipes.reply({&c, 1});
  CHECK(received.get() == "{\"method\":\"x\"}");
}

TEST_CASE("a message of many MiB, and small ones right behind it", "[pipe_transport]") {
  const Pipes pipes;
  std::string large(9'000'000, 'x');
  large[4'500'000] = 'y';
  const std::jthread browser([&] { pipes.reply(large + "\0small\0"s + "last\0"s); });
  const auto first = pipes.transport->receive();
  REQUIRE(first);
  CHECK(*first == large);
  CHECK(pipes.transport->receive() == "small");
  CHECK(pipes.transport->receive() == "last");
}

TEST_CASE("a send to a browser that doesn't read never blocks, and all arrives once it does", "[pipe_transport]") {
  const Pipes pipes;
  std::jthread reader([&] { pipes.transport->receive(); });  // flushes what the pipe didn't take
  const std::string text(100'000, 'a');
  const Stopwatch began;
  for (int i = 0; i < 40; ++i) REQUIRE(pipes.transport->send(text + std::to_string(i)));  // 4 MB into 64 KiB
  CHECK(began.waited() < 5s);
  const auto arrived = pipes.read_commands(40);
  REQUIRE(arrived.size() == 40);
  for (std::size_t i = 0; i < arrived.size(); ++i) CHECK(arrived[i] == text + std::to_string(i));
  pipes.transport->close();
}

TEST_CASE("sends from several threads don't mix", "[pipe_transport]") {
  const Pipes pipes;
  std::jthread reader([&] { pipes.transport->receive(); });
  auto arrived = std::async(std::launch::async, [&] { return pipes.read_commands(200); });
  {
    std::vector<std::jthread> senders;
    for (int sender = 0; sender < 4; ++sender) {
      senders.emplace_back([&, sender] {
        const std::string text(5000, static_cast<char>('a' + sender));
        for (int i = 0; i < 50; ++i) pipes.transport->send(text);
      });
    }
  }
  const auto messages = arrived.get();
  REQUIRE(messages.size() == 200);
  for (const auto& message : messages) {
    CHECK(message.size() == 5000);
    CHECK(message.find_first_not_of(message[0]) == std::string::npos);
  }
  pipes.transport->close();
}

TEST_CASE("close wakes the reader; nothing is sent or received afterwards", "[pipe_transport]") {
  const Pipes pipes;
  auto waiting = std::async(std::launch::async, [&] { return pipes.transport->receive(); });
  CHECK(pipes.transport->close_reason().empty());
  pipes.transport->close();
  CHECK(waiting.get() == std::nullopt);
  CHECK_FALSE(pipes.transport->send("late"));
  pipes.reply("late\0"s);
  CHECK(pipes.transport->receive() == std::nullopt);
  CHECK(pipes.transport->close_reason() == "closed by bridle");
  pipes.transport->close();  // idempotent
  CHECK(pipes.transport->close_reason() == "closed by bridle");
}

TEST_CASE("close ends the browser's input: that is how it is told to exit", "[pipe_transport]") {
  const Pipes pipes;
  pipes.transport->close();
  pollfd fd{pipes.commands.get(), POLLIN, 0};
  REQUIRE(::poll(&fd, 1, 20'000) == 1);
  char c;
  CHECK(::read(pipes.commands.get(), &c, 1) == 0);
}

TEST_CASE("the browser's end ends the reader, with what it said last", "[pipe_transport]") {
  Pipes pipes;
  pipes.reply("last words\0half a mess"s);
  Pipes::write_all(pipes.errors.get(), "FATAL: no display\n");
  pipes.replies.reset();
  CHECK(pipes.transport->receive() == "last words");
  CHECK(pipes.transport->receive() == std::nullopt);
  CHECK(pipes.transport->close_reason() == "the browser closed");
  CHECK(pipes.transport->stderr_tail() == "FATAL: no display\n");
  CHECK_FALSE(pipes.transport->send("late"));
}

TEST_CASE("a send after the browser closed its input fails without a signal", "[pipe_transport]") {
  Pipes pipes;
  pipes.commands.reset();
  CHECK_FALSE(pipes.transport->send("into nothing"));
}

TEST_CASE("of stderr the last 8 KiB are kept, and a flood of it holds up nothing", "[pipe_transport]") {
  const Pipes pipes;
  std::jthread browser([&] {
    for (int i = 0; i < 3000; ++i) Pipes::write_all(pipes.errors.get(), "warning " + std::to_string(i) + " of many\n");
    Pipes::write_all(pipes.errors.get(), "THE END\n");
    pipes.reply("done\0"s);
  });
  CHECK(pipes.transport->receive() == "done");  // the writer could only get here because stderr was read
  auto rest = std::async(std::launch::async, [&] { return pipes.transport->receive(); });
  CHECK(eventually([&] { return pipes.transport->stderr_tail().ends_with("THE END\n"); }));
  CHECK(pipes.transport->stderr_tail().size() == 8 * 1024);
  pipes.transport->close();
  CHECK(rest.get() == std::nullopt);
}

TEST_CASE("a browser that closes stderr goes on", "[pipe_transport]") {
  Pipes pipes;
  pipes.errors.reset();
  auto waiting = std::async(std::launch::async, [&] {
    auto one = pipes.transport->receive();
    return std::pair(one, pipes.transport->receive());
  });
  pipes.reply("one\0"s);
  pipes.reply("two\0"s);
  const auto [one, two] = waiting.get();
  CHECK(one == "one");
  CHECK(two == "two");
}

TEST_CASE("a transport without stderr works", "[pipe_transport]") {
  std::array<int, 2> a;
  std::array<int, 2> b;
  REQUIRE(::pipe2(a.data(), O_CLOEXEC) == 0);
  REQUIRE(::pipe2(b.data(), O_CLOEXEC) == 0);
  const Fd commands{a[0]};
  const Fd replies{b[1]};
  PipeTransport transport{Fd(a[1]), Fd(b[0]), Fd()};
  Pipes::write_all(replies.get(), "hello\0"s);
  CHECK(transport.receive() == "hello");
  CHECK(transport.stderr_tail().empty());
}

TEST_CASE("an Fd closes what it owns, once", "[pipe_transport]") {
  const auto open = [](int fd) { return ::fcntl(fd, F_GETFD) >= 0; };
  const int raw = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  REQUIRE(raw >= 0);
  {
    Fd first(raw);
    Fd second(std::move(first));
    CHECK(first.get() == -1);
    first = std::move(second);
    CHECK(first.get() == raw);
    CHECK(open(raw));
  }
  CHECK_FALSE(open(raw));
}
