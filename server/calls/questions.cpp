#include "server/calls/questions.h"

#include <utility>

namespace bridle {

Questions::Pending::Pending(Questions& table, std::string id) : table_(table), id_(std::move(id)) {
  MutexLock lock(table_.mutex_);
  table_.table_.emplace(id_, this);
}

Questions::Pending::~Pending() {
  MutexLock lock(table_.mutex_);
  table_.table_.erase(id_);
}

bool Questions::Pending::wait(const CallContext& ctx, jsonrpc::Message& answer) {
  MutexLock lock(table_.mutex_);
  if (!wait_until(ctx, table_.answered_, lock, [this] { return answered_; })) return false;
  answer = std::move(answer_);
  return true;
}

std::unique_ptr<Questions::Pending> Questions::open() {
  std::string id;
  {
    MutexLock lock(mutex_);
    id = "\"bridle-" + std::to_string(next_++) + "\"";
  }
  return std::make_unique<Pending>(*this, std::move(id));
}

bool Questions::answer(jsonrpc::Message message) {
  MutexLock lock(mutex_);
  const auto found = table_.find(message.id);
  if (found == table_.end() || found->second->answered_) return false;
  found->second->answer_ = std::move(message);
  found->second->answered_ = true;
  answered_.notify_all();
  return true;
}

std::size_t Questions::pending() const {
  MutexLock lock(mutex_);
  return table_.size();
}

}  // namespace bridle
