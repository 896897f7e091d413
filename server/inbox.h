#pragma once

#include <memory>
#include <string>

#include "server/call_timer.h"
#include "server/caller.h"
#include "server/jsonrpc.h"
#include "server/mcp_server.h"
#include "server/outbox.h"

namespace bridle {

// One message of a legacy session whose answers all go out on one standing stream: HTTP+SSE, stdio. The counterpart of
// the Streamable HTTP POST. `timer` shows the life of its calls. Any thread.
void receive_on_stream(McpServer& mcp, CallTimer& timer, const std::shared_ptr<Session>& session,
                       jsonrpc::Message message);

}  // namespace bridle
