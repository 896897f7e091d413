// The main() of the test programs. Catch2's version 3 brings its own, and knows nothing of the macro.
#define CATCH_CONFIG_MAIN
#include "tests/support/catch.h"
