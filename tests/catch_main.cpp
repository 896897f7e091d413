// The main() of the test programs. Catch2's version 3 brings its own, and knows nothing of the macro.
#define CATCH_CONFIG_MAIN
#include "base/fd.h"
#include "tests/support/catch.h"

namespace {

// As the program does: some tests open thousands of connections, and have both ends of each.
[[maybe_unused]] const bool kRaised = (bridle::raise_file_limit(), true);

}  // namespace
