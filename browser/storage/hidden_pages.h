#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "browser/cdp/connection.h"

namespace bridle {

// Pages of a browser context that nobody sees, in which documents of ours stand at other origins' addresses: each
// request is answered here, none leaves the browser, and no service worker of the origin takes part. For what is stored
// by origin and can only be reached from a document there [why.hidden-pages]. One thread; the pages are closed by the
// destructor.
class HiddenPages {
 public:
  // Each document's script tells what it has to say by one call of tell(text).
  static constexpr const char* kTell = "bridleTells";
  static constexpr std::size_t kPagesAtOnce = 4;  // each origin's process takes a core while it starts

  // `target`: what Target.createTarget needs so that the pages belong to a context. `at_once`: visits, each in a page.
  HiddenPages(std::shared_ptr<CdpConnection> connection, Json target, std::size_t at_once = kPagesAtOnce);
  ~HiddenPages();
  HiddenPages(const HiddenPages&) = delete;
  HiddenPages& operator=(const HiddenPages&) = delete;

  // A document to open, and the frames within it, of the same host.
  struct Visit {
    std::string url{};
    std::map<std::string, std::shared_ptr<const std::string>> html{};  // by URL, also of the frames
    std::size_t texts = 1;                                             // as many as there are documents that tell
  };
  // Does all visits, some at a time. `told` gets each text on the calling thread; `failed` a visit that could not be
  // done, or that had not told all, with why. Throws Aborted, CdpClosed, CdpError, CdpTimeout.
  void visit_all(const CallContext& ctx, const std::vector<Visit>& visits,
                 const std::function<void(std::string text)>& told,
                 const std::function<void(const Visit& visit, const std::string& why)>& failed);
  // A command to one of the pages, for what concerns their storage partition.
  Json call(const CallContext& ctx, std::string_view method, const Json& params);

 private:
  struct Page {
    std::string target{};
    std::string session{};
    const Visit* visit = nullptr;
    Deadline deadline = Deadline::none();
    std::map<long long, std::string> pieces{};  // of texts that aren't whole yet, by execution context
    std::vector<std::string> texts{};
    std::size_t told = 0;
    std::string failure{};
  };
  void open_page(const CallContext& ctx);
  void start_visit(const CallContext& ctx, Page& page, const Visit& visit);
  void on_event(Page& page, std::string_view method, std::string_view message);
  void fulfill(Page& page, const Json& params);
  static void take_piece(Page& page, const Json& params);

  const std::shared_ptr<CdpConnection> connection_;
  const Json target_;
  const std::size_t at_once_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<std::unique_ptr<Page>> pages_{};  // what events change of a page is guarded by mutex_
  std::vector<CdpConnection::Pending> navigations_{};
};

}  // namespace bridle
