#include "config/agent_options.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "base/fd.h"
#include "base/text/text.h"
#include "config/option_table.h"
#include "config/option_values.h"

namespace bridle {
namespace {

using Values = std::vector<std::string>;
using Kind = OptionRow::Kind;

template <std::string AgentOptions::*member>
void text(Options& options, const Values& values) {
  options.agent.*member = option_text(values);
}
template <Millis AgentOptions::*member>
void millis(Options& options, const Values& values) {
  options.agent.*member = option_millis(values);
}

void set_url(Options& options, const Values& values) {
  const auto& url = values.back();
  if (!url.starts_with("http://") && !url.starts_with("https://"))
    throw std::invalid_argument("\"" + url + "\" is not the base of an API, such as http://127.0.0.1:11434/v1");
  options.agent.model_url = url;
}

void set_api(Options& options, const Values& values) {
  if (values.back() != "openai" && values.back() != "anthropic")
    throw std::invalid_argument("\"" + values.back() + "\" is not one of openai, anthropic");
  options.agent.model_api = values.back();
}

}  // namespace

const std::vector<OptionRow>& agent_option_rows() {
  static const std::vector<OptionRow> kRows = {
      {"model-url", Kind::value, "base of the API of the model that works on tasks, such as http://127.0.0.1:11434/v1",
       set_url},
      {"model", Kind::value, "name of that model", text<&AgentOptions::model>},
      {"model-api", Kind::value, "what the API speaks: openai (default) or anthropic", set_api},
      {"model-key-file", Kind::value,
       "file with the API's key, readable by you alone; or the variable BRIDLE_MODEL_KEY holds it",
       text<&AgentOptions::model_key_file>},
      {"model-pictures", Kind::flag, "the model takes pictures: it may take screenshots",
       [](Options& o, const Values& v) { o.agent.model_pictures = option_flag(v.back()); }},
      {"model-connect-timeout", Kind::value, "ms to reach the API (default 10000)",
       millis<&AgentOptions::model_connect_timeout>},
      {"model-first-byte-timeout", Kind::value, "ms until the model begins its answer (default 60000)",
       millis<&AgentOptions::model_first_byte_timeout>},
      {"model-idle-timeout", Kind::value, "ms that its answer may pause (default 30000)",
       millis<&AgentOptions::model_idle_timeout>},
      {"max-run-time", Kind::value, "ms that a run may take (default 900000)", millis<&AgentOptions::max_run_time>},
      {"max-run-tokens", Kind::value, "tokens that a run may use (default: as many as it takes)",
       [](Options& o, const Values& v) { o.agent.max_run_tokens = option_number(v.back(), 0, 1'000'000'000'000); }},
  };
  return kRows;
}

std::string read_model_key(const AgentOptions& options, const char* from_environment) {
  if (from_environment != nullptr && *from_environment != '\0') return from_environment;
  if (options.model_key_file.empty()) return {};
  const auto refuse = [&](const std::string& why) -> std::string {
    throw std::runtime_error("--model-key-file: " + options.model_key_file + " " + why);
  };
  const Fd file(::open(options.model_key_file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat state {};
  if (!file || ::fstat(file.get(), &state) != 0) return refuse("can't be read");
  if ((state.st_mode & (S_IRWXG | S_IRWXO)) != 0) return refuse("is open to others; close it with chmod 600");
  std::array<char, 4096> bytes;
  const auto size = ::read(file.get(), bytes.data(), bytes.size());
  const std::string_view all(bytes.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
  const std::string key(trimmed(all.substr(0, all.find('\n')), " \t\r"));
  if (key.empty()) return refuse("holds no key in its first line");
  for (const char c : key) {
    if (c <= ' ' || c > '~') return refuse("has a key with a character that no header can carry");
  }
  return key;
}

std::string problem_of(const AgentOptions& options) {
  if (!options.model_url.empty() && options.model.empty()) return "--model-url needs --model, the model's name";
  if (options.model_url.empty() && !options.model.empty())
    return "--model needs --model-url, the base of its API, such as http://127.0.0.1:11434/v1";
  return {};
}

}  // namespace bridle
