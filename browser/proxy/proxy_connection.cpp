#include "browser/proxy/proxy_connection.h"

#include <openssl/crypto.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>
#include <variant>

#include "base/limits.h"
#include "base/text/log.h"
#include "browser/proxy/proxy_loop.h"
#include "browser/proxy/socket.h"

namespace bridle {
namespace {

constexpr auto kEndless = std::numeric_limits<std::uint64_t>::max();
constexpr int kTurns = 16;            // reads of one side before the others have their turn
constexpr Millis kLinger{2000};       // for the browser to read the last words
constexpr char kTlsHandshake = 0x16;  // the first byte of a TLS connection
constexpr std::string_view kEstablished = "HTTP/1.1 200 Connection established\r\n\r\n";
constexpr std::string_view kWantsCredential =
    "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"bridle\"\r\nContent-Length: 0\r\n";

std::string plain_reply(std::string_view status, const std::string& words) {
  return "HTTP/1.1 " + std::string(status) +
         "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " + std::to_string(words.size() + 1) +
         "\r\nConnection: close\r\n\r\n" + words + "\n";
}

}  // namespace

ProxyConnection::ProxyConnection(ProxyLoop& loop, std::uint64_t id, Fd client)
    : loop_(loop), id_(id), dialer_(loop, id), client_(std::move(client)) {
  send_at_once(client_.get());
}

void ProxyConnection::begin() {
  loop_.watch(client_.get(), id_);
  on_ready();
}

bool ProxyConnection::chained() const {
  const auto& policy = loop_.policy();
  return policy.upstream.has_value() && !policy.bypass.covers(request_.host, request_.port);
}

bool ProxyConnection::sends_connect() const {
  return request_.is_connect() || loop_.policy().upstream->kind == ProxyServer::Kind::socks5;
}

void ProxyConnection::on_ready() {
  if (state_ == State::connecting) continue_connecting();
  if (state_ == State::handshake) continue_handshake();
  if (state_ == State::lookup || state_ == State::hop_lookup || state_ == State::connecting ||
      state_ == State::handshake) {
    // A browser that gives up closes; nothing but the end can come before the answer.
    char byte = 0;
    const auto got = ::recv(client_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) close();
    return;
  }
  if (state_ != State::closed) move_bytes();
}

void ProxyConnection::on_timer() {
  if (state_ == State::ending) return close();
  if (state_ == State::head || state_ == State::forwarding) return;
  if (connected_by_.expired()) {
    return fail("net::ERR_CONNECTION_TIMED_OUT", "it did not answer in time", "504 Gateway Timeout");
  }
  if (state_ != State::connecting) return;
  dialer_.try_next();
  continue_connecting();
}

// Moves what can be moved, both ways, until both sides wait.
void ProxyConnection::move_bytes() {
  const auto up = move_up();
  if (state_ == State::closed) return;
  const auto down = move_down();
  if (state_ == State::closed) return;
  if (up == Moved::failed || down == Moved::failed) return reset();
  if (up == Moved::budget || down == Moved::budget) return loop_.again(id_);
  const bool nothing_left = to_client_.empty() && to_server_.empty();
  if (nothing_left && client_ended_ && (server_ended_ || !server_)) close();
}

ProxyConnection::Moved ProxyConnection::move_up() {
  for (int turn = 0; turn < kTurns; ++turn) {
    if (state_ == State::head) {
      read_head();
      if (state_ == State::head) return Moved::blocked;
      if (state_ != State::forwarding) return Moved::blocked;
    }
    if (state_ == State::ending) {
      const auto got = ::recv(client_.get(), loop_.scratch().data(), loop_.scratch().size(), 0);  // not read by anyone
      if (got > 0) continue;
      if (got == 0 || errno != EAGAIN) client_ended_ = true;
      return Moved::blocked;
    }
    if (!received_.empty() && up_left_ > 0) {
      if (judge_first_byte_ && !may_begin_with(received_.front())) return Moved::ended;
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(received_.size(), up_left_));
      to_server_.append(received_, 0, count);
      received_.erase(0, count);
      if (up_left_ != kEndless) up_left_ -= count;
    }
    const auto moved = pass_on(client_.get(), server_.get(), to_server_, up_left_, judge_first_byte_);
    if (state_ == State::closed) return Moved::ended;
    if (moved == Moved::ended && up_left_ > 0) {
      client_ended_ = true;
      if (!std::exchange(told_server_, true)) ::shutdown(server_.get(), SHUT_WR);
      return Moved::blocked;
    }
    if (up_left_ == 0 && to_server_.empty()) {
      state_ = State::head;
      continue;
    }
    if (moved != Moved::budget) return moved;
  }
  return Moved::budget;
}

