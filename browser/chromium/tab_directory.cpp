#include "browser/chromium/tab_directory.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/text/random.h"

namespace bridle {
namespace {

std::atomic<long> next_tab_number{1};
constexpr std::size_t kSecretTabBytes = 24;
// From a click that asks for a tab to that tab. It takes milliseconds; a click that brings none (a download, a mailto:
// link) must not claim a later tab.
constexpr Millis kTabComes{3000};

std::string new_tab_id(const BrowserContext& context) {
  return context.has_secret_tab_ids() ? Tab::kSecretPrefix + random_token(kSecretTabBytes)
                                      : "t" + std::to_string(next_tab_number++);
}

}  // namespace

void TabDirectory::emulate(std::shared_ptr<const Emulation> emulation) {
  MutexLock lock(mutex_);
  setup_.emulation = std::move(emulation);
}

void TabDirectory::listen(std::shared_ptr<const BrowserContext> context, Listener listener,
                          std::shared_ptr<RouteTable> routes) {
  MutexLock lock(mutex_);
  const auto id = context->id();
  members_[id] = {std::move(context), std::move(listener), std::move(routes)};
}

// Where sessions share a profile, a worker there serves the pages of all of them: it is routed for one alone.
std::shared_ptr<RouteTable> TabDirectory::routes_of_worker(const std::string& context_id) const {
  MutexLock lock(mutex_);
  if (const auto named = members_.find(context_id); named != members_.end()) return named->second.routes;
  std::shared_ptr<RouteTable> only;
  for (const auto& [id, member] : members_) {
    if (member.context->named_by_events()) continue;
    if (only) return nullptr;
    only = member.routes;
  }
  return only;
}

void TabDirectory::unlisten(const std::string& context_id) {
  MutexLock lock(mutex_);
  members_.erase(context_id);
}

std::vector<std::shared_ptr<const BrowserContext>> TabDirectory::contexts() const {
  std::vector<std::shared_ptr<const BrowserContext>> found;
  MutexLock lock(mutex_);
  for (const auto& [id, member] : members_) found.push_back(member.context);
  return found;
}

void TabDirectory::begin_creation() {
  MutexLock lock(mutex_);
  ++creating_;
}

std::vector<Json> TabDirectory::end_creation(const std::string& target_id) {
  std::vector<Json> known;
  MutexLock lock(mutex_);
  --creating_;
  for (auto it = held_back_.begin(); it != held_back_.end();) {
    if (creating_ > 0 && it->first != target_id) {
      ++it;
      continue;
    }
    known.push_back(std::move(it->second));
    it = held_back_.erase(it);
  }
  return known;
}

void TabDirectory::expect(const std::string& target_id, const std::string& context_id, bool foreign) {
  MutexLock lock(mutex_);
  expected_[target_id] = {context_id, foreign, {}};
}

std::shared_ptr<Tab> TabDirectory::expect_popup(const std::string& target_id, const std::string& opener_id) {
  MutexLock lock(mutex_);
  if (opener_id.empty() && creating_ > 0) return nullptr;  // it may be the one that is being created
  auto opener = find_locked(opener_id.empty() ? take_asker_locked("") : opener_id);
  if (opener) {
    const auto& info = opener->info();
    expected_[target_id] = {info.context_id, opener_id.empty() && info.foreign, info.target_id};
  }
  return opener;
}

void TabDirectory::expect_no_longer(const std::string& target_id) {
  MutexLock lock(mutex_);
  expected_.erase(target_id);
}

TabDirectory::Arrival TabDirectory::add(const Json& attached_to_target, Tab::Info info, CdpSession session) {
  MutexLock lock(mutex_);
  const auto expected = expected_.find(info.target_id);
  const bool named = members_.contains(info.context_id);
  if (info.opener_id.empty() && expected == expected_.end() && (named || creating_ == 0)) {
    info.opener_id = take_asker_locked(named ? info.context_id : "");
  }
  if (!named) {
    if (expected == expected_.end() && creating_ > 0 && info.opener_id.empty()) {
      held_back_.emplace(info.target_id, attached_to_target);
      return {.held_back = true};
    }
    info.context_id = owner_locked(info);
  }
  if (expected != expected_.end()) {
    info.foreign = expected->second.foreign;
    if (info.opener_id.empty()) info.opener_id = expected->second.opener_id;
    expected_.erase(expected);
  }
  const auto member = members_.find(info.context_id);
  if (member == members_.end()) return {.stray = !members_.empty()};
  const auto session_id = session.id();
  const auto target_id = info.target_id;
  const auto opener = find_locked(info.opener_id);
  info.family = opener ? opener->info().family : target_id;
  auto emulation = opener ? opener->emulation() : info.foreign ? nullptr : setup_.emulation;
  auto setup = setup_;
  setup.routes = member->second.routes;
  if (!info.existed) setup.fronts = member->second.fronts;
  auto tab =
      std::make_shared<Tab>(new_tab_id(*member->second.context), std::move(info), std::move(session), std::move(setup));
  tab->begin_emulation(std::move(emulation));
  by_session_[session_id] = tab;
  by_target_[target_id] = tab;
  return {.tab = std::move(tab), .listener = member->second.listener};
}

// The target of the tab whose page has asked for a tab that comes without an opener; "" if none has. `context_id`: of
// that context alone; "" of those that events don't name.
std::string TabDirectory::take_asker_locked(const std::string& context_id) {
  const auto since = Clock::now() - kTabComes;
  std::shared_ptr<Tab> found;
  for (const auto& [session, tab] : by_session_) {
    const auto& owner = tab->info().context_id;
    const auto member = members_.find(owner);
    if (member == members_.end() || !tab->asked_for_tab(since)) continue;
    if (context_id.empty() ? member->second.context->named_by_events() : owner != context_id) continue;
    // The pages of two sessions have asked: whose it is can't be told, and a guess would show it to the wrong one.
    if (found && found->info().context_id != owner) return {};
    if (!found || tab->id() < found->id()) found = tab;
  }
  if (!found) return {};
  found->got_tab(since);
  return found->info().target_id;
}

std::string TabDirectory::owner_locked(const Tab::Info& info) const {
  if (const auto it = expected_.find(info.target_id); it != expected_.end()) return it->second.context_id;
  if (!info.opener_id.empty()) {
    if (const auto opener = find_locked(info.opener_id)) return opener->info().context_id;
  }
  std::string only;
  for (const auto& [id, member] : members_) {
    if (!member.context->takes_tabs_without_opener()) continue;
    if (!only.empty()) return {};
    only = id;
  }
  return only;
}

std::shared_ptr<Tab> TabDirectory::remove(const std::string& session) {
  std::shared_ptr<Tab> tab;
  MutexLock lock(mutex_);
  const auto it = by_session_.find(session);
  if (it == by_session_.end()) return nullptr;
  tab = std::move(it->second);
  by_session_.erase(it);
  // Attached to anew meanwhile, it has another session.
  const auto same = by_target_.find(tab->info().target_id);
  if (same != by_target_.end() && same->second == tab) by_target_.erase(same);
  return tab;
}

std::vector<std::shared_ptr<Tab>> TabDirectory::close() {
  std::vector<std::shared_ptr<Tab>> tabs;
  std::map<std::string, Member> members;  // destroyed outside the lock
  {
    MutexLock lock(mutex_);
    closed_ = true;
    for (auto& [session, tab] : by_session_) tabs.push_back(std::move(tab));
    by_session_.clear();
    by_target_.clear();
    members.swap(members_);
  }
  changed_.notify_all();
  return tabs;
}

std::shared_ptr<Tab> TabDirectory::await(const CallContext& ctx, const std::string& target_id) {
  std::shared_ptr<Tab> tab;
  MutexLock lock(mutex_);
  wait_until(ctx, changed_, lock, [&]() REQUIRES(mutex_) {
    tab = find_locked(target_id);
    return tab != nullptr || closed_;
  });
  lock.unlock();
  return tab;
}

std::shared_ptr<Tab> TabDirectory::find_locked(const std::string& target_id) const {
  const auto it = by_target_.find(target_id);
  return it == by_target_.end() ? nullptr : it->second;
}

std::shared_ptr<Tab> TabDirectory::find(const std::string& target_id) const {
  MutexLock lock(mutex_);
  return find_locked(target_id);
}

std::shared_ptr<Tab> TabDirectory::with_frame(const std::string& frame_id) const {
  if (frame_id.empty()) return nullptr;  // a tab would take it for its main frame
  if (auto tab = find(frame_id)) return tab;
  const auto tabs = all();
  const auto found = std::find_if(tabs.begin(), tabs.end(), [&](const auto& tab) { return tab->has_frame(frame_id); });
  return found == tabs.end() ? nullptr : *found;
}

std::vector<std::shared_ptr<Tab>> TabDirectory::all() const {
  std::vector<std::shared_ptr<Tab>> tabs;
  MutexLock lock(mutex_);
  for (const auto& [session, tab] : by_session_) tabs.push_back(tab);
  return tabs;
}

std::vector<std::shared_ptr<Tab>> TabDirectory::of_context(const std::string& context_id) const {
  auto tabs = all();
  std::erase_if(tabs, [&](const auto& tab) { return tab->info().context_id != context_id; });
  return tabs;
}

std::vector<std::shared_ptr<Tab>> TabDirectory::family_of(const Tab& tab) const {
  auto tabs = all();
  std::erase_if(tabs, [&](const auto& other) { return other->info().family != tab.info().family; });
  return tabs;
}

std::size_t TabDirectory::size() const {
  MutexLock lock(mutex_);
  return by_session_.size();
}

}  // namespace bridle
