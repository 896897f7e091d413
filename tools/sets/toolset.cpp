#include "tools/sets/toolset.h"

#include <algorithm>
#include <string>
#include <vector>

#include "config/tool_sets.h"
#include "tools/contract/arguments.h"
#include "tools/contract/catalogue.h"
#include "tools/contract/response.h"
#include "tools/contract/schema.h"
#include "tools/scope/browser_scope.h"

namespace bridle {
namespace {

bool names(const std::vector<std::string>& sets, const std::string& set) {
  return std::find(sets.begin(), sets.end(), set) != sets.end();
}

constexpr const char* kNoRecording =
    "bridle doesn't record what a person does. browser_export_test (set testing) writes what this session has done as "
    "a "
    "test.";

std::string for_the_user(const std::string& set) {
  return "Only the user can turn the set \"" + set + "\" on: bridle --caps " + set + ".";
}

// For clients that don't fetch the list again: what it would tell of the set, one tool a line.
std::string definitions(const Toolbox& toolbox, const std::string& set) {
  std::string lines;
  for (const auto& spec : toolbox.all()) {
    if (spec.set != set) continue;
    lines +=
        "\n- " + dump({{"name", spec.name}, {"description", spec.description}, {"inputSchema", spec.input_schema}});
  }
  return lines;
}

// What the tool's description says of each set, so that a model knows when to turn it on.
std::string description_of(const BrowserSettings& settings) {
  std::string text = "Turn on further tools for this session.";
  for (const auto& row : kToolSets) {
    if (names(settings.lazy_caps, row.name) || names(settings.caps, row.name))
      text += std::string(" ") + row.name + ": " + row.about + ".";
  }
  return text;
}

constexpr const char* kNoCode =
    "That would run code in the server, which bridle never does. browser_evaluate runs code in the page, browser_batch "
    "several tools in one call.";

}  // namespace

void add_toolset_tool(Toolbox& toolbox, Catalogue& catalogue, const BrowserSettings& settings) {
  catalogue.tools_change = true;
  toolbox.sets = settings.caps;
  toolbox.how_to_list = [&settings](const ToolSpec& spec) {
    const std::string off = spec.name + " belongs to the set \"" + spec.set + "\", which is off. ";
    return off + (names(settings.lazy_caps, spec.set)
                      ? "Turn it on with browser_toolset {\"name\": \"" + spec.set + "\"}."
                      : for_the_user(spec.set));
  };
  toolbox.refused = {
      {"browser_run_code_unsafe", kNoCode},
      {"browser_run_code", kNoCode},
      {"browser_start_recording", kNoRecording},
      {"browser_stop_recording", kNoRecording},
      {"browser_annotate",
       "Nobody can draw onto the page for browser_annotate. ask_user asks the person; bridle panel shows them the "
       "page."},
      {"browser_resume", "browser_resume goes on with a paused test. bridle runs no tests, so none is paused."},
      {"browser_install", "bridle drives the Chromium that is installed: apt install chromium, or --executable-path."}};
  toolbox.add({.name = "browser_toolset",
               .title = "Toolset",
               .description = description_of(settings),
               .input_schema = schema::object({{"name", schema::text(), true}}),
               .idempotent = true,
               .open_world = false,
               .goes_on = true,
               .handler = [&toolbox, &catalogue, &settings](ToolContext& ctx, const Json& values) {
                 const auto set = Arguments(values).text("name");
                 if (!is_tool_set(set))
                   return error_result("There is no set \"" + set + "\": there are " + tool_set_names() + ".");
                 auto& scope = static_cast<BrowserScope&>(*ctx.scope);
                 const bool was_on = scope.has_set(set);
                 if (!was_on && !names(settings.lazy_caps, set)) return error_result(for_the_user(set));
                 if (scope.turn_on_set(set) && catalogue.list_changed) catalogue.list_changed("tools", &scope);
                 return plain_result("The set \"" + set + "\" " + (was_on ? "was on already" : "is on") +
                                     ". Its tools:" + definitions(toolbox, set));
               }});
}

}  // namespace bridle
