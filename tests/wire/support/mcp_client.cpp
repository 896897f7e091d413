#include "tests/wire/support/mcp_client.h"

#include <algorithm>

#include "tests/support/catch.h"
#include "tests/wire/support/schema_check.h"

namespace bridle::wire {
namespace {

bool names(const Headers& headers, const std::string& name) {
  return std::any_of(headers.begin(), headers.end(), [&](const auto& header) { return header.first == name; });
}

Event parse_event(const std::string& frame) {
  Event event;
  std::size_t from = 0;
  while (from <= frame.size()) {
    const auto end = std::min(frame.find('\n', from), frame.size());
    const std::string line = frame.substr(from, end - from);
    if (line.starts_with(":")) event.comment = true;
    if (line.starts_with("event: ")) event.name = line.substr(7);
    if (line.starts_with("id: ")) event.id = line.substr(4);
    if (line.starts_with("data: ")) event.data = line.substr(6);
    from = end + 1;
  }
  return event;
}

void hold_to_schema(Revision revision, const std::string& method, const Json& message) {
  const auto problem = check_message(revision, method, message);
  if (!problem.empty())
    FAIL("against the schema of " << to_string(revision) << ": " << problem << "\n" << message.dump());
}

}  // namespace

std::string http_text(int port, const std::string& method, const std::string& path, const std::string& body,
                      const Headers& headers) {
  std::string text = method + " " + path + " HTTP/1.1\r\n";
  if (!names(headers, "Host")) text += "Host: 127.0.0.1:" + std::to_string(port) + "\r\n";
  if (!body.empty() && !names(headers, "Content-Type")) text += "Content-Type: application/json\r\n";
  if (!body.empty() || method == "POST") text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  for (const auto& [name, value] : headers) text += name + ": " + value + "\r\n";
  return text + "\r\n" + body;
}

Exchange::Exchange(int port, const std::string& request, Revision revision, std::string method)
    : client_(port), revision_(revision), method_(std::move(method)) {
  client_.send(request);
}

const RawReply& Exchange::head() {
  if (!head_) head_ = client_.read_head();
  return *head_;
}

bool Exchange::is_stream() { return head().header("Content-Type") == "text/event-stream"; }

std::optional<Event> Exchange::next_event(Millis time) {
  head();
  const auto frame = client_.read_event(time);
  if (!frame) return std::nullopt;
  Event event = parse_event(*frame);
  if (!event.id.empty()) last_id_ = event.id;
  return event;
}

std::optional<Json> Exchange::next_message(Millis time) {
  if (!is_stream()) {
    if (!body_read_) body_messages_ = all_messages();
    if (body_messages_.empty()) return std::nullopt;
    Json first = body_messages_.front();
    body_messages_.erase(body_messages_.begin());
    return first;
  }
  while (auto event = next_event(time)) {
    if (event->comment) continue;
    if (event->data.empty()) {
      primed_ = true;
      continue;
    }
    if (event->name != "message") continue;
    Json message = Json::parse(event->data);
    hold_to_schema(revision_, method_, message);
    return message;
  }
  return std::nullopt;
}

std::vector<Json> Exchange::all_messages() {
  std::vector<Json> out;
  if (is_stream()) {
    while (auto message = next_message()) out.push_back(std::move(*message));
    return out;
  }
  body_read_ = true;
  const RawReply& reply = head();
  const std::string body =
      client_.read_bytes(static_cast<std::size_t>(std::atoll(reply.header("Content-Length").c_str())));
  if (body.empty()) return out;
  const Json content = Json::parse(body);
  for (const Json& message : content.is_array() ? content : Json::array({content})) {
    hold_to_schema(revision_, method_, message);
    out.push_back(message);
  }
  return out;
}

const Json& Answer::only() const {
  REQUIRE(messages.size() == 1);
  return messages.front();
}

int Answer::error_code() const {
  return messages.size() == 1 && messages.front().contains("error") ? messages.front()["error"]["code"].get<int>() : 0;
}

bool Answer::is_error_result() const {
  return messages.size() == 1 && messages.front().contains("result") &&
         messages.front()["result"].value("isError", false);
}

std::string Answer::text() const { return only().at("result").at("content").at(0).at("text").get<std::string>(); }

void McpClient::open(const Json& client_capabilities, const Json& id) {
  const Json params = {{"protocolVersion", to_string(revision_)},
                       {"capabilities", client_capabilities},
                       {"clientInfo", {{"name", "wire test"}, {"version", "1"}}}};
  const auto answer = post({{"jsonrpc", "2.0"}, {"id", id}, {"method", "initialize"}, {"params", params}});
  REQUIRE(answer.status == 200);
  REQUIRE(answer.only()["result"]["protocolVersion"] == to_string(revision_));
  session_ = answer.reply.header("Mcp-Session-Id");
  REQUIRE(session_.size() >= 22);
  REQUIRE(post({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}).status == 202);
}

Json McpClient::call_request(const Json& id, const std::string& tool, const Json& arguments, const Json& token) const {
  Json params = {{"name", tool}, {"arguments", arguments}};
  if (!token.is_null()) params["_meta"] = {{"progressToken", token}};
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", "tools/call"}, {"params", params}};
}

Headers McpClient::headers_for(const Json& message, const std::string& accept, Headers more) const {
  if (!names(more, "Accept") && !accept.empty()) more.emplace_back("Accept", accept);
  if (!session_.empty() && !names(more, "Mcp-Session-Id")) more.emplace_back("Mcp-Session-Id", session_);
  if (!is_modern(revision_)) return more;
  if (!names(more, "MCP-Protocol-Version")) more.emplace_back("MCP-Protocol-Version", to_string(revision_));
  if (!names(more, "Mcp-Method")) more.emplace_back("Mcp-Method", message.value("method", ""));
  const Json params = message.value("params", Json::object());
  for (const char* named : {"name", "uri", "taskId"}) {
    if (!names(more, "Mcp-Name") && params.contains(named) && params[named].is_string()) {
      more.emplace_back("Mcp-Name", params[named].get<std::string>());
    }
  }
  return more;
}

std::unique_ptr<Exchange> McpClient::start(Json message, const std::string& accept, Headers more) {
  const bool one = message.is_object();
  if (one && is_modern(revision_) && !message.value("params", Json::object()).contains("_meta")) {
    message["params"]["_meta"] = Json::object();
  }
  if (one && is_modern(revision_)) {
    Json& meta = message["params"]["_meta"];
    meta["io.modelcontextprotocol/protocolVersion"] = to_string(revision_);
    meta["io.modelcontextprotocol/clientCapabilities"] = capabilities;
  }
  const auto headers = headers_for(one ? message : Json::object(), accept, std::move(more));
  const std::string method = one ? message.value("method", "") : "?";
  return std::make_unique<Exchange>(port_, http_text(port_, "POST", "/mcp", message.dump(), headers), revision_,
                                    method);
}

Answer McpClient::post(const Json& message, const std::string& accept, const Headers& more) {
  const auto exchange = start(message, accept, more);
  Answer answer;
  answer.reply = exchange->head();
  answer.status = answer.reply.status;
  answer.messages = exchange->all_messages();
  return answer;
}

Answer McpClient::call(const Json& id, const std::string& tool, const Json& arguments, const std::string& accept) {
  return post(call_request(id, tool, arguments), accept);
}

int McpClient::cancel(const Json& id, const Json& reason) {
  Json params = {{"requestId", id}};
  if (!reason.is_null()) params["reason"] = reason;
  return post({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", params}}).status;
}

int McpClient::remove() { return http("DELETE", "/mcp", "", {{"Mcp-Session-Id", session_}}).status; }

std::unique_ptr<Exchange> McpClient::get(const std::string& last_event_id, Headers more) {
  more.emplace_back("Accept", "text/event-stream");
  if (!session_.empty()) more.emplace_back("Mcp-Session-Id", session_);
  if (!last_event_id.empty()) more.emplace_back("Last-Event-ID", last_event_id);
  return std::make_unique<Exchange>(port_, http_text(port_, "GET", "/mcp", "", more), revision_, "?");
}

Answer McpClient::http(const std::string& method, const std::string& path, const std::string& body,
                       const Headers& headers) {
  RawClient client(port_);
  client.send(http_text(port_, method, path, body, headers));
  Answer answer;
  answer.reply = client.read(method != "HEAD");
  answer.status = answer.reply.status;
  const Json content = Json::parse(answer.reply.body, nullptr, false);
  if (content.is_object()) answer.messages = {content};
  return answer;
}

}  // namespace bridle::wire
