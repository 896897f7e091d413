// Downloads as resources, over the wire: named in the result, announced, listed and read, in each era.

#include "tests/support/catch.h"
#include "tests/wire/support/bridle_process.h"
#include "tests/wire/support/browser_server.h"

using namespace bridle;
using namespace bridle::wire;

namespace {

Json downloads_in(McpClient& client) {
  Json found = Json::array();
  const Json list = client.post(request("resources/list", "list")).only().at("result").at("resources");
  for (const Json& one : list) {
    if (one["uri"].get<std::string>().starts_with("bridle://download/")) found.push_back(one);
  }
  return found;
}

Json blob_of(McpClient& client, const Json& uri) {
  const auto read = client.post(request("resources/read", "read", {{"uri", uri}}));
  INFO(read.only().dump());
  return read.only().at("result").at("contents").at(0).at("blob");
}

BrowserSettings kept_in(const TempDir& folder) {
  BrowserSettings settings;
  settings.files = std::make_shared<OutputFolder>(folder.path() + "/out");
  return settings;
}

}  // namespace

TEST_CASE("downloads: of a session: a link in the result, list_changed, and the file itself", "[wire.list-changed]") {
  const TempDir folder;
  BrowserServer server({}, kept_in(folder));
  McpClient client(server.port());
  client.open();
  auto standing = client.get();
  CHECK(standing->head().status == 200);
  const Json args = {{"url", server.site.url("/download?name=data.csv&size=3000")}};
  const auto answer = client.call(1, "browser_navigate", args);
  const Json content = answer.only()["result"]["content"];
  REQUIRE(content.size() == 2);
  CHECK(content[1]["type"] == "resource_link");
  CHECK(content[1]["name"] == "data.csv");
  CHECK(content[1]["mimeType"] == "text/csv");
  CHECK(content[1]["size"] == 3000);
  const auto changed = standing->next_message();
  REQUIRE(changed);
  CHECK((*changed)["method"] == "notifications/resources/list_changed");
  const Json listed = downloads_in(client);
  REQUIRE(listed.size() == 1);
  CHECK(listed[0]["uri"] == content[1]["uri"]);
  CHECK(listed[0]["size"] == 3000);
  CHECK(blob_of(client, listed[0]["uri"]).get<std::string>().size() == 4000);

  // Before 2025-06-18 there are no links: the same in words. Another session has none of it.
  McpClient older(server.port(), Revision::v2025_03_26);
  older.open();
  CHECK(downloads_in(older).empty());
  CHECK(older.post(request("resources/read", 2, {{"uri", listed[0]["uri"]}})).error_code() == -32002);
  const Json words = older.call(3, "browser_navigate", args).only()["result"]["content"];
  REQUIRE(words.size() == 2);
  CHECK(words[1]["type"] == "text");
  CHECK_THAT(words[1]["text"].get<std::string>(), matchers::Contains("bridle://download/"));
}

TEST_CASE("downloads: without a session: listeners are told; an isolated tab's is for whoever knows it",
          "[wire.resources]") {
  const TempDir folder;
  BrowserServer server({}, kept_in(folder));
  McpClient client(server.port(), Revision::v2026_07_28);
  Json listen = request("subscriptions/listen", "l", {{"notifications", {{"resourcesListChanged", true}}}});
  auto stream = client.start(listen);
  REQUIRE(stream->next_message());  // acknowledged
  const Json opened = client.call(1, "browser_tabs", {{"action", "new"}, {"isolated", true}}).only()["result"];
  const Json tab = opened["structuredContent"]["tab"];
  const auto fetch = [&](const std::string& name, const Json& more) {
    Json args{{"url", server.site.url("/download?size=30&name=" + name)}};
    args.update(more);
    return client.call(name, "browser_navigate", args).only().at("result").at("content").at(1).at("uri");
  };
  const Json secret = fetch("secret.txt", {{"tab", tab}});
  CHECK(downloads_in(client).empty());
  const Json open = fetch("open.txt", Json::object());
  const auto changed = stream->next_message();
  REQUIRE(changed);
  CHECK((*changed)["method"] == "notifications/resources/list_changed");
  const Json listed = downloads_in(client);
  REQUIRE(listed.size() == 1);
  CHECK(listed[0]["uri"] == open);
  CHECK(blob_of(client, secret).get<std::string>().size() == 40);
}
