#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"
#include "server/calls/stream/reply_stream.h"

namespace bridle {

// The streams of one session that a client may resume from 2025-11-25 on [wire.resume]. An event id names its
// session, its stream and its place: `LABEL-STREAM_SEQ`. Streams are kept while they run and for a while after
// [why.replay-kept], bounded in number and bytes: the oldest finished ones go first. Any thread may call anything.
class ReplayStore {
 public:
  static constexpr std::size_t kMaxFinished = 16;
  static constexpr std::size_t kMaxFinishedBytes = 2 * 1024 * 1024;
  static constexpr Millis kFinishedTtl{120'000};

  explicit ReplayStore(std::string label) : label_(std::move(label)) {}

  // Keeps a stream and names it.
  std::string add(std::shared_ptr<ReplyStream> stream);
  static std::string event_id(std::string_view stream, std::uint64_t seq);

  struct Found {
    enum class What { stream, finished, foreign };
    What what = What::foreign;  // foreign: not an id that this session gave out
    std::string name{};
    std::shared_ptr<ReplyStream> stream{};  // set for What::stream
    std::uint64_t after = 0;
  };
  Found find(std::string_view event_id);
  void prune();
  std::size_t size() const;

 private:
  struct Entry {
    std::uint64_t number;
    std::shared_ptr<ReplyStream> stream;
    std::optional<Clock::time_point> over_since{};
  };
  void prune_locked() REQUIRES(mutex_);

  const std::string label_;
  mutable Mutex mutex_;
  std::uint64_t next_ GUARDED_BY(mutex_) = 1;
  std::deque<Entry> entries_ GUARDED_BY(mutex_);
};

}  // namespace bridle
