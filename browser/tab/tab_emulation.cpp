// What a tab emulates: the part of Tab that sends it [tool.emulate].
#include <algorithm>
#include <utility>

#include "browser/tab/tab.h"
#include "config/network/origin_rules.h"

namespace bridle {

bool Tab::has_credentials() const {
  const auto emulation = emulated_.current();
  return emulation && emulation->credentials;
}

std::vector<PendingReply> Tab::change_emulation(const std::shared_ptr<const Emulation>& next) {
  const auto credentials = [](const auto& emulation) {
    return emulation ? emulation->credentials : std::optional<HttpCredentials>();
  };
  const auto before = credentials(emulated_.current());
  const auto after = credentials(next);
  std::vector<PendingReply> sent;
  for (const auto& command : emulated_.change(next)) sent.push_back(send(command.method, command.params));
  std::vector<Child> sessions{{.session = session_.id(), .is_worker = false}};
  {
    MutexLock lock(sessions_mutex_);
    sessions.insert(sessions.end(), child_sessions_.begin(), child_sessions_.end());
  }
  // What browser_network_state_set has said stays so [tool.network-state].
  const bool offline = setup_.routes && setup_.routes->offline();
  for (const auto& [id, is_worker] : sessions) {
    const CdpSession session(session_.shared_connection(), id);
    if (before != after) hold_requests(session, is_worker);
    if (offline) post_offline(session, true);
  }
  return sent;
}

void Tab::emulate(const CallContext& ctx, const std::shared_ptr<const Emulation>& next) {
  ctx.signal.throw_if_aborted();
  throw_if_gone();
  const auto documents = state().documents;
  auto sent = change_emulation(next);
  // A timezone and a locale are a process' own. That another tab has set them there is no error as long as they are the
  // same, which the caller looks at.
  const auto is_clock = [](const PendingReply& reply) {
    return reply.method() == "Emulation.setTimezoneOverride" || reply.method() == "Emulation.setLocaleOverride";
  };
  if (!sent.empty()) await_results(ctx, sent, documents, limits::kCdpCommand, is_clock);
}

bool Tab::has_clock() const {
  const auto now = emulated_.current();
  return now && !(now->timezone.empty() && now->locale.empty());
}

void Tab::keep_clock() const {
  const auto now = emulated_.current();
  if (!now) return;
  if (!now->timezone.empty()) session_.post("Emulation.setTimezoneOverride", {{"timezoneId", now->timezone}});
  if (!now->locale.empty()) session_.post("Emulation.setLocaleOverride", {{"locale", now->locale}});
}

void Tab::resize(const CallContext& ctx, ViewSize size) {
  const auto now = emulated_.current();
  if (!now || !now->sets_metrics()) {
    emulated_.set_base(size);
    call(ctx, "Emulation.setDeviceMetricsOverride", metrics_of(size));
    return;
  }
  auto next = std::make_shared<Emulation>(*now);
  next->viewport = size;
  emulate(ctx, next);
}

// A site that asks who is there is told by the origin that the credential is for, and once a request: one that asks
// again doesn't take it [tool.emulate.credentials]. Then a script gets the site's refusal: without an answer Chromium
// would show a window for the name and the password, and the request would wait behind it for ever. The main frame's
// document it refuses of itself. Reader thread.
bool Tab::answer_site(const CdpSession& sender, const Json& params) {
  constexpr std::size_t kRemembered = 64;
  const auto emulation = emulated_.current();
  const auto& challenge = params.at("authChallenge");
  const auto request = params.value("requestId", "");
  const auto refuse = [&] {
    sender.post("Fetch.continueWithAuth",
                {{"requestId", request}, {"authChallengeResponse", {{"response", "CancelAuth"}}}});
    return true;
  };
  if (!emulation || !emulation->credentials)
    return refuses_challenges_ && challenge.value("source", "") == "Server" && refuse();
  const auto& credentials = *emulation->credentials;
  const bool known = std::find(credential_given_.begin(), credential_given_.end(), request) != credential_given_.end();
  if (challenge.value("source", "") != "Server" || network_origin(challenge.value("origin", "")) != credentials.origin)
    return false;
  if (known) {
    if (params.value("resourceType", "") == "Document" && params.value("frameId", "") == main_frame()) return false;
    return refuse();
  }
  credential_given_.push_back(request);
  if (credential_given_.size() > kRemembered) credential_given_.pop_front();
  sender.post(
      "Fetch.continueWithAuth",
      {{"requestId", request},
       {"authChallengeResponse",
        {{"response", "ProvideCredentials"}, {"username", credentials.username}, {"password", credentials.password}}}});
  return true;
}

}  // namespace bridle
