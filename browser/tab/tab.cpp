#include "browser/tab/tab.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <optional>

#include "browser/cdp/incoming_message.h"
#include "browser/tab/tab_view.h"
#include "config/network/origin_rules.h"

namespace bridle {
namespace {

bool wants(std::string_view method) {
  return TabView::wants(method) || RequestFilter::wants(method) || method == "Target.attachedToTarget" ||
         method == "Target.detachedFromTarget";
}

// Requests of one document after which it is worth it to let them pass nobody but the proxy. Fewer cost less than that
// does, and it comes at a bad time: Chromium is busiest when a page has just been loaded.
constexpr int kBusyDocument = 10;

constexpr Millis kLostReplies{250};

// Whether a response clears what its origin has stored. Only the raw headers have that: in the others the browser keeps
// it to itself. As it is rare, the event is not parsed for it.
bool clears_site_data(std::string_view method, std::string_view message) {
  if (method != "Network.responseReceivedExtraInfo") return false;
  static constexpr std::array<std::string_view, 3> kNames{"\"Clear-Site-Data\"", "\"clear-site-data\"",
                                                          "\"CLEAR-SITE-DATA\""};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return message.find(name) != std::string_view::npos; });
}

// A document that commits just then doesn't hear that its tab is to be closed, and nor may it right behind its commit;
// a question holds it up.
bool may_have_missed_close(std::string_view method) {
  return method == "Page.javascriptDialogOpening" || method == "Page.frameNavigated" ||
         method == "Page.domContentEventFired" || method == "Page.frameStoppedLoading";
}

[[noreturn]] void throw_no_answer(std::string_view method, Clock::time_point begun) {
  const auto waited = std::chrono::duration_cast<Millis>(Clock::now() - begun);
  throw CdpTimeout(fmt::format("{}: the page did not answer within {} ms", method, waited.count()));
}

}  // namespace

Tab::Tab(std::string id, Info info, CdpSession session, Setup setup)
    : TabMonitor(std::move(id), info.target_id, !info.opener_id.empty()),
      info_(std::move(info)),
      session_(std::move(session)),
      setup_(std::move(setup)) {
  note_front();
  update([this](TabView& view) {
    // Until its first event tells more, the main frame is all there is.
    view.frames.set_session(session_.id(), main_frame(), "");
    if (!setup_.page_script.empty()) view.frames.expect_script(session_.id());
  });
}

std::string Tab::label() const { return id().starts_with(kSecretPrefix) ? id().substr(0, limits::kHandleShown) : id(); }

void Tab::attach(int width, int height) {
  session_.connection().set_event_handler(session_.id(), [weak = weak_from_this(), session = session_.id()](
                                                             std::string_view method, std::string_view message) {
    if (const auto self = weak.lock()) self->on_event(session, method, message);
  });
  const ViewSize base = width > 0 ? ViewSize{width, height} : ViewSize{};
  emulated_.set_base(base);
  post_setup(session_, true);
  const auto emulation = emulated_.current();
  if (width > 0 && !(emulation && emulation->sets_metrics()))
    session_.post("Emulation.setDeviceMetricsOverride", metrics_of(base));
  learn_document();
  session_.post("Runtime.runIfWaitingForDebugger");
  // Answered after all of the above: from then on no event is missed. A navigation sent earlier would hold these
  // replies back until its commit, and with them its own frameNavigated.
  session_.post("Runtime.evaluate", {{"expression", "0"}}, [weak = weak_from_this()](const CdpReply&) {
    if (const auto self = weak.lock()) self->update([](TabView& view) { view.ready = true; });
  });
}

