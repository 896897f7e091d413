#include "tools/panel/live_cast.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/errors.h"
#include "base/limits.h"
#include "base/text/codecs.h"
#include "browser/cdp/message.h"

namespace bridle {
namespace {

constexpr int kJpegQuality = 60;
constexpr Millis kFirstPicture{500};
constexpr Millis kStandsStill{300};  // after which the last picture is made sure of
constexpr Millis kTitleAsked{500};
constexpr std::size_t kMostUnanswered = 64;
constexpr auto kPace =
    std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1.0 / limits::kViewRate));

// The number of a picture, to answer for it: of two members of that name the one that is no text.
long picture_number(std::string_view message) {
  constexpr std::string_view kKey = "\"sessionId\":";
  for (auto at = message.rfind(kKey); at != std::string_view::npos && at > 0; at = message.rfind(kKey, at - 1)) {
    const auto rest = message.substr(at + kKey.size());
    long number = -1;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), number).ec == std::errc()) return number;
  }
  return -1;
}

}  // namespace

std::shared_ptr<LiveCast> LiveCast::start(const CallContext& ctx, const std::shared_ptr<Tab>& tab, int width) {
  std::shared_ptr<LiveCast> cast(new LiveCast(tab, width));
  cast->session_ = std::make_unique<SideSession>(ctx, *tab);
  cast->session_->on_event([weak = cast->weak_from_this()](std::string_view method, std::string_view message) {
    if (const auto self = weak.lock()) self->on_event(method, message);
  });
  Json params;
  {
    const MutexLock lock(cast->mutex_);
    params = cast->params();
  }
  cast->session_->post("Page.startScreencast", params);
  cast->take_first(ctx, *tab);
  return cast;
}

// A tab that another one covers isn't drawn, and one that stands still may draw nothing for long. Only such a tab is
// brought to the front, because its page may notice.
void LiveCast::take_first(const CallContext& ctx, Tab& tab) {
  const auto has_come = [&] {
    MutexLock lock(mutex_);
    return wait_until(ctx.within(kFirstPicture), changed_, lock,
                      [this]() REQUIRES(mutex_) { return !newest_.empty() || over_; });
  };
  if (has_come() || tab.state().blocked()) return;
  session_->post("Page.bringToFront");
  tab.note_front();
  Json wanted;
  {
    const MutexLock lock(mutex_);
    wanted = params();
  }
  recast(wanted);
  has_come();
}

Json LiveCast::params() const {
  return {{"format", "jpeg"}, {"quality", kJpegQuality}, {"maxWidth", width_}, {"maxHeight", width_ * 2}};
}

void LiveCast::recast(const Json& params) const {
  session_->post("Page.stopScreencast");
  session_->post("Page.startScreencast", params);
}

void LiveCast::widen(int width) {
  Json wanted;
  {
    const MutexLock lock(mutex_);
    if (width <= width_) return;
    width_ = width;
    wanted = params();
  }
  recast(wanted);
}

void LiveCast::on_event(std::string_view method, std::string_view message) {
  {
    const MutexLock lock(mutex_);
    if (method == "Target.detachedFromTarget") {
      over_ = true;
    } else if (method == "Page.screencastFrame") {
      newest_.assign(message);
      came_ = Clock::now();
      stale_ = !std::exchange(refreshing_, false);
      if (unanswered_.size() < kMostUnanswered) unanswered_.push_back(picture_number(message));
    } else {
      return;
    }
  }
  changed_.notify_all();
}

void LiveCast::take_newest() {
  if (newest_.empty()) return;
  const auto message = std::exchange(newest_, {});
  auto jpeg = from_base64(raw_string_value(message, "data"));
  if (!jpeg) return;
  // Of the message only what is small is parsed.
  const auto at = message.rfind("\"metadata\":");
  Json about = Json::object();
  if (at != std::string::npos) {
    const auto begin = message.find('{', at);
    const auto end = message.find('}', begin);
    if (end != std::string::npos) about = parse_json(std::string_view(message).substr(begin, end - begin + 1));
  }
  if (!about.is_object()) about = Json::object();
  ++picture_.number;
  picture_.jpeg = std::make_shared<const std::string>(std::move(*jpeg));
  picture_.about = {{"width", about.value("deviceWidth", 0.0)},     {"height", about.value("deviceHeight", 0.0)},
                    {"scale", about.value("pageScaleFactor", 1.0)}, {"offsetTop", about.value("offsetTop", 0.0)},
                    {"scrollX", about.value("scrollOffsetX", 0.0)}, {"scrollY", about.value("scrollOffsetY", 0.0)}};
}

