#pragma once

#include <string>
#include <vector>

#include "server/mcp/caller.h"
#include "tools/contract/tool.h"

namespace bridle {

class Call;
struct CallServices;

// The calls that one call makes in its client's name. Each has its own entry in the table of calls, which follows the
// maker's signal, and a thread of its own is not needed: the maker waits for it. Used by the maker's thread alone.
class ServerNestedCalls : public NestedCalls {
 public:
  // All that is referred to outlives it. `maker`: the call that makes them.
  ServerNestedCalls(const CallServices& services, const Caller& caller, const Call& maker, UserPrompt& user);

  std::vector<Tool> listed() const override;
  Tool find(const std::string& name, Json* arguments = nullptr) const override;
  ToolResult call(const CallContext& ctx, const Tool& tool, Json arguments, const OriginList* act_on) override;

 private:
  const ToolScope* scope() const;

  const CallServices& services_;
  Caller caller_;
  const long maker_number_;
  const std::string prefix_;  // of their ids: the maker's, as text
  UserPrompt& user_;
  long made_ = 0;
};

}  // namespace bridle
