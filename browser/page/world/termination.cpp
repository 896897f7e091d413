#include "browser/page/world/termination.h"

namespace bridle {
namespace {

// A termination takes effect within microseconds of the renderer's getting it.
constexpr Millis kTakesEffect{20};

}  // namespace

bool terminate_script(const CallContext& ctx, const CdpSession& session, const PendingReply& behind,
                      const std::string& world) {
  do {
    session.post("Runtime.terminateExecution");
    if (behind.wait(ctx.within(kTakesEffect))) {
      session.call(ctx, "Runtime.evaluate", {{"expression", "0"}, {"uniqueContextId", world}});
      return true;
    }
  } while (!ctx.deadline.expired());
  return false;
}

}  // namespace bridle
