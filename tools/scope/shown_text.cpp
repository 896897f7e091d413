#include "tools/scope/shown_text.h"

#include <algorithm>

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

// Whether one frame shows what is wanted, within `patience`. A frame that went away or doesn't answer: no.
bool frame_satisfies(PageCall& call, const std::string& frame, const ShownText& wanted, Millis patience) {
  const auto until = Deadline::after(patience);
  page::WaitFor function{.timeout = 0, .text = wanted.text, .text_gone = wanted.text_gone};
  const auto limited = call.ctx().within(patience + kAnswers);
  try {
    for (int round = 0;; ++round) {
      function.hosts = round < kClosedRootRounds;
      function.timeout = std::max(until.remaining(), Millis(1)).count();
      const auto result = page_call(limited, call.tab(), frame, function);
      if (result.closed_hosts == 0) return result.ok;
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
  const bool main = frame_satisfies(call, "", wanted, patience);
  const auto frames = call.tab().frames_below_main();
  if (frames.empty()) return main;
  if (main && !wanted.text_gone) return true;
  if (wanted.text && !main) {
    for (const auto& frame : frames) {
      if (frame_satisfies(call, frame, {.text = wanted.text}, Millis(1))) return !wanted.text_gone;
    }
    return false;
  }
  for (const auto& frame : frames) {
    if (!frame_satisfies(call, frame, {.text_gone = wanted.text_gone}, std::min(kFrameRound, patience))) return false;
  }
  return main;
}

}  // namespace bridle
