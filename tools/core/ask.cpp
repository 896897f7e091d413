#include "tools/core/ask.h"

#include "base/limits.h"
#include "tools/contract/arguments.h"
#include "tools/contract/response.h"

namespace bridle {
namespace {

// One field: a choice, or free text.
Json form_for(const Arguments& args) {
  Json answer = {{"type", "string"}, {"title", "Answer"}};
  if (args.has("options")) answer["enum"] = args.at("options");
  return {{"type", "object"}, {"properties", {{"answer", answer}}}, {"required", {"answer"}}};
}

ToolResult ask_user(ToolContext& ctx, const Json& values) {
  const Arguments args(values);
  if (ctx.user == nullptr) throw ToolError("Nobody can be asked here.");
  const bool take_over = args.flag("takeOver");
  const auto answer =
      ctx.user->ask(ctx.call, take_over ? kTakeOverQuestion : "answer", args.text("question"), form_for(args));
  Response response;
  const bool answered = answer.action == "accept" && answer.content.is_object() && answer.content.contains("answer");
  const Json& given = answered ? answer.content["answer"] : Json();
  if (given.is_string()) {
    response.result("The user answered: " + given.get<std::string>());
  } else if (answered) {
    response.result("The user answered: " + dump(given));
  } else {
    // decline and cancel differ: the one is an answer, the other none.
    response.result(answer.action + (answer.action == "decline" ? ": the user would rather not answer."
                                                                : ": the user closed the question unanswered."));
  }
  return response.build(limits::kMaxOutput);
}

}  // namespace

std::vector<ToolSpec> ask_tools(const BrowserSettings&) {
  return {{.name = "ask_user",
           .title = "Ask user",
           .description = "Ask the person. Never for secrets.",
           .input_schema = {{"type", "object"},
                            {"properties",
                             {{"question", {{"type", "string"}, {"minLength", 1}}},
                              {"takeOver", {{"type", "boolean"}}},
                              {"options", {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}}}}},
                            {"required", {"question"}},
                            {"additionalProperties", false}},
           .read_only = true,
           .open_world = false,
           .needs_capabilities = {{"elicitation", Json::object()}},
           .handler = ask_user}};
}

}  // namespace bridle
