
#include "server/result_store.h"
#include "tests/support/catch.h"
#include "tools/contract/catalogue.h"
#include "tools/resources/page_resources.h"

using namespace bridle;

namespace {

struct Tabs : ToolScope {
  Json list = Json::array();
  Json tabs() const override { return list; }
};

ToolSpec shows(const char* name, ToolResult result, Json* seen) {
  return {.name = name,
          .input_schema = {{"type", "object"}},
          .handler = [result = std::move(result), seen](ToolContext&, const Json& args) {
            *seen = args;
            return result;
          }};
}

}  // namespace

TEST_CASE("catalogue: a URI is matched against a template, segment by segment") {
  const char* tab = "bridle://tab/{tab}/snapshot";
  CHECK(match_uri(tab, "bridle://tab/t1/snapshot") == UriVariables{{"tab", "t1"}});
  CHECK(match_uri(tab, "bridle://tab/a%20b%2Fc/snapshot") == UriVariables{{"tab", "a b/c"}});
  CHECK(match_uri(tab, "bridle://tab/100%/snapshot") == UriVariables{{"tab", "100%"}});
  CHECK(match_uri(tab, "bridle://tab/%zz/snapshot") == UriVariables{{"tab", "%zz"}});
  for (const char* other : {"bridle://tab//snapshot", "bridle://tab/t1/t2/snapshot", "bridle://tab/t1/snapshot/",
                            "bridle://tab/t1", "bridle://tab/", "", "BRIDLE://tab/t1/snapshot"}) {
    CAPTURE(other);
    CHECK_FALSE(match_uri(tab, other));
  }
  CHECK(match_uri("x://{a}-{b}", "x://1-2") == UriVariables{{"a", "1"}, {"b", "2"}});
  CHECK(match_uri("x://all", "x://all") == UriVariables{});
  CHECK_FALSE(match_uri("x://{broken", "x://1"));
}

TEST_CASE("catalogue: completion takes what starts alike, whatever the case", "[wire.prompts]") {
  CHECK(starting_with({"Apple", "apricot", "bean"}, "AP") == std::vector<std::string>{"Apple", "apricot"});
  CHECK(starting_with({"a"}, "ab").empty());
  CHECK(starting_with({"a", "b"}, "").size() == 2);
}

TEST_CASE("catalogue: names are taken once") {
  Catalogue catalogue;
  add_page_prompts(catalogue);
  CHECK_THROWS_AS(add_page_prompts(catalogue), std::logic_error);
}

TEST_CASE("page resources: those whose tools are there, read through the tool") {
  Json seen;
  Toolbox toolbox;
  ToolResult snapshot = ToolResult::text("### Snapshot");
  toolbox.add(shows("browser_snapshot", snapshot, &seen));
  ToolResult picture = ToolResult::text("words");
  picture.content.push_back({.kind = Content::Kind::image, .data = "AAAA", .mime_type = "image/png"});
  toolbox.add(shows("browser_take_screenshot", picture, &seen));
  Catalogue catalogue;
  add_page_resources(catalogue, toolbox);

  const auto tabs = std::make_shared<Tabs>();
  ToolContext context;
  context.scope = tabs;
  const auto read = [&](const std::string& uri) {
    const auto match = catalogue.match(uri);
    REQUIRE(match.read != nullptr);
    return (*match.read)(context, uri, match.variables);
  };
  CHECK(catalogue.match("bridle://page/console").read == nullptr);
  CHECK_THROWS_AS(read("bridle://page/snapshot"), ResourceNotFound);  // reading opens no tab

  tabs->list = {{{"id", "t1"}, {"url", "http://a/"}}, {{"id", "t2"}, {"url", "http://b/"}}};
  const auto text = read("bridle://tab/t2/snapshot");
  CHECK(seen == Json{{"tab", "t2"}});
  REQUIRE(text.size() == 1);
  CHECK(text[0].text == "### Snapshot");
  CHECK(text[0].mime_type == "text/markdown");
  CHECK(text[0].uri == "bridle://tab/t2/snapshot");
  CHECK_THROWS_WITH(read("bridle://tab/t9/snapshot"), matchers::Contains("t1, t2"));
  const auto image = read("bridle://page/screenshot");
  CHECK(seen == Json::object());
  REQUIRE(image.size() == 1);
  CHECK(image[0].data == "AAAA");
  CHECK(image[0].mime_type == "image/png");

  std::vector<std::string> uris;
  for (const Resource& one : catalogue.list(tabs.get())) uris.push_back(one.uri);
  CHECK(uris == std::vector<std::string>{"bridle://page/snapshot", "bridle://page/screenshot", "bridle://requests",
                                         "bridle://tab/t1/snapshot", "bridle://tab/t2/snapshot",
                                         "bridle://tab/t1/screenshot", "bridle://tab/t2/screenshot"});
  const auto* by_tab = catalogue.find_template("bridle://tab/{tab}/snapshot");
  REQUIRE(by_tab != nullptr);
  CHECK(by_tab->complete(tabs.get(), "tab", "T2") == std::vector<std::string>{"t2"});
}

