#include "server/mcp/session_store.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/random.h"

namespace bridle {
namespace {

constexpr std::size_t kIdBytes = 32;  // 256 bits; MCP asks for a CSPRNG, [wire.session] for 256

std::shared_ptr<Session> in_use(const std::shared_ptr<Session>& session) {
  auto use = std::make_shared<Session::Use>(session);
  return {std::move(use), session.get()};
}

}  // namespace

SessionStore::SessionStore(AbortSignal server, Options options, Background& background)
    : server_(std::move(server)), options_(options), expiry_(background, [this] { end_expired(); }) {}

SessionStore::~SessionStore() {
  expiry_.stop();
  close_all("the server ended");
}

std::shared_ptr<Session> SessionStore::create(bool single_stream) {
  auto session = std::make_shared<Session>(random_token(kIdBytes), server_, single_stream);
  auto use = in_use(session);
  std::shared_ptr<Session> evicted;
  {
    MutexLock lock(mutex_);
    if (closed_) return nullptr;
    if (sessions_.size() >= options_.max_sessions) {
      evicted = take_idle_longest();
      if (!evicted) return nullptr;
    }
    sessions_.emplace(session->id(), session);
  }
  expiry_.set_by(Clock::now() + options_.idle);
  if (evicted) end(evicted, "made room for a newer session");
  return use;
}

std::shared_ptr<Session> SessionStore::find(const std::string& id, bool single_stream) {
  MutexLock lock(mutex_);
  const auto found = sessions_.find(id);
  // The use is taken under the lock: end_expired(), which also holds it, can't end the session in between.
  const bool known = found != sessions_.end() && found->second->single_stream() == single_stream;
  return known ? in_use(found->second) : nullptr;
}

bool SessionStore::remove(const std::string& id, const std::string& why) {
  std::shared_ptr<Session> session;
  {
    MutexLock lock(mutex_);
    const auto found = sessions_.find(id);
    if (found == sessions_.end()) return false;
    session = std::move(found->second);
    sessions_.erase(found);
  }
  end(session, why);
  return true;
}

void SessionStore::close_all(const std::string& why) {
  std::unordered_map<std::string, std::shared_ptr<Session>> sessions;
  {
    MutexLock lock(mutex_);
    closed_ = true;
    sessions.swap(sessions_);
  }
  for (const auto& [id, session] : sessions) end(session, why);
}

std::vector<std::shared_ptr<Session>> SessionStore::all() const {
  std::vector<std::shared_ptr<Session>> out;
  MutexLock lock(mutex_);
  out.reserve(sessions_.size());
  for (const auto& [id, session] : sessions_) out.push_back(session);
  return out;
}

std::size_t SessionStore::size() const {
  MutexLock lock(mutex_);
  return sessions_.size();
}

std::shared_ptr<Session> SessionStore::take_idle_longest() {
  auto best = sessions_.end();
  auto longest = Clock::duration::zero();
  for (auto it = sessions_.begin(); it != sessions_.end(); ++it) {
    const auto idle = it->second->idle_for();
    if (!it->second->in_use() && idle >= longest) {
      longest = idle;
      best = it;
    }
  }
  if (best == sessions_.end()) return nullptr;
  auto session = std::move(best->second);
  sessions_.erase(best);
  return session;
}

void SessionStore::end(const std::shared_ptr<Session>& session, const std::string& why) {
  spdlog::info("session {} closed: {}", session->label(), why);
  session->close(why);
  if (on_closed) on_closed(*session);
}

// A session in use is looked at again when it could expire at the earliest: its idle time starts with its last use.
void SessionStore::end_expired() {
  std::vector<std::shared_ptr<Session>> expired;
  {
    const MutexLock lock(mutex_);
    Clock::duration next = options_.idle;
    for (auto it = sessions_.begin(); it != sessions_.end();) {
      const auto idle = it->second->idle_for();
      if (!it->second->in_use() && idle >= options_.idle) {
        expired.push_back(std::move(it->second));
        it = sessions_.erase(it);
        continue;
      }
      next = std::min<Clock::duration>(next, options_.idle - idle);
      ++it;
    }
    if (!sessions_.empty()) expiry_.set_by(Clock::now() + std::max<Clock::duration>(next, Millis(1)));
  }
  for (const auto& session : expired) end(session, "idle for too long");
}

}  // namespace bridle
