// Whether a call may act on the page that is there, by its origin.
#include <spdlog/fmt/fmt.h>

#include "base/text/log.h"
#include "config/network/origin_rules.h"
#include "tools/scope/page_call.h"

namespace bridle {
namespace {

// From a commit until the document's world is told, which takes milliseconds; on a machine that is busy it took more
// than 250. What isn't known by then is judged by the URL, which knows of no sandbox.
constexpr Millis kOriginLimit{2000};

// The key of a DocumentOrigin for the reader.
std::string origin_words(const std::string& key) {
  if (key.empty() || key == "://" || key.starts_with("opaque ") || key.starts_with("about:"))
    return "an opaque origin (sandboxed, data: or about:blank)";
  return key;
}

}  // namespace

void PageCall::check_origin(const std::string& tool) {
  const auto told = scope_->told_origin(tab_->id());
  if (told.key.empty()) return;
  const auto now = tab_->settled_document_origin(ctx().within(kOriginLimit));
  if (now.key.empty() || told.key == now.key) return;
  // The same document: when it was told of, its own word on its origin had not come yet.
  if (told.loader_id == now.loader_id) return;
  scope_->tell_origin(tab_->id(), now);
  const std::string person = ctx_.scope->hold().news() != 0 ? fmt::format(" ({})", kPersonActed) : "";
  throw ToolError(
      fmt::format("{} was refused: the page in tab {} is now at {}, but you were last told {}{}. Nothing was done. "
                  "Look at the page "
                  "(browser_snapshot), and call again if it is what you want.",
                  tool, tab_->id(), origin_words(now.key), origin_words(told.key), person));
}

void PageCall::check_may_act(const std::string& frame) {
  if (ctx_.act_on == nullptr) return;
  const auto check = [&](const std::string& origin, std::string_view what) {
    if (ctx_.act_on->holds(origin)) return;
    throw ToolError(fmt::format(
        "Refused: this run may act on {} alone, and {} is at {}. Nothing was done there; you may look, or go back.",
        fmt::join(ctx_.act_on->listed, ", "), what, origin_words(loggable(origin, 200))));
  };
  check(tab_->settled_document_origin(ctx().within(kOriginLimit)).key, "the page in tab " + tab_->label());
  const auto inner = frame.empty() || frame == tab_->main_frame() ? std::nullopt : tab_->frame(frame);
  // While the frame's new document has no world yet, the one that it is on its way to counts.
  if (inner) check(inner->main_origin.empty() ? inner->url : inner->main_origin, "the frame in it");
}

}  // namespace bridle