TEST_CASE("page resources: a tool that fails makes the read fail, with its words") {
  Json seen;
  Toolbox toolbox;
  toolbox.add(shows("browser_snapshot", ToolResult::error("### Error\nThe page crashed."), &seen));
  Catalogue catalogue;
  add_page_resources(catalogue, toolbox);
  const auto tabs = std::make_shared<Tabs>();
  tabs->list = {{{"id", "t1"}}};
  ToolContext context;
  context.scope = tabs;
  const auto match = catalogue.match("bridle://page/snapshot");
  CHECK_THROWS_WITH((*match.read)(context, "bridle://page/snapshot", match.variables), matchers::Contains("crashed"));
}

TEST_CASE("page prompts: arguments stand in the words, URLs are completed from the open tabs") {
  Catalogue catalogue;
  add_page_prompts(catalogue);
  const auto* form = catalogue.find_prompt("fill_form");
  REQUIRE(form != nullptr);
  ToolContext context;
  const auto messages = form->get(context, {{"data", "Name: Ada"}, {"url", "http://a/form"}});
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].content.text.find("Open http://a/form with browser_navigate") != std::string::npos);
  CHECK(messages[0].content.text.find("Name: Ada") != std::string::npos);
  CHECK(form->get(context, {{"data", "x"}})[0].content.text.starts_with("Stay on the page"));
  Tabs tabs;
  tabs.list = {{{"url", "about:blank"}}, {{"url", "http://a/1"}}, {{"url", "http://b/2"}}};
  CHECK(form->complete(&tabs, "url", "http://b") == std::vector<std::string>{"http://b/2"});
  CHECK(form->complete(&tabs, "url", "").size() == 2);
  CHECK(form->complete(&tabs, "data", "").empty());
  CHECK(form->complete(nullptr, "url", "").empty());
}

TEST_CASE("result store: kept for its owner alone, bounded, gone with the owner") {
  ResultStore store;
  auto owner = std::make_shared<Tabs>();
  const auto other = std::make_shared<Tabs>();
  const std::string uri = store.keep(owner, "browser_snapshot", "the whole text");
  const std::string id = uri.substr(std::string("bridle://result/").size());
  CHECK(id.size() >= 22);
  CHECK(store.find(id, owner.get()) == "the whole text");
  CHECK(store.find(id, other.get()) == std::nullopt);
  CHECK(store.find(id, nullptr) == std::nullopt);
  CHECK(store.find("x", owner.get()) == std::nullopt);
  REQUIRE(store.list(owner.get()).size() == 1);
  CHECK(store.list(owner.get())[0].size == 14);
  CHECK(store.list(other.get()).empty());
  CHECK(store.keep(owner, "t", std::string(ResultStore::kMaxBytes + 1, 'x')).empty());

  for (std::size_t i = 0; i < ResultStore::kMaxResults; ++i) store.keep(other, "t", "x");
  CHECK(store.size() == ResultStore::kMaxResults);
  CHECK(store.find(id, owner.get()) == std::nullopt);  // the oldest went
  store.keep(owner, "t", "mine");
  owner.reset();
  store.keep(other, "t", "x");
  CHECK(store.list(other.get()).size() == store.size());
  store.keep(other, "t", std::string(ResultStore::kMaxBytes, 'x'));
  CHECK(store.size() == 1);
}
