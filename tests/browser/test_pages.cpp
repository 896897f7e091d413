// Seeing pages: snapshots with frames of every kind, pictures.
#include "base/text/codecs.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

struct Picture {
  std::string mime{};
  std::string bytes{};

  unsigned number(std::size_t at) const {
    unsigned value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = (value << 8) | static_cast<unsigned char>(bytes.at(at + i));
    return value;
  }
  unsigned png_width() const { return number(16); }
  unsigned png_height() const { return number(20); }
};

Picture shoot(Session& session, const Json& args = Json::object()) {
  const auto answer = session.ok("browser_take_screenshot", args);
  REQUIRE(answer.content.size() == 2);
  CHECK(answer.content[1].kind == Content::Kind::image);
  return {answer.content[1].mime_type, from_base64(answer.content[1].data).value()};
}

// The ref on the snapshot's line that holds `words`.
std::string ref_of(const std::string& snapshot, const std::string& words, std::size_t from = 0) {
  const auto line = snapshot.find(words, from);
  CAPTURE(snapshot, words);
  REQUIRE(line != std::string::npos);
  const auto at = snapshot.find("[ref=", line);
  REQUIRE(at != std::string::npos);
  return snapshot.substr(at + 5, snapshot.find(']', at) - at - 5);
}

}  // namespace

TEST_CASE("pictures: png, jpeg and webp, of the viewport", "[pages]") {
  Session session;
  session.navigate(web().url("/plain"));
  const auto png = shoot(session);
  CHECK(png.mime == "image/png");
  CHECK(png.bytes.starts_with("\x89PNG\r\n\x1a\n"));
  CHECK(png.bytes.find("IEND") != std::string::npos);
  CHECK(png.png_width() == 1280);
  CHECK(png.png_height() == 720);
  const auto jpeg = shoot(session, {{"type", "jpeg"}});
  CHECK(jpeg.mime == "image/jpeg");
  CHECK(jpeg.bytes.starts_with("\xFF\xD8\xFF"));
  const auto webp = shoot(session, {{"type", "webp"}});
  CHECK(webp.mime == "image/webp");
  CHECK(webp.bytes.starts_with("RIFF"));
  CHECK(webp.bytes.substr(8, 4) == "WEBP");
}

TEST_CASE("pictures of the full page and of an element", "[pages]") {
  Session session;
  web().set_page(
      "/tall",
      "<!doctype html><style>body{margin:0}</style><div style='height:2000px'></div>"
      "<div id='box' style='width:120px;height:80px;background:red'></div><p id='none' style='display:none'>x</p>");
  session.navigate(web().url("/tall"));
  const auto full = shoot(session, {{"fullPage", true}, {"scale", "device"}});
  CHECK(full.png_width() == 1280);
  CHECK(full.png_height() >= 2080);
  const auto box = shoot(session, {{"target", "#box"}});
  CHECK(box.png_width() == 120);
  CHECK(box.png_height() == 80);
  CHECK_THAT(session.error("browser_take_screenshot", {{"target", "#none"}}).section("Error"), Contains("#none"));
  CHECK_THAT(session.error("browser_take_screenshot", {{"target", "#nowhere"}}).section("Error"), Contains("#nowhere"));
  CHECK_THAT(session.error("browser_take_screenshot", {{"target", "#box"}, {"fullPage", true}}).section("Error"),
             Contains("fullPage"));
}

