// Whose a new tab is, and what a session's end does to its tabs, for each kind of context.
#include "browser/chromium/tab_directory.h"
#include "tests/support/catch.h"
#include "tests/unit/support/fake_tab.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

struct House {
  FakeTransport* transport = new FakeTransport;
  std::shared_ptr<CdpConnection> connection{std::make_shared<CdpConnection>(std::unique_ptr<CdpTransport>(transport))};
  TabDirectory directory{Tab::Setup{}};

  House() {
    connection->start([](const std::string&) {});
  }
  ~House() { connection->stop(); }
  House(const House&) = delete;
  House& operator=(const House&) = delete;

  template <typename Context, typename... Args>
  std::shared_ptr<const BrowserContext> session(Args... args) {
    auto context = std::make_shared<Context>(args...);
    directory.listen(context, [](const std::shared_ptr<Tab>&) {});
    return context;
  }
  TabDirectory::Arrival arrive(const std::string& target, const std::string& context = "DEFAULT",
                               const std::string& opener = "") {
    return directory.add({{"targetInfo", {{"targetId", target}}}}, Tab::Info{target, context, opener},
                         CdpSession(connection, "S-" + target));
  }
  std::string owner_of(const std::string& target, const std::string& context = "DEFAULT",
                       const std::string& opener = "") {
    const auto arrival = arrive(target, context, opener);
    return arrival.tab ? arrival.tab->info().context_id : "";
  }
  std::vector<std::string> sent_by_end_of(const BrowserContext& context) {
    context.dispose(*connection, directory.of_context(context.id()));
    REQUIRE(transport->drain());
    std::vector<std::string> sent;
    for (const auto& command : transport->sent()) sent.push_back(command.method + " " + dump(command.params));
    return sent;
  }
};

}  // namespace

TEST_CASE("a context of its own has the tabs that the browser says are its", "[tab_directory]") {
  House house;
  const auto own = house.session<OwnContext>("CTX");
  CHECK(house.owner_of("T1", "CTX") == "CTX");
  CHECK(house.owner_of("T2", "OTHER").empty());  // a session that ended meanwhile, or the browser's first window
  CHECK(house.directory.size() == 1);
  CHECK(own->address({{"a", 1}}) == Json{{"a", 1}, {"browserContextId", "CTX"}});
  CHECK(house.sent_by_end_of(*own) ==
        std::vector<std::string>{R"(Target.disposeBrowserContext {"browserContextId":"CTX"})"});
  house.directory.unlisten("CTX");
  CHECK(house.owner_of("T3", "CTX").empty());
}

TEST_CASE("the ids of an isolated context's tabs can't be guessed; others' count up", "[tab_directory]") {
  House house;
  house.session<OwnContext>("CTX");
  house.session<IsolatedContext>("ISO");
  CHECK(house.arrive("T1", "CTX").tab->id().starts_with("t"));
  const auto secret = house.arrive("T2", "ISO").tab->id();
  CHECK(secret.starts_with(Tab::kSecretPrefix));
  CHECK(secret.size() > 24);
}

TEST_CASE("in a shared profile, a tab is whose it was opened for, else its opener's", "[tab_directory]") {
  House house;
  const auto one = house.session<SharedContext>();
  const auto two = house.session<SharedContext>();
  REQUIRE(one->id() != two->id());
  CHECK(one->address({{"a", 1}}) == Json{{"a", 1}});
  house.directory.expect("T1", one->id(), false);
  house.directory.expect("T2", two->id(), false);
  CHECK(house.owner_of("T2") == two->id());
  CHECK(house.owner_of("T1") == one->id());
  CHECK(house.owner_of("T3", "DEFAULT", "T2") == two->id());
  CHECK(house.arrive("T4").stray);  // without an opener: of either of them
  CHECK(house.owner_of("T5", "DEFAULT", "T4").empty());
  CHECK(house.directory.of_context(two->id()).size() == 2);
  CHECK(house.sent_by_end_of(*one) == std::vector<std::string>{R"(Target.closeTarget {"targetId":"T1"})"});
}

