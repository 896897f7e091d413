#include "server/transports/legacy_stream.h"

#include <utility>

namespace bridle {

using jsonrpc::Message;

void receive_on_stream(McpServer& mcp, const std::shared_ptr<Session>& session, Message message) {
  const auto& stream = session->stream();
  switch (message.kind) {
    case Message::Kind::invalid:
      stream->push(Frame::Kind::response, McpServer::invalid_message(message));
      return;
    case Message::Kind::response:
      mcp.response(Caller::of(session), std::move(message));
      return;
    case Message::Kind::notification:
      mcp.notification(Caller::of(session), message);
      return;
    case Message::Kind::request:
      break;
  }
  Outcome outcome;
  if (message.method == "initialize") {
    outcome = mcp.initialize(*session, message);
  } else {
    outcome = mcp.request(Caller::of(session), message, stream);
  }
  if (!outcome.started) {
    stream->push(Frame::Kind::response, std::move(outcome.text));
  } else if (outcome.call) {
    outcome.call->keep_telling(false);  // tasks are of 2026-07-28
  }
}

}  // namespace bridle
