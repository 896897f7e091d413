#include "browser/chromium/browser.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/concurrency/thread.h"
#include "base/limits.h"
#include "base/text/text.h"
#include "browser/cdp/call_or_undo.h"
#include "browser/cdp/websocket_transport.h"
#include "browser/chromium/browser_network.h"
#include "browser/emulation/service_workers.h"

namespace bridle {
namespace {

std::string last_words(const std::string& text) {
  constexpr std::size_t kShown = 1200;
  if (trimmed(text, " \t\r\n").empty()) return "It wrote nothing to stdout or stderr.";
  return "Its last words:\n" + (text.size() <= kShown ? text : "…" + text.substr(text.size() - kShown));
}

// One that will be started again needs no long time to end.
constexpr Millis kOtherUserExit{500};

// The browser didn't start as a user other than root; `status`: how it ended.
struct OtherUserFailed : LaunchError {
  OtherUserFailed(const std::string& words, std::string how) : LaunchError(words), status(std::move(how)) {}
  std::string status;
};

WebSocketTransport::Settings connection_settings(const LaunchOptions& options) {
  return {.headers = options.cdp_headers, .timeout = options.cdp_timeout};
}

std::shared_ptr<const std::vector<std::string>> init_scripts_of(const LaunchOptions& options) {
  if (!options.block_service_workers) return options.init_scripts;
  std::vector<std::string> scripts{kNoServiceWorkers};
  if (options.init_scripts) scripts.insert(scripts.end(), options.init_scripts->begin(), options.init_scripts->end());
  return std::make_shared<const std::vector<std::string>>(std::move(scripts));
}

}  // namespace

Browser::Browser(LaunchOptions options, std::unique_ptr<CdpTransport> transport,
                 std::unique_ptr<ChromiumProcess> process, std::unique_ptr<const ForwardProxy> proxy)
    : options_(std::move(options)),
      pid_(process ? process->pid() : -1),
      user_(process ? process->user() : BrowserUser{}),
      proxy_(std::move(proxy)),
      filter_(make_request_filter(options_, proxy_.get())),
      connection_(std::make_shared<CdpConnection>(std::move(transport))),
      tabs_({.filter = filter_,
             .page_script = options_.page_script,
             .script_kit = options_.script_kit,
             .saw_origin = [seen = seen_origins_](const std::string& context,
                                                  const std::string& origin) { seen->add(context, origin); },
             .saw_clearing = [seen = seen_origins_](const std::string& context) { seen->touch_all(context); },
             .init_scripts = init_scripts_of(options_),
             .bypass_service_workers = options_.block_service_workers}),
      downloads_(connection_, tabs_),
      process_(std::move(process)) {
  // close() joins the reader before this object goes.
  connection_->set_event_handler(
      "", [this](std::string_view method, std::string_view message) { on_event(method, message); });
  connection_->start([this](const std::string& reason) { on_closed(reason); });
}

Browser::~Browser() { close(); }

std::shared_ptr<Browser> Browser::launch(const CallContext& ctx, const LaunchOptions& options) {
  try {
    return launch_as(ctx, options, std::nullopt);
  } catch (const OtherUserFailed& failure) {
    if (ctx.deadline.expired()) throw;  // a second start would only lose the words of the first
    // Whoever has taken over a Chromium could spoil its profile so that it becomes root at its next start.
    if (!options.user_data_dir.empty()) throw;
    spdlog::warn("{}", failure.what());
    return launch_as(ctx, options, browser_user_root(failure.status));
  }
}

std::shared_ptr<Browser> Browser::launch_as(const CallContext& ctx, const LaunchOptions& options,
                                            std::optional<BrowserUser> user) {
  auto proxy = make_forward_proxy(options);
  auto process = ChromiumProcess::launch(options, proxy ? proxy->port() : 0, std::move(user));
  auto transport = process->take_transport();
  const PipeTransport& pipe = *transport;  // owned by the connection
  const std::shared_ptr<Browser> browser(
      new Browser(options, std::move(transport), std::move(process), std::move(proxy)));
  auto& connection = *browser->connection_;
  try {
    const Json version = connection.call(ctx, "", "Browser.getVersion", {}, limits::kBrowserStart);
    browser->version_ = version.value("product", "");
    browser->begin_emulation();
    connection.call(ctx, "", "Target.setAutoAttach",
                    {{"autoAttach", true}, {"waitForDebuggerOnStart", true}, {"flatten", true}});
  } catch (const Aborted&) {
    throw;
  } catch (const std::exception& error) {
    connection.close();
    const bool other = browser->user_.kind == BrowserUser::Kind::other;
    const auto ended = browser->take_process();
    const std::string status = ended->exit_status(other ? kOtherUserExit : limits::kBrowserExit);
    const auto words = "(" + status + "; " + error.what() + "). " + last_words(pipe.stderr_tail());
    if (!other) throw LaunchError("The browser did not start " + words);
    const auto uid = std::to_string(browser->user_.user.uid);
    throw OtherUserFailed("The browser did not start as user " + uid + " " + words, status);
  }
  MutexLock lock(browser->mutex_);
  browser->launched_ = true;
  lock.unlock();
  return browser;
}

std::shared_ptr<Browser> Browser::connect(const CallContext& ctx, const LaunchOptions& options) {
  const std::shared_ptr<Browser> browser(new Browser(
      options, WebSocketTransport::connect(ctx, options.cdp_endpoint, connection_settings(options)), nullptr, nullptr));
  auto& connection = *browser->connection_;
  try {
    const Json version =
        connection.call(ctx, "", "Browser.getVersion", {}, std::max(options.cdp_timeout, limits::kCdpCommand));
    browser->version_ = version.value("product", "");
    browser->begin_emulation();
    // Tells of tabs without touching them.
    connection.call(ctx, "", "Target.setDiscoverTargets", {{"discover", true}});
  } catch (const Aborted&) {
    throw;
  } catch (const std::exception& error) {
    throw LaunchError(
        "The browser at --cdp-endpoint took the connection, but does not answer: " + std::string(error.what()) + ".");
  }
  return browser;
}

void Browser::on_event(std::string_view method, std::string_view message) {
  if (method == "Target.attachedToTarget") {
    on_attached(parse_cdp(message).at("params"));
  } else if (method == "Target.targetCreated") {
    on_target_created(parse_cdp(message).at("params").at("targetInfo"));
  } else if (method == "Target.detachedFromTarget") {
    on_detached(parse_cdp(message).at("params").value("sessionId", ""));
  } else if (DownloadRouter::wants(method)) {
    downloads_.on_event(method, parse_cdp(message).at("params"));
  } else if (filter_ && RequestFilter::wants(method)) {
    on_request_paused(method, parse_cdp(message).at("params"));
  }
}

// A document of a frame that no tab has told of yet is judged by the lists all the same.
void Browser::on_request_paused(std::string_view method, const Json& params) {
  const CdpSession session(connection_, "");
  if (const auto tab = tabs_.with_frame(params.value("frameId", ""))) {
    tab->on_request_paused(session, method, params);
  } else {
    filter_->answer(session, method, params, "");
  }
}

void Browser::on_attached(const Json& params) {
  const auto& target = params.at("targetInfo");
  const CdpSession session(connection_, params.value("sessionId", ""));
  const auto type = target.value("type", "");
  if (type != "page") {
    if (type == "service_worker" || type == "shared_worker")
      begin_worker(session, target.value("browserContextId", ""));
    return session.post("Runtime.runIfWaitingForDebugger");
  }
  // A second session of a tab of ours (ExtraSession), whose maker hears of it by the reply.
  if (tabs_.find(target.value("targetId", ""))) return;
  Tab::Info info{target.value("targetId", ""), target.value("browserContextId", ""), target.value("openerId", "")};
  info.existed = attached();
  const auto arrival = tabs_.add(params, std::move(info), session);
  if (arrival.held_back) return;
  if (!arrival.tab) {
    // Nobody's: the window that Chromium opens at its start, or a stray.
    if (attached()) return connection_->post("", "Target.detachFromTarget", {{"sessionId", session.id()}});
    if (!arrival.stray) return session.post("Runtime.runIfWaitingForDebugger");
    spdlog::info("a new tab that no session's page has opened was closed");
    return connection_->post("", "Target.closeTarget", {{"targetId", target.value("targetId", "")}});
  }
  // A window that somebody looks at keeps its size.
  arrival.tab->attach(attached() ? 0 : options_.width, options_.height);
  arrival.tab->when_clock_moves([this, tab = arrival.tab.get()] { keep_clocks(*tab); });
  arrival.listener(arrival.tab);
  tabs_.announce();
}

// Where we are attached to somebody else's browser; others attach us to each new tab by themselves.
void Browser::attach_expected(const std::string& target_id) {
  if (attached()) connection_->post("", "Target.attachToTarget", {{"targetId", target_id}, {"flatten", true}});
}

// In a browser that we are attached to, only the popups of our own tabs are followed.
void Browser::on_target_created(const Json& info) {
  if (!attached() || info.value("type", "") != "page") return;
  const auto target_id = info.value("targetId", "");
  if (tabs_.expect_popup(target_id, info.value("openerId", ""))) attach_expected(target_id);
}

void Browser::on_detached(const std::string& session) {
  const auto tab = tabs_.remove(session);
  if (!tab) {  // none of ours, but we may have sent it a command, or it is a worker
    connection_->set_event_handler(session, nullptr);
    forget_worker(session);
    return connection_->fail_session(session, "it was closed");
  }
  tab->mark_gone("it was closed");
  keep_clocks(*tab);
}

void Browser::on_closed(const std::string& reason) {
  {
    MutexLock lock(mutex_);
    end_reason_ = closed_because_.empty() ? reason : closed_because_;
    // A browser that ended by itself leaves a zombie and a profile: cleared now, not at the next call.
    if (launched_ && process_) {
      reaper_ = start_thread("bridle-reaper", [this] { take_process().reset(); });
    }
  }
  ended_ = true;
  downloads_.close();
  for (const auto& tab : tabs_.close()) tab->mark_gone("its browser ended");
  const auto which = attached() ? std::string("at --cdp-endpoint") : "(pid " + std::to_string(pid()) + ")";
  spdlog::info("the browser {} ended: {}", which, reason);
}

std::string Browser::end_reason() const {
  MutexLock lock(mutex_);
  return end_reason_;
}

std::shared_ptr<const BrowserContext> Browser::make_context(const CallContext& ctx, bool isolated) {
  ctx.signal.throw_if_aborted();
  if (!isolated && attached()) return std::make_shared<AttachedContext>();
  if (!isolated && shares_profile()) return std::make_shared<SharedContext>();
  const Json result = call_or_undo(
      *connection_, ctx, "Target.createBrowserContext", {{"disposeOnDetach", true}},
      [connection = connection_.get()](const Json& late) {
        connection->post("", "Target.disposeBrowserContext", {{"browserContextId", late.at("browserContextId")}});
      });
  auto id = result.value("browserContextId", "");
  if (isolated) return std::make_shared<IsolatedContext>(std::move(id));
  return std::make_shared<OwnContext>(std::move(id));
}

void Browser::listen_tabs(std::shared_ptr<const BrowserContext> context, TabDirectory::Listener listener,
                          std::shared_ptr<RouteTable> routes) {
  tabs_.listen(std::move(context), std::move(listener), std::move(routes));
}

void Browser::dispose_context(const BrowserContext& context) {
  tabs_.unlisten(context.id());
  downloads_.unlisten(context.id());
  if (context.named_by_events()) seen_origins_->forget(context.id());
  drop_permissions(context);
  context.dispose(*connection_, tabs_.of_context(context.id()));
}

std::optional<std::set<std::string>> Browser::shown_origins(const BrowserContext& context) const {
  std::set<std::string> origins;
  for (const auto& tab : tabs_.of_context(context.id())) {
    if (!tab->add_origins(origins)) return std::nullopt;
  }
  return origins;
}

std::shared_ptr<Tab> Browser::create_tab(const CallContext& ctx, const BrowserContext& context) {
  ctx.signal.throw_if_aborted();  // before it counts as being made
  std::function<void(const CdpReply&)> seen;
  if (shares_profile()) {
    // The browser's events don't tell whose a new tab is, but its reply to this command does.
    tabs_.begin_creation();
    const bool attaches = attached() || !context.named_by_events();
    seen = [this, id = context.id(), attaches](const CdpReply& reply) {
      const bool made = reply.kind == CdpReply::Kind::result;
      const auto target_id = made ? parse_cdp(reply.message).at("result").value("targetId", "") : std::string();
      if (!target_id.empty() && attaches) {
        tabs_.expect(target_id, id, false);
        attach_expected(target_id);
      }
      for (const auto& held_back : tabs_.end_creation(target_id)) on_attached(held_back);
    };
  }
  const auto close_late = [connection = connection_.get()](const Json& late) {
    connection->post("", "Target.closeTarget", {{"targetId", late.at("targetId")}});
  };
  const Json result = call_or_undo(*connection_, ctx, "Target.createTarget", context.address({{"url", "about:blank"}}),
                                   close_late, seen);
  try {
    return await_tab(ctx, result.value("targetId", ""));
  } catch (const Aborted&) {
    close_late(result);
    throw;
  }
}

std::shared_ptr<Tab> Browser::await_tab(const CallContext& ctx, const std::string& target_id) {
  // attachedToTarget comes before or after the reply.
  auto tab = tabs_.await(ctx.within(limits::kCdpCommand), target_id);
  if (!tab) throw CdpClosed("Target.createTarget: the new tab did not appear");
  tab->wait_until_ready(ctx.within(limits::kCdpCommand));
  return tab;
}

std::vector<ForeignTarget> Browser::foreign_tabs(const CallContext& ctx) {
  std::vector<ForeignTarget> found;
  if (!attached()) return found;
  const Json targets = connection_->call(ctx, "", "Target.getTargets", Json::object());
  for (const Json& info : targets.at("targetInfos")) {
    const auto id = info.value("targetId", "");
    const auto url = info.value("url", "");
    // The browser's own pages can't be driven: they are policy's business (config/network/url_policy).
    const bool page = info.value("type", "") == "page" && !url.starts_with("devtools:") && !url.starts_with("chrome");
    if (page && !tabs_.find(id)) found.push_back({id, info.value("title", ""), url});
  }
  return found;
}

std::optional<ForeignTarget> Browser::front_tab(const CallContext& ctx) {
  if (!attached()) return std::nullopt;
  // [why.front-tab-by-list]
  const auto front = WebSocketTransport::latest_page(ctx, options_.cdp_endpoint, connection_settings(options_));
  if (front.empty()) return std::nullopt;
  for (auto& tab : foreign_tabs(ctx)) {
    if (tab.target_id == front) return std::move(tab);
  }
  return std::nullopt;
}

std::shared_ptr<Tab> Browser::attach_tab(const CallContext& ctx, const BrowserContext& context,
                                         const std::string& target_id) {
  tabs_.expect(target_id, context.id(), true);
  try {
    connection_->call(ctx, "", "Target.attachToTarget", {{"targetId", target_id}, {"flatten", true}});
    return await_tab(ctx, target_id);
  } catch (...) {
    tabs_.expect_no_longer(target_id);
    throw;
  }
}

void Browser::close_tab(const CallContext& ctx, Tab& tab) {
  tab.close();
  tab.wait_until_gone(ctx.within(2 * limits::kCleanup));
}

void Browser::let_go(const CallContext& ctx, const Tab& tab) {
  connection_->post("", "Target.detachFromTarget", {{"sessionId", tab.session().id()}});
  const auto held = tabs_.find(tab.info().target_id);
  if (held) held->wait_until_gone(ctx.within(limits::kCleanup));
}

std::unique_ptr<ChromiumProcess> Browser::take_process() {
  MutexLock lock(mutex_);
  return std::move(process_);
}

void Browser::close_because(const std::string& reason) {
  {
    MutexLock lock(mutex_);
    closed_because_ = reason;
  }
  close();
}

void Browser::close() {
  auto process = take_process();
  // A profile that is kept is written to the end by the browser's own end, which the mere end of its pipe doesn't
  // promise. A browser that we are attached to is let go of; its reply tells that it has read what was posted before.
  const char* last = nullptr;
  if (process && !options_.user_data_dir.empty()) last = "Browser.close";
  if (attached()) last = "Browser.getVersion";
  if (last != nullptr && connection_->open()) {
    if (attached()) {
      for (const auto& context : tabs_.contexts()) dispose_context(*context);
    }
    try {
      connection_->call(CallContext{}.within(limits::kCleanup), "", last, {});
    } catch (const std::exception& error) {
      spdlog::debug("the browser's end: {}", error.what());
    }
  }
  connection_->stop();
  process.reset();
  MutexLock lock(mutex_);
  auto reaper = std::move(reaper_);
  lock.unlock();
  if (reaper.joinable()) reaper.join();
}

}  // namespace bridle
