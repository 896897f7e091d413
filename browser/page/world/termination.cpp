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
      // A termination that found nothing to end would end what runs next: this, and nothing of the page's.
      PendingReply(session.connection(), session.id(), "Runtime.evaluate",
                   {{"expression", "0"}, {"uniqueContextId", world}})
          .wait(ctx);
      return true;
    }
  } while (!ctx.deadline.expired());
  return false;
}

}  // namespace bridle
