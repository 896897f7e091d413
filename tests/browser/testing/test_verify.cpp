// browser_verify: what the page shows, or what there is instead [tool.verify].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

std::string passes(Session& session, const Json& args) { return session.ok("browser_verify", args).section("Result"); }
std::string fails(Session& session, const Json& args) { return session.error("browser_verify", args).section("Error"); }

}  // namespace

TEST_CASE("verify: text, elements, lists and values, or what there is instead", "[tool.verify]") {
  Session session;
  web().set_page(
      "/verify",
      "<!doctype html><title>Shop</title><button>Save draft</button><p hidden>Secret offer</p>"
      "<ul id=l><li>Apples</li><li>Pears</li></ul><input id=q aria-label=Query value=shoes>"
      "<input id=p type=password value=hunter2><input id=c type=checkbox checked>"
      "<select id=s><option value=de>Germany<option value=fr selected>France</select>"
      "<x-a></x-a><script>customElements.define('x-a', class extends HTMLElement { constructor() { super();"
      "this.attachShadow({mode: 'closed'}).innerHTML = '<p>In a closed root</p><button>Closed</button>' } })</script>"
      "<iframe srcdoc='<p>Inside the frame</p><button>Framed</button>'></iframe>");
  session.navigate(web().url("/verify"));
  CHECK_THAT(passes(session, {{"what", "text"}, {"text", "apples"}}),
             Contains("passed: the text \"apples\" is visible"));
  passes(session, {{"what", "text"}, {"text", "Inside the frame"}});
  CHECK_THAT(fails(session, {{"what", "text"}, {"text", "Secret offer"}}), Contains("is not visible on the page"));

  CHECK_THAT(passes(session, {{"what", "element"}, {"role", "button"}, {"name", "Save"}}),
             Contains("passed: button \"Save draft\" is visible"));
  passes(session, {{"what", "element"}, {"role", "button"}, {"name", "Framed"}});
  passes(session, {{"what", "element"}, {"target", "#l"}});
  CHECK_THAT(fails(session, {{"what", "element"}, {"role", "button"}, {"name", "Sav it"}}), Contains("Save draft"));
  CHECK_THAT(fails(session, {{"what", "element"}, {"target", "p[hidden]"}}), Contains("exists, but is not visible"));

  passes(session, {{"what", "text"}, {"text", "In a closed root"}});
  passes(session, {{"what", "element"}, {"role", "button"}, {"name", "Closed"}});
  passes(session, {{"what", "list"}, {"target", "#l"}, {"items", {"Apples", "Pears"}}});
  passes(session, {{"what", "list"}, {"element", "The fruit"}, {"ref", "#l"}, {"items", {"Apples"}}});
  CHECK_THAT(fails(session, {{"what", "list"}, {"target", "#l"}, {"items", {"Pears", "Apples"}}}),
             Contains("doesn't show \"Apples\" where it should be; it shows \"Apples Pears\""));

  passes(session, {{"what", "value"}, {"target", "#q"}, {"value", "shoes"}});
  CHECK_THAT(fails(session, {{"what", "value"}, {"target", "#q"}, {"value", "hats"}}),
             Contains("textbox \"Query\" holds \"shoes\""));
  passes(session, {{"what", "value"}, {"target", "#c"}, {"value", "true"}});
  CHECK_THAT(fails(session, {{"what", "value"}, {"target", "#c"}, {"value", "false"}}), Contains("holds \"true\""));
  passes(session, {{"what", "value"}, {"target", "#s"}, {"value", "France"}});
  passes(session, {{"what", "value"}, {"target", "#s"}, {"value", "fr"}});
  // A password is compared, and never told.
  passes(session, {{"what", "value"}, {"target", "#p"}, {"value", "hunter2"}});
  const auto wrong = fails(session, {{"what", "value"}, {"target", "#p"}, {"value", "hunter3"}});
  CHECK_THAT(wrong, Contains("[value hidden]") && !Contains("hunter2"));

  CHECK_THAT(fails(session, {{"what", "text"}}), Contains("what text needs text"));
  CHECK_THAT(fails(session, {{"what", "element"}}), Contains("what element needs role"));
  CHECK_THAT(fails(session, {{"what", "list"}, {"target", "#l"}}), Contains("what list needs items"));
  CHECK_THAT(fails(session, {{"what", "value"}, {"target", "#q"}}), Contains("what value needs value"));
}

TEST_CASE("verify: an abort while the page is busy, and the tab stays usable", "[tool.verify] [cancel.browser]") {
  Session session;
  session.navigate(web().url("/plain"));
  keep_busy(session, "/api/json?busy-verify");
  auto running = session.start("browser_verify", {{"what", "text"}, {"text", "x"}});
  REQUIRE(eventually([&] { return session.browser()->pending_commands() > 1; }));
  running->abort_and_get();
  session.tab()->session().post("Runtime.terminateExecution");
  CHECK(session.evaluate("1 + 1") == 2);
}
