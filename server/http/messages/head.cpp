#include "server/http/messages/head.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text/codecs.h"
#include "base/text/text.h"

namespace bridle {
namespace {

constexpr std::size_t kMethodBytes = 32;
constexpr std::size_t kEmptyLines = 4;  // tolerated in front of a request (RFC 9112, 2.2)
constexpr std::array<std::string_view, 9> kMethods = {"GET",     "HEAD",    "POST",  "PUT",  "DELETE",
                                                      "CONNECT", "OPTIONS", "TRACE", "PATCH"};

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; }

// Takes one line, without its CRLF, from the front of `text`.
std::string_view take_line(std::string_view& text) {
  const auto end = text.find("\r\n");
  const auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
  return line;
}

// True when the comma-separated list `value` has `token`.
bool has_token(std::string_view value, std::string_view token) {
  for (;;) {
    const auto comma = value.find(',');
    if (equals_ignoring_case(trimmed(value.substr(0, comma)), token)) return true;
    if (comma == std::string_view::npos) return false;
    value.remove_prefix(comma + 1);
  }
}

using Refused = std::optional<HttpRefusal>;

Refused parse_target(std::string_view target, HttpHead& head, std::string_view& authority) {
  constexpr HttpRefusal kMalformed{400, "The request target is malformed."};
  const bool plain = std::all_of(target.begin(), target.end(), [](char c) { return c > 0x20 && c < 0x7F && c != '#'; });
  if (target.empty() || !plain) return kMalformed;
  if (head.method == "CONNECT" || (head.method == "OPTIONS" && target == "*")) {
    head.path = target;
    return std::nullopt;
  }
  constexpr std::string_view kScheme = "http://";
  if (equals_ignoring_case(target.substr(0, kScheme.size()), kScheme)) {
    const auto slash = target.find_first_of("/?", kScheme.size());
    authority = target.substr(kScheme.size(), slash == std::string_view::npos ? slash : slash - kScheme.size());
    if (authority.empty()) return kMalformed;
    target = slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
  } else if (target.front() != '/') {
    return kMalformed;
  }
  const auto question = target.find('?');
  if (question != std::string_view::npos) head.query = target.substr(question + 1);
  auto path = percent_decode(target.substr(0, question), false);
  if (!path) return kMalformed;
  head.path = path->empty() ? "/" : *std::move(path);
  return std::nullopt;
}

Refused parse_request_line(std::string_view line, const HttpHeadLimits& limits, HttpHead& head,
                           std::string_view& authority) {
  constexpr HttpRefusal kMalformed{400, "The request line is malformed."};
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return kMalformed;
  const auto method = line.substr(0, first);
  const auto target = line.substr(first + 1, last - first - 1);
  const auto version = line.substr(last + 1);
  if (!is_token(method) || target.find(' ') != std::string_view::npos) return kMalformed;
  if (target.size() > limits.target_bytes) return HttpRefusal{414, "The request target is too long."};
  if (version.size() != 8 || !version.starts_with("HTTP/") || version[6] != '.') return kMalformed;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return HttpRefusal{505, "This server speaks HTTP/1.1."};
  head.minor_version = version.back() - '0';
  if (std::find(kMethods.begin(), kMethods.end(), method) == kMethods.end()) {
    return HttpRefusal{501, "The request method is unknown."};
  }
  head.method = method;
  return parse_target(target, head, authority);
}

Refused parse_headers(std::string_view lines, HttpHead& head) {
  constexpr HttpRefusal kMalformed{400, "A header line is malformed."};
  for (;;) {
    const auto line = take_line(lines);
    if (line.empty()) return lines.empty() ? Refused() : kMalformed;
    const auto colon = line.find(':');
    // A name followed by a space, and a folded line, fail here too (RFC 9112, 5.1 and 5.2).
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return kMalformed;
    const auto value = trimmed(line.substr(colon + 1));
    if (std::any_of(value.begin(), value.end(), is_control)) return kMalformed;
    head.headers.emplace_back(line.substr(0, colon), value);
  }
}

// What the headers say about the message's length and connection, and how often they say it.
struct Framing {
  int hosts = 0, lengths = 0, encodings = 0;
  std::string_view host, length, transfer_encoding;
  bool close = false, keep_alive = false, compressed = false, other_expectation = false;
};

Framing read_framing(HttpHead& head) {
  Framing framing;
  for (const auto& [name, value] : head.headers) {
    const auto is = [&name = name](std::string_view other) { return equals_ignoring_case(name, other); };
    if (is("Host")) {
      ++framing.hosts;
      framing.host = value;
    } else if (is("Content-Length")) {
      ++framing.lengths;
      framing.length = value;
    } else if (is("Transfer-Encoding")) {
      ++framing.encodings;
      framing.transfer_encoding = value;
    } else if (is("Connection")) {
      framing.close = framing.close || has_token(value, "close");
      framing.keep_alive = framing.keep_alive || has_token(value, "keep-alive");
    } else if (is("Content-Encoding")) {
      framing.compressed = framing.compressed || !(value.empty() || equals_ignoring_case(value, "identity"));
    } else if (is("Expect") && head.minor_version == 1) {
      const bool wants_continue = equals_ignoring_case(value, "100-continue");
      (wants_continue ? head.expect_continue : framing.other_expectation) = true;
    }
  }
  return framing;
}

Refused parse_length(const Framing& framing, const HttpHeadLimits& limits, HttpHead& head) {
  if (framing.lengths == 0) return std::nullopt;
  constexpr HttpRefusal kMalformed{400, "Content-Length must be given once, in digits."};
  const auto text = framing.length;
  const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (framing.lengths > 1 || text.empty() || !digits) return kMalformed;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), head.content_length);
  if (error != std::errc() || end != text.data() + text.size() || head.content_length > limits.body_bytes) {
    return HttpRefusal{413, "The request body is too large."};
  }
  return std::nullopt;
}

