#pragma once

#include <optional>
#include <string_view>

// RFC 5424's levels, as logging/setLevel and notifications/message name them.
namespace bridle {

enum class LogLevel { debug, info, notice, warning, error, critical, alert, emergency };

std::string_view to_string(LogLevel level) noexcept;
std::optional<LogLevel> parse_log_level(std::string_view text) noexcept;

}  // namespace bridle
