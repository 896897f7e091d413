#include "tools/emulation/emulation_words.h"

#include <spdlog/fmt/fmt.h>

namespace bridle {
namespace {

std::string comma_list(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::vector<std::string> header_names(const std::map<std::string, std::string>& headers) {
  std::vector<std::string> names;
  names.reserve(headers.size());
  for (const auto& [name, value] : headers) names.push_back(name);
  return names;
}

std::string conditions_words(const NetworkConditions& network) {
  if (!network.name.empty()) return network.name;
  const auto speed = [](double kbit) { return kbit < 0 ? std::string("unlimited") : fmt::format("{:g} kbit/s", kbit); };
  return fmt::format("latency {:g} ms, download {}, upload {}", network.latency, speed(network.download),
                     speed(network.upload));
}

}  // namespace

std::vector<std::string> emulation_lines(const Emulation& emulation,
                                         const std::optional<std::vector<std::string>>& permissions) {
  std::vector<std::string> lines;
  const auto line = [&](const char* name, const std::string& value) {
    lines.push_back("- " + std::string(name) + ": " + value);
  };
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) line(name, value);
  };
  text("device", emulation.device);
  if (emulation.viewport) line("viewport", fmt::format("{}x{}", emulation.viewport->width, emulation.viewport->height));
  if (emulation.scale) line("scale", fmt::format("{:g}", *emulation.scale));
  if (emulation.mobile) line("mobile", *emulation.mobile ? "yes" : "no");
  if (emulation.touch) line("touch", *emulation.touch ? "yes" : "no");
  text("userAgent", emulation.user_agent);
  text("locale", emulation.locale);
  text("timezone", emulation.timezone);
  if (emulation.geolocation) {
    line("geolocation", fmt::format("{:g}, {:g} (within {:g} m)", emulation.geolocation->latitude,
                                    emulation.geolocation->longitude, emulation.geolocation->accuracy));
  }
  if (permissions) line("permissions", permissions->empty() ? "none" : comma_list(*permissions));
  text("colorScheme", emulation.color_scheme);
  text("reducedMotion", emulation.reduced_motion);
  text("forcedColors", emulation.forced_colors);
  text("contrast", emulation.contrast);
  text("media", emulation.media);
  if (emulation.cpu > 1) line("cpu", fmt::format("{:g} times slower", emulation.cpu));
  if (emulation.network) line("network", conditions_words(*emulation.network));
  if (!emulation.headers.empty()) line("headers", comma_list(header_names(emulation.headers)) + " (to every site)");
  if (emulation.java_script) line("javaScript", *emulation.java_script ? "yes" : "no");
  if (emulation.bypass_csp) line("bypassCSP", *emulation.bypass_csp ? "yes" : "no");
  if (emulation.credentials) line("credentials", "for " + emulation.credentials->origin + " alone");
  return lines;
}

Json emulation_values(const Emulation& emulation, const std::optional<std::vector<std::string>>& permissions) {
  Json values = Json::object();
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) values[name] = value;
  };
  text("device", emulation.device);
  if (emulation.viewport)
    values["viewport"] = {{"width", emulation.viewport->width}, {"height", emulation.viewport->height}};
  if (emulation.scale) values["scale"] = *emulation.scale;
  if (emulation.mobile) values["mobile"] = *emulation.mobile;
  if (emulation.touch) values["touch"] = *emulation.touch;
  text("userAgent", emulation.user_agent);
  text("locale", emulation.locale);
  text("timezone", emulation.timezone);
  if (emulation.geolocation) {
    values["geolocation"] = {{"latitude", emulation.geolocation->latitude},
                             {"longitude", emulation.geolocation->longitude},
                             {"accuracy", emulation.geolocation->accuracy}};
  }
  if (permissions) values["permissions"] = *permissions;
  text("colorScheme", emulation.color_scheme);
  text("reducedMotion", emulation.reduced_motion);
  text("forcedColors", emulation.forced_colors);
  text("contrast", emulation.contrast);
  text("media", emulation.media);
  if (emulation.cpu > 1) values["cpu"] = emulation.cpu;
  if (emulation.network) values["network"] = conditions_words(*emulation.network);
  if (!emulation.headers.empty()) values["headers"] = header_names(emulation.headers);
  if (emulation.java_script) values["javaScript"] = *emulation.java_script;
  if (emulation.bypass_csp) values["bypassCSP"] = *emulation.bypass_csp;
  if (emulation.credentials) values["credentials"] = {{"origin", emulation.credentials->origin}};
  return values;
}

bool is_stale_for_scripts(const Emulation& before, const Emulation& after) {
  return before.mobile != after.mobile || before.touch != after.touch || before.user_agent != after.user_agent ||
         before.locale != after.locale || before.timezone != after.timezone || before.headers != after.headers ||
         before.java_script != after.java_script || before.bypass_csp != after.bypass_csp;
}

}  // namespace bridle
