#include "browser/cdp/websocket_transport.h"

#include <curl/curl.h>
#include <poll.h>

#include <utility>

#include "base/limits.h"
#include "base/text/codecs.h"
#include "browser/cdp/launch_error.h"
#include "browser/cdp/message.h"
#include "browser/cdp/websocket_handshake.h"

namespace bridle {
namespace {

constexpr Millis kConnect{5000};
constexpr std::size_t kHandshakeLimit = 16 * 1024;
constexpr std::size_t kDiscovery = 1024 * 1024;

// libcurl's own start-up, once a process.
void init_curl() {
  static const bool kReady = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  if (!kReady) throw LaunchError("libcurl can't be used on this system.");
}

// A URL's parts; everything but the scheme and the host may be secret.
struct Endpoint {
  std::string scheme{};
  std::string host_and_port{};
  std::string target{};         // path and query
  std::string authorization{};  // of user:password@, as a header's value
  bool websocket() const { return scheme == "ws" || scheme == "wss"; }
  bool secure() const { return scheme == "wss" || scheme == "https"; }
  std::string shown() const { return scheme + "://" + host_and_port; }
};

std::string part(CURLU* url, CURLUPart what, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, what, &text, flags) != CURLUE_OK) return {};
  std::string out(text);
  curl_free(text);
  return out;
}

Endpoint parse_endpoint(const std::string& text) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), curl_url_cleanup);
  Endpoint endpoint;
  if (curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK) {
    endpoint.scheme = part(url.get(), CURLUPART_SCHEME);
    endpoint.host_and_port = part(url.get(), CURLUPART_HOST);
    if (const auto port = part(url.get(), CURLUPART_PORT); !port.empty()) endpoint.host_and_port += ":" + port;
    endpoint.target = part(url.get(), CURLUPART_PATH);
    if (endpoint.target.empty()) endpoint.target = "/";
    if (const auto query = part(url.get(), CURLUPART_QUERY); !query.empty()) endpoint.target += "?" + query;
    const auto user = part(url.get(), CURLUPART_USER, CURLU_URLDECODE);
    if (!user.empty()) {
      endpoint.authorization = "Basic " + base64(user + ":" + part(url.get(), CURLUPART_PASSWORD, CURLU_URLDECODE));
    }
  }
  const bool known = endpoint.websocket() || endpoint.scheme == "http" || endpoint.scheme == "https";
  if (!known || endpoint.host_and_port.empty()) {
    throw LaunchError(
        "--cdp-endpoint is not a URL that a browser can be reached at. Give http://HOST:PORT of a Chromium started "
        "with "
        "--remote-debugging-port=PORT, or the ws:// URL that it prints.");
  }
  return endpoint;
}

int stop_on_abort(void* signal, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const AbortSignal*>(signal)->aborted() ? 1 : 0;
}

std::size_t collect(char* data, std::size_t, std::size_t size, void* into) {
  auto& body = *static_cast<std::string*>(into);
  if (body.size() + size > kDiscovery) return 0;
  body.append(data, size);
  return size;
}

using Handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

Handle make_handle(const CallContext& ctx, const std::string& url) {
  init_curl();
  Handle handle(curl_easy_init(), curl_easy_cleanup);
  if (!handle) throw LaunchError("libcurl can't be used on this system.");
  curl_easy_setopt(handle.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle.get(), CURLOPT_PROXY, "");  // a browser's port is never behind the system's web proxy
  curl_easy_setopt(handle.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(kConnect.count()));
  curl_easy_setopt(handle.get(), CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle.get(), CURLOPT_XFERINFOFUNCTION, stop_on_abort);
  curl_easy_setopt(handle.get(), CURLOPT_XFERINFODATA, &ctx.signal);
  return handle;
}

[[noreturn]] void throw_unreachable(const Endpoint& endpoint, const std::string& why) {
  throw LaunchError("No browser answers at --cdp-endpoint " + endpoint.shown() + ": " + why +
                    ". Start one with --remote-debugging-port, or correct the endpoint. The next call tries again.");
}

