#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/concurrency/abort.h"
#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"

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
// writes to the socket (docs/decisions.md).
//
// Writers: each call that answers here has a Lane; its frames go through the lane until it is finished with the answer,
// or until its signal aborts. Then nothing more of it is let through but what the abort makes due, and the reader is
// woken at once, even when the tool ignores its signal [cancel.overdue]. A lane ends exactly once. Readers: one at a
// time; a newer one replaces the older. With Options::replay the frames are kept, so that a reader may start behind any
// of them; otherwise a frame is gone once it is taken. Any thread may call anything. The one lock is a leaf: nothing is
// called with it held.
//
// Lanes and readers own the stream together with its transport. The stream knows of a lane only what it needs to end
// it: it never leads back to a call.
class ReplyStream {
  struct OpenLane;

 public:
  struct Options {
    bool replay = false;                       // keep what was delivered, for readers that resume
    bool responses_only = false;               // a JSON answer: drop everything but responses
    bool endless = false;                      // stays open when no lane is left: GET stream, HTTP+SSE, stdio
    std::size_t max_notifications = 1000;      // undelivered or replayable; the oldest go first
    std::size_t max_bytes = 64 * 1024 * 1024;  // undelivered in all; beyond, the stream ends as overflowed
  };
  explicit ReplyStream(Options options);
  ~ReplyStream();
  ReplyStream(const ReplyStream&) = delete;
  ReplyStream& operator=(const ReplyStream&) = delete;

  // The answer that an aborted call still owes its client; empty: none. A pure function of the signal, called outside
  // the lock by the reader or by the lane's owner, maybe by both.
  using AbortAnswer = std::function<std::string(const AbortSignal&)>;

  // One call's way into the stream. Ends with its destructor, then without an answer.
  class Lane {
   public:
    // `signal`: the call's.
    Lane(std::shared_ptr<ReplyStream> stream, AbortSignal signal, AbortAnswer on_abort);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    // A frame on the way; false when it was not let through (aborted, finished, closed, a JSON answer).
    bool push(Frame::Kind kind, std::string text);
    // A request of ours to the client. Until settle(id) an abort sends `taken_back`, a notification, before it ends the
    // lane. False when it was not let through.
    bool push_request(const std::string& id, std::string text, std::string taken_back);
    void settle_request(const std::string& id);
    // Takes a request of ours back while the lane goes on; the lane's own abort does it for those that are left.
    void take_back_request(const std::string& id);
    // The answer; ends the lane. False when the lane had ended. An empty text ends it without one.
    bool finish(std::string text, int http_status = 200);
    // Ends the lane by its abort, now, instead of waiting for a reader to do it.
    void finish_aborted();
    bool ended() const;
    // See ReplyStream::release_reader().
    void release_reader() { stream_->release_reader(); }

   private:
    const std::shared_ptr<ReplyStream> stream_;
    const AbortSignal signal_;
    const std::shared_ptr<OpenLane> open_;
  };
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
    // Starts behind frame `after`; without it, behind what was delivered so far.
    explicit Reader(std::shared_ptr<ReplyStream> stream, std::optional<std::uint64_t> after = std::nullopt);
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    Got next(Millis idle, Frame& frame);
    // Makes the current and each later next() return ended. Any thread.
    void interrupt();

   private:
    const std::shared_ptr<ReplyStream> stream_;
    std::uint64_t generation_ = 0;
    std::uint64_t after_ = 0;
    bool interrupted_ = false;  // guarded by stream_->mutex_
  };

 private:
  std::shared_ptr<OpenLane> take_aborted_lane() REQUIRES(mutex_);
  void end_aborted(const std::shared_ptr<OpenLane>& lane) EXCLUDES(mutex_);
  void end_aborted_lanes() EXCLUDES(mutex_);
  bool end_lane(const std::shared_ptr<OpenLane>& lane, std::vector<Frame> frames) EXCLUDES(mutex_);
  bool append(Frame frame) REQUIRES(mutex_);
  void trim() REQUIRES(mutex_);
  const Frame* behind(std::uint64_t after) const REQUIRES(mutex_);
  bool over() const REQUIRES(mutex_);

  const Options options_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Frame> frames_ GUARDED_BY(mutex_);
  std::list<std::shared_ptr<OpenLane>> lanes_ GUARDED_BY(mutex_);
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
