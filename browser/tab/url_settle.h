#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/deadline.h"
#include "browser/cdp/connection.h"

namespace bridle {

class NavigationTracker;

// The error of what was stopped, became a download, was answered with no content, or was taken over: nothing commits.
inline constexpr const char* kAborted = "net::ERR_ABORTED";

// How a navigation ended: one enumerator for each outcome of the contract, [nav.outcome.committed] to
// [nav.outcome.blocked].
enum class NavigationOutcome {
  committed,        // the main frame committed
  same_document,    // #fragment, pushState, replaceState
  timeout,          // nothing committed in time; the tab keeps loading
  origin_mismatch,  // committed elsewhere than expectOrigin
  net_error,        // net::ERR_*
  no_content,       // 204, 205: page unchanged
  download,         // became a download: page unchanged
  dialog,           // a dialog holds it
  superseded,       // another navigation took over
  tab_gone,         // closed, by whomever
  crashed,          // the renderer died; the next navigation revives the tab
  other_program,    // a link to mailto:, tel:, an application's scheme: nothing is started, page unchanged
  blocked,          // policy: nothing was sent to the origin that is refused, page unchanged
};
std::string_view to_string(NavigationOutcome outcome) noexcept;

enum class WaitUntil { commit, dom_content_loaded, load, network_idle };

// Whether Chromium gives a URL away (mailto:, tel:, an application's scheme) rather than loading it itself.
bool belongs_to_another_program(std::string_view url);

// What the browser replied to the command that began a navigation.
struct NavigateReply {
  bool closed = false;       // never answered: tab or browser gone
  std::string why{};         // closed: the words; or a CDP error
  bool is_error = false;     // a CDP error reply
  std::string loader_id{};   // empty: same document, or a command that doesn't tell (reload, history)
  std::string error_text{};  // net::ERR_*
  bool is_download = false;
};

NavigateReply read_navigate_reply(const CdpReply& reply);

struct CommitDecision {
  NavigationOutcome outcome;
  std::string
      detail{};  // net_error: the error; superseded: the other URL; blocked: the URL refused; other_program: the URL
};

// What to say of a navigation that the page started and that left it as it is: by a download, no content, a refusal or
// another program.
std::string words_for_page_kept(const CommitDecision& decision);

// Decides from what the tracker has seen since `since` how one navigation ended. Pure: its owner asks again after each
// event.
class CommitWatch {
 public:
  enum class Kind {
    navigate,  // Page.navigate: the reply names the loader
    history,   // reload, back, forward: frameStartedNavigating names it
    follow,    // whatever the page started itself
  };
  // Of what begins from now on; a navigation that is already pending counts for `follow`.
  CommitWatch(Kind kind, const NavigationTracker& tracker);

  void on_reply(NavigateReply reply) { reply_ = std::move(reply); }
  bool replied() const { return reply_.has_value(); }
  // nullopt: not decided yet.
  std::optional<CommitDecision> decide(const NavigationTracker& tracker);
  std::uint64_t since() const { return since_; }
  // The loader this navigation runs under, once known.
  const std::string& loader_id() const { return loader_id_; }

 private:
  std::optional<CommitDecision> decide_reply(const NavigationTracker& tracker) const;
  std::optional<CommitDecision> decide_loader(const NavigationTracker& tracker) const;
  CommitDecision aborted(const NavigationTracker& tracker, const std::string& loader_id) const;

  Kind kind_;
  std::uint64_t since_;
  std::optional<NavigateReply> reply_;
  std::string loader_id_;
};

}  // namespace bridle
