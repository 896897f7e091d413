#include "tools/core/acting/choose.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>

#include "base/errors.h"
#include "base/text/log.h"
#include "base/text/text.h"
#include "browser/page/world/world.h"

namespace bridle {
namespace {

// Between two looks at whether anything is still being loaded: options may come by that.
constexpr Millis kLoadingRound{250};
constexpr Millis kQuietRound{600};  // the page script's decision that nothing will come takes less
// So long a list may take to close after a choice, or after Escape.
constexpr Millis kClosing{600};

using NextStep = page::ChoiceStep::Result;

// One choice: the page script says what to do next, and this does it [tool.select.made].
class Choice {
 public:
  Choice(PageCall& call, const ReadyElement& element, std::string what)
      : call_(call), element_(element), what_(std::move(what)) {}

  std::string make();

 private:
  std::string follow();
  NextStep next();
  void click(const std::string& words);
  enum class Next { nothing, escape };
  bool is_closed(Millis limit, Next next = Next::nothing);
  bool close();
  void forget_effects();
  std::string outcome(const NextStep& step);

  PageCall& call_;
  const ReadyElement& element_;
  const std::string what_;  // combobox "Size"
  bool opened_ = false;
  std::size_t picked_ = 0;
  std::size_t effects_ = 0;  // that were recorded, to be told in one
};

// What is to be done next, once the page has got so far: what a list has yet to load is waited for.
NextStep Choice::next() {
  const auto limit = Deadline::after(call_.settings().action_timeout);
  for (;;) {
    const bool quiet = is_quiet(call_.tab());
    const bool last = limit.expired();
    const auto round = std::min(std::max(limit.remaining(), Millis(1)), quiet ? kQuietRound : kLoadingRound);
    page::ChoiceStep function{.timeout = (last ? kQuietRound : round).count()};
    if (quiet) function.quiet = true;
    if (last) function.last = true;
    auto step = element_call(call_.ctx(), call_.tab(), element_.frame, function);
    if (step.step != "wait") return step;
  }
}

void Choice::click(const std::string& words) {
  call_.click_pointed(element_.frame, words);
  ++effects_;
}

bool Choice::is_closed(Millis limit, Next next) {
  page::ChoiceClosed function{.timeout = limit.count()};
  if (next == Next::escape) function.focus = true;
  return element_call(call_.ctx(), call_.tab(), element_.frame, function).closed;
}

// As the page was before: Escape closes a list without choosing.
bool Choice::close() {
  if (!opened_ || is_closed(Millis(0), Next::escape)) return true;
  call_.check_may_act(element_.frame);
  press_key(call_.ctx(), call_.tab(), "Escape");
  return is_closed(kClosing);
}

void Choice::forget_effects() {
  for (; effects_ > 0; --effects_) call_.effects.drop_last();
}

std::string Choice::outcome(const NextStep& step) {
  auto words = fmt::format("selected {} in {}", step.chosen.empty() ? "nothing" : loggable(step.chosen, 1000), what_);
  if (!step.changed) words += " (as it was)";
  if (step.unsure)
    words = fmt::format("clicked what was to be selected ({}) in {}, but the page shows no sign of it",
                        loggable(step.chosen, 1000), what_);
  if (!step.others.empty())
    words += fmt::format("; it also shows {}, which its list doesn't offer", loggable(step.others, 500));
  // One that takes several stays open until it is closed.
  const bool closed = !opened_ || (step.several ? close() : is_closed(kClosing));
  if (!closed) words += "; its list is still open";
  return words;
}

std::string Choice::follow() {
  for (;;) {
    const auto step = next();
    if (step.step == "open") {
      opened_ = true;
      click("opened " + what_);
    } else if (step.step == "key") {
      call_.check_may_act(element_.frame);
      press_key(call_.ctx(), call_.tab(), "ArrowDown");
    } else if (step.step == "pick") {
      click(fmt::format("clicked option \"{}\" of {}", loggable(step.label, 80), what_));
      ++picked_;
    } else if (step.step == "done") {
      return outcome(step);
    } else if (step.step == "lost") {
      throw DocumentGone("The choice's document has gone.");
    } else {
      throw ToolError(step.words);
    }
  }
}

std::string Choice::make() {
  std::string words;
  try {
    words = follow();
  } catch (const DocumentGone&) {
    if (picked_ == 0)
      throw ToolError(what_ + " went with its document, while its list was waited for. Nothing was chosen.");
    forget_effects();
    words = fmt::format("clicked {} of {}, by which the page went on to another document", counted(picked_, "option"),
                        what_);
  } catch (const ToolError& error) {
    const bool closed = close();
    std::string all = error.what();
    if (picked_ > 0)
      all += fmt::format(" {} clicked before that.", counted(picked_, "option"));
    else if (closed)
      forget_effects();
    if (!closed) all += " Its list is still open.";
    throw ToolError(all);
  }
  forget_effects();
  call_.effects.record(words);
  return words;
}

}  // namespace

std::string choose(PageCall& call, const ReadyElement& element, const std::vector<std::string>& values) {
  const auto begun = element_call(call.ctx(), call.tab(), element.frame,
                                  page::BeginChoice{.target = element.name(), .values = values});
  return Choice(call, element, begun.describe).make();
}

}  // namespace bridle
