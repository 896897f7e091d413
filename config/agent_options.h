#pragma once

#include <string>
#include <vector>

#include "base/concurrency/deadline.h"

namespace bridle {

// What can be said of runs (`bridle do`, browser_agent) and of the model that works on them [agent.options]. A value
// type, part of Options.
struct AgentOptions {
  // Of the commands.
  std::string task{};
  int max_steps = 0;         // 0: the default
  bool json = false;         // print one object at the end, and nothing else
  std::string server_url{};  // of a running server; "": the run has a browser of its own
  std::string run_id{};      // of `bridle runs show`
  bool playwright = false;   // show it as a Playwright test

  std::string model_url{};  // the API's base; "": the client's own model
  std::string model{};
  std::string model_api = "openai";  // or anthropic
  std::string model_key_file{};
  bool model_pictures = false;  // the model takes pictures; those of Anthropic's API do
  Millis model_connect_timeout{10'000};
  Millis model_first_byte_timeout{60'000};
  Millis model_idle_timeout{30'000};
  Millis max_run_time{15 * 60 * 1000};
  long max_run_tokens = 0;  // 0: as many as it takes
};

struct OptionRow;
const std::vector<OptionRow>& agent_option_rows();

// The model's key: BRIDLE_MODEL_KEY (`from_environment`), else the first line of the file; "" without either. It never
// comes from the command line, which other users can see. Throws std::runtime_error with a sentence when the file can't
// be read, is empty, or is readable by others.
std::string read_model_key(const AgentOptions& options, const char* from_environment);

// What is wrong with the options together; "" if nothing is.
std::string problem_of(const AgentOptions& options);

}  // namespace bridle