// GET /json/version: where the browser's own WebSocket is.
Endpoint discover(const CallContext& ctx, const Endpoint& endpoint) {
  const auto handle = make_handle(ctx, endpoint.shown() + "/json/version");
  std::string body;
  curl_easy_setopt(handle.get(), CURLOPT_WRITEFUNCTION, collect);
  curl_easy_setopt(handle.get(), CURLOPT_WRITEDATA, &body);
  curl_easy_setopt(handle.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(kConnect.count()));
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(nullptr, curl_slist_free_all);
  if (!endpoint.authorization.empty()) {
    headers.reset(curl_slist_append(nullptr, ("Authorization: " + endpoint.authorization).c_str()));
    curl_easy_setopt(handle.get(), CURLOPT_HTTPHEADER, headers.get());
  }
  const CURLcode code = curl_easy_perform(handle.get());
  ctx.signal.throw_if_aborted();
  if (code != CURLE_OK) throw_unreachable(endpoint, curl_easy_strerror(code));
  long status = 0;
  curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
  const Json json = Json::parse(body, nullptr, false);
  const auto url = json.is_object() ? json.find("webSocketDebuggerUrl") : json.end();
  if (status != 200 || !json.is_object() || url == json.end() || !url->is_string()) {
    throw_unreachable(endpoint, "what listens there is no browser's debugging port (status " + std::to_string(status) +
                                    " for /json/version)");
  }
  Endpoint found = parse_endpoint(url->get<std::string>());
  // The browser names the host as it sees itself; it can be reached at the host that was asked.
  found.host_and_port = endpoint.host_and_port;
  found.scheme = endpoint.secure() ? "wss" : "ws";
  found.authorization = endpoint.authorization;
  return found;
}

}  // namespace

class WebSocketTransport::Connection {
 public:
  Connection(const CallContext& ctx, const Endpoint& endpoint)
      : handle_(make_handle(ctx, (endpoint.secure() ? "https://" : "http://") + endpoint.host_and_port)) {
    curl_easy_setopt(handle_.get(), CURLOPT_CONNECT_ONLY, 1L);
    // The socket is ours after this: HTTP/2 must not be agreed on.
    curl_easy_setopt(handle_.get(), CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    const CURLcode code = curl_easy_perform(handle_.get());
    ctx.signal.throw_if_aborted();
    if (code != CURLE_OK) throw_unreachable(endpoint, curl_easy_strerror(code));
    curl_easy_getinfo(handle_.get(), CURLINFO_ACTIVESOCKET, &socket_);
    curl_easy_setopt(handle_.get(), CURLOPT_NOPROGRESS, 1L);  // the signal doesn't outlive this call
  }

  int socket() const { return static_cast<int>(socket_); }
  // Bytes moved; 0: not now; negative: the connection is broken or ended.
  long send(std::string_view bytes) {
    std::size_t sent = 0;
    const CURLcode code = curl_easy_send(handle_.get(), bytes.data(), bytes.size(), &sent);
    if (code == CURLE_AGAIN) return 0;
    return code == CURLE_OK ? static_cast<long>(sent) : -1;
  }
  long receive(char* into, std::size_t size) {
    std::size_t got = 0;
    const CURLcode code = curl_easy_recv(handle_.get(), into, size, &got);
    if (code == CURLE_AGAIN) return 0;
    return code == CURLE_OK && got > 0 ? static_cast<long>(got) : -1;
  }
  // Until the socket is ready; false at ctx's deadline.
  bool await(const CallContext& ctx, short events) const {
    const WakeFd aborted;
    const AbortCallback on_abort(ctx.signal, [&aborted] { aborted.wake(); });
    std::array<pollfd, 2> fds{pollfd{socket(), events, 0}, pollfd{aborted.get(), POLLIN, 0}};
    const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(ctx.deadline.remaining().count()));
    ctx.signal.throw_if_aborted();
    return ready > 0;
  }

 private:
  Handle handle_;
  curl_socket_t socket_ = -1;
};

std::unique_ptr<WebSocketTransport> WebSocketTransport::connect(const CallContext& ctx, const std::string& text) {
  auto endpoint = parse_endpoint(text);
  if (!endpoint.websocket()) endpoint = discover(ctx, endpoint);
  auto connection = std::make_unique<Connection>(ctx, endpoint);
  const auto bounded = ctx.within(kConnect);
  const auto key = ws::make_key();
  std::string request = ws::handshake_request(endpoint.host_and_port, endpoint.target, key, endpoint.authorization);
  while (!request.empty()) {
    const long sent = connection->send(request);
    if (sent < 0) throw_unreachable(endpoint, "the connection ended in the handshake");
    if (sent == 0 && !connection->await(bounded, POLLOUT)) throw_unreachable(endpoint, "it reads no handshake");
    request.erase(0, static_cast<std::size_t>(sent));
  }
  std::string head;
  while (head.find("\r\n\r\n") == std::string::npos) {
    std::array<char, 4096> chunk;
    const long got = connection->receive(chunk.data(), chunk.size());
    if (got < 0 || head.size() > kHandshakeLimit) throw_unreachable(endpoint, "the connection ended in the handshake");
    if (got == 0 && !connection->await(bounded, POLLIN)) throw_unreachable(endpoint, "it answers no handshake");
    head.append(chunk.data(), static_cast<std::size_t>(got));
  }
  const auto end = head.find("\r\n\r\n") + 4;
  try {
    ws::check_handshake(std::string_view(head).substr(0, end), key);
  } catch (const ws::ProtocolError& error) {
    throw_unreachable(endpoint, error.what());
  }
  std::unique_ptr<WebSocketTransport> transport(new WebSocketTransport(std::move(connection)));
  transport->frames_.feed(std::string_view(head).substr(end));
  return transport;
}

