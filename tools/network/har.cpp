#include "tools/network/har.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "tools/contract/schema.h"
#include "tools/network/har_file.h"
#include "tools/network/network_scope.h"

namespace bridle {
namespace {

constexpr const char* kHarName = "network.har";

void stop_recording(ToolContext& ctx, BrowserScope& scope, const Arguments& args, Response& response) {
  const auto recorder = scope.routes()->recorder();
  if (!recorder) throw ToolError("browser_har: nothing is being recorded; action start begins.");
  const auto recording = recorder->recording(ctx.call);
  auto name = args.has("filename") ? args.text("filename") : std::string(kHarName);
  if (!name.ends_with(".har")) name += ".har";
  // The recording goes on until its file is there: a cancelled call has neither ended it nor left anything.
  const auto saved = scope.files()->write(ctx.call, name, har_file(ctx.call, recording));
  scope.routes()->record(nullptr);
  const auto bodies = std::count_if(recording.requests.begin(), recording.requests.end(),
                                    [](const auto& request) { return !request.body.empty(); });
  auto words = fmt::format("HAR of {} request{}, {} with its body.", recording.requests.size(),
                           recording.requests.size() == 1 ? "" : "s", bodies);
  if (recording.left_out > 0)
    words += fmt::format(" {} more were left out: a recording has no more.", recording.left_out);
  response.result(words + "\n" + saved_words(saved));
  response.structured = {{"path", saved.path.string()}, {"requests", recording.requests.size()}, {"bodies", bodies}};
}

ToolResult har_tool(ToolContext& ctx, const Json& values) {
  const Arguments args(values);
  return in_network_scope(ctx, args, [&](BrowserScope& scope, Response& response) {
    if (args.text("action") == "stop") {
      if (args.has("bodies")) throw ToolError("browser_har: bodies is for action start.");
      return stop_recording(ctx, scope, args, response);
    }
    if (args.has("filename")) throw ToolError("browser_har: filename is for action stop, which writes the file.");
    if (scope.routes()->recorder()) throw ToolError("browser_har: a recording is under way; action stop saves it.");
    const bool bodies = !args.has("bodies") || args.flag("bodies");
    scope.routes()->record(std::make_shared<HarRecorder>(bodies));
    response.result(fmt::format("Recording what the tabs of this session request{}; action stop saves it.",
                                bodies ? "" : ", without bodies"));
  });
}

}  // namespace

std::vector<ToolSpec> har_tools(const BrowserSettings&) {
  return {{.name = "browser_har",
           .set = "network",
           .title = "HAR",
           .description = "Record the tabs' requests into a HAR file.",
           .input_schema = schema::object({{"action", schema::choice({"start", "stop"}), true},
                                           schema::filename(),
                                           {"bodies", schema::boolean("Default true")},
                                           schema::tab()}),
           .handler = har_tool}};
}

}  // namespace bridle
