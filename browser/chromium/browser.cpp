#include "browser/chromium/browser.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "base/random.h"
#include "base/thread.h"
#include "browser/cdp/call_or_undo.h"
#include "browser/cdp/websocket_transport.h"

namespace bridle {
namespace {

std::atomic<long> next_tab_number{1};
std::atomic<long> next_owner{1};

constexpr const char* kOwner = "owner-";  // starts a name for a part of a context that sessions share
constexpr std::size_t kSecretTabBytes = 24;

bool is_shared(const std::string& context_id) { return context_id.starts_with(kOwner); }

std::string last_lines(const std::string& text) {
  constexpr std::size_t kShown = 1200;
  return text.size() <= kShown ? text : "…" + text.substr(text.size() - kShown);
}

}  // namespace

Browser::Browser(LaunchOptions options)
    : options_(std::move(options)),
      filter_(options_.origins.empty() ? nullptr : std::make_shared<const RequestFilter>(options_.origins)) {}

std::shared_ptr<Browser> Browser::launch(const CallContext& ctx, const LaunchOptions& options) {
  const std::shared_ptr<Browser> browser(new Browser(options));
  auto process = ChromiumProcess::launch(options);
  auto transport = process->take_transport();
  browser->pid_ = process->pid();
  browser->pipe_ = transport.get();
  {
    MutexLock lock(browser->mutex_);
    browser->process_ = std::move(process);
  }
  browser->start(std::move(transport));
  try {
    const Json version = browser->connection_->call(ctx, "", "Browser.getVersion", {}, limits::kBrowserStart);
    browser->version_ = version.value("product", "");
    browser->connection_->call(ctx, "", "Target.setAutoAttach",
                               {{"autoAttach", true}, {"waitForDebuggerOnStart", true}, {"flatten", true}});
  } catch (const Aborted&) {
    throw;
  } catch (const std::exception& error) {
    browser->connection_->close();
    const std::string status = browser->take_process()->exit_status();
    throw LaunchError("The browser did not start (" + status + "; " + error.what() + "). Its last words:\n" +
                      last_lines(browser->pipe_->stderr_tail()));
  }
  MutexLock lock(browser->mutex_);
  browser->launched_ = true;
  lock.unlock();
  return browser;
}

Browser::~Browser() { close(); }

std::shared_ptr<Browser> Browser::connect(const CallContext& ctx, const LaunchOptions& options) {
  const std::shared_ptr<Browser> browser(new Browser(options));
  browser->start(WebSocketTransport::connect(ctx, options.cdp_endpoint));
  try {
    const Json version = browser->connection_->call(ctx, "", "Browser.getVersion", {}, limits::kCdpCommand);
    browser->version_ = version.value("product", "");
    // Tells of tabs without touching them.
    browser->connection_->call(ctx, "", "Target.setDiscoverTargets", {{"discover", true}});
  } catch (const Aborted&) {
    throw;
  } catch (const std::exception& error) {
    throw LaunchError(
        "The browser at --cdp-endpoint took the connection, but does not answer: " + std::string(error.what()) + ".");
  }
  return browser;
}

void Browser::start(std::unique_ptr<CdpTransport> transport) {
  connection_ = std::make_shared<CdpConnection>(std::move(transport));
  // close() joins the reader before this object goes.
  connection_->set_event_handler(
      "", [this](std::string_view method, std::string_view message) { on_event(method, message); });
  connection_->start([this](const std::string& reason) { on_closed(reason); });
}

void Browser::on_event(std::string_view method, std::string_view message) {
  if (method == "Target.attachedToTarget") {
    on_attached(parse_cdp(message).at("params"));
  } else if (method == "Target.targetCreated") {
    on_target_created(parse_cdp(message).at("params").at("targetInfo"));
  } else if (method == "Target.detachedFromTarget") {
    on_detached(parse_cdp(message).at("params").value("sessionId", ""));
  } else if (method == "Browser.downloadWillBegin" || method == "Browser.downloadProgress") {
    on_download(method, parse_cdp(message).at("params"));
  }
}

// Nobody's tab, or a worker, whose requests count nevertheless.
void Browser::let_run(const CdpSession& session, bool is_worker) {
  if (is_worker && filter_) {
    connection_->set_event_handler(session.id(),
                                   [filter = filter_, session](std::string_view method, std::string_view message) {
                                     if (RequestFilter::wants(method))
                                       filter->answer(session, parse_cdp(message).at("params"), "");
                                   });
    filter_->watch(session);
  }
  session.post("Runtime.runIfWaitingForDebugger");
}

std::string Browser::owner_locked(const std::string& target_id, const std::string& opener_id) {
  if (const auto it = expected_.find(target_id); it != expected_.end()) return it->second.context_id;
  for (const auto& [session, tab] : tabs_) {
    if (!opener_id.empty() && tab->info().target_id == opener_id) return tab->info().context_id;
  }
  // Opened without an opener, by a page (noopener) or by the person at the window: of the only session there is.
  if (attached()) return {};
  std::string only;
  for (const auto& [context, listener] : listeners_) {
    if (!is_shared(context)) continue;
    if (!only.empty()) return {};
    only = context;
  }
  return only;
}

std::string Browser::name_locked(const std::string& context_id) const {
  const auto it = listeners_.find(context_id);
  const bool secret = it != listeners_.end() && it->second.ids == TabIds::secret;
  return secret ? Tab::kSecretPrefix + random_token(kSecretTabBytes) : "t" + std::to_string(next_tab_number++);
}

void Browser::on_attached(const Json& params) {
  const auto& target = params.at("targetInfo");
  const CdpSession session(connection_, params.value("sessionId", ""));
  const auto type = target.value("type", "");
  if (type != "page") return let_run(session, type == "service_worker" || type == "shared_worker");
  Tab::Info info{target.value("targetId", ""), target.value("browserContextId", ""), target.value("openerId", "")};
  info.existed = attached();
  TabListener listener;
  std::shared_ptr<Tab> tab;
  {
    MutexLock lock(mutex_);
    if (shares_context()) {
      const bool isolated = listeners_.contains(info.context_id);  // then the browser tells whose it is
      const bool expected = expected_.contains(info.target_id);
      if (!isolated && !expected && creating_ > 0 && info.opener_id.empty()) {
        unclaimed_.emplace(info.target_id, params);
        return;
      }
      if (!isolated) info.context_id = owner_locked(info.target_id, info.opener_id);
      if (expected) info.lent = expected_[info.target_id].lent;
      expected_.erase(info.target_id);
    }
    const auto it = listeners_.find(info.context_id);
    if (it != listeners_.end()) listener = it->second.tell;
    if (listener) {
      tab = std::make_shared<Tab>(name_locked(info.context_id), info, session, filter_);
      tabs_[session.id()] = tab;
    }
  }
  if (!tab) {
    // Not ours: the window that Chromium opens at its start, or a tab whose session ended meanwhile.
    if (attached()) return connection_->post("", "Target.detachFromTarget", {{"sessionId", session.id()}});
    return let_run(session, false);
  }
  // A window that somebody looks at keeps its size.
  tab->attach(attached() ? 0 : options_.width, options_.height);
  listener(tab);
  changed_.notify_all();
}

void Browser::expect(const std::string& target_id, const std::string& context_id, bool lent) {
  {
    MutexLock lock(mutex_);
    expected_[target_id] = {context_id, lent};
  }
  if (attached()) connection_->post("", "Target.attachToTarget", {{"targetId", target_id}, {"flatten", true}});
}

// The reply to Target.createTarget tells whose the new tab is; "" when there is none. Reader thread.
void Browser::on_created(const std::string& context_id, const std::string& target_id) {
  // Of an isolated context's the browser itself has told whose it is; but it may have to be attached to.
  if (!target_id.empty() && (attached() || is_shared(context_id))) expect(target_id, context_id, false);
  std::vector<Json> known;
  {
    MutexLock lock(mutex_);
    --creating_;
    for (auto it = unclaimed_.begin(); it != unclaimed_.end();) {
      if (creating_ > 0 && it->first != target_id) {
        ++it;
        continue;
      }
      known.push_back(std::move(it->second));
      it = unclaimed_.erase(it);
    }
  }
  for (const auto& params : known) on_attached(params);
}

// Of a browser that isn't ours only the popups of our own tabs are followed.
void Browser::on_target_created(const Json& info) {
  if (!attached() || info.value("type", "") != "page") return;
  const auto opener = info.value("openerId", "");
  std::string owner;
  {
    MutexLock lock(mutex_);
    for (const auto& [session, tab] : tabs_) {
      if (!opener.empty() && tab->info().target_id == opener) owner = tab->info().context_id;
    }
  }
  if (!owner.empty()) expect(info.value("targetId", ""), owner, false);
}

void Browser::on_detached(const std::string& session) {
  std::shared_ptr<Tab> tab;
  {
    MutexLock lock(mutex_);
    const auto it = tabs_.find(session);
    if (it != tabs_.end()) {
      tab = it->second;
      tabs_.erase(it);
    }
  }
  if (!tab) {  // none of ours, but we may have asked it something, or it is a worker
    connection_->set_event_handler(session, nullptr);
    return connection_->fail_session(session, "it was closed");
  }
  tab->mark_gone("it was closed");
  changed_.notify_all();
}

void Browser::on_closed(const std::string& reason) {
  std::map<std::string, std::shared_ptr<Tab>> tabs;
  {
    MutexLock lock(mutex_);
    end_reason_ = reason;
    tabs.swap(tabs_);
    listeners_.clear();
    downloads_.clear();
    // A browser that ended by itself leaves a zombie and a profile: cleared now, not at the next call.
    if (launched_ && process_) {
      reaper_ = start_thread("bridle-reaper", [this] { take_process().reset(); });
    }
  }
  ended_ = true;
  for (auto& [session, tab] : tabs) tab->mark_gone("its browser ended");
  changed_.notify_all();
  spdlog::info("the browser (pid {}) ended: {}", pid(), reason);
}

std::string Browser::end_reason() const {
  MutexLock lock(mutex_);
  return end_reason_;
}

std::string Browser::create_context(const CallContext& ctx, bool isolated) {
  ctx.signal.throw_if_aborted();
  if (shares_context() && !isolated) return kOwner + std::to_string(next_owner++);
  const Json result = call_or_undo(
      *connection_, ctx, "Target.createBrowserContext", {{"disposeOnDetach", true}},
      [connection = connection_.get()](const Json& late) {
        connection->post("", "Target.disposeBrowserContext", {{"browserContextId", late.at("browserContextId")}});
      });
  return result.value("browserContextId", "");
}

void Browser::dispose_context(const std::string& context_id) {
  unlisten_tabs(context_id);
  if (is_shared(context_id)) {
    std::vector<std::shared_ptr<Tab>> owned;
    {
      MutexLock lock(mutex_);
      for (const auto& [session, tab] : tabs_) {
        if (tab->info().context_id == context_id) owned.push_back(tab);
      }
    }
    for (const auto& tab : owned) {
      if (tab->info().lent) {
        connection_->post("", "Target.detachFromTarget", {{"sessionId", tab->session().id()}});
      } else {
        connection_->post("", "Target.closeTarget", {{"targetId", tab->info().target_id}});
      }
    }
    return;
  }
  if (!context_id.empty()) connection_->post("", "Target.disposeBrowserContext", {{"browserContextId", context_id}});
}

std::shared_ptr<Tab> Browser::create_tab(const CallContext& ctx, const std::string& context_id) {
  ctx.signal.throw_if_aborted();  // before it counts as being made
  Json params{{"url", "about:blank"}};
  std::function<void(const CdpReply&)> seen;
  if (shares_context()) {
    {
      MutexLock lock(mutex_);
      ++creating_;
    }
    seen = [this, context_id](const CdpReply& reply) {
      const bool made = reply.kind == CdpReply::Kind::result;
      on_created(context_id, made ? parse_cdp(reply.message).at("result").value("targetId", "") : "");
    };
  }
  if (!context_id.empty() && !is_shared(context_id)) params["browserContextId"] = context_id;
  const auto close_late = [connection = connection_.get()](const Json& late) {
    connection->post("", "Target.closeTarget", {{"targetId", late.at("targetId")}});
  };
  const Json result = call_or_undo(*connection_, ctx, "Target.createTarget", params, close_late, seen);
  const auto target_id = result.value("targetId", "");
  try {
    return await_tab(ctx, target_id);
  } catch (const Aborted&) {
    close_late(result);
    throw;
  }
}

std::shared_ptr<Tab> Browser::await_tab(const CallContext& ctx, const std::string& target_id) {
  // attachedToTarget comes before or after the reply.
  std::shared_ptr<Tab> tab;
  MutexLock lock(mutex_);
  wait_until(ctx.within(limits::kCdpCommand), changed_, lock, [&]() REQUIRES(mutex_) {
    for (const auto& [session, candidate] : tabs_) {
      if (candidate->info().target_id == target_id) tab = candidate;
    }
    return tab != nullptr || ended_.load();
  });
  lock.unlock();
  if (!tab) throw CdpClosed("Target.createTarget: the new tab did not appear");
  tab->wait(ctx.within(limits::kCdpCommand), [](TabView& view) { return view.ready || view.gone; });
  return tab;
}

std::vector<Browser::Stranger> Browser::strangers(const CallContext& ctx) {
  std::vector<Stranger> found;
  if (!attached()) return found;
  const Json targets = connection_->call(ctx, "", "Target.getTargets", Json::object());
  MutexLock lock(mutex_);
  for (const Json& info : targets.at("targetInfos")) {
    const auto id = info.value("targetId", "");
    const bool ours =
        std::any_of(tabs_.begin(), tabs_.end(), [&](const auto& item) { return item.second->info().target_id == id; });
    const auto url = info.value("url", "");
    // The browser's own pages can't be driven: they are policy's business (config/url_policy).
    if (ours || info.value("type", "") != "page" || url.starts_with("devtools:") || url.starts_with("chrome")) continue;
    found.push_back({id, info.value("title", ""), url});
  }
  return found;
}

std::shared_ptr<Tab> Browser::adopt_tab(const CallContext& ctx, const std::string& context_id,
                                        const std::string& target_id) {
  {
    MutexLock lock(mutex_);
    expected_[target_id] = {context_id, true};
  }
  try {
    connection_->call(ctx, "", "Target.attachToTarget", {{"targetId", target_id}, {"flatten", true}});
    return await_tab(ctx, target_id);
  } catch (...) {
    MutexLock lock(mutex_);
    expected_.erase(target_id);
    throw;
  }
}

void Browser::close_tab(const CallContext& ctx, Tab& tab) {
  try {
    connection_->call(ctx, "", "Target.closeTarget", {{"targetId", tab.info().target_id}});
  } catch (const CdpError&) {
    // It was closed already.
  }
  // closeTarget succeeds even when a beforeunload dialog then opens; to us the tab is gone either way.
  const bool dialog =
      !tab.wait(ctx.within(limits::kCleanup), [](TabView& view) { return view.gone || view.dialog.open(); }) ||
      tab.with([](TabView& view) { return view.dialog.open().has_value(); });
  if (dialog) {
    tab.session().post("Page.handleJavaScriptDialog", {{"accept", true}});
    tab.wait(ctx.within(limits::kCleanup), [](TabView& view) { return view.gone; });
  }
}

void Browser::listen_tabs(const std::string& context_id, TabListener listener, TabIds ids) {
  MutexLock lock(mutex_);
  listeners_[context_id] = {std::move(listener), ids};
}

void Browser::unlisten_tabs(const std::string& context_id) {
  MutexLock lock(mutex_);
  listeners_.erase(context_id);
  downloads_.erase(context_id);
}

void Browser::keep_downloads(const CallContext& ctx, const std::string& context_id, const std::string& folder) {
  Json params{{"behavior", "allowAndName"}, {"downloadPath", folder}, {"eventsEnabled", true}};
  if (!is_shared(context_id)) params["browserContextId"] = context_id;
  connection_->call(ctx, "", "Browser.setDownloadBehavior", params);
}

void Browser::cancel_download(const std::string& context_id, const std::string& guid) {
  Json params{{"guid", guid}};
  if (!is_shared(context_id)) params["browserContextId"] = context_id;
  connection_->post("", "Browser.cancelDownload", params);
}

void Browser::listen_downloads(const std::string& context_id, DownloadListener listener) {
  MutexLock lock(mutex_);
  downloads_[context_id] = std::move(listener);
}

// A link to a new tab that turns out to be a download leaves no tab: what opened it is told instead.
std::shared_ptr<Tab> Browser::tab_of_frame(const std::string& frame_id) const {
  std::vector<std::shared_ptr<Tab>> tabs;
  {
    MutexLock lock(mutex_);
    for (const auto& [session, tab] : tabs_) tabs.push_back(tab);
  }
  for (const auto& tab : tabs) {
    const auto opener = tab->info().opener_id;
    bool holds = false;
    bool empty = false;
    tab->with([&](TabView& view) {
      holds = view.frames.find(frame_id) != nullptr;
      empty = view.navigation.url().empty();
    });
    if (!holds) continue;
    const auto opened_by = std::find_if(tabs.begin(), tabs.end(), [&](const auto& other) {
      return empty && !opener.empty() && other->info().target_id == opener;
    });
    return opened_by == tabs.end() ? tab : *opened_by;
  }
  return nullptr;
}

void Browser::on_download(std::string_view method, const Json& params) {
  const auto guid = params.value("guid", "");
  const bool begins = method == "Browser.downloadWillBegin";
  const auto tab = begins ? tab_of_frame(params.value("frameId", "")) : nullptr;
  DownloadListener listener;
  {
    MutexLock lock(mutex_);
    if (tab) download_owners_[guid] = tab->info().context_id;
    const auto owner = download_owners_.find(guid);
    if (owner == download_owners_.end()) return;
    if (const auto it = downloads_.find(owner->second); it != downloads_.end()) listener = it->second;
    if (!begins && params.value("state", "") != "inProgress") download_owners_.erase(owner);
  }
  if (listener) listener(tab ? tab->id() : std::string(), method, params);
}

std::unique_ptr<ChromiumProcess> Browser::take_process() {
  MutexLock lock(mutex_);
  return std::move(process_);
}

void Browser::close() {
  auto process = take_process();
  if (process && !options_.user_data_dir.empty() && connection_ && connection_->open()) {
    // The profile is kept: the browser is to write it to the end, which the mere end of its pipe doesn't promise.
    try {
      connection_->call(CallContext{}.within(limits::kCleanup), "", "Browser.close", {});
    } catch (const std::exception& error) {
      spdlog::debug("the browser's own end: {}", error.what());
    }
  }
  if (attached() && connection_ && connection_->open()) {
    std::vector<std::string> owners;
    {
      MutexLock lock(mutex_);
      for (const auto& [owner, listener] : listeners_) owners.push_back(owner);
    }
    for (const auto& owner : owners) dispose_context(owner);
    try {  // its reply tells that what was posted before it was read
      connection_->call(CallContext{}.within(limits::kCleanup), "", "Browser.getVersion", {});
    } catch (const std::exception& error) {
      spdlog::debug("detaching: {}", error.what());
    }
  }
  if (connection_) connection_->stop();
  process.reset();
  MutexLock lock(mutex_);
  auto reaper = std::move(reaper_);
  lock.unlock();
  if (reaper.joinable()) reaper.join();
}

long Browser::tab_count() const {
  MutexLock lock(mutex_);
  return static_cast<long>(tabs_.size());
}

}  // namespace bridle
