#pragma once

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/concurrency/deadline.h"
#include "tests/support/catch.h"
#include "tests/support/lean_browser.h"
#include "tests/wire/support/test_server.h"

namespace bridle::wire {

// A folder of the test's own, removed at the end; given to bridle as TMPDIR, so that its profiles can be counted.
class TempDir {
 public:
  TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "bridle-test-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
    REQUIRE(::chmod(path_.c_str(), 0711) == 0);  // as root the browser is another user, whose profile lies in it
  }
  ~TempDir() {
    // The browser of a bridle that was killed ends a little later, and writes its profile once more.
    if (profiles() > 0) eventually([this] { return browsers() == 0; });
    std::error_code ec;
    std::filesystem::remove_all(path_, ec);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  const std::string& path() const { return path_; }

  std::size_t profiles() const {
    std::size_t count = 0;
    std::error_code ec;
    for (const auto& entry : std::filesystem::directory_iterator(path_, ec)) {
      if (entry.path().filename().string().starts_with("bridle-profile-")) ++count;
    }
    return count;
  }
  // Browser processes that use a profile in here.
  std::size_t browsers() const {
    std::size_t count = 0;
    std::error_code ec;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ec)) {
      std::ifstream file(entry.path() / "cmdline", std::ios::binary);
      std::stringstream text;
      text << file.rdbuf();
      if (text.str().find("--user-data-dir=" + path_) != std::string::npos) ++count;
    }
    return count;
  }

 private:
  std::string path_;
};

// The arguments with the Chromium that users have in front of them, for the tests of how a browser starts and ends.
inline std::vector<std::string> in_chromium(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"--executable-path", "/usr/bin/chromium"});
  return arguments;
}

// The real program as a process of its own: bridle, or bridle-testing (BRIDLE_TESTING_BINARY). Its browser is the
// lean_browser() unless the arguments name another.
class BridleProcess {
 public:
  // `input`: what it has as its stdin; -1: the test's own.
  BridleProcess(const TempDir& tmp, std::vector<std::string> arguments, const char* program = BRIDLE_BINARY,
                int input = -1) {
    int out[2];
    REQUIRE(::pipe(out) == 0);
    errors_ = tmp.path() + "/stderr-" + std::to_string(counter_++);
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      ::dup2(out[1], 1);
      if (input >= 0) ::dup2(input, 0);
      ::close(out[0]);
      ::close(out[1]);
      if (::freopen(errors_.c_str(), "w", stderr) == nullptr) ::_exit(126);
      ::setenv("TMPDIR", tmp.path().c_str(), 1);
      if (const auto lean = testing::lean_browser(); !lean.empty()) ::setenv("BRIDLE_EXECUTABLE_PATH", lean.c_str(), 1);
      arguments.insert(arguments.begin(), program);
      std::vector<char*> argv;
      for (auto& argument : arguments) argv.push_back(argument.data());
      argv.push_back(nullptr);
      ::execv(program, argv.data());
      ::_exit(127);
    }
    ::close(out[1]);
    out_ = out[0];
  }
  ~BridleProcess() {
    if (!status_) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(out_);
  }
  BridleProcess(const BridleProcess&) = delete;
  BridleProcess& operator=(const BridleProcess&) = delete;

  // All that it prints until it closes its stdout, or the first line only.
  std::string first_line() {
    char c = 0;
    while (output_.find('\n') == std::string::npos && ::read(out_, &c, 1) == 1) output_ += c;
    return output_.substr(0, output_.find('\n'));
  }
  std::string all_output() {
    char buffer[4096];
    for (ssize_t n; (n = ::read(out_, buffer, sizeof buffer)) > 0;) output_.append(buffer, static_cast<std::size_t>(n));
    return output_;
  }
  std::string errors() const {
    std::ifstream file(errors_);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  // From the line that says where it listens.
  int port() {
    const auto line = first_line();
    INFO(line << " / " << errors());
    const auto at = line.rfind(':');
    REQUIRE(line.starts_with("bridle listening on http://127.0.0.1:"));
    return std::atoi(line.c_str() + at + 1);
  }
  void signal(int number) { ::kill(pid_, number); }
  // The exit code (128 + n for a signal), or -1 when it still runs after `time`.
  int wait(Millis time) {
    eventually(
        [&] {
          int status = 0;
          if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
          return status_.has_value();
        },
        time);
    if (!status_) return -1;
    return WIFEXITED(*status_) ? WEXITSTATUS(*status_) : 128 + WTERMSIG(*status_);
  }
  pid_t pid() const { return pid_; }

 private:
  static inline int counter_ = 0;
  pid_t pid_ = -1;
  int out_ = -1;
  std::optional<int> status_;
  std::string output_;
  std::string errors_;
};

}  // namespace bridle::wire
