#include "browser/tab/navigation_tracker.h"

#include <algorithm>
#include <array>

#include "browser/tab/url_settle.h"

namespace bridle {
namespace {

constexpr std::size_t kLoadersKept = 16;

// Whether what a script or a link asks for leads but to another place in the document at `from`: a page that keeps its
// state in the fragment does so while it acts, and nothing of that ends.
bool leads_within_document(const Json& scheduled, std::string_view from) {
  const auto reason = string_field(scheduled, "reason");
  if (reason != "scriptInitiated" && reason != "anchorClick") return false;  // a reload keeps the fragment too
  const auto to = string_field(scheduled, "url");
  const auto end = to.find('#');
  return end != std::string::npos && std::string_view(to).substr(0, end) == from.substr(0, from.find('#'));
}

constexpr std::array<std::string_view, 13> kMethods{
    "Page.frameNavigated",           "Page.navigatedWithinDocument",  "Page.frameStartedNavigating",
    "Page.frameRequestedNavigation", "Page.frameScheduledNavigation", "Page.frameClearedScheduledNavigation",
    "Page.frameStoppedLoading",      "Page.lifecycleEvent",           "Page.downloadWillBegin",
    "Network.requestWillBeSent",     "Network.responseReceived",      "Network.loadingFailed",
    "Page.frameStartedLoading"};

}  // namespace

bool NavigationTracker::wants(std::string_view method) {
  return std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end();
}

bool NavigationTracker::on_event(std::string_view method, const Json& params) {
  if (method == "Page.frameNavigated") {
    const auto& frame = params.at("frame");
    if (frame.contains("parentId") || string_field(frame, "id") != main_frame_) return false;
    ++seq_;
    on_frame_navigated(params);
    return true;
  }
  if (method == "Network.loadingFailed") {
    const auto before = seq_;
    on_loading_failed(params);
    return seq_ != before;
  }
  if (string_field(params, "frameId") != main_frame_) return false;
  ++seq_;
  if (method == "Page.navigatedWithinDocument") {
    url_ = string_field(params, "url");
    same_document_seq_ = seq_;
    requested_.reset();
  } else if (method == "Page.frameStartedNavigating") {
    on_started_navigating(params);
  } else if (method == "Page.frameRequestedNavigation") {
    const auto disposition = string_field(params, "disposition");
    if (disposition.empty() || disposition == "currentTab") {
      requested_ = Requested{seq_, string_field(params, "url"), string_field(params, "reason")};
    } else {
      scheduled_now_ = false;  // announced as any other, but it goes to another tab
    }
  } else if (method == "Page.frameScheduledNavigation") {
    const auto delay = params.value("delay", 0.0);
    if (delay >= 0.5) {
      refresh_ = Refresh{string_field(params, "url"), delay};
    } else if (!leads_within_document(params, url_)) {
      scheduled_now_ = true;
      scheduled_url_ = string_field(params, "url");
    }
  } else if (method == "Page.frameClearedScheduledNavigation") {
    scheduled_now_ = false;
    refresh_.reset();
  } else if (method == "Page.frameStartedLoading") {
    loading_ = true;
  } else if (method == "Page.frameStoppedLoading") {
    loading_ = false;
    // A failed navigation's Started was dropped by its loadingFailed. Stopping also ends requests that came to
    // nothing before they started.
    if (!started_) requested_.reset();
  } else if (method == "Page.lifecycleEvent") {
    on_lifecycle(params);
  } else if (method == "Page.downloadWillBegin") {
    download_seq_ = seq_;
    requested_.reset();
    if (started_) {
      loader_entry(started_->loader_id).is_download = true;
      started_.reset();
    }
  } else if (method == "Network.requestWillBeSent") {
    on_request_will_be_sent(params);
  } else if (method == "Network.responseReceived") {
    if (string_field(params, "type") == "Document" &&
        string_field(params, "requestId") == string_field(params, "loaderId")) {
      const auto& response = params.at("response");
      auto& its_loader = loader_entry(string_field(params, "loaderId"));
      its_loader.status = response.value("status", 0);
      its_loader.status_text = string_field(response, "statusText");
    }
  }
  return true;
}

void NavigationTracker::on_frame_navigated(const Json& params) {
  refresh_.reset();
  const auto& frame = params.at("frame");
  commit_ =
      Commit{seq_, string_field(frame, "loaderId"), string_field(frame, "url") + string_field(frame, "urlFragment"),
             string_field(frame, "securityOrigin"), string_field(frame, "unreachableUrl")};
  if (started_ && string_field(params, "type") == "BackForwardCacheRestore") {
    // A browser that isn't ours may keep whole documents: one comes back under its loader id of long ago and loads
    // nothing. It is taken for what the navigation that fetched it has loaded.
    const auto* old = loader(commit_.loader_id);
    const int status = old != nullptr ? old->status : 0;
    const std::string status_text = old != nullptr ? old->status_text : "";
    commit_.loader_id = started_->loader_id;
    auto& restored = loader_entry(commit_.loader_id);
    restored.status = status;
    restored.status_text = status_text;
    restored.dom_content_loaded = restored.loaded = restored.network_idle = true;
  }
  url_ = commit_.url;
  auto& its_loader = loader_entry(commit_.loader_id);
  its_loader.commit = commit_;
  const auto began = its_loader.seq;
  // A navigation that started before this one was superseded by it. One that started after it is still on its way,
  // because an error page commits late, often when the next navigation has begun.
  if (started_ && (started_->loader_id == commit_.loader_id || started_->seq < began)) started_.reset();
  requested_.reset();
  scheduled_now_ = false;
}

void NavigationTracker::on_started_navigating(const Json& params) {
  const auto type = string_field(params, "navigationType");
  requested_.reset();
  scheduled_now_ = false;
  if (type == "sameDocument" || type == "historySameDocument") return;
  started_ = Started{seq_, string_field(params, "loaderId"), string_field(params, "url")};
  loader_entry(started_->loader_id);
  last_started_ = started_;
}

void NavigationTracker::on_request_will_be_sent(const Json& params) {
  const auto loader_id = string_field(params, "loaderId");
  if (string_field(params, "type") != "Document" || string_field(params, "requestId") != loader_id) return;
  auto& loader = loader_entry(loader_id);
  if (const auto redirect = params.find("redirectResponse"); redirect != params.end()) {
    loader.redirects.push_back(string_field(*redirect, "url"));
    const auto request = params.find("request");
    if (last_started_ && last_started_->loader_id == loader_id && request != params.end())
      last_started_->url = string_field(*request, "url");
  }
}

void NavigationTracker::on_loading_failed(const Json& params) {
  const auto request_id = string_field(params, "requestId");
  const auto it = loaders_.find(request_id);
  if (it == loaders_.end()) return;
  if (it->first == commit_.loader_id) {
    const auto error = string_field(params, "errorText");
    if (error == kAborted) return;  // stopped: its events come
    ++seq_;
    it->second.broke_off = error;
    return;
  }
  ++seq_;
  it->second.failed = true;
  it->second.error_text = string_field(params, "errorText");
  // Aborted (204, download, superseded, stopLoading): nothing will commit. Any other error commits an error page
  // with the same loader id, so the navigation stays pending until then.
  if (started_ && started_->loader_id == request_id && it->second.error_text == kAborted) started_.reset();
}

void NavigationTracker::on_lifecycle(const Json& params) {
  auto& loader = loader_entry(string_field(params, "loaderId"));
  const auto name = string_field(params, "name");
  if (name == "DOMContentLoaded") loader.dom_content_loaded = true;
  if (name == "load") loader.loaded = true;
  if (name == "networkIdle") loader.network_idle = true;
}

void NavigationTracker::abandon_pending() {
  ++seq_;
  forget_request();
  if (!started_) return;
  auto& loader = loader_entry(started_->loader_id);
  loader.failed = true;
  loader.error_text = kAborted;
  started_.reset();
}

void NavigationTracker::note_blocked(const std::string& loader_id, const std::string& url) {
  ++seq_;
  auto& loader = loader_entry(loader_id);
  loader.blocked_url = url;
  loader.failed = true;
  loader.error_text = kAborted;
  if (started_ && started_->loader_id == loader_id) started_.reset();
}

bool NavigationTracker::learn_document(const Json& frame) {
  if (commit_.seq != 0) return false;
  ++seq_;
  on_frame_navigated({{"frame", frame}});
  return true;
}

NavigationTracker::Loader& NavigationTracker::loader_entry(const std::string& loader_id) {
  auto& entry = loaders_[loader_id];
  if (entry.seq == 0) entry.seq = seq_;
  while (loaders_.size() > kLoadersKept) {
    auto oldest = loaders_.end();
    for (auto it = loaders_.begin(); it != loaders_.end(); ++it) {
      if (it->first == loader_id || it->first == commit_.loader_id) continue;
      if (oldest == loaders_.end() || it->second.seq < oldest->second.seq) oldest = it;
    }
    loaders_.erase(oldest);
  }
  return entry;
}

const NavigationTracker::Loader* NavigationTracker::loader(const std::string& loader_id) const {
  const auto it = loaders_.find(loader_id);
  return it == loaders_.end() ? nullptr : &it->second;
}

const NavigationTracker::Loader& NavigationTracker::committed_loader() const {
  static const Loader kNone{};
  const auto* found = loader(commit_.loader_id);
  return found != nullptr ? *found : kNone;
}

std::string NavigationTracker::first_committed_since(std::uint64_t since) const {
  const Loader* first = nullptr;
  for (const auto& [id, one] : loaders_) {
    if (!one.commit || one.seq <= since || one.commit->seq <= since) continue;
    if (first == nullptr || one.commit->seq < first->commit->seq) first = &one;
  }
  return first != nullptr ? first->commit->loader_id : std::string();
}

std::vector<std::string> NavigationTracker::trail_since(std::uint64_t since, const std::string& first) const {
  const auto* begun = loader(first);
  const std::uint64_t began = begun != nullptr ? begun->seq : 0;
  std::vector<const Loader*> passed;
  for (const auto& [id, one] : loaders_) {
    const bool is_there = id == commit_.loader_id;
    if (one.commit && one.commit->seq > since && one.seq >= began && (is_there || !one.commit->is_error_page()))
      passed.push_back(&one);
  }
  std::sort(passed.begin(), passed.end(),
            [](const Loader* one, const Loader* other) { return one->commit->seq < other->commit->seq; });
  std::vector<std::string> trail;
  for (const auto* one : passed) {
    trail.insert(trail.end(), one->redirects.begin(), one->redirects.end());
    if (one->commit->loader_id != commit_.loader_id) trail.push_back(one->commit->url);
  }
  return trail;
}

std::string NavigationTracker::pending_url() const {
  if (started_) return started_->url;
  if (requested_) return requested_->url;
  return scheduled_now_ ? scheduled_url_ : std::string();
}

}  // namespace bridle
