#include "browser/storage/left_origins.h"

#include <spdlog/spdlog.h>

#include <utility>
#include <vector>

#include "browser/chromium/browser.h"
#include "browser/storage/hidden_pages.h"
#include "browser/storage/storage_script.h"

namespace bridle {
namespace {

constexpr std::size_t kAtOnce = 20;  // origins of one look: a session's end waits for none that hasn't begun

}  // namespace

LeftOrigins::LeftOrigins(Background& background, const std::shared_ptr<Browser>& browser,
                         std::shared_ptr<const BrowserContext> context)
    : browser_(browser), context_(std::move(context)), job_(background, [this] { look(); }) {
  browser->seen_origins().watch(context_->id(), [this] { job_.set_by(Clock::now() + limits::kOriginLeft); });
}

LeftOrigins::~LeftOrigins() {
  if (const auto browser = browser_.lock()) browser->seen_origins().watch(context_->id(), {});
  ending_.abort(AbortReason::session_closed);
  job_.stop();
}

void LeftOrigins::look() {
  const auto browser = browser_.lock();
  if (!browser || !browser->alive() || ending_.signal().aborted()) return;
  const auto unread = browser->seen_origins().unread(context_->id());
  const auto shown = browser->shown_origins(*context_);
  const auto now = Clock::now();
  std::map<std::string, Left> left;
  std::vector<SeenOrigins::Unread> due;
  for (const auto& origin : unread) {
    if (!shown || shown->contains(origin.origin)) continue;
    const auto before = left_.find(origin.origin);
    const bool same = before != left_.end() && before->second.mark == origin.mark;
    const auto since = same ? before->second.since : now;
    left[origin.origin] = {since, origin.mark};
    if (now - since >= limits::kOriginLeft && due.size() < kAtOnce) due.push_back(origin);
  }
  left_ = std::move(left);
  if (!due.empty()) read(*browser, due);
  // What is still shown is looked at again when something has gone, which the watch tells of.
  if (!left_.empty() || !shown)
    job_.set_by(Clock::now() + (due.size() < kAtOnce ? limits::kOriginLeft / 4 : Millis{0}));
}

void LeftOrigins::read(Browser& browser, const std::vector<SeenOrigins::Unread>& origins) {
  auto& seen = browser.seen_origins();
  const auto html = std::make_shared<const std::string>(collecting_html(true));
  std::vector<HiddenPages::Visit> visits;
  std::map<std::string, SeenOrigins::Unread> waiting;
  for (const auto& origin : origins) {
    const auto url = origin.origin + "/";
    visits.push_back({.url = url, .html = {{url, html}}, .texts = 1});
    waiting[origin.origin] = origin;
  }
  const auto end = [&](const std::string& origin, std::shared_ptr<const Json> stored) {
    const auto found = waiting.find(origin);
    if (found == waiting.end()) return;
    seen.end_reading(context_->id(), found->second, std::move(stored));
    left_.erase(origin);
    waiting.erase(found);
  };
  try {
    HiddenPages pages(browser.shared_connection(), context_->address(Json::object()), 1);
    pages.visit_all(
        CallContext{.signal = ending_.signal()}, visits,
        [&](const std::string& text) {
          Json told = parse_json(text);
          if (!told.is_object()) return;
          // Databases and what a service worker stores can change without a document.
          const bool known = !told.contains("error") && told["indexedDB"].empty() && told.value("workers", 0) == 0;
          Json stored;
          if (known) stored = {{"localStorage", std::move(told["localStorage"])}, {"indexedDB", Json::array()}};
          end(told.value("origin", ""), known ? std::make_shared<const Json>(std::move(stored)) : nullptr);
        },
        [](const HiddenPages::Visit&, const std::string&) {});
  } catch (const Aborted&) {
    return;
  } catch (const std::exception& error) {
    spdlog::debug("origins that were left could not be read: {}", error.what());
  }
  // They are read when a state is saved, which tells why they can't be.
  while (!waiting.empty()) end(std::string(waiting.begin()->first), nullptr);
}

}  // namespace bridle
