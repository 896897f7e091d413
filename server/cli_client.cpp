#include "server/cli_client.h"

#include <spawn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/spawn.h"
#include "base/text/log.h"
#include "config/clients/print_config.h"
#include "server/http/client.h"
#include "server/mcp/jsonrpc.h"

namespace bridle {
namespace {

constexpr Millis kPatience{10'000};

Json ask(const Options& options, const std::string& method, const std::string& path, const std::string& body) {
  const std::string port = std::to_string(options.port);
  HttpClientRequest request{.method = method, .path = path, .body = body, .headers = {{"Connection", "close"}}};
  if (!options.token_file.empty()) {
    request.headers.emplace_back("Authorization", "Bearer " + read_token_file(options.token_file));
  }
  HttpClientAnswer answer;
  try {
    std::string host = url_host(options.host);
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    answer = http_request(host, options.port, request, kPatience);
  } catch (const HttpClientError& error) {
    throw std::runtime_error(error.unreachable
                                 ? "no server on port " + port + "; name another with --port or BRIDLE_PORT"
                                 : "what listens on port " + port + " gave no HTTP answer (" + error.what() + ")");
  }
  if (answer.status == 401) throw std::runtime_error("the server asks for a token: give --token-file");
  if (answer.status != 200) throw std::runtime_error("the server answered " + std::to_string(answer.status));
  Json value = Json::parse(answer.body, nullptr, false);
  if (!value.is_object()) throw std::runtime_error("port " + port + " is not a bridle server");
  return value;
}

void print_row(const Json& row) {
  const auto text = [&](const char* name) {
    const Json value = row.value(name, Json());
    return loggable(value.is_string() ? value.get<std::string>() : value.is_null() ? "-" : dump(value), 60);
  };
  std::printf("  %-10s id %-8s %-24s tab %-6s %-10s %8s ms  %s%s\n", text("session").c_str(),
              loggable(dump(row.value("id", Json())), 60).c_str(), text("tool").c_str(), text("tab").c_str(),
              text("state").c_str(), text("sinceMs").c_str(), text("reason").c_str(),
              row.value("overdue", false) ? "  OVERDUE" : "");
}

void print_status(const Json& status) {
  const Json server = status.value("server", Json::object());
  std::printf("bridle %s, %s\n", server.value("version", "?").c_str(), server.value("state", "?").c_str());
  for (const char* part : {"requests", "recent"}) {
    const Json rows = status.value(part, Json::array());
    std::printf("%s: %zu\n", part, rows.size());
    for (const Json& row : rows) print_row(row);
  }
  const Json tabs = status.value("tabs", Json::array());
  std::printf("tabs: %zu\n", tabs.size());
  for (const Json& tab : tabs) {
    std::printf("  %s  %s\n", tab.value("id", "").c_str(), loggable(tab.value("url", "")).c_str());
  }
  std::printf("counters:\n");
  const Json counters = status.value("counters", Json::object());
  for (const auto& [name, value] : counters.items()) {
    std::printf("  %-28s %s\n", name.c_str(), dump(value).c_str());
  }
}

// An id as typed: a number is one, unless quoted; anything else is a string.
Json typed_id(const std::string& text) {
  const Json value = Json::parse(text, nullptr, false);
  return value.is_number_integer() || value.is_string() ? value : Json(text);
}

// Opens the link in the person's browser, and leaves that alone: it may run for as long as the browser does. Who sees
// the link in the list of processes can't use it, as it is good for this user alone.
void open_in_browser(const std::string& url) {
  const char* const display = std::getenv("DISPLAY");
  const char* const wayland = std::getenv("WAYLAND_DISPLAY");
  if ((display == nullptr || *display == '\0') && (wayland == nullptr || *wayland == '\0')) return;
  const auto program = find_program("xdg-open");
  if (program.empty()) return;
  std::vector<std::string> words{program, url};
  auto argv = exec_pointers(words);
  SpawnSetup setup;
  setup.set_apart(STDERR_FILENO + 1);
  pid_t pid = 0;
  ::posix_spawn(&pid, program.c_str(), &setup.actions, &setup.attributes, argv.data(), environ);
}

template <typename Work>
int guarded(Work work) {
  try {
    return work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bridle: %s\n", error.what());
    return 1;
  }
}

}  // namespace

int run_status(const Options& options) {
  return guarded([&] {
    print_status(ask(options, "GET", "/status", ""));
    return 0;
  });
}

int run_panel(const Options& options) {
  return guarded([&] {
    const auto url = ask(options, "POST", "/panel/link", "").value("url", "");
    if (url.empty()) throw std::runtime_error("the server has no panel");
    std::printf("%s\n", url.c_str());
    std::fflush(stdout);
    std::fprintf(
        stderr,
        "The link lets one browser in, once, within five minutes. From another machine: ssh -L %d:127.0.0.1:%d "
        "HOST, and open it there.\n",
        options.port, options.port);
    if (!options.no_open) open_in_browser(url);
    return 0;
  });
}

int run_stop(const Options& options) {
  return guarded([&] {
    Json body = Json::object();
    if (!options.stop_id.empty()) body["request"] = typed_id(options.stop_id);
    Json report = ask(options, "POST", "/stop", dump(body));
    if (!report.value("wasCancelled", false) && body.contains("request") && body["request"].is_number()) {
      report = ask(options, "POST", "/stop", dump({{"request", options.stop_id}}));
    }
    std::printf("wasCancelled: %s\ntimedOut: %s\n", report.value("wasCancelled", false) ? "true" : "false",
                report.value("timedOut", false) ? "true" : "false");
    for (const Json& row : report.value("requests", Json::array())) print_row(row);
    return options.stop_id.empty() || report.value("wasCancelled", false) ? 0 : 1;
  });
}

}  // namespace bridle
