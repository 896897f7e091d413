#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/concurrency/sync.h"
#include "browser/page/side_session.h"
#include "browser/tab/tab.h"
#include "tools/contract/live_tab.h"

namespace bridle {

// The one screencast of a tab, for all who look at it [panel.view.one]. It has a CDP session of its own, so that it is
// off again when the last of them leaves. Nothing of it has a thread: whoever looks keeps the pace.
class LiveCast : public std::enable_shared_from_this<LiveCast> {
 public:
  // Throws Aborted, CdpError, CdpClosed, CdpTimeout, TabGone.
  static std::shared_ptr<LiveCast> start(const CallContext& ctx, const std::shared_ptr<Tab>& tab, int width);
  // Wider pictures from now on, if they are narrower.
  void widen(int width);
  // The newest picture, as a JPEG; null: none yet. Never waits.
  std::shared_ptr<const std::string> newest();
  LiveView::Next next(const CallContext& ctx, LiveView::Picture& last, Clock::time_point not_before);

 private:
  LiveCast(const std::shared_ptr<Tab>& tab, int width) : tab_(tab), width_(width) {}
  void on_event(std::string_view method, std::string_view message);  // reader thread
  Json params() const REQUIRES(mutex_);
  void take_newest() REQUIRES(mutex_);
  // What is to be sent to keep the pace, and when it is to be looked at again: an answer for a picture that has come,
  // or a new cast after the last picture has got old.
  struct Due {
    Clock::time_point again = Clock::time_point::max();
    long answer = -1;
    bool title = false;
    Json recast{};  // null: none
  };
  Due keep_pace() REQUIRES(mutex_);
  void send(const Due& due) const EXCLUDES(mutex_);
  void recast(const Json& params) const;
  // The page's title, which it may change at any time; the answer goes to the tab.
  void ask_title() const;
  void take_first(const CallContext& ctx, Tab& tab);

  std::unique_ptr<SideSession> session_{};  // set once, before others know of the cast
  const std::weak_ptr<Tab> tab_;
  Mutex mutex_;
  CondVar changed_;
  Clock::time_point asked_ GUARDED_BY(mutex_){};  // for the title
  int width_ GUARDED_BY(mutex_);
  bool over_ GUARDED_BY(mutex_) = false;
  std::string newest_ GUARDED_BY(mutex_);  // as the browser sent it; "" once it was taken
  LiveView::Picture picture_ GUARDED_BY(mutex_);
  std::deque<long> unanswered_ GUARDED_BY(mutex_);
  Clock::time_point answered_ GUARDED_BY(mutex_){};
  Clock::time_point came_ GUARDED_BY(mutex_){};
  bool stale_ GUARDED_BY(mutex_) = false;       // a picture may have been left out since
  bool refreshing_ GUARDED_BY(mutex_) = false;  // the next one is of a new cast
};

// The casts that run, by tab. Any thread.
class LiveCasts {
 public:
  // As LiveCast::start(). Waits while another viewer's cast of this tab begins, never for those of other tabs.
  std::shared_ptr<LiveCast> of(const CallContext& ctx, const std::shared_ptr<Tab>& tab, int width);
  // What the viewers of a tab see; null when there are none. Never waits.
  std::shared_ptr<const std::string> newest(const std::string& tab_id);

 private:
  Mutex mutex_;
  CondVar started_;
  std::set<std::string> starting_ GUARDED_BY(mutex_);  // tabs whose cast begins: two viewers that come at once share it
  std::map<std::string, std::weak_ptr<LiveCast>> casts_ GUARDED_BY(mutex_);  // by the tab's id
};

}  // namespace bridle
