#include "base/text/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/text/named_secrets.h"

namespace bridle {
namespace {

// The UTF-8 character that `text` begins with: its length in bytes and its code point. Length 0: invalid there.
struct Character {
  std::size_t length = 0;
  std::uint32_t code = 0;
};

Character first_character(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[length] || code > 0x10FFFF || surrogate) return {};
  return {length, code};
}

// Characters that could end the line, drive a terminal or reverse the order of the words: C0, DEL, C1, line and
// paragraph separators, bidirectional controls.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x2028 || code == 0x2029 || code == 0x200E ||
         code == 0x200F || (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// Lines without the values of --secrets.
class HidingFormatter : public spdlog::formatter {
 public:
  explicit HidingFormatter(std::unique_ptr<spdlog::formatter> inner) : inner_(std::move(inner)) {}
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& into) override {
    if (!has_named_secrets()) return inner_->format(message, into);
    spdlog::memory_buf_t buffer;
    inner_->format(message, buffer);
    std::string line(buffer.data(), buffer.size());
    hide_named_secrets(line);
    into.append(line.data(), line.data() + line.size());
  }
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<HidingFormatter>(inner_->clone());
  }

 private:
  std::unique_ptr<spdlog::formatter> inner_;
};

}  // namespace

bool init_log(std::string_view level) {
  const auto parsed = spdlog::level::from_str(std::string(level));
  if (parsed == spdlog::level::off && level != "off") return false;
  auto logger = std::make_shared<spdlog::logger>("bridle", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_level(parsed);
  logger->set_formatter(
      std::make_unique<HidingFormatter>(std::make_unique<spdlog::pattern_formatter>("%Y-%m-%dT%H:%M:%S.%e %l %v")));
  logger->flush_on(spdlog::level::trace);
  spdlog::set_default_logger(std::move(logger));
  return true;
}

std::string loggable(std::string_view text, std::size_t max) {
  constexpr std::string_view kEllipsis = "…";
  std::string out;
  std::size_t cut = 0;  // where the ellipsis goes should the rest not fit
  while (!text.empty()) {
    const Character character = first_character(text);
    std::string piece(text.substr(0, std::max<std::size_t>(character.length, 1)));
    text.remove_prefix(piece.size());
    if (character.length == 0) {
      piece = fmt::format("\\x{:02x}", static_cast<unsigned char>(piece[0]));
    } else if (is_control(character.code)) {
      piece =
          character.code < 0x80 ? fmt::format("\\x{:02x}", character.code) : fmt::format("\\u{:04x}", character.code);
    }
    if (out.size() + piece.size() > max) {
      out.resize(cut);
      if (max >= kEllipsis.size()) out += kEllipsis;
      return out;
    }
    out += piece;
    if (out.size() + kEllipsis.size() <= max) cut = out.size();
  }
  return out;
}

}  // namespace bridle
