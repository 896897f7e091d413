#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/concurrency/deadline.h"
#include "tests/wire/support/raw_client.h"

namespace bridle::bench {

using Json = nlohmann::json;

// An answer, and the time from the request's first byte sent to the answer's last byte received. It is parsed after
// that time was taken.
struct Answer {
  double ms = 0;
  Json result{};
  std::string text() const;  // the first content block's
};

// One MCP client of revision 2025-11-25 with a session of its own, over keep-alive connections. One thread.
class McpClient {
 public:
  explicit McpClient(int port, Json capabilities = Json::object());  // initialize, initialized

  // Throws std::runtime_error with the server's words when it answers with an error.
  Answer request(const std::string& method, const Json& params = Json::object());
  Answer call(const std::string& tool, const Json& arguments = Json::object());

  // A call that goes on until it is cancelled, on a connection of its own. The client outlives it.
  class Running {
   public:
    struct Ended {
      Clock::time_point cancelled_at;  // before the notification's first byte
      double ms;                       // from then to the end of the call's stream
    };
    // Sends notifications/cancelled and reads the stream to its end. Throws when the call had answered.
    Ended cancel();
    // Reads the stream up to a request or notification of the server's. Throws when the stream ends before.
    void wait_for(const std::string& method);
    // Reads the stream to its end, whatever the answer.
    void finish();

   private:
    friend class McpClient;
    Running(McpClient& client, long id, wire::RawClient connection)
        : client_(client), id_(id), connection_(std::move(connection)) {}
    McpClient& client_;
    long id_;
    wire::RawClient connection_;
  };
  Running start(const std::string& tool, const Json& arguments);

  // The standing GET stream, with its head read.
  wire::RawClient open_stream();

 private:
  // Opened when there is none yet, and anew when the server has closed it for idleness.
  wire::RawClient& live(std::optional<wire::RawClient>& connection) const;
  std::string post_text(const Json& message) const;
  std::string headers() const;
  Json call_message(const std::string& tool, const Json& arguments);

  int port_;
  std::string session_{};
  long next_id_ = 1;
  std::optional<wire::RawClient> calls_{};
  std::optional<wire::RawClient> control_{};  // notifications
};

}  // namespace bridle::bench
