// browser_storage_state: all that a browser context has stored, as a file.
#include <spdlog/fmt/fmt.h>

#include <string>
#include <utility>
#include <vector>

#include "base/text/text.h"
#include "browser/storage/storage_state.h"
#include "tools/contract/schema.h"
#include "tools/scope/page_tool.h"
#include "tools/storage/storage.h"

namespace bridle {
namespace {

constexpr const char* kStateName = "storage-state.json";
constexpr std::size_t kOriginsTold = 20;  // origins that a result names

void tell_each(PageCall& call, const char* heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  call.response.result(heading);
  for (std::size_t i = 0; i < lines.size() && i < kOriginsTold; ++i) call.response.result("- " + lines[i]);
  if (lines.size() > kOriginsTold) call.response.result(fmt::format("- and {} more", lines.size() - kOriginsTold));
}

Json counts_of(const StorageState& state) {
  return {{"cookies", state.cookies.size()}, {"origins", state.origins.size()}};
}

void save_state(PageCall& call, const Arguments& args) {
  const auto place = call.scope().ensure_context(call.ctx());
  const auto saved = save_storage_state(call.ctx(), *place.browser, *place.context);
  const auto filename = args.text("filename").empty() ? std::string(kStateName) : args.text("filename");
  const auto file = call.scope().files()->write(call.ctx(), filename, to_text(saved.state));
  const auto& state = saved.state;
  call.response.result(fmt::format("saved {} and the storage of {}", counted(state.cookies.size(), "cookie"),
                                   counted(state.origins.size(), "origin")));
  call.response.result(saved_words(file) + ". It holds logins: keep it as a password");
  tell_each(call, "Not read:", saved.unreadable);
  if (saved.lossy > 0)
    call.response.result(counted(static_cast<std::size_t>(saved.lossy), "value") +
                         " of IndexedDB are of a kind that the format can't carry (a Map, a Blob, a key): saved empty");
  if (saved.incomplete)
    call.response.result(
        fmt::format("More than {} origins have been opened: only those are in it", std::size_t{limits::kSeenOrigins}));
  if (place.browser->shares_profile())
    call.response.result(
        "The profile is kept over starts: of origins that were not opened since this one, only the cookies are in it");
  call.response.structured = counts_of(state);
  call.response.structured["path"] = file.path.string();
}

void load_state(PageCall& call, const Arguments& args) {
  call.check_may_act();
  const auto filename = args.needed("filename", "browser_storage_state", "action");
  const auto path = call.scope().files()->upload(filename, "loaded", [&] { return call.client_roots(); });
  const auto state = read_storage_state(path.string());
  const auto place = call.scope().ensure_context(call.ctx());
  const auto refused = load_storage_state(call.ctx(), *place.browser, *place.context, state,
                                          [&](const std::string& words) { call.effects.record(words); });
  call.response.result(fmt::format("Storage state restored: {} and the storage of {}, in place of all there was",
                                   counted(state.cookies.size(), "cookie"), counted(state.origins.size(), "origin")));
  tell_each(call, "The browser did not take:", refused);
  call.response.result("Pages that are open go on with what they have read: reload them");
  call.response.structured = counts_of(state);
}

void state_tool(PageCall& call, const Arguments& args) {
  try {
    args.text("action") == "save" ? save_state(call, args) : load_state(call, args);
  } catch (const StorageStateError& error) {
    throw ToolError(args.text("action") == "save"
                        ? "Nothing was saved: " + std::string(error.what()) + "."
                        : "\"" + args.text("filename") +
                              "\" can't be loaded, and nothing has changed: " + std::string(error.what()) + ".");
  }
}

}  // namespace

std::vector<ToolSpec> storage_state_tools(const BrowserSettings&) {
  return {{.name = "browser_storage_state",
           .set = "storage",
           .title = "Storage state",
           .description =
               "Save the cookies, localStorage and IndexedDB of all origins to a file, or load one in their place.",
           .input_schema = schema::object({{"action", schema::choice({"save", "load"}), false, "save"},
                                           {"filename", schema::text("Playwright's storage state")},
                                           schema::tab()}),
           .destructive = true,
           .queues = true,
           .may_take_long = true,
           .reading_actions = {"save"},
           .handler = page_tool("browser_storage_state", {.settles = false, .on_crashed = true, .through_dialog = true},
                                state_tool)}};
}

}  // namespace bridle
