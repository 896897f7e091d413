#include "config/option_values.h"

#include <charconv>
#include <stdexcept>
#include <string_view>

#include "base/text/text.h"

namespace bridle {

long long option_number(const std::string& text, long long low, long long high) {
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
    throw std::invalid_argument("\"" + text + "\" is not a whole number from " + std::to_string(low) + " to " +
                                std::to_string(high));
  }
  return value;
}

bool option_flag(const std::string& text) {
  if (text == "true" || text == "1" || text == "yes" || text == "on") return true;
  if (text == "false" || text == "0" || text == "no" || text == "off" || text.empty()) return false;
  throw std::invalid_argument("\"" + text + "\" is neither true nor false");
}

const std::string& option_text(const std::vector<std::string>& values) {
  if (values.back().empty()) throw std::invalid_argument("must not be empty");
  return values.back();
}

std::uintmax_t option_bytes(const std::string& text) {
  constexpr std::string_view kUnits = "KMGT";
  const auto unit = text.empty() ? std::string_view::npos : kUnits.find(upper(text.back()));
  const bool plain = unit == std::string_view::npos;
  const int shift = plain ? 0 : 10 * static_cast<int>(unit + 1);
  constexpr long long kMost = 1LL << 50;
  try {
    const auto number = option_number(plain ? text : text.substr(0, text.size() - 1), 0, kMost >> shift);
    return static_cast<std::uintmax_t>(number) << shift;
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument("\"" + text + "\" is not a size such as 500000, 256M or 5G");
  }
}

Millis option_millis(const std::vector<std::string>& values) {
  return Millis(option_number(values.back(), 1, 24LL * 3600 * 1000));
}

}  // namespace bridle
