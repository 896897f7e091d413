#include "tools/scope/text/hidden_values.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "base/text/text.h"

namespace bridle {
namespace {

// The name without regard to case, '-' and '_'.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c))) out += lower(c);
  }
  return out;
}

// The end of the JSON string that begins at `at`, behind its closing quote; npos when it is cut off.
std::size_t string_end(std::string_view json, std::size_t at) {
  for (++at; at < json.size(); ++at) {
    if (json[at] == '\\') {
      ++at;
    } else if (json[at] == '"') {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

// The end of the JSON array that begins at `at`, or of the text.
std::size_t array_end(std::string_view json, std::size_t at) {
  int depth = 0;
  while (at < json.size()) {
    const char c = json[at];
    at = c == '"' ? string_end(json, at) : at + 1;
    if (c == '[') ++depth;
    if (c == ']' && --depth == 0) return at;
  }
  return json.size();
}

// The end of the JSON value that begins at `at`, which is no object.
std::size_t value_end(std::string_view json, std::size_t at) {
  if (json[at] == '"') return string_end(json, at);
  return json[at] == '[' ? array_end(json, at) : json.find_first_of(",}] \t\r\n", at);
}

// Read as text: a body that was cut off is no JSON any more, and still holds what it holds.
std::string hide_in_json(std::string_view json) {
  std::string out;
  std::size_t at = 0;
  while (at < json.size()) {
    if (json[at] != '"') {
      out += json[at++];
      continue;
    }
    const auto end = std::min(string_end(json, at), json.size());
    const auto name = json.substr(at, end - at);
    out += name;
    at = end;
    auto value = json.find_first_not_of(" \t\r\n", at);
    if (value == std::string_view::npos || json[value] != ':' || !is_secret_name(name)) continue;
    value = json.find_first_not_of(" \t\r\n", value + 1);
    if (value == std::string_view::npos || json[value] == '{') continue;
    out += json.substr(at, value - at);
    out += std::string("\"") + kHidden + "\"";
    at = std::min(value_end(json, value), json.size());
  }
  return out;
}

// Hides the content of each part that is named like a secret.
std::string hide_in_multipart(const std::string& body) {
  std::string out;
  std::size_t at = 0;
  for (;;) {
    const auto name_at = body.find("name=\"", at);
    if (name_at == std::string::npos) break;
    const auto name_end = body.find('"', name_at + 6);
    const auto head_end = body.find("\r\n\r\n", name_at);
    if (name_end == std::string::npos || head_end == std::string::npos) break;
    const auto content_end = std::min(body.find("\r\n--", head_end + 4), body.size());
    out += body.substr(at, head_end + 4 - at);
    out += is_secret_name(std::string_view(body).substr(name_at + 6, name_end - name_at - 6))
               ? std::string(kHidden)
               : body.substr(head_end + 4, content_end - head_end - 4);
    at = content_end;
  }
  return out + body.substr(at);
}

}  // namespace

std::string hide_in_header(const std::string& name, const std::string& value) {
  const auto words = plain(name);
  if (words == "authorization" || words == "proxyauthorization" || is_secret_name(name)) {
    const auto scheme = value.find(' ');  // Basic, Bearer: no secret; npos is more than 10
    return scheme > 10 ? kHidden : value.substr(0, scheme + 1) + kHidden;
  }
  if (words == "setcookie") {
    const auto equals = value.find('=');
    const auto end = std::min(value.find(';'), value.size());
    return equals == std::string::npos || equals > end ? kHidden
                                                       : value.substr(0, equals + 1) + kHidden + value.substr(end);
  }
  if (words == "cookie") {
    std::string names;
    for (std::size_t at = 0; at < value.size();) {
      const auto end = std::min(value.find(';', at), value.size());
      const auto equals = std::min(value.find('=', at), end);
      names += (names.empty() ? "" : ";") + value.substr(at, equals - at) + "=" + kHidden;
      at = end + 1;
    }
    return names;
  }
  const bool relative = value.find("://") == std::string::npos && value.find('?') != std::string::npos;
  return relative ? hide_in_url(value) : hide_in_urls_of(value);
}

std::string hide_in_body(const std::string& body, const std::string& content_type) {
  const auto first = body.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return body;
  if (body[first] == '{' || body[first] == '[') return hide_in_urls_of(hide_in_json(body));
  if (content_type.starts_with("multipart/") || body.compare(first, 2, "--") == 0) return hide_in_multipart(body);
  const bool form = content_type.starts_with("application/x-www-form-urlencoded") ||
                    (content_type.empty() && body.find_first_of(" \n{<") == std::string::npos);
  return form ? hide_in_query(body) : body;
}

}  // namespace bridle
