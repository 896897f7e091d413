#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/concurrency/deadline.h"
#include "base/limits.h"
#include "config/agent_options.h"
#include "config/network/secret_places.h"

namespace bridle {

// The sets that a client may turn on by itself unless told otherwise.
std::vector<std::string> lazy_sets();

// Values that are typed by name and never told, by name.
using Secrets = std::map<std::string, std::string>;

// What the command line, the environment (BRIDLE_*) and a JSON file can say [tool.cli]. A flag wins
// over the environment, that over the file, that over the defaults here. A value type.
struct Options {
  enum class Command { serve, status, stop, panel, print_config, doctor, run_task, runs };
  Command command = Command::serve;
  std::string stop_id{};  // stop: which request; empty: all
  bool no_open = false;   // panel: print the link alone
  std::string client{};   // print-config: for which client
  std::string from{};     // print-config: the client's configuration that has an entry of @playwright/mcp

  int port = 8437;                 // 0 picks one
  std::string host = "localhost";  // the loopback of both families
  bool stdio = false;
  bool headless = true;
  std::string executable_path{};
  std::string channel{};                    // see channels(); excludes executable_path
  std::vector<std::string> browser_args{};  // further switches of the browser, see add_browser_arg()
  std::string cdp_endpoint{};
  std::vector<std::string> cdp_headers{};  // "Name: value"; may hold a credential, so they are never printed
  Millis cdp_timeout = limits::kCdpConnect;
  std::string user_data_dir{};
  bool isolated = false;
  bool no_sandbox = false;
  bool browser_per_session = false;
  bool shared_browser_context = false;
  int viewport_width = 0;  // 0: the browser's default
  int viewport_height = 0;
  Millis timeout_action = limits::kActionTimeout;
  Millis timeout_navigation = limits::kNavigationTimeout;
  std::vector<std::string> ignored_browser_args{};   // switches of bridle's own that the browser is started without
  std::vector<std::string> caps{};                   // sets of tools that are listed from the start; see kToolSets
  std::vector<std::string> lazy_caps = lazy_sets();  // those that a client may turn on by itself
  std::vector<std::string> allowed_origins{};        // what the browser may visit
  std::vector<std::string> blocked_origins{};
  bool block_private_networks = false;
  std::string proxy_server{};  // of the browser; may hold a credential, so it is never printed
  std::vector<std::string> proxy_bypass{};
  std::vector<std::string> allowed_hosts{};  // further Host headers that clients may send
  std::vector<std::string> allowed_upload_dirs{};
  std::vector<std::string> confirm{};  // of upload, download, submit: what the person is asked about
  bool allow_file_access = false;
  bool ignore_https_errors = false;
  std::string storage_state{};  // a file that new sessions begin with
  std::string test_id_attribute = "data-testid";
  std::string device{};  // what every tab emulates; see find_device()
  bool mobile = false;   // the same with kMobileDevice
  std::string user_agent{};
  std::string emulate{};  // what every tab emulates: arguments of browser_emulate, as JSON
  std::vector<std::string> grant_permissions{};
  std::vector<std::string> init_scripts{};  // files
  bool block_service_workers = false;
  std::string output_dir{};
  std::uintmax_t max_download = limits::kDownload;             // bytes
  std::uintmax_t output_max_session = limits::kSessionOutput;  // bytes
  std::uintmax_t output_max_size = limits::kOutput;            // bytes
  std::size_t max_output = limits::kMaxOutput;
  std::string token_file{};
  std::string log_level = "info";
  Millis hold_limit = limits::kHold;  // how long calls wait for a person who has taken over
  Millis session_idle_timeout = limits::kSessionIdle;
  std::optional<Millis> idle_timeout{};  // of the browser; 0: never. Not given: see browser_idle()
  std::string image_responses = "allow";
  std::string snapshot_mode = "delta";
  bool snapshot_boxes = false;
  std::string console_level = "info";
  bool save_session = false;
  bool save_video = false;  // of every tab
  int video_width = 0;      // px; 0: as large as the viewport
  int video_height = 0;
  std::string secrets_file{};
  SecretPlaces secret_places{};
  Secrets secrets{};  // of that file, or of a configuration file of @playwright/mcp
  AgentOptions agent{};
};

// What a video's side may be, px.
inline constexpr int kLeastVideoSide = 16;
inline constexpr int kMostVideoSide = 4096;

// What became of parsing: options, or words and the exit code to leave with (0 for --help and --version, 2 for errors).
struct ParsedOptions {
  std::optional<Options> options{};
  int exit_code = 0;
  bool stdio = false;   // whether --stdio was asked for, as far as that can be told
  std::string words{};  // for stdout when exit_code is 0, else for stderr
};
// `environment`: getenv, or a test's stand-in.
using Environment = std::function<const char*(const char*)>;
ParsedOptions parse_options(int argc, const char* const* argv, const Environment& environment);

// How long the browser may be unused before it is ended; nullopt: for ever. One that is seen, or isn't ours, only ends
// when that was asked for.
std::optional<Millis> browser_idle(const Options& options);

// The bearer token in `path`: its first line, trimmed [wire.token.file]. Throws std::runtime_error with a sentence when
// the file is missing, holds none that is hard to guess, or can be written by others.
std::string read_token_file(const std::string& path);

// The secrets in the dotenv file `path`, which must be as safe as a token file [tool.secrets.file]. Throws
// std::runtime_error; its words hold no value. `places`: see parse_dotenv().
Secrets read_secrets_file(const std::string& path, SecretPlaces& places);

}  // namespace bridle