// No event tells of a document that was there before us: in a browser that isn't ours, and in a tab that a page opened
// while its renderer was slow to start, where Chromium hands on what we have sent only after the commit.
void Tab::learn_document() {
  session_.post("Page.getFrameTree", {}, [weak = weak_from_this()](const CdpReply& reply) {
    const auto self = weak.lock();
    if (!self || reply.kind != CdpReply::Kind::result) return;
    const Json result = parse_cdp(reply.message).at("result");
    const auto tree = result.find("frameTree");
    if (tree == result.end()) return;
    self->tell_origins(*tree);
    // Its initial empty document is not worth telling: the tab is on its way to the first one of its own.
    if (!self->info_.existed && tree->at("frame").value("url", "") == "about:blank") return;
    self->update([&](TabView& view) { view.learn_document(self->session_.id(), *tree); });
  });
}

// Of {frame, childFrames}, as Page.getFrameTree has it, or an event {frame}.
void Tab::tell_origins(const Json& frame_tree) const {
  if (!setup_.saw_origin) return;
  setup_.saw_origin(info_.context_id, network_origin(frame_tree.at("frame").value("url", "")));
  for (const Json& child : frame_tree.value("childFrames", Json::array())) tell_origins(child);
}

void Tab::post_setup(const CdpSession& session, bool main) {
  if (setup_.filter || is_routed() || has_credentials()) hold_requests(session);
  session.post("Page.enable");
  session.post("Runtime.enable");
  if (main) session.post("Page.setLifecycleEventsEnabled", {{"enabled", true}});
  session.post("Network.enable", {{"maxPostDataSize", 65536}});
  if (main) session.post("Log.enable");
  // A tab that is not in front draws nothing: neither transitions nor requestAnimationFrame() go on there, and its page
  // is told that it is hidden. A client goes from tab to tab without bringing one to the front.
  if (main) session.post("Emulation.setFocusEmulationEnabled", {{"enabled", true}});
  // A chooser would wait for a person; ours waits for browser_file_upload. In front of a foreign tab there is a person.
  if (!info_.foreign) session.post("Page.setInterceptFileChooserDialog", {{"enabled", true}});
  if (main) session.post("Runtime.addBinding", FrameTracker::leaves_binding());
  // Makes our isolated world in every document before the document's scripts run, and announces its id by an event,
  // without a round trip. In the main frame's process the page script comes with it, which costs next to nothing in a
  // renderer where V8 has it compiled [why.page-script-per-document]. Frames of other processes are looked into seldom,
  // so they get the script when that happens.
  session.post(
      "Page.addScriptToEvaluateOnNewDocument",
      {{"source", main ? setup_.page_script : ""}, {"worldName", FrameTracker::kWorldName}, {"runImmediately", true}});
  if (!setup_.script_kit.empty())
    session.post("Page.addScriptToEvaluateOnNewDocument", {{"source", setup_.script_kit}, {"runImmediately", true}});
  if (setup_.init_scripts) {
    for (const auto& script : *setup_.init_scripts)
      session.post("Page.addScriptToEvaluateOnNewDocument",
                   {{"source", script}, {"runImmediately", !info_.existed}});  // not in documents that were there
  }
  if (setup_.bypass_service_workers) session.post("Network.setBypassServiceWorker", {{"bypass", true}});
  emulated_.add(session, main ? SessionKind::page : SessionKind::frame);
  if (setup_.routes && setup_.routes->offline()) post_offline(session, true);
  session.post("Target.setAutoAttach", {{"autoAttach", true}, {"waitForDebuggerOnStart", true}, {"flatten", true}});
}

