#pragma once

#include <string_view>

namespace bridle::agent {

// What a run's model is told of its work: server/agent/prompt.md, embedded by the build.
std::string_view agent_prompt();

}  // namespace bridle::agent
