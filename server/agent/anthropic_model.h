#pragma once

#include <string>
#include <utility>

#include "server/agent/model_api.h"

namespace bridle::agent {

// Anthropic's Messages API.
class AnthropicModel : public Model {
 public:
  explicit AnthropicModel(ModelEndpoint endpoint) : endpoint_(std::move(endpoint)) {}
  ModelAnswer ask(const CallContext& ctx, const Conversation& conversation) override;
  std::string name() const override { return endpoint_.model; }
  bool takes_pictures() const override { return endpoint_.pictures; }

 private:
  const ModelEndpoint endpoint_;
};

}  // namespace bridle::agent
