#pragma once

#include "tools/contract/tool.h"

namespace bridle {

// `--test-tools`: test_sleep and test_ignore_abort, so that misbehaviour can be tested from outside [tool.testing]
// [cancel.test-tools]. `take_tab`: what test_ignore_abort does first, as a page tool does (acquires the caller's tab
// for as long as the returned handle lives); may be empty.
using TakeTab = std::function<std::shared_ptr<void>(ToolContext&)>;
void add_test_tools(Toolbox& toolbox, TakeTab take_tab = {});

}  // namespace bridle
