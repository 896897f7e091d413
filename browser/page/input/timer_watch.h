#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/call_context.h"
#include "browser/tab/tab.h"

namespace bridle {

// The timers that a page sets because of an input, so that what they bring about can be in the input's answer
// [nav.after-action.timers]. While it lives, and while the document loads, setTimeout and clearTimeout of the frame's
// page pass through proxies of ours (in the script kit), which a library that keeps what it finds as it is loaded goes
// on using. A timer counts that was set before until_fired(), or by one that counts; a late one, which was set
// afterwards by the handler of a response or by whatever else, where it is asked for. Used by one thread. A page
// without a kit is not watched, nor what a script keeps that was loaded later.
class TimerWatch {
 public:
  // What the frame is sent next: an input, before which the renderer must have answered, or a script, which runs after
  // whatever was sent before it. Or a dialog is answered: then the watch of the input that opened it goes on, if that
  // was left to the dialog, as the page's script has gone no further meanwhile.
  enum class Before { input, script, dialog_answer };
  // Goes without a watch where the page can't be watched. `frame_id` "" is the main frame. Throws Aborted, TabGone.
  TimerWatch(const CallContext& ctx, Tab& tab, std::string frame_id, Before next);
  ~TimerWatch();  // the page has its functions back, unless it was left to a dialog
  TimerWatch(const TimerWatch&) = delete;
  TimerWatch& operator=(const TimerWatch&) = delete;

  const std::string& frame() const { return frame_id_; }
  bool watching() const { return !kit_.empty(); }
  // The page goes on being watched until the next watch, which the answer to the dialog that is open begins.
  void leave_to_dialog() { kit_.clear(); }
  enum class Which { own, late_too };
  // Sent without waiting; the reply comes when no timer of at most `most` ms is left. Once late ones were asked for
  // they count from then on.
  PendingReply until_fired(Millis most, Which which = Which::own);
  // Takes its reply. True: there were such timers.
  bool note_fired(const CdpReply& reply);
  // The last reply said that no timer was set: those to come count still, and may be asked for again.
  bool none() const { return none_; }
  // By a reply, the page has workers, which may be owed an answer [nav.workers].
  bool has_workers() const { return workers_; }
  // Sent without waiting. The reply of the first comes, at once or later, when all that was sent is answered, that of
  // the second when the next message comes. Of each the latest alone has a reply.
  PendingReply until_answered() { return ask_posts("answered"); }
  PendingReply until_heard() { return ask_posts("heard"); }
  enum class Answered { none_owed, before, later };
  // Takes the reply of until_answered().
  static Answered answered_of(const CdpReply& reply);
  // What is owed still is not waited for again until something comes back.
  void give_up_workers();
  // The page is read next, by what is sent after this. Sent without waiting.
  void look();
  struct Rest {
    std::vector<double> delays{};       // in ms, of the timers that haven't fired
    std::set<std::string> asked_for{};  // as unanswered_questions.h notes it [nav.after-action.asks]
    bool owed = false;                  // a worker that was given up has sent nothing back since
    bool fired = false;                 // one has since look(): what it did is perhaps not in what was read
    bool answered = false;              // within what a renderer that is not busy takes: else nothing is known
  };
  // Ends the watch. Throws Aborted, TabGone.
  Rest finish(const CallContext& ctx);

 private:
  void note_asked(const std::string& said);
  Json call_params(const std::string& function) const;
  PendingReply ask_posts(const std::string& what);

  Tab& tab_;
  const std::string frame_id_;
  std::string session_{};
  std::string kit_{};  // the object id; "" when the page isn't watched
  bool none_ = false;  // no timer was set
  bool workers_ = false;
  std::set<std::string> asked_for_{};
};

// Whether the frame's page is known to have a timeout that will be over within `most`: one that was set while the
// document loaded, or while a TimerWatch lived. What it does then may be what a call waits for. False where that can't
// be asked. Throws Aborted, TabGone.
bool timer_is_due(const CallContext& ctx, Tab& tab, const std::string& frame_id, Millis most);

}  // namespace bridle
