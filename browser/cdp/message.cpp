#include "browser/cdp/message.h"

#include <charconv>

namespace bridle {
namespace {

bool is_plain(std::string_view text) {
  for (const char c : text) {
    if (c == '"' || c == '\\') return false;
  }
  return true;
}

// The session id that ends `...,"sessionId":"X"}`; Chromium writes it last.
std::string_view trailing_session(std::string_view message) {
  if (!message.ends_with("\"}")) return {};
  constexpr std::string_view kKey = "\"sessionId\":\"";
  const auto body = message.substr(0, message.size() - 2);
  const auto at = body.rfind('"');
  if (at == std::string_view::npos || at + 1 < kKey.size()) return {};
  const auto start = at + 1 - kKey.size();
  if (body.substr(start, kKey.size()) != kKey) return {};
  // If this were the last member of the event's params, two closing braces would follow instead of one.
  if (start == 0 || body[start - 1] != ',') return {};
  return body.substr(at + 1);
}

std::optional<CdpEnvelope> scan_slowly(std::string_view message) {
  const Json json = parse_cdp(message);
  if (!json.is_object()) return std::nullopt;
  // The views must point into the message: find the values again.
  CdpEnvelope envelope{};
  const auto locate = [&](const char* key) -> std::string_view {
    const auto it = json.find(key);
    if (it == json.end() || !it->is_string()) return {};
    const auto& value = it->get_ref<const std::string&>();
    const auto at = message.find("\"" + value + "\"");
    return at == std::string_view::npos ? std::string_view{} : message.substr(at + 1, value.size());
  };
  envelope.session = locate("sessionId");
  if (const auto id = json.find("id"); id != json.end() && id->is_number_integer()) {
    envelope.kind = json.contains("error") ? CdpEnvelope::Kind::error_reply : CdpEnvelope::Kind::reply;
    envelope.id = id->get<long long>();
    return envelope;
  }
  envelope.kind = CdpEnvelope::Kind::event;
  envelope.method = locate("method");
  if (envelope.method.empty()) return std::nullopt;
  return envelope;
}

// How Chromium begins its messages.
constexpr std::string_view kReplyHead = "{\"id\":";
constexpr std::string_view kEventHead = "{\"method\":\"";

}  // namespace

std::optional<CdpEnvelope> scan_cdp(std::string_view message) {
  if (message.starts_with(kReplyHead)) {
    CdpEnvelope envelope{.kind = CdpEnvelope::Kind::reply};
    const char* begin = message.data() + kReplyHead.size();
    const auto [end, ec] = std::from_chars(begin, message.data() + message.size(), envelope.id);
    if (ec == std::errc() && message.substr(static_cast<std::size_t>(end - message.data())).starts_with(",\"result\":"))
      return envelope;
  } else if (message.starts_with(kEventHead)) {
    const auto end = message.find('"', kEventHead.size());
    if (end != std::string_view::npos) {
      CdpEnvelope envelope{.kind = CdpEnvelope::Kind::event};
      envelope.method = message.substr(kEventHead.size(), end - kEventHead.size());
      envelope.session = trailing_session(message);
      if (is_plain(envelope.method)) return envelope;
    }
  }
  try {
    return scan_slowly(message);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::optional<CdpEnvelope> scan_cut_cdp(std::string_view head, std::string_view tail) {
  CdpEnvelope envelope{.kind = CdpEnvelope::Kind::reply};
  if (head.starts_with(kReplyHead)) {
    const char* begin = head.data() + kReplyHead.size();
    const auto [end, ec] = std::from_chars(begin, head.data() + head.size(), envelope.id);
    if (ec == std::errc() && end != head.data() + head.size() && *end == ',') return envelope;
  } else if (head.starts_with(kEventHead)) {
    const auto end = head.find('"', kEventHead.size());
    if (end == std::string_view::npos) return std::nullopt;
    envelope.kind = CdpEnvelope::Kind::event;
    envelope.method = head.substr(kEventHead.size(), end - kEventHead.size());
    envelope.session = trailing_session(tail);
    if (is_plain(envelope.method)) return envelope;
  }
  return std::nullopt;
}

std::string repair_surrogates(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  const auto escape_at = [&](std::size_t i) -> int {
    if (i + 6 > json.size() || json[i] != '\\' || json[i + 1] != 'u') return -1;
    int code = 0;
    const auto [end, ec] = std::from_chars(json.data() + i + 2, json.data() + i + 6, code, 16);
    return ec == std::errc() && end == json.data() + i + 6 ? code : -1;
  };
  for (std::size_t i = 0; i < json.size();) {
    if (json[i] != '\\') {
      out += json[i++];
      continue;
    }
    const int code = escape_at(i);
    if (code < 0) {  // another escape: both of its characters
      out += json.substr(i, 2);
      i += 2;
    } else if (code >= 0xD800 && code <= 0xDBFF) {
      const int low = escape_at(i + 6);
      if (low >= 0xDC00 && low <= 0xDFFF) {
        out += json.substr(i, 12);
        i += 12;
      } else {
        out += "\\ufffd";
        i += 6;
      }
    } else {
      out += code >= 0xDC00 && code <= 0xDFFF ? std::string_view("\\ufffd") : json.substr(i, 6);
      i += 6;
    }
  }
  return out;
}

Json parse_cdp(std::string_view message) {
  Json parsed = Json::parse(message, nullptr, false);
  if (!parsed.is_discarded()) return parsed;
  return Json::parse(repair_surrogates(message));
}

std::string_view raw_string_value(std::string_view json, std::string_view key) {
  const std::string needle = "\"" + std::string(key) + "\":\"";
  const auto at = json.find(needle);
  if (at == std::string_view::npos) return {};
  const auto start = at + needle.size();
  const auto end = json.find('"', start);
  return end == std::string_view::npos ? std::string_view{} : json.substr(start, end - start);
}

std::string string_field(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

}  // namespace bridle
