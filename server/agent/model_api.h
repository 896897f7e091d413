#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/net/transfer.h"
#include "server/agent/model.h"

namespace bridle::agent {

// Where a model's API is and how long it may take [agent.models.http].
struct ModelEndpoint {
  std::string url{};  // the API's base, such as http://127.0.0.1:11434/v1
  std::string model{};
  std::string key{};      // secret; "" without
  bool pictures = false;  // the model takes them
  Millis connect{10'000};
  Millis first_byte{60'000};
  Millis idle{30'000};
};

// What became of one try.
struct StreamResult {
  bool complete = false;  // the answer's end came: else the connection was cut in its middle
  std::string error{};    // that the API reported within its stream
  bool passing = false;   // and which may be gone at the next try
};

// Reads one answer. `feed` gets each event of the stream; of an API that answers with one JSON document, that as the
// event "document".
struct StreamReader {
  std::function<void(std::string_view event, std::string_view data)> feed{};
  std::function<StreamResult()> result{};
};

// Asks the API and reads its answer, up to three times more after 429, 5xx and faults of the connection: with growing
// pauses, or those that the API asks for (Retry-After, 30 s at most) [agent.models.retries]. `begin` makes the reader
// of each try. An abort closes the connection, ends a pause at once and is never followed by another try. Throws
// Aborted, ModelError.
void ask_api(const CallContext& ctx, const ModelEndpoint& endpoint, const net::Request& request,
             const std::function<StreamReader()>& begin);

// How long an answer's Retry-After asks to wait, in seconds or as a date, 30 s at most; nullopt: it doesn't say.
std::optional<Millis> retry_after(const net::Head& head);

// The request for one document of the API, without its authorization.
net::Request api_request(const ModelEndpoint& endpoint, std::string_view path, const Json& body);

}  // namespace bridle::agent
