#include <spdlog/fmt/fmt.h>

#include <optional>
#include <string>
#include <vector>

#include "base/text/text.h"
#include "browser/page/world/world.h"
#include "tools/contract/schema.h"
#include "tools/scope/page_tool.h"
#include "tools/scope/shown_text.h"
#include "tools/testing/testing.h"

namespace bridle {
namespace {

// A text as a string of JavaScript, as locators take it.
std::string literal(const std::string& text) { return dump(Json(text)); }

// Waits for the target as an action does, where something is still being loaded.
page::Held::Result look_at(PageCall& call, const std::string& target, const std::optional<std::string>& value = {},
                           const std::optional<std::vector<std::string>>& items = {}) {
  const auto element = call.ready(target, "none");
  return element_call(call.ctx().within(limits::kCdpCommand), call.tab(), element.frame,
                      page::Held{.target = element.name(), .value = value, .items = items});
}

[[noreturn]] void fail(const std::string& words) { throw ToolError("The check failed: " + words + "."); }

// Whether the page shows the text now. What is too busy to be read is told as such, not as a page without the text.
bool shows_text(PageCall& call, const std::string& text) {
  page_call(call.ctx().within(limits::kCdpCommand), call.tab(), "", page::PageInfo{});
  return page_satisfies(call, {.text = text}, Millis(1));
}

void verify_tool(PageCall& call, const Arguments& args) {
  const auto what = args.text("what");
  std::string words;
  if (what == "text") {
    const auto wanted = args.needed("text", "browser_verify", "what");
    if (!shows_text(call, wanted)) fail("the text " + literal(wanted) + " is not visible on the page");
    words = "the text " + literal(wanted) + " is visible";
  } else if (what == "element") {
    std::string target = args.text("target");
    if (target.empty()) {
      target = "getByRole(" + literal(args.needed("role", "browser_verify", "what"));
      if (args.has("name")) target += ", {name: " + literal(args.text("name")) + "}";
      target += ")";
    }
    const auto there = look_at(call, target);
    if (!there.visible) fail(there.describe + " exists, but is not visible");
    words = there.describe + " is visible";
  } else if (what == "list") {
    const auto items = args.texts("items");
    if (items.empty()) throw ToolError("browser_verify: what list needs items.");
    const auto there = look_at(call, args.needed("target", "browser_verify", "what"), {}, items);
    if (!there.missing.empty())
      fail(there.describe + " doesn't show " + literal(there.missing) + " where it should be; it shows " +
           literal(there.held));
    words = fmt::format("{} shows the {} items in this order", there.describe, items.size());
  } else {
    const auto value = args.needed("value", "browser_verify", "what", Arguments::Empty::allowed);
    const auto there = look_at(call, args.needed("target", "browser_verify", "what"), value);
    if (!there.matches) fail(there.describe + " holds " + literal(there.held) + ", not what was given");
    words = there.describe + " holds the value that was given";
  }
  call.response.result("passed: " + words);
  call.response.structured["passed"] = true;
}

}  // namespace

std::vector<ToolSpec> testing_tools(const BrowserSettings& settings) {
  std::vector<ToolSpec> tools{
      {.name = "browser_verify",
       .set = "testing",
       .title = "Verify",
       .description = "Check what the page shows now; an error says what there is instead.",
       .input_schema = schema::object({{"what", schema::choice({"text", "element", "list", "value"}), true},
                                       {"text", schema::text()},
                                       {"role", schema::text("Of an element")},
                                       {"name", schema::text("Its accessible name")},
                                       schema::optional_target(),
                                       {"items", schema::list(schema::text(), "Texts of a list, in order")},
                                       {"value", schema::text("Of a field; true or false if it is checked")},
                                       schema::tab()}),
       .read_only = true,
       .idempotent = true,
       .handler = page_tool("browser_verify", {.queues = false}, verify_tool)}};
  for (auto& tool : generating_tools(settings)) tools.push_back(std::move(tool));
  return tools;
}

void add_testing_aliases(Toolbox& toolbox) {
  const auto add = [&](const char* name, const char* what,
                       std::vector<std::pair<std::string, std::string>> renamed = {}) {
    toolbox.add(
        ToolAlias{.name = name, .tool = "browser_verify", .fixed = {{"what", what}}, .renamed = std::move(renamed)});
  };
  add("browser_verify_text_visible", "text");
  add("browser_verify_element_visible", "element", {{"accessibleName", "name"}});
  add("browser_verify_list_visible", "list");
  add("browser_verify_value", "value", {{"type", ""}});  // the kind of field is seen
}

}  // namespace bridle
