#include "tools/scope/shown_text.h"

#include <algorithm>

#include "browser/page/target.h"
#include "browser/page/world/questions.h"
#include "browser/page/world/world.h"
#include "tools/scope/page_call.h"

namespace bridle {
namespace {

constexpr Millis kAnswers{1000};  // how much longer than asked a frame's answer may take
constexpr Millis kFrameRound{300};

// A closed root may hold further hosts, and hosts come 64 at a time. A page that makes new ones for ever is searched as
// it is then.
constexpr int kClosedRootRounds = 16;

page::WaitFor asked(const ShownText& wanted) {
  page::WaitFor function{.timeout = 0, .text = wanted.text, .text_gone = wanted.text_gone};
  return function;
}

page::WaitFor asked(const ShownElement& wanted) {
  page::WaitFor function{.timeout = 0, .target = wanted.target, .state = wanted.state};
  return function;
}

// Whether one frame shows what is wanted, within `patience`. A frame that went away or doesn't answer: no.
bool frame_satisfies(PageCall& call, const std::string& frame, page::WaitFor function, Millis patience) {
  const auto until = Deadline::after(patience);
  const auto limited = call.ctx().within(patience + kAnswers);
  try {
    for (int round = 0;; ++round) {
      function.hosts = round < kClosedRootRounds;
      function.timeout = std::max(until.remaining(), Millis(1)).count();
      const auto result = page_call(limited, call.tab(), frame, function);
      if (result.closed_hosts == 0) {
        if (!result.ok && !result.timed_out && !result.cancelled) throw ToolError(result.error);
        return result.ok;
      }
      register_closed_roots(limited, call.tab(), frame);
    }
  } catch (const DocumentGone&) {
    return false;
  } catch (const CdpTimeout&) {
    return false;
  } catch (const ScriptError&) {
    return false;
  }
}

}  // namespace

bool page_satisfies(PageCall& call, const ShownText& wanted, Millis patience) {
  const bool main = frame_satisfies(call, "", asked(wanted), patience);
  const auto frames = call.tab().frames_below_main();
  if (frames.empty()) return main;
  if (main && !wanted.text_gone) return true;
  if (wanted.text && !main) {
    for (const auto& frame : frames) {
      if (frame_satisfies(call, frame, asked(ShownText{.text = wanted.text}), Millis(1))) return !wanted.text_gone;
    }
    return false;
  }
  for (const auto& frame : frames) {
    if (!frame_satisfies(call, frame, asked(ShownText{.text_gone = wanted.text_gone}), std::min(kFrameRound, patience)))
      return false;
  }
  return main;
}

bool page_satisfies(PageCall& call, const ShownElement& wanted, Millis patience) {
  const auto function = asked(wanted);
  if (!ref_in(wanted.target).empty()) {
    const auto frame = locate_target(call.ctx(), call.tab(), call.scope().refs(), wanted.target).id;
    return frame_satisfies(call, frame, function, patience);
  }
  if (frame_satisfies(call, "", function, patience) != wanted.is_to_go()) return !wanted.is_to_go();
  for (const auto& frame : call.tab().frames_below_main()) {
    const auto round = wanted.is_to_go() ? std::min(kFrameRound, patience) : Millis(1);
    if (frame_satisfies(call, frame, function, round) != wanted.is_to_go()) return !wanted.is_to_go();
  }
  return wanted.is_to_go();
}

}  // namespace bridle
