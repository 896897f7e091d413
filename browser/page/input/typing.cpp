#include "browser/page/input/typing.h"

#include "browser/page/input/input.h"
#include "browser/page/world/world.h"

namespace bridle {
namespace {

// From the page script's Fill to its EndTyping, which is sent on every path; after an abort without waiting.
class Typing {
 public:
  Typing(Tab& tab, const std::string& frame) : tab_(tab), frame_(frame) {}
  ~Typing() {
    if (ended_) return;
    const auto command = page_command(tab_, page_expression(page::EndTyping{}), frame_);
    if (!command.params.is_null()) tab_.post("Runtime.evaluate", command.params, command.session);
  }
  Typing(const Typing&) = delete;
  Typing& operator=(const Typing&) = delete;

  page::EndTyping::Result end(const CallContext& ctx) {
    ended_ = true;
    try {
      return page_call(ctx, tab_, frame_, page::EndTyping{});
    } catch (const DocumentGone&) {
      return {};  // the text made the page go on to another document
    }
  }

 private:
  Tab& tab_;
  const std::string& frame_;
  bool ended_ = false;
};

}  // namespace

Filled fill_element(const CallContext& ctx, Tab& tab, const ReadyElement& element, const TextToType& typed,
                    bool watch) {
  const page::Fill fill{
      .target = element.name(), .text = typed.text, .watch = watch, .by_script = typed.by_script, .shown = typed.shown};
  const auto ready = element_call(ctx, tab, element.frame, fill);
  if (ready.slider) return {.slider = ready.wanted};
  if (!ready.input) return {};
  Typing typing(tab, element.frame);
  if (ready.select_all) press_key(ctx, tab, "Control+A");
  replace_selection(ctx, tab, typed.text, ready.is_field);
  const auto ended = typing.end(ctx);
  return {.kept_out = ended.kept, .most = static_cast<int>(ended.most), .moved_on = ended.moved_on};
}

}  // namespace bridle
