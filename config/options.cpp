#include "config/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "base/text/text.h"
#include "config/devices.h"
#include "config/files/config_file.h"
#include "config/network/origin_rules.h"
#include "config/network/proxy_settings.h"
#include "config/settings.h"

namespace bridle {
namespace {

using Values = std::vector<std::string>;
using Raw = std::map<std::string, Values>;  // by key
using Kind = OptionRow::Kind;

constexpr const char* kOurs = "BRIDLE_";
constexpr const char* kTheirs = "PLAYWRIGHT_MCP_";  // understood too, so that an entry of a client's works as it stands

std::string environment_name(std::string name, std::string_view key) {
  for (const char c : key) name += c == '-' ? '_' : upper(c);
  return name;
}

// Whether a variable turns a flag off.
bool is_off(const ForeignFlag& flag, std::string_view value) {
  return !flag.takes_value && (value.empty() || value == "0" || value == "false");
}

// @playwright/mcp names some variables otherwise than its flags.
std::string their_name(std::string_view key) {
  if (key == "secrets") return "PLAYWRIGHT_MCP_SECRETS_FILE";
  if (key == "cdp-header") return "PLAYWRIGHT_MCP_CDP_HEADERS";
  if (key == "remote-header") return "PLAYWRIGHT_MCP_REMOTE_HEADERS";
  return environment_name(kTheirs, key);
}

// What one of their variables sets by turning off a flag that bridle has the other way round.
void apply_turned_off(Options& options, const Environment& environment) {
  for (const ForeignFlag& flag : foreign_flags()) {
    if (flag.off == nullptr) continue;
    const std::string name = their_name(flag.key);
    const char* value = environment(name.c_str());
    if (value == nullptr || *value == '\0' || !is_off(flag, value)) continue;
    for (const OptionRow& row : option_table()) {
      if (std::string_view(row.key) == flag.off) set_option(options, row, {"true"}, name);
    }
  }
}

void apply_environment(Options& options, const Environment& environment) {
  for (const OptionRow& row : option_table()) {
    const std::string theirs = their_name(row.key);
    const char* value = environment(theirs.c_str());
    if (value != nullptr && *value != '\0') set_option(options, row, {value}, theirs);
  }
  apply_turned_off(options, environment);
  for (const OptionRow& row : option_table()) {
    const std::string ours = environment_name(kOurs, row.key);
    if (const char* value = environment(ours.c_str())) set_option(options, row, {value}, ours);
  }
  for (const ForeignFlag& flag : foreign_flags()) {
    const std::string name = their_name(flag.key);
    const char* value = environment(name.c_str());
    if (value == nullptr || *value == '\0') continue;
    if (!is_off(flag, value)) set_foreign(options, flag, value, name);
  }
}

struct CommandLine {
  Raw raw{};
  std::vector<std::pair<const ForeignFlag*, std::string>> foreign{};
  std::string config{};
  Options::Command command = Options::Command::serve;
  std::string stop_id{};
  bool no_open = false;
  std::string client{};
  std::string from{};
  AgentOptions agent{};  // what the commands say; the flags go through raw
  std::string runs_what{};
};

void add_options(CLI::App& app, CommandLine& line) {
  for (const OptionRow& row : option_table()) {
    const std::string flag = std::string("--") + row.key;
    if (row.kind == Kind::flag) {
      app.add_flag_callback(
          flag, [&line, key = row.key] { line.raw[key] = {"true"}; }, row.help);
      continue;
    }
    const bool list = row.kind != Kind::value;
    app.add_option_function<Values>(
           flag, [&line, key = row.key](const Values& values) { line.raw[key] = values; }, row.help)
        ->expected(1)
        ->multi_option_policy(list ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::TakeLast)
        ->type_name(row.kind == Kind::list ? "LIST" : "VALUE");
  }
  for (const ForeignFlag& flag : foreign_flags()) {
    const std::string name = std::string("--") + flag.key;
    CLI::Option* added =
        flag.takes_value
            ? app.add_option_function<std::string>(
                     name, [&line, &flag](const std::string& value) { line.foreign.emplace_back(&flag, value); })
                  ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
            : app.add_flag_callback(name, [&line, &flag] { line.foreign.emplace_back(&flag, ""); });
    added->group("");  // not in --help: they do nothing here
  }
  app.add_option("--config", line.config, "JSON or ini file with these options as keys, or one of @playwright/mcp")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->type_name("FILE");
}

void add_run_commands(CLI::App& app, CommandLine& line) {
  auto* task = app.add_subcommand("do", "work on a task with a model, until it is done, fails or is stopped");
  task->fallthrough();
  task->callback([&line] { line.command = Options::Command::run_task; });
  task->add_option("TASK", line.agent.task, "what to do, in words")->required();
  task->add_option("--max-steps", line.agent.max_steps, "steps that it may take (default 40)")
      ->check(CLI::Range(1, 500));
  task->add_flag("--json", line.agent.json, "print one JSON object at the end, and nothing else");
  task->add_option("--url", line.agent.server_url, "of a running bridle, which then works on it");
  auto* runs = app.add_subcommand("runs", "list the runs so far, or show one: runs show ID");
  runs->fallthrough();
  runs->callback([&line] { line.command = Options::Command::runs; });
  runs->add_option("WHAT", line.runs_what, "show")->check(CLI::IsMember({"show"}));
  runs->add_option("ID", line.agent.run_id, "a run's id, as the list has it");
  runs->add_flag("--playwright", line.agent.playwright, "show it as a test of @playwright/test");
}

void add_commands(CLI::App& app, CommandLine& line) {
  app.fallthrough();
  app.require_subcommand(0, 1);
  const auto command = [&](const char* name, const char* help, Options::Command which) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->fallthrough();
    sub->callback([&line, which] { line.command = which; });
    return sub;
  };
  command("serve", "serve MCP (the default)", Options::Command::serve);
  command("status", "show what a running server does", Options::Command::status);
  command("stop", "stop one request of a running server, or all", Options::Command::stop)
      ->add_option("ID", line.stop_id, "the request's id, as status shows it");
  command("panel",
          "open a running server's control panel: print a link that lets one browser in, and open it. From another "
          "machine: ssh -L 8437:127.0.0.1:8437 HOST, run bridle panel there, and open the link here",
          Options::Command::panel)
      ->add_flag("--no-open", line.no_open, "print the link and open nothing");
  command("doctor", "print what protects this installation, and what doesn't", Options::Command::doctor);
  command("print-config", "print the configuration for an MCP client", Options::Command::print_config)
      ->add_option("CLIENT", line.client, "claude, cursor, vscode, codex, gemini, ...")
      ->required();
  app.get_subcommand("print-config")
      ->add_option("--from", line.from, "the client's configuration that has an entry of @playwright/mcp")
      ->type_name("FILE");
  add_run_commands(app, line);
}

void check_proxy(const Options& options) {
  if (!options.cdp_endpoint.empty() && options.block_private_networks) {
    throw OptionError(
        "--cdp-endpoint and --block-private-networks exclude each other: a browser that runs can't be kept from a "
        "network");
  }
  if (options.proxy_server.empty()) {
    if (!options.proxy_bypass.empty()) throw OptionError("--proxy-bypass needs --proxy-server");
    return;
  }
  if (!options.cdp_endpoint.empty()) {
    throw OptionError("--cdp-endpoint and --proxy-server exclude each other: a browser that runs has its proxy");
  }
  try {
    ProxyServer::parse(options.proxy_server);
  } catch (const std::invalid_argument& error) {
    throw OptionError(std::string("--proxy-server: ") + error.what());
  }
}

void check_browser(const Options& options) {
  if (!options.channel.empty() && !options.executable_path.empty())
    throw OptionError("--channel and --executable-path exclude each other: each names the browser to launch");
  if (options.cdp_endpoint.empty()) {
    if (!options.cdp_headers.empty()) throw OptionError("--cdp-header needs --cdp-endpoint");
  } else if (!options.channel.empty() || !options.browser_args.empty()) {
    throw OptionError("--cdp-endpoint excludes --channel and --browser-arg: a browser that runs was started already");
  }
  if (options.shared_browser_context && (options.isolated || options.browser_per_session)) {
    throw OptionError(
        "--shared-browser-context excludes --isolated and --browser-per-session: all sessions share its cookies");
  }
  const bool through_proxy =
      !options.allowed_origins.empty() || !options.blocked_origins.empty() || options.block_private_networks;
  for (const auto& arg : options.browser_args) {
    if (arg == "--no-proxy-server" && (through_proxy || !options.proxy_server.empty()))
      throw OptionError("--browser-arg " + arg +
                        " can't be honoured: origin lists, --block-private-networks and --proxy-server need a proxy");
  }
}

// `options` has what was set before a mistake, too.
void combine(Options& options, const CommandLine& line, const Environment& environment) {
  options.command = line.command;
  options.stop_id = line.stop_id;
  options.no_open = line.no_open;
  options.client = line.client;
  options.from = line.from;
  options.agent = line.agent;
  std::string config = line.config;
  for (const char* name : {"BRIDLE_CONFIG", "PLAYWRIGHT_MCP_CONFIG"}) {
    if (const char* named = environment(name); config.empty() && named != nullptr) config = named;
  }
  if (!config.empty()) apply_config_file(options, config);
  apply_environment(options, environment);
  for (const auto& [key, values] : line.raw) set_option(options, *find_option(key), values, "--" + key);
  for (const auto& [flag, value] : line.foreign) set_foreign(options, *flag, value, std::string("--") + flag->key);
  if (line.raw.contains("headless") && line.raw.contains("headed")) {
    throw OptionError("--headless and --headed exclude each other");
  }
  if (options.isolated && !options.user_data_dir.empty()) {
    throw OptionError("--isolated and --user-data-dir exclude each other");
  }
  if (!options.cdp_endpoint.empty() && !options.user_data_dir.empty()) {
    throw OptionError("--cdp-endpoint and --user-data-dir exclude each other: a browser that runs has its profile");
  }
  check_proxy(options);
  if (options.mobile && !options.device.empty()) throw OptionError("--mobile and --device exclude each other");
  if (options.mobile) options.device = kMobileDevice;
  if (!options.device.empty() && !options.cdp_endpoint.empty()) {
    throw OptionError(
        "--device and --mobile exclude --cdp-endpoint: a window that somebody looks at keeps its size; browser_emulate "
        "changes a tab");
  }
  check_browser(options);
  const bool types = options.command == Options::Command::serve || options.command == Options::Command::run_task;
  if (!options.secrets_file.empty() && types) {
    try {
      for (auto& [name, value] : read_secrets_file(options.secrets_file, options.secret_places))
        options.secrets[name] = value;
    } catch (const std::runtime_error& error) {
      throw OptionError(error.what());
    }
  }
  const bool shared = options.shared_browser_context || !options.user_data_dir.empty() || !options.cdp_endpoint.empty();
  if (!options.storage_state.empty() && shared) {
    throw OptionError(
        "--storage-state needs sessions with a storage of their own: leave --user-data-dir, --cdp-endpoint and "
        "--shared-browser-context out");
  }
  if (const auto problem = problem_of(options.agent); !problem.empty()) throw OptionError(problem);
  if (options.agent.playwright && options.agent.run_id.empty())
    throw OptionError("--playwright needs a run: bridle runs show ID --playwright");
  if (!line.runs_what.empty() && options.agent.run_id.empty()) throw OptionError("runs show needs the ID of a run");
  if (options.browser_per_session && (!options.user_data_dir.empty() || !options.cdp_endpoint.empty())) {
    throw OptionError(
        "--browser-per-session excludes --user-data-dir and --cdp-endpoint: a profile, or a browser that runs, serves "
        "all "
        "sessions");
  }
  try {
    const OriginRules checked(options.allowed_origins, options.blocked_origins);
  } catch (const std::invalid_argument& error) {
    throw OptionError(std::string("--allowed-origins, --blocked-origins: ") + error.what());
  }
}

// Whether a client waits at stdin for what becomes of the start.
bool wants_stdio(const Options& options, int argc, const char* const* argv, const Environment& environment) {
  const char* variable = environment("BRIDLE_STDIO");
  return options.stdio || (variable != nullptr && std::string_view(variable) != "0" && *variable != '\0') ||
         std::any_of(argv, argv + argc, [](const char* argument) { return std::string_view(argument) == "--stdio"; });
}

}  // namespace

