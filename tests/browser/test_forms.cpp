// Hover, selects, whole forms and uploads [tool.list].
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;
namespace fs = std::filesystem;

namespace {

Json field(const std::string& target, const Json& value, const std::string& type = "") {
  Json json{{"target", target}, {"name", target}, {"value", value}};
  if (!type.empty()) json["type"] = type;
  return json;
}

std::string value_of(Session& session, const std::string& selector) {
  return session.evaluate("document.querySelector(" + Json(selector).dump() + ").value").get<std::string>();
}

// Files that may be uploaded and files that may not.
struct Files {
  fs::path root = fs::path(private_tmp()) / "files";
  fs::path allowed = root / "allowed";
  fs::path secret = root / "secret.txt";
  Files() {
    fs::create_directories(allowed);
    std::ofstream(allowed / "one.txt") << "first";
    std::ofstream(allowed / "two.txt") << "the second";
    std::ofstream(secret) << "nobody's business";
    std::error_code ignored;
    fs::create_symlink(secret, allowed / "link.txt", ignored);
  }
  std::string path(const std::string& name) const { return (allowed / name).string(); }
};
const Files& files() {
  static const Files all;
  return all;
}

House& upload_house() {
  BrowserSettings settings;
  settings.action_timeout = 400ms;
  settings.files = std::make_shared<OutputFolder>((files().root / "out").string(),
                                                  std::vector<std::string>{files().allowed.string()});
  static House house(settings);
  return house;
}

const char kUploadPage[] = R"html(<!doctype html><title>Uploads</title>
<input id="plain" type="file" aria-label="Plain">
<label for="hidden">Choose a picture</label><input id="hidden" type="file" style="display: none" multiple>
<div><button id="styled" type="button">Attach</button><input id="behind" type="file" hidden></div>
<p><button id="late" type="button">Make and click one</button></p>
<p><button id="several" type="button">Several</button></p>
<input id="off" type="file" aria-label="Off" disabled>
<pre id="log"></pre>
<script>
const log = (text) => { document.getElementById('log').textContent += text + '\n'; };
const tell = async (input) => {
  for (const file of input.files) log(input.id + ' ' + file.name + ': ' + await file.text());
  if (!input.files.length) log(input.id + ' empty');
};
for (const input of document.querySelectorAll('input')) input.addEventListener('change', () => tell(input));
document.getElementById('styled').onclick = () => document.getElementById('behind').click();
const make = (multiple) => {
  const input = document.createElement('input');
  input.type = 'file';
  input.id = 'made';
  input.multiple = multiple;
  input.onchange = () => tell(input);
  input.click();
};
document.getElementById('late').onclick = () => make(false);
document.getElementById('several').onclick = () => make(true);
</script>)html";

}  // namespace

// --- hover

TEST_CASE("hover opens what a hover opens, and its result shows it", "[hover]") {
  Session session;
  session.navigate(web().url("/hover"));
  CHECK_THAT(session.snapshot(), !Contains("First product"));
  const auto answer = session.ok("browser_hover", at("#menu-label"));
  CHECK_THAT(answer.section("Result"), Contains("hovered over"));
  CHECK_THAT(answer.section("Snapshot"), Contains("First product"));
  session.ok("browser_click", at("#second"));
  CHECK(session.href() == web().url("/plain?title=Second"));
}

TEST_CASE("hover waits for its target and leaves the one before", "[hover]") {
  Session session(hasty_house());
  session.navigate(web().url("/hover"));
  session.ok("browser_hover", at("#tip"));
  CHECK(session.text_of("#out") == "tip shown");
  session.ok("browser_hover", at("h1"));
  CHECK(session.text_of("#out") == "tip gone");
  // What only the menu around it shows is come to by way of that, as a hand does.
  CHECK_THAT(session.ok("browser_hover", at("#first")).section("Result"), Contains("link \"First product\""));
  session.ok("browser_hover", at("h1"));
  session.evaluate("() => { document.querySelector('#first').hidden = true }");
  CHECK_THAT(session.error("browser_hover", at("#first")).section("Error"), Contains("not visible"));
}

// --- selects

