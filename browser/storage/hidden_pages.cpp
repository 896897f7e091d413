#include "browser/storage/hidden_pages.h"

#include <algorithm>
#include <utility>

#include "base/text/codecs.h"
#include "browser/cdp/call_or_undo.h"

namespace bridle {

HiddenPages::HiddenPages(std::shared_ptr<CdpConnection> connection, Json target, std::size_t at_once)
    : connection_(std::move(connection)), target_(std::move(target)), at_once_(at_once) {}

HiddenPages::~HiddenPages() {
  navigations_.clear();
  for (const auto& page : pages_) {
    if (!page->session.empty()) connection_->set_event_handler(page->session, nullptr);
    connection_->post("", "Target.closeTarget", {{"targetId", page->target}});
  }
}

void HiddenPages::open_page(const CallContext& ctx) {
  ctx.signal.throw_if_aborted();
  Json params = target_;
  params["url"] = "about:blank";
  params["hidden"] = true;  // no tab of anybody's; it ends with this connection
  const Json made = call_or_undo(*connection_, ctx, "Target.createTarget", params,
                                 [connection = connection_.get()](const Json& late) {
                                   connection->post("", "Target.closeTarget", {{"targetId", late.at("targetId")}});
                                 });
  auto owned = std::make_unique<Page>();
  Page& page = *owned;
  page.target = made.value("targetId", "");
  pages_.push_back(std::move(owned));
  page.session = connection_->call(ctx, "", "Target.attachToTarget", {{"targetId", page.target}, {"flatten", true}})
                     .value("sessionId", "");
  connection_->set_event_handler(page.session, [this, &page](std::string_view method, std::string_view message) {
    on_event(page, method, message);
  });
  connection_->post(page.session, "Fetch.enable", {{"patterns", Json::array({{{"urlPattern", "*"}}})}});
  // Without Network.enable the bypass has no effect.
  connection_->post(page.session, "Network.enable", {{"maxTotalBufferSize", 0}, {"maxResourceBufferSize", 0}});
  connection_->post(page.session, "Network.setBypassServiceWorker", {{"bypass", true}});
  connection_->post(page.session, "Runtime.enable", Json::object());
  connection_->call(ctx, page.session, "Runtime.addBinding", {{"name", kTell}});
}

// The reader thread.
void HiddenPages::on_event(Page& page, std::string_view method, std::string_view message) {
  if (method == "Fetch.requestPaused") {
    fulfill(page, parse_cdp(message).at("params"));
  } else if (method == "Runtime.bindingCalled") {
    const Json event = parse_cdp(message);
    const MutexLock lock(mutex_);
    take_piece(page, event.at("params"));
  } else {
    return;
  }
  changed_.notify_all();
}

void HiddenPages::fulfill(Page& page, const Json& params) {
  std::shared_ptr<const std::string> html;
  {
    const MutexLock lock(mutex_);
    if (page.visit != nullptr) {
      const auto found = page.visit->html.find(params.at("request").value("url", ""));
      if (found != page.visit->html.end()) html = found->second;
    }
  }
  Json answer{{"requestId", params.at("requestId")}, {"responseCode", 200}};
  answer["responseHeaders"] = Json::array({{{"name", "content-type"}, {"value", "text/html; charset=utf-8"}}});
  answer["body"] = html ? base64(*html) : "";
  connection_->post(page.session, "Fetch.fulfillRequest", answer);
}

// A text comes in pieces, as a message of the browser's has a bound: all but the last begin with "+".
void HiddenPages::take_piece(Page& page, const Json& params) {
  if (page.visit == nullptr || params.value("name", "") != kTell) return;
  const auto piece = params.value("payload", "");
  auto& text = page.pieces[params.value("executionContextId", 0LL)];
  text += piece.substr(std::min<std::size_t>(1, piece.size()));
  if (piece.starts_with('+')) return;
  page.texts.push_back(std::move(text));
  page.pieces.erase(params.value("executionContextId", 0LL));
  ++page.told;
}

void HiddenPages::start_visit(const CallContext& ctx, Page& page, const Visit& visit) {
  ctx.signal.throw_if_aborted();
  {
    const MutexLock lock(mutex_);
    page.visit = &visit;
    page.deadline = ctx.within(limits::kHiddenVisit).deadline;
    page.pieces.clear();
    page.told = 0;
    page.failure.clear();
  }
  navigations_.push_back(
      connection_->send(page.session, "Page.navigate", {{"url", visit.url}}, [this, &page, &visit](CdpReply reply) {
        std::string failure;
        try {
          failure = result_of(result_message("Page.navigate", std::move(reply))).value("errorText", "");
        } catch (const std::exception& error) {
          failure = error.what();
        }
        {
          const MutexLock lock(mutex_);
          if (page.visit == &visit) page.failure = failure;
        }
        changed_.notify_all();
      }));
}

void HiddenPages::visit_all(const CallContext& ctx, const std::vector<Visit>& visits,
                            const std::function<void(std::string text)>& told,
                            const std::function<void(const Visit& visit, const std::string& why)>& failed) {
  // The visits are the caller's: when this ends, however it does, no event may look at them any more.
  struct Forgetting {
    HiddenPages& pages;
    ~Forgetting() {
      const MutexLock lock(pages.mutex_);
      for (const auto& page : pages.pages_) page->visit = nullptr;
    }
  } const forgetting{*this};
  while (pages_.size() < std::min(at_once_, visits.size())) open_page(ctx);
  std::size_t next = 0;
  std::size_t under_way = 0;
  const auto is_over = [](const Page& page) {
    return page.visit != nullptr &&
           (page.told >= page.visit->texts || !page.failure.empty() || page.deadline.expired());
  };
  for (;;) {
    for (auto& page : pages_) {
      if (page->visit == nullptr && next < visits.size()) {
        start_visit(ctx, *page, visits[next++]);
        ++under_way;
      }
    }
    if (under_way == 0) break;
    std::vector<std::string> texts;
    std::vector<std::pair<const Visit*, std::string>> failures;
    {
      MutexLock lock(mutex_);
      CallContext soon = ctx;
      for (const auto& page : pages_) {
        if (page->visit != nullptr) soon.deadline = soon.deadline.earlier(page->deadline);
      }
      wait_until(soon, changed_, lock, [&] {
        return std::any_of(pages_.begin(), pages_.end(),
                           [&](const auto& page) { return !page->texts.empty() || is_over(*page); });
      });
      for (const auto& page : pages_) {
        for (auto& text : page->texts) texts.push_back(std::move(text));
        page->texts.clear();
        if (!is_over(*page)) continue;
        if (page->told < page->visit->texts)
          failures.emplace_back(page->visit, page->failure.empty() ? "no answer in time" : page->failure);
        page->visit = nullptr;
        --under_way;
      }
    }
    for (auto& text : texts) told(std::move(text));
    for (const auto& [visit, why] : failures) failed(*visit, why);
    if (!connection_->open()) throw CdpClosed("The browser ended: " + connection_->close_reason());
    if (ctx.deadline.expired()) throw CdpTimeout("The storage of the browser's origins took too long");
  }
  navigations_.clear();
}

Json HiddenPages::call(const CallContext& ctx, std::string_view method, const Json& params) {
  if (pages_.empty()) open_page(ctx);
  return connection_->call(ctx, pages_.front()->session, method, params);
}

}  // namespace bridle
