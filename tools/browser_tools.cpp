#include "tools/browser_tools.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/concurrency/sync.h"
#include "browser/page/world/page_script.h"
#include "browser/page/world/script_kit.h"
#include "browser/tab/queue.h"
#include "tools/core/acting/batch.h"
#include "tools/core/acting/drop.h"
#include "tools/core/acting/forms.h"
#include "tools/core/acting/scroll.h"
#include "tools/core/ask.h"
#include "tools/core/console.h"
#include "tools/core/control.h"
#include "tools/core/input.h"
#include "tools/core/navigation.h"
#include "tools/core/network.h"
#include "tools/core/script.h"
#include "tools/core/seeing/screenshot.h"
#include "tools/core/snapshot.h"
#include "tools/core/tabs.h"
#include "tools/core/wait.h"
#include "tools/devtools/audit.h"
#include "tools/devtools/coverage.h"
#include "tools/devtools/css.h"
#include "tools/devtools/heap.h"
#include "tools/devtools/highlight.h"
#include "tools/devtools/trace.h"
#include "tools/devtools/video/video.h"
#include "tools/devtools/video/video_store.h"
#include "tools/emulation/emulate.h"
#include "tools/files/downloads/download_resources.h"
#include "tools/network/har.h"
#include "tools/network/network_state.h"
#include "tools/network/route.h"
#include "tools/panel/live_tab.h"
#include "tools/scope/page_call.h"
#include "tools/sets/config.h"
#include "tools/sets/pdf.h"
#include "tools/sets/toolset.h"
#include "tools/sets/vision.h"
#include "tools/storage/storage.h"
#include "tools/testing/testing.h"
#include "tools/webmcp/page_tools.h"

