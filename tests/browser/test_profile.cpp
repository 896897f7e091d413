// --user-data-dir: a profile that is kept, with its logins.
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

namespace fs = std::filesystem;

BrowserSettings with_profile(const std::string& folder) {
  web();
  BrowserSettings settings;
  settings.launch.user_data_dir = folder;
  return settings;
}

}  // namespace

TEST_CASE("profile: logins outlive the browser; the folder stays", "[profile] [tool.profile]") {
  const auto folder = private_tmp() + "/kept-profile";
  const auto before = profiles().size();
  {
    House house(with_profile(folder));
    Session session(house);
    session.navigate(web().url("/plain"));
    session.evaluate("document.cookie = 'login=yes; max-age=86400; path=/'");
    session.evaluate("localStorage.setItem('kept', 'too')");
    CHECK(profiles().size() == before);  // none of our own
  }
  CHECK(fs::exists(folder + "/Default"));
  House house(with_profile(folder));
  Session session(house);
  session.navigate(web().url("/plain"));
  CHECK(session.evaluate("document.cookie") == "login=yes");
  CHECK(session.evaluate("localStorage.getItem('kept')") == "too");
}

TEST_CASE("profile: sessions share its logins, and each has its own tabs", "[profile] [tool.profile]") {
  House house(with_profile(private_tmp() + "/shared-profile"));
  Session one(house);
  Session two(house);
  one.navigate(web().url("/plain?one"));
  two.navigate(web().url("/plain?two"));
  one.evaluate("document.cookie = 'shared=yes; path=/'");
  CHECK(two.evaluate("document.cookie") == "shared=yes");
  CHECK(one.scope().tabs().size() == 1);
  CHECK(two.scope().tabs().size() == 1);
  CHECK(one.href() == web().url("/plain?one"));
  two.ok("browser_tabs", {{"action", "new"}, {"url", web().url("/plain?three")}});
  CHECK(one.scope().tabs().size() == 1);
  CHECK(two.scope().tabs().size() == 2);
  const auto tab = two.scope().current_id();
  CHECK_THAT(one.error("browser_snapshot", {{"tab", tab}}).section("Error"), Contains("There is no tab"));

  // A popup is its opener's.
  web().set_page("/profile-popup", "<button id=open onclick=\"window.open('/plain?popped')\">open</button>");
  one.navigate(web().url("/profile-popup"));
  const auto clicked = one.ok("browser_click", {{"target", "#open"}});
  CHECK_THAT(clicked.section("Events"), Contains("opened a new tab"));
  CHECK(one.scope().tabs().size() == 2);
  CHECK(two.scope().tabs().size() == 2);

  // browser_close closes one session's tabs, and nothing of the other's.
  one.ok("browser_close");
  CHECK(two.evaluate("document.cookie") == "shared=yes");
  CHECK(eventually([&] { return two.browser()->tab_count() == 2; }));
}

TEST_CASE("profile: the last session's browser_close frees the folder for another program; the next call starts anew",
          "[profile] [tool.profile]") {
  const auto folder = private_tmp() + "/freed-profile";
  House house(with_profile(folder));
  Session one(house);
  Session two(house);
  one.navigate(web().url("/plain?one"));
  two.navigate(web().url("/plain?two"));
  one.evaluate("document.cookie = 'kept=yes; max-age=86400; path=/'");
  const auto pid = one.browser()->pid();
  CHECK_THAT(one.ok("browser_close").section("Result"), !Contains("free"));
  CHECK(two.evaluate("document.cookie") == "kept=yes");
  CHECK_THAT(two.ok("browser_close").section("Result"), Contains("its profile folder is free"));
  CHECK(::kill(pid, 0) == -1);
  CHECK(!fs::exists(fs::symlink_status(folder + "/SingletonLock")));
  CHECK(two.ok("browser_close").waited < 2s);  // again is fine
  {
    House another(with_profile(folder));
    Session session(another);
    session.navigate(web().url("/plain"));
    CHECK(session.evaluate("document.cookie") == "kept=yes");
    CHECK_THAT(one.error("browser_snapshot").section("Error"), Contains("in use by another browser"));
    CHECK_THAT(session.ok("browser_close").section("Result"), Contains("free"));
  }
  one.navigate(web().url("/plain?again"));
  CHECK(one.evaluate("document.cookie") == "kept=yes");
  // A session that calls while the other's close ends the browser gets a new one.
  for (int round = 0; round < 3; ++round) {
    two.navigate(web().url("/plain?round"));
    one.ok("browser_close");
    auto closing = two.start("browser_close");
    one.navigate(web().url("/plain?meanwhile"));
    CHECK(!closing->get().is_error);
    CHECK(one.evaluate("1") == 1);
  }
}

