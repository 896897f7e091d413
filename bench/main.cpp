#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "base/text/log.h"
#include "bench/lab.h"

// Measures bridle beside bare CDP in one run and prints a table. Not a test: it ends with 0 unless something couldn't
// be measured.
int main(int argc, char** argv) {
  using namespace bridle::bench;
  Settings settings;
  CLI::App app{"The same actions through bridle and on bare CDP, in the same kind of browser, in turns."};
  app.add_option("--bridle", settings.bridle, "the server's executable")
      ->check(CLI::ExistingFile)
      ->capture_default_str();
  app.add_flag("--quick", settings.quick, "few rounds: does it work, and roughly how fast");
  app.add_option("--only", settings.only, "only rows whose name holds this");
  app.add_option("--json", settings.json, "write figures and samples to this file");
  CLI11_PARSE(app, argc, argv);

  watch_signals();
  bridle::init_log("warn");
  Report report;
  try {
    Lab lab(settings, report);
    report.print_head();
    measure_starts(lab);
    measure_actions(lab);
    measure_lists(lab);
    measure_routes(lab);
    measure_snapshots(lab);
    measure_cancels(lab);
    measure_runs(lab);
    measure_devtools(lab);
    measure_sets(lab);
    measure_panel(lab);
    measure_resources(lab);
    report.print_summary();
    if (!settings.json.empty()) report.write_json(settings.json);
  } catch (const Interrupted&) {
    std::fputs("bridle-bench: interrupted\n", stderr);
    return 130;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bridle-bench: %s\n", error.what());
    return 1;
  }
  return report.complete() ? 0 : 1;
}