void Tab::on_event(const std::string& session, std::string_view method, std::string_view message) {
  auto recorder = setup_.routes ? setup_.routes->recorder() : nullptr;
  if (recorder && !HarRecorder::wants(method)) recorder = nullptr;
  if (setup_.saw_clearing && clears_site_data(method, message)) setup_.saw_clearing(info_.context_id);
  if (!recorder && !wants(method)) return;
  const Json frame = SocketLog::params_of_frame(method, message);
  const Json json = frame.is_null() ? parse_cdp(message) : Json();
  const Json& params = frame.is_null() ? json.at("params") : frame;
  if (params.contains(IncomingMessage::kDroppedBytes)) return on_dropped(method, params);
  if (recorder)
    recorder->on_event(CdpSession(session_.shared_connection(), session),
                       session == session_.id() ? main_frame() : std::string(), method, params);
  if (method == "Target.attachedToTarget" || method == "Target.detachedFromTarget") {
    on_child_target(method, params);
    return;
  }
  if (RequestFilter::wants(method))
    return on_request_paused(CdpSession(session_.shared_connection(), session), method, params);
  if (method == "Page.frameNavigated") tell_origins(params);
  // What an emulated worker requests is told of nowhere, as of any other worker.
  if (workers_.contains(session)) return;
  const bool main = session == session_.id();
  const bool crashed = main && method == "Inspector.targetCrashed";
  const auto sent_before_crash = session_.connection().mark();
  if (main && !proxy_judges_ && passed_proxy(method, params)) {
    proxy_judges_ = true;
    hold_requests(session_);
  } else if (proxy_judges_ && is_busy_document(session, method) && !is_routed() && !has_credentials()) {
    const CdpSession sender(session_.shared_connection(), session);
    setup_.filter->free_documents(sender);
    if (is_routed() || has_credentials()) hold_requests(sender);  // since a moment ago
  }
  update([&](TabView& view) {
    const auto refused = proxy_judges_ ? refusal_by_proxy(view, session, method, params) : Json();
    view.on_event(session, main, method, refused.is_null() ? params : refused);
  });
  if (closes_ && may_have_missed_close(method)) close();
  if (main && clock_moves_ && method == "Page.frameStoppedLoading" && params.value("frameId", "") == main_frame() &&
      has_clock())
    clock_moves_();
  if (crashed) session_.connection().fail_session(session_.id(), "the page crashed", sent_before_crash);
}

// An event that was too long to be kept.
void Tab::on_dropped(std::string_view method, const Json& params) {
  const auto bytes = params.at(IncomingMessage::kDroppedBytes).get<std::size_t>();
  update([&](TabView& view) { view.on_dropped(method, bytes); });
}

// Whether an event tells of a document that came through the browser's proxy, which has asked for its credential then:
// what this context fetches next brings it along. What a route has answered came from no address.
bool Tab::passed_proxy(std::string_view method, const Json& params) const {
  if (method != "Network.responseReceived" || !setup_.filter || !setup_.filter->has_proxy()) return false;
  const auto& response = params.at("response");
  return params.value("type", "") == "Document" && !network_origin(response.value("url", "")).empty() &&
         !response.value("remoteIPAddress", "").empty() && !response.value("fromDiskCache", false) &&
         !response.value("fromServiceWorker", false) && !response.value("fromPrefetchCache", false);
}

bool Tab::is_busy_document(const std::string& session, std::string_view method) {
  if (method == "Page.frameNavigated") requests_since_document_[session] = 0;
  return method == "Network.requestWillBeSent" && ++requests_since_document_[session] == kBusyDocument;
}

// A request that the proxy has refused fails for the browser like any that a proxy doesn't serve: counts it by the
// reason, and gives the event as one that names the block. Null for other events. Documents are refused before that.
Json Tab::refusal_by_proxy(TabView& view, const std::string& session, std::string_view method,
                           const Json& params) const {
  if (method != "Network.loadingFailed" || params.contains("blockedReason") || params.value("canceled", false)) {
    return {};
  }
  const auto* request = view.network.find_open(session, params.value("requestId", ""));
  if (request == nullptr || request->type == "Document") return {};
  const auto why = setup_.filter->reason(request->url);
  if (why.empty()) return {};
  ++view.blocked[why];
  Json told = params;
  told["errorText"] = "net::ERR_BLOCKED_BY_CLIENT";
  return told;
}

