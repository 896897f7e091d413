#include "server/mcp/serializer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/codecs.h"
#include "server/mcp/jsonrpc.h"

namespace bridle::serializer {
namespace {

using jsonrpc::json_string;

// The lists don't change while the server runs; a client may still look again now and then.
constexpr int kListTtlMs = 60'000;

// Everything is appended to the one text that goes out: a picture or a long snapshot is copied once.
void add_member(std::string& out, std::string_view name, std::string_view json) {
  out.append("\"").append(name).append("\":").append(json);
}

void add_text(std::string& out, std::string_view name, std::string_view text) {
  add_member(out, name, json_string(text));
}

bool is_base64(std::string_view data) {
  return std::all_of(data.begin(), data.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/' ||
           c == '=' || c == '-' || c == '_';
  });
}

// Base64 goes out as it is, unless it isn't base64: then it is escaped like any text.
void add_base64(std::string& out, std::string_view name, const std::string& data) {
  if (!is_base64(data)) return add_text(out, name, data);
  out.append("\"").append(name).append("\":\"").append(data).append("\"");
}

void add_text_block(std::string& out, std::string_view text) {
  out += R"({"type":"text",)";
  add_text(out, "text", text);
  out += "}";
}

void add_media_block(std::string& out, std::string_view type, const Content& content) {
  out += "{";
  add_text(out, "type", type);
  out += ",";
  add_base64(out, "data", content.data);
  out += ",";
  add_text(out, "mimeType", content.mime_type);
  out += "}";
}

// TextResourceContents or BlobResourceContents.
void add_contents(std::string& out, const Content& content) {
  out += "{";
  add_text(out, "uri", content.uri);
  if (!content.mime_type.empty()) {
    out += ",";
    add_text(out, "mimeType", content.mime_type);
  }
  out += ",";
  if (content.data.empty())
    add_text(out, "text", content.text);
  else
    add_base64(out, "blob", content.data);
  out += "}";
}

void add_resource_block(std::string& out, const Content& content) {
  out += R"({"type":"resource","resource":)";
  add_contents(out, content);
  out += "}";
}

void add_link_block(std::string& out, const Content& content) {
  out += R"({"type":"resource_link",)";
  add_text(out, "uri", content.uri);
  out += ",";
  add_text(out, "name", content.name.empty() ? content.uri : content.name);
  if (!content.mime_type.empty()) {
    out += ",";
    add_text(out, "mimeType", content.mime_type);
  }
  if (content.size >= 0) out += R"(,"size":)" + std::to_string(content.size);
  out += "}";
}

// A kind that the revision lacks becomes words, so that nothing is lost silently.
void add_content(std::string& out, Revision revision, const Content& content) {
  switch (content.kind) {
    case Content::Kind::text:
      return add_text_block(out, content.text);
    case Content::Kind::image:
      return add_media_block(out, "image", content);
    case Content::Kind::audio:
      if (has_audio(revision)) return add_media_block(out, "audio", content);
      return add_text_block(out, "[audio, " + content.mime_type + ": this protocol revision has no audio content]");
    case Content::Kind::resource:
      return add_resource_block(out, content);
    case Content::Kind::resource_link:
      if (has_resource_links(revision)) return add_link_block(out, content);
      return add_text_block(out, content.name.empty() ? content.uri : content.name + ": " + content.uri);
  }
}

// Room for the contents and what stands around them, so that the text isn't moved while it grows.
std::size_t size_of(const std::vector<Content>& contents) {
  std::size_t size = 256;
  for (const Content& one : contents) size += one.text.size() + one.text.size() / 8 + one.data.size() + 256;
  return size;
}

// "SHOULD include serverInfo on every result": 2026-07-28, Result. Who we are in full stands in server/discover; every
// other result names us briefly.
Json short_info() { return {{"name", "bridle"}, {"version", BRIDLE_VERSION}}; }

std::string envelope_with(const Json& info) {
  return R"("resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":)" + dump(info) + "}";
}

std::string modern_envelope(Revision revision) {
  static const std::string kText = envelope_with(short_info());
  return is_modern(revision) ? kText : std::string();
}

// A bit's ring with its reins. As a data: URI: nothing is fetched to show it.
constexpr std::string_view kIcon =
    R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" fill="none" stroke="#8a4b1f" stroke-width="5">)"
    R"(<circle cx="24" cy="29" r="12"/><path d="M15 20 6 4M33 20 42 4"/></svg>)";

Json icons() {
  return {{{"src", "data:image/svg+xml;base64," + base64(kIcon)}, {"mimeType", "image/svg+xml"}, {"sizes", {"any"}}}};
}

std::string caching(Revision revision) {
  if (!is_modern(revision)) return {};
  return R"("ttlMs":)" + std::to_string(kListTtlMs) + R"(,"cacheScope":"private")";
}

Json annotations(Revision revision, const ToolSpec& spec) {
  Json out = {{"readOnlyHint", spec.read_only}};
  if (!has_titles(revision) && !spec.title.empty()) out["title"] = spec.title;
  // The defaults are destructive, not idempotent, open world; hints beyond readOnly mean nothing for a reader.
  if (!spec.read_only && !spec.destructive) out["destructiveHint"] = false;
  if (!spec.read_only && spec.idempotent) out["idempotentHint"] = true;
  if (!spec.open_world) out["openWorldHint"] = false;
  return out;
}

std::string join(std::string_view first, std::string_view second) {
  std::string out(first);
  if (!first.empty() && !second.empty()) out += ",";
  return out.append(second);
}

}  // namespace

