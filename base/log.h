#pragma once

#include <spdlog/spdlog.h>

#include <string>
#include <string_view>

namespace bridle {

// Logs go to stderr, one line an event, as spdlog formats them: spdlog::info("...", ...). Secrets never do.

// Sets the level ("trace", "debug", "info", "warn", "error", "off") and the pattern. False for an unknown level.
bool init_log(std::string_view level);

// `text` on one line and at most `max` bytes long: control characters escaped, cut with an ellipsis at a
// character's border. For words that come from a peer or a page.
std::string loggable(std::string_view text, std::size_t max = 200);

}  // namespace bridle