WebSocketTransport::WebSocketTransport(std::unique_ptr<Connection> connection)
    : socket_(connection->socket()),
      frames_(limits::kCdpMessage),
      chunk_(kTransportReadChunk, '\0'),
      connection_(std::move(connection)) {}

WebSocketTransport::~WebSocketTransport() = default;

bool WebSocketTransport::flush_locked() {
  std::size_t done = 0;
  bool broken = false;
  while (done < outgoing_.size() && !broken) {
    const long sent = connection_->send(std::string_view(outgoing_).substr(done));
    if (sent == 0) break;
    if (sent > 0) done += static_cast<std::size_t>(sent);
    broken = sent < 0;
  }
  outgoing_.erase(0, done);
  if (broken) outgoing_.clear();
  return !broken;
}

bool WebSocketTransport::send(std::string_view message) {
  bool left_over;
  {
    MutexLock lock(mutex_);
    if (closed_) return false;
    if (outgoing_.size() + message.size() > kTransportOutgoingLimit) {
      end_locked("the browser stopped reading its commands");
      lock.unlock();
      wake_.wake();
      return false;
    }
    outgoing_ += writer_.text(message);
    if (!flush_locked()) return false;  // the reader sees the end of the connection and says why
    left_over = !outgoing_.empty();
  }
  if (left_over) wake_.wake();
  return true;
}

void WebSocketTransport::end_locked(const std::string& reason) {
  if (reason_.empty()) reason_ = reason;
  closed_ = true;
}

std::optional<std::string> WebSocketTransport::receive() {
  for (;;) {
    if (closed_) return std::nullopt;
    if (auto message = next_message()) return message;
    if (closed_) return std::nullopt;
    bool unflushed;
    {
      MutexLock lock(mutex_);
      unflushed = !outgoing_.empty();
    }
    std::array<pollfd, 2> fds{pollfd{socket_, static_cast<short>(unflushed ? POLLIN | POLLOUT : POLLIN), 0},
                              pollfd{wake_.get(), POLLIN, 0}};
    if (::poll(fds.data(), fds.size(), more_ ? 0 : -1) < 0 && errno != EINTR) return std::nullopt;
    if (fds[1].revents != 0) wake_.drain();
    if ((fds[0].revents & POLLOUT) != 0) {
      MutexLock lock(mutex_);
      flush_locked();
    }
    if ((more_ || (fds[0].revents & ~POLLOUT) != 0) && !read_some()) {
      MutexLock lock(mutex_);
      end_locked("the connection to the browser was lost");
      return std::nullopt;
    }
  }
}

// A whole text message, after answering what control frames came before it.
std::optional<std::string> WebSocketTransport::next_message() {
  if (auto replies = frames_.take_replies(); !replies.empty()) {
    MutexLock lock(mutex_);
    outgoing_ += replies;
    flush_locked();
  }
  try {
    if (auto message = frames_.next()) return message;
    if (!frames_.closed()) return std::nullopt;
    MutexLock lock(mutex_);
    end_locked("the browser closed the connection");
  } catch (const ws::ProtocolError& error) {
    MutexLock lock(mutex_);
    outgoing_ += writer_.close(error.code);
    flush_locked();
    end_locked(std::string("the browser's messages can't be read: ") + error.what());
  }
  return std::nullopt;
}

bool WebSocketTransport::read_some() {
  long got;
  {
    MutexLock lock(mutex_);
    got = connection_->receive(chunk_.data(), chunk_.size());
  }
  if (got > 0) frames_.feed(std::string_view(chunk_).substr(0, static_cast<std::size_t>(got)));
  more_ = got > 0;
  return got >= 0;
}

void WebSocketTransport::close() {
  {
    MutexLock lock(mutex_);
    if (closed_) return;
    outgoing_ += writer_.close(ws::kNormalClosure);
    flush_locked();
    end_locked("closed by bridle");
  }
  wake_.wake();
}

std::string WebSocketTransport::close_reason() const {
  MutexLock lock(mutex_);
  return reason_;
}

}  // namespace bridle
