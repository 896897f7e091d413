#pragma once

#include <string_view>

namespace bridle {

// The source of an arrow function that gives the part of the script kit which watches what an action's page sends to
// its workers, so that their answers can be in the action's answer [nav.workers]. It is run in a page before the page's
// own scripts, and uses nothing of the page's built-ins later than that. `postsOf(page, replace)` gives { putIn,
// putBack, begin, end, isUsed, answered, heard, giveUp }; `replace(owner, name, trap)` puts a proxy in a function's
// place and gives what takes it away again.
std::string_view worker_posts_source();

}  // namespace bridle
