#include "tools/browser_tools.h"

#include <utility>

#include "browser/tab/queue.h"
#include "tools/files/download_resources.h"
#include "tools/scope/page_call.h"

namespace bridle {

namespace {

BrowserSettings with_shelves(BrowserSettings settings) {
  settings.downloads = std::make_shared<DownloadShelf>(settings.files);
  settings.isolated = std::make_shared<IsolatedTabs>(settings.isolated_idle);
  return settings;
}

}  // namespace

BrowserTools::BrowserTools(BrowserSettings settings)
    : settings_(with_shelves(std::move(settings))), host_(std::make_shared<BrowserHost>(settings_.launch)) {}

BrowserTools::~BrowserTools() { shutdown(); }

void BrowserTools::add_to(Toolbox& toolbox) {
  add_navigation_tools(toolbox, settings_);
  add_snapshot_tools(toolbox);
  add_input_tools(toolbox);
  add_form_tools(toolbox);
  add_wait_tools(toolbox);
  add_tab_tools(toolbox, settings_);
  add_script_tools(toolbox);
  add_screenshot_tools(toolbox);
  add_log_tools(toolbox);
  add_control_tools(toolbox);
  add_ask_tools(toolbox);
  toolbox.open_scope = [this](const std::string& session) -> std::shared_ptr<ToolScope> {
    return std::make_shared<BrowserScope>(host_, settings_, session.empty());
  };
  toolbox.counters = [this] {
    const auto browser = host_->current();
    return Json{{"browsers", browser ? 1 : 0},
                {"browsers_started_total", host_->generation()},
                {"tabs", browser ? browser->tab_count() : 0},
                {"isolated_contexts", settings_.isolated->size()},
                {"pending_cdp", browser ? browser->pending_commands() : 0},
                {"tab_waiters", Tab::waiters()},
                {"queued", TabQueue::queued()}};
  };
}

void BrowserTools::add_to(Catalogue& catalogue) {
  add_download_resources(catalogue, settings_.downloads, settings_.files);
}

std::shared_ptr<void> BrowserTools::hold_tab(ToolContext& ctx) {
  return std::make_shared<PageCall>(ctx, Json::object(), "test_ignore_abort", PageToolOptions{.settles = false});
}

void BrowserTools::shutdown() {
  settings_.isolated->close();
  host_->shutdown();
  settings_.downloads->close();
}

}  // namespace bridle
