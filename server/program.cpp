#include "server/program.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/temp_folder.h"
#include "base/text/text.h"
#include "browser/chromium/process.h"
#include "browser/storage/storage_state.h"
#include "config/files/effective_config.h"
#include "config/network/origin_rules.h"
#include "tools/devtools/video/encoder.h"
#include "tools/emulation/emulation_arguments.h"
#include "tools/files/downloads/download_staging.h"
#include "tools/files/file_system.h"
#include "tools/files/upload_copies.h"
#include "tools/resources/page_resources.h"
#include "tools/scope/action_record.h"
#include "tools/testing/test_script.h"

namespace bridle {
namespace {

// Null without any.
std::shared_ptr<const std::vector<std::string>> read_scripts(const std::vector<std::string>& files) {
  if (files.empty()) return nullptr;
  std::vector<std::string> scripts;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("--init-script: can't read " + file);
    scripts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return std::make_shared<const std::vector<std::string>>(std::move(scripts));
}

// A client that starts bridle over stdio gives it its working folder, usually that of a project. One that holds the
// person's home, as desktop programs have it, says nothing of what they work on.
std::string working_folder_of_client() {
  std::error_code error;
  const auto folder = std::filesystem::current_path(error);
  if (error || folder == folder.root_path()) return {};
  const char* home = std::getenv("HOME");
  const auto real_home = std::filesystem::weakly_canonical(home != nullptr ? home : "", error);
  return !error && is_below(real_home, folder) ? "" : folder.string();
}

BrowserSettings browser_settings(const Options& options, std::function<std::vector<int>()> own_ports) {
  BrowserSettings settings;
  settings.launch.executable = options.executable_path;
  settings.launch.channel = options.channel;
  settings.launch.args = options.browser_args;
  settings.launch.ignored_args = options.ignored_browser_args;
  settings.launch.shared_context = options.shared_browser_context;
  settings.launch.cdp_headers = options.cdp_headers;
  settings.launch.cdp_timeout = options.cdp_timeout;
  settings.launch.idle = browser_idle(options);
  settings.launch.headless = options.headless;
  settings.launch.no_sandbox = options.no_sandbox;
  settings.browser_per_session = options.browser_per_session;
  if (options.viewport_width > 0) settings.launch.width = options.viewport_width;
  if (options.viewport_height > 0) settings.launch.height = options.viewport_height;
  settings.launch.cdp_endpoint = options.cdp_endpoint;
  settings.launch.user_data_dir = options.user_data_dir;
  settings.launch.origins = OriginRules(options.allowed_origins, options.blocked_origins);
  settings.launch.block_private_networks = options.block_private_networks;
  if (!options.proxy_server.empty()) settings.launch.proxy = ProxyServer::parse(options.proxy_server);
  settings.launch.proxy_bypass = ProxyBypass(options.proxy_bypass);
  settings.launch.own_ports = own_ports;
  settings.policy.own_ports = std::move(own_ports);
  settings.policy.origins = settings.launch.origins;
  settings.policy.allow_file_access = options.allow_file_access;
  settings.launch.ignore_https_errors = options.ignore_https_errors;
  settings.launch.device = options.device;
  settings.launch.permissions = options.grant_permissions;
  settings.launch.block_service_workers = options.block_service_workers;
  settings.launch.init_scripts = read_scripts(options.init_scripts);
  settings.config = effective_config(options);
  Emulation emulation;
  try {
    if (!options.emulate.empty()) emulation = start_emulation_of(options.emulate);
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(std::string("--emulate: ") + error.what());
  }
  if (!options.user_agent.empty()) emulation.user_agent = options.user_agent;
  if (options.viewport_width > 0 && !options.device.empty())
    emulation.viewport = ViewSize{options.viewport_width, options.viewport_height};
  if (emulation != Emulation{}) settings.launch.emulation = std::make_shared<const Emulation>(std::move(emulation));
  settings.files = std::make_shared<OutputFolder>(
      options.output_dir, options.allowed_upload_dirs,
      OutputLimits{
          .download = options.max_download, .session = options.output_max_session, .whole = options.output_max_size});
  if (options.stdio) settings.working_folder = working_folder_of_client();
  settings.caps = options.caps;
  settings.lazy_caps = options.lazy_caps;
  settings.confirm = options.confirm;
  settings.secret_places = options.secret_places;
  const auto& asked = options.confirm;
  settings.launch.holds_forms = std::find(asked.begin(), asked.end(), "submit") != asked.end();
  if (!options.storage_state.empty()) {
    try {
      settings.storage_state = std::make_shared<const StorageState>(read_storage_state(options.storage_state));
    } catch (const StorageStateError& error) {
      throw std::runtime_error("--storage-state " + options.storage_state + ": " + error.what());
    }
  }
  settings.test_id = options.test_id_attribute;
  settings.max_output = options.max_output;
  settings.image_responses = options.image_responses;
  settings.snapshot_mode = options.snapshot_mode;
  settings.snapshot_boxes = options.snapshot_boxes;
  settings.console_level = options.console_level;
  settings.save_session = options.save_session;
  if (options.save_video) {
    settings.save_video = ViewSize{options.video_width, options.video_height};
    try {
      VideoEncoder::program();
    } catch (const ToolError& error) {
      throw std::runtime_error(std::string("--save-video: ") + error.what());
    }
  }
  settings.action_timeout = options.timeout_action;
  settings.navigation_timeout = options.timeout_navigation;
  settings.isolated_idle = options.session_idle_timeout;
  return settings;
}

// Removes what bridles that were killed have left; off the start's path, as a large profile takes a while.
void sweep_profiles() {
  TempFolder::sweep(kUploadsPrefix);
  TempFolder::sweep(kDownloadsPrefix);
  if (const int swept = ProfileDir::sweep(); swept > 0) {
    spdlog::info("removed {} profile folder{} that a killed bridle had left", swept, swept == 1 ? "" : "s");
  }
}

agent::AgentSettings agent_settings(const Options& options) {
  agent::AgentSettings settings;
  const auto& given = options.agent;
  settings.api =
      given.model_api == "anthropic" ? agent::AgentSettings::Api::anthropic : agent::AgentSettings::Api::openai;
  settings.model = {.url = given.model_url,
                    .model = given.model,
                    .key = read_model_key(given, std::getenv("BRIDLE_MODEL_KEY")),
                    .pictures = given.model_pictures || given.model_api == "anthropic",
                    .connect = given.model_connect_timeout,
                    .first_byte = given.model_first_byte_timeout,
                    .idle = given.model_idle_timeout};
  settings.limits.max_time = given.max_run_time;
  settings.limits.max_tokens = given.max_run_tokens;
  for (const auto& [name, value] : options.secrets) {
    const auto place = options.secret_places.find(name);
    settings.secrets.push_back("{{" + name + "}}");
    if (place != options.secret_places.end())
      settings.secrets.back() += fmt::format(" (on {} alone)", fmt::join(place->second.listed, ", "));
  }
  settings.runs_folder = runs_folder(options);
  return settings;
}

ServerOptions server_options(const Options& options, ResultStore& results) {
  ServerOptions server;
  server.http.host = options.host;
  server.http.port = options.port;
  server.sessions.idle = options.session_idle_timeout;
  server.results = &results;
  server.hold_limit = options.hold_limit;
  server.allowed_hosts = options.allowed_hosts;
  if (!options.token_file.empty()) server.token = read_token_file(options.token_file);
  const bool loopback = options.host == "localhost" || options.host == "::1" || options.host == "[::1]" ||
                        options.host.starts_with("127.");
  if (!options.stdio && !loopback && server.token.empty()) {
    spdlog::warn("listening on {} without --token-file: only this user's processes on this machine will be served",
                 options.host);
  }
  return server;
}

}  // namespace

RunAsTest run_as_test(const std::string& history, const std::string& test_id) {
  std::vector<RecordedAction> actions;
  std::string url;
  std::string_view rest = history;
  while (!rest.empty()) {
    const Json line = parse_json(take_until(rest, '\n'));
    if (!line.is_object()) continue;
    if (const auto begins = string_in(line, "url"); !begins.empty()) url = begins;
    const auto made = line.find("actions");
    if (made == line.end() || !made->is_array()) continue;
    for (const Json& action : *made) {
      const auto noted = action.find("noted");
      if (noted == action.end() || !noted->is_array()) continue;
      for (const Json& one : *noted) actions.push_back(recorded_action(one));
    }
  }
  // Where the run began is no action of its model's.
  if (!url.empty()) {
    RecordedAction opened{.tool = "browser_navigate", .args = {{"url", url}}};
    if (!actions.empty()) opened.tab = actions.front().tab;
    actions.insert(actions.begin(), std::move(opened));
  }
  auto script = test_script(actions, test_id);
  return {.text = std::move(script.text), .left_out = std::move(script.left_out)};
}

std::filesystem::path runs_folder(const Options& options) { return OutputFolder(options.output_dir).path() / "runs"; }

Program::Program(const Options& options, const Extension& extension)
    : agent_(agent_settings(options)),
      browser_(
          browser_settings(options,
                           [this] { return own_port_ == 0 ? std::vector<int>() : std::vector<int>{own_port_.load()}; }),
          background_) {
  if (!options.cdp_endpoint.empty() && !(options.allowed_origins.empty() && options.blocked_origins.empty())) {
    spdlog::warn(
        "the browser at --cdp-endpoint runs already and can't be given a proxy: the lists hold for what its pages "
        "fetch, but they are no boundary for WebSockets, prefetches and WebRTC");
  }
  if (extension.browser_tools) {
    browser_.add_to(toolbox_, catalogue_);
    agent::add_agent(toolbox_, catalogue_, agent_);
    add_page_resources(catalogue_, toolbox_);
    browser_.add_to(catalogue_);
    add_page_prompts(catalogue_);
    add_result_resources(catalogue_, results_);
  }
  if (extension.add) extension.add(toolbox_, catalogue_, [this](ToolContext& ctx) { return browser_.hold_tab(ctx); });
  server_ = std::make_unique<Server>(server_options(options, results_), toolbox_, catalogue_, background_);
}

void Program::sweep() { background_.threads.submit(sweep_profiles); }

void Program::end_browsers() {
  browser_.shutdown();
  background_.threads.join();
}

}  // namespace bridle