void Tab::on_request_paused(const CdpSession& sender, std::string_view method, const Json& params) {
  if (method == "Fetch.authRequired" && answer_site(sender, params)) return;
  const bool form = form_judge_ && RequestFilter::posts_form(method, params);
  const auto objection = form ? form_judge_(params.at("request").value("url", "")) : std::string();
  // The browser's own session holds documents for the lists alone: what a route answers is held by the tab's.
  static const RequestFilter kNoFilter{OriginRules()};
  const auto& filter = setup_.filter ? *setup_.filter : kNoFilter;
  auto* routes = sender.id().empty() ? nullptr : setup_.routes.get();
  const auto refused = filter.answer(sender, method, params, main_frame(), objection, routes);
  if (!refused) return;
  update([&](TabView& view) {
    ++view.blocked[refused->why];
    if (refused->document && refused->frame_id == main_frame()) {
      view.navigation.note_blocked(refused->request_id, refused->url);
    }
  });
}

void Tab::on_child_target(std::string_view method, const Json& params) {
  const auto child_session = params.value("sessionId", "");
  if (method == "Target.detachedFromTarget") {
    session_.connection().set_event_handler(child_session, nullptr);
    session_.connection().fail_session(child_session, "its frame is gone");
    {
      MutexLock lock(sessions_mutex_);
      std::erase_if(child_sessions_, [&](const Child& child) { return child.session == child_session; });
    }
    emulated_.remove(child_session);
    workers_.erase(child_session);
    requests_since_document_.erase(child_session);
    return update([&](TabView& view) {
      view.frames.drop_session(child_session);
      view.network.clear_in_flight(child_session);
    });
  }
  const CdpSession child(session_.shared_connection(), child_session);
  const auto& target = params.at("targetInfo");
  const bool frame = target.value("type", "") == "iframe";
  {
    MutexLock lock(sessions_mutex_);
    child_sessions_.push_back({.session = child_session, .is_worker = !frame});
  }
  if (frame) {
    update([&](TabView& view) {
      view.frames.set_session(child_session, target.value("targetId", ""), target.value("parentFrameId", ""));
    });
  }
  session_.connection().set_event_handler(
      child_session, [weak = weak_from_this(), child_session](std::string_view event, std::string_view message) {
        if (const auto self = weak.lock()) self->on_event(child_session, event, message);
      });
  if (frame) {
    post_setup(child, false);
  } else {
    workers_.insert(child_session);
    if (setup_.filter || is_routed() || has_credentials()) hold_requests(child, true);
    emulated_.add(child, SessionKind::worker);
    if (setup_.routes && setup_.routes->offline()) post_offline(child, true);
    // The workers that it starts are emulated as well.
    if (emulated_.current() && !setup_.filter && !is_routed())
      child.post("Target.setAutoAttach", {{"autoAttach", true}, {"waitForDebuggerOnStart", true}, {"flatten", true}});
  }
  // Workers and other targets only have to be resumed.
  child.post("Runtime.runIfWaitingForDebugger");
}

void Tab::mark_gone(const std::string& why) {
  if (!set_gone(why)) return;
  std::vector<std::string> sessions{session_.id()};
  {
    MutexLock lock(sessions_mutex_);
    for (const auto& child : child_sessions_) sessions.push_back(child.session);
    child_sessions_.clear();
  }
  for (const auto& session : sessions) {
    session_.connection().set_event_handler(session, nullptr);
    session_.connection().fail_session(session, why);
  }
  extras_.end();
  if (setup_.saw_origin) setup_.saw_origin(info_.context_id, "");
}

PendingReply Tab::send(std::string_view method, const Json& params, const std::string& frame_session) {
  watch_.tell(method, params);
  return PendingReply(session_.connection(), frame_session.empty() ? session_.id() : frame_session, method, params,
                      [weak = weak_from_this()] {
                        if (const auto self = weak.lock()) self->notify();
                      });
}

void Tab::post(std::string_view method, const Json& params, const std::string& frame_session) const {
  session_.connection().post(frame_session.empty() ? session_.id() : frame_session, method, params);
}

