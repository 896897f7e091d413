#include "tools/devtools/inspected_node.h"

#include <spdlog/fmt/fmt.h>

#include "browser/page/target.h"

namespace bridle {

InspectedNode inspect_target(PageCall& call, const std::string& target) {
  auto& tab = call.tab();
  InspectedNode node;
  node.frame = locate_target(call.ctx(), tab, call.scope().refs(), target).id;
  node.about = element_call(call.ctx(), tab, node.frame, page::Lineage{.target = target});
  const auto object = page_element(call.ctx(), tab, node.frame, target);
  const Json described = tab.call(call.ctx(), "DOM.describeNode", {{"objectId", object}}, limits::kCdpCommand,
                                  tab.frame_session(node.frame));
  release_object(tab, node.frame, object);
  node.backend_id = described.at("node").at("backendNodeId");
  node.session = std::make_unique<SideSession>(call.ctx(), tab, node.frame);
  if (node.about.count > 1)
    call.response.result(fmt::format("target matched {} elements; the first visible one is taken", node.about.count));
  return node;
}

}  // namespace bridle
