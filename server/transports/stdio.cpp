#include "server/transports/stdio.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <thread>
#include <utility>

#include "base/concurrency/thread.h"
#include "base/concurrency/wake_fd.h"
#include "base/limits.h"
#include "base/text/log.h"
#include "server/status_board.h"
#include "server/transports/legacy_stream.h"
#include "server/transports/modern_envelope.h"

namespace bridle {
namespace {

using jsonrpc::Message;

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

StdioConnection::StdioConnection(McpServer& mcp, ListenHub& hub, std::shared_ptr<Session> session, int in, int out)
    : mcp_(mcp), hub_(hub), session_(std::move(session)), stream_(session_->stream()), in_(in), out_(out) {}

void StdioConnection::run(const AbortSignal& alive) {
  std::thread writer = start_thread("bridle-stdout", [this] { write_frames(); });
  read_lines(alive);
  listeners_.clear();
  // The client is gone, or we are going: its calls end, what they still say is written.
  session_->close("the connection ended");
  writer.join();
}

void StdioConnection::write_frames() {
  const auto reader = std::make_shared<ReplyStream::Reader>(stream_);
  for (Frame frame;;) {
    const auto got = reader->next(limits::kKeepAlive, frame);
    if (got == ReplyStream::Reader::Got::idle) continue;
    if (got != ReplyStream::Reader::Got::frame) return;
    if (!write_all(out_, *frame.text + "\n")) {
      session_->close("the client takes no more output");
      return;
    }
  }
}

void StdioConnection::read_lines(const AbortSignal& alive) {
  const WakeFd wake;
  const AbortCallback on_end(alive, [&wake] { wake.wake(); });
  const AbortCallback on_close(session_->signal(), [&wake] { wake.wake(); });
  std::string buffer;
  bool skipping = false;  // the rest of a line that was too long
  char bytes[64 * 1024];
  while (!alive.aborted() && !session_->signal().aborted()) {
    pollfd polled[2] = {{in_, POLLIN, 0}, {wake.get(), POLLIN, 0}};
    if (::poll(polled, 2, -1) < 0 && errno != EINTR) return;
    if (polled[0].revents == 0) continue;
    const ssize_t count = ::read(in_, bytes, sizeof(bytes));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    buffer.append(bytes, static_cast<std::size_t>(count));
    std::size_t from = 0;
    for (std::size_t end; (end = buffer.find('\n', from)) != std::string::npos; from = end + 1) {
      if (!skipping) receive_line(std::string_view(buffer).substr(from, end - from));
      skipping = false;
    }
    buffer.erase(0, from);
    if (buffer.size() > limits::kBodyBytes) {
      if (!skipping) say(jsonrpc::error("", jsonrpc::kParseError, "Parse error: the line is too long"));
      skipping = true;
      buffer.clear();
    }
  }
}

// "A bad line gets -32700 without an id, and the next line is served."
void StdioConnection::receive_line(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  auto parsed = jsonrpc::parse(line);
  if (!parsed.ok) return say(jsonrpc::error("", jsonrpc::kParseError, parsed.problem));
  const bool batches = session_->negotiated() && has_batches(session_->revision());
  if (parsed.batch && (!batches || parsed.messages.empty())) {
    return say(jsonrpc::error("", jsonrpc::kInvalidRequest, "Invalid request: no batches here, or an empty one"));
  }
  for (Message& message : parsed.messages) receive(std::move(message));
}

void StdioConnection::receive(Message message) {
  if (message.kind == Message::Kind::request && has_modern_claim(message)) return receive_modern(message);
  if (message.kind == Message::Kind::notification && message.method == "notifications/cancelled" && cancel(message))
    return;
  receive_on_stream(mcp_, session_, std::move(message));
}

// Cancels a request of 2026-07-28, for which the notification is the cancel on stdio. A call that became a task isn't
// cancelled by it. False if no request of that era has this id.
bool StdioConnection::cancel(const Message& message) {
  if (!message.params.is_object()) return false;
  const std::string id = jsonrpc::id_text(message.params.value("requestId", Json()));
  if (listeners_.erase(id) > 0) return true;
  const auto asked = asked_.find(id);
  if (asked == asked_.end()) return false;
  Caller caller;
  caller.revision = Revision::v2026_07_28;
  caller.name = asked->second.name;
  caller.signal = session_->signal();
  mcp_.notification(caller, message);
  return true;
}

// Whether a request of this id is still to be answered.
bool StdioConnection::is_taken(const std::string& id) {
  constexpr std::size_t kSwept = 64;
  const auto is_over = [](const auto& item) {
    const auto call = item.second.call.lock();
    return !call || call->is_released();
  };
  if (asked_.size() >= kSwept) std::erase_if(asked_, is_over);
  const auto found = asked_.find(id);
  return listeners_.contains(id) || (found != asked_.end() && !is_over(*found));
}

// The same as over HTTP, but without headers.
void StdioConnection::receive_modern(const Message& message) {
  if (const auto words = check_envelope(message); !words.empty()) {
    return say(jsonrpc::error(message.id, jsonrpc::kInvalidParams, "Invalid params: " + words));
  }
  if (claimed_version(message) != to_string(Revision::v2026_07_28)) return say(unsupported_version(message));
  if (is_taken(message.id)) {
    return say(jsonrpc::error(message.id, jsonrpc::kInvalidRequest, "Invalid request: this id is in flight already"));
  }
  if (message.method == "subscriptions/listen") {
    const auto wanted = message.params.find("notifications");
    if (wanted == message.params.end() || !wanted->is_object()) {
      return say(
          jsonrpc::error(message.id, jsonrpc::kInvalidParams, "Invalid params: notifications must be an object"));
    }
    if (auto listener = hub_.listen(message.id, *wanted, stream_)) listeners_[message.id] = std::move(listener);
    return;
  }
  Caller caller = modern_caller(message, std::string(StatusBoard::kModernPrefix) + std::to_string(next_++));
  caller.may_wait = false;
  caller.signal = session_->signal();
  auto outcome = mcp_.request(caller, message, stream_);
  if (!outcome.started) return say(std::move(outcome.text));
  asked_[message.id] = {.name = caller.name, .call = outcome.call};
  outcome.call->keep_telling(outcome.may_become_task);
}

void StdioConnection::say(std::string text) { stream_->push(Frame::Kind::response, std::move(text)); }

}  // namespace bridle
