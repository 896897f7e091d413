#include "browser/cdp/websocket_transport.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/text/text.h"
#include "browser/cdp/launch_error.h"
#include "browser/cdp/message.h"
#include "browser/cdp/websocket_handshake.h"

namespace bridle {
namespace {

constexpr std::size_t kHandshakeLimit = 16 * 1024;
constexpr std::size_t kDiscovery = 1024 * 1024;

// Where the browser is: the parts of --cdp-endpoint, or of what /json/version tells.
struct Endpoint {
  net::UrlParts url{};
  bool websocket() const { return url.scheme == "ws" || url.scheme == "wss"; }
  bool secure() const { return url.scheme == "wss" || url.scheme == "https"; }
  std::string shown() const { return url.scheme + "://" + url.host_and_port; }
  std::string http() const { return (secure() ? "https://" : "http://") + url.host_and_port; }
};

Endpoint parse_endpoint(const std::string& text) {
  const auto url = net::parse_url(text);
  static constexpr std::array kSchemes{"http", "https", "ws", "wss"};
  if (!url || std::find(kSchemes.begin(), kSchemes.end(), url->scheme) == kSchemes.end()) {
    throw LaunchError(
        "--cdp-endpoint is not a URL that a browser can be reached at. Give http://HOST:PORT of a Chromium started "
        "with "
        "--remote-debugging-port=PORT, or the ws:// URL that it prints.");
  }
  return {*url};
}

[[noreturn]] void throw_unreachable(const Endpoint& endpoint, const std::string& why) {
  throw LaunchError("No browser answers at --cdp-endpoint " + endpoint.shown() + ": " + why +
                    ". Start one with --remote-debugging-port, or correct the endpoint. The next call tries again.");
}

// Those given, and the one that the URL's credential stands for unless one is given.
std::vector<std::string> headers_of(const Endpoint& endpoint, const WebSocketTransport::Settings& settings) {
  auto headers = settings.headers;
  const bool given = std::any_of(headers.begin(), headers.end(),
                                 [](const std::string& header) { return lower(header).starts_with("authorization:"); });
  const auto authorization = endpoint.url.authorization();
  if (!given && !authorization.empty()) headers.push_back("Authorization: " + authorization);
  return headers;
}

// What the debugging port answers to a GET. A browser's port is never behind the system's web proxy. Throws
// net::TransferError, Aborted.
net::Answer get(const CallContext& ctx, const Endpoint& endpoint, const char* path,
                const WebSocketTransport::Settings& settings) {
  const net::Request request{.url = endpoint.http() + path,
                             .headers = headers_of(endpoint, settings),
                             .connect = settings.timeout,
                             .first_byte = settings.timeout,
                             .idle = settings.timeout,
                             .largest = kDiscovery,
                             .through_proxy = false};
  return net::fetch(ctx.within(settings.timeout), request);
}

// GET /json/version: where the browser's own WebSocket is.
Endpoint discover(const CallContext& ctx, const Endpoint& endpoint, const WebSocketTransport::Settings& settings) {
  net::Answer answer;
  try {
    answer = get(ctx, endpoint, "/json/version", settings);
    // Some proxies before a browser know the path as other clients write it, and no other.
    if (answer.head.status == 404) answer = get(ctx, endpoint, "/json/version/", settings);
  } catch (const net::TransferError& error) {
    throw_unreachable(endpoint, error.what());
  }
  const Json json = Json::parse(answer.body, nullptr, false);
  const auto url = json.is_object() ? json.find("webSocketDebuggerUrl") : json.end();
  if (answer.head.status != 200 || !json.is_object() || url == json.end() || !url->is_string()) {
    throw_unreachable(endpoint, "what listens there is no browser's debugging port (status " +
                                    std::to_string(answer.head.status) + " for /json/version)");
  }
  Endpoint found = parse_endpoint(url->get<std::string>());
  // The browser names the host as it sees itself; it can be reached at the host that was asked.
  found.url.host = endpoint.url.host;
  found.url.host_and_port = endpoint.url.host_and_port;
  found.url.scheme = endpoint.secure() ? "wss" : "ws";
  found.url.user = endpoint.url.user;
  found.url.password = endpoint.url.password;
  return found;
}

std::unique_ptr<net::Connection> open_connection(const CallContext& ctx, const Endpoint& endpoint, Millis timeout) {
  try {
    return std::make_unique<net::Connection>(ctx, endpoint.http(), timeout);
  } catch (const net::TransferError& error) {
    throw_unreachable(endpoint, error.what());
  }
}

}  // namespace

std::unique_ptr<WebSocketTransport> WebSocketTransport::connect(const CallContext& ctx, const std::string& text,
                                                                const Settings& settings) {
  auto endpoint = parse_endpoint(text);
  if (!endpoint.websocket()) endpoint = discover(ctx, endpoint, settings);
  auto connection = open_connection(ctx, endpoint, settings.timeout);
  const auto bounded = ctx.within(settings.timeout);
  const auto key = ws::make_key();
  std::string request =
      ws::handshake_request(endpoint.url.host_and_port, endpoint.url.target, key, headers_of(endpoint, settings));
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

std::string WebSocketTransport::latest_page(const CallContext& ctx, const std::string& text, const Settings& settings) {
  net::Answer answer;
  try {
    answer = get(ctx, parse_endpoint(text), "/json/list", settings);
  } catch (const net::TransferError&) {
    return {};
  }
  const Json json = Json::parse(answer.body, nullptr, false);
  if (answer.head.status != 200 || !json.is_array()) return {};
  // The latest comes first.
  const auto page = std::find_if(json.begin(), json.end(), [](const Json& target) {
    return target.is_object() && string_field(target, "type") == "page";
  });
  return page == json.end() ? std::string() : string_field(*page, "id");
}

WebSocketTransport::WebSocketTransport(std::unique_ptr<net::Connection> connection)
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
