#include "tools/scope/browser_scope.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "base/text/log.h"
#include "base/text/secrets.h"
#include "base/text/text.h"
#include "browser/page/navigation.h"
#include "browser/storage/left_origins.h"
#include "config/network/origin_rules.h"
#include "tools/scope/scope_tools.h"

namespace bridle {
namespace {

// Why the person has to be asked before a page may do this; "" if it may [why.held-forms-are-refused]. Reader thread.
std::string objection(OriginConsents& consents, ConsentKind kind, const std::string& origin) {
  const auto answer = consents.look_up(kind, origin);
  if (answer == OriginConsents::Answer::allowed) return {};
  const auto words = describe({kind, origin});
  if (answer == OriginConsents::Answer::denied) return words + " was denied by the user";
  consents.hold(kind, origin);
  return words + " needs the user's consent (--confirm " + to_string(kind) + "), as you never named that origin";
}

}  // namespace

BrowserScope::BrowserScope(std::shared_ptr<BrowserHost> host, const BrowserSettings& settings, bool shared)
    : host_(std::move(host)),
      settings_(settings),
      kind_(shared ? Kind::shared : Kind::session),
      files_(std::make_shared<SessionFiles>(settings.files)),
      refs_(std::make_shared<RefSpace>()),
      routes_(make_routes()),
      sets_(settings.caps.begin(), settings.caps.end()) {}

BrowserScope::BrowserScope(const BrowserScope& owner, std::shared_ptr<void> room)
    : host_(owner.host_),
      settings_(owner.settings_),
      kind_(Kind::isolated),
      files_(owner.is_shared() ? std::make_shared<SessionFiles>(settings_.files) : owner.files_),
      refs_(owner.refs_),
      routes_(make_routes()),
      room_(std::move(room)),
      owner_(owner.weak_from_this()) {}

BrowserScope::~BrowserScope() {
  if (routes_) routes_->end();
  if (!is_isolated() && settings_.isolated) settings_.isolated->remove_all(this);
  left_origins_.reset();
  if (browser_ && browser_->alive()) browser_->dispose_context(*context_);
}

bool BrowserScope::has_set(const std::string& set) const {
  MutexLock lock(mutex_);
  return sets_.contains(set);
}

std::vector<std::shared_ptr<const ToolSpec>> BrowserScope::own_tools() const {
  if (!settings_.page_tools) return {};
  return settings_.page_tools->tools_of(*this);
}

bool BrowserScope::turn_on_set(const std::string& set) {
  MutexLock lock(mutex_);
  return sets_.insert(set).second;
}

std::shared_ptr<BrowserScope> BrowserScope::make_isolated() {
  return std::shared_ptr<BrowserScope>(new BrowserScope(*this, settings_.isolated->reserve()));
}

void BrowserScope::keep_isolated(const std::shared_ptr<BrowserScope>& isolated) {
  settings_.isolated->keep(this, isolated, std::move(isolated->room_));
}

void BrowserScope::close_isolated(const BrowserScope& isolated) { settings_.isolated->remove(&isolated); }

std::shared_ptr<BrowserScope> BrowserScope::holder(const std::string& tab_id) {
  if (tab_id.starts_with(Tab::kSecretPrefix) && !is_isolated() && settings_.isolated) {
    if (auto isolated = settings_.isolated->find(this, tab_id)) return isolated;
  }
  return shared_from_this();
}

std::vector<std::shared_ptr<Tab>> BrowserScope::listed_tabs() const {
  std::vector<std::shared_ptr<Tab>> listed;
  {
    MutexLock lock(mutex_);
    listed = tabs_.all();
  }
  if (kind_ == Kind::session && settings_.isolated) {
    for (const auto& isolated : settings_.isolated->of(this)) {
      for (auto& tab : isolated->listed_tabs()) listed.push_back(std::move(tab));
    }
  }
  std::erase_if(listed, [](const auto& tab) { return tab->state().gone; });
  return listed;
}

Json BrowserScope::tabs() const {
  const auto current = current_id();
  Json list = Json::array();
  int index = 0;
  for (const auto& tab : listed_tabs()) {
    const auto facts = tab->state();
    list.push_back({{"id", tab->id()},
                    {"index", index++},
                    {"url", shown_url(facts.url)},
                    {"title", facts.title},
                    {"current", tab->id() == current},
                    {"crashed", facts.crashed}});
    if (tab->id().starts_with(Tab::kSecretPrefix)) list.back()["isolated"] = true;
  }
  return list;
}

bool BrowserScope::knows_tab(const std::string& id) const {
  const bool isolated = !is_isolated() && settings_.isolated && settings_.isolated->find(this, id) != nullptr;
  return isolated || find(id) != nullptr;
}

std::vector<std::filesystem::path> BrowserScope::readable_files(const CallContext& ctx,
                                                                const std::vector<std::filesystem::path>& files) {
  const auto browser = host_->current();
  const auto reader = browser ? browser->user().other() : std::nullopt;
  return reader ? upload_copies_.readable(ctx, files, *reader) : files;
}

// A browser that isn't ours goes on keeping its downloads where it does.
void BrowserScope::begin_downloads(const CallContext& ctx, Browser& browser,
                                   const std::shared_ptr<const BrowserContext>& context) {
  const auto store = settings_.downloads;
  if (!store || browser.attached()) return;
  std::shared_ptr<DownloadRoom> room;
  try {
    // A download of an isolated tab belongs to the tab's owner.
    const auto maker = owner_.lock();
    room = store->open({.owner = is_isolated() ? std::weak_ptr<const ToolScope>(owner_) : weak_from_this(),
                        .owner_address = is_isolated() ? maker.get() : this,
                        .listed = !is_isolated() || (maker && !maker->is_shared()),
                        .files = files_,
                        .cancel = browser.downloads().canceller(context),
                        .writer = browser.user().other()},
                       !context->named_by_events());
  } catch (const ToolError& error) {
    spdlog::warn("downloads are refused: {}", error.what());
    return browser.downloads().keep(ctx, *context, "");
  }
  browser.downloads().keep(ctx, *context, room->place.folder);
  browser.downloads().listen(context, [store, room, weak = weak_from_this()](
                                          const std::string& tab, std::string_view method, const Json& params) {
    const auto guid = params.value("guid", "");
    if (method != "Browser.downloadWillBegin") {
      return store->progress(guid, params.value("state", ""), params.value("receivedBytes", 0.0),
                             params.value("totalBytes", 0.0));
    }
    const auto self = weak.lock();
    const auto url = params.value("url", "");
    store->began(room, {.guid = guid, .tab = tab, .name = params.value("suggestedFilename", ""), .url = url},
                 self ? self->why_not_downloaded(tab, url) : "its session has ended");
  });
}

// Why a download may not begin; "" if it may. Reader thread.
std::string BrowserScope::why_not_downloaded(const std::string& tab_id, const std::string& url) {
  const auto tab = find(tab_id);
  if (!grants_->take(tab_id, tab ? tab->state().commit_seq : 0)) {
    return "the page began it by itself, without an action of yours, or as one of too many. If you want it, act on "
           "what begins it, or " +
           (network_origin(url).empty() ? "call browser_evaluate with what the page does"
                                        : "browser_navigate to " + loggable(url, 300));
  }
  const auto origin = content_origin(url);
  return origin.empty() ? std::string() : objection(*consents_, ConsentKind::download, origin);
}

std::vector<DownloadStore::Download> BrowserScope::downloads() const {
  std::vector<DownloadStore::Download> all;
  if (!settings_.downloads) return all;
  for (const auto& tab : listed_tabs()) {
    for (auto& download : settings_.downloads->running(tab->id())) all.push_back(std::move(download));
  }
  return all;
}

std::string BrowserScope::restart_note(const Browser& ended) const {
  if (ended.attached()) {
    return "the connection to the browser was lost (" + ended.end_reason() +
           "): connected anew. This session's tabs are no longer known by their ids; where they are still open, "
           "browser_tabs lists them among the browser's others";
  }
  return "the browser had ended (" + ended.end_reason() + "): a new one was started, and the tabs " +
         (ended.shares_profile() ? "of the old one are gone; the profile, with its logins, was kept"
                                 : "and logins of the old one are gone");
}

BrowserScope::Place BrowserScope::ensure_context(const CallContext& ctx) {
  MutexLock lock(mutex_);
  wait_until(ctx, changed_, lock, [&]() REQUIRES(mutex_) { return !opening_; });
  if (browser_ && browser_->alive()) return {browser_, context_};
  if (browser_) {
    restart_notes_.push_back(restart_note(*browser_));
    tabs_.clear();
    browser_.reset();
  }
  opening_ = true;
  auto of_ended = std::move(left_origins_);
  lock.unlock();
  of_ended.reset();

  std::shared_ptr<Browser> browser;
  std::shared_ptr<const BrowserContext> context;
  std::unique_ptr<LeftOrigins> left_origins;
  std::exception_ptr failure;
  try {
    const BrowserHost::Hold hold(*host_);
    browser = host_->ensure(ctx);
    context = browser->create_context(ctx, is_isolated());
    begin_downloads(ctx, *browser, context);
    browser->listen_tabs(
        context,
        [weak = weak_from_this()](const std::shared_ptr<Tab>& tab) {
          if (const auto self = weak.lock()) self->on_tab(tab);
        },
        routes_);
    begin_with_state(ctx, *browser, *context);
    left_origins = watch_origins(browser, context);
  } catch (...) {
    failure = std::current_exception();
    if (browser && context) browser->dispose_context(*context);
  }
  lock.lock();
  opening_ = false;
  if (!failure) {
    browser_ = browser;
    context_ = context;
    left_origins_ = std::move(left_origins);
  }
  changed_.notify_all();
  lock.unlock();
  if (failure) std::rethrow_exception(failure);
  return {browser, context};
}

void BrowserScope::on_tab(const std::shared_ptr<Tab>& tab) {
  grants_->tab_opened(tab->id());
  if (settings_.launch.holds_forms) {
    tab->judge_forms([consents = consents_](const std::string& url) {
      return objection(*consents, ConsentKind::submit, content_origin(url));
    });
  }
  MutexLock lock(mutex_);
  tabs_.add(tab);
  lock.unlock();
  tab->update_routes();  // they may have changed since it was attached
}

std::shared_ptr<Tab> BrowserScope::tab(const CallContext& ctx, const std::string& id) {
  ctx.signal.throw_if_aborted();
  {
    MutexLock lock(mutex_);
    if (browser_ && browser_->alive()) {
      tabs_.drop_gone();
      if (auto found = id.empty() ? tabs_.current() : tabs_.find(id)) return found;
      if (!id.empty()) throw ToolError(gone_words(id) + tabs_.open_list());
    } else if (!id.empty()) {
      throw ToolError(gone_words(id) +
                      (browser_ ? "The browser ended, and its tabs with it; browser_navigate opens a new one."
                                : tabs_.open_list()));
    }
  }
  auto first = take_front(ctx);
  if (!first) first = open_tab(ctx);
  select(first->id());
  return first;
}

std::string BrowserScope::gone_words(const std::string& id) const {
  const std::string words = "There is no tab \"" + id + "\". ";
  if (!id.starts_with(Tab::kSecretPrefix) || !settings_.isolated) return words;
  return words + "An isolated tab is closed " + in_words(settings_.isolated->idle_limit()) +
         " after its last use, and with the session that opened it; browser_tabs new opens another. ";
}

std::shared_ptr<Tab> BrowserScope::open_tab(const CallContext& ctx) {
  const auto [browser, context] = ensure_context(ctx);
  auto tab = browser->create_tab(ctx, *context);
  // The listener filed it on the reader thread, before create_tab could return it.
  MutexLock lock(mutex_);
  offered_front_ = true;
  tabs_.mark_told(tab->id());
  return tab;
}

void BrowserScope::select(const std::string& id) {
  MutexLock lock(mutex_);
  tabs_.select(id);
}

std::shared_ptr<Tab> BrowserScope::tab_at(long index) const {
  const auto alive = listed_tabs();
  if (index < 0 || index >= static_cast<long>(alive.size())) {
    throw ToolError("index " + std::to_string(index) + " names no tab: " +
                    (alive.empty() ? std::string("none is open.")
                                   : (alive.size() == 1 ? "there is " : "there are ") + counted(alive.size(), "tab") +
                                         ", counted from 0."));
  }
  return alive[static_cast<std::size_t>(index)];
}

std::shared_ptr<Tab> BrowserScope::find(const std::string& id) const {
  MutexLock lock(mutex_);
  return tabs_.find(id);
}

std::string BrowserScope::current_id() const {
  MutexLock lock(mutex_);
  return tabs_.current_id();
}

void BrowserScope::close_tab(const CallContext& ctx, const std::shared_ptr<Tab>& tab) {
  std::shared_ptr<Browser> browser;
  {
    MutexLock lock(mutex_);
    browser = browser_;
  }
  if (browser && browser->alive()) browser->close_tab(ctx, *tab);
  MutexLock lock(mutex_);
  tabs_.remove(*tab);
}

bool BrowserScope::close_all(const CallContext& ctx) {
  if (kind_ == Kind::session && settings_.isolated) settings_.isolated->remove_all(this);
  if (routes_) routes_->clear();
  std::shared_ptr<Browser> browser;
  std::shared_ptr<const BrowserContext> context;
  std::vector<std::shared_ptr<Tab>> closed;
  std::unique_ptr<LeftOrigins> left_origins;
  {
    MutexLock lock(mutex_);
    browser = std::move(browser_);
    browser_.reset();
    context = std::move(context_);
    left_origins = std::move(left_origins_);
    closed = tabs_.clear();
  }
  left_origins.reset();
  if (browser && browser->alive()) {
    browser->dispose_context(*context);
    for (const auto& tab : closed) tab->wait_until_gone(ctx.within(limits::kCleanup));
  }
  browser.reset();
  return host_->end_unused(ctx);
}

std::vector<std::shared_ptr<Tab>> BrowserScope::take_popups(const std::string& opener_tab_id) {
  MutexLock lock(mutex_);
  return tabs_.take_popups(opener_tab_id);
}

void BrowserScope::note(const std::string& tab_id, std::string line) {
  MutexLock lock(mutex_);
  tabs_.note(tab_id, std::move(line));
}

std::vector<std::string> BrowserScope::take_notes(const std::string& tab_id) {
  MutexLock lock(mutex_);
  auto notes = std::exchange(restart_notes_, {});
  for (auto& line : tabs_.take_notes(tab_id)) notes.push_back(std::move(line));
  return notes;
}

DocumentOrigin BrowserScope::told_origin(const std::string& tab_id) const {
  MutexLock lock(mutex_);
  return tabs_.told_origin(tab_id);
}

void BrowserScope::tell_origin(const std::string& tab_id, const DocumentOrigin& origin) {
  MutexLock lock(mutex_);
  tabs_.tell_origin(tab_id, origin);
}

int BrowserScope::take_console_mark(const std::string& tab_id, int newest) {
  MutexLock lock(mutex_);
  return tabs_.take_console_mark(tab_id, newest);
}

}  // namespace bridle
