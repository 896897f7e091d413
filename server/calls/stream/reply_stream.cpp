#include "server/calls/stream/reply_stream.h"

#include <algorithm>
#include <utility>

#include "base/text/named_secrets.h"
namespace bridle {
namespace {

Frame make_frame(Frame::Kind kind, std::string text, int http_status = 200) {
  return {.kind = kind, .text = std::make_shared<const std::string>(std::move(text)), .http_status = http_status};
}

}  // namespace

// What the stream keeps of a lane that has not ended. Guarded by the stream's mutex, but for the callback.
struct ReplyStream::OpenLane {
  AbortSignal signal{};
  AbortAnswer on_abort{};
  std::vector<std::pair<std::string, std::string>> requests{};  // ours, unanswered: id, and what takes it back
  bool ended = false;
  bool abort_pending = false;
  std::optional<AbortCallback> callback{};  // the lane's owner destroys it
};

ReplyStream::ReplyStream(Options options) : options_(options) {}
ReplyStream::~ReplyStream() = default;

// ---- lanes

ReplyStream::Lane::Lane(std::shared_ptr<ReplyStream> stream, AbortSignal signal, AbortAnswer on_abort)
    : stream_(std::move(stream)), signal_(std::move(signal)), open_(std::make_shared<OpenLane>()) {
  open_->signal = signal_;
  open_->on_abort = std::move(on_abort);
  {
    MutexLock lock(stream_->mutex_);
    stream_->lanes_.push_back(open_);
  }
  // Takes the leaf lock for two assignments, as condition_variable_any::notify_all does; runs inline here when the
  // signal aborted already. ~Lane waits for it, so the plain pointers are safe.
  open_->callback.emplace(signal_, [lane = open_.get(), to = stream_.get()] {
    MutexLock lock(to->mutex_);
    lane->abort_pending = !lane->ended;
    to->changed_.notify_all();
  });
}

ReplyStream::Lane::~Lane() {
  stream_->end_lane(open_, {});
  open_->callback.reset();
}

bool ReplyStream::Lane::push(Frame::Kind kind, std::string text) {
  if (signal_.aborted()) return false;
  if (kind != Frame::Kind::response) hide_named_secrets(text);
  MutexLock lock(stream_->mutex_);
  if (open_->ended || stream_->closed_) return false;
  return stream_->append(make_frame(kind, std::move(text)));
}

bool ReplyStream::Lane::push_request(const std::string& id, std::string text, std::string taken_back) {
  hide_named_secrets(text);
  MutexLock lock(stream_->mutex_);
  if (signal_.aborted() || open_->ended || stream_->closed_) return false;
  if (!stream_->append(make_frame(Frame::Kind::request, std::move(text)))) return false;
  open_->requests.emplace_back(id, std::move(taken_back));
  return true;
}

void ReplyStream::Lane::settle_request(const std::string& id) {
  MutexLock lock(stream_->mutex_);
  std::erase_if(open_->requests, [&](const auto& one) { return one.first == id; });
}

void ReplyStream::Lane::take_back_request(const std::string& id) {
  MutexLock lock(stream_->mutex_);
  if (signal_.aborted() || open_->ended) return;
  for (const auto& [one, taken_back] : open_->requests) {
    if (one == id && !stream_->closed_) stream_->append(make_frame(Frame::Kind::notification, taken_back));
  }
  std::erase_if(open_->requests, [&](const auto& one) { return one.first == id; });
}

bool ReplyStream::Lane::finish(std::string text, int http_status) {
  std::vector<Frame> frames;
  if (!text.empty()) frames.push_back(make_frame(Frame::Kind::response, std::move(text), http_status));
  return stream_->end_lane(open_, std::move(frames));
}

void ReplyStream::Lane::finish_aborted() { stream_->end_aborted(open_); }

bool ReplyStream::Lane::ended() const {
  MutexLock lock(stream_->mutex_);
  return open_->ended;
}

bool ReplyStream::end_lane(const std::shared_ptr<OpenLane>& lane, std::vector<Frame> frames) {
  AbortAnswer on_abort;  // its captures end outside the lock
  MutexLock lock(mutex_);
  if (lane->ended) return false;
  lane->ended = true;
  lane->abort_pending = false;
  on_abort.swap(lane->on_abort);
  lanes_.remove(lane);
  if (!closed_) {
    for (Frame& frame : frames) append(std::move(frame));
  }
  changed_.notify_all();
  lock.unlock();
  return true;
}

std::shared_ptr<ReplyStream::OpenLane> ReplyStream::take_aborted_lane() {
  for (const auto& lane : lanes_) {
    if (lane->abort_pending) {
      lane->abort_pending = false;
      return lane;
    }
  }
  return nullptr;
}

// A request of ours is taken back before the stream ends [cancel.wire.question]; then what answer the abort makes due.
void ReplyStream::end_aborted(const std::shared_ptr<OpenLane>& lane) {
  AbortAnswer on_abort;
  std::vector<Frame> frames;
  {
    MutexLock lock(mutex_);
    if (lane->ended) return;
    on_abort = lane->on_abort;
    for (const auto& [id, taken_back] : lane->requests) {
      frames.push_back(make_frame(Frame::Kind::notification, taken_back));
    }
  }
  std::string answer = on_abort ? on_abort(lane->signal) : std::string();
  if (!answer.empty()) frames.push_back(make_frame(Frame::Kind::response, std::move(answer)));
  end_lane(lane, std::move(frames));
}

void ReplyStream::seal() {
  MutexLock lock(mutex_);
  sealed_ = true;
  changed_.notify_all();
}

// ---- the stream

bool ReplyStream::push(Frame::Kind kind, std::string text, std::string event) {
  if (kind != Frame::Kind::response) hide_named_secrets(text);
  MutexLock lock(mutex_);
  if (closed_) return false;
  return append(
      {.kind = kind, .text = std::make_shared<const std::string>(std::move(text)), .event = std::move(event)});
}

bool ReplyStream::append(Frame frame) {
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
void ReplyStream::trim() {
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
void ReplyStream::end_aborted_lanes() {
  std::vector<std::shared_ptr<OpenLane>> aborted;
  {
    MutexLock lock(mutex_);
    for (const auto& lane : lanes_) {
      if (lane->signal.aborted()) aborted.push_back(lane);
    }
  }
  for (const auto& lane : aborted) end_aborted(lane);
}

void ReplyStream::close(bool discard) {
  end_aborted_lanes();
  std::list<std::shared_ptr<OpenLane>> lanes;
  {
    MutexLock lock(mutex_);
    closed_ = true;
    if (discard) {
      frames_.clear();
      bytes_ = notifications_ = 0;
    }
    for (const auto& lane : lanes_) lane->ended = true;
    lanes.swap(lanes_);
    changed_.notify_all();
  }
}

void ReplyStream::release_reader() {
  MutexLock lock(mutex_);
  released_ = true;
  changed_.notify_all();
}

bool ReplyStream::closed() const {
  MutexLock lock(mutex_);
  return closed_;
}

bool ReplyStream::over() const { return closed_ || (!options_.endless && sealed_ && lanes_.empty()); }

bool ReplyStream::is_over() const {
  MutexLock lock(mutex_);
  return over();
}

bool ReplyStream::finished_behind(std::uint64_t after) const {
  MutexLock lock(mutex_);
  return over() && behind(after) == nullptr;
}

std::size_t ReplyStream::kept_bytes() const {
  MutexLock lock(mutex_);
  return bytes_;
}

const Frame* ReplyStream::behind(std::uint64_t after) const {
  const auto found = std::upper_bound(frames_.begin(), frames_.end(), after,
                                      [](std::uint64_t seq, const Frame& frame) { return seq < frame.seq; });
  return found == frames_.end() ? nullptr : &*found;
}

// ---- readers

ReplyStream::Reader::Reader(std::shared_ptr<ReplyStream> stream, std::optional<std::uint64_t> after)
    : stream_(std::move(stream)) {
  MutexLock lock(stream_->mutex_);
  generation_ = ++stream_->generation_;
  after_ = after.value_or(stream_->delivered_);
  stream_->changed_.notify_all();
}

void ReplyStream::Reader::interrupt() {
  MutexLock lock(stream_->mutex_);
  interrupted_ = true;
  stream_->changed_.notify_all();
}

ReplyStream::Reader::Got ReplyStream::Reader::next(Millis idle, Frame& frame) {
  ReplyStream& box = *stream_;
  const auto until = Clock::now() + idle;
  MutexLock lock(box.mutex_);
  for (;;) {
    if (interrupted_) return Got::ended;
    if (generation_ != box.generation_) return Got::replaced;
    if (const auto lane = box.take_aborted_lane()) {
      lock.unlock();
      box.end_aborted(lane);
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
