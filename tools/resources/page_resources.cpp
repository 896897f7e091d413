#include "tools/resources/page_resources.h"

#include <utility>

#include "tools/contract/schema_check.h"

namespace bridle {
namespace {

// A resource that a tool shows: of the current tab as PAGE, of another by its id.
struct Shown {
  const char* tool;
  const char* name;
  const char* title;
  const char* description;
  const char* mime_type;
};

constexpr Shown kShown[] = {
    {"browser_snapshot", "snapshot", "Snapshot", "the page as text: roles, names, states and refs", "text/markdown"},
    {"browser_take_screenshot", "screenshot", "Screenshot", "a picture of the viewport", "image/png"},
    {"browser_console_messages", "console", "Console", "what the page wrote to its console", "text/markdown"},
    {"browser_network_requests", "network", "Network log", "the requests that the page made", "text/markdown"},
};

std::vector<std::string> tab_ids(ToolScope* scope) {
  std::vector<std::string> ids;
  if (scope == nullptr) return ids;
  for (const Json& tab : scope->tabs()) ids.push_back(tab.value("id", ""));
  return ids;
}

// Reading opens nothing: a tab must be there.
void require_tab(ToolScope* scope, const std::string& tab) {
  if (!tab.empty() && scope != nullptr && scope->knows_tab(tab)) return;
  const auto ids = tab_ids(scope);
  if (ids.empty()) throw ResourceNotFound("No page is open: browser_navigate opens one.");
  if (tab.empty()) return;
  std::string open;
  for (const std::string& id : ids) open += (open.empty() ? "" : ", ") + id;
  throw ResourceNotFound("No tab " + tab + " is open; there are: " + open + ".");
}

Content as_resource(Content shown, const std::string& uri, const std::string& text_type) {
  shown.kind = Content::Kind::resource;
  shown.uri = uri;
  if (shown.data.empty()) shown.mime_type = text_type;
  return shown;
}

ResourceReader reader_of(const ToolSpec& tool, std::string mime_type) {
  return [tool, mime_type = std::move(mime_type)](ToolContext& ctx, const std::string& uri,
                                                  const UriVariables& variables) {
    const auto tab = variables.find("tab");
    require_tab(ctx.scope.get(), tab == variables.end() ? "" : tab->second);
    const auto checked = check_arguments(tool, tab == variables.end() ? Json::object() : Json{{"tab", tab->second}});
    if (!checked.problem.empty()) throw ToolError(checked.problem);
    ToolResult result = tool.handler(ctx, checked.values);
    if (result.is_error) throw ToolError(result.content.empty() ? tool.name + " failed" : result.content.front().text);
    // A link to something else that the result mentions doesn't belong to the resource.
    const auto wanted = mime_type.starts_with("image/") ? Content::Kind::image : Content::Kind::text;
    std::vector<Content> contents;
    for (Content& one : result.content) {
      if (one.kind == wanted) contents.push_back(as_resource(std::move(one), uri, mime_type));
    }
    return contents;
  };
}

std::vector<Resource> each_tab(const Shown& shown, ToolScope& scope) {
  std::vector<Resource> all;
  for (const Json& tab : scope.tabs()) {
    const std::string id = tab.value("id", "");
    all.push_back({.uri = "bridle://tab/" + id + "/" + shown.name,
                   .name = std::string(shown.name) + " of " + id,
                   .title = shown.title,
                   .description = std::string("Tab ") + id + ": " + shown.description,
                   .mime_type = shown.mime_type});
  }
  return all;
}

void add_shown(Catalogue& catalogue, const ToolSpec& tool, const Shown& shown) {
  catalogue.add(ResourceSpec{.resource = {.uri = std::string("bridle://page/") + shown.name,
                                          .name = shown.name,
                                          .title = shown.title,
                                          .description = std::string("The current tab: ") + shown.description,
                                          .mime_type = shown.mime_type},
                             .read = reader_of(tool, shown.mime_type),
                             .changes = ResourceSpec::Changes::with_acting_calls});
  catalogue.add(ResourceTemplate{
      .uri_template = std::string("bridle://tab/{tab}/") + shown.name,
      .name = std::string(shown.name) + " of a tab",
      .title = shown.title,
      .description = std::string("Any tab, by the id that browser_tabs lists: ") + shown.description,
      .mime_type = shown.mime_type,
      .read = reader_of(tool, shown.mime_type),
      .complete =
          [](ToolScope* scope, const std::string& argument, const std::string& typed) {
            return argument == "tab" ? starting_with(tab_ids(scope), typed) : std::vector<std::string>();
          },
      .list = [shown](ToolScope& scope) { return each_tab(shown, scope); }});
}

std::vector<Content> read_requests(ToolContext& ctx, const std::string& uri, const UriVariables&) {
  const Json status = ctx.requests != nullptr ? ctx.requests->status(false) : Json::object();
  const Json shown = {{"requests", status.value("requests", Json::array())},
                      {"recent", status.value("recent", Json::array())}};
  return {{.kind = Content::Kind::resource, .text = dump(shown), .mime_type = "application/json", .uri = uri}};
}

}  // namespace

void add_page_resources(Catalogue& catalogue, const Toolbox& toolbox) {
  for (const Shown& shown : kShown) {
    if (const ToolSpec* tool = toolbox.find(shown.tool)) add_shown(catalogue, *tool, shown);
  }
  catalogue.add(ResourceSpec{.resource = {.uri = "bridle://requests",
                                          .name = "requests",
                                          .title = "Request history",
                                          .description = "Your calls: those that run and the last that ended",
                                          .mime_type = "application/json"},
                             .read = read_requests,
                             .changes = ResourceSpec::Changes::with_every_call});
  catalogue.resources_notify = true;
}

}  // namespace bridle
