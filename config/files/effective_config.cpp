#include "config/files/effective_config.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "base/text/secrets.h"
#include "config/network/proxy_settings.h"

namespace bridle {
namespace {

using Value = nlohmann::json;

// Without the members that hold nothing.
void set_filled(Value& object, const char* key, const Value& value) {
  const bool nothing = value.is_null() || (value.is_structured() && value.empty()) || value == "";
  if (!nothing) object[key] = value;
}

// Which headers there are is told, what they say isn't.
Value with_values_hidden(Value headers) {
  for (auto& value : headers) value = kHidden;
  return headers;
}

Value headers_of(const std::vector<std::string>& lines) {
  auto headers = Value::object();
  for (const auto& line : lines) headers[line.substr(0, line.find(':'))] = "";
  return with_values_hidden(std::move(headers));
}

Value launch_options(const Options& options) {
  Value launch{{"headless", options.headless}, {"chromiumSandbox", !options.no_sandbox}};
  set_filled(launch, "executablePath", options.executable_path);
  set_filled(launch, "channel", options.channel);
  set_filled(launch, "args", options.browser_args);
  set_filled(launch, "ignoreDefaultArgs", options.ignored_browser_args);
  if (options.proxy_server.empty()) return launch;
  const auto proxy = ProxyServer::parse(options.proxy_server);
  launch["proxy"] = {{"server", proxy.without_credential()}};
  if (!proxy.user.empty()) launch["proxy"].update({{"username", kHidden}, {"password", kHidden}});
  set_filled(launch["proxy"], "bypass", ProxyBypass(options.proxy_bypass).text());
  return launch;
}

Value context_options(const Options& options) {
  Value context{{"ignoreHTTPSErrors", options.ignore_https_errors},
                {"serviceWorkers", options.block_service_workers ? "block" : "allow"}};
  if (options.viewport_width > 0)
    context["viewport"] = {{"width", options.viewport_width}, {"height", options.viewport_height}};
  if (options.save_video) {
    context["recordVideo"] = Value::object();
    if (options.video_width > 0)
      context["recordVideo"]["size"] = {{"width", options.video_width}, {"height", options.video_height}};
  }
  set_filled(context, "permissions", options.grant_permissions);
  set_filled(context, "storageState", options.storage_state);
  const auto emulate = options.emulate.empty() ? Value::object() : Value::parse(options.emulate, nullptr, false);
  struct Row {
    const char* theirs;
    const char* ours;
  };
  constexpr Row kRows[] = {{"colorScheme", "colorScheme"},   {"contrast", "contrast"},
                           {"forcedColors", "forcedColors"}, {"reducedMotion", "reducedMotion"},
                           {"deviceScaleFactor", "scale"},   {"hasTouch", "touch"},
                           {"isMobile", "mobile"},           {"locale", "locale"},
                           {"timezoneId", "timezone"},       {"geolocation", "geolocation"},
                           {"userAgent", "userAgent"},       {"javaScriptEnabled", "javaScript"},
                           {"bypassCSP", "bypassCSP"}};
  for (const auto& row : kRows) set_filled(context, row.theirs, emulate.value(row.ours, Value()));
  set_filled(context, "userAgent", options.user_agent);
  if (emulate.value("network", Value()) == "offline") context["offline"] = true;
  if (emulate.value("headers", Value()).is_object())
    context["extraHTTPHeaders"] = with_values_hidden(emulate.at("headers"));
  const auto credentials = emulate.value("credentials", Value());
  if (credentials.is_object())
    context["httpCredentials"] = {
        {"origin", credentials.value("origin", "")}, {"username", kHidden}, {"password", kHidden}};
  return context;
}

Value browser_config(const Options& options) {
  const bool keeps_profile = !options.user_data_dir.empty() || !options.cdp_endpoint.empty();
  Value browser{{"browserName", "chromium"},
                {"isolated", !keeps_profile && !options.shared_browser_context},
                {"contextOptions", context_options(options)}};
  set_filled(browser, "userDataDir", options.user_data_dir);
  set_filled(browser, "initScript", options.init_scripts);
  set_filled(browser, "device", options.device);
  if (options.cdp_endpoint.empty()) {
    browser["launchOptions"] = launch_options(options);
  } else {
    browser["cdpEndpoint"] = hide_in_url(options.cdp_endpoint);
    browser["cdpTimeout"] = options.cdp_timeout.count();
    set_filled(browser, "cdpHeaders", headers_of(options.cdp_headers));
  }
  return browser;
}

}  // namespace

std::string effective_config(const Options& options) {
  Value config{
      {"browser", browser_config(options)},
      {"saveSession", options.save_session},
      {"sharedBrowserContext", options.shared_browser_context},
      {"outputMaxSize", options.output_max_size},
      {"console", {{"level", options.console_level}}},
      {"testIdAttribute", options.test_id_attribute},
      {"timeouts", {{"action", options.timeout_action.count()}, {"navigation", options.timeout_navigation.count()}}},
      {"imageResponses", options.image_responses},
      {"snapshot", {{"mode", options.snapshot_mode}, {"boxes", options.snapshot_boxes}}}};
  const auto idle = browser_idle(options);
  config["timeouts"]["idle"] = idle ? idle->count() : 0;
  if (!options.stdio) config["server"] = {{"port", options.port}};
  set_filled(config["server"], "host", options.host);
  set_filled(config["server"], "allowedHosts", options.allowed_hosts);
  set_filled(config, "capabilities", options.caps);
  set_filled(config, "outputDir", options.output_dir);
  auto network = Value::object();
  set_filled(network, "allowedOrigins", options.allowed_origins);
  set_filled(network, "blockedOrigins", options.blocked_origins);
  set_filled(config, "network", network);
  auto secrets = Value::object();
  for (const auto& [name, value] : options.secrets) secrets[name] = kHidden;
  set_filled(config, "secrets", secrets);
  return config.dump(-1, ' ', false, Value::error_handler_t::replace);
}

}  // namespace bridle
