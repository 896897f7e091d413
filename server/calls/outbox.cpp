#include "server/calls/outbox.h"

#include <algorithm>
#include <utility>

namespace bridle {

Outbox::Outbox(Options options) : options_(options) {}
Outbox::~Outbox() = default;

// ---- lanes

std::shared_ptr<Outbox::Lane> Outbox::open_lane(AbortSignal signal, AbortFrames on_abort) {
  auto lane = std::make_shared<Lane>();
  lane->outbox_ = shared_from_this();
  lane->signal_ = std::move(signal);
  lane->on_abort_ = std::move(on_abort);
  {
    MutexLock lock(mutex_);
    lanes_.push_back(lane);
  }
  // Takes the leaf lock for two assignments, as condition_variable_any::notify_all does; runs inline here when the
  // signal aborted already. ~Lane waits for it, so the plain pointer is safe.
  lane->callback_.emplace(lane->signal_, [raw = lane.get(), this] {
    MutexLock lock(mutex_);
    raw->abort_pending_ = !raw->ended_;
    changed_.notify_all();
  });
  return lane;
}

void Outbox::seal() {
  MutexLock lock(mutex_);
  sealed_ = true;
  changed_.notify_all();
}

bool Outbox::Lane::push(Frame::Kind kind, std::string text) {
  if (signal_.aborted()) return false;
  MutexLock lock(outbox_->mutex_);
  if (ended_ || outbox_->closed_) return false;
  return outbox_->append({.kind = kind, .text = std::make_shared<const std::string>(std::move(text))});
}

bool Outbox::Lane::finish(std::string text, int http_status) {
  std::vector<Frame> frames;
  if (!text.empty()) {
    frames.push_back({.kind = Frame::Kind::response,
                      .text = std::make_shared<const std::string>(std::move(text)),
                      .http_status = http_status});
  }
  return outbox_->end_lane(*this, std::move(frames));
}

void Outbox::Lane::finish_aborted() {
  AbortFrames on_abort;
  {
    MutexLock lock(outbox_->mutex_);
    if (ended_) return;
    on_abort = on_abort_;
  }
  auto frames = on_abort ? on_abort() : std::nullopt;
  outbox_->end_lane(*this, frames ? std::move(*frames) : std::vector<Frame>());
}

bool Outbox::Lane::ended() const {
  MutexLock lock(outbox_->mutex_);
  return ended_;
}

// What the lane held is released outside the lock, because that may wait for a running callback and may destroy the
// lane's request.
bool Outbox::end_lane(Lane& lane, std::vector<Frame> frames) {
  std::shared_ptr<Lane> removed;
  AbortFrames on_abort;
  MutexLock lock(mutex_);
  if (lane.ended_) return false;
  lane.ended_ = true;
  lane.abort_pending_ = false;
  on_abort = std::move(lane.on_abort_);
  lane.on_abort_ = nullptr;
  const auto place = std::find_if(lanes_.begin(), lanes_.end(), [&](const auto& one) { return one.get() == &lane; });
  if (place != lanes_.end()) {
    removed = std::move(*place);
    lanes_.erase(place);
  }
  if (!closed_) {
    for (Frame& frame : frames) append(std::move(frame));
  }
  changed_.notify_all();
  lock.unlock();
  return true;
}

std::shared_ptr<Outbox::Lane> Outbox::take_aborted_lane() {
  for (const auto& lane : lanes_) {
    if (lane->abort_pending_) {
      lane->abort_pending_ = false;
      return lane;
    }
  }
  return nullptr;
}

void Outbox::settle_abort(const std::shared_ptr<Lane>& lane) {
  AbortFrames on_abort;
  {
    MutexLock lock(mutex_);
    on_abort = lane->on_abort_;
  }
  if (!on_abort) return;
  if (auto frames = on_abort()) end_lane(*lane, std::move(*frames));
}

// ---- the stream

bool Outbox::push(Frame::Kind kind, std::string text, std::string event) {
  MutexLock lock(mutex_);
  if (closed_) return false;
  return append(
      {.kind = kind, .text = std::make_shared<const std::string>(std::move(text)), .event = std::move(event)});
}

bool Outbox::append(Frame frame) {
  if (options_.responses_only && frame.kind != Frame::Kind::response) return false;
  frame.seq = ++last_seq_;
  bytes_ += frame.text->size();
  if (frame.kind == Frame::Kind::notification) ++notifications_;
  frames_.push_back(std::move(frame));
  trim();
  changed_.notify_all();
  return true;
}

// Drops the oldest notifications beyond their bound, then delivered frames if memory is short. An endless stream whose
// client doesn't read ends. A response is never dropped.
void Outbox::trim() {
  while (notifications_ > options_.max_notifications) {
    const auto oldest = std::find_if(frames_.begin(), frames_.end(),
                                     [](const Frame& frame) { return frame.kind == Frame::Kind::notification; });
    bytes_ -= oldest->text->size();
    frames_.erase(oldest);
    --notifications_;
  }
  while (bytes_ > options_.max_bytes && frames_.size() > 1 && frames_.front().seq <= delivered_) {
    bytes_ -= frames_.front().text->size();
    if (frames_.front().kind == Frame::Kind::notification) --notifications_;
    frames_.pop_front();
  }
  if (options_.endless && bytes_ > options_.max_bytes) {
    frames_.clear();
    bytes_ = notifications_ = 0;
    closed_ = true;
  }
}

// What aborted calls still have to say is said before the end.
void Outbox::settle_aborted_lanes() {
  std::vector<std::shared_ptr<Lane>> aborted;
  {
    MutexLock lock(mutex_);
    for (const auto& lane : lanes_) {
      if (lane->signal_.aborted()) aborted.push_back(lane);
    }
  }
  for (const auto& lane : aborted) settle_abort(lane);
}

void Outbox::close(bool discard) {
  settle_aborted_lanes();
  std::list<std::shared_ptr<Lane>> lanes;
  std::vector<AbortFrames> callbacks;
  MutexLock lock(mutex_);
  closed_ = true;
  if (discard) {
    frames_.clear();
    bytes_ = notifications_ = 0;
  }
  for (const auto& lane : lanes_) {
    lane->ended_ = true;
    callbacks.push_back(std::move(lane->on_abort_));
    lane->on_abort_ = nullptr;
  }
  lanes.swap(lanes_);
  changed_.notify_all();
  lock.unlock();  // before the lanes and what they hold are released
}

void Outbox::release_reader() {
  MutexLock lock(mutex_);
  released_ = true;
  changed_.notify_all();
}

bool Outbox::closed() const {
  MutexLock lock(mutex_);
  return closed_;
}

bool Outbox::over() const { return closed_ || (!options_.endless && sealed_ && lanes_.empty()); }

bool Outbox::is_over() const {
  MutexLock lock(mutex_);
  return over();
}

bool Outbox::finished_behind(std::uint64_t after) const {
  MutexLock lock(mutex_);
  return over() && behind(after) == nullptr;
}

std::size_t Outbox::kept_bytes() const {
  MutexLock lock(mutex_);
  return bytes_;
}

const Frame* Outbox::behind(std::uint64_t after) const {
  const auto found = std::upper_bound(frames_.begin(), frames_.end(), after,
                                      [](std::uint64_t seq, const Frame& frame) { return seq < frame.seq; });
  return found == frames_.end() ? nullptr : &*found;
}

// ---- readers

std::shared_ptr<Outbox::Reader> Outbox::attach(std::optional<std::uint64_t> after) {
  return std::make_shared<Reader>(shared_from_this(), after);
}

Outbox::Reader::Reader(std::shared_ptr<Outbox> outbox, std::optional<std::uint64_t> after)
    : outbox_(std::move(outbox)) {
  MutexLock lock(outbox_->mutex_);
  generation_ = ++outbox_->generation_;
  after_ = after.value_or(outbox_->delivered_);
  outbox_->changed_.notify_all();
}

Outbox::Reader::~Reader() = default;

void Outbox::Reader::interrupt() {
  MutexLock lock(outbox_->mutex_);
  interrupted_ = true;
  outbox_->changed_.notify_all();
}

Outbox::Reader::Got Outbox::Reader::next(Millis idle, Frame& frame) {
  Outbox& box = *outbox_;
  const auto until = Clock::now() + idle;
  MutexLock lock(box.mutex_);
  for (;;) {
    if (interrupted_) return Got::ended;
    if (generation_ != box.generation_) return Got::replaced;
    if (const auto lane = box.take_aborted_lane()) {
      lock.unlock();
      box.settle_abort(lane);
      lock.lock();
      continue;
    }
    if (const Frame* next = box.behind(after_)) {
      frame = *next;
      after_ = frame.seq;
      box.delivered_ = std::max(box.delivered_, frame.seq);
      if (!box.options_.replay) {
        box.bytes_ -= frame.text->size();
        if (frame.kind == Frame::Kind::notification) --box.notifications_;
        box.frames_.pop_front();
      }
      return Got::frame;
    }
    if (box.over()) return Got::ended;
    if (box.released_) {
      box.released_ = false;
      ++box.generation_;
      return Got::replaced;
    }
    if (Clock::now() >= until) return Got::idle;
    box.changed_.wait_until(lock, until);
  }
}

}  // namespace bridle
