#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/text/json.h"
#include "server/http/messages/message.h"

// Answers of the panel. Pure functions.
namespace bridle::panel {

// Adds the headers that all answers of the panel have [panel.entry.headers].
void add_headers(HttpReply& reply);
// {"error": words}
HttpReply refusal(int status, std::string_view words);
HttpReply ok(Json more = Json::object());
// For a browser that may not see the panel: how it gets to.
HttpReply locked(const HttpRequest& request);

// The object that a request of the page's own brings; else a refusal in `refused`.
Json body_of(const HttpRequest& request, std::optional<HttpReply>& refused);
// Whether a request with effects comes from the panel's own page.
bool is_same_origin(const HttpRequest& request);

}  // namespace bridle::panel