TEST_CASE("options are selected by value or label, several where several go", "[select]") {
  Session session;
  session.navigate(web().url("/form"));
  CHECK_THAT(session.ok("browser_select_option", {{"target", "#size"}, {"values", {"l"}}}).section("Result"),
             Contains("selected \"Large\" in combobox \"Size\""));
  CHECK(value_of(session, "#size") == "l");
  session.ok("browser_select_option", {{"target", "#size"}, {"values", {"Small"}}});
  CHECK(value_of(session, "#size") == "s");
  session.ok("browser_select_option", {{"target", "#toppings"}, {"values", {"jam", "Olives"}}});
  CHECK(session.evaluate("[...document.querySelector('#toppings').selectedOptions].map((o) => o.value).join()") ==
        "jam,olives");
  CHECK_THAT(session.text_of("#events"), Contains("input:size") && Contains("change:toppings"));
  CHECK_THAT(session.ok("browser_select_option", {{"target", "#size"}, {"values", {"s"}}}).section("Result"),
             Contains("as it was"));
}

TEST_CASE("an option that isn't there or is disabled: told what there is, and nothing changed",
          "[select] [tool.options]") {
  Session session(hasty_house());
  session.navigate(web().url("/form"));
  const auto missing = session.error("browser_select_option", {{"target", "#size"}, {"values", {"huge"}}});
  CHECK_THAT(missing.section("Error"), Contains("huge") && Contains("\"Small\"") && Contains("\"Large\""));
  CHECK_THAT(session.error("browser_select_option", {{"target", "#size"}, {"values", {"xl"}}}).section("Error"),
             Contains("disabled"));
  CHECK_THAT(session.error("browser_select_option", {{"target", "#size"}, {"values", {"s", "l"}}}).section("Error"),
             Contains("one value"));
  CHECK_THAT(session.error("browser_select_option", {{"target", "#text"}, {"values", {"s"}}}).section("Error"),
             Contains("not a <select>"));
  CHECK(value_of(session, "#size") == "m");
  CHECK(session.text_of("#events").empty());
}

// --- whole forms

TEST_CASE("a form with every kind of field in one call, and what the server gets", "[forms] [tool.forms]") {
  Session session;
  session.navigate(web().url("/form"));
  const auto answer = session.ok(
      "browser_fill_form",
      {{"fields",
        {field("#text", "some text", "textbox"), field("#email", "ann@example.com"),
         field("#password", "s3cret-pw", "textbox"), field("#comment", "two\nlines"),
         field("#subscribe", "true", "checkbox"), field("#terms", false, "checkbox"), field("#blue", "true", "radio"),
         field("#size", "Large", "combobox"), field("#date", "2026-11-22"), field("#time", "12:34"),
         field("#number", "7"), field("#range", "25", "slider"), field("#paint", "#00ff00")}}});
  CHECK_THAT(answer.section("Result"), Contains("checked checkbox \"Subscribe\"") &&
                                           Contains("unchecked checkbox \"Terms\"") &&
                                           Contains("selected \"Large\" in combobox \"Size\""));
  CHECK_THAT(answer.text, !Contains("s3cret-pw"));
  session.ok("browser_click", at("#submit"));
  const auto echo = session.text_of("#echo");
  for (const char* line :
       {"text=some text\n", "email=ann@example.com\n", "password=s3cret-pw\n", "subscribe=yes\n", "colour=blue\n",
        "size=l\n", "date=2026-11-22\n", "time=12:34\n", "number=7\n", "range=25\n", "paint=#00ff00\n"})
    CHECK_THAT(echo, Contains(line));
  CHECK_THAT(echo, !Contains("terms="));
}

TEST_CASE("a field that can't be filled: which, why, and what was done before it",
          "[forms] [tool.options] [tool.forms]") {
  Session session(hasty_house());
  session.navigate(web().url("/form"));
  const auto answer =
      session.error("browser_fill_form",
                    {{"fields", {field("#text", "kept"), field("#date", "tomorrow"), field("#email", "never")}}});
  CHECK_THAT(answer.section("Error"), Contains("field 2 of 3") && Contains("#date") && Contains("YYYY-MM-DD") &&
                                          Contains("fields before it are filled"));
  CHECK(value_of(session, "#text") == "kept");
  CHECK(value_of(session, "#date").empty());
  CHECK(value_of(session, "#email").empty());
  CHECK_THAT(session.error("browser_fill_form", {{"fields", {field("#green", "false", "radio")}}}).section("Error"),
             Contains("checking another one"));
  CHECK_THAT(session.error("browser_fill_form", {{"fields", {field("#terms", "maybe", "checkbox")}}}).section("Error"),
             Contains("true or false"));
  CHECK_THAT(session.error("browser_fill_form", {{"fields", {field("#readonly", "x")}}}).section("Error"),
             Contains("read-only"));
  CHECK_THAT(check_arguments(session.house().tool("browser_fill_form"), {{"fields", {{{"value", "x"}}}}}).problem,
             Contains("fields[0].target") && Contains("browser_snapshot"));
}