TEST_CASE("pictures on a display of two pixels a CSS pixel: of CSS pixels, or of the device's", "[pages]") {
  Session session;
  web().set_page(
      "/dense",
      "<!doctype html><style>body{margin:0}</style><div style='height:1500px'></div>"
      "<div id='box' style='width:120px;height:80px;background:red'></div><div style='height:2000px'></div>");
  session.navigate(web().url("/dense"));
  session.tab()->call({}, "Emulation.setDeviceMetricsOverride",
                      {{"width", 1000}, {"height", 600}, {"deviceScaleFactor", 2}, {"mobile", false}});
  session.evaluate("() => { window.devicePixelRatio = 7; scrollTo(0, 300) }");  // a page may say what it likes
  const auto size = [&](Json args, const char* scale) {
    if (*scale != '\0') args["scale"] = scale;
    const auto picture = shoot(session, args);
    return std::pair(picture.png_width(), picture.png_height());
  };
  const Json viewport = Json::object(), box{{"target", "#box"}}, full{{"fullPage", true}};
  CHECK(size(viewport, "") == std::pair(1000U, 600U));
  CHECK(size(viewport, "css") == std::pair(1000U, 600U));
  CHECK(size(viewport, "device") == std::pair(2000U, 1200U));
  CHECK(size(box, "css") == std::pair(120U, 80U));
  CHECK(size(box, "device") == std::pair(240U, 160U));
  CHECK(size(full, "css") == std::pair(438U, 1568U));  // [tool.screenshot]
  CHECK(size(full, "device") == std::pair(2000U, 7160U));
  CHECK(session.evaluate("[innerWidth, innerHeight]") == Json({1000, 600}));
  // And they show what is in view: the box begins 100 px below the viewport's top.
  session.evaluate("() => scrollTo(0, 900)");
  session.evaluate("() => { document.querySelector('div').style.height = '1000px' }");
  for (const char* scale : {"css", "device"}) {
    const auto answer = session.ok("browser_take_screenshot", {{"scale", scale}});
    const auto colours = session.evaluate(R"js(async () => {
      const image = new Image(), canvas = document.createElement('canvas'), paint = canvas.getContext('2d');
      image.src = 'data:image/png;base64,)js" +
                                          answer.content.at(1).data + R"js(';
      await image.decode();
      canvas.width = image.width, canvas.height = image.height;
      paint.drawImage(image, 0, 0);
      const unit = image.width / 1000;
      return [95, 105, 175, 185].map((y) => paint.getImageData(50 * unit, y * unit, 1, 1).data.slice(0, 3).join());
    })js");
    CHECK(colours == Json({"255,255,255", "255,0,0", "255,0,0", "255,255,255"}));
  }
}

TEST_CASE("a picture of a tab that isn't in front", "[pages]") {
  Session session;
  const auto one = session.navigate(web().url("/plain")).structured["tab"];
  session.ok("browser_tabs", {{"action", "new"}, {"url", web().url("/plain?two")}});
  const auto answer = session.ok("browser_take_screenshot", {{"tab", one}});
  CHECK(answer.waited < 5s);
  CHECK(answer.content.size() == 2);
}

TEST_CASE("a snapshot names the page and what is on it; of a target only its part; a delta only the news",
          "[pages] [tool.snapshot]") {
  Session session;
  session.navigate(web().url("/form"));
  const auto whole = session.ok("browser_snapshot");
  CHECK_THAT(whole.section("Page"), Contains("- Page URL: " + web().url("/form")) && Contains("- Page Title: Form"));
  CHECK_THAT(whole.section("Snapshot"),
             Contains("textbox \"Email\"") && Contains("button \"Submit\"") && Contains("radio \"Green\" [checked]"));
  const auto part = session.ok("browser_snapshot", {{"target", "#search"}}).section("Snapshot");
  CHECK_THAT(part, Contains("Search") && !Contains("Email"));
  CHECK_THAT(session.error("browser_snapshot", {{"target", "#nowhere"}}).section("Error"), Contains("#nowhere"));
  const auto unchanged = session.ok("browser_snapshot", {{"mode", "delta"}}).section("Snapshot");
  CHECK(unchanged.size() < 300);
  session.evaluate("() => { document.querySelector('h1').textContent = 'Changed form' }");
  const auto news = session.ok("browser_snapshot", {{"mode", "delta"}}).section("Snapshot");
  CHECK_THAT(news, Contains("Changed form") && !Contains("Email"));
}

