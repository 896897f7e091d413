#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/concurrency/call_context.h"
#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"
#include "base/text/json.h"
#include "server/calls/call.h"
#include "server/calls/call_answer.h"

// The extension io.modelcontextprotocol/tasks of 2026-07-28 (SEP-2663) [wire.tasks]: long calls whose client got
// a handle and asks for the result later.
namespace bridle {

// One call that became a task. The call goes on as before: its signal is what tasks/cancel aborts, and its end is the
// task's end. Shared by the store and the call. Any thread may call anything.
class Task {
 public:
  enum class Status { working, input_required, completed, failed, cancelled };

  explicit Task(CallKey key);

  const std::string& id() const { return id_; }
  const CallKey& key() const { return key_; }

  // The members of CreateTaskResult, and those of the result of tasks/get but for `result`, which is
  // result_text(): the result of a completed task, else empty. It is written when it is asked for.
  Json state() const;
  std::string result_text(Revision revision) const;

  // Asks the client: the task is input_required until tasks/update has answered every key. Returns {key: answer}.
  // Throws Aborted, and ToolError at the deadline; then nobody is asked any longer.
  Json ask(const CallContext& ctx, const Json& requests);
  // tasks/update: what answers no open question is ignored.
  void update(const Json& responses);
  // What the task is doing, for whoever looks.
  void note(std::string words);

  // Ends the task; only the first end counts. `answer` is what the call would have been answered with. An empty one,
  // after an abort that is not answered, makes the task cancelled.
  void finish(CallAnswer answer);
  bool is_over() const;
  std::size_t kept_bytes() const;
  // Kept at least until its ttl is over, and for a while after its end.
  bool may_go(Clock::time_point now) const;

 private:
  void touch() REQUIRES(mutex_);

  const std::string id_;
  const CallKey key_;
  const Clock::time_point began_ = Clock::now();
  const std::string created_at_;
  mutable Mutex mutex_;
  CondVar changed_;
  Status status_ GUARDED_BY(mutex_) = Status::working;
  std::string status_message_ GUARDED_BY(mutex_);
  std::string updated_at_ GUARDED_BY(mutex_);
  Json asked_ GUARDED_BY(mutex_) = Json::object();  // open questions
  Json answers_ GUARDED_BY(mutex_) = Json::object();
  CallAnswer answer_ GUARDED_BY(mutex_);
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
  Clock::time_point ended_ GUARDED_BY(mutex_){};
};

// All tasks, by their unguessable id. A task is kept for its ttl, never less; when there is no room a call simply isn't
// made a task. Any thread.
class TaskStore {
 public:
  static constexpr std::size_t kMaxTasks = 512;
  static constexpr std::size_t kMaxBytes = 64 * 1024 * 1024;  // of results kept
  static constexpr Millis kTtl{10 * 60 * 1000};               // from the creation on
  static constexpr Millis kKeptAfterEnd{60'000};
  static constexpr Millis kPollInterval{1000};

  // Null when there are too many.
  std::shared_ptr<Task> create(const CallKey& key);
  std::shared_ptr<Task> find(const std::string& id);
  // The request of that key is a task: a cancel notification is not for it.
  bool holds(const CallKey& key) const;
  std::size_t size() const;

 private:
  void purge() REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Task>> tasks_ GUARDED_BY(mutex_);
};

}  // namespace bridle
