#include "server/mcp/catalogue_methods.h"

#include <utility>

#include "server/mcp/serializer.h"

namespace bridle {

using jsonrpc::Message;
using namespace rpc;

namespace {

int not_found_code(Revision revision) {
  return is_modern(revision) ? jsonrpc::kInvalidParams : jsonrpc::kResourceNotFound;
}

std::string not_found_words(const std::string& uri) {
  return "Resource not found: " + jsonrpc::shown(uri) + "; resources/list names those there are";
}

}  // namespace

std::vector<Method> CatalogueMethods::table() {
  const auto own = [this](auto handler) {
    return [this, handler](const Caller& caller, const Message& message, const Stream& stream) {
      return (this->*handler)(caller, message, stream);
    };
  };
  using Era = Method::Era;
  using Needs = Method::Needs;
  using Self = CatalogueMethods;
  return {
      {.name = "resources/list", .handler = own(&Self::list_resources), .needs = Needs::resources},
      {.name = "resources/templates/list", .handler = own(&Self::list_templates), .needs = Needs::resources},
      {.name = "resources/read", .handler = own(&Self::read_resource), .starts = true, .needs = Needs::resources},
      {.name = "resources/subscribe", .era = Era::legacy, .handler = own(&Self::subscribe), .needs = Needs::resources},
      {.name = "resources/unsubscribe",
       .era = Era::legacy,
       .handler = own(&Self::unsubscribe),
       .needs = Needs::resources},
      {.name = "prompts/list", .handler = own(&Self::list_prompts), .needs = Needs::prompts},
      {.name = "prompts/get", .handler = own(&Self::get_prompt), .starts = true, .needs = Needs::prompts},
      {.name = "completion/complete", .handler = own(&Self::complete), .needs = Needs::either},
  };
}

std::shared_ptr<ToolScope> CatalogueMethods::scope_of(const Caller& caller) const {
  return caller.session ? caller.session->scope_if_open() : services_.default_scope;
}

// ---- resources

Outcome CatalogueMethods::list_resources(const Caller& caller, const Message& message, const Stream&) {
  if (has_cursor(message)) return bad_cursor(message);
  const auto scope = scope_of(caller);
  return answer(message, serializer::resource_list(caller.revision, services_.catalogue.list(scope.get())));
}

Outcome CatalogueMethods::list_templates(const Caller& caller, const Message& message, const Stream&) {
  if (has_cursor(message)) return bad_cursor(message);
  return answer(message, serializer::template_list(caller.revision, services_.catalogue.templates()));
}

Outcome CatalogueMethods::read_resource(const Caller& caller, const Message& message, const Stream& stream) {
  const std::string uri = string_in(message.params, "uri");
  if (uri.empty()) {
    return starter_.refuse(caller, message, jsonrpc::kInvalidParams,
                           "Invalid params: uri must be the URI of a resource");
  }
  auto match = services_.catalogue.match(uri);
  if (match.read == nullptr) {
    return starter_.refuse(caller, message, not_found_code(caller.revision), not_found_words(uri), {{"uri", uri}});
  }
  if (starter_.is_taken(caller, message.id)) {
    return CallStarter::duplicate(message);
  }
  ToolCall::Plan plan{.caller = caller, .name = "resources/read", .arguments = {{"uri", uri}}};
  plan.work = [match = std::move(match), uri, revision = caller.revision](ToolContext& context) {
    try {
      return serializer::resource_contents(revision, (*match.read)(context, uri, match.variables));
    } catch (const ResourceNotFound& gone) {
      throw RpcFailure{.code = not_found_code(revision), .words = gone.what(), .data = {{"uri", uri}}};
    }
  };
  return starter_.start(std::move(plan), message, stream);
}

// Sessions only; in 2026-07-28 subscriptions/listen names the URIs.
Outcome CatalogueMethods::subscribe(const Caller& caller, const Message& message, const Stream&) {
  const std::string uri = string_in(message.params, "uri");
  if (uri.empty()) return failure(message, jsonrpc::kInvalidParams, "Invalid params: uri must be a string");
  if (services_.catalogue.match(uri).read == nullptr) {
    return failure(message, not_found_code(caller.revision), not_found_words(uri), 200, {{"uri", uri}});
  }
  if (!caller.session->subscribe(uri)) {
    return failure(message, jsonrpc::kInvalidParams,
                   "Too many subscriptions: the limit is " + std::to_string(Session::kMaxSubscriptions) +
                       "; end one with resources/unsubscribe");
  }
  return answer(message, serializer::empty_result(caller.revision));
}

Outcome CatalogueMethods::unsubscribe(const Caller& caller, const Message& message, const Stream&) {
  const std::string uri = string_in(message.params, "uri");
  if (uri.empty()) return failure(message, jsonrpc::kInvalidParams, "Invalid params: uri must be a string");
  caller.session->unsubscribe(uri);
  return answer(message, serializer::empty_result(caller.revision));
}

// ---- prompts

Outcome CatalogueMethods::list_prompts(const Caller& caller, const Message& message, const Stream&) {
  if (has_cursor(message)) return bad_cursor(message);
  return answer(message, serializer::prompt_list(caller.revision, services_.catalogue.prompts()));
}

// "Unknown prompt, missing required arguments -> -32602."
Outcome CatalogueMethods::get_prompt(const Caller& caller, const Message& message, const Stream& stream) {
  const auto refused = [&](const std::string& words) {
    return starter_.refuse(caller, message, jsonrpc::kInvalidParams, words);
  };
  const std::string name = string_in(message.params, "name");
  const PromptSpec* spec = services_.catalogue.find_prompt(name);
  if (spec == nullptr)
    return refused("Unknown prompt: " + jsonrpc::shown(name) + "; prompts/list names those there are");
  const Json& given = object_in(message.params, "arguments");
  UriVariables arguments;
  for (const auto& [key, value] : given.items()) {
    if (!value.is_string()) return refused("Invalid params: the argument " + jsonrpc::shown(key) + " must be a string");
    arguments[key] = value.get<std::string>();
  }
  for (const PromptArgument& argument : spec->arguments) {
    if (argument.required && !arguments.contains(argument.name)) {
      return refused("Invalid params: the argument " + argument.name + " of " + name + " is missing");
    }
  }
  if (starter_.is_taken(caller, message.id)) {
    return CallStarter::duplicate(message);
  }
  ToolCall::Plan plan{.caller = caller, .name = "prompts/get", .arguments = {{"name", name}, {"arguments", given}}};
  plan.work = [spec, arguments = std::move(arguments), revision = caller.revision](ToolContext& context) {
    return serializer::prompt_result(revision, *spec, spec->get(context, arguments));
  };
  return starter_.start(std::move(plan), message, stream);
}

// ---- completion

Outcome CatalogueMethods::complete(const Caller& caller, const Message& message, const Stream&) {
  const Json& ref = object_in(message.params, "ref");
  const Json& argument = object_in(message.params, "argument");
  const std::string type = string_in(ref, "type");
  const std::string name = string_in(argument, "name");
  const auto value = argument.find("value");
  if (name.empty() || value == argument.end() || !value->is_string()) {
    return failure(message, jsonrpc::kInvalidParams, "Invalid params: argument needs the strings name and value");
  }
  const Completer* completer = nullptr;
  if (type == "ref/prompt") {
    if (const PromptSpec* spec = services_.catalogue.find_prompt(string_in(ref, "name"))) completer = &spec->complete;
  } else if (type == "ref/resource") {
    const std::string uri = string_in(ref, "uri");
    if (const ResourceTemplate* spec = services_.catalogue.find_template(uri)) completer = &spec->complete;
    static const Completer kNone;  // a fixed resource has nothing to complete
    if (completer == nullptr && services_.catalogue.match(uri).read != nullptr) completer = &kNone;
  }
  if (completer == nullptr) {
    return failure(message, jsonrpc::kInvalidParams,
                   "Invalid params: ref names no prompt or resource template of ours");
  }
  const auto scope = scope_of(caller);
  auto values = *completer ? (*completer)(scope.get(), name, value->get<std::string>()) : std::vector<std::string>();
  return answer(message, serializer::completion(caller.revision, std::move(values)));
}

}  // namespace bridle
