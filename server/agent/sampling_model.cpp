#include "server/agent/sampling_model.h"

#include <utility>

#include "base/errors.h"

namespace bridle::agent {
namespace {

constexpr int kSampledTokens = 8192;

Json text_block(const std::string& text) { return {{"type", "text"}, {"text", text}}; }

Json sampling_message(const Message& message) {
  Json content = Json::array();
  for (const auto& result : message.results) {
    Json shown = Json::array({text_block(result.text)});
    for (const auto& picture : result.pictures)
      shown.push_back({{"type", "image"}, {"data", picture.data}, {"mimeType", picture.mime_type}});
    content.push_back({{"type", "tool_result"},
                       {"toolUseId", result.id},
                       {"content", std::move(shown)},
                       {"isError", result.is_error}});
  }
  if (!message.text.empty()) content.push_back(text_block(message.text));
  for (const auto& call : message.calls)
    content.push_back({{"type", "tool_use"}, {"id", call.id}, {"name", call.name}, {"input", call.arguments}});
  return {{"role", message.role == Message::Role::model ? "assistant" : "user"}, {"content", std::move(content)}};
}

void take_sampled_block(const Json& block, ModelAnswer& answer) {
  if (!block.is_object()) return;
  const auto type = string_in(block, "type");
  if (type == "text") answer.text += string_in(block, "text");
  if (type != "tool_use") return;
  ModelCall call{.id = string_in(block, "id"), .name = string_in(block, "name")};
  if (const auto input = block.find("input"); input != block.end()) read_arguments(dump(*input), call);
  answer.calls.push_back(std::move(call));
}

}  // namespace

ModelAnswer SamplingModel::ask(const CallContext& ctx, const Conversation& conversation) {
  Json messages = Json::array();
  for (const auto& message : conversation.messages) {
    // A message that has results has nothing else in it: what is said beside them is a message of its own.
    messages.push_back(sampling_message(message));
  }
  Json tools = Json::array();
  for (const auto& tool : conversation.tools)
    tools.push_back({{"name", tool.name}, {"description", tool.description}, {"inputSchema", tool.input_schema}});
  const Json params{{"messages", std::move(messages)},
                    {"systemPrompt", conversation.system},
                    {"maxTokens", kSampledTokens},
                    {"tools", std::move(tools)}};
  const auto key = "model-" + std::to_string(++asked_);
  Json answers;
  try {
    answers =
        client_.ask_all(ctx, {{key, {{"method", "sampling/createMessage"}, {"params", params}}}}, /*sealed=*/false);
  } catch (const ToolError& error) {
    throw ModelError(std::string("The client's own model can't be asked: ") + error.what());
  }
  const Json& result = answers.at(key);
  ModelAnswer answer;
  const auto content = result.is_object() ? result.find("content") : result.end();
  if (!result.is_object() || content == result.end())
    throw ModelError("The client's answer to sampling/createMessage was not understood: it has no content.");
  if (content->is_array()) {
    for (const Json& block : *content) take_sampled_block(block, answer);
  } else {
    take_sampled_block(*content, answer);
  }
  return answer;
}

}  // namespace bridle::agent
