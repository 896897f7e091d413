#include "server/http/server.h"

#include <spdlog/spdlog.h>

#include <optional>
#include <stdexcept>
#include <unordered_set>

#include "base/concurrency/sync.h"
#include "base/concurrency/thread_pool.h"
#include "base/concurrency/wake_fd.h"
#include "base/limits.h"
#include "base/text/log.h"
#include "server/http/body_budget.h"
#include "server/http/connection.h"
#include "server/http/connection_shares.h"
#include "server/http/listener.h"
#include "server/http/peer_user.h"
#include "server/http/reply_writer.h"

namespace bridle {
namespace {

// Small stacks, because there may be a thousand; and below the size of a huge page, or each might cost one. The bound
// of the connections themselves is HttpServerOptions::max_connections.
constexpr ThreadPool::Options kThreads{.name = "bridle-conn",
                                       .cap = limits::kConnectionThreads,
                                       .max_idle = 16,
                                       .idle = Millis(1000),
                                       .stack_bytes = 512 * 1024};

constexpr HttpRefusal kOverCapacity{503, "The server has too many open connections. Try again in a moment."};
constexpr HttpRefusal kOverShare{
    503, "Too many connections of this user or machine are open. Close some, or try again in a moment."};
// Without a token, the user is what authorizes: whoever drives the browser can act in that user's name.
constexpr HttpRefusal kOtherUser{403,
                                 "This port serves only processes of the user that started bridle. To share it, start "
                                 "bridle with --token-file."};
constexpr HttpRefusal kUnknownUser{
    403,
    "Whose process this is can't be told over this connection (a proxy, a container, another machine): start bridle "
    "with --token-file and send the token."};

}  // namespace

class HttpServer::Impl {
 public:
  Impl(HttpServerOptions options, Handler handler, HeadCheck check)
      : options_(std::move(options)), handler_(std::move(handler)), check_(std::move(check)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void bind() { listener_.bind(options_.host, options_.port); }
  int port() const { return listener_.port(); }
  const std::vector<std::string>& own_hosts() const { return listener_.own_hosts(); }
  void run() EXCLUDES(mutex_);
  void stop(Millis grace) EXCLUDES(mutex_);
  Counters counters() const EXCLUDES(mutex_);

 private:
  std::string_view accept(int fd, const SocketAddress& peer) EXCLUDES(mutex_);
  std::string_view refuse(const HttpRefusal& refusal);
  const HttpRefusal* identify(int fd, const SocketAddress& peer, HttpConnection::Owner& owner);
  void serve(HttpConnection& connection);
  bool serve_request(HttpConnection& connection, ReplyWriter& writer);
  void leave(HttpConnection& connection) EXCLUDES(mutex_);
  std::optional<HttpReply> check_head(const HttpRequest& request) const;
  HttpReply handle(HttpRequest& request) const;
  bool stopping() const { return stopping_.load(std::memory_order_acquire); }

  const HttpServerOptions options_;
  const Handler handler_;
  const HeadCheck check_;
  const WakeFd stop_wake_;  // woken once, by stop(); drained by nobody, so that it ends every poll on it
  std::atomic<bool> stopping_{false};
  std::atomic<long long> accepted_{0};
  std::atomic<long long> refused_{0};
  std::atomic<long long> foreign_refused_{0};
  ConnectionShares shares_{{.strangers = options_.max_strangers, .one_stranger = options_.max_one_stranger}};
  BodyBudget bodies_{options_.max_buffered_bodies};
  PeerOwners owners_;         // the accepting thread's
  std::string refusal_text_;  // likewise: the last refusal, on its way to the listener
  PeerWatcher watcher_;
  HttpListener listener_;

  mutable Mutex mutex_;
  CondVar changed_;
  std::unordered_set<HttpConnection*> open_ GUARDED_BY(mutex_);
  bool running_ GUARDED_BY(mutex_) = false;
  ThreadPool threads_{kThreads};  // last: its threads use everything above
};

void HttpServer::Impl::run() {
  {
    MutexLock lock(mutex_);
    running_ = true;
  }
  listener_.run(
      stop_wake_.get(), [this](int fd, const SocketAddress& peer) { return accept(fd, peer); }, [this] { ++refused_; });
  threads_.join();
  MutexLock lock(mutex_);
  running_ = false;
  changed_.notify_all();
}

std::string_view HttpServer::Impl::refuse(const HttpRefusal& refusal) {
  refusal_text_ = refusal_text(refusal);
  return refusal_text_;
}

// Whose connection it is, before a byte of it is read; why it isn't served, or null.
const HttpRefusal* HttpServer::Impl::identify(int fd, const SocketAddress& peer, HttpConnection::Owner& owner) {
  if (!options_.identify_peers && !options_.own_user_only) return nullptr;
  const PeerOwner found = owners_.of(fd);
  const bool known = found.user != PeerUser::unknown;
  if (options_.own_user_only && found.user != PeerUser::same) {
    ++foreign_refused_;
    return known ? &kOtherUser : &kUnknownUser;
  }
  owner.name = known ? "user " + std::to_string(found.uid) : "address " + peer.address();
  if (found.user == PeerUser::same) return nullptr;
  owner.place = shares_.take(owner.name);
  return owner.place ? nullptr : &kOverShare;
}

std::string_view HttpServer::Impl::accept(int fd, const SocketAddress& peer) {
  HttpConnection::Owner owner;
  if (const HttpRefusal* const why = identify(fd, peer, owner)) return refuse(*why);
  {
    MutexLock lock(mutex_);
    if (open_.size() >= options_.max_connections) return refuse(kOverCapacity);
  }
  auto connection = std::make_shared<HttpConnection>(fd, peer, std::move(owner), stop_wake_.get(), options_, watcher_);
  {
    MutexLock lock(mutex_);
    open_.insert(connection.get());
  }
  ++accepted_;
  const bool started = threads_.submit([this, connection] {
    try {
      serve(*connection);
    } catch (const std::exception& error) {
      spdlog::error("a connection was given up: {}", loggable(error.what()));
    }
    leave(*connection);
  });
  if (started) return {};
  leave(*connection);
  connection->release();  // for the listener to refuse
  return refuse(kOverCapacity);
}

void HttpServer::Impl::leave(HttpConnection& connection) {
  MutexLock lock(mutex_);
  open_.erase(&connection);
  changed_.notify_all();
}

void HttpServer::Impl::serve(HttpConnection& connection) {
  ReplyWriter writer(connection);
  while (serve_request(connection, writer)) {
  }
}

// False when the connection has ended, or is to be closed.
bool HttpServer::Impl::serve_request(HttpConnection& connection, ReplyWriter& writer) {
  HttpHead head;
  HttpRefusal refusal;
  const auto end = [&connection] {
    connection.finish();
    return false;
  };
  const auto refused = [&] {
    connection.refuse(refusal, head.method != "HEAD");
    return end();
  };
  const auto head_read = connection.read_head(head, refusal);
  if (head_read == HttpConnection::Read::over) return false;
  if (head_read == HttpConnection::Read::refused) return refused();
  HttpRequest request{.method = head.method,
                      .path = std::move(head.path),
                      .query = std::move(head.query),
                      .headers = std::move(head.headers),
                      .body = {},
                      .body_room = {},
                      .peer = &connection};
  if (auto reply = check_head(request)) {
    const bool has_body = head.chunked || head.content_length > 0;
    const bool keep = head.keep_alive && !has_body && !reply->close && !stopping();
    return writer.write(head, *reply, keep) || end();
  }
  if (head.chunked || head.content_length > 0) {
    const auto room = std::make_shared<BodyBudget::Reservation>(bodies_);
    request.body_room = room;
    const auto body_read = connection.read_body(head, request.body, *room, refusal);
    if (body_read == HttpConnection::Read::over) return false;
    if (body_read == HttpConnection::Read::refused) return refused();
  }
  auto reply = handle(request);
  request.drop_body();  // its answer may be a stream that lasts
  if (reply.drop) return false;
  return writer.write(head, reply, head.keep_alive && !reply.close && !stopping()) || end();
}

std::optional<HttpReply> HttpServer::Impl::check_head(const HttpRequest& request) const {
  if (!check_) return std::nullopt;
  try {
    return check_(request);
  } catch (const std::exception& error) {
    spdlog::error("the check of {} {} threw: {}", request.method, loggable(request.path), loggable(error.what()));
  }
  return HttpReply::text(500, "The server failed to handle the request. Its log says why.");
}

HttpReply HttpServer::Impl::handle(HttpRequest& request) const {
  try {
    return handler_(request);
  } catch (const std::exception& error) {
    spdlog::error("the handler of {} {} threw: {}", request.method, loggable(request.path), loggable(error.what()));
  } catch (...) {
    spdlog::error("the handler of {} {} threw", request.method, loggable(request.path));
  }
  return HttpReply::text(500, "The server failed to handle the request. Its log says why.");
}

void HttpServer::Impl::stop(Millis grace) {
  stopping_.store(true, std::memory_order_release);
  stop_wake_.wake();
  const auto deadline = Deadline::after(grace);
  MutexLock lock(mutex_);
  while (!open_.empty()) {
    if (changed_.wait_until(lock, deadline.when()) == std::cv_status::timeout) break;
  }
  // Under the lock that leave() takes: none of these is destroyed meanwhile.
  for (auto* connection : open_) connection->shut_down();
  while (running_) changed_.wait(lock);
}

HttpServer::Counters HttpServer::Impl::counters() const {
  Counters counters{};
  {
    MutexLock lock(mutex_);
    counters.connections = static_cast<long>(open_.size());
  }
  counters.threads = threads_.threads();
  counters.watched = watcher_.registrations();
  counters.accepted_total = accepted_;
  counters.refused_total = refused_;
  counters.foreign_refused_total = foreign_refused_;
  counters.strangers = static_cast<long>(shares_.strangers());
  counters.body_bytes = bodies_.used();
  return counters;
}

HttpServer::HttpServer(HttpServerOptions options, Handler handler, HeadCheck check)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(handler), std::move(check))) {}

HttpServer::~HttpServer() { impl_->stop(Millis(0)); }

void HttpServer::bind() { impl_->bind(); }

int HttpServer::port() const { return impl_->port(); }

const std::vector<std::string>& HttpServer::own_hosts() const { return impl_->own_hosts(); }

void HttpServer::run() { impl_->run(); }

void HttpServer::stop(Millis grace) { impl_->stop(grace); }

HttpServer::Counters HttpServer::counters() const { return impl_->counters(); }

}  // namespace bridle
