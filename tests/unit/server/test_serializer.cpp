#include <nlohmann/json.hpp>

#include "server/mcp/serializer.h"
#include "tests/support/catch.h"

using namespace bridle;

namespace {

ToolSpec spec() {
  return {.name = "tool",
          .title = "A tool",
          .description = "does things",
          .input_schema = {{"type", "object"}, {"additionalProperties", false}, {"x-kept", "verbatim"}},
          .output_schema = {{"type", "object"}},
          .destructive = true};
}

Json parsed(const std::string& text) { return Json::parse(text); }

}  // namespace

TEST_CASE("serializer: a tool's entry holds what the revision knows, and no more", "[wire.fields]") {
  struct Row {
    Revision revision;
    bool title, output, annotations;
  };
  for (const auto& row : {Row{Revision::v2024_11_05, false, false, false},
                          Row{Revision::v2025_03_26, false, false, true}, Row{Revision::v2025_06_18, true, true, true},
                          Row{Revision::v2025_11_25, true, true, true}, Row{Revision::v2026_07_28, true, true, true}}) {
    CAPTURE(to_string(row.revision));
    const Json entry = parsed(serializer::tool(row.revision, spec()));
    CHECK(entry["name"] == "tool");
    CHECK(entry["description"] == "does things");
    CHECK(entry["inputSchema"]["x-kept"] == "verbatim");
    CHECK(entry.contains("title") == row.title);
    CHECK(entry.contains("outputSchema") == row.output);
    CHECK(entry.contains("annotations") == row.annotations);
    if (row.annotations) CHECK(entry["annotations"].contains("title") == !row.title);
  }
}

TEST_CASE("serializer: hints are honest, and defaults are left out", "[wire.tool-entries]") {
  ToolSpec reader = spec();
  reader.read_only = true;
  reader.destructive = false;
  reader.open_world = false;
  const auto hints = [](const ToolSpec& one) { return parsed(serializer::tool(kLatestLegacy, one))["annotations"]; };
  CHECK(hints(reader) == Json{{"readOnlyHint", true}, {"openWorldHint", false}});
  CHECK(hints(spec()) == Json{{"readOnlyHint", false}});
  ToolSpec harmless = spec();
  harmless.destructive = false;
  harmless.idempotent = true;
  CHECK(hints(harmless) == Json{{"readOnlyHint", false}, {"destructiveHint", false}, {"idempotentHint", true}});
}

TEST_CASE("serializer: results by revision", "[wire.fields] [wire.structured]") {
  ToolResult result = ToolResult::text("words");
  result.content.push_back({.kind = Content::Kind::audio, .data = "QQ==", .mime_type = "audio/wav"});
  result.content.push_back({.kind = Content::Kind::resource_link, .uri = "a://b", .name = "b"});
  result.structured = {{"k", 1}};
  const Json oldest = parsed(serializer::tool_result(Revision::v2024_11_05, result));
  CHECK(oldest["content"][1]["type"] == "text");
  CHECK(oldest["content"][2] == Json{{"type", "text"}, {"text", "b: a://b"}});
  CHECK_FALSE(oldest.contains("structuredContent"));
  CHECK_FALSE(oldest.contains("isError"));
  const Json legacy = parsed(serializer::tool_result(Revision::v2025_06_18, result));
  CHECK(legacy["content"][1]["type"] == "audio");
  CHECK(legacy["content"][2]["type"] == "resource_link");
  CHECK(legacy["structuredContent"]["k"] == 1);
  CHECK_FALSE(legacy.contains("resultType"));
  const Json modern = parsed(serializer::tool_result(Revision::v2026_07_28, ToolResult::error("no")));
  CHECK(modern["isError"] == true);
  CHECK(modern["resultType"] == "complete");
  CHECK(modern["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "bridle");
  result.structured = Json::array({1});
  CHECK_FALSE(parsed(serializer::tool_result(Revision::v2025_11_25, result)).contains("structuredContent"));
  CHECK(parsed(serializer::tool_result(Revision::v2026_07_28, result))["structuredContent"] == Json::array({1}));
}

TEST_CASE("serializer: text is escaped and repaired; base64 goes out as it is, and what isn't base64 is escaped",
          "[wire.structured]") {
  ToolResult result = ToolResult::text("a\"b\\c\n\x01 \xff");
  result.content.push_back({.kind = Content::Kind::image, .data = "abc+/=", .mime_type = "image/png"});
  result.content.push_back({.kind = Content::Kind::image, .data = "bad\"data", .mime_type = "image/png"});
  result.content.push_back({.kind = Content::Kind::resource, .data = "QQ==", .mime_type = "x/y", .uri = "u"});
  const Json out = parsed(serializer::tool_result(kLatestLegacy, result));
  CHECK(out["content"][0]["text"] == "a\"b\\c\n\x01 \xEF\xBF\xBD");
  CHECK(out["content"][1]["data"] == "abc+/=");
  CHECK(out["content"][2]["data"] == "bad\"data");
  CHECK(out["content"][3]["resource"] == Json{{"uri", "u"}, {"mimeType", "x/y"}, {"blob", "QQ=="}});
}

TEST_CASE("serializer: the list is the same every time; only the modern one says how long it holds",
          "[wire.cache] [wire.tool-entries]") {
  Toolbox box;
  box.add(spec());
  CHECK(serializer::tool_list(kLatestLegacy, box) == serializer::tool_list(kLatestLegacy, box));
  CHECK(parsed(serializer::tool_list(kLatestLegacy, box)).size() == 1);
  const Json modern = parsed(serializer::tool_list(Revision::v2026_07_28, box));
  CHECK(modern["ttlMs"].get<int>() >= 0);
  CHECK(modern["cacheScope"] == "private");
  CHECK(serializer::empty_result(kLatestLegacy) == "{}");
}

TEST_CASE("serializer: who we are, by revision; in full only where the client asks for it",
          "[wire.discover] [wire.server-info]") {
  for (const auto revision : kRevisions) {
    CAPTURE(to_string(revision));
    const Json info = serializer::server_info(revision);
    CHECK(info["name"] == "bridle");
    CHECK(info["version"].is_string());
    CHECK(info.contains("title") == (revision >= Revision::v2025_06_18));
    CHECK(info.contains("description") == (revision >= Revision::v2025_11_25));
    CHECK(info.contains("icons") == (revision >= Revision::v2025_11_25));
    CHECK_FALSE(info.contains("websiteUrl"));
  }
  const Json icon = serializer::server_info(kLatestLegacy)["icons"].at(0);
  CHECK(icon["mimeType"] == "image/svg+xml");
  CHECK(icon["sizes"] == Json{"any"});
  CHECK(icon["src"].get<std::string>().starts_with("data:image/svg+xml;base64,PHN2Zy"));  // <svg
  const auto info_in = [](const std::string& result) {
    return parsed(result)["_meta"]["io.modelcontextprotocol/serverInfo"];
  };
  const Json discovered = parsed(serializer::discovery({{"supportedVersions", {"2026-07-28"}}}));
  CHECK(discovered["supportedVersions"].size() == 1);
  CHECK(discovered["resultType"] == "complete");
  CHECK(discovered["ttlMs"].get<int>() >= 0);
  CHECK(discovered["cacheScope"] == "private");
  CHECK(info_in(discovered.dump()) == serializer::server_info(Revision::v2026_07_28));
  CHECK(info_in(serializer::empty_result(Revision::v2026_07_28)).size() == 2);  // name and version
}
