#include "config/foreign_flags.h"

#include <array>

#include "base/text/text.h"
#include "config/channels.h"

namespace bridle {
namespace {

constexpr std::array kFlags{
    ForeignFlag{"browser", true, "chromium,chrome",
                "bridle drives Chromium alone; --channel launches Chrome, Edge or Brave, --executable-path any other "
                "that is built on it"},
    ForeignFlag{"codegen", true, "none", "bridle writes no code; leave it out"},
    ForeignFlag{"sandbox", false, "", nullptr, "no-sandbox"},
    ForeignFlag{"extension", false, "none",
                "bridle has no browser extension; --cdp-endpoint connects to a browser that runs"},
    ForeignFlag{"profile-dir-name", true, "", "bridle has no browser extension; leave it out"},
    ForeignFlag{"endpoint", true, "", "bridle speaks CDP alone; --cdp-endpoint connects to a browser that runs"},
    ForeignFlag{"remote-header", true, "", "bridle speaks CDP alone; --cdp-header sends a header to --cdp-endpoint"},
    ForeignFlag{"init-page", true, "", "bridle runs no code of yours in itself; --init-script runs some in pages"},
    // --allow-file-access and --allowed-upload-dirs /; files are written below --output-dir all the same.
    ForeignFlag{"allow-unrestricted-file-access", false, "", nullptr},
    // --caps vision, as it was called before there were sets.
    ForeignFlag{"vision", false, "", nullptr},
    // bridle waits by events, for as long as there is something to wait for.
    ForeignFlag{"timeout-settle", true, "", nullptr},
};

}  // namespace

std::span<const ForeignFlag> foreign_flags() { return kFlags; }

bool is_other_channel(std::string_view browser) {
  return browser != "chrome" && browser != "chromium" && find_channel(browser) != nullptr;
}

std::string problem_of(const ForeignFlag& flag, std::string_view value, const std::string& where) {
  const std::string_view accepted = flag.accepted;
  if (flag.instead == nullptr) return {};
  for (const auto& known : split(accepted, ',')) {
    if (known == value) return {};
  }
  // Where no value is accepted it needn't be told, and may be secret.
  const std::string given = flag.takes_value && !accepted.empty() ? where + " " + std::string(value) : where;
  return given + " can't be honoured: " + flag.instead;
}

}  // namespace bridle
