#include "tools/sets/config.h"

#include "tools/contract/response.h"
#include "tools/contract/schema.h"
#include "tools/scope/browser_scope.h"

namespace bridle {

std::vector<ToolSpec> config_tools(const BrowserSettings& settings) {
  return {{.name = "browser_get_config",
           .set = "config",
           .title = "Settings",
           .description = "The settings in force, under the keys of configuration files.",
           .input_schema = schema::object({}),
           .read_only = true,
           .idempotent = true,
           .handler = [&settings](ToolContext&, const Json&) {
             Response response;
             response.value(settings.config);
             return response.build(settings.max_output);
           }}};
}

}  // namespace bridle
