// A page that its server renders again after an action is told by what differs [tool.snapshot.delta.document].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// A board with a form that loads it again, and `news` above that.
std::string board(const std::string& news, const std::string& action = "/board", const std::string& last = "Post 9") {
  std::string rows;
  for (int i = 0; i < 9; ++i) rows += "<tr><td>Post " + std::to_string(i) + "<td><button>Delete</button>";
  return "<!doctype html><title>Board</title><h1>Board</h1>" + news + "<form action='" + action +
         "'><label>Title <input name=title></label><button>Save</button></form><table>" + rows + "<tr><td>" + last +
         "<td><button onclick=\"document.title = 'Deleted " + last + "'\">Delete</button></table>";
}

std::string ref_on_line(const std::string& text, const std::string& words) {
  const auto ref = text.find("[ref=", text.find(words));
  return text.substr(ref + 5, text.find(']', ref) - ref - 5);
}

}  // namespace

TEST_CASE("what a server renders again after an action is told as what has changed, and the refs go on",
          "[navigation] [tool.snapshot.delta.document]") {
  Session session;
  web().set_page("/board", board(""));
  const auto before = session.navigate(web().url("/board")).section("Snapshot");
  web().set_page("/board", board("<p role=status>Saved.</p>"));
  const auto saved = session.ok("browser_click", at("form button")).section("Snapshot");
  CHECK_THAT(saved, Contains("the page was loaded anew"));
  CHECK_THAT(saved, Contains("Saved."));
  CHECK_THAT(saved, !Contains("Post 4"));

  SECTION("a ref from before the page was loaded acts on what stands in its place") {
    const auto row = before.find("Post 9");
    const auto deleted = session.ok("browser_click", at(ref_on_line(before.substr(row), "button")));
    CHECK_THAT(deleted.text, Contains("Deleted Post 9"));
  }
  SECTION("what another row has taken the place of is gone with its ref") {
    web().set_page("/board", board("<p role=status>Saved.</p>", "/board", "Post X"));
    const auto again = session.ok("browser_click", at("form button")).section("Snapshot");
    CHECK_THAT(again, Contains("Post X"));
    const auto row = before.find("Post 9");
    const auto refused = session.error("browser_click", at(ref_on_line(before.substr(row), "button")));
    CHECK_THAT(refused.text, Contains("was button"));
  }
  SECTION("a snapshot, a navigation and a reload by a tool tell the page whole") {
    CHECK_THAT(session.snapshot(), Contains("Post 4"));
    session.evaluate("location.reload()");
    wait_committed(session, web().url("/board?title="));
    CHECK_THAT(session.navigate(web().url("/board")).section("Snapshot"), Contains("Post 4"));
    CHECK_THAT(session.ok("browser_reload").section("Snapshot"), Contains("Post 4"));
  }
}

TEST_CASE("a page of another path that an action leads to is told whole, but for a form that is shown again",
          "[navigation] [tool.snapshot.delta.document]") {
  Session session;
  auto first = board("", "/board/saved");
  auto next = board("<p role=status>Saved.</p>");
  const auto send = [&] { first.replace(first.find("<form"), 5, "<form method=post"); };
  const auto saved = [&] {
    web().set_page("/board", first);
    web().set_page("/board/saved", next);
    session.navigate(web().url("/board"));
    return session.ok("browser_click", at("form button")).section("Snapshot");
  };
  SECTION("a page of the same title that is got from there") {
    const auto told = saved();
    CHECK_THAT(told, !Contains("loaded anew"));
    CHECK_THAT(told, Contains("Post 4"));
  }
  SECTION("the next step, which has another title, after a form was sent") {
    send();
    next.replace(next.find("<title>Board"), 12, "<title>Saved");
    const auto told = saved();
    CHECK_THAT(told, !Contains("loaded anew"));
    CHECK_THAT(told, Contains("Post 4"));
  }
  SECTION("the form, with what is wrong in it") {
    send();
    const auto told = saved();
    CHECK_THAT(told, Contains("loaded anew") && Contains("Saved."));
    CHECK_THAT(told, !Contains("Post 4"));
  }
}