ProxyConnection::Moved ProxyConnection::move_down() {
  if (!server_ || state_ == State::ending) {
    if (!send_kept(client_.get(), to_client_)) return Moved::failed;
    if (to_client_.empty() && state_ == State::ending && !std::exchange(told_client_, true)) {
      ::shutdown(client_.get(), SHUT_WR);
    }
    return Moved::blocked;
  }
  std::uint64_t left = kEndless;
  for (int turn = 0; turn < kTurns; ++turn) {
    const auto moved = pass_on(server_.get(), client_.get(), to_client_, left, false);
    if (moved == Moved::budget) continue;
    if (moved != Moved::ended) return moved;
    server_ended_ = true;
    if (!std::exchange(told_client_, true)) ::shutdown(client_.get(), SHUT_WR);
    // Without a server there is no one to read the next request for.
    if (!request_.is_connect()) {
      state_ = State::ending;
      loop_.wake_at(Deadline::after(kLinger), id_);
    }
    return Moved::blocked;
  }
  return Moved::budget;
}

// One read and what it takes to write it. `ended`: the sender sends no more, and all of it was written.
ProxyConnection::Moved ProxyConnection::pass_on(int from, int to, std::string& kept, std::uint64_t& left,
                                                bool first_bytes) {
  if (!send_kept(to, kept)) return Moved::failed;
  if (!kept.empty() || left == 0) return Moved::blocked;
  auto& buffer = loop_.scratch();
  const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), left));
  const auto got = ::recv(from, buffer.data(), room, 0);
  if (got == 0) return Moved::ended;
  if (got < 0) return errno == EAGAIN || errno == EINTR ? Moved::blocked : Moved::failed;
  if (first_bytes && !may_begin_with(buffer[0])) return Moved::blocked;
  auto bytes = std::string_view(buffer.data(), static_cast<std::size_t>(got));
  if (left != kEndless) left -= bytes.size();
  const auto sent = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN && errno != EINTR) return Moved::failed;
  if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
  kept = bytes;
  return Moved::budget;
}

// A tunnel's first byte tells which of the two origins of its host and port is meant.
bool ProxyConnection::may_begin_with(char first) {
  judge_first_byte_ = false;
  const auto* scheme = first == kTlsHandshake ? "https" : "http";
  const auto why = loop_.policy().rules.refusal(scheme, request_.host, request_.port);
  if (why.empty()) return true;
  spdlog::debug("the proxy refused {}: {}", loggable(request_.authority(), 100), why);
  loop_.note_failure(request_.authority(), "net::ERR_BLOCKED_BY_CLIENT", why);
  close();
  return false;
}

