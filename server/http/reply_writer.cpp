#include "server/http/reply_writer.h"

#include <httplib.h>
#include <spdlog/spdlog.h>

#include "base/text/log.h"
#include "base/text/text.h"
#include "server/http/connection.h"

// cpp-httplib frames the answers: status line, headers, content length, chunks. It never sees a byte from the network
// (README.md says why): it reads a request line of our own, and writes through the connection. This file compiles
// against 0.11 (Debian 12) to 0.18 (Debian 13).
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

}  // namespace

class ReplyWriter::Framer final : private httplib::Server {
 public:
  explicit Framer(HttpConnection& connection) : connection_(connection) {
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
    // A stream without chunks can only be ended by closing the connection.
    keep_alive_ = keep_alive && !(reply.stream && head.minor_version == 0);
    const bool is_head = head.method == "HEAD";
    ReplyStream stream(connection_, is_head, !reply.stream && !reply.body.empty() && !is_head);
    return process(*this, stream, !keep_alive_) && keep_alive_;
  }

 private:
  // httplib offers no public way to answer on a connection that it did not accept itself. Its protected
  // process_request is that way, and later releases also want to know both ends' addresses: we take the form that
  // this release has. A template, so that the other form need not compile.
  template <typename Self>
  static bool process(Self& self, httplib::Stream& stream, bool close) {
    bool closed = false;
    if constexpr (requires { self.process_request(stream, close, closed, nullptr); }) {
      return self.process_request(stream, close, closed, nullptr);
    } else {
      return self.process_request(stream, {}, 0, {}, 0, close, closed, nullptr);
    }
  }

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
    for (const auto& [name, value] : HttpReply::kAlways) {
      const std::string header(name);
      if (!response.has_header(header.c_str())) response.set_header(header, std::string(value));
    }
  }

  HttpConnection& connection_;
  const HttpHead* head_ = nullptr;
  HttpReply* reply_ = nullptr;
  bool keep_alive_ = true;
};

ReplyWriter::ReplyWriter(HttpConnection& connection) : framer_(std::make_unique<Framer>(connection)) {}

ReplyWriter::~ReplyWriter() = default;

bool ReplyWriter::write(const HttpHead& head, HttpReply& reply, bool keep_alive) {
  return framer_->write(head, reply, keep_alive);
}

}  // namespace bridle