Tab::Outcome Tab::await_replies(const CallContext& ctx, const std::vector<PendingReply>& replies,
                                std::optional<std::uint64_t> documents_before) {
  Outcome outcome;
  bool new_document = false;
  const auto ended = [&] {
    if (std::all_of(replies.begin(), replies.end(), [](const auto& reply) { return reply.has_come(); })) return true;
    const auto now = state();
    new_document = documents_before && now.documents != *documents_before;
    outcome.dialog = now.dialog;
    return outcome.dialog || now.gone || now.crashed;
  };
  bool is_over = false;
  outcome.decided = wait(ctx, [&] { return (is_over = ended()) || new_document; });
  if (outcome.decided && !is_over) wait(ctx.within(kLostReplies), ended);
  return outcome;
}

std::string Tab::call_raw(const CallContext& ctx, std::string_view method, const Json& params, Millis limit,
                          const std::string& frame_session) {
  ctx.signal.throw_if_aborted();
  throw_if_gone();
  const auto begun = Clock::now();
  std::vector<PendingReply> sent;
  sent.push_back(send(method, params, frame_session));
  const auto outcome = await_replies(ctx.within(limit), sent, std::nullopt);
  auto reply = sent.front().take();
  if (!reply && outcome.dialog) throw DialogOpened(*outcome.dialog);
  if (!reply && !outcome.decided) throw_no_answer(method, begun);
  if (!reply || reply->kind == CdpReply::Kind::closed) throw_if_gone();
  if (!reply) throw CdpClosed(std::string(method) + ": the page is gone");
  return result_message(method, std::move(*reply));
}

Json Tab::call(const CallContext& ctx, std::string_view method, const Json& params, Millis limit,
               const std::string& frame_session) {
  return result_of(call_raw(ctx, method, params, limit, frame_session));
}

void Tab::call_all(const CallContext& ctx, const std::vector<Command>& commands, Sends sends, Millis limit) {
  if (sends == Sends::unless_aborted) ctx.signal.throw_if_aborted();
  throw_if_gone();
  const auto documents = state().documents;
  std::vector<PendingReply> sent;
  sent.reserve(commands.size());
  for (const auto& command : commands) sent.push_back(send(command.method, command.params));
  await_results(ctx, sent, documents, limit);
}

void Tab::await_results(const CallContext& ctx, std::vector<PendingReply>& sent, std::uint64_t documents, Millis limit,
                        const std::function<bool(const PendingReply&)>& may_fail) {
  const auto begun = Clock::now();
  const auto outcome = await_replies(ctx.within(limit), sent, documents);
  if (outcome.dialog) throw DialogOpened(*outcome.dialog);
  throw_if_gone();
  if (!outcome.decided) throw_no_answer(sent.front().method(), begun);
  for (auto& pending : sent) {
    auto reply = pending.take();
    if (!reply || (reply->kind == CdpReply::Kind::error && may_fail && may_fail(pending))) continue;
    result_message(pending.method(), std::move(*reply));
  }
}

void Tab::close() {
  closes_ = true;
  // While a dialog is open the browser doesn't hear the command.
  if (state().dialog) session_.post("Page.handleJavaScriptDialog", {{"accept", true}});
  session_.connection().post("", "Target.closeTarget", {{"targetId", info_.target_id}});
}

void Tab::handle_dialog(const CallContext& ctx, bool accept, const std::string& prompt_text) {
  Json params{{"accept", accept}};
  if (!prompt_text.empty()) params["promptText"] = prompt_text;
  const auto seq = state().dialog_seq;
  session_.call(ctx, "Page.handleJavaScriptDialog", params);
  update([&](TabView& view) {
    // The event that says the same comes before the reply or after it; and the page's next dialog may be open by now.
    auto& dialog = view.dialog;
    if (dialog.seq() != seq) return;
    if (!accept && dialog.open() && dialog.open()->type == "beforeunload") view.navigation.abandon_pending();
    dialog.reset();
  });
}

}  // namespace bridle
