#pragma once

#include <atomic>

#include "server/http/messages/message.h"
#include "server/mcp/dispatcher.h"
#include "server/mcp/session_store.h"

namespace bridle {

// HTTP+SSE, the transport of 2024-11-05 [wire.sse]: GET /sse opens a session and carries everything that the
// server says, POST /message brings everything that the client says. Closing the stream ends the session. Any legacy
// revision can be negotiated over it. Called concurrently, on connection threads.
class HttpSse {
 public:
  HttpSse(McpServer& mcp, SessionStore& sessions, std::atomic<long>& streams)
      : mcp_(mcp), sessions_(sessions), streams_(streams) {}

  HttpReply open(const HttpRequest& request);
  HttpReply message(const HttpRequest& request);

 private:
  McpServer& mcp_;
  SessionStore& sessions_;
  std::atomic<long>& streams_;
};

}  // namespace bridle
