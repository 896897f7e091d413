#include "config/devices.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/text/text.h"

namespace bridle {
namespace {

constexpr Device kDevices[] = {
    // name, viewport, the same turned, screen, scale, kind, system, model
    {"Galaxy S5", 360, 640, 640, 360, 360, 640, 3, Device::Kind::phone, "5.0", "SM-G900P"},
    {"Galaxy S8", 360, 740, 740, 360, 360, 740, 3, Device::Kind::phone, "7.0", "SM-G950U"},
    {"Galaxy S9+", 320, 658, 658, 320, 320, 658, 4.5, Device::Kind::phone, "8.0.0", "SM-G965U"},
    {"Galaxy S24", 360, 780, 780, 360, 360, 780, 3, Device::Kind::phone, "14", "SM-S921U"},
    {"Galaxy A55", 480, 1040, 1040, 480, 480, 1040, 2.25, Device::Kind::phone, "14", "SM-A556B"},
    {"Galaxy Tab S4", 712, 1138, 1138, 712, 712, 1138, 2.25, Device::Kind::tablet, "8.1.0", "SM-T837A"},
    {"Galaxy Tab S9", 640, 1024, 1024, 640, 640, 1024, 2.5, Device::Kind::tablet, "14", "SM-X710"},
    {"Galaxy Z Fold 6", 928, 1004, 1028, 876, 928, 1080, 2, Device::Kind::phone, "10", "SM-F956U"},
    {"Galaxy Z Fold 6 Cover", 484, 1112, 1136, 432, 484, 1188, 2, Device::Kind::phone, "10", "SM-F956U"},
    {"Galaxy Z Fold 7", 984, 1016, 1040, 932, 984, 1092, 2, Device::Kind::phone, "10", "SM-F966U"},
    {"Galaxy Z Fold 7 Cover", 360, 764, 788, 308, 360, 840, 3, Device::Kind::phone, "10", "SM-F966U"},
    {"Galaxy Z Flip 6", 360, 804, 828, 308, 360, 880, 3, Device::Kind::phone, "10", "SM-F741U"},
    {"Galaxy Z Flip 6 Cover", 360, 298, 322, 308, 360, 374, 2, Device::Kind::phone, "10", "SM-F741U"},
    {"Galaxy Z Flip 7", 360, 764, 788, 308, 360, 840, 3, Device::Kind::phone, "10", "SM-F761U"},
    {"Galaxy Z Flip 7 Cover", 474, 448, 472, 422, 474, 524, 2, Device::Kind::phone, "10", "SM-F761U"},
    {"iPad (gen 5)", 768, 1024, 1024, 768, 768, 1024, 2, Device::Kind::ipad, "12.2", ""},
    {"iPad (gen 6)", 768, 1024, 1024, 768, 768, 1024, 2, Device::Kind::ipad, "12.2", ""},
    {"iPad (gen 7)", 810, 1080, 1080, 810, 810, 1080, 2, Device::Kind::ipad, "12.2", ""},
    {"iPad (gen 11)", 656, 944, 944, 656, 656, 944, 2.5, Device::Kind::ipad, "18.5", ""},
    {"iPad Mini", 768, 1024, 1024, 768, 768, 1024, 2, Device::Kind::ipad, "12.2", ""},
    {"iPad Pro 11", 834, 1194, 1194, 834, 834, 1194, 2, Device::Kind::ipad, "12.2", ""},
    {"iPhone 6", 375, 667, 667, 375, 375, 667, 2, Device::Kind::iphone, "11.0", ""},
    {"iPhone 6 Plus", 414, 736, 736, 414, 414, 736, 3, Device::Kind::iphone, "11.0", ""},
    {"iPhone 7", 375, 667, 667, 375, 375, 667, 2, Device::Kind::iphone, "11.0", ""},
    {"iPhone 7 Plus", 414, 736, 736, 414, 414, 736, 3, Device::Kind::iphone, "11.0", ""},
    {"iPhone 8", 375, 667, 667, 375, 375, 667, 2, Device::Kind::iphone, "11.0", ""},
    {"iPhone 8 Plus", 414, 736, 736, 414, 414, 736, 3, Device::Kind::iphone, "11.0", ""},
    {"iPhone SE", 320, 568, 568, 320, 320, 568, 2, Device::Kind::iphone, "10.3.1", ""},
    {"iPhone SE (3rd gen)", 375, 667, 667, 375, 375, 667, 2, Device::Kind::iphone, "18.5", ""},
    {"iPhone X", 375, 812, 812, 375, 375, 812, 3, Device::Kind::iphone, "11.0", ""},
    {"iPhone XR", 414, 896, 896, 414, 414, 896, 3, Device::Kind::iphone, "12.0", ""},
    {"iPhone 11", 414, 715, 800, 364, 414, 896, 2, Device::Kind::iphone, "12.2", ""},
    {"iPhone 11 Pro", 375, 635, 724, 325, 375, 812, 3, Device::Kind::iphone, "12.2", ""},
    {"iPhone 11 Pro Max", 414, 715, 808, 364, 414, 896, 3, Device::Kind::iphone, "12.2", ""},
    {"iPhone 12", 390, 664, 750, 340, 390, 844, 3, Device::Kind::iphone, "14.4", ""},
    {"iPhone 12 Pro", 390, 664, 750, 340, 390, 844, 3, Device::Kind::iphone, "14.4", ""},
    {"iPhone 12 Pro Max", 428, 746, 832, 378, 428, 926, 3, Device::Kind::iphone, "14.4", ""},
    {"iPhone 12 Mini", 375, 629, 712, 325, 375, 812, 3, Device::Kind::iphone, "14.4", ""},
    {"iPhone 13", 390, 664, 750, 342, 390, 844, 3, Device::Kind::iphone, "15.0", ""},
    {"iPhone 13 Pro", 390, 664, 750, 342, 390, 844, 3, Device::Kind::iphone, "15.0", ""},
    {"iPhone 13 Pro Max", 428, 746, 832, 380, 428, 926, 3, Device::Kind::iphone, "15.0", ""},
    {"iPhone 13 Mini", 375, 629, 712, 327, 375, 812, 3, Device::Kind::iphone, "15.0", ""},
    {"iPhone 14", 390, 664, 750, 340, 390, 844, 3, Device::Kind::iphone, "16.0", ""},
    {"iPhone 14 Plus", 428, 746, 832, 378, 428, 926, 3, Device::Kind::iphone, "16.0", ""},
    {"iPhone 14 Pro", 393, 660, 734, 343, 393, 852, 3, Device::Kind::iphone, "16.0", ""},
    {"iPhone 14 Pro Max", 430, 740, 814, 380, 430, 932, 3, Device::Kind::iphone, "16.0", ""},
    {"iPhone 15", 393, 659, 734, 343, 393, 852, 3, Device::Kind::iphone, "17.5", ""},
    {"iPhone 15 Plus", 430, 739, 814, 380, 430, 932, 3, Device::Kind::iphone, "17.5", ""},
    {"iPhone 15 Pro", 393, 659, 734, 343, 393, 852, 3, Device::Kind::iphone, "17.5", ""},
    {"iPhone 15 Pro Max", 430, 739, 814, 380, 430, 932, 3, Device::Kind::iphone, "17.5", ""},
    {"iPhone 16", 393, 659, 734, 343, 393, 852, 3, Device::Kind::iphone, "18.7", ""},
    {"iPhone 16 Plus", 430, 739, 814, 380, 430, 932, 3, Device::Kind::iphone, "18.7", ""},
    {"iPhone 16 Pro", 402, 681, 756, 352, 402, 874, 3, Device::Kind::iphone, "18.7", ""},
    {"iPhone 16 Pro Max", 440, 763, 838, 390, 440, 956, 3, Device::Kind::iphone, "18.7", ""},
    {"iPhone 16e", 390, 651, 726, 340, 390, 844, 3, Device::Kind::iphone, "18.7", ""},
    {"iPhone 17", 402, 681, 756, 352, 402, 874, 3, Device::Kind::iphone, "18.7", ""},
    {"iPhone Air", 420, 719, 794, 370, 420, 912, 3, Device::Kind::iphone, "18.7", ""},
    {"iPhone 17 Pro", 402, 681, 756, 352, 402, 874, 3, Device::Kind::iphone, "18.7", ""},
    {"iPhone 17 Pro Max", 440, 763, 838, 390, 440, 956, 3, Device::Kind::iphone, "18.7", ""},
    {"iPhone 17e", 390, 651, 726, 340, 390, 844, 3, Device::Kind::iphone, "18.7", ""},
    {"Pixel 2", 411, 731, 731, 411, 411, 731, 2.625, Device::Kind::phone, "8.0", "Pixel 2"},
    {"Pixel 2 XL", 411, 823, 823, 411, 411, 823, 3.5, Device::Kind::phone, "8.0.0", "Pixel 2 XL"},
    {"Pixel 3", 393, 786, 786, 393, 393, 786, 2.75, Device::Kind::phone, "9", "Pixel 3"},
    {"Pixel 4", 353, 745, 745, 353, 353, 745, 3, Device::Kind::phone, "10", "Pixel 4"},
    {"Pixel 4a (5G)", 412, 765, 840, 312, 412, 892, 2.63, Device::Kind::phone, "11", "Pixel 4a (5G)"},
    {"Pixel 5", 393, 727, 802, 293, 393, 851, 2.75, Device::Kind::phone, "11", "Pixel 5"},
    {"Pixel 6", 412, 839, 863, 360, 412, 915, 2.625, Device::Kind::phone, "12", "Pixel 6"},
    {"Pixel 6 Pro", 412, 816, 840, 360, 412, 892, 3.5, Device::Kind::phone, "12", "Pixel 6 Pro"},
    {"Pixel 6a", 412, 839, 863, 360, 412, 915, 2.625, Device::Kind::phone, "12", "Pixel 6a"},
    {"Pixel 7", 412, 839, 863, 360, 412, 915, 2.625, Device::Kind::phone, "14", "Pixel 7"},
    {"Pixel 7 Pro", 412, 816, 840, 360, 412, 892, 3.5, Device::Kind::phone, "13", "Pixel 7 Pro"},
    {"Pixel 7a", 412, 839, 863, 360, 412, 915, 2.625, Device::Kind::phone, "13", "Pixel 7a"},
    {"Pixel 8", 412, 839, 863, 360, 412, 915, 2.625, Device::Kind::phone, "14", "Pixel 8"},
    {"Pixel 8 Pro", 448, 921, 945, 396, 448, 997, 3, Device::Kind::phone, "14", "Pixel 8 Pro"},
    {"Pixel 8a", 412, 839, 863, 360, 412, 915, 2.625, Device::Kind::phone, "14", "Pixel 8a"},
    {"Pixel 9", 360, 732, 756, 308, 360, 808, 3, Device::Kind::phone, "14", "Pixel 9"},
    {"Pixel 9 Pro", 427, 876, 900, 375, 427, 952, 3, Device::Kind::phone, "14", "Pixel 9 Pro"},
    {"Pixel 9 Pro XL", 448, 921, 945, 396, 448, 997, 3, Device::Kind::phone, "14", "Pixel 9 Pro XL"},
    {"Pixel 10", 360, 732, 756, 308, 360, 808, 3, Device::Kind::phone, "16", "Pixel 10"},
    {"Pixel 10 Pro", 427, 876, 900, 375, 427, 952, 3, Device::Kind::phone, "16", "Pixel 10 Pro"},
    {"Pixel 10 Pro XL", 448, 921, 945, 396, 448, 997, 3, Device::Kind::phone, "16", "Pixel 10 Pro XL"},
    {"Moto G4", 360, 640, 640, 360, 360, 640, 3, Device::Kind::phone, "7.0", "Moto G (4)"},
    {"Desktop Chrome HiDPI", 1280, 720, 0, 0, 1792, 1120, 2, Device::Kind::chrome, "", ""},
    {"Desktop Edge HiDPI", 1280, 720, 0, 0, 1792, 1120, 2, Device::Kind::edge, "", ""},
    {"Desktop Firefox HiDPI", 1280, 720, 0, 0, 1792, 1120, 2, Device::Kind::firefox, "", ""},
    {"Desktop Safari", 1280, 720, 0, 0, 1792, 1120, 2, Device::Kind::safari, "", ""},
    {"Desktop Chrome", 1280, 720, 0, 0, 1920, 1080, 1, Device::Kind::chrome, "", ""},
    {"Desktop Edge", 1280, 720, 0, 0, 1920, 1080, 1, Device::Kind::edge, "", ""},
    {"Desktop Firefox", 1280, 720, 0, 0, 1920, 1080, 1, Device::Kind::firefox, "", ""},
};

constexpr std::string_view kLandscape = " landscape";

// How many characters must be changed, added or left out to make one of the other.
std::size_t distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < other.size(); ++j) {
      const auto changed = diagonal + (one[i] == other[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
    }
  }
  return row.back();
}

std::string with_dots_as(std::string text, char other) {
  std::replace(text.begin(), text.end(), '.', other);
  return text;
}

}  // namespace

