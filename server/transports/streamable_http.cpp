#include "server/transports/streamable_http.h"

#include <algorithm>
#include <utility>

#include "server/http/messages/refusals.h"
#include "server/http/messages/sse.h"
#include "server/mcp/method.h"

namespace bridle {
namespace {

using jsonrpc::Message;

constexpr std::string_view kSessionHeader = "Mcp-Session-Id";

HttpReply no_such_session() {
  return rpc_refusal(404, jsonrpc::kInvalidRequest, "Session not found: it ended or never was; initialize again");
}

// "Server: invalid or unsupported -> 400 MUST" (2025-06-18). Absent is fine: the session knows.
std::optional<HttpReply> check_version_header(const HttpRequest& request) {
  const std::string* header = request.header("MCP-Protocol-Version");
  if (header == nullptr || parse_revision(*header)) return std::nullopt;
  return rpc_refusal(400, jsonrpc::kInvalidRequest,
                     "Unsupported MCP-Protocol-Version: " + jsonrpc::shown(*header) +
                         "; supported: 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05");
}

// Which sessions are of one client [why.same-client]. Cut: it is kept with the session.
std::string client_of(const HttpRequest& request, const Message& message) {
  constexpr std::size_t kLongest = 100;
  const Json& info = object_in(message.params, "clientInfo");
  const auto part = [&info](const char* name) { return string_in(info, name).substr(0, kLongest); };
  return request.peer->owner() + " " + part("name") + " " + part("version");
}

ReplyStream::Options call_stream(const Caller& caller, Accepts accepts) {
  ReplyStream::Options options;
  options.responses_only = !accepts.sse;
  options.replay = accepts.sse && has_resumable_streams(caller.revision);
  return options;
}

}  // namespace

HttpReply StreamableHttp::handle(HttpRequest& request) {
  if (request.method == "POST") return post(request);
  if (request.method == "GET") return get(request);
  if (request.method == "DELETE") return remove(request);
  return method_not_allowed("GET, POST, DELETE");
}

// ---- POST

HttpReply StreamableHttp::post(HttpRequest& request) {
  if (!has_json_body(request)) {
    return rpc_refusal(415, jsonrpc::kInvalidRequest, "Unsupported media type: Content-Type must be application/json");
  }
  if (has_encoded_body(request)) {
    return rpc_refusal(415, jsonrpc::kInvalidRequest, "Unsupported Content-Encoding: send the body as it is");
  }
  const Accepts accepts = parse_accept(request);
  if (!accepts.json && !accepts.sse) {
    return rpc_refusal(406, jsonrpc::kInvalidRequest,
                       "Not acceptable: Accept must list application/json and text/event-stream");
  }
  auto parsed = jsonrpc::parse(request.body);
  request.drop_body();  // a call may take minutes
  if (!parsed.ok) return rpc_refusal(400, jsonrpc::kParseError, parsed.problem);
  if (auto answered = modern_.take(request, parsed, accepts)) return std::move(*answered);
  if (auto refused = check_version_header(request)) {
    return std::move(*refused);
  }
  const Message* first = parsed.batch || parsed.messages.empty() ? nullptr : &parsed.messages.front();
  if (first != nullptr && first->kind == Message::Kind::invalid) {
    return HttpReply::json(400, McpServer::invalid_message(*first));
  }
  const std::string* id = request.header(kSessionHeader);
  if (first != nullptr && first->is_request() && first->method == "initialize" && id == nullptr) {
    return post_initialize(request, *first, accepts);
  }
  const std::string readable_id = first != nullptr && first->is_request() ? first->id : std::string();
  if (id == nullptr) {
    return rpc_refusal(400, jsonrpc::kInvalidRequest, "Mcp-Session-Id is missing: initialize first", readable_id);
  }
  auto session = sessions_.find(*id);
  if (!session) return no_such_session();
  const Caller caller = Caller::of(std::move(session));
  if (parsed.batch) return post_batch(caller, std::move(parsed.messages), accepts);
  return post_one(caller, std::move(parsed.messages.front()), accepts);
}

HttpReply StreamableHttp::post_initialize(const HttpRequest& request, const Message& message, Accepts accepts) {
  const auto session = sessions_.create(false, client_of(request, message));
  if (!session) {
    return rpc_refusal(503, jsonrpc::kInternalError, "Too many sessions are in use; end one with DELETE", message.id);
  }
  const auto outcome = mcp_.initialize(*session, message);
  if (!session->negotiated()) {
    sessions_.remove(session->id(), "initialize failed");
    return answer_now(outcome.http_status, outcome.text, accepts);
  }
  HttpReply reply = answer_now(200, outcome.text, accepts);
  reply.headers.emplace_back(kSessionHeader, session->id());
  return reply;
}

HttpReply StreamableHttp::post_one(const Caller& caller, Message message, Accepts accepts) {
  if (message.kind == Message::Kind::response) {
    mcp_.response(caller, std::move(message));
    return HttpReply::empty(202);
  }
  if (message.kind == Message::Kind::notification) {
    mcp_.notification(caller, message);
    return HttpReply::empty(202);
  }
  const auto stream = std::make_shared<ReplyStream>(call_stream(caller, accepts));
  const auto outcome = mcp_.request(caller, message, stream);
  if (!outcome.started) return answer_now(outcome.http_status, outcome.text, accepts);
  stream->seal();
  return accepts.sse ? stream_call(caller, stream, outcome.call) : wait_for_json(caller, stream, false);
}

// 2025-03-26 only: "MUST support receiving JSON-RPC batches"; initialize is never in one.
HttpReply StreamableHttp::post_batch(const Caller& caller, std::vector<Message> messages, Accepts accepts) {
  if (!has_batches(caller.revision)) {
    return rpc_refusal(400, jsonrpc::kInvalidRequest, "Invalid request: this protocol revision has no batches");
  }
  if (messages.empty() || messages.size() > jsonrpc::kMaxBatch) {
    return rpc_refusal(400, jsonrpc::kInvalidRequest,
                       "Invalid request: a batch holds 1 to " + std::to_string(jsonrpc::kMaxBatch) + " messages");
  }
  const bool has_initialize = std::any_of(messages.begin(), messages.end(), [](const Message& message) {
    return message.is_request() && message.method == "initialize";
  });
  if (has_initialize) {
    return rpc_refusal(400, jsonrpc::kInvalidRequest, "Invalid request: initialize must not be in a batch");
  }
  const auto stream = std::make_shared<ReplyStream>(call_stream(caller, accepts));
  bool any_answer = false;
  bool any_started = false;
  // In order, and each request is registered here: a cancel further on finds it.
  for (Message& message : messages) {
    switch (message.kind) {
      case Message::Kind::response:
        mcp_.response(caller, std::move(message));
        break;
      case Message::Kind::notification:
        mcp_.notification(caller, message);
        break;
      case Message::Kind::invalid:
        any_answer = true;
        stream->push(Frame::Kind::response, McpServer::invalid_message(message));
        break;
      case Message::Kind::request: {
        any_answer = true;
        auto outcome = mcp_.request(caller, message, stream);
        any_started = any_started || outcome.started;
        if (!outcome.started) stream->push(Frame::Kind::response, std::move(outcome.text));
        break;
      }
    }
  }
  stream->seal();
  if (!any_answer) return HttpReply::empty(202);
  const bool as_stream = accepts.sse && (any_started || !accepts.json);
  return as_stream ? stream_call(caller, stream, nullptr) : wait_for_json(caller, stream, true);
}

// ---- answers

HttpReply StreamableHttp::answer_now(int status, const std::string& text, Accepts accepts) {
  if (accepts.json || status != 200) return HttpReply::json(status, text);
  return sse_reply([text](HttpStream& out) {
    const Frame frame{.kind = Frame::Kind::response, .text = std::make_shared<const std::string>(text)};
    out.write(sse_event(frame, ""));
  });
}

// A disconnect is no cancel here: the call goes on, and a resumable stream keeps its frames [cancel.wire.disconnect].
// Destroying the reader is all that happens.
HttpReply StreamableHttp::stream_call(const Caller& caller, const std::shared_ptr<ReplyStream>& stream,
                                      const std::shared_ptr<ToolCall>& call) {
  SseOptions options;
  if (call) options.on_idle = [call] { call->show_life(); };
  if (has_resumable_streams(caller.revision)) options.stream_name = caller.session->replay().add(stream);
  // The caller's session pointer keeps the session in use while the stream is open.
  return sse_reply([this, stream, options, session = caller.session](HttpStream& out) {
    const StreamCount count(streams_);
    const auto reader = std::make_shared<ReplyStream::Reader>(stream);
    pump_sse(*reader, out, options);
  });
}

HttpReply StreamableHttp::wait_for_json(const Caller& caller, const std::shared_ptr<ReplyStream>& stream, bool batch) {
  const auto reader = std::make_shared<ReplyStream::Reader>(stream);
  std::string answers;
  for (Frame frame;;) {
    const auto got = reader->next(limits::kKeepAlive, frame);
    if (got == ReplyStream::Reader::Got::ended || got == ReplyStream::Reader::Got::replaced) break;
    if (got != ReplyStream::Reader::Got::frame || frame.kind != Frame::Kind::response) continue;
    if (!answers.empty()) answers += ",";
    answers += *frame.text;
  }
  if (!answers.empty()) return HttpReply::json(200, batch ? "[" + answers + "]" : answers);
  if (caller.signal.reason() == AbortReason::session_closed) return no_such_session();
  return HttpReply::empty(202);  // cancelled: "JSON mode answers an empty 202"
}

// ---- GET: the standing stream, or a stream resumed

HttpReply StreamableHttp::get(const HttpRequest& request) {
  if (auto refused = check_version_header(request)) return std::move(*refused);
  const std::string* version = request.header("MCP-Protocol-Version");
  const std::string* id = request.header(kSessionHeader);
  // 405 without a session: silent in every client, where 400 makes some loop [wire.get].
  if (id == nullptr || (version != nullptr && *version == to_string(Revision::v2026_07_28))) {
    return method_not_allowed("POST");
  }
  const auto session = sessions_.find(*id);
  if (!session) return no_such_session();
  if (!parse_accept(request).sse) {
    return rpc_refusal(406, jsonrpc::kInvalidRequest, "Not acceptable: Accept must list text/event-stream");
  }
  if (const std::string* last = request.header("Last-Event-ID")) return resume(request, session, *last);
  // Taken here, not in the stream, so that the order of requests decides which reader is the newest.
  const auto reader = std::make_shared<ReplyStream::Reader>(session->stream());
  std::shared_ptr<void> watch = request.peer->on_close([reader] { reader->interrupt(); });
  return sse_reply([this, session, reader, watch](HttpStream& out) {
    const StreamCount count(streams_);
    if (out.write(": open\n\n")) pump_sse(*reader, out, {});
  });
}

HttpReply StreamableHttp::resume(const HttpRequest& request, const std::shared_ptr<Session>& session,
                                 const std::string& event_id) {
  auto found = session->replay().find(event_id);
  switch (found.what) {
    case ReplayStore::Found::What::foreign:
      return rpc_refusal(404, jsonrpc::kInvalidRequest, "No such event in this session");
    case ReplayStore::Found::What::finished:
      return method_not_allowed("POST");
    case ReplayStore::Found::What::stream:
      break;
  }
  const auto reader = std::make_shared<ReplyStream::Reader>(found.stream, found.after);
  std::shared_ptr<void> watch = request.peer->on_close([reader] { reader->interrupt(); });
  const SseOptions options{.stream_name = found.name, .after = found.after};
  return sse_reply([this, session, reader, watch, options](HttpStream& out) {
    const StreamCount count(streams_);
    pump_sse(*reader, out, options);
  });
}

// ---- DELETE

HttpReply StreamableHttp::remove(const HttpRequest& request) {
  if (auto refused = check_version_header(request)) return std::move(*refused);
  const std::string* version = request.header("MCP-Protocol-Version");
  if (version != nullptr && *version == to_string(Revision::v2026_07_28)) return method_not_allowed("POST");
  const std::string* id = request.header(kSessionHeader);
  if (id == nullptr) return rpc_refusal(400, jsonrpc::kInvalidRequest, "Mcp-Session-Id is missing");
  if (!sessions_.find(*id) || !sessions_.remove(*id, "DELETE")) return no_such_session();
  return HttpReply::empty(200);
}

}  // namespace bridle
