#include <spdlog/fmt/fmt.h>

#include "bench/lab.h"

// What a request costs that a route answers, beside Fetch.fulfillRequest alone.
namespace bridle::bench {
namespace {

constexpr int kFetches = 50;
constexpr const char* kBody = R"({"price":3})";

// In the page's own clock, ms for each of some fetches, one after the other.
std::string fetch_all() {
  return fmt::format(
      "(async () => {{ const begin = performance.now(); for (let i = 0; i < {0}; i++) "
      "await fetch('/api/mocked?' + i).then((answer) => answer.text()); "
      "return (performance.now() - begin) / {0} }})()",
      kFetches);
}

}  // namespace

void measure_routes(Lab& lab) {
  const std::string name = "mocked request, in the page";
  lab.section({name}, [&] {
    BareBrowser bare;
    BridleProcess process(lab.settings().bridle, {"--caps", "network"});
    McpClient client(process.port());
    const auto url = lab.site().url("/plain");
    bare.navigate(url);
    bare.answer_requests("*/api/mocked*", kBody);
    client.call("browser_navigate", {{"url", url}});
    client.call("browser_route", {{"pattern", "**/api/mocked*"}, {"body", kBody}});
    const Json script{{"function", "() => " + fetch_all()}};
    lab.compare(
        {.name = name, .goal = Goal::ratio_at_most(1.3)}, lab.rounds(40),
        [&] { return bare.await_number(fetch_all()); },
        [&] {
          return client.call("browser_evaluate", script).result.at("structuredContent").at("value").get<double>();
        });
  });
}

}  // namespace bridle::bench
