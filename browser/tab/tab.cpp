#include "browser/tab/tab.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "browser/page/page_script.h"

namespace bridle {
namespace {

std::atomic<long> waiting_threads{0};

struct WaitGauge {
  WaitGauge() { ++waiting_threads; }
  ~WaitGauge() { --waiting_threads; }
};

bool wants(std::string_view method) {
  return TabView::wants(method) || RequestFilter::wants(method) || method == "Target.attachedToTarget" ||
         method == "Target.detachedFromTarget";
}

constexpr Millis kLostReplies{250};

}  // namespace

Tab::Tab(std::string id, Info info, CdpSession session, std::shared_ptr<const RequestFilter> filter)
    : id_(std::move(id)),
      info_(std::move(info)),
      session_(std::move(session)),
      filter_(std::move(filter)),
      view_(info_.target_id) {
  // Until its first event tells more, the main frame is all there is.
  view_.frames.adopt(session_.id(), info_.target_id, "");
  view_.frames.expect_script(session_.id());
}

std::string Tab::label() const {
  constexpr std::size_t kShown = 10;
  return id_.starts_with(kSecretPrefix) ? id_.substr(0, kShown) : id_;
}

void Tab::attach(int width, int height) {
  session_.connection().set_event_handler(session_.id(), [weak = weak_from_this(), session = session_.id()](
                                                             std::string_view method, std::string_view message) {
    if (const auto self = weak.lock()) self->on_event(session, method, message);
  });
  post_setup(session_, true);
  if (width > 0) {
    session_.post("Emulation.setDeviceMetricsOverride",
                  {{"width", width}, {"height", height}, {"deviceScaleFactor", 0}, {"mobile", false}});
  }
  if (info_.existed) learn_document();
  session_.post("Runtime.runIfWaitingForDebugger");
  // Answered after all of the above: from then on no event is missed. A navigation sent earlier would hold these
  // replies back until its commit, and with them its own frameNavigated.
  session_.post("Runtime.evaluate", {{"expression", "0"}}, [weak = weak_from_this()](const CdpReply&) {
    if (const auto self = weak.lock()) {
      self->with([](TabView& view) { view.ready = true; });
      self->notify();
    }
  });
}

// No event tells of a document that was there before us.
void Tab::learn_document() {
  session_.post("Page.getFrameTree", {}, [weak = weak_from_this()](const CdpReply& reply) {
    const auto self = weak.lock();
    if (!self || reply.kind != CdpReply::Kind::result) return;
    const Json tree = parse_cdp(reply.message).at("result").at("frameTree");
    self->with([&](TabView& view) { view.learn_document(self->session_.id(), tree); });
    self->notify();
  });
}

void Tab::post_setup(const CdpSession& session, bool main) {
  if (filter_) filter_->watch(session);
  session.post("Page.enable");
  session.post("Runtime.enable");
  if (main) session.post("Page.setLifecycleEventsEnabled", {{"enabled", true}});
  session.post("Network.enable", {{"maxPostDataSize", 65536}});
  if (main) session.post("Log.enable");
  // A chooser would wait for a person; ours waits for browser_file_upload. In a tab that a person lent us there is one.
  if (!info_.lent) session.post("Page.setInterceptFileChooserDialog", {{"enabled", true}});
  // Makes our isolated world in every document before its scripts run, and tells its id by an event: no round trip.
  // With the page script in it, which costs a document of a known renderer next to nothing so (V8 has it compiled);
  // evaluated anew it takes several ms. Frames of other processes are looked into seldom: they get it when they are.
  session.post("Page.addScriptToEvaluateOnNewDocument", {{"source", main ? bridle_page_script() : ""},
                                                         {"worldName", FrameTracker::kWorldName},
                                                         {"runImmediately", true}});
  session.post("Target.setAutoAttach", {{"autoAttach", true}, {"waitForDebuggerOnStart", true}, {"flatten", true}});
}

void Tab::on_event(const std::string& session, std::string_view method, std::string_view message) {
  if (!wants(method)) return;
  const Json json = parse_cdp(message);
  const Json& params = json.at("params");
  if (method == "Target.attachedToTarget" || method == "Target.detachedFromTarget") {
    on_child_target(method, params);
    return;
  }
  if (RequestFilter::wants(method)) return on_request_paused(session, params);
  bool crashed = false;
  const auto sent_before_crash = session_.connection().mark();
  {
    MutexLock lock(mutex_);
    const bool main = session == session_.id();
    crashed = main && method == "Inspector.targetCrashed";
    view_.on_event(session, main, method, params);
  }
  changed_.notify_all();
  if (crashed) session_.connection().fail_session(session_.id(), "the page crashed", sent_before_crash);
}

void Tab::on_request_paused(const std::string& session, const Json& params) {
  const auto refused = filter_->answer(CdpSession(session_.shared_connection(), session), params, main_frame());
  if (!refused) return;
  with([&](TabView& view) {
    ++view.blocked[refused->why];
    if (refused->document && refused->frame_id == main_frame()) {
      view.navigation.note_blocked(refused->request_id, refused->url);
    }
  });
  changed_.notify_all();
}

void Tab::on_child_target(std::string_view method, const Json& params) {
  const auto child_session = params.value("sessionId", "");
  if (method == "Target.detachedFromTarget") {
    session_.connection().set_event_handler(child_session, nullptr);
    session_.connection().fail_session(child_session, "its frame is gone");
    {
      MutexLock lock(mutex_);
      std::erase(child_sessions_, child_session);
      view_.frames.drop_session(child_session);
      view_.network.clear_in_flight(child_session);
    }
    changed_.notify_all();
    return;
  }
  const CdpSession child(session_.shared_connection(), child_session);
  const auto& target = params.at("targetInfo");
  const bool frame = target.value("type", "") == "iframe";
  if (frame || filter_) {
    {
      MutexLock lock(mutex_);
      child_sessions_.push_back(child_session);
      if (frame) view_.frames.adopt(child_session, target.value("targetId", ""), target.value("parentFrameId", ""));
    }
    session_.connection().set_event_handler(
        child_session, [weak = weak_from_this(), child_session](std::string_view event, std::string_view message) {
          if (const auto self = weak.lock()) self->on_event(child_session, event, message);
        });
  }
  if (frame) {
    post_setup(child, false);
  } else if (filter_) {  // a worker: its requests, and those of the workers that it starts
    filter_->watch(child);
    child.post("Target.setAutoAttach", {{"autoAttach", true}, {"waitForDebuggerOnStart", true}, {"flatten", true}});
  }
  // Workers and the like only want to be let go.
  child.post("Runtime.runIfWaitingForDebugger");
}

void Tab::mark_gone(const std::string& why) {
  std::vector<std::string> children;
  {
    MutexLock lock(mutex_);
    if (view_.gone) return;
    view_.gone = true;
    view_.gone_why = why;
    view_.dialog.reset();
    children.swap(child_sessions_);
  }
  changed_.notify_all();
  children.push_back(session_.id());
  for (const auto& session : children) {
    session_.connection().set_event_handler(session, nullptr);
    session_.connection().fail_session(session, why);
  }
}

bool Tab::wait(const CallContext& ctx, const std::function<bool(TabView&)>& ready) {
  const WaitGauge gauge;
  MutexLock lock(mutex_);
  return wait_until(ctx, changed_, lock, [&]() REQUIRES(mutex_) { return ready(view_); });
}

void Tab::throw_if_gone(bool even_crashed) {
  MutexLock lock(mutex_);
  if (view_.gone) throw TabGone("The tab " + id_ + " is gone: " + view_.gone_why + ".", false);
  if (view_.crashed && !even_crashed) {
    throw TabGone("The page in tab " + id_ + " crashed. browser_navigate or browser_reload revives it.", true);
  }
}

std::string Tab::call_raw(const CallContext& ctx, std::string_view method, const Json& params, Millis limit,
                          const std::string& frame_session) {
  ctx.signal.throw_if_aborted();
  throw_if_gone();
  const auto dialogs_before = with([](TabView& view) { return view.dialog.seq(); });
  auto asked = ask(method, params, frame_session);

  std::optional<JavaScriptDialog> dialog;
  const bool decided = wait(ctx.within(limit), [&](TabView& view) {
    if (asked.reply()) return true;
    if (view.dialog.seq() != dialogs_before && view.dialog.open()) dialog = view.dialog.open();
    return dialog.has_value() || view.gone || view.crashed;
  });
  if (!decided) {
    throw CdpTimeout(fmt::format("{}: the page did not answer within {} ms", method, limit.count()));
  }
  auto reply = with([&](TabView&) { return asked.take(); });
  if (!reply) {
    if (dialog) throw DialogOpened(*dialog);
    throw_if_gone();
    throw CdpClosed(std::string(method) + ": the page is gone");
  }
  if (reply->kind == CdpReply::Kind::closed) {
    throw_if_gone();
    throw CdpClosed(std::string(method) + ": " + reply->message);
  }
  if (reply->kind == CdpReply::Kind::error) throw_cdp_error(method, reply->message);
  return std::move(reply->message);
}

Tab::Asked Tab::ask(std::string_view method, const Json& params, const std::string& frame_session) {
  Asked asked;
  asked.pending_ =
      session_.connection().start_call(frame_session.empty() ? session_.id() : frame_session, method, params,
                                       [slot = asked.reply_, weak = weak_from_this()](CdpReply reply) {
                                         const auto self = weak.lock();
                                         if (!self) return;
                                         self->with([&](TabView&) { *slot = std::move(reply); });
                                         self->notify();
                                       });
  return asked;
}

void Tab::call_all(const CallContext& ctx, const std::vector<Command>& commands, Sends sends, Millis limit) {
  if (sends == Sends::unless_aborted) ctx.signal.throw_if_aborted();
  throw_if_gone();
  struct Slot {
    std::size_t replies = 0;  // guarded by the tab's lock, as is the rest
    std::string method{};
    std::optional<CdpReply> failure{};
  };
  const auto slot = std::make_shared<Slot>();
  const auto dialogs_before = with([](TabView& view) { return view.dialog.seq(); });
  const auto documents_before = with([](TabView& view) { return view.frames.documents(); });
  std::vector<CdpConnection::Pending> pending;
  pending.reserve(commands.size());
  for (const auto& command : commands) {
    pending.push_back(session_.connection().start_call(
        session_.id(), command.method, command.params,
        [slot, method = std::string(command.method), weak = weak_from_this()](CdpReply reply) {
          const auto self = weak.lock();
          if (!self) return;
          self->with([&](TabView&) {
            ++slot->replies;
            if (reply.kind != CdpReply::Kind::result && !slot->failure) {
              slot->method = method;
              slot->failure = std::move(reply);
            }
          });
          self->notify();
        }));
  }
  std::optional<JavaScriptDialog> dialog;
  const auto ended = [&](TabView& view) {
    if (slot->replies == commands.size()) return true;
    if (view.dialog.seq() != dialogs_before && view.dialog.open()) dialog = view.dialog.open();
    return dialog.has_value() || view.gone || view.crashed;
  };
  const bool decided = wait(ctx.within(limit),
                            [&](TabView& view) { return ended(view) || view.frames.documents() != documents_before; });
  if (decided && !with(ended)) wait(ctx.within(kLostReplies), ended);
  pending.clear();  // no handler runs any more
  if (dialog) throw DialogOpened(*dialog);
  throw_if_gone();
  if (!decided)
    throw CdpTimeout(fmt::format("{}: the page did not answer within {} ms", commands.front().method, limit.count()));
  if (!slot->failure) return;
  if (slot->failure->kind == CdpReply::Kind::error) throw_cdp_error(slot->method, slot->failure->message);
  throw CdpClosed(slot->method + ": " + slot->failure->message);
}

Json Tab::call(const CallContext& ctx, std::string_view method, const Json& params, Millis limit,
               const std::string& frame_session) {
  Json message = parse_cdp(call_raw(ctx, method, params, limit, frame_session));
  return std::move(message["result"]);
}

void Tab::handle_dialog(const CallContext& ctx, bool accept, const std::string& prompt_text) {
  Json params{{"accept", accept}};
  if (!prompt_text.empty()) params["promptText"] = prompt_text;
  const auto seq = with([](TabView& view) { return view.dialog.seq(); });
  session_.connection().call(ctx, session_.id(), "Page.handleJavaScriptDialog", params);
  // The event that says the same comes before the reply or after it; and the page's next dialog may be open by now.
  with([&](TabView& view) {
    if (view.dialog.seq() != seq) return;
    if (!accept && view.dialog.open() && view.dialog.open()->type == "beforeunload") view.navigation.abandon_pending();
    view.dialog.reset();
  });
  notify();
}

long Tab::waiters() noexcept { return waiting_threads; }

}  // namespace bridle
