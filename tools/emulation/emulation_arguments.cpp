#include "tools/emulation/emulation_arguments.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/errors.h"
#include "base/text/text.h"
#include "config/network/origin_rules.h"
#include "config/permissions.h"
#include "tools/contract/schema.h"
#include "tools/contract/schema_check.h"

namespace bridle {
namespace {

constexpr int kLongestSide = 10'000;  // CSS px
constexpr double kMostScale = 10;
constexpr double kMostSlowdown = 100;
constexpr double kMostLatency = 60'000;         // ms
constexpr double kMostThroughput = 10'000'000;  // kbit/s
constexpr std::size_t kMostHeaders = 50;
constexpr std::size_t kLongestHeader = 8'000;

// Null resets what the property says; the list of tools has that in the tool's description.
Json nullable(Json schema) {
  Json more{{"type", Json::array({schema["type"], "null"})}};
  if (schema.contains("enum")) {
    more["enum"] = schema["enum"];
    more["enum"].push_back(nullptr);
  }
  return schema::unlisted(std::move(schema), more);
}

Json members(const Json& properties, const Json& required = Json::array()) {
  return {{"properties", properties}, {"required", required}, {"additionalProperties", false}};
}

Json bounded(const char* type, double minimum, double maximum) {
  return {{"type", type}, {"minimum", minimum}, {"maximum", maximum}};
}

Json object(const char* description, const Json& properties, const Json& required = Json::array()) {
  return nullable(schema::unlisted(schema::of_type("object", description), members(properties, required)));
}

Json network_schema() {
  Json own = members({{"latency", bounded("number", 0, kMostLatency)},
                      {"download", bounded("number", 0, kMostThroughput)},
                      {"upload", bounded("number", 0, kMostThroughput)}});
  own["type"] = "object";
  Json preset{{"type", "string"}, {"enum", Json::array()}};
  for (const auto& name : split(kNetworkPresets, ',')) preset["enum"].push_back(std::string(trimmed(name)));
  return schema::unlisted(
      {{"description", std::string(kNetworkPresets) + ", or {latency (ms), download, upload (kbit/s)}"}},
      {{"anyOf", Json::array({preset, own, {{"type", "null"}}})}});
}

bool is_line(const std::string& value) {
  return std::none_of(value.begin(), value.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

// Those that Chromium writes itself: a request with one of a caller's would be refused or misunderstood.
bool is_browsers_own(const std::string& name) {
  static const std::vector<std::string> kOwn{"host", "content-length", "connection", "transfer-encoding", "upgrade",
                                             "te",   "trailer",        "keep-alive"};
  const auto plain = lower(name);
  return std::find(kOwn.begin(), kOwn.end(), plain) != kOwn.end() || plain.starts_with("proxy-");
}

std::map<std::string, std::string> headers_of(const Json& given) {
  std::map<std::string, std::string> headers;
  if (given.size() > kMostHeaders) throw ToolError("browser_emulate: at most 50 headers can be given.");
  for (const auto& [name, value] : given.items()) {
    const auto text = value.get<std::string>();
    if (!is_token(name)) throw ToolError("browser_emulate: a header's name is letters, digits and dashes.");
    if (is_browsers_own(name))
      throw ToolError("browser_emulate: the header " + name + " is the browser's own and can't be given.");
    // The value stays out of the words: it may be a secret.
    if (!is_line(text) || text.size() > kLongestHeader)
      throw ToolError("browser_emulate: the header " + name + " must be one line of at most 8,000 characters.");
    headers[name] = text;
  }
  return headers;
}

HttpCredentials credentials_of(const Json& given, const std::string& page_url) {
  HttpCredentials credentials{.origin = network_origin(given.value("origin", page_url)),
                              .username = given.at("username"),
                              .password = given.at("password")};
  if (!credentials.origin.empty()) return credentials;
  throw ToolError(given.contains("origin")
                      ? "browser_emulate: credentials.origin must be an origin, such as https://example.com."
                      : "browser_emulate: the page has no origin that could ask for credentials: open the site first, "
                        "or name credentials.origin.");
}

NetworkConditions network_of(const Json& given) {
  if (given.is_string()) return *network_preset(given.get<std::string>());
  if (given.empty()) throw ToolError("browser_emulate: network needs latency, download or upload, or null to reset.");
  return {.latency = given.value("latency", 0.0),
          .download = given.value("download", -1.0),
          .upload = given.value("upload", -1.0)};
}

void take_device(Emulation& next, const EmulationBasis& basis, const Json& given) {
  if (given.is_null()) {
    next.device = basis.start.device;
    next.viewport = basis.start.viewport;
    next.screen = basis.start.screen;
    next.scale = basis.start.scale;
    next.mobile = basis.start.mobile;
    next.touch = basis.start.touch;
    next.user_agent = basis.start.user_agent;
    return;
  }
  const auto name = given.get<std::string>();
  bool landscape = false;
  const auto* device = find_device(name, &landscape);
  if (device == nullptr) throw ToolError(unknown_device(name));
  next.become(*device, landscape, basis.chromium_major);
}

void take_texts(Emulation& next, const Emulation& start, const Arguments& args) {
  struct Row {
    const char* name;
    std::string Emulation::*member;
  };
  constexpr Row kRows[] = {
      {"userAgent", &Emulation::user_agent},
      {"locale", &Emulation::locale},
      {"timezone", &Emulation::timezone},
      {"colorScheme", &Emulation::color_scheme},
      {"reducedMotion", &Emulation::reduced_motion},
      {"forcedColors", &Emulation::forced_colors},
      {"contrast", &Emulation::contrast},
      {"media", &Emulation::media},
  };
  for (const auto& row : kRows) {
    if (!args.has(row.name)) continue;
    const Json& given = args.at(row.name);
    next.*row.member = given.is_null() ? start.*row.member : given.get<std::string>();
  }
  if (args.has("userAgent") && !args.at("userAgent").is_null()) {
    if (const auto problem = problem_of_user_agent(next.user_agent); !problem.empty())
      throw ToolError("browser_emulate: " + problem + ".");
  }
}

void take_metrics_and_scripts(Emulation& next, const Emulation& start, const Arguments& args) {
  if (args.has("viewport")) {
    const Json& given = args.at("viewport");
    next.viewport = given.is_null() ? start.viewport : ViewSize{given.at("width"), given.at("height")};
    next.screen = given.is_null() ? start.screen : std::nullopt;
  }
  const auto take = [&](const char* name, auto member) {
    using Value = typename std::remove_reference_t<decltype(next.*member)>::value_type;
    if (!args.has(name)) return;
    const Json& given = args.at(name);
    next.*member = given.is_null() ? start.*member : std::optional<Value>(given.get<Value>());
  };
  take("scale", &Emulation::scale);
  take("mobile", &Emulation::mobile);
  take("touch", &Emulation::touch);
  take("javaScript", &Emulation::java_script);
  take("bypassCSP", &Emulation::bypass_csp);
}

}  // namespace

Json emulation_schema() {
  const Json positive = bounded("integer", 1, kLongestSide);
  const Json text{{"type", "string"}};
  Json headers = schema::unlisted(schema::of_type("object", "Sent with every request, to every site"),
                                  {{"additionalProperties", text}});
  Json scale = nullable(schema::of_type("number", nullptr));
  scale["x-unlisted"].update({{"minimum", 0.1}, {"maximum", kMostScale}});
  Json cpu = nullable(schema::of_type("number", "Times slower"));
  cpu["x-unlisted"].update({{"minimum", 1}, {"maximum", kMostSlowdown}});
  Json permissions = nullable(schema::list(text, "Of all sites; no others are granted"));
  return schema::object({{"device", nullable(schema::text("As in Playwright: iPhone 15"))},
                         {"viewport", object("{width, height}", {{"width", positive}, {"height", positive}},
                                             Json::array({"width", "height"}))},
                         {"scale", std::move(scale)},
                         {"mobile", nullable(schema::boolean())},
                         {"touch", nullable(schema::boolean())},
                         {"userAgent", nullable(schema::text())},
                         {"locale", nullable(schema::text())},
                         {"timezone", nullable(schema::text())},
                         {"geolocation", object("{latitude, longitude, accuracy}",
                                                {{"latitude", bounded("number", -90, 90)},
                                                 {"longitude", bounded("number", -180, 180)},
                                                 {"accuracy", bounded("number", 0, 1e7)}},
                                                Json::array({"latitude", "longitude"}))},
                         {"permissions", std::move(permissions)},
                         {"colorScheme", nullable(schema::choice({"light", "dark", "no-preference"}))},
                         {"reducedMotion", nullable(schema::choice({"reduce", "no-preference"}))},
                         {"forcedColors", nullable(schema::choice({"active", "none"}))},
                         {"contrast", nullable(schema::choice({"more", "less", "no-preference"}))},
                         {"media", nullable(schema::choice({"screen", "print"}))},
                         {"cpu", std::move(cpu)},
                         {"network", network_schema()},
                         {"headers", nullable(std::move(headers))},
                         {"credentials", object("{username, password, origin}",
                                                {{"username", text}, {"password", text}, {"origin", text}},
                                                Json::array({"username", "password"}))},
                         {"javaScript", nullable(schema::boolean())},
                         {"bypassCSP", nullable(schema::boolean())},
                         schema::tab()});
}

Emulation emulation_of(const EmulationBasis& basis, const Arguments& args) {
  Emulation next = basis.now;
  if (args.has("device")) take_device(next, basis, args.at("device"));
  take_metrics_and_scripts(next, basis.start, args);
  take_texts(next, basis.start, args);
  if (args.has("geolocation")) {
    const Json& given = args.at("geolocation");
    next.geolocation = given.is_null()
                           ? basis.start.geolocation
                           : Geolocation{given.at("latitude"), given.at("longitude"), given.value("accuracy", 0.0)};
  }
  if (args.has("cpu")) next.cpu = args.at("cpu").is_null() ? basis.start.cpu : args.number("cpu");
  if (args.has("network")) {
    const Json& given = args.at("network");
    next.network = given.is_null() ? basis.start.network : network_of(given);
  }
  if (args.has("headers")) {
    const Json& given = args.at("headers");
    next.headers = given.is_null() ? basis.start.headers : headers_of(given);
  }
  if (args.has("credentials")) {
    const Json& given = args.at("credentials");
    next.credentials = given.is_null() ? basis.start.credentials : credentials_of(given, basis.page_url);
  }
  return next;
}

Emulation start_emulation_of(const std::string& json) {
  static constexpr std::pair<const char*, const char*> kElsewhere[] = {
      {"device", "--device names it"}, {"permissions", "--grant-permissions names them"}, {"tab", "it is every tab's"}};
  Json given = Json::parse(json, nullptr, false);
  for (const auto& [name, instead] : kElsewhere) {
    if (given.contains(name)) throw std::invalid_argument("\"" + std::string(name) + "\" isn't taken: " + instead);
  }
  const auto credentials = given.find("credentials");
  if (credentials != given.end() && credentials->is_object() && !credentials->contains("origin"))
    throw std::invalid_argument("credentials need an origin, which alone is told them");
  const auto plain = [](const std::string& words) {
    static constexpr std::string_view kTool = "browser_emulate: ";
    return words.starts_with(kTool) ? words.substr(kTool.size()) : words;
  };
  const ToolSpec spec{.name = "browser_emulate", .checked_schema = checked_schema(emulation_schema())};
  const auto checked = check_arguments(spec, std::move(given));
  if (!checked.problem.empty()) throw std::invalid_argument(plain(checked.problem));
  try {
    const Emulation nothing;
    return emulation_of({.now = nothing, .start = nothing}, Arguments(checked.values));
  } catch (const ToolError& error) {
    throw std::invalid_argument(plain(error.what()));
  }
}

std::optional<std::vector<std::string>> permissions_of(const Arguments& args) {
  if (args.at("permissions").is_null()) return std::nullopt;
  auto names = args.texts("permissions");
  for (const auto& name : names) {
    if (chromium_permissions(name).empty())
      throw ToolError("browser_emulate: \"" + name.substr(0, 80) + "\" is no permission; there are " +
                      permission_names() + ".");
  }
  return names;
}

}  // namespace bridle
