#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "server/revision.h"
#include "tools/tool.h"

// What differs in the shape of results between revisions stands here and nowhere else: fields of another era never
// appear (spec/protocol, 6.3). Everything returned is JSON text; base64 data is spliced in, never re-encoded. Pure
// functions, any thread.
namespace bridle::serializer {

// A tool's entry in tools/list.
std::string tool(Revision revision, const ToolSpec& spec);
// The whole result of tools/list: {tools: [...]}, one page.
std::string tool_list(Revision revision, const Toolbox& toolbox);
// The result of tools/call.
std::string tool_result(Revision revision, const ToolResult& result);
// The Implementation that we present: name, version, and what the revision knows beyond.
nlohmann::json server_info(Revision revision);
// What we serve. `resources`, `prompts`: whether there are any.
nlohmann::json capabilities(Revision revision, bool resources, bool prompts);
// An empty result, `{}` or its modern form.
std::string empty_result(Revision revision);
// Any result's members as text, with the era's envelope around them: resultType and _meta.serverInfo in 2026-07-28,
// nothing before. `cacheable` adds ttlMs and cacheScope (2026-07-28).
std::string wrap_result(Revision revision, const nlohmann::json& members, bool cacheable);

}  // namespace bridle::serializer
