#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/call_context.h"
#include "base/sync.h"
#include "browser/cdp/connection.h"
#include "browser/tab/queue.h"
#include "browser/tab/request_filter.h"
#include "browser/tab/tab_view.h"

namespace bridle {

// A command couldn't be answered because a dialog opened and blocks the page.
class DialogOpened : public std::runtime_error {
 public:
  explicit DialogOpened(JavaScriptDialog open) : std::runtime_error("a dialog opened"), dialog(std::move(open)) {}
  JavaScriptDialog dialog;
};

// The tab can't answer any more: closed, crashed, or its browser gone. what() says which and what to do.
class TabGone : public std::runtime_error {
 public:
  TabGone(const std::string& words, bool is_crash) : std::runtime_error(words), crashed(is_crash) {}
  bool crashed;
};

// One page target: its CDP session and what its events have told. Any thread may call any method; events come in on
// the connection's reader thread. Held by shared_ptr; the browser's list and the calls in flight share it.
class Tab : public std::enable_shared_from_this<Tab> {
 public:
  struct Info {
    std::string target_id;   // also the main frame's id
    std::string context_id;  // browser context
    std::string opener_id;   // target id of the opener, "" without
    bool existed = false;    // there before we attached: of a browser that isn't ours
    bool lent = false;       // and opened by somebody else: never closed but on request
  };
  // `filter` null: nothing is.
  Tab(std::string id, Info info, CdpSession session, std::shared_ptr<const RequestFilter> filter = nullptr);

  // Registers for events and posts the commands that every tab needs. On the reader thread, before anything else.
  // A width of 0 leaves the viewport as it is.
  void attach(int width, int height);
  // No more events; whoever waits fails with `why`. Reader thread or owner.
  void mark_gone(const std::string& why);

  const std::string& id() const { return id_; }  // bridle's own: "t1", never reused; or a secret handle, "i-..."
  static constexpr const char* kSecretPrefix = "i-";
  // What names it where others read too: in logs, in /status. The start only of a secret id.
  std::string label() const;
  const Info& info() const { return info_; }
  const CdpSession& session() const { return session_; }
  TabQueue& queue() { return queue_; }
  const std::string& main_frame() const { return info_.target_id; }

  // Calls `read` with the view locked. `read` must not wait or call out.
  template <typename Fn>
  auto with(Fn&& fn) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return fn(view_);
  }
  // Waits until `ready(view)`; false at ctx's deadline. Throws Aborted.
  bool wait(const CallContext& ctx, const std::function<bool(TabView&)>& ready) EXCLUDES(mutex_);
  // Wakes waiters after a change made through with().
  void notify() { changed_.notify_all(); }

  // Sends a command and waits for its result, a dialog that blocks it, or the tab's end. Throws Aborted, CdpError,
  // CdpTimeout, DialogOpened, TabGone. `frame_session` "" is the tab's own.
  Json call(const CallContext& ctx, std::string_view method, const Json& params = Json::object(),
            Millis limit = limits::kCdpCommand, const std::string& frame_session = {});
  std::string call_raw(const CallContext& ctx, std::string_view method, const Json& params, Millis limit,
                       const std::string& frame_session = {});
  // A command in flight, for whoever waits for more than its reply. Its reply wakes the tab's waiters; dropping it
  // forgets the reply.
  class Asked {
   public:
    // Under the tab's lock: with(), wait().
    const std::optional<CdpReply>& reply() const { return *reply_; }
    std::optional<CdpReply> take() { return std::exchange(*reply_, std::nullopt); }

   private:
    friend class Tab;
    std::shared_ptr<std::optional<CdpReply>> reply_ = std::make_shared<std::optional<CdpReply>>();
    CdpConnection::Pending pending_{};
  };
  // Sends without waiting. `frame_session` "" is the tab's own.
  [[nodiscard]] Asked ask(std::string_view method, const Json& params, const std::string& frame_session = {});
  // Sends several commands without waiting in between and waits for all their replies: an input that the page must see
  // as one. Nothing is sent once the signal has fired, unless asked to (what releases what is down); what was sent is
  // sent. A frame that gets another document meanwhile may take replies with it, of which nobody tells: they are waited
  // for a moment only. Throws as call().
  struct Command {
    std::string_view method;
    Json params;
  };
  enum class Sends { unless_aborted, even_aborted };
  void call_all(const CallContext& ctx, const std::vector<Command>& commands, Sends sends = Sends::unless_aborted,
                Millis limit = limits::kCdpCommand);
  // Throws TabGone when gone, or when crashed and `even_crashed` is false.
  void throw_if_gone(bool even_crashed = false);

  // Answers the open dialog. The CDP error when there is none comes through.
  void handle_dialog(const CallContext& ctx, bool accept, const std::string& prompt_text);

  static long waiters() noexcept;  // gauge over all tabs

 private:
  void on_event(const std::string& session, std::string_view method, std::string_view message);
  void on_child_target(std::string_view method, const Json& params);
  void on_request_paused(const std::string& session, const Json& params);
  void post_setup(const CdpSession& session, bool main);
  void learn_document();

  const std::string id_;
  const Info info_;
  const CdpSession session_;
  const std::shared_ptr<const RequestFilter> filter_;
  TabQueue queue_;

  Mutex mutex_;
  CondVar changed_;
  TabView view_ GUARDED_BY(mutex_);
  std::vector<std::string> child_sessions_ GUARDED_BY(mutex_);
};

}  // namespace bridle
