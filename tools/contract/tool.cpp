#include "tools/contract/tool.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/text/text.h"
#include "tools/contract/schema_check.h"

namespace bridle {

namespace {

// What a schema says of its mirrored arguments (x-mcp-header), or "" [wire.headers.mirrored]: only strings, integers
// and booleans, reached through properties alone, by names that are tokens and differ whatever their case. `names` are
// the names so far. `reachable` is false within a part of the schema that not every call has in one place.
std::string mirror_mistake(const Json& schema, std::set<std::string>& names, bool reachable) {
  if (!schema.is_structured()) return {};
  if (const auto header = schema.is_object() ? schema.find("x-mcp-header") : schema.end();
      schema.is_object() && header != schema.end()) {
    if (!reachable) return "an argument that is mirrored in a header must be reached through properties alone";
    if (!header->is_string() || !is_token(header->get<std::string>())) return "x-mcp-header must be a token";
    const auto type = schema.value("type", Json());
    if (type != "string" && type != "integer" && type != "boolean")
      return "only strings, integers and booleans are mirrored in headers";
    const auto name = lower(header->get_ref<const std::string&>());
    if (!names.insert(name).second) return "two arguments are mirrored in the header " + name;
  }
  for (const auto& [key, member] : schema.items()) {
    if (schema.is_object() && key == "properties" && member.is_object()) {
      for (const auto& [name, property] : member.items()) {
        if (auto mistake = mirror_mistake(property, names, reachable); !mistake.empty()) return mistake;
      }
    } else if (auto mistake = mirror_mistake(member, names, false); !mistake.empty()) {
      return mistake;
    }
  }
  return {};
}

}  // namespace

bool ToolScope::knows_tab(const std::string& id) const {
  const Json open = tabs();
  return std::any_of(open.begin(), open.end(), [&](const Json& tab) { return tab.value("id", "") == id; });
}

std::vector<std::shared_ptr<const ToolSpec>> ToolScope::own_tools() const { return {}; }

bool ToolSpec::acts(const Json& arguments) const {
  if (read_only || goes_on) return false;
  const auto action = string_in(arguments, "action");
  return std::find(reading_actions.begin(), reading_actions.end(), action) == reading_actions.end();
}

void ToolContext::wait_for_person() {
  if (!acts || !scope) return;
  const auto begun = Clock::now();
  CallContext waiting = call;
  waiting.deadline = Deadline::none();  // the hold has its own limit
  scope->hold().wait(waiting, [&](bool waits) {
    if (observer != nullptr) observer->on_held(waits);
    if (!waits) call.deadline = call.deadline.later(Clock::now() - begun);
  });
}

void Toolbox::add(ToolSpec spec) {
  if (find(spec.name) != nullptr) throw std::logic_error("Toolbox: two tools named " + spec.name);
  std::set<std::string> mirrored;
  if (const auto mistake = mirror_mistake(spec.input_schema, mirrored, true); !mistake.empty())
    throw std::logic_error("Toolbox: " + spec.name + ": " + mistake);
  spec.checked_schema = checked_schema(spec.input_schema);
  spec.input_schema = listed_schema(spec.input_schema);
  specs_.push_back(std::move(spec));
}

void Toolbox::add(ToolAlias alias) {
  if (resolve(alias.name) != nullptr) throw std::logic_error("Toolbox: two tools named " + alias.name);
  if (find(alias.tool) == nullptr) throw std::logic_error("Toolbox: " + alias.name + " stands for no tool");
  aliases_.push_back(std::move(alias));
}

const ToolSpec* Toolbox::resolve(std::string_view name, Json* arguments) const {
  const auto alias =
      std::find_if(aliases_.begin(), aliases_.end(), [&](const ToolAlias& one) { return one.name == name; });
  if (alias == aliases_.end()) return find(name);
  if (arguments != nullptr && arguments->is_object()) {
    for (const auto& [theirs, ours] : alias->renamed) {
      const auto given = arguments->find(theirs);
      if (given == arguments->end()) continue;
      Json value = std::move(*given);
      arguments->erase(given);
      if (!ours.empty()) (*arguments)[ours] = std::move(value);
    }
    arguments->update(alias->fixed);
  }
  return find(alias->tool);
}

bool Toolbox::lists(const ToolSpec& spec, const ToolScope* scope) const {
  if (spec.set.empty()) return true;
  if (scope != nullptr) return scope->has_set(spec.set);
  return std::find(sets.begin(), sets.end(), spec.set) != sets.end();
}

const ToolSpec* Toolbox::find(std::string_view name) const {
  const auto found =
      std::find_if(specs_.begin(), specs_.end(), [&](const ToolSpec& spec) { return spec.name == name; });
  return found == specs_.end() ? nullptr : &*found;
}

}  // namespace bridle