void ProxyConnection::read_head() {
  auto& buffer = loop_.scratch();
  for (;;) {
    if (const auto end = received_.find("\r\n\r\n"); end != std::string::npos) {
      const auto head = received_.substr(0, end + 4);
      received_.erase(0, end + 4);
      return take_head(head);
    }
    if (received_.size() > limits::kHeadBytes) {
      return reply_and_end(plain_reply("431 Request Header Fields Too Large", "The request's head is too long."));
    }
    const auto got = ::recv(client_.get(), buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      if (got == 0 || errno != EAGAIN) client_ended_ = true;
      if (client_ended_ && (!server_ || server_ended_ || got < 0)) close();
      if (client_ended_ && server_ && !std::exchange(told_server_, true)) ::shutdown(server_.get(), SHUT_WR);
      return;
    }
    received_.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

void ProxyConnection::take_head(std::string_view head) {
  auto parsed = parse_proxy_request(head);
  if (const int* status = std::get_if<int>(&parsed)) {
    return reply_and_end(plain_reply(*status == 400 ? "400 Bad Request" : "501 Not Implemented",
                                     "This is a proxy for the browser of bridle alone."));
  }
  request_ = std::move(std::get<ProxyRequest>(parsed));
  if (!authorised(request_)) {
    if (!request_.is_connect() && (request_.body == ProxyRequest::Body::rest || request_.body_bytes > 0)) {
      return reply_and_end(std::string(kWantsCredential) + "Connection: close\r\n\r\n");
    }
    to_client_ += std::string(kWantsCredential) + "\r\n";
    send_kept(client_.get(), to_client_);
    return read_head();
  }
  const auto why = loop_.policy().rules.refusal(request_.is_connect() ? "" : "http", request_.host, request_.port);
  if (!why.empty()) return refuse(why);
  if (server_ && !server_ended_ && !request_.is_connect() && reached_ == request_.authority()) {
    return begin_forwarding();
  }
  reach_server();
}

bool ProxyConnection::authorised(const ProxyRequest& request) const {
  const auto& wanted = loop_.policy().credential;
  return request.credential.size() == wanted.size() &&
         CRYPTO_memcmp(request.credential.data(), wanted.data(), wanted.size()) == 0;
}

void ProxyConnection::reach_server() {
  server_.reset();
  server_ended_ = told_server_ = false;
  to_server_.clear();
  reached_.clear();
  handshake_.reset();
  connected_by_ = Deadline::after(limits::kProxyConnectTime);
  loop_.wake_at(connected_by_, id_);
  state_ = State::lookup;
  loop_.look_up(request_.host, id_);
}

void ProxyConnection::on_addresses(const std::vector<NetworkAddress>& addresses, const std::string& error) {
  const auto& policy = loop_.policy();
  if (state_ == State::hop_lookup) {
    if (addresses.empty()) {
      return fail("net::ERR_PROXY_CONNECTION_FAILED", "the proxy's name is unknown: " + error, "502 Bad Gateway");
    }
    return connect_to(addresses);
  }
  if (state_ != State::lookup) return;
  for (const auto& address : addresses) {
    if (const auto why = policy.rules.refusal(address, request_.port); !why.empty()) return refuse(why);
  }
  if (!chained()) {
    if (addresses.empty()) return fail("net::ERR_NAME_NOT_RESOLVED", error, "502 Bad Gateway");
    return connect_to(addresses);
  }
  // The user's proxy may know names that this machine doesn't.
  if (addresses.empty() && policy.rules.needs_address()) {
    return refuse("its address can't be found out, and --block-private-networks judges by it");
  }
  state_ = State::hop_lookup;
  loop_.look_up(policy.upstream->host, id_);
}

void ProxyConnection::connect_to(const std::vector<NetworkAddress>& addresses) {
  state_ = State::connecting;
  dialer_.begin(addresses, chained() ? loop_.policy().upstream->port : request_.port);
  continue_connecting();
}

void ProxyConnection::continue_connecting() {
  if (Fd connected = dialer_.take_connected()) return use(std::move(connected));
  if (dialer_.failed()) {
    const auto& error = dialer_.net_error();
    return fail(error.c_str(), error.substr(sizeof "net::" - 1), "502 Bad Gateway");
  }
  loop_.wake_at(dialer_.has_more() ? connected_by_.earlier(Deadline::after(limits::kProxyNextAddress)) : connected_by_,
                id_);
}

void ProxyConnection::use(Fd server) {
  server_ = std::move(server);
  send_at_once(server_.get());
  loop_.wake_at(Deadline::none(), id_);
  loop_.forget_failure(request_.authority());
  reached_ = request_.is_connect() ? "" : request_.authority();
  if (chained() && sends_connect()) {
    handshake_.emplace(*loop_.policy().upstream, request_.host, request_.port);
    loop_.wake_at(connected_by_, id_);
    state_ = State::handshake;
    return continue_handshake();
  }
  begin_forwarding();
  on_ready();
}

void ProxyConnection::continue_handshake() {
  auto& buffer = loop_.scratch();
  for (;;) {
    to_server_ += handshake_->take_output();
    if (!send_kept(server_.get(), to_server_)) break;
    switch (handshake_->take(said_by_proxy_)) {
      case UpstreamHandshake::Progress::done:
        loop_.wake_at(Deadline::none(), id_);
        begin_forwarding();
        to_client_ += std::exchange(said_by_proxy_, {});
        return move_bytes();
      case UpstreamHandshake::Progress::refused:
        return fail("net::ERR_TUNNEL_CONNECTION_FAILED", "the user's proxy: " + handshake_->error(), "502 Bad Gateway");
      case UpstreamHandshake::Progress::more:
        break;
    }
    if (const auto next = handshake_->take_output(); !next.empty()) {
      to_server_ += next;
      continue;
    }
    const auto got = ::recv(server_.get(), buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) break;
    said_by_proxy_.append(buffer.data(), static_cast<std::size_t>(got));
  }
  fail("net::ERR_PROXY_CONNECTION_FAILED", "the user's proxy closed the connection", "502 Bad Gateway");
}

void ProxyConnection::begin_forwarding() {
  state_ = State::forwarding;
  if (request_.is_connect()) {
    to_client_ += kEstablished;
    judge_first_byte_ = true;
  } else {
    const bool whole_url = chained() && !sends_connect();
    to_server_ += whole_url ? request_.head_for_proxy(UpstreamHandshake::credential(*loop_.policy().upstream))
                            : request_.head_for_server();
  }
  up_left_ = request_.body == ProxyRequest::Body::rest ? kEndless : request_.body_bytes;
}

// A refused tunnel is told in HTTP. A refused request for a page gets no answer at all, for whatever stood in one would
// be shown as that page.
void ProxyConnection::refuse(const std::string& why) {
  spdlog::debug("the proxy refused {}: {}", loggable(request_.authority(), 100), why);
  fail("net::ERR_BLOCKED_BY_CLIENT", why, "403 Forbidden");
}

void ProxyConnection::fail(const char* net_error, const std::string& words, const char* status) {
  loop_.note_failure(request_.authority(), net_error, words);
  if (request_.is_connect()) return reply_and_end(plain_reply(status, words));
  close();
}

void ProxyConnection::reply_and_end(const std::string& reply) {
  server_.reset();
  dialer_.stop();
  received_.clear();
  to_client_ += reply;
  state_ = State::ending;
  loop_.wake_at(Deadline::after(kLinger), id_);
  move_bytes();
}

// Cut off on one side, so that the other doesn't take what came so far for the whole.
void ProxyConnection::reset() {
  if (client_) end_with_reset(client_.get());
  if (server_) end_with_reset(server_.get());
  close();
}

void ProxyConnection::close() {
  state_ = State::closed;
  dialer_.stop();
  client_.reset();
  server_.reset();
}

}  // namespace bridle
