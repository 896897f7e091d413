#include "tools/core/acting/drop.h"

#include <spdlog/fmt/fmt.h>

#include <string>
#include <utility>

#include "base/text/log.h"
#include "browser/page/world/world.h"
#include "tools/contract/schema.h"
#include "tools/core/given_files.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

// A drag from outside [tool.drop]. Called off on every path that doesn't drop it.
class OutsideDrag {
 public:
  OutsideDrag(Tab& tab, Json data) : tab_(tab), data_(std::move(data)) {}
  ~OutsideDrag() {
    if (inside_) tab_.post(kDragEvent, event("dragCancel"));
  }
  OutsideDrag(const OutsideDrag&) = delete;
  OutsideDrag& operator=(const OutsideDrag&) = delete;

  void enter(const CallContext& ctx, double x, double y) {
    x_ = x;
    y_ = y;
    ctx.signal.throw_if_aborted();
    inside_ = true;
    tab_.call(ctx, kDragEvent, event("dragEnter"));
    over(ctx);
  }
  void over(const CallContext& ctx) { tab_.call(ctx, kDragEvent, event("dragOver")); }
  void drop(const CallContext& ctx) {
    ctx.signal.throw_if_aborted();
    inside_ = false;
    tab_.call(ctx, kDragEvent, event("drop"));
  }

 private:
  static constexpr const char* kDragEvent = "Input.dispatchDragEvent";
  Json event(const char* type) const { return {{"type", type}, {"x", x_}, {"y", y_}, {"data", data_}}; }

  Tab& tab_;
  const Json data_;
  double x_ = 0;
  double y_ = 0;
  bool inside_ = false;
};

// The page's watch over a drop, in the frame that gets it.
class DropWatch {
 public:
  DropWatch(PageCall& call, std::string frame, bool files) : call_(call), frame_(std::move(frame)) {
    page_call(call_.ctx(), call_.tab(), frame_, page::DropWatch{.files = files});
  }
  ~DropWatch() {
    if (ended_) return;
    const auto command = page_command(call_.tab(), page_expression(page::DropResult{.end = true}), frame_);
    if (!command.params.is_null()) call_.tab().post("Runtime.evaluate", command.params, command.session);
  }
  DropWatch(const DropWatch&) = delete;
  DropWatch& operator=(const DropWatch&) = delete;

  page::DropResult::Result seen() { return page_call(call_.ctx(), call_.tab(), frame_, page::DropResult{}); }
  page::DropResult::Result end() {
    ended_ = true;
    return page_call(call_.ctx(), call_.tab(), frame_, page::DropResult{.end = true});
  }

 private:
  PageCall& call_;
  const std::string frame_;
  bool ended_ = false;
};

// What the drag carries, as CDP's DragData without its files.
Json drag_data(const Json& texts) {
  constexpr int kCopy = 1;
  Json items = Json::array();
  for (const auto& [type, text] : texts.items()) {
    if (type.find('/') == std::string::npos)
      throw ToolError("data: \"" + loggable(type) +
                      "\" is no MIME type: write text/plain, text/html, text/uri-list, ...");
    items.push_back({{"mimeType", type}, {"data", text}});
  }
  return {{"items", std::move(items)}, {"dragOperationsMask", kCopy}};
}

std::string what_is_dropped(const GivenFiles& files, const Json& texts) {
  auto words = file_names(files);
  for (const auto& [type, text] : texts.items()) words += (words.empty() ? "" : ", ") + loggable(type);
  return words;
}

// A file that a page's listener took and then left to the browser would be opened in the page's place.
void keep_page(Tab& tab) {
  if (tab.state().pending_url.starts_with("file:")) tab.post("Page.stopLoading", Json::object());
}

void drop_tool(PageCall& call, const Arguments& args) {
  const auto files = files_to_upload(call, args.texts("paths"));
  const Json texts = args.has("data") ? args.at("data") : Json::object();
  if (files.empty() && texts.empty()) throw ToolError("At least one of \"paths\" or \"data\" must be provided.");
  Json data = drag_data(texts);
  const auto element = call.ready(args.text("target"), "hover");
  confirm_upload(call, element.frame, files);
  if (!files.empty()) data["files"] = readable_paths(call, files);
  const auto what = what_is_dropped(files, texts);
  DropWatch watch(call, element.frame, !files.empty());
  OutsideDrag drag(call.tab(), std::move(data));
  call.begin_action(element.frame);
  call.effects.if_cancelled("may have dragged " + what + " over " + element.describe);
  drag.enter(call.ctx(), element.x, element.y);
  rest_in_drag(call.ctx(), call.tab(), element.frame);
  drag.over(call.ctx());
  if (const auto seen = watch.seen(); !seen.accepted)
    throw ToolError(fmt::format(
        "{} does not take {}: {}. Nothing was dropped.", element.describe, what,
        seen.over ? "the page lets nothing of that kind be dropped there" : "it was not what the drag came to"));
  call.effects.if_cancelled("");
  call.effects.record("dropped " + what + " on " + element.describe);
  drag.drop(call.ctx());
  bool dropped = true;
  try {
    dropped = watch.end().dropped;
  } catch (const DocumentGone&) {
    // What was dropped has led on.
  }
  keep_page(call.tab());
  if (!dropped) throw ToolError(element.describe + " was left before the drop: the page saw none.");
  call.response.result("dropped " + what + " on " + element.describe);
  call.finish_action();
}

}  // namespace

std::vector<ToolSpec> drop_tools(const BrowserSettings&) {
  const Json text{{"type", "string"}};
  return {{.name = "browser_drop",
           .title = "Drop",
           .description = "Drop files or data from outside on an element.",
           .input_schema =
               schema::object({schema::target(),
                               {"paths", schema::unlisted(schema::list(schema::text()), {{"maxItems", kFilesGiven}})},
                               {"data", schema::unlisted(schema::of_type("object", "{MIME type: text}"),
                                                         {{"additionalProperties", text}})},
                               schema::tab()}),
           .destructive = true,
           .queues = true,
           .handler = page_tool("browser_drop", kActs, drop_tool)}};
}

}  // namespace bridle
