#pragma once

#include <string>
#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

// Reads the arguments of one call as the schema check left them (schema_check.h): names, types and bounds hold, and
// defaults are filled in. What may be left out and has no default reads as its type's empty value: "", false, 0, no
// items. The values are not owned, and must outlive the reader.
class Arguments {
 public:
  explicit Arguments(const Json& values) : values_(values) {}

  bool has(const char* name) const { return values_.contains(name); }
  std::string text(const char* name) const { return read<std::string>(name); }
  bool flag(const char* name) const { return read<bool>(name); }
  long integer(const char* name) const { return read<long>(name); }
  double number(const char* name) const { return read<double>(name); }
  std::vector<std::string> texts(const char* name) const { return read<std::vector<std::string>>(name); }
  // A text that not all actions of a tool need; `choice` is the argument that chose one. Throws ToolError without it,
  // and where it is empty unless it may be.
  enum class Empty { refused, allowed };
  std::string needed(const char* name, const char* tool, const char* choice, Empty empty = Empty::refused) const {
    if (!has(name) || (empty == Empty::refused && text(name).empty()))
      throw ToolError(std::string(tool) + ": " + choice + " " + text(choice) + " needs " + name + ".");
    return text(name);
  }
  // A list of objects.
  std::vector<Arguments> objects(const char* name) const {
    std::vector<Arguments> all;
    for (const Json& one : at(name)) all.emplace_back(one);
    return all;
  }
  // As it is, null when it was left out.
  const Json& at(const char* name) const {
    static const Json kNone;
    const auto found = values_.find(name);
    return found == values_.end() ? kNone : *found;
  }

 private:
  template <typename T>
  T read(const char* name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? T() : found->template get<T>();
  }

  const Json& values_;
};

}  // namespace bridle
