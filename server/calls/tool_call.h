#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/sync.h"
#include "base/thread_pool.h"
#include "server/calls/abort_registry.h"
#include "server/calls/outbox.h"
#include "server/calls/progress.h"
#include "server/calls/task_store.h"
#include "server/mcp/caller.h"
#include "server/mcp/request_state.h"
#include "tools/contract/catalogue.h"
#include "tools/contract/tool.h"

namespace bridle {

class ResultStore;
class StatusBoard;

// What a call needs of the server. Outlives every call.
struct CallServices {
  const Toolbox& toolbox;
  AbortRegistry& registry;
  ThreadPool& pool;
  StatusBoard& board;
  const RequestStateSealer& sealer;
  TaskStore& tasks;
  const Catalogue& catalogue;
  ResultStore* results = nullptr;              // null: what is cut isn't kept
  std::shared_ptr<ToolScope> default_scope{};  // of callers without a session
};

// Thrown through a tool to end this round of a call of 2026-07-28. No std::exception: a tool that catches those must
// not catch these.
struct InputRequired {  // the result is input_required, with {key: request}
  Json requests;
  bool sealed = true;  // with a requestState of ours
};
struct MissingCapability {  // -32021: the client declared no such capability with its request
  Json required;            // as ClientCapabilities: {"elicitation": {}}
};

// The request itself is at fault: its answer is a JSON-RPC error.
struct RpcFailure {
  int code;
  std::string words;
  Json data{};
};

// One tools/call, prompts/get or resources/read, from its registration to its one answer, which goes into `outbox`
// [cancel.states]. The one place that turns exceptions into results. Shared by its request thread and its
// lane in the outbox.
class ToolCall : public CallObserver, public UserPrompt, public std::enable_shared_from_this<ToolCall> {
 public:
  struct Plan {
    Caller caller{};
    std::string id{};                // JSON text
    std::string name{};              // for logs and /status: the tool, or the method
    const ToolSpec* spec = nullptr;  // of tools/call
    // The other methods: makes the result's text. Throws RpcFailure, and what a tool may throw.
    std::function<std::string(ToolContext&)> work{};
    Json arguments{};                // checked; what a requestState is bound to, with the name
    Json progress_token{};           // null: none
    Json answers = Json::object();   // 2026-07-28: what earlier rounds asked for, and the client answered
    Json unsealed = Json::object();  // answers that came without a requestState
  };
  // Registers the call in the calling thread, then starts it. Not none: refused, and nothing happened. `started`, if
  // given, is set to the call.
  static AbortRegistry::Refusal start(const CallServices& services, Plan plan, const std::shared_ptr<Outbox>& outbox,
                                      std::shared_ptr<ToolCall>* started = nullptr);

  ToolCall(const CallServices& services, Plan plan);
  ~ToolCall() override;

  // For the tool.
  void on_tab(std::string_view tab_id) override;
  void on_running() override;
  void log(std::string_view level, const Json& data) override;
  void show_life() { progress_->heartbeat(); }  // by its transport, when nothing was said for a while
  bool wants_progress() const { return !plan_.progress_token.is_null(); }
  // Its request is over for the client: answered (with a task's handle, too), or aborted. Its id may be used again.
  bool is_released() const { return lane_->ended() || request_->signal().aborted(); }
  bool become_task() override;  // by its transport too, when it takes long. Any thread
  void let_client_poll() override;
  Answer ask(const CallContext& ctx, std::string_view key, std::string_view message, const Json& form_schema) override;
  Json ask_all(const CallContext& ctx, const Json& requests, bool sealed) override;
  bool can_ask(std::string_view method) const override;

 private:
  struct Ending {
    RequestState state = RequestState::completed;
    bool succeeded = false;  // the tool returned
    std::string answer{};    // the whole message
    int http_status = 200;
    Json wanted{};  // not null: a question that only a task can still put
  };

  void run();
  Ending execute();
  void serve(const AbortSignal& signal, Ending& ending);
  bool ask_as_task(const Json& wanted);
  void keep_whole(ToolResult& result, const std::shared_ptr<ToolScope>& scope) const;
  void tell_of_changes() const;
  std::string failure_message(const std::string& words) const;
  std::string result_message(const ToolResult& result) const;
  std::string input_required(const InputRequired& wanted) const;
  std::optional<std::vector<Frame>> abort_frames();
  std::string abort_answer() const;
  void check_askable(const Json& requests) const;
  Json ask_session(const CallContext& ctx, const Json& request);
  std::shared_ptr<Task> task() EXCLUDES(mutex_);

  const CallServices& services_;
  const Plan plan_;
  RequestEntry entry_;  // until run() takes it
  std::shared_ptr<Request> request_;
  std::weak_ptr<Outbox> outbox_;
  std::shared_ptr<Outbox::Lane> lane_;
  Json answers_;  // the call's own thread
  std::unique_ptr<ProgressReporter> progress_;
  Mutex mutex_;
  std::shared_ptr<Task> task_ GUARDED_BY(mutex_);
  bool over_ GUARDED_BY(mutex_) = false;                        // the answer stands: too late to become a task
  std::vector<std::string> open_questions_ GUARDED_BY(mutex_);  // ids; cancelled with the call
};

}  // namespace bridle