Refused check_framing(const Framing& framing, std::string_view authority, const HttpHeadLimits& limits,
                      HttpHead& head) {
  if (framing.hosts > 1 || (framing.hosts == 0 && head.minor_version == 1)) {
    return HttpRefusal{400, "The request needs exactly one Host header."};
  }
  if (!authority.empty() && !equals_ignoring_case(authority, framing.host)) {
    return HttpRefusal{400, "The request target and the Host header name different hosts."};
  }
  if (framing.encodings > 0) {
    if (framing.lengths > 0) return HttpRefusal{400, "Content-Length and Transfer-Encoding exclude each other."};
    const bool chunked = equals_ignoring_case(framing.transfer_encoding, "chunked");
    if (framing.encodings > 1 || !chunked || head.minor_version == 0) {
      return HttpRefusal{400, "The only transfer encoding served is chunked, in HTTP/1.1."};
    }
    head.chunked = true;
  }
  if (auto refused = parse_length(framing, limits, head)) return refused;
  if (head.method == "POST" && framing.lengths == 0 && !head.chunked) {
    return HttpRefusal{411, "The request needs a Content-Length or chunked encoding."};
  }
  const bool has_body = head.chunked || head.content_length > 0;
  if (has_body && framing.compressed) return HttpRefusal{415, "Compressed request bodies are not supported."};
  if (framing.other_expectation) return HttpRefusal{417, "The only expectation served is 100-continue."};
  head.expect_continue = head.expect_continue && has_body;
  head.keep_alive = !framing.close && (head.minor_version == 1 || framing.keep_alive) && head.method != "CONNECT";
  return std::nullopt;
}

}  // namespace

HttpHeadScanner::State HttpHeadScanner::refuse(int status, std::string_view text) {
  refusal_ = {status, text};
  return State::refused;
}

HttpHeadScanner::State HttpHeadScanner::scan(std::string_view bytes) {
  if (refusal_.text.data() != nullptr) return State::refused;
  while (scanned_ < bytes.size()) {
    const char c = bytes[scanned_];
    if (scanned_ >= limits_.head_bytes) return refuse(431, "The request's head is too large.");
    ++scanned_;
    if (c == '\n') {
      if (!after_cr_) return refuse(400, "Lines must end with CR LF.");
      after_cr_ = false;
      const auto state = end_of_line();
      if (state != State::incomplete) return state;
      continue;
    }
    if (after_cr_) return refuse(400, "Lines must end with CR LF.");
    if (c == '\r') {
      after_cr_ = true;
      continue;
    }
    if (is_control(c)) return refuse(400, "The request's head holds a control character.");
    ++line_bytes_;
    if (!request_line_over_ && !count_request_line(c)) return State::refused;
  }
  return State::incomplete;
}

HttpHeadScanner::State HttpHeadScanner::end_of_line() {
  if (line_bytes_ > 0) {
    line_bytes_ = 0;
    request_line_over_ = true;
    return State::incomplete;
  }
  if (request_line_over_) return State::complete;
  if (++empty_lines_ > kEmptyLines) return refuse(400, "The request line is missing.");
  return State::incomplete;
}

bool HttpHeadScanner::count_request_line(char c) {
  if (c == ' ') {
    ++spaces_;
  } else if (spaces_ == 0 && ++method_bytes_ > kMethodBytes) {
    refuse(400, "The request line is malformed.");
    return false;
  } else if (spaces_ == 1 && ++target_bytes_ > limits_.target_bytes) {
    refuse(414, "The request target is too long.");
    return false;
  }
  return true;
}

std::variant<HttpHead, HttpRefusal> parse_http_head(std::string_view bytes, const HttpHeadLimits& limits) {
  if (bytes.size() > limits.head_bytes) return HttpRefusal{431, "The request's head is too large."};
  while (bytes.starts_with("\r\n")) bytes.remove_prefix(2);
  if (!bytes.ends_with("\r\n\r\n")) return HttpRefusal{400, "The request's head has no end."};
  HttpHead head;
  std::string_view authority;
  if (auto refused = parse_request_line(take_line(bytes), limits, head, authority)) return *refused;
  if (auto refused = parse_headers(bytes, head)) return *refused;
  if (auto refused = check_framing(read_framing(head), authority, limits, head)) return *refused;
  return head;
}

std::string_view http_phrase(int status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Payload Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Error";
  }
}

}  // namespace bridle
