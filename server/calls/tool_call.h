#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/concurrency/sync.h"
#include "base/concurrency/thread_pool.h"
#include "base/concurrency/timer.h"
#include "base/limits.h"
#include "server/calls/call_answer.h"
#include "server/calls/call_table.h"
#include "server/calls/client_questions.h"
#include "server/calls/request_state.h"
#include "server/calls/stream/progress.h"
#include "server/calls/stream/reply_stream.h"
#include "server/calls/task_store.h"
#include "server/mcp/caller.h"
#include "server/panel/timeline.h"
#include "tools/contract/catalogue.h"
#include "tools/contract/tool.h"

namespace bridle {

class ResultStore;
class StatusBoard;

// What a call needs in its own time, whatever its stream carries.
struct CallTimes {
  // For every transport: below this, polling a task costs more than waiting for the call [why.task-after-5-seconds].
  static constexpr Millis kTaskAfter{5000};
  // For clients that give up on silent calls.
  Millis sign_of_life = limits::kKeepAlive;
  Millis task_after = kTaskAfter;
};

// What a call needs of the server. Outlives every call.
struct CallServices {
  const Toolbox& toolbox;
  CallTable& calls;
  ThreadPool& pool;
  Timer& timer;
  StatusBoard& board;
  const RequestStateSealer& sealer;
  TaskStore& tasks;
  const Catalogue& catalogue;
  CallTimes times{};
  ResultStore* results = nullptr;              // null: what is cut isn't kept
  std::shared_ptr<ToolScope> default_scope{};  // of callers without a session
};

// Runs one tools/call, prompts/get or resources/read, from its registration to its one answer, which goes into a reply
// stream (docs/contract/cancellation.md, whole). The one place that turns exceptions into answers. Owned by the thread
// that runs it; its transport may hold it as well, to show its life. server/calls/README.md draws who owns whom.
class ToolCall : public CallObserver {
 public:
  struct Plan {
    Caller caller{};
    std::string id{};                       // JSON text
    std::string name{};                     // for logs and /status: the tool, or the method
    const ToolSpec* spec = nullptr;         // of tools/call
    std::shared_ptr<const ToolSpec> own{};  // the same, of a tool that may go meanwhile
    // The other methods: makes the result's text. Throws RpcFailure, and what a tool may throw.
    std::function<std::string(ToolContext&)> work{};
    Json arguments{};                // checked; what a requestState is bound to, with the name
    Json progress_token{};           // null: none
    Json answers = Json::object();   // 2026-07-28: what earlier rounds asked for, and the client answered
    Json unsealed = Json::object();  // answers that came without a requestState
    // Of a call that another one makes (nested_calls.h): how that one asks its user, and until when it may take.
    UserPrompt* user = nullptr;
    Deadline deadline = Deadline::none();
    const OriginList* act_on = nullptr;  // the same: on whose pages it may act; null: all
  };
  // Registers the call in the calling thread, then starts it. Not none: refused, and nothing happened. `started`, if
  // given, is set to the call.
  static CallTable::Refusal start(const CallServices& services, Plan plan, const std::shared_ptr<ReplyStream>& stream,
                                  std::shared_ptr<ToolCall>* started = nullptr);

  // Made by start(), with a slot that is not empty.
  ToolCall(const CallServices& services, Plan plan, CallTable::Slot slot, const std::shared_ptr<ReplyStream>& stream);
  ~ToolCall() override;

  // Runs a call that another one makes, to its end, in the calling thread. Throws Aborted when `ctx` is aborted.
  ToolResult run_nested(const CallContext& ctx);

  // For its transport. Any thread.
  void show_life() { progress_.heartbeat(); }  // when nothing was said for a while
  // Shows the call's life by the timer, and makes the call a task when it takes long. For calls that share one stream
  // (stdio, HTTP+SSE), where the stream's silence tells nothing about one call [wire.progress].
  void keep_telling(bool may_become_task);
  // Whether the request is over for its client, answered (if only with a task's handle) or aborted, so that its id may
  // be used again.
  bool is_released() const { return lane_.ended() || call_->signal().aborted(); }

  // For the tool.
  void on_tab(std::string_view tab_id) override;
  void on_running() override;
  void on_effects(const std::string& words) override;
  void on_held(bool held) override;
  void log(std::string_view level, const Json& data) override;
  bool become_task() override;  // by its transport or the timer too, when it takes long. Any thread
  void let_client_poll() override;

 private:
  struct Ending {
    CallState state = CallState::completed;
    bool succeeded = false;  // the tool returned
    CallAnswer answer{};
    Json wanted{};  // not null: a question that only a task can still put
  };

  // Tells the client, and who watches at the panel.
  class Progress : public ProgressReporter {
   public:
    Progress(Call& call, Revision revision, const Json& token, ReplyStream::Lane& lane)
        : ProgressReporter(revision, token, lane), call_(call) {}
    void report(double progress, double total, std::string_view message) override;

   private:
    Call& call_;
  };

  void run();
  Ending execute();
  Ending serve();
  CallAnswer work();
  void keep_whole(ToolResult& result, const std::shared_ptr<ToolScope>& scope) const;
  void tell_of_changes() const;
  std::optional<PastCall> past_call(const Ending& ending, CallState state) const;
  // What a viewer of the tab sees at this moment; null when nobody looks. `tab` "": the current one.
  std::shared_ptr<const std::string> picture(const std::string& tab) const;
  std::string keep_picture(const char* when, const std::string& jpeg) const;
  void add_to_timeline(PastCall past) const;
  CallAnswer input_required(const InputRequired& wanted) const;
  CallName name() const;
  std::shared_ptr<Task> task() EXCLUDES(mutex_);

  const CallServices& services_;
  const Plan plan_;
  CallTable::Slot slot_;  // until run() takes it
  const std::shared_ptr<Call> call_;
  ReplyStream::Lane lane_;
  Progress progress_;
  ClientQuestions questions_;
  std::shared_ptr<ToolScope> scope_{};           // the work's; of the call's own thread
  std::string effects_{};                        // the same: see on_effects()
  std::shared_ptr<const std::string> before_{};  // the same: the picture before it acted; null: none
  Mutex mutex_;
  std::shared_ptr<Task> task_ GUARDED_BY(mutex_);
  bool over_ GUARDED_BY(mutex_) = false;  // the answer stands: too late to become a task
  // Last: their callbacks use everything above.
  Timer::Entry sign_of_life_;
  Timer::Entry long_call_;
};

}  // namespace bridle
