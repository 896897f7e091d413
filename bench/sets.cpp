#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <fstream>

#include "base/temp_folder.h"
#include "bench/lab.h"

// What the sets pdf and storage take, and that sets which are listed and unused cost nothing.
namespace bridle::bench {
namespace {

constexpr int kOrigins = 100;
constexpr int kItems = 10;  // of each origin's localStorage

// `name`: the format of an origin by its number.
std::string origin(const char* name, int number) { return fmt::format(fmt::runtime(name), 20000 + number); }

// A file that a session begins with.
void write_state(const std::filesystem::path& path, const char* origin_name) {
  Json state{{"cookies", Json::array()}, {"origins", Json::array()}};
  for (int number = 0; number < kOrigins; ++number) {
    Json items = Json::array();
    for (int item = 0; item < kItems; ++item)
      items.push_back({{"name", fmt::format("name {}", item)}, {"value", std::string(50, 'x')}});
    state["origins"].push_back({{"origin", origin(origin_name, number)}, {"localStorage", items}});
  }
  std::ofstream(path) << state.dump();
}

// `opened`: whether a tab has shown each of them, so that what is stored there has to be read.
void measure_state(Lab& lab, const std::string& name, const char* origin_name, bool opened, Goal goal) {
  lab.section({name}, [&] {
    const TempFolder folder("bridle-bench-");
    const auto file = std::filesystem::path(folder.path()) / "state.json";
    write_state(file, origin_name);
    BridleProcess process(lab.settings().bridle, {"--caps", "network,storage", "--storage-state", file.string(),
                                                  "--output-dir", folder.path()});
    McpClient client(process.port());
    if (opened) {
      client.call("browser_route", {{"pattern", "**"}, {"body", "<!doctype html>"}, {"contentType", "text/html"}});
    } else {
      client.call("browser_navigate", {{"url", lab.site().url("/plain")}});
    }
    const auto open_all = [&] {
      for (int number = 0; number < kOrigins; ++number)
        client.call("browser_navigate", {{"url", origin(origin_name, number) + "/"}});
    };
    BareBrowser bare;
    bare.answer_requests("*", "<!doctype html>");
    const auto visit_all = [&] {
      double ms = 0;
      for (int number = 0; number < kOrigins; ++number)
        ms += bare.navigate(origin(origin_name, number) + "/") + bare.evaluate("JSON.stringify(localStorage)");
      return ms;
    };
    lab.compare({.name = name, .goal = goal}, lab.rounds(10), visit_all, [&] {
      if (opened) open_all();
      const auto saved = client.call("browser_storage_state", {{"action", "save"}});
      const auto path = saved.result.at("structuredContent").at("path").get<std::string>();
      const auto state = Json::parse(std::ifstream(path));
      if (state.at("origins").size() != kOrigins) throw std::runtime_error("not all origins were saved");
      return saved.ms;
    });
  });
}

void measure_pdf(Lab& lab) {
  const std::string name = "PDF of a page of 2000 elements";
  lab.section({name}, [&] {
    const TempFolder folder("bridle-bench-");
    BareBrowser bare;
    BridleProcess process(lab.settings().bridle, {"--caps", "pdf", "--output-dir", folder.path()});
    McpClient client(process.port());
    const auto url = lab.site().url("/elements?n=2000");
    bare.navigate(url);
    client.call("browser_navigate", {{"url", url}});
    lab.compare(
        {.name = name, .goal = Goal::ratio_at_most(1.1)}, lab.rounds(40), [&] { return bare.print(); },
        [&] { return client.call("browser_pdf_save").ms; });
  });
}

// The bare side is bridle itself, with the core alone.
void measure_unused(Lab& lab) {
  const std::string load = "navigate, all sets listed over none";
  const std::string script = "evaluate 1+1, all sets listed over none";
  lab.section({load, script}, [&] {
    BridleProcess plain(lab.settings().bridle, {"--lazy-caps", "none"});
    BridleProcess full(lab.settings().bridle, {"--caps", "devtools,emulation,network,pdf,storage,testing,vision"});
    McpClient without(plain.port());
    McpClient with(full.port());
    const Json page{{"url", lab.site().url("/plain")}};
    const Json sum{{"function", "() => 1+1"}};
    lab.compare(
        {.name = load, .goal = Goal::ratio_at_most(1.05)}, lab.rounds(60),
        [&] { return without.call("browser_navigate", page).ms; },
        [&] { return with.call("browser_navigate", page).ms; });
    without.call("browser_navigate", page);
    with.call("browser_navigate", page);
    lab.compare(
        {.name = script, .goal = Goal::ratio_at_most(1.05)}, lab.rounds(200),
        [&] { return without.call("browser_evaluate", sum).ms; },
        [&] { return with.call("browser_evaluate", sum).ms; });
  });
}

}  // namespace

void measure_sets(Lab& lab) {
  measure_state(lab, "storage state of 100 origins, given and saved", "http://site-{}.example", false,
                Goal::at_most(500));
  measure_state(lab, "storage state of 100 origins of a host, opened and saved", "http://one.example:{}", true,
                Goal::at_most(500));
  // Each site has a process of its own, which takes what it takes to start.
  measure_state(lab, "storage state of 100 sites, opened and saved", "http://site-{}.example", true,
                Goal::at_most(500));
  measure_pdf(lab);
  measure_unused(lab);
}

}  // namespace bridle::bench
