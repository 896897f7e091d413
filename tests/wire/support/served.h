#pragma once

#include <dirent.h>
#include <sys/resource.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "base/concurrency/sync.h"
#include "server/http/server.h"
#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tests/wire/support/raw_client.h"

// What the tests of HttpServer share: a running server, waits without sleeps, and gauges of this process.
namespace bridle::wire {

using bridle::testing::eventually;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// A server on a port of its own, served by a thread of its own.
class Served {
 public:
  explicit Served(HttpServer::Handler handler, HttpServerOptions options = {})
      : server(std::move(options), std::move(handler)) {
    server.bind();
    thread_ = std::thread([this] { server.run(); });
  }
  ~Served() { stop(Millis(0)); }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  void stop(Millis grace) {
    server.stop(grace);
    if (thread_.joinable()) thread_.join();
  }
  int port() const { return server.port(); }

  HttpServer server;

 private:
  std::thread thread_;
};

class Gate {
 public:
  void open() {
    MutexLock lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  bool wait(Millis time = kPatience) {
    MutexLock lock(mutex_);
    const auto until = Clock::now() + time;
    while (!open_) {
      if (changed_.wait_until(lock, until) == std::cv_status::timeout) break;
    }
    return open_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool open_ GUARDED_BY(mutex_) = false;
};

// For server threads, where Catch's own assertions may not be used: counts what was wrong.
class Wrongs {
 public:
  void unless(bool right) {
    if (!right) ++count_;
  }
  int count() const { return count_; }

 private:
  std::atomic<int> count_{0};
};

// Says what it got.
inline HttpReply echo(const HttpRequest& request) {
  return HttpReply::text(200, request.method + " " + request.path + " " + request.body);
}

inline HttpReply stream_of(std::function<void(HttpStream&)> stream) {
  HttpReply reply;
  reply.headers.emplace_back("Content-Type", "text/event-stream");
  reply.stream = std::move(stream);
  return reply;
}

inline std::string get(std::string_view target, std::string_view headers = "") {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(headers) + "\r\n";
}

inline std::string post(std::string_view body, std::string_view headers = "") {
  return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(headers) + "\r\n" + std::string(body);
}

inline HttpServerOptions short_times() {
  HttpServerOptions options;
  options.head_time = options.body_time = options.idle_time = options.write_time = Millis(200);
  return options;
}

// The properties of every refusal [wire.errors.words].
inline void check_refused(const RawReply& reply, int status) {
  CHECK(reply.status == status);
  CHECK(reply.header("Connection") == "close");
  CHECK(reply.header("Content-Type") == "text/plain; charset=utf-8");
  CHECK(reply.whole);
  CHECK(reply.body.find('<') == std::string::npos);
  CHECK(reply.body.size() > 10);
  CHECK(reply.body.size() < 200);
}

inline Millis cpu_time() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto millis = [](const timeval& t) { return t.tv_sec * 1000 + t.tv_usec / 1000; };
  return Millis(millis(usage.ru_utime) + millis(usage.ru_stime));
}

// What a process holds of memory of its own. Of the program's pages the kernel keeps in memory what it likes: their
// share says nothing of what is lost.
inline long anonymous_kib(pid_t pid = ::getpid()) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/smaps_rollup");
  for (std::string word; file >> word;) {
    long value = 0;
    if (word == "Anonymous:" && file >> value) return value;
  }
  return 0;
}

inline std::size_t open_files() {
  std::size_t count = 0;
  auto* folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

// The limit of descriptors, which a test may lower for its time.
class FileLimit {
 public:
  FileLimit() { ::getrlimit(RLIMIT_NOFILE, &before_); }
  ~FileLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  void set(rlim_t files) {
    rlimit limit = before_;
    limit.rlim_cur = std::min(files, before_.rlim_cur);
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }

 private:
  rlimit before_{};
};

}  // namespace bridle::wire
