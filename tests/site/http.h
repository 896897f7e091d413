// A request as the fixture's pages see it, and the text helpers they share.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/site/socket.h"

namespace bridle::site {

using Headers = std::vector<std::pair<std::string, std::string>>;  // in the order they came

// Names are compared without regard to case; nullptr if absent.
const std::string* find_header(const Headers& headers, std::string_view name);

struct Request {
  std::string method;
  std::string target;  // as on the wire: path and query
  std::string path;    // the target up to '?', not decoded
  std::map<std::string, std::string> query;
  Headers headers;
  std::string body;
  bool http_1_0 = false;
  Millis received{};
  std::string origin;        // of the port the request came in by, as http://127.0.0.1:N
  std::string other_origin;  // the server's other port: another origin of the same site
  std::string cross_site;    // the other port as http://localhost:N: another site, so Chromium isolates its frames

  std::string query_text(const std::string& name, std::string fallback = "") const;
  // Clamped to [low, high]; the fallback if absent or no number.
  int query_int(const std::string& name, int fallback, int low, int high) const;
  const std::string* header(std::string_view name) const { return find_header(headers, name); }
  std::string cookie(std::string_view name) const;  // "" if absent
};

// Parses a request line and headers, without the empty line that ends them. nullopt if malformed.
std::optional<Request> parse_head(std::string_view head);

// Takes apart a chunked body at the front of `buffer`. nullopt: more is needed. Sets `malformed` when no more will
// help.
struct ChunkedBody {
  std::string body;
  std::size_t consumed = 0;
};
std::optional<ChunkedBody> parse_chunked(std::string_view buffer, bool& malformed);

std::vector<std::pair<std::string, std::string>> parse_form(std::string_view text);
std::string escape_html(std::string_view text);
// A JSON string literal with its quotes. Bytes that are no UTF-8 become U+FFFD; '<' is escaped, so that the literal
// may stand in a script element.
std::string json_string(std::string_view text);
std::string replace_all(std::string text, std::string_view from, std::string_view to);

}  // namespace bridle::site
