#include "server/http/connection.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "server/http/messages/chunked.h"

namespace bridle {
namespace {

constexpr std::size_t kReadBytes = 16 * 1024;
constexpr std::size_t kKeptBuffer = 4 * 1024;  // an idle connection keeps no larger buffer
constexpr Millis kFinishTime{1000};

constexpr HttpRefusal kSlow{408, "The request did not arrive in time."};
constexpr HttpRefusal kCutOff{400, "The request ended too early."};
constexpr HttpRefusal kBodiesFull{
    503, "The server holds as many bytes of unfinished requests as it may. Try again in a moment."};

int poll_time(Deadline deadline) {
  constexpr Millis kLongest{1000 * 60 * 60};
  return static_cast<int>(std::min(deadline.remaining(), kLongest).count());
}

}  // namespace

std::string SocketAddress::address() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = nullptr;
  if (storage.ss_family == AF_INET) bytes = &reinterpret_cast<const sockaddr_in*>(&storage)->sin_addr;
  if (storage.ss_family == AF_INET6) bytes = &reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_addr;
  if (bytes == nullptr) return {};
  return ::inet_ntop(storage.ss_family, bytes, text.data(), text.size()) == nullptr ? "" : text.data();
}

int SocketAddress::port() const {
  if (storage.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
  if (storage.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_port);
  return 0;
}

std::string refusal_text(const HttpRefusal& refusal, bool with_body) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n{}{}"
      "Connection: close\r\n\r\n{}",
      refusal.status, http_phrase(refusal.status), refusal.text.size(), HttpReply::always_text(),
      refusal.status == 503 ? "Retry-After: 1\r\n" : "", with_body ? refusal.text : std::string_view());
}

