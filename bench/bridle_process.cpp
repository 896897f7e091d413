#include "bench/bridle_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "bench/report.h"

namespace bridle::bench {
namespace {

constexpr int kStartMs = 10'000;
constexpr double kExitMs = 10'000;

}  // namespace

BridleProcess::BridleProcess(const std::string& path, const std::vector<std::string>& options) {
  const Stopwatch watch;
  spawn(path, options);
  try {
    const auto line = read_line();
    listening_ms_ = watch.ms();
    const auto colon = line.rfind(':');
    port_ = colon == std::string::npos ? 0 : std::atoi(line.c_str() + colon + 1);
    if (port_ <= 0) throw std::runtime_error(path + " did not say where it listens, but: " + line);
  } catch (...) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    throw;
  }
}

BridleProcess::~BridleProcess() {
  ::kill(pid_, SIGTERM);
  const Stopwatch watch;
  while (::waitpid(pid_, nullptr, WNOHANG) == 0) {
    if (watch.ms() > kExitMs) ::kill(pid_, SIGKILL);
    ::poll(nullptr, 0, 2);
  }
}

void BridleProcess::spawn(const std::string& path, const std::vector<std::string>& options) {
  std::array<int, 2> fds;
  if (::pipe2(fds.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  stdout_.reset(fds[0]);
  const Fd write_end(fds[1]);
  const Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  // Snapshots are wanted whole, to be compared with the whole walk.
  std::vector<const char*> argv{path.c_str(), "--port", "0", "--max-output", "100000000"};
  for (const auto& option : options) argv.push_back(option.c_str());
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ > 0) return;
  // The child: nothing but async-signal-safe calls.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);
  ::dup2(null.get(), 0);
  ::dup2(write_end.get(), 1);
  ::dup2(null.get(), 2);
  ::closefrom(3);
  ::execv(path.c_str(), const_cast<char* const*>(argv.data()));
  ::_exit(127);
}

std::string BridleProcess::read_line() {
  std::string line;
  for (;;) {
    pollfd poller{stdout_.get(), POLLIN, 0};
    if (::poll(&poller, 1, kStartMs) <= 0) throw std::runtime_error("the server did not start in time");
    std::array<char, 512> bytes;
    const auto size = ::read(stdout_.get(), bytes.data(), bytes.size());
    if (size <= 0) throw std::runtime_error("the server ended at its start; run it by hand to see why");
    line.append(bytes.data(), static_cast<std::size_t>(size));
    if (const auto end = line.find('\n'); end != std::string::npos) return line.substr(0, end);
  }
}

double BridleProcess::pss_mib() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/smaps_rollup");
  for (std::string word; file >> word;) {
    double kib = 0;
    if (word == "Pss:" && file >> kib) return kib / 1024;
  }
  throw std::runtime_error("no PSS in /proc");
}

double BridleProcess::peak_mib() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/status");
  for (std::string word; file >> word;) {
    double kib = 0;
    if (word == "VmHWM:" && file >> kib) return kib / 1024;
  }
  throw std::runtime_error("no VmHWM in /proc");
}

double BridleProcess::cpu_ms() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
  std::string line;
  std::getline(file, line);
  // The name in parentheses may hold spaces; utime and stime are the 12th and 13th words after it.
  std::istringstream words(line.substr(line.rfind(')') + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) words >> skipped;
  double user = 0;
  double system = 0;
  if (!(words >> user >> system)) throw std::runtime_error("no CPU time in /proc");
  return (user + system) * 1000 / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace bridle::bench
