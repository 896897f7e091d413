#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/concurrency/abort.h"
#include "server/mcp/dispatcher.h"
#include "server/mcp/jsonrpc.h"
#include "server/mcp/session.h"
#include "server/transports/listen_hub.h"

namespace bridle {

// MCP over a pair of pipes: one message a line, both eras on the same dispatcher [wire.stdio]. Nothing
// but JSON leaves by `out`. One client, one connection, one session; run() returns at the end of `in`, when `out` takes
// no more, or at the abort of `alive`. Two threads: the caller reads, a second one writes.
class StdioConnection {
 public:
  StdioConnection(McpServer& mcp, ListenHub& hub, std::shared_ptr<Session> session, int in, int out);
  void run(const AbortSignal& alive);

 private:
  void read_lines(const AbortSignal& alive);
  void write_frames();
  void receive_line(std::string_view line);
  void receive(jsonrpc::Message message);
  void receive_modern(const jsonrpc::Message& message);
  bool cancel(const jsonrpc::Message& message);
  bool is_taken(const std::string& id);
  void say(std::string text);

  McpServer& mcp_;
  ListenHub& hub_;
  const std::shared_ptr<Session> session_;
  const std::shared_ptr<ReplyStream> stream_;  // the session's
  const int in_;
  const int out_;
  // Of 2026-07-28, by request id; the reading thread's. Each request is registered by a name of its own, as over HTTP:
  // an id is free once its request was answered, even if it goes on as a task.
  struct Asked {
    std::string name{};
    std::weak_ptr<ToolCall> call{};
  };
  std::unordered_map<std::string, Asked> asked_;
  std::unordered_map<std::string, std::shared_ptr<ListenHub::Listener>> listeners_;
  std::uint64_t next_ = 1;
};

}  // namespace bridle
