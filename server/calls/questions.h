#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "server/mcp/jsonrpc.h"

namespace bridle {

// What the panel shows of a question; one that has no message is the client's alone.
struct ShownQuestion {
  std::string message{};
  nlohmann::json schema{};
  long call = 0;           // the number of the call that asks
  bool take_over = false;  // it stands until who has taken over hands back
  Clock::time_point since{};
};

// The server's own requests to one legacy client that wait for their answer. Any thread may call anything.
class Questions {
 public:
  // One question. Leaves the table when destroyed; a later answer is then ignored.
  class Pending {
   public:
    Pending(Questions& table, std::string id, ShownQuestion shown);
    ~Pending();
    Pending(const Pending&) = delete;
    Pending& operator=(const Pending&) = delete;
    const std::string& id() const { return id_; }  // JSON text
    // Waits for the answer; false at ctx's deadline. Throws Aborted.
    bool wait(const CallContext& ctx, jsonrpc::Message& answer);
    // The answer came from the panel, and the client is to be told that its own is wanted no more.
    bool answered_elsewhere() const;

   private:
    friend class Questions;
    Questions& table_;
    const std::string id_;
    const ShownQuestion shown_;
    bool answered_ = false;   // guarded by table_.mutex_
    bool elsewhere_ = false;  // the same
    jsonrpc::Message answer_{};
  };

  std::unique_ptr<Pending> open(ShownQuestion shown = {});
  // The questions that a person may answer at the panel, by their ids.
  std::vector<std::pair<std::string, ShownQuestion>> shown() const;
  // An answer from there. False when nothing waits for it any more.
  bool answer_elsewhere(const std::string& id, nlohmann::json result);
  // A response from the client. False when nothing waits for it.
  bool answer(jsonrpc::Message message);
  std::size_t pending() const;

 private:
  mutable Mutex mutex_;
  CondVar answered_;
  std::uint64_t next_ GUARDED_BY(mutex_) = 1;
  std::unordered_map<std::string, Pending*> table_ GUARDED_BY(mutex_);
};

}  // namespace bridle
