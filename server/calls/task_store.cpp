#include "server/calls/task_store.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <utility>

#include "base/errors.h"
#include "base/text/random.h"
#include "server/mcp/serializer.h"

namespace bridle {
namespace {

constexpr std::size_t kTaskIdBytes = 24;

// ISO 8601, UTC, milliseconds.
std::string now_iso() {
  const auto now = std::chrono::system_clock::now();
  const auto seconds = std::chrono::system_clock::to_time_t(now);
  const auto millis = std::chrono::duration_cast<Millis>(now.time_since_epoch()).count() % 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char day[32];
  std::strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &utc);
  char text[48];
  std::snprintf(text, sizeof text, "%s.%03dZ", day, static_cast<int>(millis));
  return text;
}

const char* name_of(Task::Status status) {
  switch (status) {
    case Task::Status::working:
      return "working";
    case Task::Status::input_required:
      return "input_required";
    case Task::Status::completed:
      return "completed";
    case Task::Status::failed:
      return "failed";
    case Task::Status::cancelled:
      return "cancelled";
  }
  return "failed";
}

bool is_terminal(Task::Status status) {
  return status == Task::Status::completed || status == Task::Status::failed || status == Task::Status::cancelled;
}

}  // namespace

Task::Task(CallKey key)
    : id_("task-" + random_token(kTaskIdBytes)),
      key_(std::move(key)),
      created_at_(now_iso()),
      updated_at_(created_at_) {}

void Task::touch() { updated_at_ = now_iso(); }

Json Task::state() const {
  const MutexLock lock(mutex_);
  Json out = {{"taskId", id_},
              {"status", name_of(status_)},
              {"createdAt", created_at_},
              {"lastUpdatedAt", updated_at_},
              {"ttlMs", TaskStore::kTtl.count()},
              {"pollIntervalMs", TaskStore::kPollInterval.count()}};
  if (!status_message_.empty()) out["statusMessage"] = status_message_;
  if (status_ == Status::input_required) out["inputRequests"] = asked_;
  if (const auto* failure = std::get_if<RpcFailure>(&answer_.content)) {
    out["error"] = {{"code", failure->code}, {"message", failure->words}};
    if (!failure->data.is_null()) out["error"]["data"] = failure->data;
  }
  return out;
}

std::string Task::result_text(Revision revision) const {
  const MutexLock lock(mutex_);
  if (const auto* result = std::get_if<ToolResult>(&answer_.content)) return serializer::tool_result(revision, *result);
  if (const auto* result = std::get_if<ResultText>(&answer_.content)) return result->text;
  return {};
}

Json Task::ask(const CallContext& ctx, const Json& requests) {
  MutexLock lock(mutex_);
  asked_ = requests;
  answers_ = Json::object();
  status_ = Status::input_required;
  touch();
  // Without an answer the question is open no longer: a call that a run has made may end alone, and its task goes on.
  const auto take_back = [this]() REQUIRES(mutex_) {
    asked_ = Json::object();
    if (!is_terminal(status_)) status_ = Status::working;
    touch();
  };
  try {
    wait_until(ctx, changed_, lock, [this]() REQUIRES(mutex_) { return asked_.empty(); });
  } catch (const Aborted&) {
    take_back();
    throw;
  }
  if (!asked_.empty()) {
    take_back();
    throw ToolError("The user did not answer in time.");
  }
  return std::exchange(answers_, Json::object());
}

void Task::update(const Json& responses) {
  const MutexLock lock(mutex_);
  if (status_ != Status::input_required) return;
  for (const auto& [key, answer] : responses.items()) {
    if (!answer.is_object() || !asked_.contains(key)) continue;
    answers_[key] = answer;
    asked_.erase(key);
  }
  if (asked_.empty()) status_ = Status::working;
  touch();
  changed_.notify_all();
}

void Task::note(std::string words) {
  const MutexLock lock(mutex_);
  if (is_terminal(status_)) return;
  status_message_ = std::move(words);
  touch();
}

void Task::finish(CallAnswer answer) {
  const std::size_t bytes = answer.bytes();
  const MutexLock lock(mutex_);
  if (is_terminal(status_)) return;
  asked_ = Json::object();
  // "failed is only for JSON-RPC errors; isError results are completed".
  status_ = answer.is_none()                                     ? Status::cancelled
            : std::holds_alternative<RpcFailure>(answer.content) ? Status::failed
                                                                 : Status::completed;
  answer_ = std::move(answer);
  status_message_.clear();
  bytes_ = bytes;
  ended_ = Clock::now();
  touch();
  changed_.notify_all();
}

bool Task::is_over() const {
  const MutexLock lock(mutex_);
  return is_terminal(status_);
}

std::size_t Task::kept_bytes() const {
  const MutexLock lock(mutex_);
  return bytes_;
}

bool Task::may_go(Clock::time_point now) const {
  const MutexLock lock(mutex_);
  return is_terminal(status_) && now - began_ > TaskStore::kTtl && now - ended_ > TaskStore::kKeptAfterEnd;
}

// ---- the store

std::shared_ptr<Task> TaskStore::create(const CallKey& key) {
  auto task = std::make_shared<Task>(key);
  const MutexLock lock(mutex_);
  purge();
  std::size_t bytes = 0;
  for (const auto& [id, one] : tasks_) bytes += one->kept_bytes();
  if (tasks_.size() >= kMaxTasks || bytes >= kMaxBytes) return nullptr;
  tasks_.emplace(task->id(), task);
  return task;
}

std::shared_ptr<Task> TaskStore::find(const std::string& id) {
  const MutexLock lock(mutex_);
  purge();
  const auto found = tasks_.find(id);
  return found == tasks_.end() ? nullptr : found->second;
}

bool TaskStore::holds(const CallKey& key) const {
  const MutexLock lock(mutex_);
  for (const auto& [id, task] : tasks_) {
    if (task->key() == key && !task->is_over()) return true;
  }
  return false;
}

std::size_t TaskStore::size() const {
  const MutexLock lock(mutex_);
  return tasks_.size();
}

void TaskStore::purge() {
  const auto now = Clock::now();
  std::erase_if(tasks_, [now](const auto& entry) { return entry.second->may_go(now); });
}

}  // namespace bridle
