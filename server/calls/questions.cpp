#include "server/calls/questions.h"

#include <utility>

namespace bridle {

Questions::Pending::Pending(Questions& table, std::string id, ShownQuestion shown)
    : table_(table), id_(std::move(id)), shown_(std::move(shown)) {
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

std::unique_ptr<Questions::Pending> Questions::open(ShownQuestion shown) {
  std::string id;
  {
    MutexLock lock(mutex_);
    id = "\"bridle-" + std::to_string(next_++) + "\"";
  }
  return std::make_unique<Pending>(*this, std::move(id), std::move(shown));
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

bool Questions::Pending::answered_elsewhere() const {
  MutexLock lock(table_.mutex_);
  return elsewhere_;
}

std::vector<std::pair<std::string, ShownQuestion>> Questions::shown() const {
  std::vector<std::pair<std::string, ShownQuestion>> all;
  MutexLock lock(mutex_);
  for (const auto& [id, pending] : table_) {
    if (!pending->shown_.message.empty() && !pending->answered_) all.emplace_back(id, pending->shown_);
  }
  return all;
}

bool Questions::answer_elsewhere(const std::string& id, nlohmann::json result) {
  MutexLock lock(mutex_);
  const auto found = table_.find(id);
  if (found == table_.end() || found->second->answered_ || found->second->shown_.message.empty()) return false;
  found->second->answer_.result = std::move(result);
  found->second->answered_ = found->second->elsewhere_ = true;
  answered_.notify_all();
  return true;
}

std::size_t Questions::pending() const {
  MutexLock lock(mutex_);
  return table_.size();
}

}  // namespace bridle