ParsedOptions parse_options(int argc, const char* const* argv, const Environment& environment) {
  CommandLine line;
  CLI::App app("bridle: an MCP server that drives a real Chromium", "bridle");
  app.set_version_flag("--version", std::string("bridle ") + BRIDLE_VERSION);
  app.footer(
      "Each option is also an environment variable (--log-level: BRIDLE_LOG_LEVEL) and a key of the file.\n"
      "Precedence: flag, environment, file, default.");
  add_options(app, line);
  add_commands(app, line);
  Options options;
  const auto mistake = [&](const std::string& words) {
    return ParsedOptions{
        .exit_code = 2, .stdio = wants_stdio(options, argc, argv, environment), .words = "bridle: " + words + "\n"};
  };
  try {
    app.parse(argc, argv);
    combine(options, line, environment);
    return {.options = std::move(options)};
  } catch (const CLI::CallForHelp&) {
    return {.words = app.help()};
  } catch (const CLI::CallForVersion&) {
    return {.words = app.version() + "\n"};
  } catch (const CLI::ParseError& error) {
    return mistake(std::string(error.what()) + "; see bridle --help");
  } catch (const OptionError& error) {
    return mistake(error.what());
  }
}

std::optional<Millis> browser_idle(const Options& options) {
  if (options.idle_timeout) return options.idle_timeout->count() > 0 ? options.idle_timeout : std::nullopt;
  const bool ours_unseen = options.headless && options.cdp_endpoint.empty();
  return ours_unseen ? std::optional(limits::kBrowserIdle) : std::nullopt;
}

}  // namespace bridle
