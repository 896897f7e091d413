#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/abort.h"
#include "base/deadline.h"
#include "base/sync.h"

namespace bridle {

// One message on its way to the client. The text is shared, never copied.
struct Frame {
  enum class Kind {
    notification,  // may be dropped when the client doesn't read
    request,       // ours to the client
    response,      // the answer to a request
    raw,           // an event of another name, see `event`
  };
  Kind kind = Kind::notification;
  std::shared_ptr<const std::string> text{};
  std::string event = "message";
  std::uint64_t seq = 0;  // its place in the stream, from 1
  int http_status = 200;  // of a response that becomes the whole answer
};

// The frames of one call, one batch or one long stream: the queue between the threads that work and the one that
// writes to the socket [why.call-thread].
//
// Writers: each request that answers here opens a lane; its frames go through the lane until it is finished with the
// answer, or until its signal aborts. Then nothing more of it is let through but what `on_abort` says, and the reader
// is woken at once, even when the tool ignores its signal [cancel.overdue]. A lane ends exactly once. Readers:
// one at a time; a newer one replaces the older. With Options::replay the frames are kept, so that a reader may start
// behind any of them; otherwise a frame is gone once it is taken. Any thread may call anything. The one lock is a leaf:
// nothing is called with it held.
class Outbox : public std::enable_shared_from_this<Outbox> {
 public:
  struct Options {
    bool replay = false;                       // keep what was delivered, for readers that resume
    bool responses_only = false;               // a JSON answer: drop everything but responses
    bool endless = false;                      // stays open when no lane is left: GET stream, HTTP+SSE, stdio
    std::size_t max_notifications = 1000;      // undelivered or replayable; the oldest go first
    std::size_t max_bytes = 64 * 1024 * 1024;  // undelivered in all; beyond, the stream ends as overflowed
  };
  explicit Outbox(Options options);
  ~Outbox();
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  // What an aborted lane still sends, its answer (if one is due) last. nullopt: the abort came after the end, the
  // answer is on its way. Called outside the lock, maybe twice, by the reader or by the lane's own thread.
  using AbortFrames = std::function<std::optional<std::vector<Frame>>()>;

  class Lane {
   public:
    // A frame on the way; false when it was not let through (aborted, finished, closed, a JSON answer).
    bool push(Frame::Kind kind, std::string text);
    // The answer; ends the lane. False when the lane had ended. An empty text ends it without one.
    bool finish(std::string text, int http_status = 200);
    // Ends the lane by its abort, now, instead of waiting for a reader to do it.
    void finish_aborted();
    bool ended() const;

   private:
    friend class Outbox;
    std::shared_ptr<Outbox> outbox_;
    AbortSignal signal_;
    AbortFrames on_abort_;
    bool ended_ = false;          // guarded by outbox_->mutex_
    bool abort_pending_ = false;  // likewise
    std::optional<AbortCallback> callback_;
  };
  // `signal`: the request's. Drop the handle after the lane ended.
  std::shared_ptr<Lane> open_lane(AbortSignal signal, AbortFrames on_abort);
  // No further lanes are coming: the stream ends when the last one does.
  void seal();

  // A frame of no lane: answers given at once, notifications of the session. False once closed.
  bool push(Frame::Kind kind, std::string text, std::string event = "message");
  // Ends the stream for good; what was pushed before is still delivered, unless `discard`.
  void close(bool discard = false);
  bool closed() const;
  // Ends the current reader, or the next one, once it has taken what there is; its client is expected to come back for
  // the rest.
  void release_reader();
  // Nothing left to deliver behind `after`, and nothing to come.
  bool finished_behind(std::uint64_t after) const;
  // Nothing to come, though there may be something to deliver.
  bool is_over() const;
  std::size_t kept_bytes() const;

  // One reader's hold on the stream; ends with its destructor.
  class Reader {
   public:
    enum class Got {
      frame,     // `frame` is set
      idle,      // nothing for `idle` time: a keep-alive is due
      ended,     // the stream is over, or interrupt() was called
      replaced,  // a newer reader took over
    };
    Reader(std::shared_ptr<Outbox> outbox, std::optional<std::uint64_t> after);
    ~Reader();
    Got next(Millis idle, Frame& frame);
    // Makes the current and each later next() return ended. Any thread.
    void interrupt();

   private:
    std::shared_ptr<Outbox> outbox_;
    std::uint64_t generation_ = 0;
    std::uint64_t after_ = 0;
    bool interrupted_ = false;  // guarded by outbox_->mutex_
  };
  // Starts behind frame `after`; without it, behind what was delivered so far.
  std::shared_ptr<Reader> attach(std::optional<std::uint64_t> after = std::nullopt);

 private:
  std::shared_ptr<Lane> take_aborted_lane() REQUIRES(mutex_);
  void settle_abort(const std::shared_ptr<Lane>& lane) EXCLUDES(mutex_);
  void settle_aborted_lanes() EXCLUDES(mutex_);
  bool end_lane(Lane& lane, std::vector<Frame> frames) EXCLUDES(mutex_);
  bool append(Frame frame) REQUIRES(mutex_);
  void trim() REQUIRES(mutex_);
  const Frame* behind(std::uint64_t after) const REQUIRES(mutex_);
  bool over() const REQUIRES(mutex_);

  const Options options_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Frame> frames_ GUARDED_BY(mutex_);
  std::list<std::shared_ptr<Lane>> lanes_ GUARDED_BY(mutex_);
  std::uint64_t last_seq_ GUARDED_BY(mutex_) = 0;
  std::uint64_t delivered_ GUARDED_BY(mutex_) = 0;
  std::uint64_t generation_ GUARDED_BY(mutex_) = 0;
  std::size_t notifications_ GUARDED_BY(mutex_) = 0;
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
  bool released_ GUARDED_BY(mutex_) = false;
  bool sealed_ GUARDED_BY(mutex_) = false;
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace bridle
