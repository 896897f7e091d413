// bridle-testing: bridle with two further flags [why.two-executables]. --conformance serves the fixtures of the
// official conformance suite in place of the browser's tools; --test-tools adds tools that misbehave, so that this can
// be tested from outside.
#include <algorithm>
#include <string_view>

#include "server/run_bridle.h"
#include "tests/testing_server/conformance.h"
#include "tests/testing_server/test_tools.h"

namespace {

// Whether `flag` is among the arguments; takes it out of them, as bridle doesn't know it.
bool take_flag(int& argc, char** argv, std::string_view flag) {
  char** const end = std::remove(argv + 1, argv + argc, flag);
  const bool found = end != argv + argc;
  argc = static_cast<int>(end - argv);
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  const bool conformance = take_flag(argc, argv, "--conformance");
  const bool test_tools = take_flag(argc, argv, "--test-tools");
  const auto add = [&](bridle::Toolbox& toolbox, bridle::Catalogue& catalogue, bridle::TakeTab take_tab) {
    if (conformance) {
      bridle::add_conformance_tools(toolbox, catalogue);
      bridle::add_conformance_catalogue(catalogue);
    }
    if (test_tools) bridle::add_test_tools(toolbox, std::move(take_tab));
  };
  return bridle::run_bridle(argc, argv, {.browser_tools = !conformance, .add = add});
}
