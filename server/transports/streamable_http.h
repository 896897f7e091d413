#pragma once

#include <atomic>
#include <memory>

#include "base/limits.h"
#include "server/http/messages/message.h"
#include "server/http/messages/negotiation.h"
#include "server/mcp/caller.h"
#include "server/mcp/dispatcher.h"
#include "server/mcp/jsonrpc.h"
#include "server/mcp/session_store.h"
#include "server/transports/modern_http.h"

namespace bridle {

// /mcp: Streamable HTTP for 2025-03-26 to 2025-11-25 [wire.session] [wire.get], and the fork to the modern era
// [wire.era]. Called concurrently, on connection threads.
class StreamableHttp {
 public:
  StreamableHttp(McpServer& mcp, SessionStore& sessions, ModernHttp& modern, std::atomic<long>& streams)
      : mcp_(mcp), sessions_(sessions), modern_(modern), streams_(streams) {}

  HttpReply handle(HttpRequest& request);

 private:
  HttpReply post(HttpRequest& request);
  HttpReply get(const HttpRequest& request);
  HttpReply resume(const HttpRequest& request, const std::shared_ptr<Session>& session, const std::string& event_id);
  HttpReply remove(const HttpRequest& request);
  HttpReply post_initialize(const HttpRequest& request, const jsonrpc::Message& message, Accepts accepts);
  HttpReply post_one(const Caller& caller, jsonrpc::Message message, Accepts accepts);
  HttpReply post_batch(const Caller& caller, std::vector<jsonrpc::Message> messages, Accepts accepts);

  // The answer through an stream whose lanes are all open.
  // `call`: to show life of while nothing is said; may be null.
  HttpReply stream_call(const Caller& caller, const std::shared_ptr<ReplyStream>& stream,
                        const std::shared_ptr<ToolCall>& call);
  HttpReply wait_for_json(const Caller& caller, const std::shared_ptr<ReplyStream>& stream, bool batch);
  HttpReply answer_now(int status, const std::string& text, Accepts accepts);

  McpServer& mcp_;
  SessionStore& sessions_;
  ModernHttp& modern_;
  std::atomic<long>& streams_;
};

}  // namespace bridle
