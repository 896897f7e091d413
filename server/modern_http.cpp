#include "server/modern_http.h"

namespace bridle {

std::optional<HttpReply> ModernHttp::take(const HttpRequest&, const jsonrpc::Parsed&, Accepts) { return std::nullopt; }

}  // namespace bridle
