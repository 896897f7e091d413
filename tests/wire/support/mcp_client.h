#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/mcp/revision.h"
#include "tests/wire/support/raw_client.h"

namespace bridle::wire {

using Json = nlohmann::json;
using Headers = std::vector<std::pair<std::string, std::string>>;

inline constexpr const char* kBoth = "application/json, text/event-stream";
inline constexpr const char* kJsonOnly = "application/json";
inline constexpr auto kModern = Revision::v2026_07_28;

// The bytes of a request to `port`; Host, Content-Length and Content-Type are added where `headers` don't name them.
std::string http_text(int port, const std::string& method, const std::string& path, const std::string& body,
                      const Headers& headers);

// A JSON-RPC request.
inline Json request(const std::string& method, const Json& id = 1, const Json& params = Json::object()) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}};
}

// One event of a stream.
struct Event {
  std::string name{};
  std::string id{};
  std::string data{};
  bool comment = false;
};

// An exchange under way: its answer's head was read, its events are read one by one. Every message is held against the
// revision's schema; a test fails with what is wrong.
class Exchange {
 public:
  Exchange(int port, const std::string& request, Revision revision, std::string method);
  const RawReply& head();                                     // waits for it
  std::optional<Event> next_event(Millis time = kPatience);   // comments included; nullopt at the end
  std::optional<Json> next_message(Millis time = kPatience);  // priming and comments are skipped; JSON bodies too
  std::vector<Json> all_messages();                           // up to the end
  bool ended_cleanly() const { return client_.stream_whole; }
  std::string last_event_id() const { return last_id_; }
  bool primed() const { return primed_; }
  void close() { client_.close(); }
  void reset() { client_.reset(); }
  void half_close() { client_.half_close(); }
  RawClient& raw() { return client_; }

 private:
  bool is_stream();
  RawClient client_;
  Revision revision_;
  std::string method_;
  std::optional<RawReply> head_;
  bool body_read_ = false;
  std::vector<Json> body_messages_;
  std::string last_id_;
  bool primed_ = false;
};

struct Answer {
  int status = 0;
  RawReply reply{};
  std::vector<Json> messages{};
  const Json& only() const;  // the single message
  int error_code() const;    // 0: none
  bool is_error_result() const;
  std::string text() const;  // the first content block's
};

// One MCP client on raw sockets. Every request uses its own connection.
class McpClient {
 public:
  explicit McpClient(int port, Revision revision = kLatestLegacy) : port_(port), revision_(revision) {}

  // initialize and initialized. Fails the test when the revision isn't agreed on.
  void open(const Json& capabilities = Json::object(), const Json& id = 0);
  const std::string& session() const { return session_; }
  void set_session(std::string id) { session_ = std::move(id); }

  Json call_request(const Json& id, const std::string& tool, const Json& arguments, const Json& token = nullptr) const;
  // Adds the modern envelope and headers when the revision is modern.
  std::unique_ptr<Exchange> start(Json message, const std::string& accept = kBoth, Headers more = {});
  Answer post(const Json& message, const std::string& accept = kBoth, const Headers& more = {});
  Answer call(const Json& id, const std::string& tool, const Json& arguments, const std::string& accept = kBoth);
  int cancel(const Json& id, const Json& reason = nullptr);  // the HTTP status
  int remove();
  std::unique_ptr<Exchange> get(const std::string& last_event_id = "", Headers more = {});
  Answer http(const std::string& method, const std::string& path, const std::string& body, const Headers& headers);

  Json capabilities = Json::object();  // declared with each modern request

 private:
  Headers headers_for(const Json& message, const std::string& accept, Headers more) const;
  int port_;
  Revision revision_;
  std::string session_{};
};

}  // namespace bridle::wire
