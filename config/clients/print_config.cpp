#include "config/clients/print_config.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "base/text/text.h"

namespace bridle {
namespace {

using Json = nlohmann::ordered_json;

struct Site {  // what an entry is made of
  std::string url;
  std::string binary;
  std::string authorization;  // empty: none. A placeholder: the token itself is never printed
};

struct Client {
  std::string_view name;
  std::string_view file;
  Json (*config)(const Site& site);  // null: TOML
};

Json with_headers(Json entry, const Site& site) {
  if (!site.authorization.empty()) entry["headers"] = {{"Authorization", site.authorization}};
  return entry;
}

Json under(const char* group, Json entry) { return {{group, {{"bridle", std::move(entry)}}}}; }

Json cursor(const Site& site) { return under("mcpServers", with_headers({{"url", site.url}}, site)); }

constexpr Client kClients[] = {
    {"claude", ".mcp.json in the project (Claude Code)",
     [](const Site& s) {
       return under("mcpServers", with_headers({{"type", "http"}, {"url", s.url}}, s));
     }},
    {"claude-desktop", "claude_desktop_config.json (it starts bridle itself)",
     [](const Site& s) {
       return under("mcpServers", {{"command", s.binary}, {"args", Json::array({"--stdio"})}});
     }},
    {"cursor", "~/.cursor/mcp.json", cursor},
    {"vscode", ".vscode/mcp.json",
     [](const Site& s) {
       return under("servers", with_headers({{"type", "http"}, {"url", s.url}}, s));
     }},
    {"codex", "~/.codex/config.toml", nullptr},
    {"gemini", "~/.gemini/settings.json",
     [](const Site& s) {
       return under("mcpServers", with_headers({{"httpUrl", s.url}}, s));
     }},
    {"windsurf", "~/.codeium/windsurf/mcp_config.json",
     [](const Site& s) {
       return under("mcpServers", with_headers({{"serverUrl", s.url}}, s));
     }},
    {"zed", "Zed's settings.json",
     [](const Site& s) {
       return under("context_servers", with_headers({{"url", s.url}}, s));
     }},
    {"opencode", "opencode.json",
     [](const Site& s) {
       return under("mcp", with_headers({{"type", "remote"}, {"url", s.url}, {"enabled", true}}, s));
     }},
};

std::string toml(const Site& site) {
  std::string out = "[mcp_servers.bridle]\nurl = " + Json(site.url).dump() + "\n";
  if (!site.authorization.empty()) out += "bearer_token_env_var = \"BRIDLE_TOKEN\"\n";
  return out;
}

Site site_of(const Options& options, const std::string& binary) {
  Site site{.url = "http://" + url_host(options.host) + ":" + std::to_string(options.port) + "/mcp",
            .binary = binary,
            .authorization = {}};
  if (!options.token_file.empty()) site.authorization = "Bearer <the token in " + options.token_file + ">";
  return site;
}

[[noreturn]] void throw_unknown(const std::string& name) {
  std::string known;
  for (const Client& client : kClients) known += (known.empty() ? "" : ", ") + std::string(client.name);
  throw std::runtime_error("print-config: unknown client \"" + name + "\"; known: " + known);
}

}  // namespace

std::string url_host(const std::string& host) {
  for (const char* name : {"localhost", "0.0.0.0", "::", "[::]"}) {
    if (equals_ignoring_case(host, name)) return "127.0.0.1";
  }
  return host.find(':') == std::string::npos || host.starts_with('[') ? host : "[" + host + "]";
}

ClientConfig client_config(const Options& options, const std::string& binary) {
  const Site site = site_of(options, binary);
  for (const Client& client : kClients) {
    if (client.name != options.client) continue;
    const std::string text = client.config == nullptr ? toml(site) : client.config(site).dump(2) + "\n";
    return {.text = text, .hint = "Put this into " + std::string(client.file) + ":\n"};
  }
  throw_unknown(options.client);
}

ClientConfig client_entry(const std::string& client, const std::string& binary,
                          const std::vector<std::string>& arguments,
                          const std::map<std::string, std::string>& variables) {
  const auto known =
      std::find_if(std::begin(kClients), std::end(kClients), [&](const Client& one) { return one.name == client; });
  if (known == std::end(kClients)) throw_unknown(client);
  const auto file = std::string(known->file.substr(0, known->file.find(" (it starts")));
  ClientConfig config{.hint = "Put this into " + file + ", in place of the old entry:\n"};
  if (known->config == nullptr) {
    config.text =
        "[mcp_servers.bridle]\ncommand = " + Json(binary).dump() + "\nargs = " + Json(arguments).dump() + "\n";
    if (!variables.empty()) config.text += "\n[mcp_servers.bridle.env]\n";
    for (const auto& [name, value] : variables) config.text += Json(name).dump() + " = " + Json(value).dump() + "\n";
    return config;
  }
  Json entry;
  if (client == "opencode") {
    Json command = Json::array({binary});
    for (const auto& argument : arguments) command.push_back(argument);
    entry = {{"type", "local"}, {"command", command}, {"enabled", true}};
  } else {
    if (client == "claude" || client == "vscode") entry["type"] = "stdio";
    entry["command"] = binary;
    entry["args"] = arguments;
  }
  if (!variables.empty()) entry[client == "opencode" ? "environment" : "env"] = variables;
  const auto group = known->config(Site{}).begin().key();
  config.text = under(group.c_str(), std::move(entry)).dump(2) + "\n";
  return config;
}

std::string connect_help(const Options& options, const std::string& binary) {
  const Site site = site_of(options, binary);
  const bool token = !options.token_file.empty();
  std::string further = " print-config";
  if (options.host != Options{}.host) further += " --host " + options.host;
  if (options.port != Options{}.port) further += " --port " + std::to_string(options.port);
  if (token) further += " --token-file " + options.token_file;
  std::string others;
  for (const Client& client : kClients) {
    if (client.name == "claude" || client.name == "cursor") continue;
    others += (others.empty() ? " " : "|") + std::string(client.name);
  }
  return "Connect a client:\n  Claude Code   claude mcp add --transport http bridle " + site.url +
         (token ? " --header \"Authorization: Bearer $(cat " + options.token_file + ")\"" : "") +
         "\n  Cursor        ~/.cursor/mcp.json: " + cursor(site).dump() + "\n  others        " + binary + further +
         others + "\n";
}

}  // namespace bridle
