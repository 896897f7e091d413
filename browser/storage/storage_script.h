#pragma once

#include <string>

#include "base/text/json.h"

namespace bridle {

// Documents for HiddenPages, whose scripts know @playwright/mcp's format of what an origin stores. Each tells a JSON
// text: {origin, localStorage, indexedDB, lossy} or {origin, error}. `with_workers`: also {workers}, how many service
// workers the origin has, which can store something without a document.
std::string collecting_html(bool with_workers = false);
// `stored`: {localStorage, indexedDB} of an origin whose storage is empty. Tells {origin} or {origin, error}.
std::string restoring_html(const Json& stored);

}  // namespace bridle
