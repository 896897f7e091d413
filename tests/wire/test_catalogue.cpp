// Resources, prompts and completion in every revision; each message is held against its schema by the client.

#include "tests/support/catch.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/test_server.h"

using namespace bridle;
using namespace bridle::wire;

namespace {

constexpr Revision kStreamable[] = {Revision::v2025_03_26, Revision::v2025_06_18, Revision::v2025_11_25,
                                    Revision::v2026_07_28};

Json result(const Answer& answer) {
  INFO(answer.only().dump());
  CHECK(answer.status == 200);
  return answer.only().at("result");
}

}  // namespace

TEST_CASE("catalogue: resources are listed and read in each revision", "[wire.tool-entries] [wire.resources]") {
  TestServer server({}, true);
  for (const Revision revision : kStreamable) {
    CAPTURE(to_string(revision));
    McpClient client(server.port(), revision);
    if (!is_modern(revision)) client.open();
    const Json list = result(client.post(request("resources/list", 1)))["resources"];
    REQUIRE(list.size() == 3);
    CHECK(list[0]["uri"] == "test://static-text");
    CHECK(list[0].contains("title") == has_titles(revision));
    const Json templates = result(client.post(request("resources/templates/list", 2)))["resourceTemplates"];
    CHECK(templates[0]["uriTemplate"] == "test://template/{id}/data");
    const auto read = [&](const char* uri, const Json& id) {
      return client.post(request("resources/read", id, {{"uri", uri}}));
    };
    const Json text = result(read("test://static-text", 3));
    CHECK(text["contents"][0]["text"] == "This is the content of the static text resource.");
    CHECK(text.contains("ttlMs") == is_modern(revision));
    CHECK(result(read("test://static-binary", 4))["contents"][0]["blob"].get<std::string>().starts_with("iVBOR"));
    const Json made = result(read("test://template/a%20b/data", 5))["contents"][0];
    CHECK(Json::parse(made["text"].get<std::string>())["id"] == "a b");
    const auto missing = read("test://template/1/2/data", 6);
    CHECK(missing.status == 200);
    CHECK(missing.error_code() == (is_modern(revision) ? -32602 : -32002));
    CHECK(missing.only()["error"]["data"]["uri"] == "test://template/1/2/data");
    CHECK(client.post(request("resources/read", 7)).error_code() == -32602);
    CHECK(client.post(request("resources/list", 8, {{"cursor", "x"}})).error_code() == -32602);
  }
}

TEST_CASE("catalogue: prompts, their arguments and completion", "[wire.prompts]") {
  TestServer server({}, true);
  for (const Revision revision : kStreamable) {
    CAPTURE(to_string(revision));
    McpClient client(server.port(), revision);
    if (!is_modern(revision)) client.open();
    CHECK(result(client.post(request("prompts/list", 1)))["prompts"].size() == 5);
    const auto get = [&](const Json& id, const Json& params) {
      return client.post(request("prompts/get", id, params));
    };
    const Json both = {{"arg1", "one"}, {"arg2", "two"}};
    const Json got = result(get(2, {{"name", "test_prompt_with_arguments"}, {"arguments", both}}));
    CHECK(got["messages"][0]["content"]["text"] == "Prompt with arguments: arg1='one', arg2='two'");
    CHECK(get(3, {{"name", "test_prompt_with_arguments"}, {"arguments", {{"arg1", "one"}}}}).error_code() == -32602);
    CHECK(get(4, {{"name", "test_prompt_with_arguments"}, {"arguments", {{"arg1", 1}, {"arg2", "2"}}}}).error_code() ==
          -32602);
    CHECK(get(5, {{"name", "no_such_prompt"}}).error_code() == -32602);
    CHECK(result(get(6, {{"name", "test_prompt_with_image"}}))["messages"][0]["content"]["type"] == "image");
    const auto complete = [&](const Json& id, const Json& ref, const Json& argument) {
      return client.post(request("completion/complete", id, {{"ref", ref}, {"argument", argument}}));
    };
    const Json prompt = {{"type", "ref/prompt"}, {"name", "test_prompt_with_arguments"}};
    const Json values = result(complete(7, prompt, {{"name", "arg1"}, {"value", "TESTE"}}))["completion"];
    CHECK(values["values"] == Json({"tested"}));
    CHECK(values["total"] == 1);
    const Json by_template = {{"type", "ref/resource"}, {"uri", "test://template/{id}/data"}};
    CHECK(result(complete(8, by_template, {{"name", "id"}, {"value", ""}}))["completion"]["values"].empty());
    CHECK(complete(9, {{"type", "ref/prompt"}, {"name", "none"}}, {{"name", "a"}, {"value", ""}}).error_code() ==
          -32602);
    CHECK(complete(10, prompt, {{"name", "arg1"}}).error_code() == -32602);
  }
}

