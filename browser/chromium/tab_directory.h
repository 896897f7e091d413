#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "browser/chromium/browser_context.h"
#include "browser/tab/tab.h"

namespace bridle {

// The tabs of one browser that sessions drive, by CDP session and by target, and which session each belongs to. Any
// thread may call anything, except the functions that say "reader thread". The directory sends nothing to the browser.
class TabDirectory {
 public:
  explicit TabDirectory(Tab::Setup setup) : setup_(std::move(setup)) {}

  // What every tab without an opener emulates from its start; before the first one comes.
  void emulate(std::shared_ptr<const Emulation> emulation);

  // Told of each new tab of a context, opened by a page or by create_tab: once, on the reader thread; must not block.
  using Listener = std::function<void(const std::shared_ptr<Tab>&)>;
  // `routes`: of the requests that the context's tabs and workers make; may be null.
  void listen(std::shared_ptr<const BrowserContext> context, Listener listener,
              std::shared_ptr<RouteTable> routes = nullptr);
  // Those of a worker that no tab has; null: none. `context_id` as the browser names it.
  std::shared_ptr<RouteTable> routes_of_worker(const std::string& context_id) const;
  void unlisten(const std::string& context_id);
  // The contexts that have a listener.
  std::vector<std::shared_ptr<const BrowserContext>> contexts() const;

  // A Target.createTarget is under way until end_creation(): what attaches meanwhile and may be its tab is held back.
  void begin_creation();
  // Ends what begin_creation() began: the tab, if one was created, is known by now or expected. Returns the
  // attachedToTarget events that no longer have to be held back. Reader thread.
  std::vector<Json> end_creation(const std::string& target_id);
  // Announces a target that will be attached soon, and the context it belongs to. `foreign`: somebody else opened it.
  void expect(const std::string& target_id, const std::string& context_id, bool foreign);
  // The same for a target that a page has opened: `opener_id` is the target that the browser names, or "". Returns the
  // opener's tab, if it is one of ours; else nothing is expected. Reader thread.
  std::shared_ptr<Tab> expect_popup(const std::string& target_id, const std::string& opener_id);
  void expect_no_longer(const std::string& target_id);

  // Files the tab of a Target.attachedToTarget event. Its context is the one that the browser names, if that is
  // listened to, else what expect() said, its opener's, or the only session's that takes such tabs
  // [why.tabs-without-opener]. Reader thread.
  struct Arrival {
    std::shared_ptr<Tab> tab{};  // null: nobody's
    Listener listener{};         // to be told once the tab is attached
    bool held_back = false;      // see begin_creation()
    bool stray = false;          // nobody's, though there are sessions: it must be closed [nav.tab-owner]
  };
  Arrival add(const Json& attached_to_target, Tab::Info info, CdpSession session);
  // Wakes await(): the tab's listener has been told.
  void announce() { changed_.notify_all(); }
  // Null if the session is none of ours. Reader thread.
  std::shared_ptr<Tab> remove(const std::string& session);
  // The browser ended: returns all tabs; nobody is told or waits any more.
  std::vector<std::shared_ptr<Tab>> close();

  // Waits until the target's tab is there; null at ctx's deadline and after close(). Throws Aborted.
  std::shared_ptr<Tab> await(const CallContext& ctx, const std::string& target_id);
  // Null if the target is none of ours.
  std::shared_ptr<Tab> find(const std::string& target_id) const;
  // The tab whose page has this frame; null if none is known to.
  std::shared_ptr<Tab> with_frame(const std::string& frame_id) const;
  std::vector<std::shared_ptr<Tab>> all() const;
  std::vector<std::shared_ptr<Tab>> of_context(const std::string& context_id) const;
  // A tab, its opener, that one's, and all that they have opened.
  std::vector<std::shared_ptr<Tab>> family_of(const Tab& tab) const;
  std::size_t size() const;

 private:
  struct Member {
    std::shared_ptr<const BrowserContext> context{};
    Listener listener{};
    std::shared_ptr<RouteTable> routes{};
    std::shared_ptr<std::atomic<long>> fronts = std::make_shared<std::atomic<long>>(0);  // see Tab::Setup
  };
  struct Expected {
    std::string context_id{};
    bool foreign = false;
    std::string opener_id{};
  };
  std::shared_ptr<Tab> find_locked(const std::string& target_id) const REQUIRES(mutex_);
  std::string take_asker_locked(const std::string& context_id) REQUIRES(mutex_);
  std::string owner_locked(const Tab::Info& info) const REQUIRES(mutex_);

  mutable Mutex mutex_;
  Tab::Setup setup_ GUARDED_BY(mutex_);
  CondVar changed_;
  std::map<std::string, Member> members_ GUARDED_BY(mutex_);  // by context
  std::unordered_map<std::string, std::shared_ptr<Tab>> by_session_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, std::shared_ptr<Tab>> by_target_ GUARDED_BY(mutex_);
  int creating_ GUARDED_BY(mutex_) = 0;
  std::map<std::string, Expected> expected_ GUARDED_BY(mutex_);  // by target
  std::map<std::string, Json> held_back_ GUARDED_BY(mutex_);     // by target
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace bridle
