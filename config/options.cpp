#include "config/options.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "base/fd.h"
#include "base/text/text.h"
#include "config/foreign_flags.h"
#include "config/option_table.h"
#include "config/origin_rules.h"
#include "config/proxy_settings.h"

namespace bridle {
namespace {

using Values = std::vector<std::string>;
using Raw = std::map<std::string, Values>;  // by key
using Kind = OptionRow::Kind;

// A mistake of the person who starts us: words for stderr, exit code 2.
class OptionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

constexpr const char* kOurs = "BRIDLE_";
constexpr const char* kTheirs = "PLAYWRIGHT_MCP_";  // understood too, so that an entry of a client's works as it stands

std::string environment_name(std::string name, std::string_view key) {
  for (const char c : key) name += c == '-' ? '_' : upper(c);
  return name;
}

Values split_all(const Values& values) {
  Values out;
  for (const std::string& value : values) {
    for (std::string& part : split(value, ',')) out.push_back(std::move(part));
  }
  return out;
}

void apply(Options& options, const OptionRow& row, const Values& values, const std::string& where) {
  try {
    row.set(options, row.kind == Kind::list ? split_all(values) : values);
  } catch (const std::invalid_argument& error) {
    throw OptionError(where + ": " + error.what());
  }
}

const OptionRow* find_row(std::string_view key) {
  const auto& table = option_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const OptionRow& row) { return row.key == key; });
  return found == table.end() ? nullptr : &*found;
}

Values values_in_file(const nlohmann::json& value, const std::string& where) {
  const auto one = [&](const nlohmann::json& item) -> std::string {
    if (item.is_string()) return item.get<std::string>();
    if (item.is_boolean() || item.is_number_integer()) return item.dump();
    throw OptionError(where + ": must be a string, a whole number, true, false, or a list of strings");
  };
  if (!value.is_array()) return {one(value)};
  Values out;
  for (const auto& item : value) out.push_back(one(item));
  return out;
}

void apply_file(Options& options, const std::string& path) {
  std::ifstream file(path);
  if (!file) throw OptionError("--config: can't read " + path);
  const auto content = nlohmann::json::parse(file, nullptr, false, true);
  if (!content.is_object()) throw OptionError("--config: " + path + " holds no JSON object");
  for (const auto& [key, value] : content.items()) {
    const std::string where = path + ": \"" + key + "\"";
    const OptionRow* row = find_row(key);
    if (row == nullptr)
      throw OptionError(where + " is not an option; keys are the flags' names without dashes in front");
    const Values values = values_in_file(value, where);
    if (values.empty() && row->kind != Kind::list) throw OptionError(where + ": must not be empty");
    apply(options, *row, values, where);
  }
}

void apply_foreign(const ForeignFlag& flag, const std::string& value, const std::string& where) {
  if (const auto problem = problem_of(flag, value, where); !problem.empty()) throw OptionError(problem);
}

// Whether a variable turns a flag off.
bool is_off(const ForeignFlag& flag, std::string_view value) {
  return !flag.takes_value && (value.empty() || value == "0" || value == "false");
}

void apply_environment(Options& options, const Environment& environment) {
  for (const char* prefix : {kTheirs, kOurs}) {
    for (const OptionRow& row : option_table()) {
      const std::string name = environment_name(prefix, row.key);
      if (const char* value = environment(name.c_str())) apply(options, row, {value}, name);
    }
  }
  for (const ForeignFlag& flag : foreign_flags()) {
    const std::string name = environment_name(kTheirs, flag.key);
    const char* value = environment(name.c_str());
    if (value == nullptr) continue;
    if (!is_off(flag, value)) {
      apply_foreign(flag, value, name);
    } else if (flag.off != nullptr) {
      throw OptionError(name + " can't be turned off so: " + flag.off);
    }
  }
  const std::string config = environment_name(kTheirs, "config");
  if (environment(config.c_str()) != nullptr)
    throw OptionError(config + " can't be honoured: bridle has a file of its own, --config, whose keys are its flags");
}

struct CommandLine {
  Raw raw{};
  std::vector<std::pair<const ForeignFlag*, std::string>> foreign{};
  std::string config{};
  Options::Command command = Options::Command::serve;
  std::string stop_id{};
  std::string client{};
};

