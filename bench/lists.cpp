#include <spdlog/fmt/fmt.h>

#include "bench/lab.h"

// What --allowed-origins and --blocked-origins cost: bridle with a list over bridle without one, in turns.
namespace bridle::bench {
namespace {

constexpr int kFetches = 200;

// A server with a browser of its own and one client.
struct Server {
  explicit Server(const std::string& path, const std::vector<std::string>& options)
      : process(path, options), client(process.port()) {}
  BridleProcess process;
  McpClient client;
};

double navigate(Server& server, const std::string& url) {
  return server.client.call("browser_navigate", {{"url", url}}).ms;
}

// In the page's own clock, from the first fetch to the last byte of the last one.
double fetch_all(Server& server) {
  const auto script = fmt::format(
      "async () => {{ const begin = performance.now(); await Promise.all(Array.from({{length: {}}}, (_, i) => "
      "fetch('/api/json?' + i, {{cache: 'no-store'}}).then((answer) => answer.text()))); "
      "return performance.now() - begin }}",
      kFetches);
  const auto answer = server.client.call("browser_evaluate", {{"function", script}});
  return answer.result.at("structuredContent").at("value").get<double>();
}

void measure_list(Lab& lab, const std::string& kind, const std::vector<std::string>& options) {
  const auto load = fmt::format("navigate, {} over none", kind);
  const auto fetches = fmt::format("{} fetches at once, {} over none", kFetches, kind);
  lab.section({load, fetches}, [&] {
    Server without(lab.settings().bridle, {});
    Server with(lab.settings().bridle, options);
    const auto url = lab.site().url("/plain");
    lab.compare(
        {.name = load, .goal = Goal::ratio_at_most(1.05)}, lab.rounds(60), [&] { return navigate(without, url); },
        [&] { return navigate(with, url); });
    lab.compare(
        {.name = fetches, .goal = Goal::ratio_at_most(1.15)}, lab.rounds(40), [&] { return fetch_all(without); },
        [&] { return fetch_all(with); });
  });
}

}  // namespace

void measure_lists(Lab& lab) {
  measure_list(lab, "an allowed list", {"--allowed-origins", lab.site().origin()});
  measure_list(lab, "a blocked list", {"--blocked-origins", "http://blocked.example"});
}

}  // namespace bridle::bench
