#include "browser/cdp/connection.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/concurrency/thread.h"
#include "browser/cdp/incoming_message.h"
#include "browser/cdp/pending_reply.h"

namespace bridle {
namespace {

std::string command_text(long long id, std::string_view session, std::string_view method, const Json& params) {
  std::string text = fmt::format("{{\"id\":{},\"method\":\"{}\"", id, method);
  if (!session.empty()) text += fmt::format(",\"sessionId\":\"{}\"", session);
  if (!params.is_null() && !(params.is_object() && params.empty())) {
    text += ",\"params\":";
    text += dump(params);
  }
  text += '}';
  return text;
}

}  // namespace

namespace {

[[noreturn]] void throw_cdp_error(std::string_view method, const std::string& message) {
  const Json json = parse_cdp(message);
  const Json& error = json.at("error");
  std::string words = error.value("message", "unknown error");
  if (const auto data = error.find("data"); data != error.end() && data->is_string()) {
    words += " (" + data->get<std::string>() + ")";
  }
  throw CdpError(method, std::move(words), error.value("code", 0));
}

}  // namespace

std::string result_message(std::string_view method, CdpReply reply) {
  if (reply.kind == CdpReply::Kind::closed) throw CdpClosed(std::string(method) + ": " + reply.message);
  if (reply.kind == CdpReply::Kind::error) throw_cdp_error(method, reply.message);
  return std::move(reply.message);
}

Json result_of(std::string_view message) {
  // Parsed, it takes its size once more, and whoever shows it again.
  if (message.size() > limits::kCdpParsed) {
    throw CdpError("the browser's answer",
                   fmt::format("it has {} MiB, and no more than {} MiB are read. Ask for less", message.size() >> 20,
                               limits::kCdpParsed >> 20),
                   -32000);
  }
  return std::move(parse_cdp(message)["result"]);
}

CdpError::CdpError(std::string_view method, std::string message, int code)
    : std::runtime_error(std::string(method) + ": " + message), message_(std::move(message)), code_(code) {}

CdpConnection::CdpConnection(std::unique_ptr<CdpTransport> transport) : transport_(std::move(transport)) {}

CdpConnection::~CdpConnection() { stop(); }

void CdpConnection::stop() {
  close();
  if (reader_.joinable()) reader_.join();
}

void CdpConnection::start(std::function<void(const std::string&)> on_closed) {
  on_closed_ = std::move(on_closed);
  reader_ = start_thread("bridle-cdp", [this] { read_loop(); });
}

Json CdpConnection::call(const CallContext& ctx, std::string_view session, std::string_view method, const Json& params,
                         Millis limit) {
  ctx.signal.throw_if_aborted();
  PendingReply reply(*this, session, method, params);
  if (!reply.wait(ctx.within(limit))) throw CdpTimeout(fmt::format("{}: no reply from the browser in time", method));
  return result_of(result_message(method, reply.take().value()));
}

CdpConnection::Pending& CdpConnection::Pending::operator=(Pending&& other) noexcept {
  if (this != &other) {
    drop();
    connection_ = std::exchange(other.connection_, nullptr);
    id_ = other.id_;
  }
  return *this;
}

void CdpConnection::Pending::drop() {
  if (connection_ != nullptr) std::exchange(connection_, nullptr)->forget(id_);
}

CdpConnection::Pending CdpConnection::send(std::string_view session, std::string_view method, const Json& params,
                                           ReplyHandler handler) {
  return Pending(this, dispatch(session, method, params, std::move(handler)));
}

void CdpConnection::post(std::string_view session, std::string_view method, const Json& params, ReplyHandler handler) {
  if (!handler) {
    handler = [name = std::string(method)](const CdpReply& reply) {
      if (reply.kind == CdpReply::Kind::error) spdlog::debug("cdp: {} failed: {}", name, reply.message);
    };
  }
  dispatch(session, method, params, std::move(handler));
}

long long CdpConnection::dispatch(std::string_view session, std::string_view method, const Json& params,
                                  ReplyHandler handler) {
  MutexLock lock(mutex_);
  const long long id = next_id_++;
  if (closed_) {
    const std::string why = reason_;
    lock.unlock();
    handler({CdpReply::Kind::closed, why});
    return id;
  }
  pending_.emplace(id, Entry{std::string(session), std::string(method), std::move(handler)});
  lock.unlock();
  // A send that fails leaves the entry to fail_all(): the reader sees the end of the transport.
  transport_->send(command_text(id, session, method, params));
  return id;
}

void CdpConnection::forget(long long id) {
  Entry dropped;  // destroyed outside the lock
  MutexLock lock(mutex_);
  if (const auto it = pending_.find(id); it != pending_.end()) {
    dropped = std::move(it->second);
    pending_.erase(it);
  } else {
    const auto runs_elsewhere = [&]() REQUIRES(mutex_) {
      return std::any_of(delivering_.begin(), delivering_.end(), [&](const auto& running) {
        return running.first == id && running.second != std::this_thread::get_id();
      });
    };
    while (runs_elsewhere()) handler_done_.wait(lock);
  }
  lock.unlock();
}

bool CdpConnection::take(long long id, Entry& entry) {
  MutexLock lock(mutex_);
  const auto it = pending_.find(id);
  if (it == pending_.end()) return false;
  entry = std::move(it->second);
  pending_.erase(it);
  delivering_.emplace_back(id, std::this_thread::get_id());
  return true;
}

void CdpConnection::read_loop() {
  while (auto message = transport_->receive()) route(std::move(*message));
  fail_all(transport_->close_reason());
  if (on_closed_) on_closed_(close_reason());
}

void CdpConnection::route(std::string message) {
  if (message.empty()) return;  // dropped as too long, and nobody waits for it
  const auto envelope = scan_cdp(message);
  if (!envelope) {
    spdlog::warn("cdp: a message that is no CDP was dropped ({} bytes)", message.size());
    return;
  }
  if (envelope->kind != CdpEnvelope::Kind::event) {
    Entry entry;
    if (!take(envelope->id, entry)) return;  // its waiter left: aborted or timed out
    const auto kind = envelope->kind == CdpEnvelope::Kind::reply ? CdpReply::Kind::result : CdpReply::Kind::error;
    deliver(envelope->id, std::move(entry), {kind, std::move(message)});
    return;
  }
  std::shared_ptr<EventHandler> handler;
  {
    MutexLock lock(mutex_);
    const auto it = events_.find(std::string(envelope->session));
    if (it == events_.end()) return;
    handler = it->second;
    event_session_ = envelope->session;
    event_running_ = true;
  }
  try {
    (*handler)(envelope->method, message);
  } catch (const std::exception& error) {
    spdlog::error("cdp: handling {} failed: {}", envelope->method, error.what());
  }
  handler.reset();
  MutexLock lock(mutex_);
  event_running_ = false;
  handler_done_.notify_all();
}

void CdpConnection::deliver(long long id, Entry entry, CdpReply reply) {
  try {
    entry.handler(std::move(reply));
  } catch (const std::exception& error) {
    spdlog::error("cdp: handling the reply to {} failed: {}", entry.method, error.what());
  }
  entry.handler = nullptr;
  MutexLock lock(mutex_);
  std::erase(delivering_, std::pair(id, std::this_thread::get_id()));
  handler_done_.notify_all();
}

void CdpConnection::set_event_handler(const std::string& session, EventHandler handler) {
  std::shared_ptr<EventHandler> old;  // destroyed outside the lock
  MutexLock lock(mutex_);
  if (const auto it = events_.find(session); it != events_.end()) {
    old = std::move(it->second);
    events_.erase(it);
  }
  if (handler) {
    events_.emplace(session, std::make_shared<EventHandler>(std::move(handler)));
  } else if (std::this_thread::get_id() != reader_.get_id()) {
    while (event_running_ && event_session_ == session) handler_done_.wait(lock);
  }
  lock.unlock();
}

long long CdpConnection::mark() const {
  MutexLock lock(mutex_);
  return next_id_;
}

void CdpConnection::fail_session(std::string_view session, const std::string& why, long long mark) {
  std::vector<long long> ids;
  {
    MutexLock lock(mutex_);
    for (const auto& [id, entry] : pending_) {
      if (entry.session == session && id < mark) ids.push_back(id);
    }
  }
  fail(ids, why);
}

void CdpConnection::fail_all(const std::string& why) {
  std::vector<long long> ids;
  {
    MutexLock lock(mutex_);
    closed_ = true;
    reason_ = why.empty() ? "the browser closed" : why;
    for (const auto& [id, entry] : pending_) ids.push_back(id);
  }
  fail(ids, close_reason());
}

// The entries fail one by one. Until its turn an entry is still pending, so that dropping its handle still forgets it.
void CdpConnection::fail(const std::vector<long long>& ids, const std::string& why) {
  for (const auto id : ids) {
    Entry entry;
    if (take(id, entry)) deliver(id, std::move(entry), {CdpReply::Kind::closed, why});
  }
}

void CdpConnection::close() { transport_->close(); }

bool CdpConnection::open() const {
  MutexLock lock(mutex_);
  return !closed_;
}

std::string CdpConnection::close_reason() const {
  MutexLock lock(mutex_);
  return reason_;
}

long CdpConnection::pending() const {
  MutexLock lock(mutex_);
  return static_cast<long>(pending_.size());
}

}  // namespace bridle
