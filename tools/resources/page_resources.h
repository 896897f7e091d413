#pragma once

#include "tools/contract/catalogue.h"

namespace bridle {

// What a client may read of the caller's tabs and calls, as resources, and prompts for common work. Each page resource
// is what a tool of `toolbox` shows [why.resources-through-tools]; a resource whose tool isn't there is left out.
// `toolbox` outlives the catalogue's use.
void add_page_resources(Catalogue& catalogue, const Toolbox& toolbox);
void add_page_prompts(Catalogue& catalogue);

}  // namespace bridle
