#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "server/http_server.h"
#include "server/http_util.h"
#include "server/jsonrpc.h"
#include "server/mcp_server.h"

namespace bridle {

// /mcp in revision 2026-07-28 (spec/protocol 1.7): no sessions, each POST describes itself, and the end of its connection
// is its cancel. Called concurrently, on connection threads.
class ModernHttp {
 public:
  ModernHttp(McpServer& mcp, AbortRegistry& registry, std::atomic<long>& streams)
      : mcp_(mcp), registry_(registry), streams_(streams) {}

  // Tells the eras apart (spec/protocol 2.2): nullopt: the POST is a legacy one.
  std::optional<HttpReply> take(const HttpRequest& request, const jsonrpc::Parsed& parsed, Accepts accepts);

 private:
  HttpReply request(const HttpRequest& http, const jsonrpc::Message& message, Accepts accepts);
  HttpReply call(const HttpRequest& http, const Caller& caller, const jsonrpc::Message& message, Accepts accepts);

  McpServer& mcp_;
  AbortRegistry& registry_;
  std::atomic<long>& streams_;
  std::atomic<std::uint64_t> next_{1};
};

}  // namespace bridle
