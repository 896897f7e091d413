#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"

namespace bridle::bench {

// The real server as a child process on a port of its own. It gets SIGTERM when this object goes, and also when the
// thread that made it ends in any other way.
class BridleProcess {
 public:
  // `options`: more words of its command line. Returns once the server has said where it listens. Throws
  // std::runtime_error.
  explicit BridleProcess(const std::string& path, const std::vector<std::string>& options = {});
  // Asks it to end, waits, and kills it after 10 s.
  ~BridleProcess();
  BridleProcess(const BridleProcess&) = delete;
  BridleProcess& operator=(const BridleProcess&) = delete;

  int port() const { return port_; }
  double listening_ms() const { return listening_ms_; }  // from the spawn to the first line on stdout
  double pss_mib() const;                                // of the server alone, without its browser
  double peak_mib() const;                               // the most that it has ever had resident
  double cpu_ms() const;  // user and system, all threads; the kernel counts in steps of 10 ms

 private:
  void spawn(const std::string& path, const std::vector<std::string>& options);
  std::string read_line();

  pid_t pid_ = -1;
  Fd stdout_;
  int port_ = 0;
  double listening_ms_ = 0;
};

}  // namespace bridle::bench
