#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/text/json.h"

namespace bridle {

// What the reader thread needs of a CDP message to route it, found without parsing it. The views point into the
// message.
struct CdpEnvelope {
  enum class Kind { reply, error_reply, event };
  Kind kind;
  long long id = 0;            // replies
  std::string_view method{};   // events
  std::string_view session{};  // "" for the browser's own
};

// Scans a message as Chromium writes it; falls back to a full parse for any other order of keys. nullopt: not CDP.
std::optional<CdpEnvelope> scan_cdp(std::string_view message);

// The same for a message of which only the beginning and the end are there. Only in the order of keys that Chromium
// writes; replies are of kind `reply`, whatever they answer.
std::optional<CdpEnvelope> scan_cut_cdp(std::string_view head, std::string_view tail);

// Parses CDP JSON. Page text can hold lone surrogates, which strict JSON refuses: they become U+FFFD and nothing
// else is lost. Throws nlohmann's parse_error for what isn't JSON at all.
Json parse_cdp(std::string_view message);

// The string under `key` of an object; "" where there is none or it is no string.
std::string string_field(const Json& object, const char* key);

// Replaces unpaired \uD800-\uDFFF escapes in JSON text by \ufffd.
std::string repair_surrogates(std::string_view json);

// The string value of the first `"key":"..."` in raw JSON text, not unescaped: for base64 payloads, which have
// nothing to unescape. Empty view when absent.
std::string_view raw_string_value(std::string_view json, std::string_view key);

}  // namespace bridle
