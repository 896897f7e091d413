#include "server/panel/entry.h"

#include "base/limits.h"
#include "base/text/digest.h"
#include "base/text/random.h"
#include "base/text/text.h"

namespace bridle {
namespace {

constexpr std::size_t kSecretBytes = 32;

bool is_user(const std::string& owner) { return owner.starts_with("user "); }

}  // namespace

std::string PanelEntry::make_token(const std::string& owner) {
  std::string value = random_token(kSecretBytes);
  const MutexLock lock(mutex_);
  tokens_.push_back({value, owner, Deadline::after(limits::kPanelToken)});
  if (tokens_.size() > limits::kPanelTokens) tokens_.pop_front();
  return value;
}

std::string PanelEntry::enter(std::string_view token, const std::string& owner) {
  const MutexLock lock(mutex_);
  std::erase_if(tokens_, [](const Token& one) { return one.good.when() <= Clock::now(); });
  // Each is looked at, so that the time tells nothing of which one it was.
  bool known = false;
  std::erase_if(tokens_, [&](const Token& one) {
    const bool same = equal_constant_time(one.value, token);
    const bool others = is_user(one.owner) && is_user(owner) && one.owner != owner;
    known = known || (same && !others);
    return same && !others;
  });
  if (!known) return {};
  cookies_.push_back({random_token(kSecretBytes), owner});
  if (cookies_.size() > limits::kPanelCookies) cookies_.pop_front();
  return cookie_name_ + "=" + cookies_.back().value + "; Path=/; HttpOnly; SameSite=Strict";
}

bool PanelEntry::knows(const HttpRequest& request) const {
  bool known = false;
  for (const std::string& header : request.header_values("Cookie")) {
    for (const std::string& pair : split(header, ';')) {
      std::string_view value = trimmed(pair);
      if (take_until(value, '=') != cookie_name_) continue;
      const MutexLock lock(mutex_);
      for (const Cookie& cookie : cookies_) {
        const bool same = equal_constant_time(cookie.value, value);
        known = known || (same && request.peer != nullptr && cookie.owner == request.peer->owner());
      }
    }
  }
  return known;
}

}  // namespace bridle