TEST_CASE("catalogue: a server without one has neither the methods nor the capabilities", "[wire.capabilities]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  for (const char* method : {"resources/list", "resources/read", "resources/subscribe", "prompts/list", "prompts/get",
                             "completion/complete"}) {
    CAPTURE(method);
    CHECK(client.post(request(method, method)).error_code() == -32601);
  }
}

TEST_CASE("catalogue: a subscription tells of its resource alone, a list change everybody", "[wire.list-changed]") {
  TestServer server({}, true);
  McpClient client(server.port());
  client.open();
  auto stream = client.get();
  REQUIRE(stream->head().status == 200);
  const auto subscribe = [&](const char* method, const char* uri, const Json& id) {
    return client.post(request(method, id, {{"uri", uri}})).error_code();
  };
  CHECK(subscribe("resources/subscribe", "test://watched-resource", 1) == 0);
  CHECK(subscribe("resources/subscribe", "test://nothing", 2) == -32002);
  server.catalogue.resource_updated("test://static-text", nullptr);
  server.catalogue.resource_updated("test://watched-resource", nullptr);
  const auto updated = stream->next_message();
  REQUIRE(updated);
  CHECK((*updated)["params"]["uri"] == "test://watched-resource");
  CHECK(subscribe("resources/unsubscribe", "test://watched-resource", 3) == 0);
  server.catalogue.resource_updated("test://watched-resource", nullptr);
  server.catalogue.list_changed("resources", nullptr);
  const auto changed = stream->next_message();
  REQUIRE(changed);
  CHECK((*changed)["method"] == "notifications/resources/list_changed");
}

TEST_CASE("catalogue: listen takes what is asked for and offered, and no more", "[wire.listen]") {
  TestServer server({}, true);
  McpClient client(server.port(), Revision::v2026_07_28);
  const Json filter = {{"promptsListChanged", true}, {"resourceSubscriptions", {"test://watched-resource"}}};
  auto stream = client.start(request("subscriptions/listen", 7, {{"notifications", filter}}));
  const auto ack = stream->next_message();
  REQUIRE(ack);
  CHECK((*ack)["params"]["notifications"] == filter);
  server.catalogue.list_changed("tools", nullptr);
  server.catalogue.resource_updated("test://static-text", nullptr);
  server.catalogue.resource_updated("test://watched-resource", nullptr);
  server.catalogue.list_changed("prompts", nullptr);
  const auto updated = stream->next_message();
  REQUIRE(updated);
  CHECK((*updated)["params"]["uri"] == "test://watched-resource");
  CHECK((*updated)["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == 7);
  const auto changed = stream->next_message();
  REQUIRE(changed);
  CHECK((*changed)["method"] == "notifications/prompts/list_changed");
}

TEST_CASE("catalogue: a cut result names the resource that holds the whole, and the list says that it grew",
          "[tool.max-output]") {
  TestServer server({}, true);
  McpClient client(server.port());
  client.open();
  auto stream = client.get();
  REQUIRE(stream->head().status == 200);
  const std::string text = client.call(1, "long_text", Json::object()).text();
  const auto at = text.find("bridle://result/");
  REQUIRE(at != std::string::npos);
  CHECK(text.starts_with("the begin\n"));
  const std::string uri = text.substr(at, text.find(' ', at) - at);
  const Json read = result(client.post(request("resources/read", 2, {{"uri", uri}})));
  CHECK(read["contents"][0]["text"] == "the beginning and the end");
  CHECK(client.post(request("resources/read", 3, {{"uri", uri + "x"}})).error_code() == -32002);
  const auto changed = stream->next_message();
  REQUIRE(changed);
  CHECK((*changed)["method"] == "notifications/resources/list_changed");
}

TEST_CASE("catalogue: a read or a prompt that asks and waits can be cancelled as a call can",
          "[cancel.wire.question]") {
  TestServer server({}, true);
  McpClient client(server.port());
  client.open({{"elicitation", Json::object()}});
  auto asking = client.start(request("prompts/get", 1, {{"name", "test_input_required_result_prompt"}}));
  const auto question = asking->next_message();
  REQUIRE(question);
  CHECK((*question)["method"] == "elicitation/create");
  CHECK(server.counter("registry") == 1);
  CHECK(client.cancel(1) == 202);
  const auto withdrawn = asking->next_message();
  REQUIRE(withdrawn);
  CHECK((*withdrawn)["method"] == "notifications/cancelled");
  CHECK_FALSE(asking->next_message());
  CHECK(asking->ended_cleanly());
  CHECK(eventually([&] { return server.counter("registry") == 0; }));
}
