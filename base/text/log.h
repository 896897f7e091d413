#pragma once

#include <spdlog/spdlog.h>

#include <string>
#include <string_view>

namespace bridle {

// Logs go to stderr, one line an event, as spdlog formats them: spdlog::info("...", ...). Secrets never do.

// Sets the level ("trace", "debug", "info", "warn", "error", "off") and the pattern. False for an unknown level.
// Call it before other threads log.
bool init_log(std::string_view level);

// `text` as valid UTF-8 on one line, at most `max` bytes long with the ellipsis that ends it when it was cut. What
// could break the line or drive a terminal is escaped: \x0a, \u2028; so are bytes that are no UTF-8: \xff. For words
// that come from a peer or a page.
std::string loggable(std::string_view text, std::size_t max = 200);

}  // namespace bridle
