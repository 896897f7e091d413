#include <nlohmann/json.hpp>
#include <string>

#include "server/mcp/jsonrpc.h"
#include "server/transports/modern_envelope.h"
#include "tests/fuzz/targets.h"

namespace bridle::fuzz {
namespace {

using jsonrpc::Message;

// Whatever came in: an answer to it is one well-formed message, with the id of the same type or none.
void answerable(const Message& message) {
  const Json error = Json::parse(jsonrpc::error(message.id, jsonrpc::kInvalidRequest, message.problem));
  require(error.at("error").at("message").is_string());
  require(error.contains("id") == !message.id.empty());
  if (!message.id.empty()) require(jsonrpc::id_text(error["id"]) == message.id);
}

}  // namespace

void jsonrpc(std::string_view bytes) {
  const auto parsed = jsonrpc::parse(bytes);
  if (!parsed.ok) {
    require(!parsed.problem.empty() && parsed.messages.empty());
    return;
  }
  require(parsed.batch || parsed.messages.size() == 1);
  for (const Message& message : parsed.messages) {
    require(message.id.size() <= jsonrpc::kMaxIdBytes);
    require((message.kind == Message::Kind::invalid) == !message.problem.empty());
    if (message.kind == Message::Kind::request) {
      require(!message.id.empty());
      // Read again, its own text is the same message.
      const auto again = jsonrpc::parse(jsonrpc::request(message.id, message.method, message.params));
      require(again.ok && again.messages.size() == 1);
      require(again.messages[0].id == message.id && again.messages[0].method == message.method);
      require(again.messages[0].params == message.params);
      if (has_modern_claim(message) && check_envelope(message).empty()) modern_caller(message, "fuzz");
    }
    answerable(message);
    require(jsonrpc::shown(message.method).size() <= 4 * 100);
  }
}

}  // namespace bridle::fuzz