namespace {

// As if a link in the tab's page had been clicked with Ctrl.
void ask_for_tab(House& house, const std::string& target, const char* disposition = "newTab") {
  house.transport->push_event("S-" + target, "Page.frameRequestedNavigation",
                              {{"frameId", target}, {"url", "http://a/"}, {"disposition", disposition}});
  REQUIRE(house.transport->drain());
}

}  // namespace

TEST_CASE("a tab that comes without an opener is its whose page has asked for one", "[tab_directory] [nav.tab-owner]") {
  House house;
  const auto one = house.session<SharedContext>();
  const auto two = house.session<SharedContext>();
  house.session<OwnContext>("CTX");
  house.directory.expect("T1", one->id(), false);
  house.directory.expect("T2", two->id(), false);
  for (const auto* target : {"T1", "T2"}) house.arrive(target).tab->attach(0, 0);
  house.arrive("T3", "CTX").tab->attach(0, 0);

  ask_for_tab(house, "T2", "currentTab");
  CHECK(house.arrive("T10").stray);  // that was no click for a tab
  ask_for_tab(house, "T2");
  const auto popup = house.arrive("T11").tab;
  REQUIRE(popup);
  CHECK(popup->info().context_id == two->id());
  CHECK(popup->info().opener_id == "T2");
  CHECK(house.arrive("T12").stray);  // one click, one tab

  ask_for_tab(house, "T1", "newWindow");
  ask_for_tab(house, "T1");
  CHECK(house.owner_of("T13") == one->id());
  CHECK(house.owner_of("T14") == one->id());

  // The pages of both have asked: neither is shown what may be the other's.
  ask_for_tab(house, "T1");
  ask_for_tab(house, "T2");
  CHECK(house.arrive("T15").stray);

  // A context of its own is named by the browser; the click tells which of its tabs it was.
  ask_for_tab(house, "T3");
  CHECK(house.arrive("T16", "CTX").tab->info().opener_id == "T3");
  CHECK(house.arrive("T17", "CTX").tab->info().opener_id.empty());
}

