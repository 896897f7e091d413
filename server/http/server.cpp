#include "server/http/server.h"

#include <httplib.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "base/log.h"
#include "base/sync.h"
#include "server/http/connection.h"
#include "server/http/connection_threads.h"
#include "server/http/listener.h"

// What httplib 0.11 does here, and what it doesn't. It frames the answers: status line, headers, content length,
// chunks. It never sees a byte from the network: its reader loses pipelined bytes, bounds nothing, percent-decodes
// header values, answers Range and Accept-Encoding, routes by recursive std::regex and puts exception texts into
// headers. HttpConnection reads in its place and hands it a request line of our own.
namespace bridle {
namespace {

// What httplib reads and writes through.
class ReplyStream final : public httplib::Stream {
 public:
  ReplyStream(HttpConnection& connection, bool is_head, bool body_follows)
      : connection_(connection),
        rest_(is_head ? "HEAD / HTTP/1.1\r\n\r\n" : "GET / HTTP/1.1\r\n\r\n"),
        body_follows_(body_follows) {}

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* bytes, size_t size) override {
    const auto taken = rest_.copy(bytes, size);
    rest_.remove_prefix(taken);
    return static_cast<ssize_t>(taken);
  }
  ssize_t write(const char* bytes, size_t size) override {
    // The first write is the head: it leaves in one packet with a body that is already there.
    const bool more = std::exchange(body_follows_, false);
    return connection_.write({bytes, size}, more) ? static_cast<ssize_t>(size) : -1;
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override { get_remote_ip_and_port(ip, port); }
  socket_t socket() const override { return INVALID_SOCKET; }

 private:
  HttpConnection& connection_;
  std::string_view rest_;
  bool body_follows_;
};

class SinkStream final : public HttpStream {
 public:
  explicit SinkStream(httplib::DataSink& sink) : sink_(sink) {}
  bool write(std::string_view bytes) override {
    // httplib takes an empty write for the end.
    if (!bytes.empty()) ok_ = ok_ && sink_.write(bytes.data(), bytes.size());
    return ok_;
  }
  bool ok() const { return ok_; }

 private:
  httplib::DataSink& sink_;
  bool ok_ = true;
};

// Writes one connection's answers, by its thread.
class ReplyWriter final : private httplib::Server {
 public:
  explicit ReplyWriter(HttpConnection& connection) : connection_(connection) {
    svr_sock_ = 0;  // not INVALID_SOCKET, which would end every stream before it begins; never used or closed
    set_pre_routing_handler([this](const httplib::Request&, httplib::Response& response) {
      fill(response);
      return HandlerResponse::Handled;
    });
    set_post_routing_handler([this](const httplib::Request&, httplib::Response& response) { tidy(response); });
  }

  // Sends `reply`, running its stream. False when the connection cannot serve another request.
  bool write(const HttpHead& head, HttpReply& reply, bool keep_alive) {
    head_ = &head;
    reply_ = &reply;
    // Without chunks only the connection's end ends a stream.
    keep_alive_ = keep_alive && !(reply.stream && head.minor_version == 0);
    const bool is_head = head.method == "HEAD";
    ReplyStream stream(connection_, is_head, !reply.stream && !reply.body.empty() && !is_head);
    bool closed = false;
    return process_request(stream, !keep_alive_, closed, nullptr) && keep_alive_;
  }

 private:
  void fill(httplib::Response& response) {
    response.status = reply_->status;
    std::string type;
    for (auto& [name, value] : reply_->headers) {
      if (equals_ignoring_case(name, "Content-Type")) {
        type = value;
      } else {
        response.set_header(name, value);  // which ignores one with a line break
      }
    }
    if (!reply_->stream) {
      response.body = std::move(reply_->body);
      if (!type.empty()) response.set_header("Content-Type", type);
      return;
    }
    auto run = [this](size_t, httplib::DataSink& sink) { return run_stream(sink); };
    if (head_->minor_version == 0) {
      response.set_content_provider(type, run);
    } else {
      response.set_chunked_content_provider(type, run);
    }
  }

  // False ends the connection without the chunk that would make the stream look whole.
  bool run_stream(httplib::DataSink& sink) {
    SinkStream stream(sink);
    try {
      reply_->stream(stream);
    } catch (const std::exception& error) {
      spdlog::error("an answer's stream threw: {}", loggable(error.what()));
      return false;
    } catch (...) {
      spdlog::error("an answer's stream threw");
      return false;
    }
    if (!stream.ok()) return false;
    sink.done();
    return true;
  }

  // The head's last look before it is sent.
  void tidy(httplib::Response& response) const {
    response.headers.erase("Keep-Alive");
    response.headers.erase("Accept-Ranges");
    response.headers.erase("Connection");
    if (!keep_alive_) {
      response.set_header("Connection", "close");
    } else if (head_->minor_version == 0) {
      response.set_header("Connection", "keep-alive");
    }
    if (response.status == 204) response.headers.erase("Content-Length");
  }

  HttpConnection& connection_;
  const HttpHead* head_ = nullptr;
  HttpReply* reply_ = nullptr;
  bool keep_alive_ = true;
};

}  // namespace

class HttpServer::Impl {
 public:
  Impl(HttpServerOptions options, Handler handler)
      : options_(std::move(options)), handler_(std::move(handler)), stop_fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (stop_fd_ < 0) throw std::runtime_error("the system refused an event descriptor; too many files are open");
  }
  ~Impl() { ::close(stop_fd_); }
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
  const int stop_fd_;  // written once, by stop(); read by nobody, so that every poll on it wakes
  std::atomic<bool> stopping_{false};
  std::atomic<long long> accepted_{0};
  std::atomic<long long> refused_{0};
  PeerWatcher watcher_;
  HttpListener listener_;

  mutable Mutex mutex_;
  CondVar changed_;
  std::unordered_set<HttpConnection*> open_ GUARDED_BY(mutex_);
  bool running_ GUARDED_BY(mutex_) = false;
  ConnectionThreads threads_;  // last: its threads use everything above
};

void HttpServer::Impl::run() {
  {
    MutexLock lock(mutex_);
    running_ = true;
  }
  listener_.run(
      stop_fd_, [this](int fd, const SocketAddress& peer) { return accept(fd, peer); }, [this] { ++refused_; });
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
  auto connection = std::make_shared<HttpConnection>(fd, peer, stop_fd_, options_, watcher_);
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
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(stop_fd_, &one, sizeof one);
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
  counters.threads = threads_.alive();
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