std::string tool(Revision revision, const ToolSpec& spec) {
  std::string out = "{";
  add_text(out, "name", spec.name);
  if (has_titles(revision) && !spec.title.empty()) {
    out += ",";
    add_text(out, "title", spec.title);
  }
  out += ",";
  add_text(out, "description", spec.description);
  out += ",";
  add_member(out, "inputSchema", dump(spec.input_schema));
  if (has_structured_content(revision) && !spec.output_schema.is_null()) {
    out += ",";
    add_member(out, "outputSchema", dump(spec.output_schema));
  }
  if (has_annotations(revision)) {
    out += ",";
    add_member(out, "annotations", dump(annotations(revision, spec)));
  }
  return out + "}";
}

std::string tool_list(Revision revision, const Toolbox& toolbox, const ToolScope* scope) {
  std::string out = R"({"tools":[)";
  bool first = true;
  for (const ToolSpec& spec : toolbox.all()) {
    if (!toolbox.lists(spec, scope)) continue;
    if (!first) out += ",";
    first = false;
    out += tool(revision, spec);
  }
  if (scope != nullptr) {
    for (const auto& spec : scope->own_tools()) {
      if (!first) out += ",";
      first = false;
      out += tool(revision, *spec);
    }
  }
  out += "]";
  const std::string tail = join(modern_envelope(revision), caching(revision));
  if (!tail.empty()) out += "," + tail;
  return out + "}";
}

std::string tool_result(Revision revision, const ToolResult& result) {
  std::string out;
  out.reserve(size_of(result.content));
  out += R"({"content":[)";
  for (std::size_t i = 0; i < result.content.size(); ++i) {
    if (i > 0) out += ",";
    add_content(out, revision, result.content[i]);
  }
  out += "]";
  // An object up to 2025-11-25, any value since.
  const bool structured = has_structured_content(revision) && !result.structured.is_null() &&
                          (result.structured.is_object() || is_modern(revision));
  if (structured) {
    out += ",";
    add_member(out, "structuredContent", dump(result.structured));
  }
  if (result.is_error) out += R"(,"isError":true)";
  const std::string envelope = modern_envelope(revision);
  if (!envelope.empty()) out += "," + envelope;
  return out + "}";
}

Json server_info(Revision revision) {
  Json info = short_info();
  if (has_titles(revision)) info["title"] = "bridle";
  if (has_implementation_details(revision)) {
    info["description"] = "Drives a real Chromium, and stops when it is told to.";
    info["icons"] = icons();
  }
  return info;
}

Json capabilities(Revision revision, const Catalogue& catalogue) {
  const auto with = [](Json members, bool said, const char* name) {
    if (said) members[name] = true;
    return members;
  };
  Json out = {{"logging", Json::object()}, {"tools", with(Json::object(), catalogue.tools_change, "listChanged")}};
  if (catalogue.has_resources()) {
    out["resources"] =
        with(with(Json::object(), catalogue.resources_change, "listChanged"), catalogue.resources_notify, "subscribe");
  }
  if (catalogue.has_prompts()) out["prompts"] = with(Json::object(), catalogue.prompts_change, "listChanged");
  const bool completes = catalogue.has_prompts() || catalogue.has_resources();
  if (completes && has_completions_capability(revision)) out["completions"] = Json::object();
  if (is_modern(revision)) out["extensions"] = {{"io.modelcontextprotocol/tasks", Json::object()}};
  return out;
}

