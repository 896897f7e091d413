#include "browser/cdp/pipe_transport.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace bridle {
namespace {

constexpr std::size_t kStderrTail = 8 * 1024;

void set_nonblocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

}  // namespace

PipeTransport::PipeTransport(Fd to_browser, Fd from_browser, Fd browser_stderr)
    : write_fd_(std::move(to_browser)), read_fd_(std::move(from_browser)), stderr_fd_(std::move(browser_stderr)) {
  set_nonblocking(write_fd_.get());
  set_nonblocking(read_fd_.get());
  if (stderr_fd_.get() >= 0) set_nonblocking(stderr_fd_.get());
}

PipeTransport::~PipeTransport() = default;

bool PipeTransport::send(std::string_view message) {
  bool left_over;
  {
    MutexLock lock(mutex_);
    if (closed_) return false;
    if (outgoing_.size() + message.size() > kTransportOutgoingLimit) {
      reason_ = "the browser stopped reading its commands";
      lock.unlock();
      close();
      return false;
    }
    outgoing_.append(message);
    outgoing_.push_back('\0');
    if (!flush_locked()) return false;  // the reader sees the end of file and says why
    left_over = !outgoing_.empty();
  }
  if (left_over) wake_.wake();
  return true;
}

bool PipeTransport::flush_locked() {
  std::size_t done = 0;
  bool broken = false;
  while (done < outgoing_.size()) {
    const ssize_t n = ::write(write_fd_.get(), outgoing_.data() + done, outgoing_.size() - done);
    if (n > 0) {
      done += static_cast<std::size_t>(n);
    } else if (n < 0 && errno == EINTR) {
      continue;
    } else {
      broken = !(n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
      break;
    }
  }
  outgoing_.erase(0, done);
  if (broken) outgoing_.clear();
  return !broken;
}

std::optional<std::string> PipeTransport::receive() {
  for (;;) {
    if (closed_) return std::nullopt;
    if (auto message = next_message()) return message;

    int unflushed = -1;
    {
      MutexLock lock(mutex_);
      if (!outgoing_.empty()) unflushed = write_fd_.get();
    }
    std::array<pollfd, 4> fds{pollfd{read_fd_.get(), POLLIN, 0}, pollfd{wake_.get(), POLLIN, 0},
                              pollfd{stderr_fd_.get(), POLLIN, 0}, pollfd{unflushed, POLLOUT, 0}};
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return std::nullopt;
    if (fds[1].revents != 0) wake_.drain();
    if (fds[2].revents != 0) drain_stderr();
    if (fds[3].revents != 0) {
      MutexLock lock(mutex_);
      flush_locked();
    }
    if (fds[0].revents != 0 && !read_some()) {
      drain_stderr();
      MutexLock lock(mutex_);
      if (reason_.empty()) reason_ = "the browser closed";
      closed_ = true;
      return std::nullopt;
    }
  }
}

// The next message of what was read; what is left over begins the one after.
std::optional<std::string> PipeTransport::next_message() {
  while (taken_ < chunk_.size()) {
    const auto unread = std::string_view(chunk_).substr(taken_);
    const auto end = unread.find('\0');
    message_.append(unread.substr(0, end));
    if (end == std::string_view::npos) break;
    taken_ += end + 1;
    return message_.take();
  }
  taken_ = chunk_.size();
  return std::nullopt;
}

bool PipeTransport::read_some() {
  chunk_.resize(kTransportReadChunk);
  const ssize_t n = ::read(read_fd_.get(), chunk_.data(), kTransportReadChunk);
  chunk_.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  taken_ = 0;
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

void PipeTransport::drain_stderr() {
  std::array<char, 4096> chunk;
  for (;;) {
    const ssize_t n = ::read(stderr_fd_.get(), chunk.data(), chunk.size());
    if (n > 0) {
      MutexLock lock(mutex_);
      stderr_tail_.append(chunk.data(), static_cast<std::size_t>(n));
      if (stderr_tail_.size() > kStderrTail) stderr_tail_.erase(0, stderr_tail_.size() - kStderrTail);
    } else if (n < 0 && errno == EINTR) {
      continue;
    } else {
      if (n == 0 || errno != EAGAIN) stderr_fd_.reset();
      return;
    }
  }
}

void PipeTransport::close() {
  {
    MutexLock lock(mutex_);
    if (closed_.exchange(true)) return;
    if (reason_.empty()) reason_ = "closed by bridle";
    // The browser exits when its end of this pipe reads end of file.
    write_fd_.reset();
  }
  wake_.wake();
}

std::string PipeTransport::close_reason() const {
  MutexLock lock(mutex_);
  return reason_;
}

std::string PipeTransport::stderr_tail() const {
  MutexLock lock(mutex_);
  return stderr_tail_;
}

}  // namespace bridle
