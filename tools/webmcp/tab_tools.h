#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "browser/page/side_session.h"

namespace bridle {

// A tool that a document of a page has registered, as the page tells of it.
struct PageTool {
  std::string name{};
  std::string description{};
  Json schema{};
  std::string frame{};
  long number = 0;  // counts up: another registration under the same name is another tool
};

// The tools of one tab's page, by the events of Chromium's WebMCP domain, and the calls of them that are under way. The
// main frame, and those of its process. Any thread; its events come on the connection's reader thread.
class TabTools : public std::enable_shared_from_this<TabTools> {
 public:
  // `on_change` is told when a tool has come or gone; it must not wait.
  static std::shared_ptr<TabTools> open(const CallContext& ctx, const std::shared_ptr<Tab>& tab,
                                        std::function<void()> on_change);

  std::vector<PageTool> tools() const;  // none once the tab is gone
  std::shared_ptr<Tab> tab() const { return tab_.lock(); }

  // What a call of a tool came to.
  struct Reply {
    std::string status{};  // Completed, Canceled, Error; "" its document went away
    Json output{};
    std::string error{};
  };
  // Calls it and waits for its reply. An abort reaches the page's tool too. Throws ToolError when there is no such tool
  // any more, Aborted, DialogOpened, and what Tab::call throws.
  Reply call(const CallContext& ctx, const PageTool& tool, const Json& input);

 private:
  TabTools(const std::shared_ptr<Tab>& tab, std::function<void()> on_change);
  void on_event(std::string_view method, std::string_view message);
  bool take_event(std::string_view method, const Json& params) REQUIRES(mutex_);  // whether the tools have changed
  void add(const Json& tool) REQUIRES(mutex_);
  bool drop_frame(const std::string& frame) REQUIRES(mutex_);
  // One that is under way; guarded by mutex_.
  struct Call {
    std::string frame{};
    std::string invocation{};           // "" until the browser has named it
    std::optional<CdpReply> refused{};  // it was not begun
    std::optional<Reply> reply{};
    bool abandoned = false;
  };
  void on_begun(const std::shared_ptr<Call>& call, CdpReply reply);
  void cancel(const std::string& invocation) const;

  const std::weak_ptr<Tab> tab_;
  const std::function<void()> on_change_;

  mutable Mutex mutex_;
  CondVar changed_;
  std::vector<PageTool> tools_ GUARDED_BY(mutex_);
  long next_number_ GUARDED_BY(mutex_) = 1;
  bool gone_ GUARDED_BY(mutex_) = false;
  bool dialog_ GUARDED_BY(mutex_) = false;
  std::map<std::string, std::shared_ptr<Call>> pending_ GUARDED_BY(mutex_);  // by invocation

  std::unique_ptr<const SideSession> session_;  // last: its end stops the events
};

}  // namespace bridle