namespace bridle {

namespace {

// The one table of the groups of tools, in the order of tools/list. A group is a file of tools/core: each of its tools
// stands there whole, with its name, its schema and its handler.
using ToolGroup = std::vector<ToolSpec> (*)(const BrowserSettings& settings);
constexpr ToolGroup kToolGroups[] = {
    navigation_tools, snapshot_tools, input_tools,     scroll_tools,        form_tools,    drop_tools,
    wait_tools,       tab_tools,      script_tools,    screenshot_tools,    console_tools, network_tools,
    control_tools,    ask_tools,      route_tools,     network_state_tools, har_tools,     pdf_tools,
    storage_tools,    testing_tools,  vision_tools,    trace_tools,         heap_tools,    coverage_tools,
    emulation_tools,  css_tools,      highlight_tools, audit_tools,         video_tools,   config_tools,
};

// The page's script, which goes by another attribute than the usual one if it is told so first.
std::string_view script_with_test_id(const std::string& attribute) {
  if (attribute == "data-testid") return bridle_page_script();
  static Mutex mutex;
  static std::map<std::string, std::string> scripts;  // each lives as long as the process
  const MutexLock lock(mutex);
  auto& script = scripts[attribute];
  if (script.empty())
    script = "globalThis.bridleTestId=" + dump(Json(attribute)) + ";" + std::string(bridle_page_script());
  return script;
}

// Whether any client may have the set.
bool wants_set(const BrowserSettings& settings, const char* set) {
  const auto names = [set](const std::vector<std::string>& sets) {
    return std::find(sets.begin(), sets.end(), set) != sets.end();
  };
  return names(settings.caps) || names(settings.lazy_caps);
}

BrowserSettings with_stores(BrowserSettings settings, Background& background) {
  settings.launch.page_script = script_with_test_id(settings.test_id);
  settings.launch.script_kit = script_kit_source(settings.launch.headless && settings.launch.cdp_endpoint.empty());
  settings.downloads = std::make_shared<DownloadStore>(settings.files);
  settings.background = &background;
  settings.videos = std::make_shared<VideoStore>();
  if (settings.save_video) settings.film = film_tab;
  if (wants_set(settings, "webmcp")) {
    settings.page_tools = std::make_shared<PageTools>();
    settings.launch.web_mcp = true;
  }
  settings.isolated = std::make_shared<IsolatedTabs>(settings.isolated_idle, background);
  return settings;
}

// A browser's row in /status [security.root].
Json row_of(const Browser& browser) {
  Json row{{"version", browser.version()}};
  if (browser.attached()) {
    row["words"] = "Somebody else started this browser, with its sandbox or without.";
    return row;
  }
  const auto& user = browser.user();
  row["pid"] = browser.pid();
  row["uid"] = user.other() ? user.user.uid : ::geteuid();
  row["sandbox"] = user.sandboxed();
  row["words"] = describe(user);
  if (!user.remedy.empty()) row["remedy"] = user.remedy;
  return row;
}

}  // namespace

BrowserTools::BrowserTools(BrowserSettings settings, Background& background)
    : settings_(with_stores(std::move(settings), background)),
      hosts_(settings_.launch, settings_.browser_per_session, background) {}

BrowserTools::~BrowserTools() { shutdown(); }

void BrowserTools::add_to(Toolbox& toolbox, Catalogue& catalogue) {
  for (const auto group : kToolGroups) {
    for (ToolSpec& spec : group(settings_)) toolbox.add(std::move(spec));
  }
  add_route_aliases(toolbox);
  add_emulation_aliases(toolbox);
  add_storage_aliases(toolbox);
  add_testing_aliases(toolbox);
  add_vision_aliases(toolbox);
  add_trace_aliases(toolbox);
  add_highlight_aliases(toolbox);
  add_video_aliases(toolbox);
  add_batch_tool(toolbox, settings_);
  add_toolset_tool(toolbox, catalogue, settings_);
  if (settings_.page_tools) static_cast<PageTools&>(*settings_.page_tools).tell(catalogue);
  add_live_tabs(toolbox, settings_.downloads);
  toolbox.open_scope = [this](const std::string& session) -> std::shared_ptr<ToolScope> {
    return std::make_shared<BrowserScope>(hosts_.host(session.empty()), settings_, session.empty());
  };
  if (settings_.launch.idle) {
    toolbox.before_call = [](const CallContext& ctx, ToolScope& scope) {
      return static_cast<BrowserScope&>(scope).host().begin_use(ctx);
    };
  }
  const bool shapes = settings_.save_session || settings_.image_responses != "allow";
  if (shapes) {
    toolbox.after_call = [this](ToolScope& scope, const ToolSpec& spec, const Json& arguments, ToolResult& result) {
      auto& session = static_cast<BrowserScope&>(scope);
      if (auto* record = session.session_record()) {
        record_console(session, settings_, *record);
        record->add(spec.name, arguments, result);
      }
      shape_pictures(result, settings_.image_responses);
    };
  }
  toolbox.browsers = [this] {
    Json rows = Json::array();
    for (const auto& browser : hosts_.running()) rows.push_back(row_of(*browser));
    return rows;
  };
  toolbox.counters = [this] {
    const auto browsers = hosts_.running();
    long tabs = 0;
    long pending = 0;
    for (const auto& browser : browsers) {
      tabs += browser->tab_count();
      pending += browser->pending_commands();
    }
    return Json{{"browsers", browsers.size()},
                {"browsers_started_total", hosts_.started()},
                {"tabs", tabs},
                {"isolated_contexts", settings_.isolated->size()},
                {"pending_cdp", pending},
                {"tab_waiters", Tab::waiters()},
                {"queued", TabQueue::queued()}};
  };
}

void BrowserTools::add_to(Catalogue& catalogue) { add_download_resources(catalogue, settings_.downloads); }

std::shared_ptr<void> BrowserTools::hold_tab(ToolContext& ctx) {
  return std::make_shared<PageCall>(ctx, "", "test_ignore_abort", PageToolOptions{.settles = false});
}

void BrowserTools::shutdown() {
  settings_.isolated->close();
  hosts_.shutdown();
  settings_.videos->close();
  settings_.downloads->close();
}

}  // namespace bridle
