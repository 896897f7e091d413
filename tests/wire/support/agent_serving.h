#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/site/site_server.h"
#include "tests/support/eventually.h"
#include "tests/support/model_script.h"
#include "tests/wire/support/bridle_process.h"
#include "tests/wire/support/mcp_client.h"

// What the tests of runs share.
namespace bridle::wire {

using bridle::testing::calls_tool;
using bridle::testing::eventually;
using bridle::testing::ModelScript;
using bridle::testing::ModelTurn;
using bridle::testing::says_done;
using Fault = ModelTurn::Fault;

inline constexpr Millis kRunPatience{30'000};

// The result of a call, once its stream has ended; null: it had none.
inline Json result_of(Exchange& exchange) {
  Json result;
  while (auto message = exchange.next_message(kRunPatience)) {
    if (message->contains("result")) result = message->at("result");
  }
  return result;
}
// What the n-th action of a run's step was told, of a call's result.
inline std::string action_result(const Json& result, std::size_t step, std::size_t action = 0) {
  return result.at("structuredContent").at("history").at(step).at("actions").at(action).at("result");
}

// The options of a bridle whose runs ask a model at `url`.
inline std::vector<std::string> with_model(const TempDir& tmp, const std::string& url,
                                           std::vector<std::string> arguments) {
  const bool logs = std::find(arguments.begin(), arguments.end(), "--log-level") != arguments.end();
  for (const auto& more : std::vector<std::string>{"--model-url", url, "--model", "scripted", "--output-dir",
                                                   tmp.path() + "/out", "--log-level", "warn"}) {
    if (logs && more == "--log-level") break;
    arguments.push_back(more);
  }
  return arguments;
}

// A bridle that serves the set agent, with a client of it.
struct AgentServing {
  AgentServing(const TempDir& tmp, const site::SiteServer& site, std::vector<std::string> more = {},
               const Json& capabilities = Json::object(), Revision revision = kLatestLegacy)
      : bridle(tmp, with_model(tmp, site.url("/v1"), with_agent(std::move(more)))),
        port(bridle.port()),
        client(port, revision) {
    if (revision == kModern) {
      client.capabilities = capabilities;
    } else {
      client.open(capabilities);
    }
  }
  static std::vector<std::string> with_agent(std::vector<std::string> arguments) {
    for (const char* one : {"--port", "0", "--caps", "agent"}) arguments.emplace_back(one);
    return arguments;
  }
  Json status() { return Json::parse(client.http("GET", "/status", "", {}).reply.body); }
  // The tools of the calls under way.
  std::vector<std::string> running() {
    const Json now = status();
    std::vector<std::string> tools;
    for (const Json& row : now.at("requests")) tools.push_back(row.at("tool"));
    return tools;
  }
  bool runs(const std::string& tool) {
    const auto tools = running();
    return std::count(tools.begin(), tools.end(), tool) > 0;
  }
  long long counter(const std::string& name) { return status().at("counters").at(name).get<long long>(); }
  // A run to its end: the call's result.
  Json run(const Json& id, const Json& arguments) {
    return result_of(*client.start(client.call_request(id, "browser_agent", arguments)));
  }

  BridleProcess bridle;
  int port;
  McpClient client;
};

// The histories below an output folder, each as its lines.
inline std::vector<std::vector<Json>> run_histories(const TempDir& tmp) {
  std::vector<std::vector<Json>> all;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(tmp.path() + "/out/runs", none)) {
    std::ifstream file(entry.path());
    std::vector<Json> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(Json::parse(line));
    all.push_back(std::move(lines));
  }
  return all;
}

}  // namespace bridle::wire
