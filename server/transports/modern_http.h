#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "server/calls/call_table.h"
#include "server/http/messages/message.h"
#include "server/http/messages/negotiation.h"
#include "server/mcp/dispatcher.h"
#include "server/mcp/jsonrpc.h"
#include "server/transports/listen_hub.h"

namespace bridle {

// /mcp in revision 2026-07-28 [wire.era] [wire.envelope]: no sessions, each POST describes itself, and the end of its
// connection is its cancel. Called concurrently, on connection threads.
class ModernHttp {
 public:
  ModernHttp(McpServer& mcp, CallTable& calls, ListenHub& hub, std::atomic<long>& streams)
      : mcp_(mcp), calls_(calls), hub_(hub), streams_(streams) {}

  // Tells the eras apart [wire.era]: nullopt: the POST is a legacy one.
  std::optional<HttpReply> take(const HttpRequest& http, const jsonrpc::Parsed& parsed, Accepts accepts);

 private:
  std::optional<HttpReply> take_initialize(const jsonrpc::Message& message, bool modern_header);
  HttpReply request(const HttpRequest& http, const jsonrpc::Message& message, Accepts accepts);
  std::optional<HttpReply> check(const HttpRequest& http, const jsonrpc::Message& message) const;
  HttpReply call(const HttpRequest& http, const Caller& caller, const std::shared_ptr<ReplyStream>& stream,
                 const jsonrpc::Message& message, Accepts accepts, const Outcome& started);
  HttpReply listen(const HttpRequest& http, const jsonrpc::Message& message, Accepts accepts);

  McpServer& mcp_;
  CallTable& calls_;
  ListenHub& hub_;
  std::atomic<long>& streams_;
  std::atomic<std::uint64_t> next_{1};
};

}  // namespace bridle
