#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/call_context.h"

// What bridle asks of other HTTP servers: the debugging port of a browser that runs already, and a model's API. One
// small layer over libcurl, which nothing else includes. Everything runs on the calling thread, and an abort closes the
// socket at once.
namespace bridle::net {

// A URL's parts; everything but the scheme and the host may be secret.
struct UrlParts {
  std::string scheme{};         // in lower case
  std::string host{};           // an IPv6 address in its brackets
  std::string host_and_port{};  // the port only where the URL names it
  std::string target{};         // path and query; "/" at least
  std::string user{};
  std::string password{};
  std::string authorization() const;  // a header's value for user and password; "" without a user
};
// nullopt: not a URL, or one without a host.
std::optional<UrlParts> parse_url(const std::string& text);
// A date as a header has it ("Sun, 06 Nov 1994 08:49:37 GMT"), in seconds since 1970; nullopt: it is none.
std::optional<std::int64_t> parse_date(const std::string& text);
// 127.0.0.0/8, ::1 and localhost: never behind a web proxy.
bool is_loopback(const UrlParts& url);

// Why a transfer failed; what() is half a sentence that may be shown: it names no URL.
class TransferError : public std::runtime_error {
 public:
  enum class Kind {
    unreachable,  // no connection: refused, no such name, TLS refused
    timeout,      // one of the times of Request was over
    cut,          // the connection ended before the answer did
    too_large,    // the answer is larger than Request::largest
  };
  TransferError(Kind why, const std::string& words) : std::runtime_error(words), kind(why) {}
  Kind kind;
};

struct Request {
  std::string url{};
  std::vector<std::string> headers{};  // "Name: value"; may be secret, so they are never logged
  std::optional<std::string> body{};   // with one it is a POST, without a GET
  std::string method{};                // instead of these
  Millis connect{10'000};
  Millis first_byte{60'000};  // from the request to the answer's head
  Millis idle{30'000};        // between two pieces of the answer
  std::size_t largest = 64 * 1024 * 1024;
  bool through_proxy = true;  // the environment's (https_proxy, no_proxy, ...); a loopback address never is
};

struct Head {
  int status = 0;
  std::vector<std::string> headers{};  // "Name: value"
  // Without blanks around it; "" when there is none.
  std::string_view header(std::string_view name) const;
};

// Sends the request and hands the answer out as it comes: the head once, then pieces of the body. Redirects are not
// followed, because the headers are meant for this server alone. TLS is verified. Throws Aborted, TransferError, and
// what the callbacks throw: in each case the connection is closed before this returns.
Head transfer(const CallContext& ctx, const Request& request, const std::function<void(const Head&)>& on_head,
              const std::function<void(std::string_view)>& on_body);

// The same for an answer that is wanted whole.
struct Answer {
  Head head{};
  std::string body{};
};
Answer fetch(const CallContext& ctx, const Request& request);

// A connection to an http(s) URL's host over which the caller speaks by itself (a WebSocket). Its calls must not
// overlap.
class Connection {
 public:
  // Throws Aborted, TransferError.
  Connection(const CallContext& ctx, const std::string& url, Millis connect);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int socket() const;
  // Bytes moved; 0: not now; negative: the connection is broken or ended.
  long send(std::string_view bytes);
  long receive(char* into, std::size_t size);
  // Until the socket is ready for poll(2)'s `events`; false at ctx's deadline. Throws Aborted.
  bool await(const CallContext& ctx, short events) const;

 private:
  struct Handle;
  const std::unique_ptr<Handle> handle_;
};

}  // namespace bridle::net