HttpConnection::HttpConnection(int fd, SocketAddress peer, Owner owner, int stop_fd, const HttpServerOptions& options,
                               PeerWatcher& watcher)
    : fd_(fd),
      peer_(peer),
      owner_(std::move(owner)),
      stop_fd_(stop_fd),
      options_(options),
      limits_{options.max_head_bytes, options.max_target_bytes, options.max_body_bytes},
      watch_(watcher.watch(fd)) {
  const int on = 1;  // an answer's last packet must not wait for the peer's acknowledgement
  ::setsockopt(fd_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

HttpConnection::~HttpConnection() { watch_->forget(); }

void HttpConnection::release() {
  watch_->forget();
  [[maybe_unused]] const int given_back = fd_.release();
}

bool HttpConnection::closed() const { return watch_->closed(); }

std::shared_ptr<void> HttpConnection::on_close(std::function<void()> fn) { return watch_->on_close(std::move(fn)); }

void HttpConnection::shut_down() { ::shutdown(fd_.get(), SHUT_RDWR); }

// Waits for bytes and appends them to the buffer.
HttpConnection::Fill HttpConnection::fill(Deadline deadline) {
  std::array<char, kReadBytes> bytes;
  for (;;) {
    const auto size = ::recv(fd_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size > 0) {
      buffer_.append(bytes.data(), static_cast<std::size_t>(size));
      // A peer that trickles must not outrun the deadline.
      return deadline.expired() ? Fill::timeout : Fill::bytes;
    }
    if (size == 0) return Fill::end;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return Fill::end;
    std::array<pollfd, 2> poller{pollfd{fd_.get(), POLLIN, 0}, pollfd{stop_fd_, POLLIN, 0}};
    const int ready = ::poll(poller.data(), poller.size(), poll_time(deadline));
    if (poller[1].revents != 0) return Fill::stopped;
    if (ready == 0 && deadline.expired()) return Fill::timeout;
  }
}

void HttpConnection::consume(std::size_t size) {
  used_ += size;
  if (used_ < buffer_.size()) return;
  used_ = 0;
  buffer_.clear();
  if (buffer_.capacity() > kKeptBuffer) std::string().swap(buffer_);
}

HttpConnection::Read HttpConnection::read_head(HttpHead& head, HttpRefusal& refusal) {
  buffer_.erase(0, used_);
  used_ = 0;
  if (buffer_.empty() && fill(Deadline::after(first_ ? options_.head_time : options_.idle_time)) != Fill::bytes) {
    return Read::over;
  }
  first_ = false;
  const auto deadline = Deadline::after(options_.head_time);
  HttpHeadScanner scanner(limits_);
  for (;;) {
    const auto state = scanner.scan(buffer_);
    if (state == HttpHeadScanner::State::complete) break;
    if (state == HttpHeadScanner::State::refused) {
      refusal = scanner.refusal();
      return Read::refused;
    }
    if (const auto end = fill_more(deadline, refusal)) return *end;
  }
  auto parsed = parse_http_head(std::string_view(buffer_).substr(0, scanner.size()), limits_);
  consume(scanner.size());
  if (const auto* refused = std::get_if<HttpRefusal>(&parsed)) {
    refusal = *refused;
    return Read::refused;
  }
  head = std::get<HttpHead>(std::move(parsed));
  return Read::request;
}

// For a request under way: nothing when more bytes came, else how its reading ends.
std::optional<HttpConnection::Read> HttpConnection::fill_more(Deadline deadline, HttpRefusal& refusal) {
  const auto filled = fill(deadline);
  if (filled == Fill::bytes) return std::nullopt;
  if (filled == Fill::stopped) return Read::over;
  refusal = filled == Fill::timeout ? kSlow : kCutOff;
  return Read::refused;
}

HttpConnection::Read HttpConnection::read_body(const HttpHead& head, std::string& body, BodyBudget::Reservation& room,
                                               HttpRefusal& refusal) {
  body.clear();
  const auto deadline = Deadline::after(options_.body_time);
  if (head.expect_continue && unread().empty() && !write("HTTP/1.1 100 Continue\r\n\r\n")) return Read::over;
  return head.chunked ? read_chunked(deadline, body, room, refusal)
                      : read_sized(head.content_length, deadline, body, room, refusal);
}

// The budget is charged for what has come, never for what is announced: a peer that only announces holds nothing up.
// The whole is reserved at once all the same: pages that nobody has written to cost nothing, and a string that grows by
// doubling leaves more behind than it holds.
HttpConnection::Read HttpConnection::read_sized(std::size_t size, Deadline deadline, std::string& body,
                                                BodyBudget::Reservation& room, HttpRefusal& refusal) {
  body.reserve(size);
  for (;;) {
    const auto part = unread().substr(0, size - body.size());
    if (!room.grow(part.size())) {
      refusal = kBodiesFull;
      return Read::refused;
    }
    body.append(part);
    consume(part.size());
    if (body.size() == size) return Read::request;
    if (const auto end = fill_more(deadline, refusal)) return *end;
  }
}

HttpConnection::Read HttpConnection::read_chunked(Deadline deadline, std::string& body, BodyBudget::Reservation& room,
                                                  HttpRefusal& refusal) {
  ChunkedDecoder decoder(limits_.body_bytes);
  constexpr std::size_t kSmall = 64 * 1024;
  for (;;) {
    auto rest = unread();
    const auto size = rest.size();
    const auto before = body.size();
    const auto state = decoder.decode(rest, body);
    if (before <= kSmall && body.size() > kSmall) body.reserve(limits_.body_bytes);  // as above
    if (!room.grow(body.size() - before)) {
      refusal = kBodiesFull;
      return Read::refused;
    }
    consume(size - rest.size());
    if (state == ChunkedDecoder::State::complete) return Read::request;
    if (state == ChunkedDecoder::State::refused) {
      refusal = decoder.refusal();
      return Read::refused;
    }
    if (const auto end = fill_more(deadline, refusal)) return *end;
  }
}

bool HttpConnection::write(std::string_view bytes, bool more) {
  auto deadline = Deadline::after(options_.write_time);
  while (!broken_ && !bytes.empty()) {
    const auto sent =
        ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT | (more ? MSG_MORE : 0));
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      deadline = Deadline::after(options_.write_time);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd poller{fd_.get(), POLLOUT, 0};
      if (::poll(&poller, 1, poll_time(deadline)) == 0 && deadline.expired()) broken_ = true;
    } else if (errno != EINTR) {
      broken_ = true;
    }
  }
  return !broken_;
}

void HttpConnection::refuse(const HttpRefusal& refusal, bool with_body) { write(refusal_text(refusal, with_body)); }

void HttpConnection::finish() {
  ::shutdown(fd_.get(), SHUT_WR);
  const auto deadline = Deadline::after(kFinishTime);
  for (;;) {
    consume(unread().size());
    if (broken_ || fill(deadline) != Fill::bytes) return;
  }
}

}  // namespace bridle
