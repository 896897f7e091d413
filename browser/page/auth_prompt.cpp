#include "browser/page/auth_prompt.h"

#include <memory>
#include <optional>

#include "browser/page/world/world.h"

namespace bridle {
namespace {

constexpr Millis kUnanswered{1000};  // what takes less asks for nothing, or the action after this one finds out
constexpr Millis kArrives{300};
constexpr Millis kLook{1000};
constexpr const char* kLookedFor = "auth-prompt";  // in Tab::kept()

// The URL of the newest request that the server hasn't answered for so long, where it wasn't looked for one as new.
std::optional<std::string> unanswered(Tab& tab) {
  const auto found = tab.unanswered_request(Clock::now() - kUnanswered);
  if (!found) return std::nullopt;
  auto& kept = tab.kept()[kLookedFor];
  const auto known = std::static_pointer_cast<int>(kept);
  if (known && *known >= found->index) return std::nullopt;
  kept = std::make_shared<int>(found->index);
  return found->url;
}

bool takes_input(const CallContext& ctx, Tab& tab) {
  const auto limited = ctx.within(kLook);
  const auto watch = try_page_call(limited, tab, page::InputWatch{});
  if (!watch || watch->elsewhere) return true;  // or it is too busy to say
  tab.call(limited, "Input.dispatchKeyEvent", {{"type", "keyUp"}, {"key", "Unidentified"}});
  const auto seen = try_page_call(limited, tab, page::InputSeen{.timeout = kArrives.count()});
  return !seen || seen->seen;
}

}  // namespace

std::string close_auth_prompt(const CallContext& ctx, Tab& tab) {
  const auto now = tab.state();
  if (now.interrupted()) return {};
  const auto url = unanswered(tab);
  if (!url || takes_input(ctx, tab)) return {};
  tab.call(ctx, "Page.stopLoading", Json::object());
  return *url;
}

}  // namespace bridle
