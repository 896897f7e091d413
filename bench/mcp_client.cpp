#include "bench/mcp_client.h"

#include <spdlog/fmt/fmt.h>

#include <stdexcept>
#include <utility>

#include "bench/report.h"

namespace bridle::bench {
namespace {

constexpr const char* kRevision = "2025-11-25";
constexpr Millis kPatience{60'000};

// The `data:` of an event; "" for a comment or a priming event.
std::string data_of(std::string_view event) {
  std::string data;
  for (std::size_t at = 0; at < event.size();) {
    auto end = event.find('\n', at);
    if (end == std::string_view::npos) end = event.size();
    const auto line = event.substr(at, end - at);
    if (line.starts_with("data: ")) data += line.substr(6);
    at = end + 1;
  }
  return data;
}

bool is_answer(std::string_view data) {
  const auto head = data.substr(0, 200);
  return !data.empty() && head.find("\"method\":") == std::string_view::npos;
}

}  // namespace

std::string Answer::text() const {
  const auto content = result.find("content");
  if (content == result.end() || content->empty()) return {};
  return content->front().value("text", "");
}

McpClient::McpClient(int port, Json capabilities) : port_(port) {
  const Json message{{"jsonrpc", "2.0"},
                     {"id", next_id_++},
                     {"method", "initialize"},
                     {"params",
                      {{"protocolVersion", kRevision},
                       {"capabilities", std::move(capabilities)},
                       {"clientInfo", {{"name", "bridle-bench"}, {"version", "1"}}}}}};
  live(calls_).send(post_text(message));
  const auto reply = calls_->read(true, kPatience);
  session_ = reply.header("Mcp-Session-Id");
  if (reply.status != 200 || session_.empty())
    throw std::runtime_error("initialize failed: " + reply.head + reply.body);
  live(control_).send(post_text({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}));
  if (const int status = control_->read().status; status != 202) {
    throw std::runtime_error(fmt::format("notifications/initialized: status {}", status));
  }
}

wire::RawClient& McpClient::live(std::optional<wire::RawClient>& connection) const {
  // Between two exchanges nothing comes but the server's close.
  pollfd poller{connection ? connection->fd() : -1, POLLIN, 0};
  if (!connection || ::poll(&poller, 1, 0) != 0) connection.emplace(port_);
  return *connection;
}

std::string McpClient::headers() const {
  std::string text = fmt::format("Host: 127.0.0.1:{}\r\nAccept: application/json, text/event-stream\r\n", port_);
  if (!session_.empty()) text += fmt::format("Mcp-Session-Id: {}\r\nMCP-Protocol-Version: {}\r\n", session_, kRevision);
  return text;
}

std::string McpClient::post_text(const Json& message) const {
  const auto body = message.dump();
  return fmt::format("POST /mcp HTTP/1.1\r\n{}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                     headers(), body.size(), body);
}

Answer McpClient::request(const std::string& method, const Json& params) {
  const auto text = post_text({{"jsonrpc", "2.0"}, {"id", next_id_++}, {"method", method}, {"params", params}});
  auto& connection = live(calls_);
  const Stopwatch watch;
  connection.send(text);
  const auto head = connection.read_head(kPatience);
  std::string body;
  Answer answer;
  if (head.header("Content-Type").starts_with("text/event-stream")) {
    while (!is_answer(body)) {
      const auto event = connection.read_event(kPatience);
      if (!event) throw std::runtime_error(method + ": the stream ended without an answer");
      answer.ms = watch.ms();
      body = data_of(*event);
    }
    while (connection.read_event(kPatience)) {
    }
  } else {
    body =
        connection.read_bytes(static_cast<std::size_t>(std::atoll(head.header("Content-Length").c_str())), kPatience);
    answer.ms = watch.ms();
  }
  Json message = Json::parse(body);
  if (head.status != 200 || !message.contains("result")) throw std::runtime_error(method + ": " + body.substr(0, 500));
  answer.result = std::move(message["result"]);
  return answer;
}

Answer McpClient::call(const std::string& tool, const Json& arguments) {
  auto answer = request("tools/call", {{"name", tool}, {"arguments", arguments}});
  if (answer.result.value("isError", false)) throw std::runtime_error(tool + ": " + answer.text().substr(0, 500));
  return answer;
}

McpClient::Running McpClient::start(const std::string& tool, const Json& arguments) {
  const long id = next_id_++;
  wire::RawClient connection(port_);
  connection.send(post_text({{"jsonrpc", "2.0"},
                             {"id", id},
                             {"method", "tools/call"},
                             {"params", {{"name", tool}, {"arguments", arguments}}}}));
  connection.read_head(kPatience);
  return {*this, id, std::move(connection)};
}

McpClient::Running::Ended McpClient::Running::cancel() {
  const auto text = client_.post_text({{"jsonrpc", "2.0"},
                                       {"method", "notifications/cancelled"},
                                       {"params", {{"requestId", id_}, {"reason", "bench"}}}});
  auto& control = client_.live(client_.control_);
  const Stopwatch watch;
  control.send(text);
  std::string answer;
  while (auto event = connection_.read_event(kPatience)) {
    if (auto data = data_of(*event); is_answer(data)) answer = std::move(data);
  }
  const Ended ended{watch.begun(), watch.ms()};
  if (const int status = control.read().status; status != 202) {
    throw std::runtime_error(fmt::format("notifications/cancelled: status {}", status));
  }
  if (!answer.empty()) throw std::runtime_error("the call answered before its cancel: " + answer.substr(0, 500));
  return ended;
}

void McpClient::Running::wait_for(const std::string& method) {
  while (auto event = connection_.read_event(kPatience)) {
    if (event->find("\"method\":\"" + method + "\"") != std::string::npos) return;
  }
  throw std::runtime_error("the call ended before its " + method);
}

void McpClient::Running::finish() {
  while (connection_.read_event(kPatience)) {
  }
}

wire::RawClient McpClient::open_stream() {
  wire::RawClient connection(port_);
  connection.send("GET /mcp HTTP/1.1\r\n" + headers() + "\r\n");
  if (const int status = connection.read_head(kPatience).status; status != 200) {
    throw std::runtime_error(fmt::format("GET /mcp: status {}", status));
  }
  return connection;
}

}  // namespace bridle::bench