TEST_CASE("refs are unique over a session's tabs", "[pages] [tool.refs]") {
  Session session;
  session.navigate(web().url("/click-lab"));
  const auto one = ref_of(session.snapshot(), "button \"Counter\"");
  session.ok("browser_tabs", {{"action", "new"}, {"url", web().url("/click-lab")}});
  const auto two = ref_of(session.snapshot(), "button \"Counter\"");
  CHECK(one != two);
  CHECK(session.error("browser_click", {{"target", one}}).is_error);  // it lives in the other tab
  session.ok("browser_click", {{"target", two}});
  CHECK(session.text_of("#count") == "1");
}

TEST_CASE("frames of the same process: seen, clicked, typed into", "[pages][frames] [tool.snapshot]") {
  Session session;
  session.navigate(web().url("/iframes"));
  session.ok("browser_wait_for", {{"text", "Frame at " + web().other_origin()}});
  const auto yaml = session.snapshot();
  CHECK_THAT(
      yaml, Contains("Frame at " + web().origin()) && Contains("In srcdoc.") && Contains("Outer of the nested frames"));
  const auto button = ref_of(yaml, "button \"Frame button\"");
  CHECK(button[0] == 'f');
  const auto answer = session.ok("browser_click", {{"target", button}});
  CHECK_THAT(session.snapshot(), Contains("clicked in " + web().origin()));
  const auto srcdoc = ref_of(yaml, "button \"Srcdoc button\"");
  session.ok("browser_click", {{"target", srcdoc}});
  CHECK_THAT(session.snapshot(), Contains("button \"Clicked\""));
  session.ok("browser_click", {{"target", "#outside"}});
  CHECK(session.text_of("#out") == "clicked outside");
}

TEST_CASE("frames of another site, in a process of their own: seen, clicked, typed into, evaluated",
          "[pages][frames]") {
  Session session;
  session.navigate(web().url("/iframes-cross-site"));
  session.ok("browser_wait_for", {{"text", "Frame at " + web().cross_site()}});
  const auto yaml = session.snapshot();
  REQUIRE_THAT(yaml, Contains("Frame at " + web().cross_site()));
  CHECK_THAT(yaml, Contains("Outer of the nested frames"));
  session.ok("browser_click", {{"target", ref_of(yaml, "button \"Frame button\"")}});
  CHECK_THAT(session.snapshot(), Contains("clicked in " + web().cross_site()));
  const auto input = ref_of(yaml, "textbox \"Frame input\"");
  session.ok("browser_type", {{"target", input}, {"text", "typed across"}});
  const auto value = session.ok(
      "browser_evaluate", {{"function", "(element) => element.value + ' at ' + location.origin"}, {"target", input}});
  CHECK(value.structured["value"] == "typed across at " + web().cross_site());
}

TEST_CASE("a frame that is gone: its refs say so", "[pages][frames] [tool.refs]") {
  Session session;
  session.navigate(web().url("/iframes-cross-site"));
  session.ok("browser_wait_for", {{"text", "Frame at " + web().cross_site()}});
  const auto ref = ref_of(session.snapshot(), "button \"Frame button\"");
  session.evaluate("() => { for (const frame of document.querySelectorAll('iframe')) frame.remove() }");
  const auto answer = session.error("browser_click", {{"target", ref}});
  CHECK_THAT(answer.section("Error"), Contains(ref) && Contains("frame"));
  CHECK_THAT(session.snapshot(), !Contains("Frame button"));
}

TEST_CASE("a frame that never comes holds up nothing", "[pages][frames]") {
  Session session;
  const auto answer = session.navigate(web().url("/iframe-never"));
  CHECK(answer.waited < 5s);  // 2 s for the load that never comes
  session.ok("browser_click", {{"target", "#button"}});
  CHECK(session.text_of("#out") == "clicked");
  CHECK(session.ok("browser_snapshot").waited < 1s);
}

