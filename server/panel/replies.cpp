#include "server/panel/replies.h"

#include "base/text/text.h"
#include "server/http/messages/negotiation.h"
#include "server/mcp/jsonrpc.h"

namespace bridle::panel {
namespace {

constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

constexpr std::string_view kLocked = R"(<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>bridle</title></head>
<body>
<h1>bridle's control panel</h1>
<p>This browser was not let in yet, or the server has started anew since. Run</p>
<pre>bridle panel</pre>
<p>as the user who runs bridle: it opens the panel, and prints a link that lets one browser in. The link is good once, for
five minutes.</p>
</body>
</html>
)";

bool wants_page(const HttpRequest& request) {
  const auto* accept = request.header("Accept");
  return request.method == "GET" && accept != nullptr && accept->find("text/html") != std::string::npos;
}

}  // namespace

void add_headers(HttpReply& reply) {
  reply.headers.emplace_back("Content-Security-Policy", kPolicy);
  reply.headers.emplace_back("Referrer-Policy", "no-referrer");
  reply.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  for (const auto& [name, value] : reply.headers) {
    if (equals_ignoring_case(name, "Cache-Control")) return;
  }
  reply.headers.emplace_back("Cache-Control", "no-store");
}

HttpReply refusal(int status, std::string_view words) { return HttpReply::json(status, dump({{"error", words}})); }

HttpReply ok(Json more) {
  more["ok"] = true;
  return HttpReply::json(200, dump(more));
}

HttpReply locked(const HttpRequest& request) {
  if (!wants_page(request)) return refusal(401, "This browser was not let in: run `bridle panel` again");
  HttpReply reply = HttpReply::text(401, std::string(kLocked));
  reply.headers = {{"Content-Type", "text/html; charset=utf-8"}};
  return reply;
}

Json body_of(const HttpRequest& request, std::optional<HttpReply>& refused) {
  if (!has_json_body(request)) {
    refused = refusal(415, "Content-Type must be application/json");
    return {};
  }
  std::string problem;
  Json body = jsonrpc::parse_bounded(request.body, problem);
  if (!body.is_object()) refused = refusal(400, "The body must be a JSON object");
  return body;
}

bool is_same_origin(const HttpRequest& request) {
  const auto origins = request.header_values("Origin");
  const std::string* host = request.header("Host");
  if (origins.size() != 1 || host == nullptr) return false;
  return equals_ignoring_case(origins.front(), "http://" + *host) ||
         equals_ignoring_case(origins.front(), "https://" + *host);
}

}  // namespace bridle::panel
