#include "server/mcp/session_store.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text/log.h"
#include "base/text/random.h"

namespace bridle {
namespace {

constexpr std::size_t kSessionIdBytes = 32;  // 256 bits; MCP asks for a CSPRNG, [wire.session] for 256

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

std::shared_ptr<Session> SessionStore::create(bool single_stream, const std::string& client) {
  auto session = std::make_shared<Session>(random_token(kSessionIdBytes), server_, single_stream, client);
  auto use = in_use(session);
  for (;;) {
    const auto inserted = insert(session);
    if (inserted == Inserted::yes) break;
    const auto dispensable = inserted == Inserted::full ? most_dispensable(client) : nullptr;
    if (!dispensable) return nullptr;
    if (take_if_idle(dispensable)) end(dispensable, "made room for a newer session");
  }
  expiry_.set_by(Clock::now() + options_.idle);
  return use;
}

SessionStore::Inserted SessionStore::insert(const std::shared_ptr<Session>& session) {
  const MutexLock lock(mutex_);
  if (closed_) return Inserted::closed;
  if (sessions_.size() >= options_.max_sessions) return Inserted::full;
  sessions_.emplace(session->id(), session);
  return Inserted::yes;
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

// The idle session that may best be ended for a new one of `client`; null without one. A client that makes sessions
// without end loses its own, the newest first. Of the others', those go that never did anything, the newest first, so
// that who floods under many names displaces himself; then those idle longest. A session with tabs goes after all
// without, and never for another client.
std::shared_ptr<Session> SessionStore::most_dispensable(const std::string& client) const {
  std::shared_ptr<Session> best;
  using Rank = std::tuple<bool, bool, bool, Clock::rep>;
  Rank lowest;
  for (auto& session : all()) {
    if (session->in_use()) continue;
    const bool same = session->client() == client;
    const bool worked = session->scope_if_open() != nullptr;
    const bool tabs = worked && session->has_tabs();
    if (tabs && !same) continue;
    const bool newest_first = same || !worked;
    const Rank rank(
        tabs, !same, !same && worked,
        newest_first ? -session->created().time_since_epoch().count() : session->last_use().time_since_epoch().count());
    if (best && rank >= lowest) continue;
    lowest = rank;
    best = std::move(session);
  }
  return best;
}

bool SessionStore::take_if_idle(const std::shared_ptr<Session>& session) {
  const MutexLock lock(mutex_);
  return !session->in_use() && sessions_.erase(session->id()) > 0;
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
