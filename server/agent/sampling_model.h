#pragma once

#include <string>

#include "server/agent/model.h"
#include "tools/contract/tool.h"

namespace bridle::agent {

// The calling client's own model: MCP's sampling with tools [agent.models.sampling].
class SamplingModel : public Model {
 public:
  // `client` outlives it.
  SamplingModel(UserPrompt& client, bool pictures) : client_(client), pictures_(pictures) {}
  // Whether the client declares it. In 2026-07-28 only a task's call can ask again and again.
  static bool can_ask(const UserPrompt& client) { return client.can_ask("sampling/tools"); }
  ModelAnswer ask(const CallContext& ctx, const Conversation& conversation) override;
  std::string name() const override { return "the client's own model"; }
  bool takes_pictures() const override { return pictures_; }

 private:
  UserPrompt& client_;
  const bool pictures_;
  int asked_ = 0;
};

}  // namespace bridle::agent
