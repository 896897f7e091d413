#include "tools/webmcp/tab_tools.h"

#include <algorithm>
#include <utility>

#include "base/errors.h"

namespace bridle {
namespace {

constexpr std::size_t kToolsOfTab = 64;

bool is_of_web_mcp(std::string_view method) {
  return method == "WebMCP.toolsAdded" || method == "WebMCP.toolsRemoved" || method == "WebMCP.toolResponded" ||
         method == "Page.frameNavigated" || method == "Page.frameDetached" ||
         method == "Page.javascriptDialogOpening" || method == "Page.javascriptDialogClosed" ||
         method == "Target.detachedFromTarget";
}

std::string member(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

TabTools::Reply reply_of(const Json& params) {
  TabTools::Reply reply{.status = member(params, "status")};
  if (const auto output = params.find("output"); output != params.end()) reply.output = *output;
  reply.error = member(params, "errorText");
  if (const auto exception = params.find("exception"); exception != params.end() && reply.error.empty()) {
    reply.error = member(*exception, "description");
    reply.error = reply.error.substr(0, reply.error.find('\n'));
  }
  return reply;
}

}  // namespace

std::shared_ptr<TabTools> TabTools::open(const CallContext& ctx, const std::shared_ptr<Tab>& tab,
                                         std::function<void()> on_change) {
  std::shared_ptr<TabTools> tools(new TabTools(tab, std::move(on_change)));
  auto session = std::make_unique<SideSession>(ctx, *tab);
  session->on_event([weak = std::weak_ptr(tools)](std::string_view method, std::string_view message) {
    if (const auto self = weak.lock()) self->on_event(method, message);
  });
  // Sent without waiting: neither is answered while a navigation is pending.
  session->post("Page.enable");
  session->post("WebMCP.enable");
  tools->session_ = std::move(session);
  return tools;
}

TabTools::TabTools(const std::shared_ptr<Tab>& tab, std::function<void()> on_change)
    : tab_(tab), on_change_(std::move(on_change)) {}

std::vector<PageTool> TabTools::tools() const {
  MutexLock lock(mutex_);
  return gone_ ? std::vector<PageTool>() : tools_;
}

void TabTools::on_event(std::string_view method, std::string_view message) {
  if (!is_of_web_mcp(method)) return;
  const Json json = parse_cdp(message);
  bool has_changed = false;
  {
    MutexLock lock(mutex_);
    has_changed = take_event(method, json.at("params"));
  }
  changed_.notify_all();
  if (has_changed) on_change_();
}

bool TabTools::take_event(std::string_view method, const Json& params) {
  if (method == "WebMCP.toolsAdded") {
    for (const Json& tool : params.at("tools")) add(tool);
    return true;
  }
  if (method == "WebMCP.toolsRemoved") {
    for (const Json& tool : params.at("tools"))
      std::erase_if(tools_, [&](const PageTool& known) {
        return known.name == member(tool, "name") && known.frame == member(tool, "frameId");
      });
    return true;
  }
  if (method == "WebMCP.toolResponded") {
    const auto id = member(params, "invocationId");
    if (const auto call = pending_.find(id); call != pending_.end()) call->second->reply = reply_of(params);
    return false;
  }
  if (method == "Page.frameNavigated") return drop_frame(member(params.at("frame"), "id"));
  if (method == "Page.frameDetached") return drop_frame(member(params, "frameId"));
  if (method == "Target.detachedFromTarget") {
    gone_ = true;
    for (auto& [id, call] : pending_) {
      if (!call->reply) call->reply = Reply{};
    }
    return !tools_.empty();
  }
  dialog_ = method == "Page.javascriptDialogOpening";
  return false;
}

void TabTools::add(const Json& tool) {
  PageTool added{.name = member(tool, "name"),
                 .description = member(tool, "description"),
                 .schema = tool.value("inputSchema", Json()),
                 .frame = member(tool, "frameId"),
                 .number = next_number_++};
  const auto same = std::find_if(tools_.begin(), tools_.end(), [&](const PageTool& known) {
    return known.name == added.name && known.frame == added.frame;
  });
  if (same != tools_.end()) {
    *same = std::move(added);
  } else if (tools_.size() < kToolsOfTab) {
    tools_.push_back(std::move(added));
  }
}

// What its document has registered and begun is gone.
bool TabTools::drop_frame(const std::string& frame) {
  for (auto& [id, call] : pending_) {
    if (call->frame == frame && !call->reply) call->reply = Reply{};
  }
  return std::erase_if(tools_, [&](const PageTool& tool) { return tool.frame == frame; }) > 0;
}

void TabTools::cancel(const std::string& invocation) const {
  session_->post("WebMCP.cancelInvocation", {{"invocationId", invocation}});
}

// The browser's answer comes before all events of the invocation.
void TabTools::on_begun(const std::shared_ptr<Call>& call, CdpReply reply) {
  std::string invocation;
  if (reply.kind == CdpReply::Kind::result) invocation = member(result_of(reply.message), "invocationId");
  {
    MutexLock lock(mutex_);
    call->invocation = invocation;
    if (!call->abandoned) {
      if (invocation.empty()) call->refused = std::move(reply);
      pending_[invocation] = call;
      invocation.clear();
    }
  }
  changed_.notify_all();
  if (!invocation.empty()) cancel(invocation);
}

TabTools::Reply TabTools::call(const CallContext& ctx, const PageTool& tool, const Json& input) {
  ctx.signal.throw_if_aborted();
  const auto tab = tab_.lock();
  const auto call = std::make_shared<Call>();
  call->frame = tool.frame;
  MutexLock lock(mutex_);
  const bool known =
      std::any_of(tools_.begin(), tools_.end(), [&](const PageTool& one) { return one.number == tool.number; });
  if (!tab || gone_ || !known)
    throw ToolError("The page has no tool \"" + tool.name + "\" any more: the list of tools has changed.");
  lock.unlock();
  session_->post("WebMCP.invokeTool", {{"frameId", tool.frame}, {"toolName", tool.name}, {"input", input}},
                 [weak = weak_from_this(), call](CdpReply reply) {
                   if (const auto self = weak.lock()) self->on_begun(call, std::move(reply));
                 });
  lock.lock();
  try {
    wait_until(ctx, changed_, lock,
               [&]() REQUIRES(mutex_) { return call->reply || call->refused || gone_ || dialog_; });
  } catch (const Aborted&) {
    call->abandoned = true;
    pending_.erase(call->invocation);
    const auto invocation = call->invocation;
    lock.unlock();
    if (!invocation.empty()) cancel(invocation);
    throw;
  }
  pending_.erase(call->invocation);
  call->abandoned = true;
  const auto invocation = call->reply ? std::string() : call->invocation;
  const bool is_open = dialog_;
  lock.unlock();
  if (call->reply) return *call->reply;
  if (call->refused) result_message("WebMCP.invokeTool", std::move(*call->refused));  // throws
  if (is_open) {
    if (const auto dialog = tab->state().dialog) throw DialogOpened(*dialog);
  }
  if (!invocation.empty()) cancel(invocation);
  tab->throw_if_gone();
  throw CdpTimeout("the page's tool " + tool.name + " did not end in time");
}

}  // namespace bridle
