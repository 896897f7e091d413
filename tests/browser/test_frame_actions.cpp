// What an action in a frame brings about is in its result [nav.after-action], whether the frame is of
// the page's own process or of another.
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// A frame whose button, field and keys all do what `way` says; "told" is in the page around it.
std::string frame_page(const std::string& way) {
  return R"html(<!doctype html><title>Inner</title><button id="b">Act</button><label>Field <input id="i"></label><p id="out">nothing</p>
<div id="k" role="button" tabindex="0">Keys</div><a id="link" href="/frame-effect-next">Next</a><script>
const set = () => { document.getElementById('out').textContent = 'effect seen'; };
const ways = {
  sync: set,
  steps: () => requestAnimationFrame(() => { out.append('.'); requestAnimationFrame(set); }), timer: () => setTimeout(set, 0),
  fetch: async () => { await fetch('/api/slow?ms=300'); set(); },
  told: () => parent.postMessage('effect', '*'),
  leaves: () => { location.href = '/frame-effect-next'; },
};
const act = () => ways[')html" +
         way + R"html(']();
document.getElementById('b').onclick = act;
document.getElementById('i').oninput = act;
document.getElementById('k').onkeydown = act;
</script>)html";
}

// The page with that frame, and a snapshot taken: what comes is news.
void open_page(Session& session, const std::string& way, const std::string& frame_url) {
  web().set_page("/frame-effect", frame_page(way));
  web().set_page("/frame-effect-next", "<!doctype html><title>Next</title><p>effect seen</p>");
  web().set_page("/frame-outer", "<!doctype html><title>Outer</title><p id='told'>nothing told</p><iframe src='" +
                                     frame_url +
                                     "' width=600 height=300></iframe><script>onmessage = () => { told.textContent = "
                                     "'effect seen'; };</script>");
  session.navigate(web().url("/frame-outer"));
  session.ok("browser_wait_for", {{"text", "nothing"}});
  session.snapshot();
}

}  // namespace

TEST_CASE("what an action in a frame brings about is in its result, however it comes",
          "[frames][settle] [nav.after-action]") {
  const bool same = GENERATE(true, false);
  const std::string way = GENERATE("sync", "steps", "timer", "fetch", "told", "leaves");
  INFO((same ? "same process, " : "another process, ") + way);
  Session session;
  open_page(session, way, same ? web().url("/frame-effect") : web().cross_site_url("/frame-effect"));
  SECTION("a click") {
    CHECK_THAT(session.ok("browser_click", {{"target", "#b"}}).section("Snapshot"), Contains("effect seen"));
  }
  // By other inputs alike: what tells them apart is enough.
  if (way == "steps" || way == "fetch") {
    SECTION("typing") {
      const auto answer = session.ok("browser_type", {{"target", "#i"}, {"text", "x"}});
      CHECK_THAT(answer.section("Snapshot"), Contains("effect seen"));
    }
  }
  if (way == "steps" || way == "leaves") {
    SECTION("a key") {
      session.ok("browser_evaluate", {{"target", "#k"}, {"function", "(e) => e.focus()"}});
      CHECK_THAT(session.ok("browser_press_key", {{"key", "x"}}).section("Snapshot"), Contains("effect seen"));
    }
  }
}

TEST_CASE("a frame whose own state changed, and nothing in it, says so", "[frames] [tool.snapshot.delta]") {
  web().set_page("/frame-marked",
                 "<!doctype html><title>Marked</title><button id=b>Mark</button><iframe id=f title=Notes "
                 "srcdoc='<p>some words</p>'></iframe><script>b.onclick = () => f.focus();</script>");
  Session session;
  session.navigate(web().url("/frame-marked"));
  CHECK_THAT(session.snapshot(), Contains("some words"));
  const auto told = session.ok("browser_click", {{"target", "#b"}}).section("Snapshot");
  CHECK_THAT(told, Contains("iframe \"Notes\" [active]") && Contains("]: (children unchanged)"));
  CHECK_THAT(told, !Contains("some words"));
}

TEST_CASE("a frame that has lost the focus to another is not told for that", "[frames] [tool.snapshot.delta]") {
  Session session;
  const bool same = GENERATE(true, false);
  web().set_page("/focus-inner", "<!doctype html><input aria-label=Inner>");
  const auto frame = same ? web().url("/focus-inner") : web().cross_site_url("/focus-inner");
  web().set_page("/focus-outer", "<!doctype html><input id=out aria-label=Outer><iframe id=one src='" + frame +
                                     "'></iframe><iframe id=two src='" + frame + "'></iframe>");
  session.navigate(web().url("/focus-outer"));
  const auto type = [&](const std::string& target, const char* text) {
    return session.ok("browser_type", {{"target", target}, {"text", text}}).section("Snapshot");
  };
  CHECK_THAT(type("frameLocator('#one').locator('input')", "first"), Contains("[active]") && Contains("first"));
  CHECK_THAT(type("frameLocator('#two').locator('input')", "second"), Contains("second") && !Contains("first"));
  CHECK_THAT(type("#out", "third"), Contains("third") && !Contains("second"));
}

TEST_CASE("what neither the page nor its frames have is told with what is nearest", "[frames] [tool.target.nearest]") {
  Session session;
  web().set_page("/with-frame",
                 "<!doctype html><title>Outer</title><button role=tab>Actions 2</button><iframe src='/plain'></iframe>"
                 "<script>setInterval(() => { document.title += '.'; }, 30)</script>");
  session.navigate(web().url("/with-frame"));
  session.snapshot();
  const auto answer = session.call("browser_click", {{"target", "tab \"Actions\""}});
  CHECK(answer.is_error);
  CHECK_THAT(answer.text, Contains("matches \"tab \"Actions\"\". Nearest: tab \"Actions 2\" [ref="));
}

TEST_CASE("a locator through a frame is looked for in that frame alone", "[frames] [tool.target]") {
  const std::string inner =
      "<button id=a>Go</button><p id=out>nothing</p><script>a.onclick = () => { out.textContent = ";
  web().set_page("/locators",
                 "<!doctype html><title>Locators</title><button id=a>Go</button><p id=out>nothing</p>"
                 "<script>a.onclick = () => { out.textContent = 'page clicked'; }</script>"
                 "<iframe id=one srcdoc=\"" +
                     inner + "'one clicked' }</script>\"></iframe><iframe id=two srcdoc=\"" + inner +
                     "'two clicked' }</script>\"></iframe>");
  Session session;
  session.navigate(web().url("/locators"));
  const auto told = session.ok("browser_click", {{"target", "frameLocator('#two').locator('#a')"}}).text;
  CHECK_THAT(told, Contains("two clicked") && !Contains("page clicked") && !Contains("one clicked"));
  CHECK_THAT(session.ok("browser_click", {{"target", "page.locator('#one').contentFrame().getByRole('button')"}}).text,
             Contains("clicked") && !Contains("page clicked"));
  CHECK_THAT(session.error("browser_click", {{"target", "frameLocator('#two').locator('#none')"}}).text,
             Contains("Nothing on the page matches"));
}
