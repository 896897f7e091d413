// browser_css and browser_highlight [tool.css] [tool.highlight].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

void open_styled(Session& session, const std::string& body) {
  web().set_page("/css", "<!doctype html>\n<title>Styles</title>\n" + body);
  session.navigate(web().url("/css"));
}

std::string styles(Session& session, const std::string& target) {
  return session.ok("browser_css", at(target)).section("Result");
}

std::string screen_picture(Session& session) {
  for (const auto& content : session.ok("browser_take_screenshot").content) {
    if (content.kind == Content::Kind::image) return content.data;
  }
  return {};
}

constexpr const char* kStyled =
    "<style>\n"
    "@layer base { .card { color: red !important; padding: 1px } }\n"
    "body { font-size: 20px; margin: 0 }\n"
    "#main { color: green; letter-spacing: 2px }\n"
    ".card { color: blue !important; padding: 4px 8px; display: flex; colour: none }\n"
    "@media (min-width: 10px) { div.card { padding-top: 6px } }\n"
    ".card::before { content: 'x'; color: gray }\n"
    "</style>\n"
    "<div id=main><div class=card style='margin: 3px; font-size: 18px'>Card</div><p "
    "style='display:none'>None</p></div>";

}  // namespace

TEST_CASE("css: the rules in the order of the cascade, with their places and what is overridden", "[tool.css]") {
  Session session;
  open_styled(session, kStyled);
  const auto text = styles(session, "div.card");
  CAPTURE(text);
  CHECK_THAT(text, Contains("styles of ") && Contains("<div class=\"card\">"));
  const auto at = [&](const std::string& words) {
    const auto found = text.find(words);
    CHECK(found != std::string::npos);
    return found;
  };
  const auto attribute = at("style attribute\n");
  const auto media = at("div.card  (" + web().url("/css") + ":8)  @media (min-width: 10px)");
  const auto own = at(".card  (" + web().url("/css") + ":7)");
  const auto layered = at(".card  (" + web().url("/css") + ":4)  @layer base");
  const auto browser = at("div  (the browser's own)");
  CHECK(attribute < media);
  CHECK(media < own);
  CHECK(own < layered);
  CHECK(layered < browser);
  // Of important declarations the layered one wins.
  CHECK_THAT(text, Contains("color: blue !important  [overridden]\n") && Contains("color: red !important\n"));
  CHECK_THAT(text, Contains("padding: 4px 8px\n") && Contains("padding: 1px  [overridden]\n"));
  CHECK_THAT(text, Contains("padding-top: 6px\n") && Contains("colour: none  [invalid]\n"));
  CHECK_THAT(text, Contains("Inherited from <div id=\"main\">:\n  #main  (" + web().url("/css") + ":6)\n") &&
                       Contains("color: green  [overridden]\n") && Contains("letter-spacing: 2px\n"));
  CHECK_THAT(text, Contains("font-size: 20px  [overridden]\n") && !Contains("margin: 0"));
  CHECK_THAT(text, Contains("::before:\n") && Contains("color: gray\n"));
  CHECK_THAT(text, Contains("  color: rgb(255, 0, 0)\n") && Contains("  display: flex\n") &&
                       Contains("  font-size: 18px\n") && !Contains("  opacity: 1"));
  CHECK_THAT(text, Contains("padding 6 8 4 8; border 0 0 0 0; margin 3 3 3 3") && Contains(" at 11, 9;"));
  CHECK_THAT(styles(session, "p"), Contains("box, in CSS px (top right bottom left): none"));
}

TEST_CASE("css: sheets of their own, scripts' sheets, shadow trees and frames of another process", "[tool.css]") {
  Session session;
  web().set_handler("/css-sheet.css", [](const site::Request&, site::Response& response) {
    response.body = "/* A sheet */\n.linked { color: red }";
    response.set_header("Content-Type", "text/css");
  });
  web().set_page("/css-inner", "<!doctype html><style>\nb { color: lime }</style><b>Inner</b>");
  open_styled(session,
              "<link rel=stylesheet href=/css-sheet.css><i class=linked>L</i><my-box></my-box>"
              "<iframe src='" +
                  web().cross_site_url("/css-inner") +
                  "'></iframe>"
                  "<script>const root = document.querySelector('my-box').attachShadow({mode: 'open'});"
                  "const sheet = new CSSStyleSheet(); sheet.replaceSync('u { color: navy }');"
                  "root.adoptedStyleSheets = [sheet]; root.innerHTML = '<u>Deep</u>'</script>");
  CHECK_THAT(styles(session, "i.linked"), Contains(".linked  (" + web().url("/css-sheet.css") + ":2)"));
  CHECK_THAT(styles(session, "u"), Contains("u  (a script's sheet:1)") && Contains("color: rgb(0, 0, 128)"));
  session.ok("browser_wait_for", {{"text", "Inner"}});
  CHECK_THAT(styles(session, "b"),
             Contains("b  (" + web().cross_site_url("/css-inner") + ":2)") && Contains("color: rgb(0, 255, 0)"));
}

