#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "server/mcp/revision.h"
#include "tools/contract/catalogue.h"
#include "tools/contract/tool.h"

// What differs in the shape of results between revisions stands here and nowhere else: fields of another era never
// appear [wire.fields]. Everything returned is JSON text; base64 data is spliced in, never re-encoded. Pure
// functions, any thread.
namespace bridle::serializer {

// A tool's entry in tools/list.
std::string tool(Revision revision, const ToolSpec& spec);
// The whole result of tools/list for that client: {tools: [...]}, one page. `scope` null: it has none yet.
std::string tool_list(Revision revision, const Toolbox& toolbox, const ToolScope* scope = nullptr);
// The result of tools/call.
std::string tool_result(Revision revision, const ToolResult& result);
// The Implementation that we present to initialize and server/discover: name, version, and what the revision knows
// beyond. There is no websiteUrl: the project has no address.
nlohmann::json server_info(Revision revision);
// The result of server/discover (2026-07-28); `members`, at least one, are its own.
std::string discovery(const nlohmann::json& members);
// What we serve: the tools, and what the catalogue holds.
nlohmann::json capabilities(Revision revision, const Catalogue& catalogue);
// Whole results: resources/list, resources/templates/list, resources/read, prompts/list, prompts/get,
// completion/complete (at most 100 values), and the handle of a task.
std::string resource_list(Revision revision, const std::vector<Resource>& resources);
std::string template_list(Revision revision, const std::vector<ResourceTemplate>& templates);
std::string resource_contents(Revision revision, const std::vector<Content>& contents);
std::string prompt_list(Revision revision, const std::vector<PromptSpec>& prompts);
std::string prompt_result(Revision revision, const PromptSpec& spec, const std::vector<PromptMessage>& messages);
std::string completion(Revision revision, std::vector<std::string> values);
std::string task_created(const nlohmann::json& task);
// The result of tasks/get: the state's members, and the result of a completed task (JSON text; empty: none).
std::string task_state(Revision revision, const nlohmann::json& state, std::string_view result);
// An empty result, `{}` or its modern form.
std::string empty_result(Revision revision);
// Any result's members as text, with the era's envelope around them: resultType and _meta.serverInfo in 2026-07-28,
// nothing before. `cacheable` adds ttlMs and cacheScope (2026-07-28).
std::string wrap_result(Revision revision, const nlohmann::json& members, bool cacheable);

}  // namespace bridle::serializer
