// browser_generate_locator and browser_export_test [tool.locator] [tool.export-test].
#include <fstream>
#include <sstream>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

BrowserSettings with_testing() {
  BrowserSettings settings;
  settings.caps = {"testing"};
  return settings;
}
House& testing_house() {
  static House house(with_testing());
  return house;
}

std::string exported(Session& session) {
  const auto answer = session.ok("browser_export_test");
  const std::ifstream file(answer.structured["path"].get<std::string>());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("locator: of an element, also in frames of both kinds", "[tool.locator]") {
  Session session;
  web().set_page("/near", "<!doctype html><title>Near</title><button>Close by</button>");
  web().set_page("/far", "<!doctype html><title>Far</title><button>Far off</button>");
  web().set_page("/locators", "<!doctype html><button>Save</button><iframe name=near src='" + web().url("/near") +
                                  "'></iframe><iframe title=far src='" + web().cross_site_url("/far") + "'></iframe>");
  session.navigate(web().url("/locators"));
  const auto made = session.ok("browser_generate_locator", at("text=Save"));
  CHECK_THAT(made.section("Result"), Contains("getByRole('button', { name: 'Save' })\nCSS: button\nrole: role=button"));
  CHECK(made.structured["locator"] == "getByRole('button', { name: 'Save' })");
  CHECK(session.ok("browser_generate_locator", at("text=Close by")).structured["locator"] ==
        "locator('iframe[name=\"near\"]').contentFrame().getByRole('button', { name: 'Close by' })");
  CHECK(session.ok("browser_generate_locator", at("text=Far off")).structured["locator"] ==
        "locator('iframe[title=\"far\"]').contentFrame().getByRole('button', { name: 'Far off' })");
  CHECK_THAT(session.error("browser_generate_locator", at("#none")).section("Error"), Contains("#none"));
}

TEST_CASE("locator: --test-id-attribute holds for locators, targets and the snapshot's hints", "[tool.locator]") {
  BrowserSettings settings;
  settings.test_id = "data-el";
  House house(settings);
  Session session(house);
  web().set_page("/test-ids", "<!doctype html><button data-el=own data-testid=usual><i></i></button>");
  session.navigate(web().url("/test-ids"));
  CHECK(session.ok("browser_generate_locator", at("button")).structured["locator"] == "getByTestId('own')");
  CHECK(session.ok("browser_generate_locator", at("getByTestId('own')")).structured["css"] ==
        "button[data-el=\"own\"]");
  CHECK_THAT(session.snapshot(), Contains("[testid=own]"));
}

TEST_CASE("export: a session's actions, with locators of when they happened, and no secret", "[tool.export-test]") {
  Session session(testing_house());
  CHECK_THAT(session.error("browser_export_test").section("Error"), Contains("nothing to export"));
  web().set_page(
      "/to-export",
      "<!doctype html><title>Sign in</title><form onsubmit='event.preventDefault();document.body.innerHTML="
      "\"<h1>Hello \" + user.value + \"</h1>\"'><label>User <input id=user></label><label>Password "
      "<input type=password></label><label><input type=checkbox> Stay</label><button>Sign in</button></form>");
  session.navigate(web().url("/to-export"));
  session.ok("browser_fill_form", {{"fields",
                                    {{{"target", "#user"}, {"value", "Ann"}},
                                     {{"target", "[type=checkbox]"}, {"value", true}},
                                     {{"target", "[type=password]"}, {"value", "hunter2"}}}}});
  session.error("browser_click", at("#none"));
  session.ok("browser_click", at("text=Sign in"));
  session.ok("browser_verify", {{"what", "element"}, {"role", "heading"}, {"name", "Hello Ann"}});
  const auto text = exported(session);
  CHECK_THAT(text, Contains("await page.goto('" + web().url("/to-export") + "');") &&
                       Contains("await page.getByRole('textbox', { name: 'User' }).fill('Ann');") &&
                       Contains("await page.getByRole('checkbox', { name: 'Stay' }).setChecked(true);") &&
                       Contains(".fill(process.env.PASSWORD ?? '');") &&
                       Contains("await page.getByRole('button', { name: 'Sign in' }).click();") &&
                       Contains("expect(page.getByRole('heading', { name: 'Hello Ann' })).toBeVisible();") &&
                       !Contains("hunter2") && !Contains("left out") && !Contains("none"));
  // Playwright can't fill it.
  session.evaluate(
      "() => { document.body.innerHTML = '<div role=slider tabindex=0 aria-label=Size aria-valuenow=3>3</div>' }");
  session.ok("browser_type", {{"target", "role=slider"}, {"text", "3"}});
  CHECK_THAT(exported(session), Contains("// left out: browser_type"));
  session.evaluate(
      "() => { document.body.innerHTML = '<input role=combobox aria-label=Colour aria-expanded=true aria-controls=list>"
      "<div id=list role=listbox><div role=option onclick=\"this.ariaSelected = true\">Red</div></div>' }");
  session.ok("browser_fill_form",
             {{"fields", {{{"target", "role=combobox"}, {"value", "Red"}, {"type", "combobox"}}}}});
  CHECK_THAT(exported(session), Contains("// left out: browser_fill_form") && !Contains("fill('Red')"));
  // Another session's is its own, and nothing is noted while the set is off.
  Session other(testing_house());
  other.error("browser_export_test");
  Session off;
  off.navigate(web().url("/to-export"));
  CHECK(off.scope().record() == nullptr);
}
