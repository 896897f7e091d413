#pragma once

#include <string>
#include <utility>

#include "server/agent/model_api.h"

namespace bridle::agent {

// The chat-completions API, which OpenAI, OpenRouter, Ollama, llama.cpp, vLLM and LM Studio serve.
class OpenAiModel : public Model {
 public:
  explicit OpenAiModel(ModelEndpoint endpoint) : endpoint_(std::move(endpoint)) {}
  ModelAnswer ask(const CallContext& ctx, const Conversation& conversation) override;
  std::string name() const override { return endpoint_.model; }
  bool takes_pictures() const override { return endpoint_.pictures; }

 private:
  const ModelEndpoint endpoint_;
};

}  // namespace bridle::agent
