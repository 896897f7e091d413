#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/limits.h"

// The guard in front of every request: pure functions over bytes, without sockets, so that unit tests and fuzzers
// reach all of it. Nothing behind it sees a head that it refused (RFC 9112, read strictly) [wire.http.strict]
// [wire.http.bounds].
namespace bridle {

// Why a request is not served. `text` is a sentence for the client; it never quotes the request.
struct HttpRefusal {
  int status = 400;
  std::string_view text;
};

struct HttpHeadLimits {
  std::size_t head_bytes = limits::kHeadBytes;      // of the whole head: 431
  std::size_t target_bytes = limits::kTargetBytes;  // of the request target: 414
  std::size_t body_bytes = limits::kBodyBytes;      // of Content-Length: 413
};

struct HttpHead {
  std::string method;                                        // one of the nine known ones
  std::string path;                                          // percent-decoded
  std::string query;                                         // raw, without '?'
  std::vector<std::pair<std::string, std::string>> headers;  // in order, duplicates kept, bytes as sent
  int minor_version = 1;                                     // HTTP/1.x: 0 or 1
  bool keep_alive = true;
  bool expect_continue = false;
  bool chunked = false;
  std::size_t content_length = 0;
};

// Finds the end of a head in bytes that arrive bit by bit; looks at each byte once, and refuses as soon as it can.
class HttpHeadScanner {
 public:
  explicit HttpHeadScanner(const HttpHeadLimits& limits) : limits_(limits) {}

  enum class State { incomplete, complete, refused };
  // `bytes` is all that arrived since the head's first byte; it only grows between calls.
  State scan(std::string_view bytes);
  std::size_t size() const { return scanned_; }  // once complete: of the head with its empty line
  const HttpRefusal& refusal() const { return refusal_; }

 private:
  State refuse(int status, std::string_view text);
  State end_of_line();
  bool count_request_line(char c);

  HttpHeadLimits limits_;
  std::size_t scanned_ = 0;
  std::size_t line_bytes_ = 0;  // of the current line, without its end
  std::size_t empty_lines_ = 0;
  std::size_t method_bytes_ = 0;
  std::size_t target_bytes_ = 0;
  int spaces_ = 0;  // seen in the request line
  bool request_line_over_ = false;
  bool after_cr_ = false;
  HttpRefusal refusal_;
};

// Parses and checks a whole head, its empty line included, as HttpHeadScanner delimits it.
std::variant<HttpHead, HttpRefusal> parse_http_head(std::string_view head, const HttpHeadLimits& limits);

// The reason phrase, for the statuses that this server sends itself.
std::string_view http_phrase(int status);

}  // namespace bridle
