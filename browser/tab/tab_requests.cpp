// Which of a tab's requests the browser holds back for bridle: for the lists, for routes, for a site's credential.
#include <utility>

#include "browser/tab/tab.h"

namespace bridle {

// Another thread may have posted a newer state before this one posts what it has read: then it posts once more.
void Tab::hold_requests(const CdpSession& session, bool is_worker) const {
  long seen = 0;
  do {
    seen = setup_.routes ? setup_.routes->version() : 0;
    post_hold(session, is_worker);
  } while (setup_.routes && setup_.routes->version() != seen);
}

void Tab::post_hold(const CdpSession& session, bool is_worker) const {
  auto routed = is_routed() ? setup_.routes->patterns() : Json::array();
  const auto emulation = emulated_.current();
  if (emulation && emulation->credentials) {
    // Chromium asks for a site's credential only where it would hold the request back. Without lists that is at its
    // origin alone; with lists all is held while there is a credential, as before the proxy judges.
    routed.push_back({{"urlPattern", setup_.filter ? "*" : emulation->credentials->origin + "/*"}});
    session.post("Fetch.enable", {{"patterns", routed}, {"handleAuthRequests", true}});
  } else if (setup_.filter) {
    proxy_judges_ && !is_worker ? setup_.filter->leave_to_proxy(session, routed)
                                : setup_.filter->watch(session, routed);
  } else {
    const bool refuses = refuses_challenges_ && !is_worker;
    if (refuses) routed.push_back({{"urlPattern", "*"}, {"resourceType", "XHR"}});
    if (routed.empty())
      session.post("Fetch.disable");
    else
      session.post("Fetch.enable", {{"patterns", routed}, {"handleAuthRequests", refuses}});
  }
  // The workers that a worker starts.
  if (is_worker && (setup_.filter || !routed.empty()))
    session.post("Target.setAutoAttach", {{"autoAttach", true}, {"waitForDebuggerOnStart", true}, {"flatten", true}});
}

bool Tab::refuse_challenges() {
  if (setup_.filter) return false;  // Chromium holds for the lists then
  if (refuses_challenges_.exchange(true)) return true;
  MutexLock lock(sessions_mutex_);
  auto all = child_sessions_;
  lock.unlock();
  all.push_back({.session = session_.id()});
  for (const auto& one : all) hold_requests(CdpSession(session_.shared_connection(), one.session), one.is_worker);
  return true;
}

void Tab::post_offline(const CdpSession& session, bool offline) const {
  const auto emulation = emulated_.current();
  auto conditions = emulation && emulation->network ? *emulation->network : NetworkConditions();
  conditions.offline = conditions.offline || offline;
  session.post("Network.emulateNetworkConditions", parameters_of(conditions));
}

void Tab::update_routes() {
  if (!setup_.routes) return;
  const auto version = setup_.routes->version();
  const bool offline = setup_.routes->offline();
  const bool are_new = routes_version_.exchange(version) != version;
  const bool is_switched = offline_.exchange(offline) != offline;
  if (!are_new && !is_switched) return;
  MutexLock lock(sessions_mutex_);
  auto all = child_sessions_;
  lock.unlock();
  all.push_back({.session = session_.id()});
  for (const auto& one : all) {
    const CdpSession session(session_.shared_connection(), one.session);
    if (are_new) hold_requests(session, one.is_worker);
    if (is_switched) post_offline(session, offline);
  }
}

}  // namespace bridle
