#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/mcp/revision.h"

namespace bridle::wire {

// Holds a message that the server sent against its revision's published schema (tests/schemas). `method` is the method
// of the request that a response answers. "" when it conforms, else the path and what is wrong there.
std::string check_message(Revision revision, const std::string& method, const nlohmann::json& message);

}  // namespace bridle::wire
