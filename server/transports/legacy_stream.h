#pragma once

#include <memory>
#include <string>

#include "server/calls/stream/reply_stream.h"
#include "server/mcp/caller.h"
#include "server/mcp/dispatcher.h"
#include "server/mcp/jsonrpc.h"

namespace bridle {

// One message of a legacy session whose answers all go out on one standing stream: HTTP+SSE, stdio. The counterpart of
// the Streamable HTTP POST. Any thread.
void receive_on_stream(McpServer& mcp, const std::shared_ptr<Session>& session, jsonrpc::Message message);

}  // namespace bridle
