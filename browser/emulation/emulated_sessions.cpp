#include "browser/emulation/emulated_sessions.h"

#include <utility>

namespace bridle {
namespace {

const Emulation& emulation_or_none(const std::shared_ptr<const Emulation>& emulation) {
  static const Emulation kNothing;
  return emulation ? *emulation : kNothing;
}

void post_all(const CdpSession& session, const std::vector<EmulationCommand>& commands) {
  for (const auto& command : commands) session.post(command.method, command.params);
}

}  // namespace

std::shared_ptr<const Emulation> EmulatedSessions::current() const {
  MutexLock lock(mutex_);
  return current_;
}

ViewSize EmulatedSessions::base() const {
  MutexLock lock(mutex_);
  return base_;
}

void EmulatedSessions::begin(std::shared_ptr<const Emulation> emulation) {
  MutexLock lock(mutex_);
  current_ = std::move(emulation);
}

void EmulatedSessions::set_base(ViewSize base) {
  MutexLock lock(mutex_);
  base_ = base;
}

void EmulatedSessions::add(const CdpSession& session, SessionKind kind) {
  std::shared_ptr<const Emulation> posted;
  if (kind != SessionKind::page) {
    MutexLock lock(mutex_);
    members_.emplace(session.id(), Member{session, kind});
  }
  // A change that comes meanwhile may have posted its commands before ours: then they are posted once more.
  for (auto now = current(); now != posted; now = current()) {
    post_all(session, emulation_commands(emulation_or_none(posted), emulation_or_none(now), kind, base()));
    posted = now;
  }
}

void EmulatedSessions::remove(const std::string& session) {
  MutexLock lock(mutex_);
  members_.erase(session);
}

std::vector<EmulationCommand> EmulatedSessions::change(const std::shared_ptr<const Emulation>& next) {
  MutexLock lock(mutex_);
  const auto before = std::exchange(current_, next);
  const auto members = members_;
  const auto base = base_;
  lock.unlock();
  for (const auto& [id, member] : members)
    post_all(member.session, emulation_commands(emulation_or_none(before), emulation_or_none(next), member.kind, base));
  return emulation_commands(emulation_or_none(before), emulation_or_none(next), SessionKind::page, base);
}

}  // namespace bridle
