#include "config/files/config_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/text/codecs.h"
#include "base/text/text.h"
#include "config/browser_args.h"
#include "config/files/dotenv.h"
#include "config/files/ini.h"
#include "config/files/playwright_keys.h"
#include "config/settings.h"

namespace bridle {
namespace {

using Value = nlohmann::json;
using How = PlaywrightKey::How;
using Values = std::vector<std::string>;

// JSON that is no object, such as [1], is no ini file either, though it could be read as one.
bool is_ini(const std::string& text) { return Value::parse(text, nullptr, false, true).is_discarded(); }

Value read_config(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw OptionError("--config: can't read " + path);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (auto content = Value::parse(text, nullptr, false, true); content.is_object() && !path.ends_with(".ini"))
    return content;
  // What isn't JSON is ini, whatever its name: @playwright/mcp takes both under either name.
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool meant_as_json =
      first != std::string::npos ? text[first] == '{' || text[first] == '/' || !is_ini(text) : path.ends_with(".json");
  if (meant_as_json && !path.ends_with(".ini")) throw OptionError("--config: " + path + " holds no JSON object");
  try {
    return parse_ini(text);
  } catch (const std::invalid_argument& error) {
    throw OptionError("--config: " + path + ", " + error.what());
  }
}

std::string text_of(const Value& value, const std::string& where) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean() || value.is_number_integer()) return value.dump();
  throw OptionError(where + ": must be a string, a whole number, true, false, or a list of strings");
}

Values texts_of(const Value& value, const std::string& where) {
  if (!value.is_array()) return {text_of(value, where)};
  Values out;
  for (const auto& item : value) out.push_back(text_of(item, where));
  return out;
}

// Each name with its value, as text; errors don't tell values, which may be secret.
std::vector<std::pair<std::string, std::string>> pairs_of(const Value& value, const std::string& where) {
  if (!value.is_object()) throw OptionError(where + ": must be an object of names with their values");
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [name, one] : value.items()) out.emplace_back(name, text_of(one, where + " \"" + name + "\""));
  return out;
}

// Ini knows texts alone: numbers and true or false among them, at any depth.
Value typed(const Value& value) {
  if (value.is_string()) {
    auto read = Value::parse(value.get<std::string>(), nullptr, false);
    return read.is_number() || read.is_boolean() ? read : value;
  }
  if (!value.is_object()) return value;
  auto out = Value::object();
  for (const auto& [key, inner] : value.items())
    out[key] = key == "username" || key == "password" ? inner : typed(inner);
  return out;
}

bool says_nothing(const Value& value) { return value.is_null() || (value.is_structured() && value.empty()); }

// One file, key by key.
class ConfigFile {
 public:
  ConfigFile(Options& options, const std::string& path)
      : options_(options), path_(path), folder_(std::filesystem::absolute(path).parent_path()) {}

  void apply(const Value& content) {
    for (const auto& [key, value] : content.items()) {
      const OptionRow* row = value.is_object() ? nullptr : find_option(key);
      if (row != nullptr) {
        apply_option(*row, value, where(key));
      } else {
        apply_theirs(key, value);
      }
    }
    apply_proxy();
    if (!emulate_.empty()) apply_named("emulate", emulate_.dump(), path_ + ": \"browser.contextOptions\"");
  }

 private:
  std::string where(const std::string& key) const { return path_ + ": \"" + key + "\""; }

  void apply_option(const OptionRow& row, const Value& value, const std::string& where) {
    if (value.is_null()) return;
    const Values values = texts_of(value, where);
    if (values.empty() && (row.kind == OptionRow::Kind::value || row.kind == OptionRow::Kind::flag))
      throw OptionError(where + ": must not be empty");
    set_option(options_, row, values, where);
  }

  void apply_named(const char* option, const Value& value, const std::string& where) {
    const OptionRow* row = find_option(option);
    if (row == nullptr) throw OptionError(where + " can't be honoured: bridle has no --" + option);
    apply_option(*row, value, where);
  }

  void apply_theirs(const std::string& path, const Value& value) {
    const auto keys = playwright_keys();
    const auto known =
        std::find_if(keys.begin(), keys.end(), [&](const PlaywrightKey& key) { return key.path == path; });
    if (known != keys.end()) {
      if (!says_nothing(value)) apply_known(*known, value, where(path));
      return;
    }
    const bool above = std::any_of(keys.begin(), keys.end(),
                                   [&](const PlaywrightKey& key) { return key.path.starts_with(path + "."); });
    if (!above) refuse(path);
    if (value.is_null()) return;
    if (!value.is_object()) throw OptionError(where(path) + ": must be an object");
    for (const auto& [key, inner] : value.items()) apply_theirs(path + "." + key, inner);
  }

  [[noreturn]] void refuse(const std::string& path) const {
    std::vector<std::string> names;
    if (path.find('.') == std::string::npos) {
      for (const auto& row : option_table()) names.emplace_back(row.key);
    }
    for (const auto& key : playwright_keys()) {
      // "browser" of "browser.isolated" may be meant, too.
      const auto length = std::count(path.begin(), path.end(), '.') + 1;
      std::string name;
      std::string_view rest = key.path;
      for (auto i = length; i > 0 && !rest.empty(); --i) {
        name += (name.empty() ? "" : ".") + std::string(take_until(rest, '.'));
      }
      names.push_back(name);
    }
    throw OptionError(where(path) + " is not an option" + or_nearest(path, names) +
                      (path.find('.') == std::string::npos
                           ? "; keys are the flags' names without dashes in front, or those of @playwright/mcp"
                           : ""));
  }

