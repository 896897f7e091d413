#include "browser/page/stop_loading.h"

namespace bridle {
namespace {

constexpr Millis kStopTakes{15};
constexpr int kStopRounds = 16;

}  // namespace

void stop_loading(const CallContext& shield, Tab& tab) {
  bool still = false;
  for (int round = 1; !still && !shield.deadline.expired(); ++round) {
    // A request that hasn't started by now never will.
    if (round == kStopRounds) tab.forget_requested_navigation();
    tab.session().call(shield, "Page.stopLoading", Json::object(), limits::kCleanup);
    still = tab.wait(shield.within(kStopTakes), [&tab] {
      const auto now = tab.state();
      return now.gone || now.crashed || (!now.navigation_pending && !now.loading);
    });
  }
}

}  // namespace bridle