namespace {

// The members that a resource, a template and a prompt share. An empty text is left out.
Json described(Revision revision, const std::string& name, const std::string& title, const std::string& description) {
  Json out = {{"name", name}};
  if (has_titles(revision) && !title.empty()) out["title"] = title;
  if (!description.empty()) out["description"] = description;
  return out;
}

}  // namespace

std::string resource_list(Revision revision, const std::vector<Resource>& resources) {
  Json list = Json::array();
  for (const Resource& one : resources) {
    Json entry = described(revision, one.name, one.title, one.description);
    entry["uri"] = one.uri;
    if (!one.mime_type.empty()) entry["mimeType"] = one.mime_type;
    if (one.size >= 0) entry["size"] = one.size;
    list.push_back(std::move(entry));
  }
  return wrap_result(revision, {{"resources", std::move(list)}}, true);
}

std::string template_list(Revision revision, const std::vector<ResourceTemplate>& templates) {
  Json list = Json::array();
  for (const ResourceTemplate& one : templates) {
    Json entry = described(revision, one.name, one.title, one.description);
    entry["uriTemplate"] = one.uri_template;
    if (!one.mime_type.empty()) entry["mimeType"] = one.mime_type;
    list.push_back(std::move(entry));
  }
  return wrap_result(revision, {{"resourceTemplates", std::move(list)}}, true);
}

// A read shows a page as it is at this moment, so a client that caches must ask again.
std::string resource_contents(Revision revision, const std::vector<Content>& contents) {
  std::string out;
  out.reserve(size_of(contents));
  out += R"({"contents":[)";
  for (std::size_t i = 0; i < contents.size(); ++i) {
    if (i > 0) out += ",";
    add_contents(out, contents[i]);
  }
  out += "]";
  if (is_modern(revision)) out += "," + modern_envelope(revision) + R"(,"ttlMs":0,"cacheScope":"private")";
  return out + "}";
}

std::string prompt_list(Revision revision, const std::vector<PromptSpec>& prompts) {
  Json list = Json::array();
  for (const PromptSpec& one : prompts) {
    Json entry = described(revision, one.name, one.title, one.description);
    for (const PromptArgument& argument : one.arguments) {
      Json shown = {{"name", argument.name}, {"required", argument.required}};
      if (!argument.description.empty()) shown["description"] = argument.description;
      entry["arguments"].push_back(std::move(shown));
    }
    list.push_back(std::move(entry));
  }
  return wrap_result(revision, {{"prompts", std::move(list)}}, true);
}

std::string prompt_result(Revision revision, const PromptSpec& spec, const std::vector<PromptMessage>& messages) {
  std::string out = "{";
  add_text(out, "description", spec.description);
  out += R"(,"messages":[)";
  for (std::size_t i = 0; i < messages.size(); ++i) {
    out += i > 0 ? ",{" : "{";
    add_text(out, "role", messages[i].role);
    out += R"(,"content":)";
    add_content(out, revision, messages[i].content);
    out += "}";
  }
  out += "]";
  if (const auto envelope = modern_envelope(revision); !envelope.empty()) out += "," + envelope;
  return out + "}";
}

std::string completion(Revision revision, std::vector<std::string> values) {
  constexpr std::size_t kMost = 100;
  const std::size_t total = values.size();
  if (total > kMost) values.resize(kMost);
  return wrap_result(revision, {{"completion", {{"values", values}, {"total", total}, {"hasMore", total > kMost}}}},
                     false);
}

std::string task_created(const Json& task) {
  Json out = task;
  out["resultType"] = "task";
  out["_meta"] = {{"io.modelcontextprotocol/serverInfo", short_info()}};
  return dump(out);
}

std::string task_state(Revision revision, const Json& state, std::string_view result) {
  std::string out = wrap_result(revision, state, false);
  if (result.empty()) return out;
  out.back() = ',';
  add_member(out, "result", result);
  return out + "}";
}

std::string discovery(const Json& members) {
  const std::string inner = dump(members);
  return inner.substr(0, inner.size() - 1) + "," + envelope_with(server_info(Revision::v2026_07_28)) + "," +
         caching(Revision::v2026_07_28) + "}";
}

std::string empty_result(Revision revision) { return "{" + modern_envelope(revision) + "}"; }

std::string wrap_result(Revision revision, const Json& members, bool cacheable) {
  std::string inner = dump(members);
  inner = inner.size() > 2 ? inner.substr(1, inner.size() - 2) : std::string();
  inner = join(inner, modern_envelope(revision));
  if (cacheable) inner = join(inner, caching(revision));
  return "{" + inner + "}";
}

}  // namespace bridle::serializer