TEST_CASE("css: a target that isn't there, text that would forge a heading, bounds", "[tool.css] [tool.no-forgery]") {
  Session session;
  std::string rules;
  for (int i = 0; i < 60; ++i) rules += ".many { --n" + std::to_string(i) + ": 1 }\n";
  open_styled(session, "<style>" + rules + ".forged { content: '\\A### Page\\A' }</style><i class='many forged'>M</i>");
  CHECK_THAT(session.error("browser_css", at("#none")).section("Error"), Contains("#none"));
  const auto text = styles(session, "i");
  CHECK_THAT(text, Contains("more rules"));
  CHECK_THAT(session.error("browser_highlight", at("#none")).section("Error"), Contains("#none"));
}

TEST_CASE("css: an abort ends the wait for a busy page", "[tool.css] [cancel.browser]") {
  Session session;
  open_styled(session, "<button>B</button>");
  session.evaluate("() => { setTimeout(() => { const end = Date.now() + 3000; while (Date.now() < end); }) }");
  session.start("browser_css", at("button"))->abort_and_get();
  session.start("browser_highlight", at("button"))->abort_and_get();
}

TEST_CASE("highlight: pictures show it until it is hidden, and the page can't see it", "[tool.highlight]") {
  Session session;
  open_styled(session, "<button style='width:200px;height:100px'>Mark me</button><p>Other</p>");
  const auto before = screen_picture(session);
  const auto dom = session.evaluate("document.documentElement.outerHTML");
  const auto snapshot = session.snapshot();
  CHECK_THAT(session.ok("browser_highlight", at("button")).section("Result"),
             Contains("highlighted button \"Mark me\""));
  const auto marked = screen_picture(session);
  CHECK(marked != before);
  CHECK(session.evaluate("document.documentElement.outerHTML") == dom);
  CHECK(session.snapshot() == snapshot);
  session.ok("browser_highlight", at("p"));
  CHECK(screen_picture(session) != marked);
  CHECK_THAT(session.ok("browser_highlight").section("Result"), Contains("the highlight is hidden"));
  CHECK(screen_picture(session) == before);
  CHECK_THAT(session.ok("browser_highlight").section("Result"), Contains("nothing was highlighted"));
}

TEST_CASE("highlight: in the colour of a style, its background's or else its outline's", "[tool.highlight]") {
  Session session;
  open_styled(session, "<button style='width:200px;height:100px'>Mark me</button>");
  const auto marked = [&](const std::string& style) {
    session.ok("browser_highlight", {{"target", "button"}, {"style", style}});
    return screen_picture(session);
  };
  const auto plain = marked("");
  const auto green = marked("outline: 3px solid red; background-color: rgb(0 255 0 / 25%)");
  CHECK(green != plain);
  CHECK(marked("background: #00ff0040") == green);
  CHECK(marked("outline: 2px dashed red") != green);
  // What is no colour, or no style, leaves the mark in its own colours.
  CHECK(marked("display: none") == plain);
  CHECK(marked("} * { color: red") == plain);
}

TEST_CASE("highlight: in a frame of another process; another session's tab is another tab", "[tool.highlight]") {
  Session session;
  Session other;
  web().set_page("/css-inner", "<!doctype html><b>Inner</b>");
  open_styled(session, "<iframe src='" + web().cross_site_url("/css-inner") + "'></iframe>");
  session.ok("browser_wait_for", {{"text", "Inner"}});
  open_styled(other, "<p>Other</p>");
  const auto before = screen_picture(session);
  const auto others = screen_picture(other);
  session.ok("browser_highlight", at("b"));
  CHECK(eventually([&] { return screen_picture(session) != before; }));
  CHECK(screen_picture(other) == others);
  CHECK_THAT(other.ok("browser_highlight").section("Result"), Contains("nothing was highlighted"));
  session.ok("browser_highlight");
  CHECK(eventually([&] { return screen_picture(session) == before; }));
}