TEST_CASE("shadow roots, closed ones too", "[pages][shadow] [tool.snapshot]") {
  Session session;
  session.navigate(web().url("/shadow"));
  const auto yaml = session.snapshot();
  CHECK_THAT(yaml, Contains("button \"Open button\"") && Contains("button \"Inner button\"") &&
                       Contains("button \"Declared button\"") && Contains("button \"Closed button\""));
  session.ok("browser_click", {{"target", ref_of(yaml, "button \"Inner button\"")}});
  CHECK(session.text_of("#out") == "inner clicked");
  session.ok("browser_click", {{"target", ref_of(yaml, "button \"Closed button\"")}});
  CHECK(session.text_of("#out") == "closed clicked");
}

TEST_CASE("closed shadow roots without a snapshot, in each other, and in what came later", "[pages][shadow]") {
  Session session;
  web().set_page("/closed", R"html(<!doctype html><title>Closed</title><p id="out">nothing</p>
<outer-box></outer-box><div id="plain"></div><div id="spacer" style="height: 20px"></div>
<button id="add" onclick="document.body.append(document.createElement('inner-box'))">Add</button>
<script>
const tell = (text) => { document.getElementById('out').textContent = text; };
const fill = (host, html, then) => { const root = host.attachShadow({mode: 'closed'}); root.innerHTML = html; if (then) then(root); };
customElements.define('inner-box', class extends HTMLElement {
  connectedCallback() { fill(this, '<button class="deep">Deep</button>', (root) => { root.querySelector('button').onclick = () => tell('deep clicked'); }); }
});
customElements.define('outer-box', class extends HTMLElement {
  connectedCallback() { fill(this, '<label>Name <input></label><inner-box></inner-box>'); }
});
fill(document.getElementById('plain'), '<p>Plain host</p>');
</script>)html");
  session.navigate(web().url("/closed"));
  session.ok("browser_click", {{"target", ".deep"}});
  CHECK(session.text_of("#out") == "deep clicked");
  const auto yaml = session.snapshot();
  CHECK_THAT(yaml, Contains("Plain host") && Contains("textbox \"Name\""));
  session.ok("browser_type", {{"target", ref_of(yaml, "textbox \"Name\"")}, {"text", "typed into it"}});
  CHECK_THAT(session.snapshot(), Contains("typed into it"));
  const auto added = session.ok("browser_click", {{"target", "#add"}});
  CHECK_THAT(added.section("Snapshot"), Contains("button \"Deep\""));
}

TEST_CASE("a banner over the page in a closed shadow root whose host takes no place", "[pages][shadow]") {
  Session session;
  web().set_page("/closed-banner", R"html(<!doctype html><title>Banner</title><h1>News</h1><div id="host"></div><script>
const root = document.getElementById('host').attachShadow({mode: 'closed'});
root.innerHTML = '<div style="position: fixed; inset: auto 0 0 0"><p>Cookies?</p><button>Reject all</button></div>';
root.querySelector('button').onclick = () => document.getElementById('host').remove();
</script>)html");
  CHECK_THAT(session.ok("browser_navigate", {{"url", web().url("/closed-banner")}}).section("Snapshot"),
             Contains("Cookies?") && Contains("button \"Reject all\""));
  session.ok("browser_click", {{"target", "button \"Reject all\""}});
  CHECK_THAT(session.snapshot(), !Contains("Cookies?"));
}

TEST_CASE("a selector is looked for in frames too, and waited for there", "[pages][frames] [tool.target]") {
  Session session;
  session.navigate(web().url("/iframes-cross-site"));
  session.ok("browser_wait_for", {{"text", "Frame at " + web().cross_site()}});
  session.ok("browser_click", {{"target", "#frame-button"}});
  CHECK_THAT(session.snapshot(), Contains("clicked in " + web().cross_site()));
  session.ok("browser_type", {{"target", "role=textbox[name=\"Frame input\"]"}, {"text", "by role"}});
  CHECK(session.ok("browser_evaluate", {{"function", "(e) => e.value"}, {"target", "#frame-input"}})
            .structured["value"] == "by role");
  session.ok("browser_evaluate",
             {{"target", "#frame-out"},
              {"function", "(e) => { setTimeout(() => { e.innerHTML = '<button id=late>Late</button>' }, 400) }"}});
  session.ok("browser_click", {{"target", "#late"}});
}

