#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "server/mcp/jsonrpc.h"

namespace bridle {

// The server's own requests to one legacy client that wait for their answer. Any thread may call anything.
class Questions {
 public:
  // One question. Leaves the table when destroyed; a later answer is then ignored.
  class Pending {
   public:
    Pending(Questions& table, std::string id);
    ~Pending();
    Pending(const Pending&) = delete;
    Pending& operator=(const Pending&) = delete;
    const std::string& id() const { return id_; }  // JSON text
    // Waits for the answer; false at ctx's deadline. Throws Aborted.
    bool wait(const CallContext& ctx, jsonrpc::Message& answer);

   private:
    friend class Questions;
    Questions& table_;
    const std::string id_;
    bool answered_ = false;  // guarded by table_.mutex_
    jsonrpc::Message answer_{};
  };

  std::unique_ptr<Pending> open();
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
