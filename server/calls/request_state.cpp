#include "server/calls/request_state.h"

#include "base/text/codecs.h"
#include "base/text/digest.h"
#include "base/text/random.h"
#include "server/mcp/jsonrpc.h"

namespace bridle {
namespace {

std::string digest(const Json& arguments) { return base64url(sha256(dump(arguments))); }

long long now_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

RequestStateSealer::RequestStateSealer() : key_(random_bytes(32)) {}

std::string RequestStateSealer::signature(const std::string& payload) const {
  return base64url(hmac_sha256(key_, payload));
}

std::string RequestStateSealer::seal(std::string_view tool, const Json& arguments, const Json& answers,
                                     const Json& asked) const {
  const Json claims = {{"tool", tool},
                       {"arguments", digest(arguments)},
                       {"until", now_seconds() + std::chrono::seconds(kLifetime).count()},
                       {"answers", answers},
                       {"asked", asked}};
  const std::string payload = base64url(dump(claims));
  return payload + "." + signature(payload);
}

std::optional<RequestStateSealer::State> RequestStateSealer::open(std::string_view text, std::string_view tool,
                                                                  const Json& arguments) const {
  const auto dot = text.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string payload(text.substr(0, dot));
  if (!equal_constant_time(signature(payload), text.substr(dot + 1))) return std::nullopt;
  // Signed, so well-formed.
  const Json claims = Json::parse(from_base64url(payload).value_or(""), nullptr, false);
  if (!claims.is_object() || claims["tool"] != tool || claims["arguments"] != digest(arguments)) return std::nullopt;
  if (claims["until"].get<long long>() < now_seconds()) return std::nullopt;
  return State{.answers = claims["answers"], .asked = claims["asked"]};
}

}  // namespace bridle
