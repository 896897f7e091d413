#include "tools/devtools/parse/stream_piece.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text/codecs.h"
#include "base/text/text.h"
#include "browser/cdp/message.h"

namespace bridle {
namespace {

bool take(std::string_view& text, std::string_view words) {
  if (!text.starts_with(words)) return false;
  text.remove_prefix(words.size());
  return true;
}

bool take_flag(std::string_view& text, bool& flag) {
  flag = text.starts_with("true");
  return take(text, "true") || take(text, "false");
}

// Takes the escape that `text` begins with. False: it isn't one, or half of a pair.
bool take_escape(std::string_view& text, std::string& out) {
  constexpr std::string_view kShort = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  constexpr std::size_t kUnicode = 6;  // \u0041
  if (text.size() < 2) return false;
  if (const auto at = kShort.find(text[1]); at != std::string_view::npos) {
    out += kMeant[at];
    text.remove_prefix(2);
    return true;
  }
  if (text[1] != 'u' || text.size() < kUnicode) return false;
  unsigned code = 0;
  const auto read = std::from_chars(text.data() + 2, text.data() + kUnicode, code, 16);
  if (read.ec != std::errc() || read.ptr != text.data() + kUnicode || (code >= 0xD800 && code <= 0xDFFF)) return false;
  append_utf8(out, code);
  text.remove_prefix(kUnicode);
  return true;
}

// Takes the rest of a string, whose first quotation mark was taken before, with the last one.
bool take_string(std::string_view& text, std::string& out) {
  out.reserve(text.size());
  for (;;) {
    const auto end = std::find_if(text.begin(), text.end(), [](char c) { return c == '"' || c == '\\'; });
    const auto run = static_cast<std::size_t>(end - text.begin());
    if (run == text.size()) return false;
    out += text.substr(0, run);
    text.remove_prefix(run);
    if (take(text, "\"")) return true;
    if (!take_escape(text, out)) return false;
  }
}

}  // namespace

std::optional<StreamPiece> scan_stream_piece(std::string_view message) {
  constexpr std::string_view kDigits = "0123456789";
  if (!take(message, "{\"id\":")) return std::nullopt;
  message.remove_prefix(std::min(message.find_first_not_of(kDigits), message.size()));
  StreamPiece piece;
  bool base64 = false;
  if (!take(message, ",\"result\":{\"base64Encoded\":") || !take_flag(message, base64)) return std::nullopt;
  if (!take(message, ",\"data\":\"") || !take_string(message, piece.data)) return std::nullopt;
  if (!take(message, ",\"eof\":") || !take_flag(message, piece.eof) || !take(message, "}")) return std::nullopt;
  if (take(message, ",\"sessionId\":\"")) message.remove_prefix(std::min(message.find('"') + 1, message.size()));
  if (message != "}") return std::nullopt;
  if (base64) piece.data = from_base64(piece.data).value_or("");
  return piece;
}

StreamPiece stream_piece(std::string_view message) {
  if (auto piece = scan_stream_piece(message)) return std::move(*piece);
  const Json result = parse_cdp(message).at("result");
  auto data = string_field(result, "data");
  if (result.value("base64Encoded", false)) data = from_base64(data).value_or("");
  return {.data = std::move(data), .eof = result.value("eof", false)};
}

}  // namespace bridle
