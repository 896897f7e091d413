#include "config/clients/translate_config.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/text/text.h"
#include "config/files/toml.h"

namespace bridle {
namespace {

using Value = nlohmann::json;

struct Entry {
  std::vector<std::string> flags{};
  std::map<std::string, std::string> variables{};
};

[[noreturn]] void fail(const std::string& words) { throw std::runtime_error("print-config: " + words); }

bool names_the_peer(const std::string& text) {
  return text.find("playwright/mcp") != std::string::npos || text.find("playwright-mcp") != std::string::npos ||
         text.find("mcp-server-playwright") != std::string::npos;
}

void append(std::vector<std::string>& to, const Value& value) {
  if (value.is_string()) to.push_back(value.get<std::string>());
  if (!value.is_array()) return;
  for (const auto& item : value) append(to, item);
}

// What an object starts, where it is an entry that starts the peer: command and args (most clients), a list as command
// (opencode), an object as command (Zed).
std::optional<Entry> entry_in(const Value& object) {
  std::vector<std::string> words;
  for (const char* key : {"command", "path", "args"}) {
    if (object.contains(key)) append(words, object[key]);
  }
  const auto named = std::find_if(words.begin(), words.end(), names_the_peer);
  if (named == words.end()) return std::nullopt;
  Entry entry{.flags = {named + 1, words.end()}};
  for (const char* key : {"env", "environment"}) {
    if (!object.contains(key) || !object[key].is_object()) continue;
    for (const auto& [name, value] : object[key].items()) {
      entry.variables[name] = value.is_string() ? value.get<std::string>() : value.dump();
    }
  }
  return entry;
}

std::optional<Entry> find_entry(const Value& json) {
  if (!json.is_structured()) return std::nullopt;
  if (json.is_object()) {
    if (auto entry = entry_in(json)) return entry;
  }
  for (const auto& item : json) {
    if (auto entry = find_entry(item)) return entry;
  }
  return std::nullopt;
}

Value read_client_config(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("can't read " + path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool toml = path.ends_with(".toml") || (first != std::string::npos && text[first] != '{' && text[first] != '/');
  try {
    if (toml) return parse_toml(text);
  } catch (const std::invalid_argument& error) {
    fail(path + ": " + error.what());
  }
  auto json = Value::parse(text, nullptr, false, true);
  if (json.is_discarded()) fail(path + " is neither JSON nor TOML");
  return json;
}

// The options as bridle itself would take them at its start; fails where it would not start.
void check_entry(const Entry& entry, const std::string& path) {
  std::vector<const char*> argv{"bridle"};
  for (const auto& flag : entry.flags) argv.push_back(flag.c_str());
  const auto parsed = parse_options(static_cast<int>(argv.size()), argv.data(), [&](const char* name) -> const char* {
    const auto found = entry.variables.find(name);
    return found == entry.variables.end() ? nullptr : found->second.c_str();
  });
  if (!parsed.options) fail("the entry in " + path + " can't be taken over as it is: " + parsed.words);
}

}  // namespace

ClientConfig translated_config(const Options& options, const std::string& binary) {
  auto entry = find_entry(read_client_config(options.from));
  if (!entry) fail(options.from + " has no entry that starts @playwright/mcp");
  if (std::find(entry->flags.begin(), entry->flags.end(), "--stdio") == entry->flags.end())
    entry->flags.insert(entry->flags.begin(), "--stdio");
  check_entry(*entry, options.from);
  auto config = client_entry(options.client, binary, entry->flags, entry->variables);
  if (std::find(entry->flags.begin(), entry->flags.end(), "--headless") == entry->flags.end())
    config.hint = "bridle shows no window unless it is started with --headed. " + config.hint;
  return config;
}

}  // namespace bridle
