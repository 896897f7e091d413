#include "tests/site/http.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "base/text/codecs.h"
#include "base/text/text.h"

namespace bridle::site {
namespace {

// Length of the well-formed UTF-8 sequence at the front, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what lies above U+10FFFF.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

}  // namespace

const std::string* find_header(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (equals_ignoring_case(key, name)) return &value;
  }
  return nullptr;
}

std::string Request::query_text(const std::string& name, std::string fallback) const {
  const auto found = query.find(name);
  return found == query.end() ? std::move(fallback) : found->second;
}

int Request::query_int(const std::string& name, int fallback, int low, int high) const {
  const std::string text = query_text(name);
  int value = fallback;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) value = text.starts_with('-') ? low : high;
  return std::clamp(value, low, high);
}

std::string Request::cookie(std::string_view name) const {
  const std::string* all = header("Cookie");
  std::string_view rest = all ? std::string_view(*all) : std::string_view();
  while (!rest.empty()) {
    const std::size_t end = rest.find(';');
    const std::string_view pair = trimmed(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) return std::string(pair.substr(equals + 1));
  }
  return "";
}

std::optional<Request> parse_head(std::string_view head) {
  const auto take_line = [&head] {
    const std::size_t end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    head = end == std::string_view::npos ? std::string_view() : head.substr(end + 2);
    return line;
  };
  const std::string_view line = take_line();
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || last == first) return std::nullopt;
  const std::string_view version = line.substr(last + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return std::nullopt;

  Request request;
  request.http_1_0 = version == "HTTP/1.0";
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, last - first - 1);
  if (!request.target.starts_with('/') && request.target != "*") return std::nullopt;
  const std::size_t question = request.target.find('?');
  request.path = request.target.substr(0, question);
  if (question != std::string::npos) {
    for (auto& [name, value] : parse_form(std::string_view(request.target).substr(question + 1))) {
      request.query.emplace(std::move(name), std::move(value));
    }
  }
  while (!head.empty()) {
    const std::string_view field = take_line();
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    request.headers.emplace_back(field.substr(0, colon), trimmed(field.substr(colon + 1)));
  }
  return request;
}

std::optional<ChunkedBody> parse_chunked(std::string_view buffer, bool& malformed) {
  ChunkedBody result;
  malformed = false;
  for (;;) {
    const std::size_t line_end = buffer.find("\r\n", result.consumed);
    if (line_end == std::string_view::npos) return std::nullopt;
    std::size_t size = 0;
    const char* const begin = buffer.data() + result.consumed;
    const auto [end, error] = std::from_chars(begin, buffer.data() + line_end, size, 16);
    if (error != std::errc() || end == begin || size > 256U * 1024 * 1024) {
      malformed = true;
      return std::nullopt;
    }
    result.consumed = line_end + 2;
    if (size == 0) break;
    if (buffer.size() < result.consumed + size + 2) return std::nullopt;
    result.body.append(buffer.substr(result.consumed, size));
    result.consumed += size + 2;
  }
  // Trailers, up to an empty line.
  for (;;) {
    const std::size_t line_end = buffer.find("\r\n", result.consumed);
    if (line_end == std::string_view::npos) return std::nullopt;
    const bool empty = line_end == result.consumed;
    result.consumed = line_end + 2;
    if (empty) return result;
  }
}

std::vector<std::pair<std::string, std::string>> parse_form(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view pair = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    pairs.emplace_back(percent_decode_leniently(pair.substr(0, equals), true),
                       equals == std::string_view::npos ? "" : percent_decode_leniently(pair.substr(equals + 1), true));
  }
  return pairs;
}

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text.front();
    if (length == 0) {
      out += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '<') {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += escaped;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out + '"';
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace bridle::site
