#include "server/agent/openai_model.h"

#include <algorithm>
#include <map>
#include <memory>

namespace bridle::agent {
namespace {

Json openai_message(const Message& message) {
  if (message.role == Message::Role::user) return {{"role", "user"}, {"content", message.text}};
  Json json{{"role", "assistant"}, {"content", message.text.empty() ? Json() : Json(message.text)}};
  for (const auto& call : message.calls) {
    json["tool_calls"].push_back({{"id", call.id},
                                  {"type", "function"},
                                  {"function", {{"name", call.name}, {"arguments", dump(call.arguments)}}}});
  }
  return json;
}

// The results of tools are texts alone there: what they show follows as the user's.
Json openai_pictures(const Message& message) {
  Json content = Json::array();
  for (const auto& result : message.results) {
    for (const auto& picture : result.pictures) {
      content.push_back(
          {{"type", "image_url"}, {"image_url", {{"url", "data:" + picture.mime_type + ";base64," + picture.data}}}});
    }
  }
  return content;
}

Json openai_request(const Conversation& conversation, const std::string& model) {
  Json messages = Json::array();
  messages.push_back({{"role", "system"}, {"content", conversation.system}});
  for (const auto& message : conversation.messages) {
    for (const auto& result : message.results)
      messages.push_back({{"role", "tool"}, {"tool_call_id", result.id}, {"content", result.text}});
    if (Json pictures = openai_pictures(message); !pictures.empty())
      messages.push_back({{"role", "user"}, {"content", std::move(pictures)}});
    if (message.role != Message::Role::results) messages.push_back(openai_message(message));
  }
  Json tools = Json::array();
  for (const auto& tool : conversation.tools) {
    tools.push_back(
        {{"type", "function"},
         {"function", {{"name", tool.name}, {"description", tool.description}, {"parameters", tool.input_schema}}}});
  }
  return {{"model", model},
          {"messages", std::move(messages)},
          {"tools", std::move(tools)},
          {"stream", true},
          {"stream_options", {{"include_usage", true}}}};
}

// One answer as it comes: pieces of text, and of calls by their index.
struct OpenAiReading {
  ModelAnswer answer{};
  std::map<long, std::pair<ModelCall, std::string>> calls{};  // with the text of their arguments
  StreamResult result{};

  void on_event(std::string_view event, std::string_view data) {
    if (data == "[DONE]") {
      result.complete = true;
      return;
    }
    const Json json = parse_json(data);
    if (!json.is_object()) {
      if (event == "document") result.error = "it answers with no JSON";
      return;
    }
    if (const auto error = json.find("error"); error != json.end() && !error->is_null()) {
      result.error = error->is_object() ? string_in(*error, "message") : dump(*error);
      if (result.error.empty()) result.error = dump(*error);
      return;
    }
    if (const auto usage = json.find("usage"); usage != json.end() && usage->is_object()) take_usage(*usage);
    const auto choices = json.find("choices");
    if (choices == json.end() || !choices->is_array() || choices->empty() || !choices->front().is_object()) return;
    const Json& choice = choices->front();
    const auto part = choice.find(event == "document" ? "message" : "delta");
    if (part != choice.end() && part->is_object()) take_part(*part);
    if (const auto reason = choice.find("finish_reason"); reason != choice.end() && reason->is_string())
      result.complete = true;
  }

  void take_usage(const Json& usage) {
    answer.usage.input = integer_in(usage, "prompt_tokens");
    answer.usage.output = integer_in(usage, "completion_tokens");
    const auto details = usage.find("prompt_tokens_details");
    if (details != usage.end() && details->is_object()) answer.usage.cached = integer_in(*details, "cached_tokens");
  }

  void take_part(const Json& part) {
    answer.text += string_in(part, "content");
    const auto pieces = part.find("tool_calls");
    if (pieces == part.end() || !pieces->is_array()) return;
    for (std::size_t i = 0; i < pieces->size(); ++i) {
      const Json& piece = (*pieces)[i];
      if (!piece.is_object()) continue;
      // Some servers leave the index out where there is one call a piece.
      auto& [call, text] = calls[piece.contains("index") ? integer_in(piece, "index") : static_cast<long>(i)];
      if (const auto id = string_in(piece, "id"); !id.empty()) call.id = id;
      const auto function = piece.find("function");
      if (function == piece.end() || !function->is_object()) continue;
      call.name += string_in(*function, "name");
      if (const auto arguments = function->find("arguments"); arguments != function->end())
        text += arguments->is_string() ? arguments->get<std::string>() : dump(*arguments);
    }
  }

  ModelAnswer finish() {
    long number = 0;
    for (auto& [index, entry] : calls) {
      auto& [call, text] = entry;
      if (call.id.empty()) call.id = "call-" + std::to_string(++number);
      read_arguments(text, call);
      answer.calls.push_back(std::move(call));
    }
    return std::move(answer);
  }
};

}  // namespace

ModelAnswer OpenAiModel::ask(const CallContext& ctx, const Conversation& conversation) {
  auto request = api_request(endpoint_, "/chat/completions", openai_request(conversation, endpoint_.model));
  if (!endpoint_.key.empty()) request.headers.push_back("Authorization: Bearer " + endpoint_.key);
  std::unique_ptr<OpenAiReading> reading;
  ask_api(ctx, endpoint_, request, [&]() -> StreamReader {
    reading = std::make_unique<OpenAiReading>();
    return {.feed = [&](std::string_view event, std::string_view data) { reading->on_event(event, data); },
            .result = [&] { return reading->result; }};
  });
  return reading->finish();
}

}  // namespace bridle::agent
