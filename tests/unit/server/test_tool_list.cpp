// tools/list is read by every model in every session: it stays small [tool.list].

#include <algorithm>

#include "config/options.h"
#include "config/tool_sets.h"
#include "server/mcp/revision.h"
#include "server/mcp/serializer.h"
#include "tests/support/catch.h"
#include "tools/browser_tools.h"

using namespace bridle;

namespace {

// The tools of every set, as a server has them.
struct AllTools {
  AllTools() { tools.add_to(toolbox, catalogue); }
  static BrowserSettings with_lazy_sets() {
    BrowserSettings settings;
    settings.lazy_caps = lazy_sets();
    return settings;
  }
  Background background;
  BrowserTools tools{with_lazy_sets(), background};
  Toolbox toolbox;
  Catalogue catalogue;
};

}  // namespace

TEST_CASE("while a person has taken over, whatever doesn't only read waits, but for what doesn't touch the browser",
          "[panel.take-over] [panel.take-over.reads]") {
  AllTools all;
  Toolbox& toolbox = all.toolbox;
  std::vector<std::string> goes_on;
  std::vector<std::string> reads_by_action;
  for (const auto& spec : toolbox.all()) {
    INFO(spec.name);
    CHECK(spec.acts(Json::object()) == (!spec.read_only && !spec.goes_on));
    if (spec.goes_on) goes_on.push_back(spec.name);
    for (const auto action : spec.reading_actions) {
      reads_by_action.push_back(spec.name + " " + std::string(action));
      CHECK_FALSE(spec.acts({{"action", action}}));
      const auto known = dump(spec.input_schema.at("properties").at("action"));
      CHECK(known.find('"' + std::string(action) + '"') != std::string::npos);
    }
  }
  CHECK(goes_on == std::vector<std::string>{"browser_stop", "browser_toolset"});
  CHECK(reads_by_action == std::vector<std::string>{"browser_tabs list", "browser_route list", "browser_cookies list",
                                                    "browser_cookies get", "browser_storage list",
                                                    "browser_storage get", "browser_storage_state save"});
  CHECK(toolbox.find("browser_tabs")->acts({{"action", "close"}}));
}

TEST_CASE("tools/list: the core has at most 31 tools and 13,500 bytes, all sets 27,000, and each says what it does",
          "[wire.tool-entries] [tool.list]") {
  AllTools all;
  Toolbox& toolbox = all.toolbox;
  const auto listed = [&] {
    return std::count_if(toolbox.all().begin(), toolbox.all().end(),
                         [&](const ToolSpec& spec) { return toolbox.lists(spec, nullptr); });
  };
  CHECK(listed() <= 31);
  for (const auto revision : kRevisions) {
    const auto list = serializer::tool_list(revision, toolbox);
    INFO(list);
    CHECK(list.size() <= 13'500);
  }
  for (const auto& row : kToolSets) toolbox.sets.emplace_back(row.name);
  CHECK(listed() == static_cast<long>(toolbox.all().size()));
  for (const auto revision : kRevisions) CHECK(serializer::tool_list(revision, toolbox).size() <= 27'000);
  for (const auto& spec : toolbox.all()) CHECK((spec.set.empty() || is_tool_set(spec.set)));
  for (const auto& spec : toolbox.all()) {
    INFO(spec.name);
    CHECK(spec.description.size() >= 15);
    CHECK(spec.description.ends_with("."));
    CHECK(spec.input_schema.at("type") == "object");
    for (const auto& name : spec.input_schema.value("required", Json::array()))
      CHECK(spec.input_schema.at("properties").contains(name.get<std::string>()));
  }
}
