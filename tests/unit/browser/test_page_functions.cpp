// The contract with the page's scripts (browser/page/world/page_contract.def), as C++ sends and reads it.

#include "browser/page/world/world.h"
#include "tests/support/catch.h"

using namespace bridle;

TEST_CASE("a page function's arguments have JavaScript's names; what isn't given isn't sent", "[page_functions]") {
  const auto snapshot = page_expression(page::Snapshot{.ref_start = 40, .frame_prefix = "", .mode = "delta"});
  CHECK(snapshot.name == "snapshot");
  CHECK(snapshot.args == Json{{"refStart", 40}, {"framePrefix", ""}, {"mode", "delta"}});
  const auto watch = page_expression(page::WatchAction{});
  CHECK(watch.name == "watchAction");
  CHECK(watch.args == Json::object());
  const auto chosen = page_expression(page::Select{.target = "#s", .values = {"a", "b"}});
  CHECK(chosen.args == Json{{"target", "#s"}, {"values", {"a", "b"}}});
  CHECK(page_expression(page::Actionable{.target = "e1", .timeout = 5, .hosts = false}).args ==
        Json{{"target", "e1"}, {"timeout", 5}, {"hosts", false}});
}

TEST_CASE("a page function's result is read by name; null, missing and mistyped fields keep their defaults",
          "[page_functions]") {
  page::Actionable::Result ready;
  Json value{{"ok", true},          {"ref", nullptr},     {"count", 2},     {"describe", "button \"Save\""},
             {"inputType", "file"}, {"tag", 7},           {"x", 3},         {"y", 4.5},
             {"isLink", true},      {"later", "unknown"}, {"role", nullptr}};
  ready.read(value);
  CHECK(ready.ok);
  CHECK(ready.ref == std::nullopt);
  CHECK(ready.count == 2);
  CHECK(ready.describe == "button \"Save\"");
  CHECK(ready.input_type == "file");
  CHECK(ready.tag.empty());
  CHECK(ready.x == 3);
  CHECK(ready.y == 4.5);
  CHECK(ready.is_link);
  CHECK_FALSE(ready.secret);

  page::HitResult::Result hit;
  Json none{{"ok", true}, {"hit", nullptr}, {"seen", Json::array()}};
  hit.read(none);
  CHECK(hit.hit == std::nullopt);
  Json missed{{"ok", true}, {"hit", false}, {"seen", {"mousedown"}}, {"hitInstead", "<p>"}, {"blocked", true}};
  hit.read(missed);
  CHECK(hit.hit == false);
  CHECK(hit.seen == page::List<page::Text>{"mousedown"});
  CHECK(hit.hit_instead == "<p>");

  page::Snapshot::Result snapshot;
  Json page{{"ok", true},
            {"yaml", "- text: a"},
            {"next", 7},
            {"frames", {{{"ref", "e1"}, {"token", "@"}}, {{"ref", "e2"}, {"token", nullptr}}}},
            {"closedHosts", 3}};
  snapshot.read(page);
  CHECK(snapshot.yaml == "- text: a");
  CHECK(snapshot.next == 7);
  REQUIRE(snapshot.frames.size() == 2);
  CHECK(snapshot.frames[0].token == "@");
  CHECK(snapshot.frames[1].ref == "e2");
  CHECK(snapshot.frames[1].token == std::nullopt);
  CHECK(snapshot.closed_hosts == 3);
}

TEST_CASE("a page function that fails, or returns nothing at all, is not ok", "[page_functions]") {
  for (Json value : {Json(), Json("text"), Json::array(), Json::object(), Json{{"ok", false}}, Json{{"ok", "true"}}}) {
    page::Describe::Result result;
    result.read(value);
    CHECK_FALSE(result.ok);
  }
  page::Describe::Result absent;
  Json value{{"ok", false}, {"error", "Nothing on the page matches \"#a\"."}, {"absent", true}};
  absent.read(value);
  CHECK(absent.absent);
  CHECK(absent.error == "Nothing on the page matches \"#a\".");
}
