#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "browser/chromium/browser_context.h"
#include "browser/chromium/tab_directory.h"

namespace bridle {

// Tells each session of its own downloads: the browser's events name a frame and a file, but no session. Any thread;
// the directory outlives it.
class DownloadRouter {
 public:
  DownloadRouter(std::shared_ptr<CdpConnection> connection, const TabDirectory& tabs)
      : connection_(std::move(connection)), tabs_(tabs) {}

  // Keeps a context's downloads in a folder, each under its guid, and announces them; with no folder ("") refuses them
  // all. Without this command Chromium chooses the folder itself. Throws as CdpConnection::call.
  void keep(const CallContext& ctx, const BrowserContext& context, const std::string& folder);
  // Browser.downloadWillBegin and Browser.downloadProgress of a context's tabs, with bridle's id of the tab that began
  // it ("" unknown). Reader thread; must not block.
  using Listener = std::function<void(const std::string& tab_id, std::string_view method, const Json& params)>;
  void listen(std::shared_ptr<const BrowserContext> context, Listener listener);
  // Ends the context's downloads too; the listener is told of their end, and then let go of.
  void unlisten(const std::string& context_id);
  void close();
  // Ends a running download and removes its file. Never waits.
  void cancel(const std::string& guid);
  // What cancels any download of a context, also one that no event has told of: the browser doesn't tell of one whose
  // frame is gone when it begins. Never waits, and may be called for longer than the router lives.
  std::function<void(const std::string& guid)> canceller(std::shared_ptr<const BrowserContext> context) const;

  static bool wants(std::string_view method) { return method.starts_with("Browser.download"); }
  void on_event(std::string_view method, const Json& params);  // reader thread

 private:
  struct Member {
    std::shared_ptr<const BrowserContext> context{};
    Listener listener{};
  };
  std::shared_ptr<Tab> tab_that_began(const std::string& frame_id) const;

  const std::shared_ptr<CdpConnection> connection_;
  const TabDirectory& tabs_;
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<const Member>> members_ GUARDED_BY(mutex_);  // by context
  std::map<std::string, std::shared_ptr<const Member>> running_ GUARDED_BY(mutex_);  // whose each is, by guid
};

}  // namespace bridle