TEST_CASE("a checkbox that is as wanted isn't clicked", "[forms]") {
  Session session;
  session.navigate(web().url("/form"));
  const auto answer = session.ok("browser_fill_form", {{"fields", {field("#terms", true, "checkbox")}}});
  CHECK_THAT(answer.section("Result"), Contains("as it was"));
  CHECK(session.text_of("#events").empty());
}

// --- uploads

TEST_CASE("uploads: to the input itself, through its label, and behind a styled button", "[upload] [tool.uploads]") {
  Session session(upload_house());
  web().set_page("/uploads", kUploadPage);
  session.navigate(web().url("/uploads"));
  const auto answer = session.ok("browser_file_upload", {{"target", "#plain"}, {"paths", {files().path("one.txt")}}});
  CHECK_THAT(answer.section("Result"), Contains("gave one.txt to") && Contains("Plain"));
  session.ok("browser_wait_for", {{"text", "plain one.txt: first"}});  // the page reads them in its own time
  session.ok("browser_file_upload",
             {{"target", "text=Choose a picture"}, {"paths", {files().path("one.txt"), files().path("two.txt")}}});
  session.ok("browser_wait_for", {{"text", "hidden two.txt: the second"}});
  CHECK_THAT(session.text_of("#log"), Contains("hidden one.txt: first"));
  session.ok("browser_file_upload", {{"target", "#styled"}, {"paths", {files().path("two.txt")}}});
  session.ok("browser_wait_for", {{"text", "behind two.txt: the second"}});
  CHECK_THAT(session.snapshot(), Contains("hidden file input"));
  CHECK_THAT(session.error("browser_file_upload", {{"target", "body"}, {"paths", {files().path("one.txt")}}}).text,
             Contains("near 4 file inputs: target one") && !Contains("PageError"));
  session.ok("browser_file_upload", {{"target", "#plain"}});  // none: emptied
  CHECK(session.evaluate("document.querySelector('#plain').files.length") == 0);
}

TEST_CASE("the chooser's flow: a click opens it, the upload answers it", "[upload] [tool.uploads]") {
  Session session(upload_house());
  web().set_page("/uploads", kUploadPage);
  session.navigate(web().url("/uploads"));
  const std::string opener = GENERATE("#styled", "#late", "#several", "#plain");
  INFO(opener);
  const auto click = session.ok("browser_click", at(opener));
  CHECK_THAT(click.section("Modal state"), Contains("file chooser") && Contains("browser_file_upload"));
  CHECK_THAT(session.ok("browser_snapshot").section("Modal state"), Contains("file chooser"));
  if (opener == "#several") {
    CHECK_THAT(click.section("Modal state"), Contains("several files"));
    session.ok("browser_file_upload", {{"paths", {files().path("one.txt"), files().path("two.txt")}}});
    session.ok("browser_wait_for", {{"text", "the second"}});
    CHECK_THAT(session.text_of("#log"), Contains("one.txt: first") && Contains("two.txt: the second"));
  } else {
    CHECK_THAT(session.error("browser_file_upload", {{"paths", {files().path("one.txt"), files().path("two.txt")}}})
                   .section("Error"),
               Contains("one file"));
    session.ok("browser_file_upload", {{"paths", {files().path("one.txt")}}});
    session.ok("browser_wait_for", {{"text", "one.txt: first"}});
    CHECK_THAT(session.text_of("#log"), Contains("one.txt: first"));
  }
  CHECK(session.ok("browser_snapshot").section("Modal state").empty());
  CHECK_THAT(session.error("browser_file_upload", {{"paths", {files().path("one.txt")}}}).section("Error"),
             Contains("No file chooser is open"));
}

