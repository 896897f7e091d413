// browser_heap: snapshots, what is in them, what came between two, what keeps an object [tool.heap].
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// Its button takes ten rows out of the document and keeps them.
constexpr const char* kLeaks =
    "<!doctype html><title>Leaks</title><body><button id=leak>Leak</button><script>"
    "class LeakedThing { constructor() { this.words = [1, 2, 3] } }\n"
    "window.keptRows = []; leak.onclick = () => { for (let i = 0; i < 10; i++) { const row = "
    "document.createElement('section');"
    "row.thing = new LeakedThing(); document.body.append(row); row.remove(); keptRows.push(row) } }</script>";

Json named(const Json& list, const std::string& name) {
  for (const Json& entry : list)
    if (entry["name"] == name) return entry;
  return {};
}

void open_leaks(Session& session) {
  web().set_page("/heap", kLeaks);
  session.navigate(web().url("/heap"));
}

Json take(const char* filename) { return {{"action", "take"}, {"filename", filename}}; }

}  // namespace

TEST_CASE("heap: a snapshot is saved and summed up by class", "[tool.heap]") {
  Session session;
  open_leaks(session);
  session.ok("browser_click", at("#leak"));
  const auto taken = session.ok("browser_heap", take("one"));
  INFO(taken.text);
  const auto path = taken.structured["path"].get<std::string>();
  CHECK(path.ends_with("/one.heapsnapshot"));
  CHECK(taken.structured["bytes"].get<long long>() > 100'000);
  CHECK(taken.structured["detached"].get<int>() >= 10);
  CHECK_THAT(taken.section("Result"), Contains("detached DOM nodes") && Contains("Detached <section>"));
  const auto rows =
      session.ok("browser_heap", {{"action", "retainers"}, {"filename", "one.heapsnapshot"}, {"node", "LeakedThing"}});
  INFO(rows.text);
  CHECK(rows.structured["objects"] == 10);
  CHECK_THAT(rows.section("Result"), Contains(".keptRows -> Array @") && Contains(".thing -> LeakedThing @"));
  const auto again = session.ok("browser_heap", {{"action", "summary"}, {"filename", "one.heapsnapshot"}});
  CHECK(again.structured["bytes"] == taken.structured["bytes"]);
  // As V8 wrote it: a JSON text with its lists as long as it says.
  std::ifstream file(path, std::ios::binary);
  const Json whole = Json::parse(file);
  CHECK(whole["nodes"].size() ==
        whole["snapshot"]["node_count"].get<std::size_t>() * whole["snapshot"]["meta"]["node_fields"].size());
  CHECK(whole["edges"].size() == whole["snapshot"]["edge_count"].get<std::size_t>() * 3);
}

TEST_CASE("heap: what came between two snapshots, by object", "[tool.heap]") {
  Session session;
  open_leaks(session);
  session.ok("browser_heap", take("before"));
  session.ok("browser_click", at("#leak"));
  session.ok("browser_heap", take("after"));
  const auto compared = session.ok(
      "browser_heap", {{"action", "compare"}, {"base", "before.heapsnapshot"}, {"filename", "after.heapsnapshot"}});
  INFO(compared.text);
  CHECK(compared.structured["sameHeap"] == true);
  const auto things = named(compared.structured["classes"], "LeakedThing");
  CHECK(things["added"] == 10);
  CHECK(things["removed"] == 0);
  const auto rows = named(compared.structured["classes"], "Detached <section>");
  CHECK(rows["added"].get<int>() >= 10);
}

TEST_CASE("heap: bad input is told", "[tool.heap]") {
  Session session;
  open_leaks(session);
  const auto error = [&](const Json& arguments) { return session.error("browser_heap", arguments).section("Error"); };
  CHECK_THAT(error({{"action", "summary"}}), Contains("needs filename"));
  CHECK_THAT(error({{"action", "compare"}, {"filename", "x"}}), Contains("needs base"));
  CHECK_THAT(error({{"action", "retainers"}, {"filename", "x"}}), Contains("needs node"));
  CHECK_THAT(error({{"action", "take"}, {"node", "x"}}), Contains("node goes with action retainers"));
  CHECK_THAT(error({{"action", "summary"}, {"filename", "x"}, {"base", "y"}}),
             Contains("base goes with action compare"));
  CHECK_THAT(error({{"action", "summary"}, {"filename", "nothing.heapsnapshot"}}), Contains("There is no file"));
  CHECK_THAT(error({{"action", "summary"}, {"filename", "/etc/passwd"}}), Contains("may not be read"));
  session.scope().files()->write({}, "text.heapsnapshot", "no snapshot");
  CHECK_THAT(error({{"action", "summary"}, {"filename", "text.heapsnapshot"}}), Contains("is no heap snapshot"));
  session.ok("browser_heap", take("one"));
  CHECK_THAT(error({{"action", "retainers"}, {"filename", "one.heapsnapshot"}, {"node", "NoSuchClass"}}),
             Contains("no object of class"));
}

TEST_CASE("heap: each session has its own", "[tool.heap]") {
  Session one;
  Session two;
  open_leaks(one);
  two.navigate(web().url("/"));
  one.ok("browser_click", at("#leak"));
  auto first = one.start("browser_heap", take("mine"));
  const auto second = two.ok("browser_heap", take("mine"));
  CHECK_THAT(second.text, !Contains("LeakedThing") && !Contains("Detached <section>"));
  const auto answer = first->get();
  CHECK_FALSE(answer.is_error);
  CHECK_THAT(
      two.error("browser_heap", {{"action", "summary"}, {"filename", answer.structured["path"]}}).section("Error"),
      Contains("may not be read"));
}

TEST_CASE("heap: an abort while it is taken leaves no file and a tab that works", "[tool.heap] [cancel.browser]") {
  Session session;
  open_leaks(session);
  // A busy page gives no snapshot yet.
  session.evaluate("() => { setTimeout(() => { const end = Date.now() + 1500; while (Date.now() < end); }, 20) }");
  auto running = session.start("browser_heap", take("gone"));
  REQUIRE(eventually([&] { return session.browser()->pending_commands() > 0; }));
  running->abort_and_get();
  CHECK_FALSE(session.tab()->extras().find("heap"));
  const auto folder = session.scope().files()->path();
  if (std::filesystem::exists(folder)) CHECK(std::filesystem::is_empty(folder));
  CHECK(session.evaluate("document.title") == "Leaks");
  session.ok("browser_heap", take("kept"));
}

TEST_CASE("heap: a tab that is closed or a browser that is killed meanwhile ends it with words", "[tool.heap]") {
  House house;
  Session session(house);
  open_leaks(session);
  session.evaluate("() => { setTimeout(() => { const end = Date.now() + 20000; while (Date.now() < end); }, 20) }");
  auto running = session.start("browser_heap", take("gone"));
  REQUIRE(eventually([&] { return session.browser()->pending_commands() > 0; }));
  ::kill(session.browser()->pid(), SIGKILL);
  const auto answer = running->get();
  CHECK(answer.is_error);
  CHECK(answer.unexpected.empty());
}
