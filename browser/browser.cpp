#include "browser/browser.h"

#include <spdlog/spdlog.h>

#include <functional>
#include <optional>
#include <utility>

#include "base/limits.h"

namespace bridle {
namespace {

std::atomic<long> next_tab_number{1};

std::string last_lines(const std::string& text) {
  constexpr std::size_t kShown = 1200;
  return text.size() <= kShown ? text : "…" + text.substr(text.size() - kShown);
}

// A command that makes something in the browser. A caller that leaves before the reply (abort, time) must not leave the
// thing behind: the reply, whenever it comes, is handed to `undo` instead.
Json call_or_undo(CdpConnection& connection, const CallContext& ctx, std::string_view method, const Json& params,
                  std::function<void(const Json& result)> undo) {
  ctx.signal.throw_if_aborted();
  struct Slot {
    Mutex mutex;
    CondVar ready;
    bool abandoned = false;
    std::optional<CdpReply> reply;
  };
  const auto slot = std::make_shared<Slot>();
  connection.post("", method, params, [slot, undo](CdpReply reply) {
    MutexLock lock(slot->mutex);
    if (!slot->abandoned) {
      slot->reply = std::move(reply);
      slot->ready.notify_all();
      return;
    }
    lock.unlock();
    if (reply.kind == CdpReply::Kind::result) undo(parse_cdp(reply.message).at("result"));
  });
  MutexLock lock(slot->mutex);
  try {
    const bool replied =
        wait_until(ctx.within(limits::kCdpCommand), slot->ready, lock, [&] { return slot->reply.has_value(); });
    if (!replied) throw CdpTimeout(fmt::format("{}: no reply from the browser in time", method));
  } catch (...) {
    slot->abandoned = true;
    const auto late = std::exchange(slot->reply, std::nullopt);
    lock.unlock();
    if (late && late->kind == CdpReply::Kind::result) undo(parse_cdp(late->message).at("result"));
    throw;
  }
  const CdpReply reply = std::move(*slot->reply);
  lock.unlock();
  if (reply.kind == CdpReply::Kind::closed) throw CdpClosed(std::string(method) + ": " + reply.message);
  if (reply.kind == CdpReply::Kind::error) throw_cdp_error(method, reply.message);
  return parse_cdp(reply.message).at("result");
}

}  // namespace

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
  } else if (method == "Target.detachedFromTarget") {
    on_detached(parse_cdp(message).at("params").value("sessionId", ""));
  } else if (method == "Browser.downloadWillBegin" || method == "Browser.downloadProgress") {
    DownloadListener listener;
    {
      MutexLock lock(mutex_);
      listener = downloads_;
    }
    if (listener) listener(method, parse_cdp(message).at("params"));
  }
}