TEST_CASE("profile: a tab is its opener's however a page opens it", "[profile] [nav.tab-owner] [nav.popup]") {
  House house(with_profile(private_tmp() + "/every-opener"));
  Session one(house);
  Session two(house);
  web().set_page(
      "/every-opener",
      "<a id=link href='/plain?from-link'>link</a><a id=blank target=_blank rel=noopener href='/plain?b'>b</a>"
      "<button id=noopener onclick=\"open('/plain?n', '_blank', 'noopener')\">n</button>"
      "<script>const by = how => link.dispatchEvent(new MouseEvent('click', "
      "{bubbles: true, cancelable: true, ...how}))</script>"
      "<button id=ctrl onclick='by({ctrlKey: true})'>c</button>"
      "<button id=shift onclick='by({shiftKey: true})'>s</button>"
      "<button id=middle onclick='by({button: 1})'>m</button>");
  one.navigate(web().url("/every-opener"));
  two.navigate(web().url("/plain?two"));
  std::size_t expected = 1;
  const auto opens = [&](const Json& click) {
    CAPTURE(click.dump());
    one.ok("browser_click", click);
    ++expected;
    CHECK(eventually([&] { return one.scope().tabs().size() == expected; }));
  };
  opens({{"target", "#blank"}});
  opens({{"target", "#noopener"}});
  opens({{"target", "#ctrl"}});
  opens({{"target", "#shift"}});
  opens({{"target", "#middle"}});
  opens({{"target", "#link"}, {"modifiers", {"Control"}}});
  opens({{"target", "#link"}, {"button", "middle"}});
  CHECK(two.scope().tabs().size() == 1);
  CHECK(one.browser()->tab_count() == static_cast<long>(expected) + 1);
  const bool told = eventually([&] { return one.ok("browser_tabs", {{"action", "list"}}).says("from-link"); });
  INFO(one.ok("browser_tabs", {{"action", "list"}}).text);
  CHECK(told);
  one.ok("browser_close");
  CHECK(eventually([&] { return two.browser()->tab_count() == 1; }));
  CHECK(two.href() == web().url("/plain?two"));
}

TEST_CASE("profile: a tab that is nobody's is closed", "[profile] [nav.tab-owner]") {
  House house(with_profile(private_tmp() + "/stray"));
  Session one(house);
  Session two(house);
  one.navigate(web().url("/plain?one"));
  two.navigate(web().url("/plain?two"));
  auto& connection = one.browser()->connection();
  // Whatever opens it, no session has.
  const auto stray = connection.call({}, "", "Target.createTarget", {{"url", "about:blank"}}).value("targetId", "");
  CHECK(eventually([&] {
    const Json targets = connection.call({}, "", "Target.getTargets", Json::object()).at("targetInfos");
    return std::none_of(targets.begin(), targets.end(), [&](const Json& info) { return info["targetId"] == stray; });
  }));
  CHECK(one.scope().tabs().size() == 1);
  CHECK(two.scope().tabs().size() == 1);
}

TEST_CASE("profile: many tabs at once go to those who opened them", "[profile]") {
  House house(with_profile(private_tmp() + "/busy-profile"));
  std::vector<std::unique_ptr<Session>> sessions;
  std::vector<std::unique_ptr<Running>> running;
  for (int i = 0; i < 4; ++i) sessions.push_back(std::make_unique<Session>(house));
  for (int i = 0; i < 4; ++i) {
    for (int n = 0; n < 2; ++n) {
      running.push_back(sessions[static_cast<std::size_t>(i)]->start(
          "browser_tabs", {{"action", "new"}, {"url", web().url("/plain?of=" + std::to_string(i))}}));
    }
  }
  for (auto& call : running) CHECK_FALSE(call->get().is_error);
  for (int i = 0; i < 4; ++i) {
    const auto tabs = sessions[static_cast<std::size_t>(i)]->scope().tabs();
    CHECK(tabs.size() == 2);
    for (const auto& tab : tabs) CHECK(tab["url"] == web().url("/plain?of=" + std::to_string(i)));
  }
}

TEST_CASE("profile: a new tab that is called off before it is asked for leaves popups to their owner", "[profile]") {
  House house(with_profile(private_tmp() + "/called-off"));
  Session session(house);
  web().set_page("/called-off",
                 "<button id=open onclick=\"window.open('/plain', '_blank', 'noopener')\">open</button>");
  session.navigate(web().url("/called-off"));
  CallContext ctx;
  AbortController controller;
  ctx.signal = controller.signal();
  controller.abort(AbortReason::stopped_by_user);
  const auto context = session.browser()->create_context({});
  CHECK_THROWS_AS(session.browser()->create_tab(ctx, *context), Aborted);
  session.ok("browser_click", {{"target", "#open"}});
  CHECK(eventually([&] { return session.scope().tabs().size() == 2; }));
}

TEST_CASE("profile: one in use is an error that says by whom; afterwards it can be had", "[profile]") {
  const auto folder = private_tmp() + "/one-profile";
  House second(with_profile(folder));
  Session late(second);
  {
    House first(with_profile(folder));
    Session session(first);
    session.navigate(web().url("/plain"));
    const auto answer = late.error("browser_navigate", {{"url", web().url("/plain")}});
    CHECK_THAT(answer.section("Error"), Contains("in use") && Contains(folder) && Contains("--user-data-dir") &&
                                            Contains(std::to_string(session.browser()->pid())));
    CHECK(answer.waited < 2s);
    CHECK(session.href() == web().url("/plain"));  // undisturbed
  }
  late.navigate(web().url("/plain"));
}

TEST_CASE("profile: after the browser was killed the next one has the profile again", "[profile]") {
  House house(with_profile(private_tmp() + "/killed-profile"));
  Session session(house);
  session.navigate(web().url("/plain"));
  REQUIRE(::kill(session.browser()->pid(), SIGKILL) == 0);
  REQUIRE(eventually([&] { return session.browser() == nullptr; }));
  auto answer = session.call("browser_navigate", {{"url", web().url("/plain?again")}});
  if (answer.is_error) answer = session.ok("browser_navigate", {{"url", web().url("/plain?again")}});
  CHECK_THAT(answer.section("Events"), Contains("a new one was started") && Contains("profile"));
}

TEST_CASE("profile: a folder that can't be used is said", "[profile]") {
  const auto file = private_tmp() + "/no-folder";
  std::ofstream(file) << "x";
  House house(with_profile(file + "/below"));
  Session session(house);
  const auto answer = session.error("browser_navigate", {{"url", web().url("/plain")}});
  CHECK_THAT(answer.section("Error"), Contains(file) && Contains("--user-data-dir"));
}
