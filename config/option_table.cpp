#include "config/option_table.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/text/text.h"
#include "config/browser_args.h"
#include "config/channels.h"
#include "config/devices.h"
#include "config/option_values.h"
#include "config/permissions.h"
#include "config/tool_sets.h"

namespace bridle {
namespace {

using Values = std::vector<std::string>;
using Kind = OptionRow::Kind;

// `1280x720`, also with a comma and with blanks around either number. Each side from `low` to `high`.
std::pair<int, int> to_size(const std::string& text, int low, int high) {
  const auto split = text.find_first_of("x,");
  if (split == std::string::npos) throw std::invalid_argument("\"" + text + "\" is not WIDTHxHEIGHT, such as 1280x720");
  const auto side = [&](const std::string& number) {
    return static_cast<int>(option_number(std::string(trimmed(number)), low, high));
  };
  return {side(text.substr(0, split)), side(text.substr(split + 1))};
}

void set_viewport(Options& options, const Values& values) {
  std::tie(options.viewport_width, options.viewport_height) = to_size(values.back(), 1, 10'000);
}

void set_save_video(Options& options, const Values& values) {
  options.save_video = true;
  options.video_width = options.video_height = 0;
  if (values.back() != "viewport")
    std::tie(options.video_width, options.video_height) = to_size(values.back(), kLeastVideoSide, kMostVideoSide);
}

void set_confirm(Options& options, const Values& values) {
  options.confirm.clear();
  for (const auto& value : values) {
    if (value != "upload" && value != "download" && value != "submit")
      throw std::invalid_argument("\"" + value + "\" is not one of upload, download, submit");
    options.confirm.push_back(value);
  }
}

void set_device(Options& options, const Values& values) {
  bool landscape = false;
  if (find_device(values.back(), &landscape) == nullptr) throw std::invalid_argument(unknown_device(values.back()));
  options.device = values.back();
}

void set_user_agent(Options& options, const Values& values) {
  if (const auto problem = problem_of_user_agent(option_text(values)); !problem.empty())
    throw std::invalid_argument(problem);
  options.user_agent = values.back();
}

void set_emulate(Options& options, const Values& values) {
  const auto given = nlohmann::json::parse(values.back(), nullptr, false);
  if (!given.is_object()) throw std::invalid_argument("must be a JSON object such as {\"locale\": \"de-DE\"}");
  options.emulate = given.empty() ? "" : values.back();
}

void set_permissions(Options& options, const Values& values) {
  for (const auto& value : values) {
    if (chromium_permissions(value).empty())
      throw std::invalid_argument("\"" + value + "\" is not a permission; there are " + permission_names());
  }
  options.grant_permissions = values;
}

void set_init_scripts(Options& options, const Values& values) {
  for (const auto& value : values) {
    if (!std::ifstream(value)) throw std::invalid_argument("there is no file " + value);
  }
  options.init_scripts = values;
}

// Names of sets: each once, `all` stands for all, `core` is always there. @playwright/mcp had a set `tracing` before
// its `devtools`, and still takes that name.
Values to_sets(const Values& values) {
  Values sets;
  const auto add = [&](const std::string& name) {
    if (std::find(sets.begin(), sets.end(), name) == sets.end()) sets.push_back(name);
  };
  for (const auto& value : values) {
    if (value == "all") {
      for (const auto& row : kToolSets) add(row.name);
    } else if (is_tool_set(value)) {
      add(value);
    } else if (value == "tracing") {
      add("devtools");
    } else if (value != "core" && !value.starts_with("core-")) {
      throw std::invalid_argument("\"" + value + "\" is not a set of tools; there are " + tool_set_names() +
                                  ", and all");
    }
  }
  return sets;
}

void set_lazy_caps(Options& options, const Values& values) {
  options.lazy_caps = values == Values{"none"} ? Values() : to_sets(values);
}

void set_test_id(Options& options, const Values& values) {
  const auto& name = values.back();
  const bool letters = !name.empty() && name.find_first_not_of("-_.abcdefghijklmnopqrstuvwxyz0123456789") == name.npos;
  if (!letters || (name.front() < 'a' || name.front() > 'z'))
    throw std::invalid_argument("\"" + name + "\" is no name of an attribute, such as data-testid");
  options.test_id_attribute = name;
}

// One of some words.
template <std::string Options::*member>
void word(Options& options, const Values& values, std::initializer_list<std::string_view> known) {
  if (std::find(known.begin(), known.end(), values.back()) == known.end()) {
    std::string all;
    for (const auto one : known) all += (all.empty() ? "" : ", ") + std::string(one);
    throw std::invalid_argument("\"" + values.back() + "\" is not one of " + all);
  }
  options.*member = values.back();
}

void set_channel(Options& options, const Values& values) {
  if (find_channel(values.back()) == nullptr)
    throw std::invalid_argument("\"" + values.back() + "\" is not one of " + channel_names());
  options.channel = values.back();
}

void set_browser_args(Options& options, const Values& values) {
  options.browser_args.clear();
  for (const auto& value : values) add_browser_arg(options, value);
}

void set_cdp_headers(Options& options, const Values& values) {
  options.cdp_headers.clear();
  for (const auto& value : values) options.cdp_headers.push_back(checked_cdp_header(value));
}

void set_cdp_timeout(Options& options, const Values& values) {
  options.cdp_timeout = Millis(option_number(values.back(), 1, limits::kCdpConnectMax.count()));
}

// What is wrong with NAME or NAME:PORT as a Host header has it, or "" [wire.allowed-hosts].
std::string problem_of_host(const std::string& host) {
  if (host.find('*') != std::string::npos) return "there are no wildcards; name each host";
  if (host.find("://") != std::string::npos) return "leave the scheme out";
  const bool brackets = host.starts_with('[');
  const auto name_end = brackets ? host.find(']') : std::min(host.find(':'), host.size());
  if (name_end == std::string::npos) return "the bracket isn't closed";
  const auto end = brackets ? name_end + 1 : name_end;
  const std::string name = host.substr(0, end);
  const std::string rest = host.substr(end);
  const std::string_view letters =
      brackets ? "[]:.0123456789abcdefABCDEF" : "-._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (name.empty() || name.find_first_not_of(letters) != std::string::npos) {
    return "a host is letters, digits, dots and dashes";
  }
  if (rest.empty()) return {};
  try {
    option_number(rest.substr(1), 1, 65535);
  } catch (const std::invalid_argument&) {
    return "the port must be a number from 1 to 65535";
  }
  return rest.front() == ':' ? "" : "a host is letters, digits, dots and dashes";
}

// An IPv6 address without its brackets: CLI11 takes those around a whole value for a list's.
bool is_bare_ipv6(const std::string& host) {
  return host.find_first_not_of(":.0123456789abcdefABCDEF") == std::string::npos &&
         std::count(host.begin(), host.end(), ':') > 1;
}

void set_allowed_hosts(Options& options, const Values& values) {
  Values hosts;
  for (const std::string& value : values) {
    const std::string host = is_bare_ipv6(value) ? "[" + value + "]" : value;
    if (const auto problem = problem_of_host(host); !problem.empty()) {
      throw std::invalid_argument("\"" + host +
                                  "\" is not NAME or NAME:PORT, such as bridle.example or 192.0.2.7:8437: " + problem);
    }
    hosts.push_back(host);
  }
  options.allowed_hosts = std::move(hosts);
}

template <bool Options::*member>
void flag(Options& options, const Values& values) {
  options.*member = option_flag(values.back());
}
template <std::string Options::*member>
void text(Options& options, const Values& values) {
  options.*member = option_text(values);
}
template <std::vector<std::string> Options::*member>
void list(Options& options, const Values& values) {
  options.*member = values;
}
template <std::uintmax_t Options::*member>
void bytes(Options& options, const Values& values) {
  options.*member = option_bytes(values.back());
}
template <Millis Options::*member>
void millis(Options& options, const Values& values) {
  options.*member = option_millis(values);
}

std::vector<OptionRow> with_agent_rows(std::vector<OptionRow> rows) {
  const auto& more = agent_option_rows();
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

}  // namespace

std::vector<std::string> lazy_sets() {
  std::vector<std::string> names;
  for (const auto& row : kToolSets) {
    if (row.lazy) names.emplace_back(row.name);
  }
  return names;
}

const std::vector<OptionRow>& option_table() {
  static const std::string kCapsHelp = "sets of tools that are listed from the start: " + tool_set_names() + "; all";
  static const std::string kLazyHelp =
      "sets that a client may turn on with browser_toolset (default " + tool_set_names(true) + "); none: none";
  static const std::string kChannelHelp = "the browser to launch, where it is installed: " + channel_names();
  static const std::vector<OptionRow> kTable = with_agent_rows({
      {"port", Kind::value, "TCP port; 0 picks one (default 8437)",
       [](Options& o, const Values& v) { o.port = static_cast<int>(option_number(v.back(), 0, 65535)); }},
      {"host", Kind::value, "address to listen on (default: 127.0.0.1 and ::1)", text<&Options::host>},
      {"stdio", Kind::flag, "serve one client on stdin and stdout instead of HTTP", flag<&Options::stdio>},
      {"headless", Kind::flag, "run the browser without a window (default)", flag<&Options::headless>},
      {"headed", Kind::flag, "show the browser's window",
       [](Options& o, const Values& v) { o.headless = !option_flag(v.back()); }},
      {"executable-path", Kind::value, "the Chromium to launch", text<&Options::executable_path>},
      {"channel", Kind::value, kChannelHelp.c_str(), set_channel},
      {"browser-arg", Kind::repeated, "a further switch of the browser, such as --browser-arg=--lang=de; repeatable",
       set_browser_args},
      {"cdp-endpoint", Kind::value, "attach to a running browser at this URL", text<&Options::cdp_endpoint>},
      {"cdp-header", Kind::repeated, "header to send to --cdp-endpoint, such as \"X-Key: abc\"; repeatable",
       set_cdp_headers},
      {"cdp-timeout", Kind::value, "ms to wait for the connection to --cdp-endpoint (default 5000)", set_cdp_timeout},
      {"user-data-dir", Kind::value, "keep the browser's profile in this folder", text<&Options::user_data_dir>},
      {"storage-state", Kind::value, "file with the cookies and storage that each new session begins with",
       text<&Options::storage_state>},
      {"isolated", Kind::flag, "keep no profile at all", flag<&Options::isolated>},
      {"no-sandbox", Kind::flag, "launch the browser without its sandbox", flag<&Options::no_sandbox>},
      {"browser-per-session", Kind::flag, "give each session a browser of its own",
       flag<&Options::browser_per_session>},
      {"shared-browser-context", Kind::flag, "let all sessions share one set of cookies and storage, which isn't kept",
       flag<&Options::shared_browser_context>},
      {"viewport-size", Kind::value, "size of new tabs in CSS pixels, such as 1280x720", set_viewport},
      {"timeout-action", Kind::value, "ms that an action waits for its target (default 5000)",
       millis<&Options::timeout_action>},
      {"timeout-navigation", Kind::value, "ms that a navigation may take (default 5000)",
       millis<&Options::timeout_navigation>},
      {"test-id-attribute", Kind::value, "attribute by which tests name elements (default data-testid)", set_test_id},
      {"caps", Kind::list, kCapsHelp.c_str(), [](Options& o, const Values& v) { o.caps = to_sets(v); }},
      {"lazy-caps", Kind::list, kLazyHelp.c_str(), set_lazy_caps},
      {"allowed-origins", Kind::list, "the only origins that the browser may visit", list<&Options::allowed_origins>},
      {"blocked-origins", Kind::list, "origins that the browser must not visit", list<&Options::blocked_origins>},
      {"block-private-networks", Kind::flag,
       "keep the browser from this machine, private networks and cloud metadata, whatever a name resolves to",
       flag<&Options::block_private_networks>},
      {"proxy-server", Kind::value,
       "proxy of the browser, such as http://HOST:3128 or socks5://USER:PASSWORD@HOST:1080",
       text<&Options::proxy_server>},
      {"proxy-bypass", Kind::list, "hosts that the browser reaches without --proxy-server, such as .example.com",
       list<&Options::proxy_bypass>},
      {"allowed-hosts", Kind::list, "further Host headers that clients may send, NAME or NAME:PORT", set_allowed_hosts},
      {"allowed-upload-dirs", Kind::list,
       "folders that every session may upload files from, besides its own in --output-dir",
       list<&Options::allowed_upload_dirs>},
      {"confirm", Kind::list, "ask the user before the first upload, download, submit to an origin not named before",
       set_confirm},
      {"allow-file-access", Kind::flag, "let the browser open file: URLs", flag<&Options::allow_file_access>},
      {"ignore-https-errors", Kind::flag, "let the browser open pages whose certificate is not valid",
       flag<&Options::ignore_https_errors>},
      {"device", Kind::value, "device that every tab emulates, such as \"iPhone 15\"", set_device},
      {"mobile", Kind::flag, "the same with a phone of no particular kind (Pixel 10)", flag<&Options::mobile>},
      {"user-agent", Kind::value, "user agent of every tab", set_user_agent},
      {"emulate", Kind::value, "what every tab emulates, as browser_emulate takes it: '{\"locale\": \"de-DE\"}'",
       set_emulate},
      {"grant-permissions", Kind::list, "permissions of all sites, such as geolocation,clipboard-read",
       set_permissions},
      {"init-script", Kind::list, "JavaScript files that run in every document before its own scripts",
       set_init_scripts},
      {"block-service-workers", Kind::flag, "let no page register a service worker",
       flag<&Options::block_service_workers>},
      {"output-dir", Kind::value, "folder for the files that tools write (default ~/.cache/bridle/output)",
       text<&Options::output_dir>},
      {"max-download", Kind::value, "size of one download, such as 500M (default 256M); 0: none",
       bytes<&Options::max_download>},
      {"output-max-session", Kind::value, "size of all files of one session (default 1G)",
       bytes<&Options::output_max_session>},
      {"output-max-size", Kind::value, "size of all of --output-dir (default 5G)", bytes<&Options::output_max_size>},
      {"save-session", Kind::flag,
       "keep each session's calls, results, pictures and consoles in its folder of --output-dir",
       flag<&Options::save_session>},
      {"save-video", Kind::value, "make a video of every tab, of this size, such as 800x600, or viewport",
       set_save_video},
      {"image-responses", Kind::value,
       "allow, omit, or only: a result with a picture is the picture alone (default allow)",
       [](Options& o, const Values& v) {
         word<&Options::image_responses>(o, v, {"allow", "omit", "only"});
       }},
      {"snapshot-mode", Kind::value,
       "what an action's result shows of the page: full, delta (what changed; default) or none",
       [](Options& o, const Values& v) {
         word<&Options::snapshot_mode>(o, v, {"full", "delta", "none"});
       }},
      {"snapshot-boxes", Kind::flag, "give each element's box in snapshots", flag<&Options::snapshot_boxes>},
      {"console-level", Kind::value, "least level that browser_console_messages returns by itself (default info)",
       [](Options& o, const Values& v) {
         word<&Options::console_level>(o, v, {"error", "warning", "info", "debug"});
       }},
      {"secrets", Kind::value, "file of NAME=VALUE lines, whose values are typed by name and never told",
       text<&Options::secrets_file>},
      {"max-output", Kind::value, "characters of one result's text (default 25000)",
       [](Options& o, const Values& v) {
         o.max_output = static_cast<std::size_t>(option_number(v.back(), 1000, 100'000'000));
       }},
      {"token-file", Kind::value, "file with the bearer token that clients must send", text<&Options::token_file>},
      {"hold-limit", Kind::value,
       "ms that an agent's calls wait for a person who has taken over at the panel (default 600000)",
       millis<&Options::hold_limit>},
      {"session-idle-timeout", Kind::value, "ms after which an unused session, or isolated tab, ends (default 1800000)",
       millis<&Options::session_idle_timeout>},
      {"idle-timeout", Kind::value,
       "ms without a call after which the browser is ended (default 3600000 for one that has no window); 0: never",
       [](Options& o, const Values& v) { o.idle_timeout = Millis(option_number(v.back(), 0, 24LL * 3600 * 1000)); }},
      {"log-level", Kind::value, "trace, debug, info, warn, error or off (default info)",
       [](Options& o, const Values& v) {
         word<&Options::log_level>(o, v, {"trace", "debug", "info", "warn", "error", "off"});
       }},
  });
  return kTable;
}

}  // namespace bridle
