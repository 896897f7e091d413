#pragma once

#include "server/run_bridle.h"

namespace bridle {

// `--test-tools`: test_sleep and test_ignore_abort, so that misbehaviour can be tested from outside [tool.testing]
// [cancel.test-tools]. `take_tab`: what test_ignore_abort does first; may be empty.
void add_test_tools(Toolbox& toolbox, TakeTab take_tab = {});

}  // namespace bridle
