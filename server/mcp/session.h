#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>

#include "base/concurrency/abort.h"
#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"
#include "base/concurrency/token_bucket.h"
#include "base/limits.h"
#include "server/calls/questions.h"
#include "server/calls/stream/replay_store.h"
#include "server/calls/stream/reply_stream.h"
#include "server/mcp/log_level.h"
#include "server/mcp/revision.h"

namespace bridle {

class Toolbox;
class ToolScope;

// One legacy client: what `initialize` agreed on, its signal, its view of the browser, its standing stream (GET,
// HTTP+SSE or stdio), its calls' resumable streams, the questions it was asked. Any thread may call anything.
class Session {
 public:
  // `id` is secret enough to be told only to its client; `label`, its beginning, names the session in logs and in
  // /status [why.session-names]. `single_stream`: everything goes out on the standing stream (HTTP+SSE, stdio), as
  // opposed to Streamable HTTP. `client`: see SessionStore::create().
  Session(std::string id, const AbortSignal& server, bool single_stream = false, std::string client = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::string& id() const { return id_; }
  const std::string& label() const { return label_; }
  bool single_stream() const { return single_stream_; }
  const std::string& client() const { return client_; }
  Clock::time_point created() const { return created_; }

  // What initialize agreed on; once. False when it had been done.
  bool negotiate(Revision revision, nlohmann::json capabilities, std::string client_name = {});
  bool negotiated() const;
  Revision revision() const;  // kLatestLegacy before
  nlohmann::json capabilities() const;
  std::string client_name() const;  // what the client calls itself, with its version: foreign text

  AbortSignal signal() const { return controller_.signal(); }
  // Aborts its calls (session_closed), ends its streams, lets go of its tabs. Idempotent.
  void close(std::string text);

  // Opened at the first use; null once closed, and when the toolbox opens none.
  std::shared_ptr<ToolScope> scope(const Toolbox& toolbox);
  // The same, or null if it was not opened yet.
  std::shared_ptr<ToolScope> scope_if_open() const;
  bool has_tabs() const;

  void set_log_level(LogLevel level);
  std::optional<LogLevel> log_level() const;  // none: the client asked for no messages
  // A log message for the client, on its standing stream, when it takes that level.
  void send_log(LogLevel level, const std::string& logger, const nlohmann::json& data);

  // resources/subscribe: false when there are too many. Each URI counts once.
  static constexpr std::size_t kMaxSubscriptions = 256;
  bool subscribe(const std::string& uri);
  void unsubscribe(const std::string& uri);
  bool is_subscribed(const std::string& uri) const;
  // A notification on the standing stream.
  void notify(const std::string& method, const nlohmann::json& params);

  const std::shared_ptr<ReplyStream>& stream() const { return stream_; }
  Questions& questions() { return questions_; }
  // Of tool calls [wire.rate].
  TokenBucket& calls() { return calls_; }
  ReplayStore& replay() { return replay_; }

  // Ids of requests that were answered at once, without the registry (list, ping, ...): the last limits::kKnownIds. A
  // cancel for one of them came too late and must not wait for a later request that reuses the id
  // [why.answered-at-once].
  void note_answered(const std::string& id);
  bool was_answered(const std::string& id) const;

  // A caller that works with a session holds a Use; a session without any is idle. See SessionStore.
  class Use {
   public:
    explicit Use(std::shared_ptr<Session> session);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    std::shared_ptr<Session> session_;
  };
  bool in_use() const { return uses_ > 0; }
  Clock::time_point last_use() const { return Clock::time_point(Clock::duration(last_use_.load())); }
  // Time since the last use; zero while in use.
  Clock::duration idle_for() const { return in_use() ? Clock::duration::zero() : Clock::now() - last_use(); }

 private:
  const std::string id_;
  const std::string label_;
  const bool single_stream_;
  const std::string client_;
  const Clock::time_point created_ = Clock::now();
  AbortController controller_;
  Questions questions_;
  TokenBucket calls_{limits::kCallBurst, limits::kCallsPerSecond};
  ReplayStore replay_;
  const std::shared_ptr<ReplyStream> stream_;
  std::atomic<long> uses_{0};
  std::atomic<Clock::rep> last_use_;

  mutable Mutex mutex_;
  bool negotiated_ GUARDED_BY(mutex_) = false;
  bool closed_ GUARDED_BY(mutex_) = false;
  Revision revision_ GUARDED_BY(mutex_) = kLatestLegacy;
  std::unique_ptr<nlohmann::json> capabilities_ GUARDED_BY(mutex_);
  std::string client_name_ GUARDED_BY(mutex_);
  std::optional<LogLevel> log_level_ GUARDED_BY(mutex_);
  std::set<std::string> subscriptions_ GUARDED_BY(mutex_);
  std::shared_ptr<ToolScope> scope_ GUARDED_BY(mutex_);
  std::deque<std::string> answered_order_ GUARDED_BY(mutex_);
  std::unordered_multiset<std::string> answered_ GUARDED_BY(mutex_);
};

}  // namespace bridle
