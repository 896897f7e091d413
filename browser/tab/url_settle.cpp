#include "browser/tab/url_settle.h"

#include <algorithm>
#include <array>

#include "base/text/secrets.h"
#include "browser/tab/navigation_tracker.h"

namespace bridle {
bool belongs_to_another_program(std::string_view url) {
  static constexpr std::array<std::string_view, 14> kOwn{"http",
                                                         "https",
                                                         "file",
                                                         "data",
                                                         "blob",
                                                         "about",
                                                         "filesystem",
                                                         "chrome",
                                                         "chrome-untrusted",
                                                         "chrome-error",
                                                         "chrome-extension",
                                                         "devtools",
                                                         "view-source",
                                                         "javascript"};
  const auto colon = url.find(':');
  return colon != std::string_view::npos && std::find(kOwn.begin(), kOwn.end(), url.substr(0, colon)) == kOwn.end();
}

NavigateReply read_navigate_reply(const CdpReply& reply) {
  NavigateReply parsed;
  if (reply.kind == CdpReply::Kind::closed) {
    parsed.closed = true;
    parsed.why = reply.message;
    return parsed;
  }
  const Json json = parse_cdp(reply.message);
  if (reply.kind == CdpReply::Kind::error) {
    parsed.is_error = true;
    parsed.why = json.at("error").value("message", "");
    return parsed;
  }
  const auto& result = json.at("result");
  parsed.loader_id = result.value("loaderId", "");
  parsed.error_text = result.value("errorText", "");
  parsed.is_download = result.value("isDownload", false);
  return parsed;
}

std::string_view to_string(NavigationOutcome outcome) noexcept {
  switch (outcome) {
    case NavigationOutcome::committed:
      return "committed";
    case NavigationOutcome::same_document:
      return "same_document";
    case NavigationOutcome::timeout:
      return "timeout";
    case NavigationOutcome::origin_mismatch:
      return "origin_mismatch";
    case NavigationOutcome::net_error:
      return "net_error";
    case NavigationOutcome::no_content:
      return "no_content";
    case NavigationOutcome::download:
      return "download";
    case NavigationOutcome::dialog:
      return "dialog";
    case NavigationOutcome::superseded:
      return "superseded";
    case NavigationOutcome::tab_gone:
      return "tab_gone";
    case NavigationOutcome::crashed:
      return "crashed";
    case NavigationOutcome::other_program:
      return "other_program";
    case NavigationOutcome::blocked:
      return "blocked";
  }
  return "unknown";
}

std::string words_for_page_kept(const CommitDecision& decision) {
  switch (decision.outcome) {
    case NavigationOutcome::download:
      return "a navigation that the page started became a download";
    case NavigationOutcome::no_content:
      return "a navigation that the page started was answered with no content";
    case NavigationOutcome::other_program:
      return "the page leads to " + shown_url(decision.detail) + ", which is for another program";
    default:
      return "a navigation to " + decision.detail + ", which the page started, was blocked";
  }
}

CommitWatch::CommitWatch(Kind kind, const NavigationTracker& tracker) : kind_(kind), since_(tracker.seq()) {
  if (kind == Kind::follow && tracker.started()) loader_id_ = tracker.started()->loader_id;
}

std::optional<CommitDecision> CommitWatch::decide(const NavigationTracker& tracker) {
  if (reply_) {
    if (!reply_->loader_id.empty()) loader_id_ = reply_->loader_id;
    if (auto decision = decide_reply(tracker)) return decision;
  }
  // It may have committed between two of these calls, and the page have led on to the next one.
  if (loader_id_.empty() && kind_ != Kind::navigate) loader_id_ = tracker.first_committed_since(since_);
  if (loader_id_.empty() && tracker.started() && tracker.started()->seq > since_) {
    loader_id_ = tracker.started()->loader_id;
  }
  if (!loader_id_.empty()) return decide_loader(tracker);
  if (tracker.download_seq() > since_) return CommitDecision{NavigationOutcome::download};
  if (kind_ == Kind::navigate) return std::nullopt;  // the reply will tell
  if (tracker.same_document_seq() > since_) return CommitDecision{NavigationOutcome::same_document};
  if (kind_ == Kind::follow && !tracker.navigation_pending()) {
    return CommitDecision{NavigationOutcome::superseded, ""};  // what was requested never started
  }
  return std::nullopt;
}

std::optional<CommitDecision> CommitWatch::decide_reply(const NavigationTracker& tracker) const {
  if (reply_->closed) return CommitDecision{NavigationOutcome::tab_gone, reply_->why};
  if (reply_->is_error) return CommitDecision{NavigationOutcome::net_error, reply_->why};
  if (reply_->is_download) return CommitDecision{NavigationOutcome::download};
  if (!reply_->error_text.empty()) {
    if (reply_->error_text != kAborted) return CommitDecision{NavigationOutcome::net_error, reply_->error_text};
    return aborted(tracker, reply_->loader_id);
  }
  if (kind_ == Kind::navigate && reply_->loader_id.empty()) {
    // The event follows the reply.
    if (tracker.same_document_seq() > since_) return CommitDecision{NavigationOutcome::same_document};
  }
  return std::nullopt;
}

std::optional<CommitDecision> CommitWatch::decide_loader(const NavigationTracker& tracker) const {
  const auto* loader = tracker.loader(loader_id_);
  // The page may have led on to the next document between two of these calls.
  if (loader != nullptr && loader->commit) {
    if (!loader->commit->is_error_page()) return CommitDecision{NavigationOutcome::committed};
    std::string error = loader->error_text;
    if (error.empty() && reply_) error = reply_->error_text;
    return CommitDecision{NavigationOutcome::net_error, error.empty() ? "net::ERR_FAILED" : error};
  }
  if (loader != nullptr && loader->is_download) return CommitDecision{NavigationOutcome::download};
  if (loader != nullptr && loader->failed) {
    if (loader->error_text != kAborted) return CommitDecision{NavigationOutcome::net_error, loader->error_text};
    // For Page.navigate the reply tells a download from the rest, and it follows at once.
    if (kind_ != Kind::navigate || reply_) return aborted(tracker, loader_id_);
  }
  // The late commit of something older (an error page, above all) doesn't concern this navigation.
  const auto& commit = tracker.commit();
  const auto* committed = tracker.loader(commit.loader_id);
  if (loader != nullptr && committed != nullptr && committed->seq > loader->seq) {
    return CommitDecision{NavigationOutcome::superseded, commit.url};
  }
  if (tracker.started() && tracker.started()->loader_id != loader_id_ && loader != nullptr &&
      tracker.started()->seq > loader->seq) {
    return CommitDecision{NavigationOutcome::superseded, tracker.started()->url};
  }
  return std::nullopt;
}

CommitDecision CommitWatch::aborted(const NavigationTracker& tracker, const std::string& loader_id) const {
  const auto* loader = tracker.loader(loader_id);
  if (loader != nullptr && !loader->blocked_url.empty()) return {NavigationOutcome::blocked, loader->blocked_url};
  if (loader != nullptr && (loader->status == 204 || loader->status == 205)) {
    return {NavigationOutcome::no_content, std::to_string(loader->status)};
  }
  if (tracker.download_seq() > since_) return {NavigationOutcome::download};
  if (tracker.started() && tracker.started()->seq > since_ && tracker.started()->loader_id != loader_id_) {
    return {NavigationOutcome::superseded, tracker.started()->url};
  }
  if (tracker.commit().seq > since_) return {NavigationOutcome::superseded, tracker.commit().url};
  const auto& last = tracker.last_started();
  if (last && last->loader_id == loader_id && belongs_to_another_program(last->url))
    return {NavigationOutcome::other_program, last->url};
  return {NavigationOutcome::net_error, kAborted};
}

}  // namespace bridle
