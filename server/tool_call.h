#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/sync.h"
#include "base/worker_pool.h"
#include "server/abort_registry.h"
#include "server/caller.h"
#include "server/outbox.h"
#include "server/progress.h"
#include "server/request_state.h"
#include "tools/tool.h"

namespace bridle {

class StatusBoard;

// What a call needs of the server. Outlives every call.
struct CallServices {
  const Toolbox& toolbox;
  AbortRegistry& registry;
  WorkerPool& pool;
  StatusBoard& board;
  const RequestStateSealer& sealer;
  std::shared_ptr<ToolScope> default_scope{};  // of callers without a session
};

// Thrown through a tool to end this round of a call of 2026-07-28. No std::exception: a tool that catches those must
// not catch these.
struct InputRequired {  // the result is input_required, with {key: request}
  Json requests;
};
struct MissingCapability {  // -32021: the client declared no such capability with its request
  Json required;            // as ClientCapabilities: {"elicitation": {}}
};

// One tools/call, from its registration to its one answer, which goes into `outbox` (spec/cancellation, whole). The one
// place that turns exceptions into results. Shared by its request thread and its lane in the outbox.
class ToolCall : public CallObserver, public UserPrompt, public std::enable_shared_from_this<ToolCall> {
 public:
  struct Plan {
    Caller caller{};
    std::string id{};  // JSON text
    const ToolSpec* spec = nullptr;
    Json arguments{};               // checked
    Json progress_token{};          // null: none
    Json answers = Json::object();  // 2026-07-28: what earlier rounds asked for, and the client answered
  };
  // Registers the call in the calling thread, then starts it. Not none: refused, and nothing happened.
  static AbortRegistry::Refusal start(const CallServices& services, Plan plan, const std::shared_ptr<Outbox>& outbox);

  ToolCall(const CallServices& services, Plan plan);
  ~ToolCall() override;

  // For the tool.
  void on_tab(std::string_view tab_id) override;
  void on_running() override;
  Answer ask(const CallContext& ctx, std::string_view key, std::string_view message, const Json& form_schema) override;

 private:
  struct Ending {
    RequestState state = RequestState::completed;
    bool succeeded = false;  // the tool returned
    std::string answer{};    // the whole message
    int http_status = 200;
  };

  void run();
  Ending execute();
  std::string result_message(const ToolResult& result) const;
  std::string input_required(const InputRequired& wanted) const;
  std::optional<std::vector<Frame>> abort_frames();
  std::string abort_answer() const;
  Answer ask_session(const CallContext& ctx, std::string_view message, const Json& form_schema);

  const CallServices& services_;
  const Plan plan_;
  RequestEntry entry_;  // until run() takes it
  std::shared_ptr<Request> request_;
  std::shared_ptr<Outbox::Lane> lane_;
  std::unique_ptr<ProgressReporter> progress_;
  Mutex mutex_;
  std::vector<std::string> open_questions_ GUARDED_BY(mutex_);  // ids; cancelled with the call
};

}  // namespace bridle