TEST_CASE("all frames together keep to the budget, and what is left out has a ref to see it by",
          "[pages][frames] [tool.snapshot.budget]") {
  Session session;
  std::string frames = "<!doctype html><title>Frames</title><h1>Frames</h1>";
  for (int i = 0; i < 4; ++i)
    frames += "<iframe title=\"Frame " + std::to_string(i) + "\" src=\"/elements?n=200\"></iframe>";
  web().set_page("/frames-budget", frames);
  session.navigate(web().url("/frames-budget"));
  constexpr int kBudget = 600;  // tokens
  const auto yaml = session.ok("browser_snapshot", {{"budget", kBudget}}).section("Snapshot");
  CHECK(yaml.size() <= kBudget * 6);
  CHECK_THAT(yaml, Contains("Frame 0") && Contains("Frame 3") && Contains("left out for the budget: target "));
  const auto whole =
      session.ok("browser_snapshot", {{"target", ref_of(yaml, "iframe \"Frame 3\"")}}).section("Snapshot");
  CHECK(whole.size() > kBudget * 6);
  CHECK_THAT(whole, !Contains("left out"));
}

TEST_CASE("a frame that is covered isn't clicked through", "[pages][frames]") {
  BrowserSettings settings;
  settings.action_timeout = 600ms;
  static House house(settings);
  Session session(house);
  session.navigate(web().url("/iframes"));
  session.ok("browser_wait_for", {{"text", "Frame at " + web().other_origin()}});
  const auto button = ref_of(session.snapshot(), "button \"Frame button\"");
  session.evaluate(R"(() => { const cover = document.createElement('div'); cover.id = 'sheet';
    cover.style = 'position: fixed; inset: 0; background: #0008; z-index: 9'; document.body.append(cover); })");
  const auto refused = session.error("browser_click", {{"target", button}});
  CHECK_THAT(refused.section("Error"), Contains("Frame button") && Contains("covered by <div id=\"sheet\""));
  CHECK_THAT(session.snapshot(), !Contains("clicked in"));
  session.evaluate("() => { document.getElementById('sheet').remove() }");
  session.ok("browser_click", {{"target", button}});
  CHECK_THAT(session.snapshot(), Contains("clicked in " + web().origin()));
}

TEST_CASE("documents in object and embed are frames", "[pages][frames] [tool.snapshot]") {
  Session session;
  web().set_page("/inner", "<!doctype html><button onclick=\"this.textContent='Pressed'\">Inner</button>");
  web().set_page("/outer",
                 "<!doctype html><object data=/inner type=text/html width=200 height=100></object>"
                 "<embed src=/inner type=text/html width=200 height=100>");
  session.navigate(web().url("/outer"));
  const auto yaml = session.snapshot();
  CHECK_THAT(yaml, Contains("iframe [ref=e1]:\n  - button \"Inner\"") && Contains("iframe [ref=e2]:\n  - button"));
  session.ok("browser_click", {{"target", ref_of(yaml, "button \"Inner\"")}});
  CHECK_THAT(session.snapshot(), Contains("button \"Pressed\""));
}

TEST_CASE("console errors are told once", "[pages]") {
  Session session;
  const auto answer = session.navigate(web().url("/console"));
  CHECK_THAT(answer.section("Events"), Contains("console error") && Contains("error on load"));
  CHECK_THAT(session.ok("browser_snapshot").section("Events"), !Contains("error on load"));
}

TEST_CASE("text with lone surrogates comes through", "[pages]") {
  Session session;
  session.navigate(web().url("/surrogate"));
  CHECK_THAT(session.snapshot(), Contains("\xEF\xBF\xBD") && Contains("🎉 whole"));
  session.navigate(web().url("/unicode"));
  CHECK_THAT(session.snapshot(), Contains("Καλημέρα κόσμε") && Contains("שלום עולם"));
}
