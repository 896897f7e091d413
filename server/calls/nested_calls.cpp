#include "server/calls/nested_calls.h"

#include <utility>

#include "base/errors.h"
#include "server/calls/tool_call.h"
#include "tools/contract/response.h"
#include "tools/contract/schema_check.h"

namespace bridle {

namespace {

// How a nested call asks its maker's client. Each call's questions have keys of their own, as a client's answers are
// kept by key. A run can't be made again with an answer, as a call of 2026-07-28 is: there only a task can ask
// [agent.ask].
class NestedPrompt : public UserPrompt {
 public:
  NestedPrompt(UserPrompt& maker, std::string prefix) : maker_(maker), prefix_(std::move(prefix)) {}

  Answer ask(const CallContext& ctx, std::string_view key, std::string_view message, const Json& form) override {
    check("elicitation/create");
    return asking([&] { return maker_.ask(ctx, prefix_ + std::string(key), message, form); });
  }
  Json ask_all(const CallContext& ctx, const Json& requests, bool sealed) override {
    Json renamed = Json::object();
    for (const auto& [key, request] : requests.items()) {
      check(request.at("method").get_ref<const std::string&>());
      renamed[prefix_ + key] = request;
    }
    Json answers = asking([&] { return maker_.ask_all(ctx, renamed, sealed); });
    Json out = Json::object();
    for (const auto& [key, request] : requests.items()) out[key] = std::move(answers.at(prefix_ + key));
    return out;
  }
  bool can_ask(std::string_view method) const override { return maker_.can_ask(method); }

 private:
  void check(std::string_view method) const {
    if (method == "elicitation/create" && !maker_.can_ask(method))
      throw ToolError(std::string(kNobody) + "the client declares no elicitation. " + kInstead);
  }
  template <typename Asking>
  static auto asking(const Asking& ask) -> decltype(ask()) {
    try {
      return ask();
    } catch (const InputRequired&) {
      throw ToolError(std::string(kNobody) +
                      "in revision 2026-07-28 that takes a client that declares io.modelcontextprotocol/tasks. " +
                      kInstead);
    }
  }

  static constexpr const char* kNobody = "Nobody can be asked from within a run: ";
  static constexpr const char* kInstead = "Go on without, or end with what is missing.";
  UserPrompt& maker_;
  const std::string prefix_;
};

// An id that is JSON text, without the quotes of a string.
std::string bare_id(const std::string& id) {
  const Json value = parse_json(id);
  return value.is_string() ? value.get<std::string>() : id;
}

ToolResult refusal_of_call(const std::string& words) {
  auto result = error_result(words);
  result.refused = true;
  return result;
}

}  // namespace

ServerNestedCalls::ServerNestedCalls(const CallServices& services, const Caller& caller, const Call& maker,
                                     UserPrompt& user)
    : services_(services),
      caller_(caller),
      maker_number_(maker.traits().number),
      prefix_(bare_id(maker.key().id) + "/"),
      user_(user) {
  caller_.signal = maker.signal();
  caller_.one_shot = true;  // their ids come from nobody who could use them again
}

const ToolScope* ServerNestedCalls::scope() const {
  return caller_.session ? caller_.session->scope_if_open().get() : services_.default_scope.get();
}

std::vector<NestedCalls::Tool> ServerNestedCalls::listed() const {
  std::vector<Tool> found;
  const auto* own = scope();
  for (const auto& spec : services_.toolbox.all()) {
    // The toolbox outlives all calls: these own nothing.
    if (spec.nestable && services_.toolbox.lists(spec, own)) found.emplace_back(std::shared_ptr<void>(), &spec);
  }
  if (own != nullptr) {
    for (auto& spec : own->own_tools()) {
      if (spec->nestable) found.push_back(std::move(spec));
    }
  }
  return found;
}

NestedCalls::Tool ServerNestedCalls::find(const std::string& name, Json* arguments) const {
  Tool found(std::shared_ptr<void>(), services_.toolbox.resolve(name, arguments));
  if (found == nullptr && scope() != nullptr) {
    for (auto& spec : scope()->own_tools()) {
      if (spec->name == name) found = std::move(spec);
    }
  }
  return found != nullptr && found->nestable ? found : nullptr;
}

ToolResult ServerNestedCalls::call(const CallContext& ctx, const Tool& tool, Json arguments, const OriginList* act_on) {
  ctx.signal.throw_if_aborted();
  if (!services_.toolbox.lists(*tool, scope())) return refusal_of_call(services_.toolbox.how_to_list(*tool));
  auto checked = check_arguments(*tool, std::move(arguments));
  if (!checked.problem.empty()) return refusal_of_call(checked.problem);
  ToolCall::Plan plan{.caller = caller_,
                      .name = tool->name,
                      .spec = tool.get(),
                      .own = tool,
                      .arguments = std::move(checked.values),
                      .deadline = ctx.deadline,
                      .act_on = act_on};
  for (;;) {
    plan.id = dump(Json(prefix_ + std::to_string(++made_)));
    auto refusal = CallTable::Refusal::none;
    auto slot =
        services_.calls.begin({.session = caller_.name, .id = plan.id}, plan.name, caller_.signal, &refusal,
                              {.one_shot = true, .maker = maker_number_, .target = target_words(plan.arguments)});
    if (refusal == CallTable::Refusal::duplicate_id) continue;
    if (!slot) return error_result("Too many calls at once; try again when some have ended.");
    // Nobody reads it: the result is returned, and questions go the maker's way.
    NestedPrompt user(user_, std::to_string(made_) + "/");
    plan.user = &user;
    const auto nowhere = std::make_shared<ReplyStream>(ReplyStream::Options{.responses_only = true});
    return ToolCall(services_, std::move(plan), std::move(slot), nowhere).run_nested(ctx);
  }
}

}  // namespace bridle
