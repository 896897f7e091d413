#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/json.h"

// JSON-RPC 2.0 as MCP uses it [wire.json-rpc]: texts in, classified messages out; and the texts of answers.
// Pure functions, any thread. Nothing here throws on a peer's input, except for lack of memory.
namespace bridle::jsonrpc {

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kResourceNotFound = -32002;  // up to 2025-11-25 only
inline constexpr int kHeaderMismatch = -32020;    // 2026-07-28
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;

inline constexpr std::size_t kMaxDepth = 100;       // nesting of a message; deeper is a parse error
inline constexpr std::size_t kMaxValues = 100'000;  // in one body or line: members, elements, arrays and objects
inline constexpr std::size_t kMaxIdBytes = 1024;    // an id's JSON text; ids are remembered, so they are bounded
inline constexpr std::size_t kMaxBatch = 256;       // messages in one batch

struct Message {
  enum class Kind {
    request,
    notification,
    response,  // a result or an error for something we asked
    invalid,   // `problem` says why; `id` is set where it could be read
  };
  Kind kind = Kind::invalid;
  std::string id{};      // the id's JSON text, `1` or `"1"`: the text holds the type. Empty: none
  std::string method{};  // request, notification
  Json params{};         // an object; null when absent
  Json result{};         // of a response that succeeded
  Json error{};          // of a response that failed: an object
  std::string problem{};

  bool is_request() const { return kind == Kind::request; }
};

struct Parsed {
  bool ok = false;     // false: not JSON (-32700); `problem` says why
  bool batch = false;  // an array; `messages` may then be empty
  std::vector<Message> messages{};
  std::string problem{};
};

// Parses one body or line. Broken JSON, invalid UTF-8, lone surrogates, too deep a nesting and too many values are !ok.
Parsed parse(std::string_view text);

// Any JSON from a peer, within the same bounds, which are checked before a value is made [wire.json-bounds]. Else a
// discarded value, and `problem` says why.
Json parse_bounded(std::string_view text, std::string& problem);

// An id as the text that stands for it, or "" when it is no valid id (string or integer).
std::string id_text(const Json& id);

// `text` as a JSON string, quotes included.
std::string json_string(std::string_view text);

// Whole messages. `id` as in Message; an empty one is left out, never null. `result` and `params` are JSON texts.
std::string result(std::string_view id, std::string_view result_text);
std::string error(std::string_view id, int code, std::string_view message, const Json& data = nullptr);
std::string notification(std::string_view method, const Json& params);
std::string request(std::string_view id, std::string_view method, const Json& params);

// A name from a request, shortened and made printable for a message [wire.errors.words].
std::string shown(std::string_view name);

}  // namespace bridle::jsonrpc
