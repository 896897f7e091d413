#pragma once

#include <string>
#include <vector>

#include "base/concurrency/abort.h"
#include "server/mcp/caller.h"
#include "tools/contract/tool.h"

namespace bridle {

struct CallServices;

// The calls that one call makes in its client's name. Each has its own entry in the table of calls, which follows the
// maker's signal, and a thread of its own is not needed: the maker waits for it. Used by the maker's thread alone.
class ServerNestedCalls : public NestedCalls {
 public:
  // All that is referred to outlives it. `maker_id`: JSON text.
  ServerNestedCalls(const CallServices& services, const Caller& caller, AbortSignal maker, const std::string& maker_id,
                    UserPrompt& user);

  std::vector<Tool> listed() const override;
  Tool find(const std::string& tool) const override;
  ToolResult call(const CallContext& ctx, const std::string& tool, Json arguments) override;

 private:
  const ToolScope* scope() const;

  const CallServices& services_;
  Caller caller_;
  const std::string& maker_id_;
  UserPrompt& user_;
  long made_ = 0;
};

}  // namespace bridle
