#include "config/channels.h"

#include <algorithm>

namespace bridle {

const std::vector<Channel>& channels() {
  static const std::vector<Channel> kChannels = {
      {"chrome", "Google Chrome", {"google-chrome-stable", "google-chrome", "/opt/google/chrome/chrome"}},
      {"chrome-beta", "Google Chrome Beta", {"google-chrome-beta", "/opt/google/chrome-beta/chrome"}},
      {"chrome-dev", "Google Chrome Dev", {"google-chrome-unstable", "/opt/google/chrome-unstable/chrome"}},
      {"chrome-canary", "Google Chrome Canary", {"google-chrome-canary", "/opt/google/chrome-canary/chrome"}},
      {"msedge", "Microsoft Edge", {"microsoft-edge-stable", "microsoft-edge", "/opt/microsoft/msedge/msedge"}},
      {"msedge-beta", "Microsoft Edge Beta", {"microsoft-edge-beta", "/opt/microsoft/msedge-beta/msedge"}},
      {"msedge-dev", "Microsoft Edge Dev", {"microsoft-edge-dev", "/opt/microsoft/msedge-dev/msedge"}},
      {"brave", "Brave", {"brave-browser", "brave-browser-stable", "brave", "/opt/brave.com/brave/brave-browser"}},
      {"chromium", "Chromium", {"chromium", "chromium-browser", "/usr/lib/chromium/chromium"}},
  };
  return kChannels;
}

const Channel* find_channel(std::string_view name) {
  const auto& all = channels();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Channel& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string channel_names() {
  std::string names;
  for (const auto& one : channels()) names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;
}

}  // namespace bridle
