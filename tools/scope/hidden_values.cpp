#include "tools/scope/hidden_values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "base/text.h"

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

// name=value&name=value
std::string hide_in_pairs(std::string_view pairs) {
  std::string out;
  while (!pairs.empty()) {
    const auto end = std::min(pairs.find('&'), pairs.size());
    const auto pair = pairs.substr(0, end);
    const auto equals = pair.find('=');
    if (equals != std::string_view::npos && equals + 1 < pair.size() && is_secret_name(pair.substr(0, equals))) {
      out += std::string(pair.substr(0, equals + 1)) + kHidden;
    } else {
      out += pair;
    }
    if (end < pairs.size()) out += '&';
    pairs.remove_prefix(std::min(end + 1, pairs.size()));
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
    if (value == std::string_view::npos || json[value] == '{' || json[value] == '[') continue;
    out += json.substr(at, value - at);
    out += std::string("\"") + kHidden + "\"";
    at = json[value] == '"' ? string_end(json, value) : json.find_first_of(",}] \t\r\n", value);
    at = std::min(at, json.size());
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

bool is_secret_name(std::string_view name) {
  static constexpr std::array<std::string_view, 13> kParts{
      "password", "passwd",    "passphrase", "passcode",   "secret",       "token",  "onetimecode",
      "apikey",   "accesskey", "privatekey", "credential", "securitycode", "mfacode"};
  static constexpr std::array<std::string_view, 10> kWhole{"pass", "pwd", "pw",  "pin",      "otp",
                                                           "totp", "cvc", "cvv", "userpass", "auth"};
  const auto words = plain(name);
  return std::find(kWhole.begin(), kWhole.end(), words) != kWhole.end() ||
         std::any_of(kParts.begin(), kParts.end(), [&](auto part) { return words.find(part) != std::string::npos; });
}

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
  return value.find("://") != std::string::npos ? hide_in_url(value) : value;
}

std::string hide_in_url(const std::string& url) {
  const auto question = url.find('?');
  if (question == std::string::npos) return url;
  const auto hash = std::min(url.find('#', question), url.size());
  return url.substr(0, question + 1) + hide_in_pairs(std::string_view(url).substr(question + 1, hash - question - 1)) +
         url.substr(hash);
}

std::string hide_in_body(const std::string& body, const std::string& content_type) {
  const auto first = body.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return body;
  if (body[first] == '{' || body[first] == '[') return hide_in_json(body);
  if (content_type.starts_with("multipart/") || body.compare(first, 2, "--") == 0) return hide_in_multipart(body);
  const bool form = content_type.starts_with("application/x-www-form-urlencoded") ||
                    (content_type.empty() && body.find_first_of(" \n{<") == std::string::npos);
  return form ? hide_in_pairs(body) : body;
}

}  // namespace bridle
