#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bridle {

// A well-known device, under the name that Playwright has for it (--device, browser_emulate). Sizes in CSS px.
struct Device {
  enum class Kind { iphone, ipad, phone, tablet, chrome, edge, firefox, safari };
  const char* name;
  int width;
  int height;
  int landscape_width;  // 0: it has no landscape
  int landscape_height;
  int screen_width;
  int screen_height;
  double scale;
  Kind kind;
  const char* system;  // its version: of iOS, of Android
  const char* model;   // of an Android device

  bool mobile() const { return kind < Kind::chrome; }
};

// The one that --mobile means.
inline constexpr const char* kMobileDevice = "Pixel 10";

// Case aside; "iPhone 15 landscape" is the same device, turned. Null: there is none of that name.
const Device* find_device(std::string_view name, bool* landscape);
// Up to `count` names that are near to one that there is not, the nearest first.
std::vector<std::string> nearest_devices(std::string_view name, std::size_t count);
// "There is no device "iPhone 99". Near: iPhone 15, iPhone 16."
std::string unknown_device(std::string_view name);
// The user agent that the device's own browser has; where that is built on Chromium, in this major version.
std::string user_agent_of(const Device& device, std::string_view chromium_major);

// Why a user agent can't be sent, "" if it can.
std::string problem_of_user_agent(std::string_view user_agent);

}  // namespace bridle
