#include "server/http/messages/refusals.h"

#include "server/mcp/jsonrpc.h"

namespace bridle {

HttpReply rpc_refusal(int status, int code, std::string_view words, std::string_view id) {
  return HttpReply::json(status, jsonrpc::error(id, code, words));
}

HttpReply method_not_allowed(std::string_view allow) {
  HttpReply reply = rpc_refusal(405, jsonrpc::kInvalidRequest, "Method not allowed; use " + std::string(allow));
  reply.headers.emplace_back("Allow", allow);
  return reply;
}

}  // namespace bridle
