#pragma once

#include <string>
#include <string_view>

#include "server/http/messages/message.h"

// What a request says of its body, and of the answers that it takes. Pure functions.
namespace bridle {

// What the client takes in answer [wire.accept]. Without the header, and by */*, both.
struct Accepts {
  bool json = false;
  bool sse = false;
};
Accepts parse_accept(const HttpRequest& request);
// Accept names text/event-stream itself, as every MCP client does that wants a stream. A page that is merely shown the
// URL (an image, a link, a fetch) doesn't [wire.sse].
bool asks_for_events(const HttpRequest& request);

// Content-Type is application/json, with any parameters.
bool has_json_body(const HttpRequest& request);
// Whether the body is compressed, which nobody asked for [wire.http.bounds].
bool has_encoded_body(const HttpRequest& request);

}  // namespace bridle
