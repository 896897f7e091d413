#include <algorithm>
#include <string>
#include <string_view>

#include "browser/emulation/emulation.h"

namespace bridle {
namespace {

// "156.0.0.0" of "... Chrome/156.0.0.0 Safari/537.36"; "" without the product.
std::string version_after(const std::string& text, std::string_view product) {
  const auto at = text.find(product);
  if (at == std::string::npos) return {};
  const auto begin = at + product.size();
  const auto end = text.find_first_not_of("0123456789._", begin);
  return text.substr(begin, end == std::string::npos ? end : end - begin);
}

std::string major_of(const std::string& version) { return version.substr(0, version.find('.')); }

// "Pixel 4a (5G)" of "(Linux; Android 11; Pixel 4a (5G)) AppleWebKit/537.36", without a build.
std::string android_model(const std::string& user_agent) {
  const auto system = user_agent.find("Android");
  const auto semicolon = user_agent.find(';', system);
  const auto end = user_agent.find(") AppleWebKit", system);
  if (semicolon == std::string::npos || end == std::string::npos || semicolon > end) return {};
  auto model = user_agent.substr(semicolon + 1, end - semicolon - 1);
  model.erase(0, std::min(model.find_first_not_of(' '), model.size()));
  return model.substr(0, model.find(" Build/"));
}

struct System {
  const char* sign;      // in the user agent
  const char* platform;  // navigator.platform
  const char* name;      // in the client hints
};
constexpr System kSystems[] = {
    {"iPhone", "iPhone", "iOS"},
    {"iPad", "iPad", "iOS"},
    {"Android", "Linux armv81", "Android"},
    {"Windows", "Win32", "Windows"},
    {"Macintosh", "MacIntel", "macOS"},
    {"CrOS", "Linux x86_64", "Chrome OS"},
    {"Linux", "Linux x86_64", "Linux"},
};

std::string system_version(const std::string& user_agent, std::string_view system) {
  if (system == "Android") return version_after(user_agent, "Android ");
  if (system == "Windows") return "10.0.0";
  if (system != "macOS") return {};
  auto version = version_after(user_agent, "Mac OS X ");
  std::replace(version.begin(), version.end(), '_', '.');
  return version;
}

}  // namespace

UserAgentFacts facts_of_user_agent(const std::string& user_agent) {
  const auto* system = std::find_if(std::begin(kSystems), std::end(kSystems),
                                    [&](const System& one) { return user_agent.find(one.sign) != std::string::npos; });
  if (system == std::end(kSystems)) return {};
  UserAgentFacts facts{.platform = system->platform, .metadata = {}};
  const auto version = version_after(user_agent, "Chrome/");
  if (version.empty()) return facts;
  Json brands = Json::array();
  Json full = Json::array();
  const auto add = [&](const char* brand, const std::string& its) {
    brands.push_back({{"brand", brand}, {"version", major_of(its)}});
    full.push_back({{"brand", brand}, {"version", its}});
  };
  add("Not:A-Brand", "8");  // one that doesn't exist, as each browser has: sites must not take the list for complete
  add("Chromium", version);
  const auto edge = version_after(user_agent, "Edg/");
  edge.empty() ? add("Google Chrome", version) : add("Microsoft Edge", edge);
  const bool android = std::string_view(system->name) == "Android";
  facts.metadata = {{"brands", std::move(brands)},
                    {"fullVersionList", std::move(full)},
                    {"fullVersion", version},
                    {"platform", system->name},
                    {"platformVersion", system_version(user_agent, system->name)},
                    {"architecture", android ? "" : "x86"},
                    {"bitness", android ? "" : "64"},
                    {"model", android ? android_model(user_agent) : ""},
                    {"mobile", user_agent.find("Mobile") != std::string::npos}};
  return facts;
}

}  // namespace bridle
