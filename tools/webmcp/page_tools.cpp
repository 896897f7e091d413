#include "tools/webmcp/page_tools.h"

#include <spdlog/spdlog.h>

#include <set>
#include <utility>

#include "base/text/log.h"
#include "tools/contract/schema_check.h"
#include "tools/scope/page_tool.h"
#include "tools/webmcp/page_schema.h"

namespace bridle {
namespace {

constexpr const char* kSet = "webmcp";
constexpr std::size_t kToolsOfClient = 32;
constexpr std::size_t kListBytes = 32 * 1024;  // of all of a client's
constexpr std::size_t kDescription = 500;      // bytes
constexpr std::size_t kNameShown = 80;

// What a page's tool answers is of MCP's shape (content blocks), a text, or any value.
std::string text_of_output(const Json& output) {
  if (output.is_string()) return output.get<std::string>();
  const auto content = output.is_object() ? output.find("content") : output.end();
  if (!output.is_object() || content == output.end() || !content->is_array())
    return output.dump(1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  for (const Json& block : *content) {
    if (!block.is_object()) continue;
    const auto words = block.find("text");
    const bool is_text = words != block.end() && words->is_string();
    text += (text.empty() ? "" : "\n") + (is_text ? words->get<std::string>() : dump(block));
  }
  return text;
}

void call_page_tool(PageCall& call, TabTools& tools, const PageTool& tool, const Json& input) {
  const auto shown = loggable(tool.name, kNameShown);
  call.begin_action(tool.frame == call.tab().main_frame() ? "" : tool.frame);
  call.effects.record("called the page's tool " + shown);
  const auto reply = tools.call(call.ctx(), tool, input);
  if (reply.status == "Error") throw ToolError("The page's tool failed: " + loggable(reply.error, kDescription));
  if (reply.status == "Canceled") throw ToolError("The page's tool was cancelled by the page.");
  if (reply.status.empty()) {
    call.response.result("the page's tool " + shown + " was called; its document went away before it answered");
  } else if (reply.output.is_object() && reply.output.value("isError", Json()) == true) {
    call.response.error("The page's tool " + shown + " says that it failed.");
    call.response.page_text(text_of_output(reply.output));
  } else {
    call.response.result("the page's tool " + shown + " answered:");
    call.response.page_text(text_of_output(reply.output));
  }
  call.finish_action();
}

ToolHandler handler_of(const std::string& name, const std::weak_ptr<TabTools>& tools, const PageTool& tool,
                       const std::string& tab_id) {
  // The page's arguments may have any names, so they are kept apart from ours.
  auto inner = page_tool(name, kActs, [tools, tool](PageCall& call, const Arguments& args) {
    const auto known = tools.lock();
    if (!known) throw ToolError("The page's tool is gone with its tab.");
    call_page_tool(call, *known, tool, args.at("input"));
  });
  return [inner = std::move(inner), tab_id](ToolContext& ctx, const Json& args) {
    return inner(ctx, {{"tab", tab_id}, {"input", args}});
  };
}

// nullptr: what the page says of it can't be listed.
std::shared_ptr<const ToolSpec> spec_of(const PageTool& tool, const std::weak_ptr<TabTools>& tools, const Tab& tab,
                                        const std::set<std::string>& taken) {
  Json schema = page_schema(tool.schema);
  if (schema.is_null()) return nullptr;
  auto name = page_tool_name(tool.name);
  if (taken.contains(name)) name += "_" + tab.id();
  if (taken.contains(name)) return nullptr;
  auto spec = std::make_shared<ToolSpec>();
  spec->name = name;
  spec->set = kSet;
  spec->description =
      "A tool of the page in tab " + tab.id() + ", in its words: \"" + loggable(tool.description, kDescription) + "\".";
  spec->input_schema = schema;
  spec->checked_schema = std::move(schema);
  spec->destructive = true;
  spec->queues = true;
  spec->may_take_long = true;
  spec->handler = handler_of(name, tools, tool, tab.id());
  return spec;
}

}  // namespace

std::shared_ptr<TabTools> PageTools::find(const std::string& tab_id) const {
  MutexLock lock(mutex_);
  const auto found = tabs_.find(tab_id);
  return found == tabs_.end() ? nullptr : found->second;
}

void PageTools::watch(const CallContext& ctx, BrowserScope& scope, const std::shared_ptr<Tab>& tab) {
  // An isolated tab is nobody's but its maker's, and lists are for a whole session.
  if (scope.is_isolated() || !scope.has_set(kSet) || find(tab->id())) return;
  std::shared_ptr<TabTools> tools;
  try {
    tools = TabTools::open(ctx, tab, [this, weak = scope.weak_from_this()] {
      const auto owner = weak.lock();
      if (owner && catalogue_ != nullptr && catalogue_->list_changed) catalogue_->list_changed("tools", owner.get());
    });
  } catch (const CdpError& error) {  // a browser that isn't ours may refuse
    spdlog::debug("no tools of pages in tab {}: {}", tab->label(), error.what());
    return;
  }
  std::map<std::string, std::shared_ptr<TabTools>> over;  // destroyed outside the lock
  MutexLock lock(mutex_);
  for (auto it = tabs_.begin(); it != tabs_.end();) {
    const auto known = it->second->tab();
    if (known && !known->state().gone) {
      ++it;
    } else {
      over.insert(tabs_.extract(it++));
    }
  }
  const bool added = tabs_.emplace(tab->id(), tools).second;
  lock.unlock();
  if (!added) tools.reset();  // another call was faster
}

std::vector<std::shared_ptr<const ToolSpec>> PageTools::tools_of(const BrowserScope& scope) const {
  std::vector<std::shared_ptr<const ToolSpec>> specs;
  std::set<std::string> taken;
  std::size_t bytes = 0;
  for (const auto& tab : scope.listed_tabs()) {
    const auto tools = find(tab->id());
    if (!tools || tab->state().gone) continue;
    for (const auto& tool : tools->tools()) {
      auto spec = spec_of(tool, tools, *tab, taken);
      if (!spec) continue;
      bytes += spec->description.size() + dump(spec->input_schema).size();
      if (specs.size() >= kToolsOfClient || bytes > kListBytes) return specs;
      taken.insert(spec->name);
      specs.push_back(std::move(spec));
    }
  }
  return specs;
}

}  // namespace bridle
