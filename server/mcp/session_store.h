#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/concurrency/abort.h"
#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"
#include "base/concurrency/timed_job.h"
#include "base/limits.h"
#include "server/mcp/session.h"

namespace bridle {

// All legacy sessions [wire.session] [wire.session.idle]: made, found, ended; an idle one expires, or makes room when
// there are too many [wire.session.room]. Any thread may call anything. Sessions end outside the lock, expired ones on
// a background thread.
class SessionStore {
 public:
  struct Options {
    std::size_t max_sessions = limits::kSessions;
    Millis idle = limits::kSessionIdle;
  };
  SessionStore(AbortSignal server, Options options, Background& background);
  ~SessionStore();
  SessionStore(const SessionStore&) = delete;
  SessionStore& operator=(const SessionStore&) = delete;

  // Every pointer handed out is a use: while it lives, the session is not idle.
  // Null when there are too many and none may be ended for it, or after close_all(). `client` says which sessions are
  // of one client [why.same-client].
  std::shared_ptr<Session> create(bool single_stream = false, const std::string& client = {});
  // A session of one transport doesn't exist for another.
  std::shared_ptr<Session> find(const std::string& id, bool single_stream = false);
  // Ends one session and aborts its calls (session_closed). False if the id is unknown.
  bool remove(const std::string& id, const std::string& why);
  // Ends all and refuses new ones.
  void close_all(const std::string& why);

  std::vector<std::shared_ptr<Session>> all() const;
  std::size_t size() const;

  // Called outside the lock for each session that ended. Set before the first create().
  std::function<void(Session&)> on_closed;

 private:
  enum class Inserted { yes, full, closed };
  Inserted insert(const std::shared_ptr<Session>& session) EXCLUDES(mutex_);
  std::shared_ptr<Session> most_dispensable(const std::string& client) const EXCLUDES(mutex_);
  bool take_if_idle(const std::shared_ptr<Session>& session) EXCLUDES(mutex_);
  void end(const std::shared_ptr<Session>& session, const std::string& why) EXCLUDES(mutex_);
  void end_expired() EXCLUDES(mutex_);

  const AbortSignal server_;
  const Options options_;
  mutable Mutex mutex_;
  bool closed_ GUARDED_BY(mutex_) = false;
  std::unordered_map<std::string, std::shared_ptr<Session>> sessions_ GUARDED_BY(mutex_);
  TimedJob expiry_;  // set to the time at which the next session may have expired
};

}  // namespace bridle
