#include "server/transports/modern_http.h"

#include <algorithm>
#include <utility>

#include "server/http/messages/refusals.h"
#include "server/http/messages/sse.h"
#include "server/status_board.h"
#include "server/transports/modern_envelope.h"
#include "server/transports/modern_headers.h"

namespace bridle {
namespace {

using jsonrpc::Message;

// A call that ends this soon is answered with one JSON document, a longer one with a stream.
constexpr Millis kQuickAnswer{20};
constexpr Millis kTaskAfter = CallTimes::kTaskAfter;

HttpReply mismatch(const Message& message, std::string_view words) {
  return rpc_refusal(400, jsonrpc::kHeaderMismatch, "Header mismatch: " + std::string(words), message.id);
}

// The peer is gone: no answer, and the connection ends [cancel.wire.half-close].
HttpReply hang_up() {
  HttpReply reply;
  reply.drop = true;
  reply.close = true;
  return reply;
}

}  // namespace

// [wire.era], step by step; the body decides, the version header only where the body says nothing.
std::optional<HttpReply> ModernHttp::take(const HttpRequest& http, const jsonrpc::Parsed& parsed, Accepts accepts) {
  const std::string* header = http.header("MCP-Protocol-Version");
  const bool modern_header = header != nullptr && *header == to_string(Revision::v2026_07_28);
  if (parsed.batch) {
    const bool claims = std::any_of(parsed.messages.begin(), parsed.messages.end(), has_modern_claim);
    if (!claims && !modern_header) return std::nullopt;
    return rpc_refusal(400, jsonrpc::kInvalidRequest, "Invalid request: revision 2026-07-28 has no batches");
  }
  const Message& message = parsed.messages.front();
  const bool claims = has_modern_claim(message);
  switch (message.kind) {
    case Message::Kind::invalid:
      return std::nullopt;
    case Message::Kind::response:
      if (!modern_header) return std::nullopt;
      return rpc_refusal(400, jsonrpc::kInvalidRequest, "Invalid request: revision 2026-07-28 takes no responses");
    case Message::Kind::notification:
      // "Core defines no client notifications over HTTP: accept 202 and drop."
      if (!claims && !modern_header) return std::nullopt;
      return HttpReply::empty(202);
    case Message::Kind::request:
      break;
  }
  if (message.method == "initialize") return take_initialize(message, modern_header);
  if (claims) return request(http, message, accepts);
  if (!modern_header) return std::nullopt;
  return rpc_refusal(400, jsonrpc::kInvalidParams, "Invalid params: " + check_envelope(message), message.id);
}

std::optional<HttpReply> ModernHttp::take_initialize(const Message& message, bool modern_header) {
  const bool modern_body =
      claimed_version(message) == to_string(Revision::v2026_07_28) && check_envelope(message).empty();
  if (modern_body) {
    return rpc_refusal(404, jsonrpc::kMethodNotFound, "Method not found: initialize; this revision has server/discover",
                       message.id);
  }
  if (!modern_header) return std::nullopt;
  return mismatch(message, "MCP-Protocol-Version 2026-07-28 on an initialize request");
}

// The order of the checks is asserted by the conformance suite [wire.errors.modern].
std::optional<HttpReply> ModernHttp::check(const HttpRequest& http, const Message& message) const {
  if (const auto words = check_envelope(message); !words.empty()) {
    return rpc_refusal(400, jsonrpc::kInvalidParams, "Invalid params: " + words, message.id);
  }
  const std::string version = claimed_version(message);
  for (const std::string& header : http.header_values("MCP-Protocol-Version")) {
    if (header != version) return mismatch(message, "MCP-Protocol-Version is not the version in _meta");
  }
  if (const auto words = check_method_header(http, message); !words.empty()) return mismatch(message, words);
  if (version != to_string(Revision::v2026_07_28)) return HttpReply::json(400, unsupported_version(message));
  if (const auto words = check_required_headers(http, message); !words.empty()) return mismatch(message, words);
  if (message.method != "tools/call") return std::nullopt;
  const auto name = message.params.find("name");
  const ToolSpec* spec = name != message.params.end() && name->is_string()
                             ? mcp_.toolbox().resolve(name->get_ref<const std::string&>())
                             : nullptr;
  if (spec == nullptr) return std::nullopt;
  const auto words = check_param_headers(http, spec->input_schema, message.params.value("arguments", Json::object()));
  if (words.empty()) return std::nullopt;
  return mismatch(message, words);
}

HttpReply ModernHttp::request(const HttpRequest& http, const Message& message, Accepts accepts) {
  if (auto refused = check(http, message)) return std::move(*refused);
  if (message.method == "subscriptions/listen") return listen(http, message, accepts);
  // Each POST is its own key [cancel.key].
  const Caller caller = modern_caller(message, std::string(StatusBoard::kModernPrefix) + std::to_string(next_++));
  ReplyStream::Options options;
  options.responses_only = !accepts.sse;
  const auto stream = std::make_shared<ReplyStream>(options);
  auto outcome = mcp_.request(caller, message, stream);
  if (outcome.started) {
    stream->seal();
    return call(http, caller, stream, message, accepts, outcome);
  }
  if (accepts.json || outcome.http_status != 200) return HttpReply::json(outcome.http_status, std::move(outcome.text));
  const Frame frame{.kind = Frame::Kind::response,
                    .text = std::make_shared<const std::string>(std::move(outcome.text))};
  return sse_reply([frame](HttpStream& out) { out.write(sse_event(frame, "")); });
}

HttpReply ModernHttp::call(const HttpRequest& http, const Caller& caller, const std::shared_ptr<ReplyStream>& stream,
                           const Message& message, Accepts accepts, const Outcome& started) {
  const auto reader = std::make_shared<ReplyStream::Reader>(stream);
  // "The server MUST treat a client disconnect as cancellation of that request", for JSON answers too. Once the answer
  // stands there is nothing left to cancel: a task goes on when the client that got its handle hangs up.
  const CallKey key{.session = caller.name, .id = message.id};
  const auto gone = [this, key, stream](const char* why) {
    if (!stream->is_over()) calls_.cancel(key, AbortReason::client_gone, why);
  };
  std::shared_ptr<void> watch = http.peer->on_close([gone] { gone("the client closed the response stream"); });
  const auto running = started.call;
  SseOptions options;
  options.on_idle = [running] { running->show_life(); };
  if (started.may_become_task) {
    options.late = Clock::now() + kTaskAfter;
    options.on_late = [running] { running->become_task(); };
  }
  Frame first;
  auto got = reader->next(accepts.json && accepts.sse ? kQuickAnswer : accepts.json ? kTaskAfter : Millis(0), first);
  if (!accepts.sse && got == ReplyStream::Reader::Got::idle && started.may_become_task) running->become_task();
  while (!accepts.sse && got == ReplyStream::Reader::Got::idle) got = reader->next(limits::kKeepAlive, first);
  if (got == ReplyStream::Reader::Got::ended) return hang_up();
  const bool is_frame = got == ReplyStream::Reader::Got::frame;
  if (is_frame && first.kind == Frame::Kind::response && accepts.json) {
    return HttpReply::json(first.http_status, *first.text);
  }
  if (is_frame) options.first = first;
  return sse_reply([this, reader, watch, gone, options](HttpStream& out) {
    const StreamCount count(streams_);
    if (pump_sse(*reader, out, options) == SseEnd::peer_gone) gone("the client takes no more of the response stream");
  });
}

HttpReply ModernHttp::listen(const HttpRequest& http, const Message& message, Accepts accepts) {
  if (!accepts.sse) {
    return rpc_refusal(406, jsonrpc::kInvalidRequest, "Not acceptable: Accept must list text/event-stream", message.id);
  }
  const auto wanted = message.params.find("notifications");
  if (wanted == message.params.end() || !wanted->is_object()) {
    return rpc_refusal(200, jsonrpc::kInvalidParams, "Invalid params: notifications must be an object", message.id);
  }
  const auto listener = hub_.listen(message.id, *wanted);
  if (!listener) return rpc_refusal(503, jsonrpc::kInternalError, "Too many subscriptions are open", message.id);
  const auto reader = std::make_shared<ReplyStream::Reader>(listener->stream());
  std::shared_ptr<void> watch = http.peer->on_close([reader] { reader->interrupt(); });
  return sse_reply([this, listener, reader, watch](HttpStream& out) {
    const StreamCount count(streams_);
    pump_sse(*reader, out, {});
  });
}

}  // namespace bridle