  void apply_known(const PlaywrightKey& key, const Value& value, const std::string& where) {
    switch (key.how) {
      case How::option:
        return apply_named(key.what, value, where);
      case How::negated:
        if (text_of(value, where) == "false") apply_named(key.what, true, where);
        return;
      case How::when:
        if (text_of(value, where) == key.instead) apply_named(key.what, true, where);
        return;
      case How::proxy:
        proxy_[std::string(key.path.substr(key.path.rfind('.') + 1))] = text_of(value, where);
        return;
      case How::size:
        return apply_size(key, value, where);
      case How::ignored:
        return ignore_switches(value, where);
      case How::video:
        return apply_video(key, value, where);
      case How::headers: {
        Values headers;
        for (const auto& [name, text] : pairs_of(value, where)) headers.push_back(name + ": " + text);
        return apply_named(key.what, headers, where);
      }
      case How::paths: {
        if (value.is_object()) throw OptionError(where + ": must be a file's path");
        Values paths;
        for (const auto& path : texts_of(value, where)) paths.push_back((folder_ / path).string());
        return apply_named(key.what, paths, where);
      }
      case How::emulate:
        return apply_emulate(key, value, where);
      case How::secrets:
        for (const auto& [name, secret] : pairs_of(value, where)) {
          try {
            check_secret(name, secret);
          } catch (const std::invalid_argument& error) {
            throw OptionError(where + " " + error.what());
          }
          options_.secrets[name] = secret;
        }
        return;
      case How::foreign:
        return apply_foreign(key, value, where);
      case How::nothing:
        return;
      case How::only:
        return check_only(key, value, where);
    }
  }

  void apply_size(const PlaywrightKey& key, const Value& value, const std::string& where) {
    if (!value.is_object()) return apply_named(key.what, value, where);
    if (!value.contains("width") || !value.contains("height"))
      throw OptionError(where + ": must have a width and a height");
    apply_named(key.what, text_of(value["width"], where) + "x" + text_of(value["height"], where), where);
  }

  void ignore_switches(const Value& value, const std::string& where) {
    for (const auto& arg : texts_of(value, where)) {
      if (arg == "false") continue;
      if (arg == "true")
        throw OptionError(where +
                          " can't be honoured: bridle's own switches keep its promises; it takes a list of those "
                          "to leave out");
      try {
        ignore_browser_arg(options_, arg);
      } catch (const std::invalid_argument& error) {
        throw OptionError(where + ": " + error.what());
      }
    }
  }

  // Files are written below --output-dir, whatever `dir` says.
  void apply_video(const PlaywrightKey& key, const Value& value, const std::string& where) {
    if (!value.is_object()) throw OptionError(where + ": must be an object with dir and size");
    for (const auto& [name, inner] : value.items()) {
      if (name != "dir" && name != "size")
        throw OptionError(where + ": \"" + name + "\" is not known; dir and size are");
    }
    const auto size = value.find("size");
    if (size == value.end() || says_nothing(*size)) return apply_named(key.what, "viewport", where);
    apply_size(key, *size, where + " size");
  }

  // Whether the values fit is known where they are read (tools/emulation).
  void apply_emulate(const PlaywrightKey& key, const Value& value, const std::string& where) {
    const std::string name = key.what;
    auto given = name == "locale" || name == "timezone" || name == "headers" ? value : typed(value);
    if (name == "credentials" && given.is_object()) given.erase("send");
    if (name == "network") {
      if (!given.is_boolean()) throw OptionError(where + ": must be true or false");
      if (!given.get<bool>()) return;
      given = "offline";
    }
    if (given != "no-override") emulate_[name] = std::move(given);
  }

  void apply_foreign(const PlaywrightKey& key, const Value& value, const std::string& where) {
    const auto flags = foreign_flags();
    const auto flag = std::find_if(flags.begin(), flags.end(),
                                   [&](const ForeignFlag& one) { return std::string_view(one.key) == key.what; });
    const std::string text = value.is_structured() ? std::string() : text_of(value, where);
    if (flag == flags.end() || (!flag->takes_value && text == "false")) return;
    set_foreign(options_, *flag, text, where);
  }

  static void check_only(const PlaywrightKey& key, const Value& value, const std::string& where) {
    const std::string given = value.is_string() ? value.get<std::string>() : value.dump();
    for (const auto& accepted : split(key.what, ',')) {
      if (given == accepted) return;
    }
    throw OptionError(where + " can't be honoured: " + key.instead);
  }

  void apply_proxy() {
    auto server = proxy_["server"];
    if (server.empty()) return;
    if (!proxy_["username"].empty()) {
      const auto scheme_end = server.find("://");
      const auto host = scheme_end == std::string::npos ? 0 : scheme_end + 3;
      server.insert(host, percent_encode(proxy_["username"]) + ":" + percent_encode(proxy_["password"]) + "@");
    }
    apply_named("proxy-server", server, where("proxy"));
  }

  Options& options_;
  const std::string path_;
  const std::filesystem::path folder_;
  std::map<std::string, std::string> proxy_{};
  Value emulate_ = Value::object();
};

}  // namespace

void apply_config_file(Options& options, const std::string& path) {
  ConfigFile(options, path).apply(read_config(path));
}

}  // namespace bridle
