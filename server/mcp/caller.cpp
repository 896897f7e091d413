#include "server/mcp/caller.h"

namespace bridle {

bool knows_tasks(const Caller& caller) {
  if (!is_modern(caller.revision)) return false;
  const auto extensions = caller.capabilities.find("extensions");
  return extensions != caller.capabilities.end() && extensions->is_object() && extensions->contains(kTasksExtension);
}

bool can_show_forms(const Caller& caller) {
  if (!has_elicitation(caller.revision)) return false;
  const auto found = caller.capabilities.find("elicitation");
  if (found == caller.capabilities.end() || !found->is_object()) return false;
  return found->contains("form") || !found->contains("url");
}

}  // namespace bridle
