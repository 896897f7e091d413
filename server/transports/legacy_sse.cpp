#include "server/transports/legacy_sse.h"

#include <utility>

#include "server/http/messages/negotiation.h"
#include "server/http/messages/refusals.h"
#include "server/http/messages/sse.h"
#include "server/transports/legacy_stream.h"

namespace bridle {
namespace {

// Ends the session with its stream, on every path.
class SessionEnd {
 public:
  SessionEnd(SessionStore& sessions, std::string id) : sessions_(sessions), id_(std::move(id)) {}
  ~SessionEnd() { sessions_.remove(id_, "its event stream ended"); }
  SessionEnd(const SessionEnd&) = delete;
  SessionEnd& operator=(const SessionEnd&) = delete;

 private:
  SessionStore& sessions_;
  const std::string id_;
};

}  // namespace

HttpReply HttpSse::open(const HttpRequest& request) {
  if (request.method != "GET") return method_not_allowed("GET");
  if (!asks_for_events(request)) {
    return rpc_refusal(406, jsonrpc::kInvalidRequest, "Not acceptable: Accept must list text/event-stream");
  }
  const auto session = sessions_.create(true, request.peer->owner());
  if (!session) return rpc_refusal(503, jsonrpc::kInternalError, "Too many sessions are in use");
  // "The server MUST send an endpoint event": the first thing on the stream.
  session->stream()->push(Frame::Kind::raw, "/message?sessionId=" + session->id(), "endpoint");
  const auto end = std::make_shared<SessionEnd>(sessions_, session->id());
  const auto reader = std::make_shared<ReplyStream::Reader>(session->stream());
  std::shared_ptr<void> watch = request.peer->on_close([reader] { reader->interrupt(); });
  return sse_reply([this, session, end, reader, watch](HttpStream& out) {
    const StreamCount count(streams_);
    pump_sse(*reader, out, {});
  });
}

HttpReply HttpSse::message(const HttpRequest& request) {
  if (request.method != "POST") return method_not_allowed("POST");
  if (!has_json_body(request) || has_encoded_body(request)) {
    return rpc_refusal(415, jsonrpc::kInvalidRequest, "Unsupported media type: send application/json as it is");
  }
  const std::string id = request.query_param("sessionId");
  if (id.empty()) return rpc_refusal(400, jsonrpc::kInvalidRequest, "sessionId is missing: open /sse first");
  const auto session = sessions_.find(id, true);
  if (!session) return rpc_refusal(404, jsonrpc::kInvalidRequest, "Session not found: open /sse again");
  auto parsed = jsonrpc::parse(request.body);
  if (!parsed.ok) return rpc_refusal(400, jsonrpc::kParseError, parsed.problem);
  if (parsed.batch && !has_batches(session->revision())) {
    return rpc_refusal(400, jsonrpc::kInvalidRequest, "Invalid request: this protocol revision has no batches");
  }
  if (parsed.batch && (parsed.messages.empty() || parsed.messages.size() > jsonrpc::kMaxBatch)) {
    return rpc_refusal(400, jsonrpc::kInvalidRequest, "Invalid request: a batch holds 1 to 256 messages");
  }
  for (jsonrpc::Message& message : parsed.messages) {
    if (message.kind == jsonrpc::Message::Kind::invalid && !parsed.batch) {
      return HttpReply::json(400, McpServer::invalid_message(message));
    }
    receive_on_stream(mcp_, session, std::move(message));
  }
  HttpReply reply = HttpReply::text(202, "Accepted");
  return reply;
}

}  // namespace bridle