void Browser::on_attached(const Json& params) {
  const auto& target = params.at("targetInfo");
  const CdpSession session(connection_, params.value("sessionId", ""));
  if (target.value("type", "") != "page") {
    session.post("Runtime.runIfWaitingForDebugger");
    return;
  }
  Tab::Info info{target.value("targetId", ""), target.value("browserContextId", ""), target.value("openerId", "")};
  TabListener listener;
  std::shared_ptr<Tab> tab;
  {
    MutexLock lock(mutex_);
    const auto it = listeners_.find(info.context_id);
    if (it != listeners_.end()) listener = it->second;
    if (listener) {
      tab = std::make_shared<Tab>("t" + std::to_string(next_tab_number++), info, session);
      tabs_[session.id()] = tab;
    }
  }
  if (!tab) {  // not ours: the window that Chromium opens at its start
    session.post("Runtime.runIfWaitingForDebugger");
    return;
  }
  tab->attach(options_.width, options_.height);
  listener(tab);
  changed_.notify_all();
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
  if (!tab)
    return connection_->fail_session(session, "it was closed");  // none of ours, but we may have asked it something
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
    downloads_ = nullptr;
    // A browser that ended by itself leaves a zombie and a profile: cleared now, not at the next call.
    if (launched_ && process_) {
      reaper_ = std::thread([this] { take_process().reset(); });
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

std::string Browser::create_context(const CallContext& ctx) {
  const Json result = call_or_undo(
      *connection_, ctx, "Target.createBrowserContext", {{"disposeOnDetach", true}},
      [connection = connection_.get()](const Json& late) {
        connection->post("", "Target.disposeBrowserContext", {{"browserContextId", late.at("browserContextId")}});
      });
  return result.value("browserContextId", "");
}

void Browser::dispose_context(const std::string& context_id) {
  unlisten_tabs(context_id);
  if (!context_id.empty()) connection_->post("", "Target.disposeBrowserContext", {{"browserContextId", context_id}});
}

std::shared_ptr<Tab> Browser::create_tab(const CallContext& ctx, const std::string& context_id) {
  Json params{{"url", "about:blank"}};
  if (!context_id.empty()) params["browserContextId"] = context_id;
  const auto close_late = [connection = connection_.get()](const Json& late) {
    connection->post("", "Target.closeTarget", {{"targetId", late.at("targetId")}});
  };
  const Json result = call_or_undo(*connection_, ctx, "Target.createTarget", params, close_late);
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

void Browser::listen_tabs(const std::string& context_id, TabListener listener) {
  MutexLock lock(mutex_);
  listeners_[context_id] = std::move(listener);
}

void Browser::unlisten_tabs(const std::string& context_id) {
  MutexLock lock(mutex_);
  listeners_.erase(context_id);
}

void Browser::listen_downloads(DownloadListener listener) {
  MutexLock lock(mutex_);
  downloads_ = std::move(listener);
}

std::unique_ptr<ChromiumProcess> Browser::take_process() {
  MutexLock lock(mutex_);
  return std::move(process_);
}

void Browser::close() {
  auto process = take_process();
  if (connection_) connection_->stop();
  process.reset();
  std::thread reaper;
  {
    MutexLock lock(mutex_);
    reaper = std::move(reaper_);
  }
  if (reaper.joinable()) reaper.join();
}

long Browser::tab_count() const {
  MutexLock lock(mutex_);
  return static_cast<long>(tabs_.size());
}

// --- BrowserHost

BrowserHost::~BrowserHost() { shutdown(); }

std::shared_ptr<Browser> BrowserHost::ensure(const CallContext& ctx) {
  ctx.signal.throw_if_aborted();
  std::shared_ptr<Browser> dead;  // its destructor joins threads: outside the lock
  MutexLock lock(mutex_);
  if (shut_down_) throw LaunchError("The server is shutting down.");
  if (browser_ && browser_->alive()) return browser_;
  dead = std::move(browser_);
  if (!launching_) launch_in_background();
  const int before = attempts_;
  // One that hangs is ended before it is told of: with its exit status and what it said.
  const bool done = wait_until(ctx.within(limits::kBrowserStart + 2 * limits::kBrowserExit + limits::kCleanup),
                               changed_, lock, [&]() REQUIRES(mutex_) { return attempts_ != before || shut_down_; });
  if (!done) throw LaunchError("The browser did not start in time. See the server's log.");
  if (!browser_) throw LaunchError(launch_error_.empty() ? "The server is shutting down." : launch_error_);
  auto started = browser_;
  lock.unlock();
  return started;
}

void BrowserHost::launch_in_background() {
  launching_ = true;
  if (launcher_.joinable()) launcher_.join();  // it has ended: launching_ was false
  launcher_ = std::thread([this] {
    std::shared_ptr<Browser> started;
    std::string error;
    try {
      CallContext ctx;
      ctx.signal = stop_.signal();
      started = Browser::launch(ctx, options_);
      spdlog::info("browser ready: {} (pid {})", started->version(), started->pid());
    } catch (const std::exception& failure) {
      error = failure.what();
      spdlog::error("the browser could not be started: {}", error);
    }
    MutexLock lock(mutex_);
    if (!shut_down_) browser_ = std::move(started);
    launch_error_ = error;
    launching_ = false;
    ++attempts_;
    if (browser_) ++generation_;
    changed_.notify_all();
    lock.unlock();
  });
}

std::shared_ptr<Browser> BrowserHost::current() const {
  MutexLock lock(mutex_);
  return browser_ && browser_->alive() ? browser_ : nullptr;
}

int BrowserHost::generation() const {
  MutexLock lock(mutex_);
  return generation_;
}

void BrowserHost::shutdown() {
  std::shared_ptr<Browser> last;
  std::thread launcher;
  {
    MutexLock lock(mutex_);
    shut_down_ = true;
    last = std::move(browser_);
    launcher = std::move(launcher_);
  }
  stop_.abort(AbortReason::shutdown);
  changed_.notify_all();
  if (launcher.joinable()) launcher.join();
  if (last) last->close();
}

}  // namespace bridle
