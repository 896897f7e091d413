#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "server/agent/model_api.h"
#include "server/agent/run.h"
#include "tools/contract/catalogue.h"
#include "tools/contract/tool.h"

namespace bridle::agent {

struct AgentSettings {
  enum class Api { openai, anthropic };
  Api api = Api::openai;
  ModelEndpoint model{};                // its url "": the calling client's own model is asked
  RunLimits limits{};                   // a call may ask for fewer steps, or more
  std::vector<std::string> secrets{};   // what the model is told of each that may be typed, never its value
  std::filesystem::path runs_folder{};  // where histories are kept
};

// Adds browser_agent (set `agent`), and the histories of runs as resources [agent.tool]. `settings` outlives their use.
void add_agent(Toolbox& toolbox, Catalogue& catalogue, const AgentSettings& settings);

}  // namespace bridle::agent
