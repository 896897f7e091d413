// browser_batch [tool.batch].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

constexpr const char* kForm =
    "<!doctype html><title>Form</title><label>Name <input id=n></label><button onclick=\"out.textContent = 'Hello ' + "
    "n.value; n.value = ''\">Greet</button><p id=out></p><button id=go onclick=\"location = '/plain'\">Leave</button>"
    "<button id=ask onclick=\"confirm('Sure?')\">Ask</button>";

void open_form(Session& session) {
  web().set_page("/batch", kForm);
  session.navigate(web().url("/batch"));
}

Json step(const std::string& tool, const Json& arguments, const Json& expect = nullptr) {
  Json one{{"tool", tool}, {"arguments", arguments}};
  if (!expect.is_null()) one["expect"] = expect;
  return one;
}
Json steps(std::initializer_list<Json> list) { return {{"steps", Json(list)}}; }

}  // namespace

TEST_CASE("batch: the steps in order, what each did, and the page once", "[tool.batch]") {
  Session session;
  open_form(session);
  const auto answer =
      session.ok("browser_batch",
                 steps({step("browser_type", {{"target", "#n"}, {"text", "Ada"}}, {{"value", "Ada"}}),
                        step("browser_click", {{"target", "text=Greet"}}, {{"text", "Hello Ada"}, {"url", "/batch"}}),
                        step("browser_evaluate", {{"function", "out.textContent"}})}));
  CHECK_THAT(answer.section("Result"),
             Contains("step 1, browser_type:\ntyped into textbox \"Name\"\nstep 2, browser_click:\nclicked button "
                      "\"Greet\"\nstep 3, browser_evaluate:\n\"Hello Ada\""));
  CHECK_THAT(answer.section("Snapshot"), Contains("Hello Ada"));
  CHECK_THAT(answer.section("Page"), Contains("/batch") && Contains("Form"));
  CHECK(answer.structured["done"] == 3);
  // The next delta begins where the batch ended.
  CHECK_THAT(session.ok("browser_hover", at("text=Greet")).section("Snapshot"), Contains("no changes"));
}

TEST_CASE("batch: stops at what fails and at what isn't as expected, and tells how far it came", "[tool.batch]") {
  Session session;
  open_form(session);
  auto answer = session.error("browser_batch", steps({step("browser_type", {{"target", "#n"}, {"text", "Bo"}}),
                                                      step("browser_click", {{"target", "e999"}}),
                                                      step("browser_click", {{"target", "text=Greet"}})}));
  CHECK_THAT(answer.section("Error"), Contains("step 2 of 3, browser_click: e999 is not a ref"));
  CHECK_THAT(answer.section("Result"), Contains("typed into textbox") && !Contains("step 3"));
  CHECK_THAT(answer.section("Snapshot"), Contains("Bo"));
  CHECK(answer.structured["done"] == 1);
  CHECK(session.text_of("#out").empty());

  Session hasty(hasty_house());
  open_form(hasty);
  answer =
      hasty.error("browser_batch", steps({step("browser_type", {{"target", "#n"}, {"text", "x"}}, {{"value", "y"}}),
                                          step("browser_click", {{"target", "#go"}})}));
  CHECK_THAT(answer.section("Error"), Contains("step 1 of 2") &&
                                          Contains("it was done, but what was expected isn't there") &&
                                          Contains("holds \"x\""));
  CHECK_THAT(hasty.href(), Contains("/batch"));
}

TEST_CASE("batch: what can't be a step is said before the first is run", "[tool.batch]") {
  Session session;
  open_form(session);
  const auto refused = [&](const Json& bad) {
    const auto words =
        session.error("browser_batch", steps({step("browser_type", {{"target", "#n"}, {"text", "x"}}), bad}))
            .section("Error");
    CHECK_THAT(words, Contains("step 2: ") && Contains("Nothing was done"));
    CHECK(session.evaluate("n.value") == "");
    return words;
  };
  CHECK_THAT(refused(step("browser_clik", Json::object())), Contains("no tool \"browser_clik\""));
  CHECK_THAT(refused(step("browser_click", Json::object())), Contains("\"target\""));
  CHECK_THAT(refused(step("browser_batch", {{"steps", Json::array()}})),
             Contains("must have at least") || Contains("step"));
  CHECK_THAT(refused(step("browser_close", Json::object())), Contains("a call of its own"));
  CHECK_THAT(refused(step("browser_pdf_save", Json::object())), Contains("which is off"));
  CHECK_THAT(refused(step("browser_press_key", {{"key", "a"}}, {{"value", "x"}})), Contains("it has none"));
}

TEST_CASE("batch: a page that goes to another origin is not acted on, one that was named is",
          "[tool.batch] [nav.origin]") {
  Session session;
  open_form(session);
  const auto other = web().other_url("/plain");
  session.evaluate("() => { go.onclick = () => { location = '" + other + "' } }");
  const auto answer = session.error(
      "browser_batch", steps({step("browser_click", {{"target", "#go"}}), step("browser_press_key", {{"key", "a"}})}));
  CHECK_THAT(answer.section("Error"), Contains("step 2 of 2") && Contains("was refused: the page in tab"));
  CHECK_THAT(answer.section("Page"), Contains(other));
  session.ok("browser_batch", steps({step("browser_navigate", {{"url", web().url("/batch")}}),
                                     step("browser_type", {{"target", "#n"}, {"text", "x"}}, {{"value", "x"}})}));
}

TEST_CASE("batch: a dialog stops it, and is told", "[tool.batch]") {
  Session session;
  open_form(session);
  const auto answer = session.error(
      "browser_batch", steps({step("browser_click", {{"target", "#ask"}}), step("browser_press_key", {{"key", "a"}})}));
  CHECK_THAT(answer.section("Error"), Contains("step 2 of 2") && Contains("Sure?"));
  CHECK_THAT(answer.section("Modal state"), Contains("confirm dialog"));
  session.ok("browser_handle_dialog", {{"accept", true}});
}

TEST_CASE("batch: one abort ends all of it, and the next result tells how far it came",
          "[tool.batch] [cancel.browser]") {
  Session session;
  open_form(session);
  auto running =
      session.start("browser_batch", steps({step("browser_type", {{"target", "#n"}, {"text", "x"}}),
                                            step("browser_wait_for", {{"text", "never"}, {"timeout", 60000}}),
                                            step("browser_click", {{"target", "text=Greet"}})}));
  REQUIRE(eventually([&] { return page_stats(session).pollers > 0; }));
  running->abort_and_get();
  CHECK(session.text_of("#out").empty());
  CHECK(page_stats(session).pollers == 0);
  auto again = session.start("browser_batch", steps({step("browser_type", {{"target", "#n"}, {"text", "y"}}),
                                                     step("browser_navigate", {{"url", web().url("/never?batch")}})}));
  REQUIRE(web().wait_for_request("/never?batch", kPatience));
  again->abort_and_get();
  CHECK_THAT(session.ok("browser_snapshot").section("Events"), Contains("browser_batch after 1 of 2 steps"));
}
