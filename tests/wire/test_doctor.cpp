// `bridle doctor` as it is called.
#include "tests/support/catch.h"
#include "tests/wire/support/bridle_process.h"

using namespace bridle;
using namespace bridle::wire;
using matchers::Contains;

TEST_CASE("doctor: prints each finding with its remedy, starts nothing, and its exit code tells of what is serious",
          "[doctor] [tool.doctor] [tool.cli]") {
  const TempDir tmp;
  const auto output = tmp.path() + "/out";
  BridleProcess faulty(tmp, {"doctor", "--no-sandbox", "--output-dir", output, "--token-file", "/no/such/token"});
  const auto report = faulty.all_output();
  INFO(report << faulty.errors());
  CHECK(faulty.wait(Millis(20'000)) == 1);
  CHECK_THAT(report, Contains("What protects this installation") && Contains("SERIOUS  sandbox") &&
                         Contains("-> Leave --no-sandbox out.") && Contains("SERIOUS  token") && Contains(output) &&
                         Contains("chromium"));
  CHECK(tmp.profiles() == 0);
  CHECK_FALSE(std::filesystem::exists(output));

  // In a browser of somebody else's there is no sandbox of ours to miss.
  BridleProcess fine(tmp, {"doctor", "--cdp-endpoint", "http://127.0.0.1:1", "--output-dir", output});
  const auto good = fine.all_output();
  INFO(good);
  CHECK_THAT(good, Contains("note     sandbox"));
  // Whatever else this machine's folders are.
  CHECK(fine.wait(Millis(20'000)) == (good.find("SERIOUS") == std::string::npos ? 0 : 1));
}
