// The suite's tools. Texts and schemas are the suite's.
#include <utility>

#include "base/concurrency/sync.h"
#include "server/calls/task_store.h"
#include "server/mcp/jsonrpc.h"
#include "tests/testing_server/conformance.h"

namespace bridle {
namespace {

using Seconds = std::chrono::duration<double>;

// An empty WAV.
constexpr const char* kWav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

// Waits on the call's signal.
void pause(const CallContext& ctx, Millis span) {
  Mutex mutex;
  CondVar never;
  MutexLock lock(mutex);
  wait_until(ctx.within(span), never, lock, [] { return false; });
}

Json object_schema(Json properties = Json::object(), Json required = Json::array()) {
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

Json typed(const char* type) { return {{"type", type}}; }

ToolSpec fixture(std::string name, std::string description, ToolHandler handler, Json schema = object_schema()) {
  return {.name = std::move(name),
          .description = std::move(description),
          .input_schema = std::move(schema),
          .read_only = true,
          .open_world = false,
          .handler = std::move(handler)};
}

ToolHandler answers(std::string words) {
  return [words = std::move(words)](ToolContext&, const Json&) { return ToolResult::text(words); };
}

Content resource(std::string uri, std::string mime_type, std::string text) {
  return {.kind = Content::Kind::resource,
          .text = std::move(text),
          .mime_type = std::move(mime_type),
          .uri = std::move(uri)};
}

// ---- content

void add_content(Toolbox& toolbox) {
  const Content text{.text = "Multiple content types test:"};
  const Content image{.kind = Content::Kind::image, .data = kRedPixelPng, .mime_type = "image/png"};
  const Content audio{.kind = Content::Kind::audio, .data = kWav, .mime_type = "audio/wav"};
  const auto embedded = resource("test://embedded-resource", "text/plain", "This is an embedded resource content.");
  const auto mixed = resource("test://mixed-content-resource", "application/json", R"({"test":"data","value":123})");
  const auto shows = [](std::vector<Content> content) {
    return [content = std::move(content)](ToolContext&, const Json&) { return ToolResult{.content = content}; };
  };
  toolbox.add(fixture("test_simple_text", "Returns one text.", answers("This is a simple text response for testing.")));
  toolbox.add(fixture("test_image_content", "Returns an image.", shows({image})));
  toolbox.add(fixture("test_audio_content", "Returns audio.", shows({audio})));
  toolbox.add(fixture("test_embedded_resource", "Returns an embedded resource.", shows({embedded})));
  toolbox.add(fixture("test_multiple_content_types", "Returns text, image and resource.", shows({text, image, mixed})));
  toolbox.add(fixture("test_error_handling", "Fails.", [](ToolContext&, const Json&) -> ToolResult {
    throw ToolError("This tool intentionally returns an error for testing");
  }));
}

// ---- messages on the way

void add_streaming(Toolbox& toolbox, Catalogue& catalogue) {
  toolbox.add(fixture("test_tool_with_logging", "Logs three times.", [](ToolContext& context, const Json&) {
    context.observer->log("info", "Tool execution started");
    pause(context.call, Millis(50));
    context.observer->log("info", "Tool processing data");
    pause(context.call, Millis(50));
    context.observer->log("info", "Tool execution completed");
    return ToolResult::text("Tool with logging executed successfully");
  }));
  toolbox.add(
      fixture("test_logging_tool", "Logs where the request asks for it.", [](ToolContext& context, const Json&) {
        context.observer->log("info", "Diagnostic trace logging activated");
        return ToolResult::text("Logging evaluated");
      }));
  toolbox.add(fixture("test_tool_with_progress", "Reports progress.", [](ToolContext& context, const Json&) {
    for (const double done : {0.0, 50.0, 100.0}) {
      if (context.call.progress != nullptr) context.call.progress->report(done, 100, "a step was completed");
      if (done < 100) pause(context.call, Millis(50));
    }
    return ToolResult::text("Progress reported");
  }));
  toolbox.add(
      fixture("test_streaming_elicitation", "Reports progress, asks nothing.", [](ToolContext& context, const Json&) {
        if (context.call.progress != nullptr) context.call.progress->report(50, 100, "halfway");
        return ToolResult::text("Streaming complete");
      }));
  toolbox.add(fixture("test_reconnection", "Ends its connection and answers on the next.",
                      [](ToolContext& context, const Json&) {
                        context.observer->let_client_poll();
                        pause(context.call, Millis(100));
                        return ToolResult::text("Reconnection test completed successfully.");
                      }));
  const auto changes = [&catalogue](const char* list) {
    return [&catalogue, list](ToolContext&, const Json&) {
      catalogue.list_changed(list, nullptr);
      return ToolResult::text("Mutation triggered");
    };
  };
  toolbox.add(fixture("test_trigger_tool_change", "Says that the tools changed.", changes("tools")));
  toolbox.add(fixture("test_trigger_prompt_change", "Says that the prompts changed.", changes("prompts")));
}

// ---- questions

Json form(std::string message, Json properties, Json required = Json::array()) {
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return {{"method", "elicitation/create"}, {"params", {{"message", std::move(message)}, {"requestedSchema", schema}}}};
}

Json sampling(const std::string& prompt, int max_tokens) {
  const Json message = {{"role", "user"}, {"content", {{"type", "text"}, {"text", prompt}}}};
  return {{"method", "sampling/createMessage"},
          {"params", {{"messages", Json::array({message})}, {"maxTokens", max_tokens}}}};
}

Json roots() { return {{"method", "roots/list"}, {"params", Json::object()}}; }

std::string text_at(const Json& answer, const char* outer, const char* inner) {
  const auto found = answer.find(outer);
  if (found == answer.end() || !found->is_object()) return "unknown";
  const auto value = found->find(inner);
  return value != found->end() && value->is_string() ? value->get<std::string>() : "unknown";
}

std::string told(const Json& answer) {
  return "action=" + answer.value("action", "") + ", content=" + dump(answer.value("content", Json::object()));
}

ToolHandler asks_form(std::string before, std::string message, Json properties) {
  return [=](ToolContext& context, const Json& args) {
    const std::string words = args.value("message", message);
    const Json answers = context.user->ask_all(context.call, {{"form", form(words, properties)}});
    return ToolResult::text(before + told(answers["form"]));
  };
}

Json default_fields() {
  const auto field = [](const char* type, const char* description, Json value) {
    return Json{{"type", type}, {"description", description}, {"default", std::move(value)}};
  };
  Json status = field("string", "Status", "active");
  status["enum"] = {"active", "inactive", "pending"};
  return {{"name", field("string", "Name", "John Doe")},
          {"age", field("integer", "Age", 30)},
          {"score", field("number", "Score", 95.5)},
          {"status", status},
          {"verified", field("boolean", "Verified", true)}};
}

Json enum_fields() {
  const auto choices = [](std::vector<std::pair<const char*, const char*>> pairs) {
    Json out = Json::array();
    for (const auto& [value, title] : pairs) out.push_back({{"const", value}, {"title", title}});
    return out;
  };
  const Json options = {"option1", "option2", "option3"};
  return {{"untitledSingle", {{"type", "string"}, {"enum", options}}},
          {"titledSingle",
           {{"type", "string"},
            {"oneOf", choices({{"value1", "First Option"}, {"value2", "Second Option"}, {"value3", "Third Option"}})}}},
          {"legacyEnum",
           {{"type", "string"},
            {"enum", {"opt1", "opt2", "opt3"}},
            {"enumNames", {"Option One", "Option Two", "Option Three"}}}},
          {"untitledMulti",
           {{"type", "array"}, {"minItems", 1}, {"maxItems", 3}, {"items", {{"type", "string"}, {"enum", options}}}}},
          {"titledMulti",
           {{"type", "array"},
            {"minItems", 1},
            {"maxItems", 3},
            {"items",
             {{"anyOf",
               choices({{"value1", "First Choice"}, {"value2", "Second Choice"}, {"value3", "Third Choice"}})}}}}}};
}

void add_questions(Toolbox& toolbox) {
  toolbox.add(fixture(
      "test_sampling", "Asks the client's model.",
      [](ToolContext& context, const Json& args) {
        const Json request = sampling(args.at("prompt").get<std::string>(), 100);
        const Json answers = context.user->ask_all(context.call, {{"sample", request}});
        return ToolResult::text("LLM response: " + text_at(answers["sample"], "content", "text"));
      },
      object_schema({{"prompt", typed("string")}}, {"prompt"})));
  const Json fields = {{"username", {{"type", "string"}, {"description", "User's response"}}},
                       {"email", {{"type", "string"}, {"description", "User's email address"}}}};
  toolbox.add(fixture("test_elicitation", "Asks the user.", asks_form("User response: ", "", fields),
                      object_schema({{"message", typed("string")}}, {"message"})));
  toolbox.add(fixture("test_elicitation_sep1034_defaults", "Asks with defaults.",
                      asks_form("Elicitation completed: ", "Please review the fields", default_fields())));
  toolbox.add(fixture("test_elicitation_sep1330_enums", "Asks with choices.",
                      asks_form("Elicitation completed: ", "Please select options", enum_fields())));
}

// ---- input_required (2026-07-28)

Json name_form() { return form("What is your name?", {{"name", typed("string")}}, {"name"}); }
Json confirm_form() { return form("Please confirm", {{"ok", typed("boolean")}}, {"ok"}); }

void add_input_required(Toolbox& toolbox) {
  const auto add = [&](const char* name, const char* description, ToolHandler handler) {
    toolbox.add(fixture(std::string("test_input_required_result_") + name, description, std::move(handler)));
  };
  add("elicitation", "Asks for a name.", [](ToolContext& context, const Json&) {
    const Json answers = context.user->ask_all(context.call, {{"user_name", name_form()}}, false);
    return ToolResult::text("Hello, " + text_at(answers["user_name"], "content", "name") + "!");
  });
  add("sampling", "Asks the client's model.", [](ToolContext& context, const Json&) {
    const Json request = sampling("What is the capital of France?", 100);
    const Json answers = context.user->ask_all(context.call, {{"capital_question", request}}, false);
    return ToolResult::text("Sampling result: " + text_at(answers["capital_question"], "content", "text"));
  });
  add("list_roots", "Asks for the client's roots.", [](ToolContext& context, const Json&) {
    const Json answers = context.user->ask_all(context.call, {{"client_roots", roots()}}, false);
    const Json listed = answers["client_roots"].value("roots", Json::array());
    return ToolResult::text("Found " + std::to_string(listed.size()) + " root(s): " + dump(listed));
  });
  add("request_state", "Asks with a requestState.", [](ToolContext& context, const Json&) {
    context.user->ask_all(context.call, {{"confirm", confirm_form()}});
    return ToolResult::text("state-ok: requestState validated");
  });
  add("tampered_state", "Asks with a requestState that must come back unchanged.",
      [](ToolContext& context, const Json&) {
        context.user->ask_all(context.call, {{"confirm", confirm_form()}});
        return ToolResult::text("integrity-ok: state verified");
      });
  add("multiple_inputs", "Asks three things at once.", [](ToolContext& context, const Json&) {
    const Json answers = context.user->ask_all(
        context.call,
        {{"user_name", name_form()}, {"greeting", sampling("Generate a greeting", 50)}, {"client_roots", roots()}});
    return ToolResult::text("Name: " + text_at(answers["user_name"], "content", "name") +
                            "; greeting: " + text_at(answers["greeting"], "content", "text"));
  });
  add("multi_round", "Asks twice.", [](ToolContext& context, const Json&) {
    const Json first = context.user->ask_all(
        context.call, {{"step1", form("Step 1: What is your name?", {{"name", typed("string")}}, {"name"})}});
    const Json second = context.user->ask_all(
        context.call,
        {{"step2", form("Step 2: What is your favorite color?", {{"color", typed("string")}}, {"color"})}});
    return ToolResult::text("Multi-round complete for " + text_at(first["step1"], "content", "name") + " who likes " +
                            text_at(second["step2"], "content", "color"));
  });
  add("capabilities", "Asks what the client can answer.", [](ToolContext& context, const Json&) {
    Json requests = Json::object();
    if (context.user->can_ask("elicitation/create")) requests["elicit_input"] = name_form();
    if (context.user->can_ask("sampling/createMessage")) requests["sample_input"] = sampling("Sample request", 50);
    if (requests.empty()) return ToolResult::text("No supported capabilities declared");
    context.user->ask_all(context.call, requests);
    return ToolResult::text("capabilities-ok");
  });
  ToolSpec needs = fixture("test_missing_capability", "Needs sampling.", answers("Success"));
  needs.needs_capabilities = {{"sampling", Json::object()}};
  toolbox.add(std::move(needs));
}

// ---- tasks

ToolResult slow_compute(ToolContext& context, const Json& args) {
  const double seconds = args.at("seconds").get<double>();
  if (seconds > 0) context.observer->become_task();
  pause(context.call, std::chrono::ceil<Millis>(Seconds(seconds)));
  return ToolResult::text("Computed " + args.value("label", "") + " in " + args.at("seconds").dump() + " s");
}

void add_tasks(Toolbox& toolbox) {
  toolbox.add(fixture(
      "greet", "Greets, at once.",
      [](ToolContext&, const Json& args) {
        return ToolResult::text("Hello, " + args.at("name").get<std::string>() + "!");
      },
      object_schema({{"name", typed("string")}}, {"name"})));
  toolbox.add(fixture(
      "slow_compute", "Takes its time, as a task where the client knows tasks.", slow_compute,
      object_schema({{"seconds", {{"type", "number"}, {"minimum", 0}, {"maximum", 300}}}, {"label", typed("string")}},
                    {"seconds"})));
  ToolSpec failing = fixture("failing_job", "A task that fails.", [](ToolContext& context, const Json&) -> ToolResult {
    context.observer->become_task();
    pause(context.call, Millis(50));
    throw ToolError("The job failed, as it should.");
  });
  failing.needs_task = true;
  toolbox.add(std::move(failing));
  toolbox.add(fixture("protocol_error_job", "A task that ends in a protocol error.",
                      [](ToolContext& context, const Json&) -> ToolResult {
                        context.observer->become_task();
                        throw std::logic_error("protocol_error_job was called");
                      }));
  toolbox.add(fixture(
      "confirm_delete", "A task that asks first.",
      [](ToolContext& context, const Json& args) {
        context.observer->become_task();
        const auto file = args.at("filename").get<std::string>();
        const Json request = form("Delete " + file + "?", {{"confirm", typed("boolean")}}, {"confirm"});
        const Json answers = context.user->ask_all(context.call, {{"confirm", request}});
        const Json content = answers["confirm"].value("content", Json::object());
        const bool yes = answers["confirm"].value("action", "") == "accept" && content.value("confirm", false);
        return ToolResult::text((yes ? "Deleted " : "Kept ") + file);
      },
      object_schema({{"filename", typed("string")}}, {"filename"})));
  toolbox.add(fixture("multi_input", "A task that asks two things.", [](ToolContext& context, const Json&) {
    context.observer->become_task();
    const Json answers = context.user->ask_all(
        context.call,
        {{"first", name_form()}, {"second", form("Go on?", {{"confirm", typed("boolean")}}, {"confirm"})}});
    return ToolResult::text("Got both from " + text_at(answers["first"], "content", "name"));
  }));
  toolbox.add(fixture("test_tool_with_task", "Asks, then goes on as a task.", [](ToolContext& context, const Json&) {
    const Json answers = context.user->ask_all(context.call, {{"user_name", name_form()}});
    context.observer->become_task();
    return ToolResult::text("Done for " + text_at(answers["user_name"], "content", "name"));
  }));
}

// ---- schemas

// The suite asks for these very keywords back (SEP-1613, SEP-2106).
Json full_schema() {
  const auto has = [](const char* name) { return Json{{"required", {name}}}; };
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"type", "object"},
          {"$defs",
           {{"address",
             {{"$anchor", "addressDef"},
              {"type", "object"},
              {"properties", {{"street", typed("string")}, {"city", typed("string")}}}}}}},
          {"properties",
           {{"name", typed("string")},
            {"address", {{"$ref", "#/$defs/address"}}},
            {"contactMethod", {{"type", "string"}, {"enum", {"phone", "email"}}}},
            {"phone", typed("string")},
            {"email", typed("string")}}},
          {"allOf", Json::array({{{"anyOf", Json::array({has("phone"), has("email")})}}})},
          {"if", {{"properties", {{"contactMethod", {{"const", "phone"}}}}}, {"required", {"contactMethod"}}}},
          {"then", has("phone")},
          {"else", has("email")},
          {"additionalProperties", false}};
}

void add_schemas(Toolbox& toolbox) {
  toolbox.add(fixture(
      "json_schema_2020_12_tool", "Has a schema with the whole vocabulary.",
      [](ToolContext&, const Json& args) { return ToolResult::text("Called with " + dump(args)); }, full_schema()));
  toolbox.add(fixture(
      "test_x_mcp_header", "Mirrors an argument in a header.",
      [](ToolContext&, const Json& args) { return ToolResult::text("Region: " + args.value("region", "none")); },
      object_schema({{"region", {{"type", "string"}, {"x-mcp-header", "Region"}}}})));
}

}  // namespace

void add_conformance_tools(Toolbox& toolbox, Catalogue& catalogue) {
  add_content(toolbox);  // the first one takes no arguments: the suite calls tools[0] with {}
  add_streaming(toolbox, catalogue);
  add_questions(toolbox);
  add_input_required(toolbox);
  add_tasks(toolbox);
  add_schemas(toolbox);
}

}  // namespace bridle