TEST_CASE("a chooser can be cancelled, and goes with its page", "[upload]") {
  Session session(upload_house());
  web().set_page("/uploads", kUploadPage);
  session.navigate(web().url("/uploads"));
  session.ok("browser_click", at("#late"));
  CHECK_THAT(session.ok("browser_file_upload").section("Result"), Contains("cancelled"));
  CHECK(session.ok("browser_snapshot").section("Modal state").empty());
  session.ok("browser_click", at("#late"));
  session.navigate(web().url("/plain"));
  CHECK(session.ok("browser_snapshot").section("Modal state").empty());
}

TEST_CASE("what may not be uploaded is refused, through a symlink too, and the page gets nothing",
          "[upload] [tool.uploads]") {
  Session session(upload_house());
  web().set_page("/uploads", kUploadPage);
  session.navigate(web().url("/uploads"));
  for (const auto& path :
       {files().secret.string(), files().path("link.txt"), files().path("../secret.txt"), std::string("/etc/passwd")}) {
    INFO(path);
    CHECK_THAT(session.error("browser_file_upload", {{"target", "#plain"}, {"paths", {path}}}).section("Error"),
               Contains("may not be uploaded") && Contains(files().allowed.string()));
  }
  CHECK_THAT(session.error("browser_file_upload", {{"target", "#plain"}, {"paths", {files().path("none.txt")}}})
                 .section("Error"),
             Contains("no file"));
  CHECK_THAT(session
                 .error("browser_file_upload",
                        {{"target", "#plain"}, {"paths", {files().path("one.txt"), files().path("two.txt")}}})
                 .section("Error"),
             Contains("one file"));
  CHECK_THAT(
      session.error("browser_file_upload", {{"target", "#off"}, {"paths", {files().path("one.txt")}}}).section("Error"),
      Contains("disabled"));
  CHECK_THAT(
      session.error("browser_file_upload", {{"target", "h1"}, {"paths", {files().path("one.txt")}}}).section("Error"),
      Contains("h1"));
  CHECK(session.text_of("#log").empty());
}

TEST_CASE("what one session wrote or downloaded another can't upload", "[upload] [tool.uploads] [tool.files]") {
  Session victim(upload_house());
  Session session(upload_house());
  web().set_page("/uploads", kUploadPage);
  victim.navigate(web().url("/uploads"));
  session.navigate(web().url("/uploads"));
  victim.ok("browser_snapshot", {{"filename", "page.md"}});
  const auto saved = (victim.scope().files()->path() / "page.md").string();
  const auto downloaded = victim.ok("browser_navigate", {{"url", web().url("/download?name=secret.bin")}});
  CHECK_THAT(downloaded.text, Contains("kept as"));
  const auto kept = (victim.scope().files()->path() / "secret.bin").string();
  for (const auto& path : {saved, kept, "../" + victim.scope().files()->path().filename().string() + "/page.md"}) {
    INFO(path);
    const auto refused = session.error("browser_file_upload", {{"target", "#plain"}, {"paths", {path}}});
    CHECK_THAT(refused.section("Error"), Contains("may not be uploaded"));
  }
  CHECK(session.text_of("#log").empty());
  // Its own it can, by its name alone.
  victim.ok("browser_file_upload", {{"target", "#plain"}, {"paths", {"page.md"}}});
  CHECK(eventually([&] { return victim.text_of("#log").find("plain page.md") != std::string::npos; }));
  CHECK_THAT(victim.ok("browser_file_upload", {{"target", "#plain"}, {"paths", {kept}}}).text, Contains("secret.bin"));
}

TEST_CASE("an isolated tab's files: its session's; apart where callers share a scope", "[isolated] [tool.files]") {
  auto& house = upload_house();
  const auto files_of = [](BrowserScope& owner) {
    const auto isolated = owner.make_isolated();
    return isolated->files()->path();
  };
  Session session(house);
  CHECK(files_of(session.scope()) == session.scope().files()->path());
  const auto shared = std::dynamic_pointer_cast<BrowserScope>(house.toolbox().open_scope(""));
  CHECK(files_of(*shared) != shared->files()->path());
}