TEST_CASE("a click that no tab followed claims no later tab", "[tab_directory] [nav.tab-owner]") {
  House house;
  const auto one = house.session<SharedContext>();
  house.session<SharedContext>();
  house.directory.expect("T1", one->id(), false);
  const auto tab = house.arrive("T1").tab;
  tab->attach(0, 0);
  ask_for_tab(house, "T1");
  CHECK(tab->asked_for_tab(Clock::now() - Millis(20'000)));
  CHECK_FALSE(tab->asked_for_tab(Clock::now()));
  tab->got_tab(Clock::now());
  CHECK_FALSE(tab->asked_for_tab(Clock::now() - Millis(20'000)));
}

TEST_CASE("a session's page that is gone asks for nothing; without sessions a tab is let be",
          "[tab_directory] [nav.tab-owner]") {
  House house;
  CHECK_FALSE(house.arrive("T0").stray);  // the window that Chromium opens at its start
  const auto one = house.session<SharedContext>();
  house.session<SharedContext>();
  house.directory.expect("T1", one->id(), false);
  house.arrive("T1").tab->attach(0, 0);
  ask_for_tab(house, "T1");
  house.directory.remove("S-T1")->mark_gone("it was closed");
  CHECK(house.arrive("T2").stray);
}

TEST_CASE("a popup in a browser of somebody else's follows its opener, named or not",
          "[tab_directory] [nav.tab-owner]") {
  House house;
  const auto only = house.session<AttachedContext>();
  house.directory.expect("T1", only->id(), false);
  house.directory.expect("T2", only->id(), true);
  for (const auto* target : {"T1", "T2"}) house.arrive(target).tab->attach(0, 0);
  CHECK_FALSE(house.directory.expect_popup("T3", ""));
  CHECK_FALSE(house.directory.expect_popup("T3", "UNKNOWN"));
  CHECK(house.directory.expect_popup("T3", "T1"));
  CHECK(house.owner_of("T3", "DEFAULT", "T1") == only->id());
  ask_for_tab(house, "T2");  // the person's own tab, perhaps the person's own click
  CHECK(house.directory.expect_popup("T4", ""));
  const auto popup = house.arrive("T4").tab;
  CHECK(popup->info().opener_id == "T2");
  CHECK(popup->info().foreign);
  ask_for_tab(house, "T1");
  house.directory.begin_creation();
  CHECK_FALSE(house.directory.expect_popup("T5", ""));
}

TEST_CASE("a tab that nobody asked for is the only session's of a shared profile", "[tab_directory]") {
  House house;
  const auto only = house.session<SharedContext>();
  house.session<IsolatedContext>("ISO");  // has its own
  CHECK(house.owner_of("T1") == only->id());
}

TEST_CASE("in a browser of somebody else's, only what a session opened or selected is its", "[tab_directory]") {
  House house;
  const auto only = house.session<AttachedContext>();
  CHECK(house.owner_of("T1").empty());
  house.directory.expect("T2", only->id(), false);
  house.directory.expect("T3", only->id(), true);
  CHECK_FALSE(house.arrive("T2").tab->info().foreign);
  CHECK(house.arrive("T3").tab->info().foreign);
  auto sent = house.sent_by_end_of(*only);
  std::sort(sent.begin(), sent.end());
  CHECK(sent == std::vector<std::string>{R"(Target.closeTarget {"targetId":"T2"})",
                                         R"(Target.detachFromTarget {"sessionId":"S-T3"})"});
}

TEST_CASE("what attaches while a tab is being made is held back until it is known whose it is", "[tab_directory]") {
  House house;
  const auto one = house.session<SharedContext>();
  house.session<SharedContext>();
  house.directory.begin_creation();
  CHECK(house.arrive("T1").held_back);
  house.directory.expect("T2", one->id(), false);
  CHECK_FALSE(house.arrive("T2").held_back);                   // expected
  CHECK_FALSE(house.arrive("T3", "DEFAULT", "T2").held_back);  // a popup
  house.directory.begin_creation();
  CHECK(house.arrive("T4").held_back);
  CHECK(house.directory.end_creation("T1").size() == 1);  // T4 may be the other one's yet
  CHECK(house.directory.end_creation("").size() == 1);
  CHECK(house.directory.end_creation("").empty());
}

TEST_CASE("tabs are found by target until they are removed, and a wait for one ends with the browser",
          "[tab_directory]") {
  House house;
  house.session<OwnContext>("CTX");
  const auto tab = house.arrive("T1", "CTX").tab;
  CHECK(house.directory.find("T1") == tab);
  CHECK(house.directory.await({}, "T1") == tab);
  CHECK(house.directory.remove("S-none") == nullptr);
  CHECK(house.directory.remove("S-T1") == tab);
  CHECK(house.directory.find("T1") == nullptr);
  CHECK(house.directory.await(CallContext{}.within(Millis(5)), "T1") == nullptr);
  auto waits = std::async(std::launch::async, [&] { return house.directory.await({}, "T2"); });
  const auto last = house.arrive("T3", "CTX").tab;
  CHECK(house.directory.close() == std::vector{last});
  CHECK(waits.get() == nullptr);
  CHECK(house.directory.contexts().empty());
}

TEST_CASE("a frame leads to the tab whose page has it", "[tab_directory]") {
  House house;
  house.session<SharedContext>();
  const auto first = house.arrive("T1").tab;
  const auto second = house.arrive("T2").tab;
  for (const auto& tab : {first, second}) tab->attach(800, 600);
  house.transport->push_event("S-T2", "Page.frameAttached", {{"frameId", "F"}, {"parentFrameId", "T2"}});
  REQUIRE(house.transport->drain());
  CHECK(house.directory.with_frame("T1") == first);
  CHECK(house.directory.with_frame("F") == second);
  CHECK(house.directory.with_frame("G") == nullptr);
  CHECK(house.directory.with_frame("") == nullptr);
}
