#include "browser/emulation/emulation.h"

#include <utility>

namespace bridle {
namespace {

constexpr int kTouchPoints = 5;  // as phones and tablets have

namespace aspects {

// A command that puts an aspect of an emulation in force, or takes it back where there is none.
using Aspect = EmulationCommand (*)(const Emulation& emulation, ViewSize base);

EmulationCommand timezone(const Emulation& emulation, ViewSize) {
  return {"Emulation.setTimezoneOverride", {{"timezoneId", emulation.timezone}}};
}

EmulationCommand locale(const Emulation& emulation, ViewSize) {
  return {"Emulation.setLocaleOverride", {{"locale", emulation.locale}}};
}

// The languages go with the user agent: an empty one is the browser's own.
EmulationCommand user_agent(const Emulation& emulation, ViewSize) {
  const auto facts = facts_of_user_agent(emulation.user_agent);
  Json params{{"userAgent", emulation.user_agent}, {"acceptLanguage", emulation.locale}, {"platform", facts.platform}};
  if (!facts.metadata.is_null()) params["userAgentMetadata"] = facts.metadata;
  return {"Emulation.setUserAgentOverride", std::move(params)};
}

EmulationCommand metrics(const Emulation& emulation, ViewSize base) {
  const auto size = emulation.viewport.value_or(base);
  if (!emulation.sets_metrics() && base == ViewSize{}) return {"Emulation.clearDeviceMetricsOverride", Json::object()};
  Json params{{"width", size.width},
              {"height", size.height},
              {"deviceScaleFactor", emulation.scale.value_or(0)},
              {"mobile", emulation.mobile.value_or(false)}};
  if (emulation.screen) {
    params["screenWidth"] = emulation.screen->width;
    params["screenHeight"] = emulation.screen->height;
  }
  if (emulation.mobile.value_or(false)) {
    const bool landscape = size.width > size.height;
    params["screenOrientation"] = {{"type", landscape ? "landscapePrimary" : "portraitPrimary"},
                                   {"angle", landscape ? 90 : 0}};
  }
  return {"Emulation.setDeviceMetricsOverride", std::move(params)};
}

EmulationCommand touch(const Emulation& emulation, ViewSize) {
  Json params{{"enabled", emulation.touch.value_or(false)}};
  if (emulation.touch.value_or(false)) params["maxTouchPoints"] = kTouchPoints;
  return {"Emulation.setTouchEmulationEnabled", std::move(params)};
}

EmulationCommand geolocation(const Emulation& emulation, ViewSize) {
  if (!emulation.geolocation) return {"Emulation.clearGeolocationOverride", Json::object()};
  return {"Emulation.setGeolocationOverride",
          {{"latitude", emulation.geolocation->latitude},
           {"longitude", emulation.geolocation->longitude},
           {"accuracy", emulation.geolocation->accuracy}}};
}

// An empty value is the browser's own.
EmulationCommand media(const Emulation& emulation, ViewSize) {
  const auto feature = [](const char* name, const std::string& value) {
    return Json{{"name", name}, {"value", value}};
  };
  return {"Emulation.setEmulatedMedia",
          {{"media", emulation.media},
           {"features", Json::array({feature("prefers-color-scheme", emulation.color_scheme),
                                     feature("prefers-reduced-motion", emulation.reduced_motion),
                                     feature("forced-colors", emulation.forced_colors),
                                     feature("prefers-contrast", emulation.contrast)})}}};
}

EmulationCommand cpu(const Emulation& emulation, ViewSize) {
  return {"Emulation.setCPUThrottlingRate", {{"rate", emulation.cpu}}};
}

EmulationCommand network(const Emulation& emulation, ViewSize) {
  return {"Network.emulateNetworkConditions", parameters_of(emulation.network.value_or(NetworkConditions{}))};
}

EmulationCommand headers(const Emulation& emulation, ViewSize) {
  return {"Network.setExtraHTTPHeaders", {{"headers", emulation.headers}}};
}

EmulationCommand java_script(const Emulation& emulation, ViewSize) {
  return {"Emulation.setScriptExecutionDisabled", {{"value", !emulation.java_script.value_or(true)}}};
}

EmulationCommand bypass_csp(const Emulation& emulation, ViewSize) {
  return {"Page.setBypassCSP", {{"enabled", emulation.bypass_csp.value_or(false)}}};
}

}  // namespace aspects

struct AspectRow {
  aspects::Aspect command;
  bool frames;   // for frames in processes of their own, too
  bool workers;  // and for workers
};
constexpr AspectRow kAspects[] = {
    {aspects::timezone, true, false}, {aspects::locale, true, false},      {aspects::user_agent, true, true},
    {aspects::metrics, false, false}, {aspects::touch, true, false},       {aspects::geolocation, false, false},
    {aspects::media, true, false},    {aspects::cpu, true, false},         {aspects::network, true, true},
    {aspects::headers, true, true},   {aspects::java_script, true, false}, {aspects::bypass_csp, true, false},
};

}  // namespace

Json metrics_of(ViewSize size) { return aspects::metrics({}, size).params; }

Json parameters_of(const NetworkConditions& conditions) {
  const auto bytes = [](double kbit) { return kbit < 0 ? -1 : kbit * 1000 / 8; };  // a second
  return {{"offline", conditions.offline},
          {"latency", conditions.latency},
          {"downloadThroughput", bytes(conditions.download)},
          {"uploadThroughput", bytes(conditions.upload)}};
}

void Emulation::become(const Device& given, bool landscape, std::string_view chromium_major) {
  device = std::string(given.name) + (landscape ? " landscape" : "");
  viewport = landscape ? ViewSize{given.landscape_width, given.landscape_height} : ViewSize{given.width, given.height};
  screen = ViewSize{given.screen_width, given.screen_height};
  if (landscape) std::swap(screen->width, screen->height);
  scale = given.scale;
  mobile = given.mobile();
  touch = given.mobile();
  user_agent = user_agent_of(given, chromium_major);
}

void Emulation::take(const Emulation& given) {
  const auto take_optional = [&](auto member) {
    if (given.*member) this->*member = given.*member;
  };
  const auto take_filled = [&](auto member) {
    if (!(given.*member).empty()) this->*member = given.*member;
  };
  if (given.viewport) screen = given.screen;  // a device's screen has a device's viewport
  take_optional(&Emulation::viewport);
  take_optional(&Emulation::screen);
  take_optional(&Emulation::scale);
  take_optional(&Emulation::mobile);
  take_optional(&Emulation::touch);
  take_optional(&Emulation::geolocation);
  take_optional(&Emulation::network);
  take_optional(&Emulation::credentials);
  take_optional(&Emulation::java_script);
  take_optional(&Emulation::bypass_csp);
  for (const auto member :
       {&Emulation::device, &Emulation::user_agent, &Emulation::locale, &Emulation::timezone, &Emulation::color_scheme,
        &Emulation::reduced_motion, &Emulation::forced_colors, &Emulation::contrast, &Emulation::media})
    take_filled(member);
  take_filled(&Emulation::headers);
  if (given.cpu != 1) cpu = given.cpu;
}

// The numbers that DevTools has under these names.
std::optional<NetworkConditions> network_preset(std::string_view name) {
  static const NetworkConditions kPresets[] = {
      {.name = "Slow 3G", .latency = 2000, .download = 400, .upload = 400},
      {.name = "Fast 3G", .latency = 562.5, .download = 1440, .upload = 675},
      {.name = "Slow 4G", .latency = 562.5, .download = 1440, .upload = 675},
      {.name = "Fast 4G", .latency = 165, .download = 8100, .upload = 1350},
      {.name = "offline", .offline = true},
  };
  for (const auto& preset : kPresets) {
    if (preset.name == name) return preset;
  }
  return std::nullopt;
}

std::vector<EmulationCommand> emulation_commands(const Emulation& from, const Emulation& to, SessionKind kind,
                                                 ViewSize base) {
  std::vector<EmulationCommand> commands;
  // A worker's requests are the concern of its session only while that is told of them.
  const auto is_told = [](const Emulation& emulation) { return emulation.network || !emulation.headers.empty(); };
  if (kind == SessionKind::worker && is_told(from) != is_told(to))
    commands.push_back({is_told(to) ? "Network.enable" : "Network.disable", Json::object()});
  for (const auto& row : kAspects) {
    if ((kind == SessionKind::frame && !row.frames) || (kind == SessionKind::worker && !row.workers)) continue;
    auto before = row.command(from, base);
    auto after = row.command(to, base);
    if (before.method != after.method || before.params != after.params) commands.push_back(std::move(after));
  }
  return commands;
}

}  // namespace bridle
