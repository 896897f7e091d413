// The suite's resources and prompts.
#include <utility>

#include "tests/testing_server/conformance.h"

namespace bridle {
namespace {

ResourceReader reads(Content content) {
  return [content = std::move(content)](ToolContext&, const std::string& uri, const UriVariables&) {
    Content one = content;
    one.kind = Content::Kind::resource;
    one.uri = uri;
    return std::vector<Content>{std::move(one)};
  };
}

PromptMessage says(std::string words) { return {.content = {.text = std::move(words)}}; }

void add_resources(Catalogue& catalogue) {
  const auto add = [&](const char* name, const char* title, const char* description, Content content) {
    Resource resource{.uri = std::string("test://") + name,
                      .name = name,
                      .title = title,
                      .description = description,
                      .mime_type = content.mime_type};
    catalogue.add(ResourceSpec{.resource = std::move(resource), .read = reads(std::move(content))});
  };
  add("static-text", "Static text", "Text that never changes",
      {.text = "This is the content of the static text resource.", .mime_type = "text/plain"});
  add("static-binary", "Static binary", "An image that never changes",
      {.data = kRedPixelPng, .mime_type = "image/png"});
  add("watched-resource", "Watched resource", "Can be subscribed to",
      {.text = "Watched resource content", .mime_type = "text/plain"});
  catalogue.add(ResourceTemplate{
      .uri_template = "test://template/{id}/data",
      .name = "template",
      .title = "Template",
      .description = "Data for an id",
      .mime_type = "application/json",
      .read = [](ToolContext&, const std::string& uri, const UriVariables& variables) {
        const std::string& id = variables.at("id");
        const Json data = {{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}};
        return std::vector<Content>{
            {.kind = Content::Kind::resource, .text = dump(data), .mime_type = "application/json", .uri = uri}};
      }});
}

void add_prompts(Catalogue& catalogue) {
  catalogue.add(PromptSpec{.name = "test_simple_prompt",
                           .title = "Simple prompt",
                           .description = "A prompt without arguments",
                           .get = [](ToolContext&, const UriVariables&) {
                             return std::vector<PromptMessage>{says("This is a simple prompt for testing.")};
                           }});
  catalogue.add(PromptSpec{.name = "test_prompt_with_arguments",
                           .title = "Prompt with arguments",
                           .description = "A prompt with required arguments",
                           .arguments = {{"arg1", "First test argument", true}, {"arg2", "Second test argument", true}},
                           .get =
                               [](ToolContext&, const UriVariables& arguments) {
                                 return std::vector<PromptMessage>{says("Prompt with arguments: arg1='" +
                                                                        arguments.at("arg1") + "', arg2='" +
                                                                        arguments.at("arg2") + "'")};
                               },
                           .complete =
                               [](ToolScope*, const std::string&, const std::string& typed) {
                                 return starting_with({"test", "testing", "tested"}, typed);
                               }});
  catalogue.add(PromptSpec{
      .name = "test_prompt_with_embedded_resource",
      .title = "Prompt with embedded resource",
      .description = "A prompt that embeds a resource",
      .arguments = {{"resourceUri", "URI of the resource to embed", true}},
      .get = [](ToolContext&, const UriVariables& arguments) {
        const Content embedded{.kind = Content::Kind::resource,
                               .text = "Embedded resource content for testing.",
                               .mime_type = "text/plain",
                               .uri = arguments.at("resourceUri")};
        return std::vector<PromptMessage>{{.content = embedded}, says("Please process the embedded resource above.")};
      }});
  catalogue.add(
      PromptSpec{.name = "test_prompt_with_image",
                 .title = "Prompt with image",
                 .description = "A prompt that includes an image",
                 .get = [](ToolContext&, const UriVariables&) {
                   const Content image{.kind = Content::Kind::image, .data = kRedPixelPng, .mime_type = "image/png"};
                   return std::vector<PromptMessage>{{.content = image}, says("Please analyze the image above.")};
                 }});
  catalogue.add(PromptSpec{
      .name = "test_input_required_result_prompt",
      .title = "Prompt that asks",
      .description = "A prompt that needs input",
      .get = [](ToolContext& context, const UriVariables&) {
        const Json schema = {
            {"type", "object"}, {"properties", {{"context", {{"type", "string"}}}}}, {"required", {"context"}}};
        const auto answer =
            context.user->ask(context.call, "user_context", "What context should the prompt use?", schema);
        const std::string words = answer.content.is_object() ? answer.content.value("context", "none") : "none";
        return std::vector<PromptMessage>{says("Prompt with context: " + words)};
      }});
}

}  // namespace

void add_conformance_catalogue(Catalogue& catalogue) {
  add_resources(catalogue);
  add_prompts(catalogue);
  catalogue.tools_change = catalogue.prompts_change = true;
  catalogue.resources_change = catalogue.resources_notify = true;
}

}  // namespace bridle
