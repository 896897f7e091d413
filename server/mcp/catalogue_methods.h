#pragma once

#include <memory>
#include <vector>

#include "server/mcp/call_starter.h"
#include "server/mcp/method.h"

namespace bridle {

// Resources, prompts and completion [wire.resources] [wire.prompts]: the methods, and what they answer. Any thread.
class CatalogueMethods {
 public:
  // Both outlive it.
  CatalogueMethods(const CallServices& services, CallStarter& starter) : services_(services), starter_(starter) {}

  // For the dispatcher's table; they refer to this object.
  std::vector<Method> table();

 private:
  using Stream = std::shared_ptr<ReplyStream>;
  Outcome list_resources(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  Outcome list_templates(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  Outcome read_resource(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  Outcome subscribe(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  Outcome unsubscribe(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  Outcome list_prompts(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  Outcome get_prompt(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  Outcome complete(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  std::shared_ptr<ToolScope> scope_of(const Caller& caller) const;

  const CallServices& services_;
  CallStarter& starter_;
};

}  // namespace bridle
