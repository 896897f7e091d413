#include "tools/scope/call_effects.h"

#include "base/text/secrets.h"

namespace bridle {

void CallEffects::drop_last() {
  if (!done_.empty()) done_.pop_back();
}

std::string CallEffects::text() const {
  std::string all;
  for (const auto& effect : done_) all += (all.empty() ? "" : ", ") + effect;
  return all;
}

std::string CallEffects::cancel_note(const std::string& url) const {
  if (done_.empty() && if_cancelled_.empty()) return {};
  std::string note = "cancelled: " + text();
  if (!if_cancelled_.empty()) note += (done_.empty() ? "" : ", ") + if_cancelled_;
  return note + " (the page is at " + shown_url(url) + ")";
}

}  // namespace bridle
