#include "config/browser_args.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/text/text.h"

namespace bridle {
namespace {

struct Refused {
  std::string_view prefix;
  const char* instead;
};
constexpr std::array kRefused{
    Refused{"remote-debugging", "others could drive the browser through it"},
    Refused{"remote-allow-origins", "others could drive the browser through it"},
    Refused{"user-data-dir", "--user-data-dir of bridle keeps a profile"},
    Refused{"proxy-", "--proxy-server and --proxy-bypass of bridle set the proxy"},
    Refused{"host-resolver-rules", "pages could reach bridle's own port"},
    Refused{"host-rules", "pages could reach bridle's own port"},
    Refused{"webrtc-ip-handling-policy", "traffic could pass the origin lists by"},
    Refused{"gaia-url", "the browser could send what nobody asked for"},
    Refused{"component-updater", "the browser could send what nobody asked for"},
    Refused{"type", "it is the browser's own, for its processes"},
};

// Further switches of bridle's own without which a promise would not hold.
constexpr std::array<std::string_view, 15> kPromises{"disable-sync",
                                                     "disable-background-networking",
                                                     "disable-component-update",
                                                     "disable-client-side-phishing-detection",
                                                     "disable-quic",
                                                     "disable-back-forward-cache",
                                                     "disable-features",
                                                     "disable-background-timer-throttling",
                                                     "disable-hang-monitor",
                                                     "disable-backgrounding-occluded-windows",
                                                     "disable-breakpad",
                                                     "disable-renderer-backgrounding",
                                                     "disable-crash-reporter",
                                                     "disable-prompt-on-repost",
                                                     "enable-features"};

// Why nobody but bridle gives the browser this switch; null: anybody may.
const char* only_ours(std::string_view name) {
  for (const auto& refused : kRefused) {
    const bool whole = !refused.prefix.ends_with('-') && refused.prefix != "remote-debugging";
    if (whole ? name == refused.prefix : name.starts_with(refused.prefix)) return refused.instead;
  }
  return nullptr;
}

// Throws std::invalid_argument for what is no switch.
std::string switch_name(const std::string& arg) {
  auto name = arg.starts_with("--") ? lower(arg.substr(2, arg.find('=') - 2)) : std::string();
  if (name.empty() || std::any_of(arg.begin(), arg.end(), [](unsigned char c) { return c < ' '; })) {
    throw std::invalid_argument("\"" + arg + "\" is not a switch such as --lang=de");
  }
  return name;
}

}  // namespace

void ignore_browser_arg(Options& options, const std::string& arg) {
  const auto name = switch_name(arg);
  if (only_ours(name) != nullptr || std::find(kPromises.begin(), kPromises.end(), name) != kPromises.end())
    throw std::invalid_argument("--" + name + " can't be left out: bridle's promises rest on it");
  options.ignored_browser_args.push_back(arg);
}

void add_browser_arg(Options& options, const std::string& arg) {
  const auto name = switch_name(arg);
  if (name == "no-sandbox") {
    options.no_sandbox = true;
    return;
  }
  if (name == "headless") {
    options.headless = true;
    return;
  }
  if (const char* instead = only_ours(name); instead != nullptr)
    throw std::invalid_argument("--" + name + " can't be honoured: " + instead);
  options.browser_args.push_back(arg);
}

std::string checked_cdp_header(const std::string& header) {
  const auto colon = header.find(':');
  const auto name = std::string(trimmed(std::string_view(header).substr(0, colon)));
  if (!is_token(name)) throw std::invalid_argument("a header is \"Name: value\"");
  // A name alone is a header without a value.
  const auto value = colon == std::string::npos ? std::string() : std::string(trimmed(header.substr(colon + 1)));
  if (std::any_of(value.begin(), value.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; })) {
    throw std::invalid_argument("the value of " + name + " has a character that no header can carry");
  }
  for (const char* own : {"host", "connection", "upgrade", "content-length", "transfer-encoding"}) {
    if (lower(name) == own) throw std::invalid_argument(name + " is bridle's own to send");
  }
  if (lower(name).starts_with("sec-websocket-")) throw std::invalid_argument(name + " is bridle's own to send");
  return name + ": " + value;
}

}  // namespace bridle
