#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/json.h"
#include "config/devices.h"

// What a tab pretends to be and to be connected by, as a value, and the CDP commands that make it so. Pure functions
// without a tab: browser/tab sends the commands, tools/emulation reads a caller's words. Includes base/ and config/.
namespace bridle {

struct ViewSize {
  int width = 0;
  int height = 0;
  bool operator==(const ViewSize&) const = default;
};

struct Geolocation {
  double latitude = 0;
  double longitude = 0;
  double accuracy = 0;  // m
  bool operator==(const Geolocation&) const = default;
};

struct NetworkConditions {
  std::string name{};  // of a preset; "" of one's own numbers
  bool offline = false;
  double latency = 0;    // ms
  double download = -1;  // kbit/s; -1: as fast as it is
  double upload = -1;
  bool operator==(const NetworkConditions&) const = default;
};

// What a site is told that asks by HTTP who is there. Never in a log or a result.
struct HttpCredentials {
  std::string origin{};  // the only one that is told; see network_origin()
  std::string username{};
  std::string password{};
  bool operator==(const HttpCredentials&) const = default;
};

// All that can be set. What is empty is as the browser has it by itself. A value type.
struct Emulation {
  std::string device{};  // whose viewport, scale, mobile, touch and user agent were taken over, for words alone
  std::optional<ViewSize> viewport{};
  std::optional<ViewSize> screen{};
  std::optional<double> scale{};
  std::optional<bool> mobile{};
  std::optional<bool> touch{};
  std::string user_agent{};
  std::string locale{};
  std::string timezone{};
  std::optional<Geolocation> geolocation{};
  std::string color_scheme{};
  std::string reduced_motion{};
  std::string forced_colors{};
  std::string contrast{};
  std::string media{};
  double cpu = 1;  // so many times slower
  std::optional<NetworkConditions> network{};
  std::map<std::string, std::string> headers{};  // of every request; never in a log or a result
  std::optional<HttpCredentials> credentials{};
  std::optional<bool> java_script{};  // false: the page's scripts don't run; bridle's own do
  std::optional<bool> bypass_csp{};   // true: what the page's content security policy forbids is allowed

  bool operator==(const Emulation&) const = default;
  // Takes over what a device is.
  void become(const Device& given, bool landscape, std::string_view chromium_major);
  // Takes over all that `given` sets.
  void take(const Emulation& given);
  bool sets_metrics() const { return viewport || scale || mobile; }
};

// The preset of that name: Slow 3G, Fast 3G, Slow 4G, Fast 4G, offline. nullopt: there is none.
std::optional<NetworkConditions> network_preset(std::string_view name);
inline constexpr const char* kNetworkPresets = "Slow 3G, Fast 3G, Slow 4G, Fast 4G, offline";

struct EmulationCommand {
  std::string method{};
  Json params{};
};
enum class SessionKind { page, frame, worker };

// Emulation.setDeviceMetricsOverride of a page that emulates none of it.
Json metrics_of(ViewSize size);

// Network.emulateNetworkConditions.
Json parameters_of(const NetworkConditions& conditions);

// What a CDP session must be sent so that `to` is in force where `from` was: nothing for what is the same in both.
// `base`: the size of a page whose viewport isn't emulated; of 0: as its window is.
std::vector<EmulationCommand> emulation_commands(const Emulation& from, const Emulation& to, SessionKind kind,
                                                 ViewSize base);

// What belongs to a user agent: navigator.platform, and what the client hints and navigator.userAgentData say. Null
// `metadata`: a browser that has none.
struct UserAgentFacts {
  std::string platform{};
  Json metadata{};
};
UserAgentFacts facts_of_user_agent(const std::string& user_agent);

}  // namespace bridle