void LiveCast::ask_title() const {
  session_->post("Target.getTargetInfo", Json::object(), [weak = tab_](const CdpReply& answer) {
    const auto tab = weak.lock();
    if (!tab || answer.kind != CdpReply::Kind::result) return;
    const Json reply = parse_cdp(answer.message);
    const Json& info = object_in(object_in(reply, "result"), "targetInfo");
    const auto title = string_in(info, "title");
    // Of a page that is on its way, or that has no title, the browser shows its URL.
    const auto state = tab->state();
    const bool is_url = state.navigation_pending || state.url.find(title) != std::string::npos;
    if (!title.empty() && !is_url && title != state.title) tab->set_title(title);
  });
}

LiveCast::Due LiveCast::keep_pace() {
  const auto now = Clock::now();
  Due due;
  if (now >= asked_ + kTitleAsked) {
    asked_ = now;
    due.title = true;
  }
  if (!unanswered_.empty()) {
    if (now >= answered_ + kPace) {
      due.answer = unanswered_.front();
      unanswered_.pop_front();
      answered_ = now;
    }
    if (!unanswered_.empty()) due.again = answered_ + kPace;
  }
  // What the page draws while the browser waits for an answer is not cast, and it may be the last for long. A cast
  // begins with what is there; one whose beginning was lost, as it can be on a busy machine, begins again.
  const bool none_yet = picture_.number == 0 && newest_.empty();
  const auto stands = came_ + (none_yet ? kFirstPicture : kStandsStill);
  if ((stale_ || none_yet) && now >= stands) {
    stale_ = false;
    refreshing_ = !none_yet;
    if (none_yet) came_ = now;
    due.recast = params();
  } else if (stale_ || none_yet) {
    due.again = std::min(due.again, stands);
  }
  return due;
}

void LiveCast::send(const Due& due) const {
  if (due.title) ask_title();
  if (due.answer >= 0) session_->post("Page.screencastFrameAck", {{"sessionId", due.answer}});
  if (!due.recast.is_null()) recast(due.recast);
}

std::shared_ptr<const std::string> LiveCast::newest() {
  const MutexLock lock(mutex_);
  take_newest();
  return picture_.jpeg;
}

LiveView::Next LiveCast::next(const CallContext& ctx, LiveView::Picture& last, Clock::time_point not_before) {
  MutexLock lock(mutex_);
  for (;;) {
    const auto now = Clock::now();
    auto due = keep_pace();
    if (due.title || due.answer >= 0 || !due.recast.is_null()) {
      lock.unlock();
      send(due);
      lock.lock();
    }
    const bool newer = !newest_.empty() || picture_.number > last.number;
    if (newer && now >= not_before) {
      take_newest();
      if (picture_.number > last.number) {
        last = picture_;
        return LiveView::Next::picture;
      }
    }
    if (over_) return LiveView::Next::over;
    if (ctx.deadline.expired()) return LiveView::Next::none;
    if (newer) due.again = std::min(due.again, not_before);
    const auto came = came_;
    wait_until(ctx.by(Deadline::at(due.again)), changed_, lock,
               [&]() REQUIRES(mutex_) { return over_ || (came_ != came && !newer); });
  }
}

std::shared_ptr<LiveCast> LiveCasts::of(const CallContext& ctx, const std::shared_ptr<Tab>& tab, int width) {
  const auto& id = tab->id();
  std::shared_ptr<LiveCast> cast;
  {
    MutexLock lock(mutex_);
    const bool free = wait_until(ctx, started_, lock, [&]() REQUIRES(mutex_) { return !starting_.contains(id); });
    if (!free) throw ToolError("Another view of this tab is only beginning; try again.");
    std::erase_if(casts_, [](const auto& entry) { return entry.second.expired(); });
    const auto found = casts_.find(id);
    if (found != casts_.end()) cast = found->second.lock();
    if (!cast) starting_.insert(id);
  }
  if (cast) {
    cast->widen(width);
    return cast;
  }
  const auto end_start = [&] {
    {
      const MutexLock lock(mutex_);
      starting_.erase(id);
      if (cast) casts_[id] = cast;
    }
    started_.notify_all();
  };
  try {
    cast = LiveCast::start(ctx, tab, width);
  } catch (...) {
    end_start();
    throw;
  }
  end_start();
  return cast;
}

std::shared_ptr<const std::string> LiveCasts::newest(const std::string& tab_id) {
  std::shared_ptr<LiveCast> cast;
  {
    const MutexLock lock(mutex_);
    const auto found = casts_.find(tab_id);
    if (found != casts_.end()) cast = found->second.lock();
  }
  return cast ? cast->newest() : nullptr;
}

}  // namespace bridle