const Device* find_device(std::string_view name, bool* landscape) {
  auto wanted = lower(name);
  *landscape = wanted.ends_with(kLandscape);
  if (*landscape) wanted.resize(wanted.size() - kLandscape.size());
  const auto* found = std::find_if(std::begin(kDevices), std::end(kDevices),
                                   [&](const Device& device) { return lower(device.name) == wanted; });
  const bool there = found != std::end(kDevices) && (!*landscape || found->landscape_width > 0);
  return there ? found : nullptr;
}

std::vector<std::string> nearest_devices(std::string_view name, std::size_t count) {
  constexpr std::size_t kLongest = 64;  // no device has so long a name
  const auto wanted = lower(name.substr(0, kLongest));
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const auto& device : kDevices) ranked.emplace_back(distance(wanted, lower(device.name)), device.name);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(count, ranked.size()); ++i) names.push_back(ranked[i].second);
  return names;
}

std::string unknown_device(std::string_view name) {
  std::string near;
  for (const auto& one : nearest_devices(name, 5)) near += (near.empty() ? "" : ", ") + one;
  return "There is no device \"" + std::string(name.substr(0, 80)) + "\". Near: " + near + ".";
}

std::string user_agent_of(const Device& device, std::string_view chromium_major) {
  const std::string chrome = "Chrome/" + std::string(chromium_major) + ".0.0.0";
  const std::string webkit = " AppleWebKit/537.36 (KHTML, like Gecko) " + chrome;
  const std::string windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64";
  const std::string system = device.system;
  const auto apple = [&](const std::string& where) {
    return "Mozilla/5.0 (" + where + " " + with_dots_as(system, '_') +
           " like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/" + system + " Mobile/15E148 Safari/604.1";
  };
  switch (device.kind) {
    case Device::Kind::iphone:
      return apple("iPhone; CPU iPhone OS");
    case Device::Kind::ipad:
      return apple("iPad; CPU OS");
    case Device::Kind::phone:
      return "Mozilla/5.0 (Linux; Android " + system + "; " + device.model + ")" + webkit + " Mobile Safari/537.36";
    case Device::Kind::tablet:
      return "Mozilla/5.0 (Linux; Android " + system + "; " + device.model + ")" + webkit + " Safari/537.36";
    case Device::Kind::chrome:
      return windows + ")" + webkit + " Safari/537.36";
    case Device::Kind::edge:
      return windows + ")" + webkit + " Safari/537.36 Edg/" + std::string(chromium_major) + ".0.0.0";
    case Device::Kind::firefox:
      return windows + "; rv:153.0) Gecko/20100101 Firefox/153.0";
    case Device::Kind::safari:
      break;
  }
  return "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.5 "
         "Safari/605.1.15";
}

std::string problem_of_user_agent(std::string_view user_agent) {
  constexpr std::size_t kLongest = 1000;
  const bool printable = std::all_of(user_agent.begin(), user_agent.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (user_agent.empty()) return "a user agent must not be empty";
  if (user_agent.size() > kLongest) return "a user agent has at most 1,000 characters";
  return printable ? "" : "a user agent is one line of ASCII";
}

}  // namespace bridle
