#include "config/settings.h"

#include <algorithm>

#include "base/text/closest_name.h"
#include "base/text/text.h"

namespace bridle {
namespace {

std::vector<std::string> split_all(const std::vector<std::string>& values, char separator) {
  std::vector<std::string> out;
  for (const std::string& value : values) {
    for (std::string& part : split(value, separator)) {
      if (const auto bare = trimmed(part, " \t\r"); !bare.empty()) out.emplace_back(bare);
    }
  }
  return out;
}

}  // namespace

const OptionRow* find_option(std::string_view key) {
  const auto& table = option_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const OptionRow& row) { return row.key == key; });
  return found == table.end() ? nullptr : &*found;
}

void set_option(Options& options, const OptionRow& row, const std::vector<std::string>& values,
                const std::string& where) {
  try {
    if (row.kind == OptionRow::Kind::list) return row.set(options, split_all(values, ','));
    if (row.kind == OptionRow::Kind::repeated) return row.set(options, split_all(values, '\n'));
    row.set(options, values);
  } catch (const std::invalid_argument& error) {
    throw OptionError(where + ": " + error.what());
  }
}

void set_foreign(Options& options, const ForeignFlag& flag, const std::string& value, const std::string& where) {
  // Playwright names a channel here, too.
  if (std::string_view(flag.key) == "browser" && is_other_channel(value)) {
    if (options.channel.empty()) options.channel = value;
    return;
  }
  if (std::string_view(flag.key) == "vision") {
    auto& caps = options.caps;
    if (std::find(caps.begin(), caps.end(), "vision") == caps.end()) caps.emplace_back("vision");
    return;
  }
  if (std::string_view(flag.key) == "allow-unrestricted-file-access") {
    options.allow_file_access = true;
    options.allowed_upload_dirs.emplace_back("/");
    return;
  }
  if (const auto problem = problem_of(flag, value, where); !problem.empty()) throw OptionError(problem);
}

std::string or_nearest(const std::string& name, const std::vector<std::string>& known) {
  const auto near = closest_name(name, known);
  return near.empty() ? std::string() : "; did you mean \"" + near + "\"?";
}

}  // namespace bridle
