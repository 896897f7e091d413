// A session's actions as a Playwright test [tool.export-test].
#include "base/limits.h"
#include "tests/support/catch.h"
#include "tools/testing/test_script.h"

using namespace bridle;
using matchers::Contains;

namespace {

RecordedTarget element(const std::string& locator, const std::string& tag = "button") {
  RecordedTarget target;
  target.locator = locator;
  target.tag = tag;
  return target;
}

RecordedAction action(const std::string& tool, Json args, std::map<std::string, RecordedTarget> targets = {},
                      const std::string& tab = "t1", bool popup = false) {
  return {.tool = tool, .args = std::move(args), .targets = std::move(targets), .tab = tab, .popup = popup};
}

std::string lines(const std::vector<RecordedAction>& actions) { return test_script(actions, "data-testid").text; }

}  // namespace

TEST_CASE("test script: each action is a line", "[tool.export-test]") {
  const auto save = element("getByRole('button', { name: 'Save' })");
  const auto text = lines({
      action("browser_navigate", {{"url", "http://a.example/it's"}}),
      action("browser_click", {{"target", "e1"}, {"button", "right"}, {"modifiers", {"Shift"}}, {"clickCount", 3}},
             {{"e1", save}}),
      action("browser_click", {{"target", "e1"}, {"doubleClick", true}, {"position", {{"x", 1.5}, {"y", 2}}}},
             {{"e1", save}}),
      action("browser_press_key", {{"key", "Control+A"}}),
      action("browser_select_option", {{"target", "e2"}, {"values", {"L", "XL"}}},
             {{"e2", element("locator('#s')", "select")}}),
      action("browser_wait_for", {{"text", "Done"}}),
      action("browser_wait_for", {{"textGone", "Busy"}, {"time", 0.5}}),
      action("browser_verify", {{"what", "list"}, {"target", "e3"}, {"items", {"a.b", "c"}}},
             {{"e3", element("getByRole('list')", "ul")}}),
      action("browser_resize", {{"width", 800}, {"height", 600}}),
      action("browser_navigate_back", Json::object()),
  });
  CHECK_THAT(
      text, Contains("  await page.goto('http://a.example/it\\'s');\n") &&
                Contains("  await page.getByRole('button', { name: 'Save' }).click({ button: 'right', clickCount: 3, "
                         "modifiers: ['Shift'] });\n") &&
                Contains(".dblclick({ position: { x: 1.5, y: 2 } });\n") &&
                Contains("  await page.keyboard.press('Control+A');\n") &&
                Contains("  await page.locator('#s').selectOption(['L', 'XL']);\n") &&
                Contains("  await expect(page.getByText('Done').filter({ visible: true }).first()).toBeVisible();\n") &&
                Contains("toHaveCount(0);\n") && Contains("  await page.waitForTimeout(500);\n") &&
                Contains("toContainText(/a\\.b[\\s\\S]*c/);\n") &&
                Contains("  await page.setViewportSize({ width: 800, height: 600 });\n") &&
                Contains("  await page.goBack();\n"));
}

TEST_CASE("test script: dialogs, choosers and popups are awaited before what opens them", "[tool.export-test]") {
  const auto open = element("getByRole('button', { name: 'Open' })");
  const auto text = lines({
      action("browser_click", {{"target", "e1"}}, {{"e1", open}}),
      action("browser_handle_dialog", {{"accept", true}, {"promptText", "Ann"}}),
      action("browser_click", {{"target", "e1"}}, {{"e1", open}}),
      action("browser_file_upload", {{"paths", {"/tmp/a.txt"}}}),
      action("browser_click", {{"target", "e1"}}, {{"e1", open}}),
      action("browser_click", {{"target", "e2"}}, {{"e2", open}}, "t2", true),
      action("browser_tabs", {{"action", "close"}}, {}, "t2", true),
      action("browser_tabs", {{"action", "new"}, {"url", "https://b.example/"}}, {}, "t3"),
  });
  const std::string click = "  await page.getByRole('button', { name: 'Open' }).click();\n";
  CHECK_THAT(text,
             Contains("  page.once('dialog', (dialog) => dialog.accept('Ann'));\n" + click) &&
                 Contains("  const chooser1Promise = page.waitForEvent('filechooser');\n" + click +
                          "  await (await chooser1Promise).setFiles(['/tmp/a.txt']);\n") &&
                 Contains("  const page2Promise = page.waitForEvent('popup');\n" + click +
                          "  const page2 = await page2Promise;\n") &&
                 Contains("  await page2.getByRole('button', { name: 'Open' }).click();\n  await page2.close();\n") &&
                 Contains("  const page3 = await context.newPage();\n  await page3.goto('https://b.example/');\n"));
}

TEST_CASE("test script: secrets are variables, one for each field; what has no line is told", "[tool.export-test]") {
  ActionRecord record;
  auto password = element("getByLabel('Password')", "input");
  password.secret = true;
  password.describe = "textbox \"Password\"";
  record.add(action("browser_type", {{"target", "e1"}, {"text", "hunter2"}, {"submit", true}}, {{"e1", password}}));
  record.add(action("browser_fill_form", {{"fields", {{{"target", "e1"}, {"value", "hunter2"}}}}}, {{"e1", password}}));
  record.add(action("browser_click", {{"target", "e9"}}));
  record.add(action("browser_navigate", {{"url", "http://a.example/?token=hunter2"}}));
  record.add(action("browser_snapshot", Json::object()));
  CHECK(record.all().size() == 4);
  const auto script = test_script(record.all(), "data-qa");
  CHECK(script.variables == std::vector<std::string>{"PASSWORD"});
  CHECK_THAT(script.text, Contains("page.getByLabel('Password').fill(process.env.PASSWORD ?? '');\n") &&
                              Contains(".press('Enter')") && Contains("test.use({ testIdAttribute: 'data-qa' });") &&
                              Contains("Set before it runs: PASSWORD\n") && !Contains("hunter2"));
  CHECK(script.actions == 2);
  REQUIRE(script.left_out.size() == 2);
  CHECK_THAT(script.left_out[0], Contains("browser_click: its element could not be located"));
  CHECK_THAT(script.left_out[1], Contains("secret") && !Contains("hunter2"));
}

TEST_CASE("action record: up to its limits", "[tool.export-test]") {
  ActionRecord record;
  for (std::size_t i = 0; i < limits::kRecordedActions; ++i) record.add(action("browser_reload", Json::object()));
  CHECK_FALSE(record.is_full());
  record.add(action("browser_reload", Json::object()));
  CHECK(record.is_full());
  CHECK(record.all().size() == limits::kRecordedActions);
  ActionRecord large;
  large.add(action("browser_evaluate", {{"function", std::string(limits::kRecordedBytes, 'x')}}));
  CHECK(large.is_full());
  CHECK(large.all().empty());
}
