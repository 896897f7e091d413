#include "config/foreign_flags.h"

#include <array>

#include "base/text/text.h"

namespace bridle {
namespace {

constexpr std::array kFlags{
    ForeignFlag{"browser", true, "chromium,chrome",
                "bridle drives Chromium alone; --executable-path names another browser that is built on it"},
    ForeignFlag{"codegen", true, "none", "bridle writes no code; leave it out"},
    ForeignFlag{"image-responses", true, "allow", "bridle sends pictures whenever one is asked for; leave it out"},
    ForeignFlag{"sandbox", false, "", nullptr, "--no-sandbox launches the browser without it"},
    ForeignFlag{"shared-browser-context", false, "none",
                "a context for all sessions comes with --user-data-dir, which keeps it in that folder"},
    ForeignFlag{"extension", false, "none",
                "bridle has no browser extension; --cdp-endpoint connects to a browser that runs"},
};

}  // namespace

std::span<const ForeignFlag> foreign_flags() { return kFlags; }

std::string problem_of(const ForeignFlag& flag, std::string_view value, const std::string& where) {
  const std::string_view accepted = flag.accepted;
  if (flag.instead == nullptr) return {};
  for (const auto& known : split(accepted, ',')) {
    if (known == value) return {};
  }
  const std::string given = flag.takes_value ? where + " " + std::string(value) : where;
  return given + " can't be honoured: " + flag.instead;
}

}  // namespace bridle