void add_options(CLI::App& app, CommandLine& line) {
  for (const OptionRow& row : option_table()) {
    const std::string flag = std::string("--") + row.key;
    if (row.kind == Kind::flag) {
      app.add_flag_callback(
          flag, [&line, key = row.key] { line.raw[key] = {"true"}; }, row.help);
      continue;
    }
    const bool list = row.kind == Kind::list;
    app.add_option_function<Values>(
           flag, [&line, key = row.key](const Values& values) { line.raw[key] = values; }, row.help)
        ->expected(1)
        ->multi_option_policy(list ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::TakeLast)
        ->type_name(list ? "LIST" : "VALUE");
  }
  for (const ForeignFlag& flag : foreign_flags()) {
    const std::string name = std::string("--") + flag.key;
    CLI::Option* added =
        flag.takes_value
            ? app.add_option_function<std::string>(
                  name, [&line, &flag](const std::string& value) { line.foreign.emplace_back(&flag, value); })
            : app.add_flag_callback(name, [&line, &flag] { line.foreign.emplace_back(&flag, ""); });
    added->group("");  // not in --help: they do nothing here
  }
  app.add_option("--config", line.config, "JSON file with these options as keys")->type_name("FILE");
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
  command("doctor", "print what protects this installation, and what doesn't", Options::Command::doctor);
  command("print-config", "print the configuration for an MCP client", Options::Command::print_config)
      ->add_option("CLIENT", line.client, "claude, cursor, vscode, codex, gemini, ...")
      ->required();
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

Options combine(const CommandLine& line, const Environment& environment) {
  Options options;
  options.command = line.command;
  options.stop_id = line.stop_id;
  options.client = line.client;
  std::string config = line.config;
  if (const char* named = environment("BRIDLE_CONFIG"); config.empty() && named != nullptr) config = named;
  if (!config.empty()) apply_file(options, config);
  apply_environment(options, environment);
  for (const auto& [key, values] : line.raw) apply(options, *find_row(key), values, "--" + key);
  for (const auto& [flag, value] : line.foreign) apply_foreign(*flag, value, std::string("--") + flag->key);
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
  return options;
}

constexpr std::size_t kShortestToken = 16;

// Who can write the token can drive the browser. So nobody else may own the file, write it, or put another file or link
// in its place.
void check_writers(const std::string& path, int file) {
  const auto refuse = [&path](const std::string& why) {
    throw std::runtime_error("--token-file: " + path + " " + why);
  };
  const auto is_ours = [](const struct stat& one) { return one.st_uid == ::geteuid() || one.st_uid == 0; };
  struct stat content {};
  struct stat link {};
  if (::fstat(file, &content) != 0 || ::lstat(path.c_str(), &link) != 0) refuse("can't be read");
  if (!is_ours(content) || !is_ours(link)) {
    refuse("belongs to another user, who could change the token; make it yours with chown");
  }
  if ((content.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    refuse("can be written by others, who could change the token; forbid it with chmod go-w");
  }
  std::error_code ignored;
  for (auto folder = std::filesystem::weakly_canonical(path, ignored).parent_path(); !folder.empty();
       folder = folder.parent_path()) {
    struct stat place {};
    const bool open_to_all = ::stat(folder.c_str(), &place) == 0 && (place.st_mode & S_IWOTH) != 0;
    if (open_to_all && (place.st_mode & S_ISVTX) == 0) {
      refuse("can be replaced by others, as everybody may write into " + folder.string() + "; put it elsewhere");
    }
    if (folder == folder.root_path()) break;
  }
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
  try {
    app.parse(argc, argv);
    return {.options = combine(line, environment)};
  } catch (const CLI::CallForHelp&) {
    return {.words = app.help()};
  } catch (const CLI::CallForVersion&) {
    return {.words = app.version() + "\n"};
  } catch (const CLI::ParseError& error) {
    return {.exit_code = 2, .words = std::string("bridle: ") + error.what() + "; see bridle --help\n"};
  } catch (const OptionError& error) {
    return {.exit_code = 2, .words = std::string("bridle: ") + error.what() + "\n"};
  }
}

std::string read_token_file(const std::string& path) {
  // Opened first, so that what is looked at is what is read.
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) throw std::runtime_error("--token-file: can't read " + path);
  check_writers(path, file.get());
  std::array<char, 4096> bytes;
  const auto size = ::read(file.get(), bytes.data(), bytes.size());
  const std::string_view text(bytes.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
  const std::string token(trimmed(text.substr(0, text.find('\n')), " \t\r"));
  if (token.empty()) throw std::runtime_error("--token-file: " + path + " holds no token in its first line");
  const std::string remedy = "; make one with: openssl rand -hex 32";
  if (token.size() < kShortestToken) {
    throw std::runtime_error("--token-file: the token in " + path + " is too easy to guess, as it has less than " +
                             std::to_string(kShortestToken) + " characters" + remedy);
  }
  if (std::any_of(token.begin(), token.end(), [](char c) { return c <= ' ' || c > '~'; })) {
    throw std::runtime_error("--token-file: the token in " + path +
                             " has a blank or another character that no Authorization header can carry" + remedy);
  }
  return token;
}

}  // namespace bridle
