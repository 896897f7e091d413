#pragma once

#include <atomic>
#include <string>

#include "base/concurrency/sync.h"
#include "base/concurrency/wake_fd.h"
#include "base/fd.h"
#include "browser/cdp/incoming_message.h"
#include "browser/cdp/transport.h"

namespace bridle {

// NUL-separated JSON over a pair of pipes (--remote-debugging-pipe). The reader's poll also drains the browser's
// stderr, whose tail is kept for error messages: a launch that fails says why.
class PipeTransport : public CdpTransport {
 public:
  // `to_browser`, `from_browser` and `browser_stderr` (may be -1) become ours and non-blocking.
  PipeTransport(Fd to_browser, Fd from_browser, Fd browser_stderr);
  ~PipeTransport() override;

  bool send(std::string_view message) override;
  std::optional<std::string> receive() override;
  void close() override;
  std::string close_reason() const override;

  // The last few KiB of the browser's stderr. Any thread.
  std::string stderr_tail() const;

 private:
  bool flush_locked() REQUIRES(mutex_);  // false: the pipe is broken
  void drain_stderr();
  bool read_some();  // false at end of file
  std::optional<std::string> next_message();

  Fd write_fd_;
  Fd read_fd_;
  Fd stderr_fd_;  // the reader's
  const WakeFd wake_;
  std::atomic<bool> closed_{false};

  mutable Mutex mutex_;
  std::string outgoing_ GUARDED_BY(mutex_);  // what the pipe hasn't taken yet
  std::string stderr_tail_ GUARDED_BY(mutex_);
  std::string reason_ GUARDED_BY(mutex_);

  // The reader's: what was read last, how far its messages were taken, and the message that has not ended yet.
  std::string chunk_;
  std::size_t taken_ = 0;
  IncomingMessage message_;
};

}  // namespace bridle
