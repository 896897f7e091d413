#include "browser/tab/tab_monitor.h"

#include <algorithm>
#include <utility>

#include "browser/tab/tab_view.h"

namespace bridle {

std::atomic<long> TabMonitor::waiters_{0};

TabMonitor::TabMonitor(std::string id, std::string main_frame, bool opened_by_page)
    : id_(std::move(id)),
      main_frame_(std::move(main_frame)),
      opened_by_page_(opened_by_page),
      view_(std::make_unique<TabView>(main_frame_)) {}

TabMonitor::~TabMonitor() = default;

bool TabMonitor::set_gone(const std::string& why) {
  {
    MutexLock lock(mutex_);
    if (view_->gone) return false;
    view_->gone = true;
    view_->gone_why = why;
    view_->dialog.reset();
  }
  notify();
  return true;
}

std::uint64_t TabMonitor::changes() const {
  MutexLock lock(mutex_);
  return changes_;
}

void TabMonitor::notify() {
  {
    MutexLock lock(mutex_);
    ++changes_;
  }
  changed_.notify_all();
}

bool TabMonitor::wait_for_change(const CallContext& ctx, std::uint64_t seen) {
  MutexLock lock(mutex_);
  return wait_until(ctx, changed_, lock, [&]() REQUIRES(mutex_) { return changes_ != seen; });
}

void TabMonitor::wait_until_ready(const CallContext& ctx) {
  wait(ctx, [this] {
    const auto now = state();
    return now.ready || now.gone;
  });
}

void TabMonitor::wait_until_gone(const CallContext& ctx) {
  wait(ctx, [this] { return state().gone; });
}

void TabMonitor::wait_until_usable(const CallContext& ctx) {
  wait(ctx, [this] {
    const auto now = state();
    const bool there = now.commit_seq != 0 && (now.is_error_page || now.dom_content_loaded);
    return now.blocked() || (there && !now.navigation_pending);
  });
}

void TabMonitor::wait_while_navigating(const CallContext& ctx) {
  wait(ctx, [this] {
    const auto now = state();
    return now.blocked() || !now.navigation_pending;
  });
}

bool TabMonitor::wait_for_url(const CallContext& ctx, const std::string& part) {
  const bool there = wait(ctx, [&] {
    const auto now = state();
    return now.gone || now.crashed || now.url.find(part) != std::string::npos;
  });
  throw_if_gone();
  return there;
}

DocumentOrigin TabMonitor::settled_document_origin(const CallContext& ctx) {
  wait(ctx, [this] {
    const auto now = state();
    MutexLock lock(mutex_);
    return view_->origin_is_certain() || now.interrupted();
  });
  return document_origin();
}

Json TabMonitor::await_drag(const CallContext& ctx) {
  wait(ctx, [this] {
    const auto now = state();
    MutexLock lock(mutex_);
    return view_->drag.intercepted() || now.blocked();
  });
  throw_if_gone();
  return take_drag();
}

TabState TabMonitor::state() const {
  MutexLock lock(mutex_);
  return view_->state();
}

void TabMonitor::throw_if_gone(bool even_crashed) const {
  MutexLock lock(mutex_);
  if (view_->gone) throw TabGone("The tab " + id_ + " is gone: " + view_->gone_why + ".", false);
  if (view_->crashed && !even_crashed) {
    throw TabGone("The page in tab " + id_ + " crashed. browser_navigate or browser_reload revives it.", true);
  }
}

bool TabMonitor::begin_use() {
  MutexLock lock(mutex_);
  const bool on_its_way = std::exchange(view_->fresh, false) && opened_by_page_ && view_->navigation.commit().seq == 0;
  return on_its_way || view_->navigation.navigation_pending();
}

bool TabMonitor::asked_for_tab(Clock::time_point since) const {
  MutexLock lock(mutex_);
  const auto& asked = view_->tabs_asked_for;
  return !view_->gone && !asked.empty() && asked.back() >= since;
}

void TabMonitor::got_tab(Clock::time_point since) {
  MutexLock lock(mutex_);
  auto& asked = view_->tabs_asked_for;
  while (!asked.empty() && asked.front() < since) asked.pop_front();
  if (!asked.empty()) asked.pop_front();
}

DocumentOrigin TabMonitor::document_origin() const {
  MutexLock lock(mutex_);
  return view_->document_origin();
}

CommitWatch TabMonitor::watch_commit(CommitWatch::Kind kind) {
  MutexLock lock(mutex_);
  view_->fresh = false;
  return CommitWatch(kind, view_->navigation);
}

TabMonitor::Progress TabMonitor::decide(CommitWatch& watch) const {
  MutexLock lock(mutex_);
  return {view_->state(), watch.decide(view_->navigation)};
}

std::vector<std::string> TabMonitor::trail_since(std::uint64_t commit_seq, const std::string& first_loader) const {
  MutexLock lock(mutex_);
  return view_->navigation.trail_since(commit_seq, first_loader);
}

void TabMonitor::forget_requested_navigation() {
  MutexLock lock(mutex_);
  view_->navigation.forget_request();
}

void TabMonitor::set_title(const std::string& title) {
  MutexLock lock(mutex_);
  view_->title = title;
}

void TabMonitor::note_awaited() {
  MutexLock lock(mutex_);
  view_->awaited_loader = view_->navigation.commit().loader_id;
}

const std::string& TabMonitor::frame_or_main(const std::string& frame_id) const {
  return frame_id.empty() ? main_frame_ : frame_id;
}

std::optional<FrameState> TabMonitor::frame(const std::string& frame_id) const {
  MutexLock lock(mutex_);
  const auto* found = std::as_const(view_->frames).find(frame_or_main(frame_id));
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

std::string TabMonitor::frame_session(const std::string& frame_id) const {
  const auto found = frame(frame_id);
  return found ? found->session : std::string();
}

std::vector<std::string> TabMonitor::frames_below_main() const {
  MutexLock lock(mutex_);
  return view_->frames.descendants(main_frame_);
}

bool TabMonitor::add_origins(std::set<std::string>& origins) const {
  MutexLock lock(mutex_);
  return view_->frames.add_origins(origins);
}

void TabMonitor::set_scripted_world(const std::string& frame_id, const std::string& world) {
  MutexLock lock(mutex_);
  if (auto* found = view_->frames.find(frame_or_main(frame_id))) found->scripted_world = world;
}

void TabMonitor::set_script_kit(const std::string& frame_id, const std::string& main_world,
                                const std::string& object_id) {
  MutexLock lock(mutex_);
  if (auto* found = view_->frames.find(frame_or_main(frame_id))) {
    found->script_kit = object_id;
    found->script_kit_world = main_world;
  }
}

ConsoleLines TabMonitor::console(bool earlier_documents) const {
  MutexLock lock(mutex_);
  ConsoleLines lines{.entries = {}, .dropped = view_->console.dropped()};
  const auto& document = view_->navigation.commit().loader_id;
  for (const auto& entry : view_->console.entries()) {
    if (earlier_documents || entry.loader_id == document) lines.entries.push_back(entry);
  }
  return lines;
}

int TabMonitor::last_console_index() const {
  MutexLock lock(mutex_);
  return view_->console.last_index();
}

std::vector<ConsoleEntry> TabMonitor::console_after(int index, std::string_view level) const {
  std::vector<ConsoleEntry> found;
  MutexLock lock(mutex_);
  for (const auto& entry : view_->console.entries()) {
    if (entry.index > index && entry.level == level) found.push_back(entry);
  }
  return found;
}

NetworkRequests TabMonitor::requests_of_document() const {
  MutexLock lock(mutex_);
  const auto& document = view_->navigation.commit().loader_id;
  const auto& log = view_->network.entries();
  // Frames have loaders of their own: it counts from the first request of the document's.
  auto from = std::find_if(log.begin(), log.end(), [&](const auto& entry) { return entry.loader_id == document; });
  if (from == log.end()) from = log.begin();
  return {{from, log.end()}, from == log.begin() ? view_->network.dropped() : 0};
}

TabMonitor::LoggedRequest TabMonitor::logged_request(int index) const {
  MutexLock lock(mutex_);
  const auto& log = view_->network.entries();
  if (log.empty()) return {};
  LoggedRequest found{.request = {}, .first = log.front().index, .last = log.back().index};
  if (index >= found.first && index <= found.last) found.request = log[static_cast<std::size_t>(index - found.first)];
  return found;
}

int TabMonitor::requests_in_flight() const {
  MutexLock lock(mutex_);
  return view_->network.in_flight();
}

std::optional<UnansweredRequest> TabMonitor::unanswered_request(Clock::time_point before) const {
  MutexLock lock(mutex_);
  return view_->network.unanswered(before);
}

bool TabMonitor::brings_content() const {
  MutexLock lock(mutex_);
  return view_->network.brings_content(Clock::now());
}

int TabMonitor::begin_action_requests() {
  MutexLock lock(mutex_);
  return view_->network.begin_action(Clock::now());
}

void TabMonitor::give_up_sockets() {
  MutexLock lock(mutex_);
  view_->network.give_up_sockets();
}

NetworkActivity TabMonitor::network_since(int requests) const {
  MutexLock lock(mutex_);
  return view_->network.activity_since(requests);
}

std::map<std::string, int> TabMonitor::take_blocked_requests() {
  MutexLock lock(mutex_);
  return std::exchange(view_->blocked, {});
}

std::optional<FileChooser> TabMonitor::file_chooser() const {
  MutexLock lock(mutex_);
  return view_->chooser.open();
}

int TabMonitor::take_cancelled_pickers() {
  MutexLock lock(mutex_);
  return view_->chooser.take_cancelled();
}

void TabMonitor::close_file_chooser() {
  MutexLock lock(mutex_);
  view_->chooser.reset();
}

std::string TabMonitor::take_told_by_last() {
  MutexLock lock(mutex_);
  return std::exchange(view_->told_by_last, {});
}

Json TabMonitor::take_drag() {
  MutexLock lock(mutex_);
  return view_->drag.take();
}

}  // namespace bridle
