// tools/list is read by every model in every session: it stays small [tool.list].

#include "server/mcp/revision.h"
#include "server/mcp/serializer.h"
#include "tests/support/catch.h"
#include "tools/browser_tools.h"

using namespace bridle;

TEST_CASE("tools/list: at most 27 tools and 12,400 bytes, and each says what it does",
          "[wire.tool-entries] [tool.list]") {
  Background background;
  BrowserTools tools{BrowserSettings{}, background};
  Toolbox toolbox;
  tools.add_to(toolbox);
  CHECK(toolbox.all().size() <= 27);
  for (const auto revision : kRevisions) {
    const auto list = serializer::tool_list(revision, toolbox);
    INFO(list);
    const std::size_t ask_user = toolbox.find("ask_user") == nullptr ? 400 : 0;  // room for it
    CHECK(list.size() + ask_user <= 12'400);
  }
  for (const auto& spec : toolbox.all()) {
    INFO(spec.name);
    CHECK(spec.description.size() >= 15);
    CHECK(spec.description.ends_with("."));
    CHECK(spec.input_schema.at("type") == "object");
    for (const auto& name : spec.input_schema.value("required", Json::array()))
      CHECK(spec.input_schema.at("properties").contains(name.get<std::string>()));
  }
}
