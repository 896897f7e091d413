#pragma once

#include <memory>
#include <string>

#include "browser/page/side_session.h"
#include "browser/page/world/world.h"
#include "tools/scope/page_call.h"

namespace bridle {

// The element that a target names, as DevTools knows it, in a session of its own that ends with this.
struct InspectedNode {
  std::unique_ptr<SideSession> session{};
  Json backend_id{};
  page::Lineage::Result about{};
  std::string frame{};
};
// Throws ToolError when there is none.
InspectedNode inspect_target(PageCall& call, const std::string& target);

}  // namespace bridle
