#include "server/http/server.h"

#include <spdlog/spdlog.h>

#include <stdexcept>
#include <unordered_set>

#include "base/limits.h"
#include "base/log.h"
#include "base/sync.h"
#include "base/thread_pool.h"
#include "base/wake_fd.h"
#include "server/http/connection.h"
#include "server/http/listener.h"
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

}  // namespace

class HttpServer::Impl {
 public:
  Impl(HttpServerOptions options, Handler handler) : options_(std::move(options)), handler_(std::move(handler)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void bind() { listener_.bind(options_.host, options_.port); }
  int port() const { return listener_.port(); }
  void run() EXCLUDES(mutex_);
  void stop(Millis grace) EXCLUDES(mutex_);
  Counters counters() const EXCLUDES(mutex_);

 private:
  bool accept(int fd, const SocketAddress& peer) EXCLUDES(mutex_);
  void serve(HttpConnection& connection);
  void leave(HttpConnection& connection) EXCLUDES(mutex_);
  HttpReply handle(const HttpRequest& request) const;
  bool stopping() const { return stopping_.load(std::memory_order_acquire); }

  const HttpServerOptions options_;
  const Handler handler_;
  const WakeFd stop_wake_;  // woken once, by stop(); drained by nobody, so that it ends every poll on it
  std::atomic<bool> stopping_{false};
  std::atomic<long long> accepted_{0};
  std::atomic<long long> refused_{0};
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

bool HttpServer::Impl::accept(int fd, const SocketAddress& peer) {
  {
    MutexLock lock(mutex_);
    if (open_.size() >= options_.max_connections) return false;
  }
  auto connection = std::make_shared<HttpConnection>(fd, peer, stop_wake_.get(), options_, watcher_);
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
  if (started) return true;
  leave(*connection);
  connection->release();  // for the listener to refuse
  return false;
}

void HttpServer::Impl::leave(HttpConnection& connection) {
  MutexLock lock(mutex_);
  open_.erase(&connection);
  changed_.notify_all();
}

void HttpServer::Impl::serve(HttpConnection& connection) {
  ReplyWriter writer(connection);
  for (;;) {
    HttpHead head;
    HttpRequest request;
    HttpRefusal refusal;
    const auto read = connection.read(head, request.body, refusal);
    if (read == HttpConnection::Read::over) return;
    if (read == HttpConnection::Read::refused) {
      connection.refuse(refusal, head.method != "HEAD");
      break;
    }
    request.method = head.method;
    request.path = std::move(head.path);
    request.query = std::move(head.query);
    request.headers = std::move(head.headers);
    request.peer = &connection;
    auto reply = handle(request);
    if (reply.drop) return;
    if (!writer.write(head, reply, head.keep_alive && !reply.close && !stopping())) break;
  }
  connection.finish();
}

HttpReply HttpServer::Impl::handle(const HttpRequest& request) const {
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
  return counters;
}

HttpServer::HttpServer(HttpServerOptions options, Handler handler)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(handler))) {}

HttpServer::~HttpServer() { impl_->stop(Millis(0)); }

void HttpServer::bind() { impl_->bind(); }

int HttpServer::port() const { return impl_->port(); }

void HttpServer::run() { impl_->run(); }

void HttpServer::stop(Millis grace) { impl_->stop(grace); }

HttpServer::Counters HttpServer::counters() const { return impl_->counters(); }

}  // namespace bridle
