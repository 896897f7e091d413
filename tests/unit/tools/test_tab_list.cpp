// What one caller knows of its tabs, without a browser.
#include "base/errors.h"
#include "tests/support/catch.h"
#include "tests/unit/support/fake_transport.h"
#include "tools/scope/call_effects.h"
#include "tools/scope/tab_list.h"

using namespace bridle;
using bridle::testing::FakeTransport;
using matchers::Contains;

namespace {

struct Tabs {
  std::shared_ptr<CdpConnection> connection = std::make_shared<CdpConnection>(std::make_unique<FakeTransport>());
  TabList list;

  // A tab that opened by itself, or was opened by the tab `opener`.
  std::shared_ptr<Tab> open(const std::string& id, const std::string& opener = {}) {
    const auto opened_by = opener.empty() ? std::string() : "target-" + opener;
    auto tab = std::make_shared<Tab>(id, Tab::Info{"target-" + id, "CTX", opened_by}, CdpSession(connection, id),
                                     Tab::Setup{});
    list.add(tab);
    return tab;
  }
};

std::string words_of(TabList& list) {
  try {
    list.current();
  } catch (const ToolError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a scope without a choice works on its newest tab", "[tab-list]") {
  Tabs tabs;
  CHECK(tabs.list.current() == nullptr);
  tabs.open("t1");
  const auto second = tabs.open("t2");
  CHECK(tabs.list.current_id().empty());
  CHECK(tabs.list.current() == second);
  CHECK(tabs.list.current_id() == "t2");
  tabs.list.select("t1");
  CHECK(tabs.list.current_id() == "t1");
  tabs.list.select("t9");  // unknown: the choice stays
  CHECK(tabs.list.current_id() == "t1");
}

TEST_CASE("a current tab that went away by itself is told once, with what is open", "[tab-list] [nav.closed-tab]") {
  Tabs tabs;
  tabs.open("t1");
  const auto second = tabs.open("t2");
  tabs.list.select("t2");
  second->mark_gone("the page closed itself");
  tabs.list.drop_gone();
  const auto words = words_of(tabs.list);
  CHECK_THAT(words, Contains("(t2) is gone: the page closed itself") && Contains("Open tabs: t1") &&
                        Contains("the next call uses t1"));
  CHECK(words_of(tabs.list).empty());
  CHECK(tabs.list.current_id() == "t1");
}

TEST_CASE("a closed current tab leaves its place to the one before it", "[tab-list]") {
  Tabs tabs;
  const auto first = tabs.open("t1");
  const auto second = tabs.open("t2");
  const auto third = tabs.open("t3");
  tabs.list.select("t2");
  tabs.list.remove(*third);
  CHECK(tabs.list.current_id() == "t2");
  tabs.list.remove(*second);
  CHECK(tabs.list.current_id() == "t1");
  tabs.list.remove(*second);  // no longer there: nothing happens
  tabs.list.remove(*first);
  CHECK(tabs.list.current_id().empty());
  CHECK(tabs.list.empty());
}

TEST_CASE("a popup is told once, and only to who is told of its opener", "[tab-list] [nav.popup]") {
  Tabs tabs;
  tabs.open("t1");
  const auto popup = tabs.open("t2", "t1");
  tabs.open("t3", "t1");
  tabs.list.mark_told("t3");
  CHECK(tabs.list.take_popups("t2").empty());
  CHECK(tabs.list.take_popups("t1") == std::vector<std::shared_ptr<Tab>>{popup});
  CHECK(tabs.list.take_popups("t1").empty());
}

TEST_CASE("what was told of a tab goes with it", "[tab-list]") {
  Tabs tabs;
  const auto tab = tabs.open("t1");
  for (int i = 0; i < 25; ++i) tabs.list.note("t1", std::to_string(i));
  tabs.list.note("t9", "nobody's");
  const auto notes = tabs.list.take_notes("t1");
  CHECK(notes.size() == 20);
  CHECK(notes.front() == "0");
  CHECK(tabs.list.take_notes("t1").empty());
  tabs.list.tell_origin("t1", {.key = "http://a", .loader_id = "L"});
  CHECK(tabs.list.told_origin("t1").key == "http://a");
  CHECK(tabs.list.told_origin("t1").loader_id == "L");
  CHECK(tabs.list.take_console_mark("t1", 7) == 0);
  CHECK(tabs.list.take_console_mark("t1", 9) == 7);
  CHECK(tabs.list.take_console_mark("t9", 5) == 5);
  CHECK(tabs.list.clear() == std::vector<std::shared_ptr<Tab>>{tab});
  CHECK(tabs.list.told_origin("t1").key.empty());
  CHECK(tabs.list.all().empty());
}

TEST_CASE("a cancelled call's note says what it did, then what was under way", "[tab-list] [cancel.browser.told]") {
  CallEffects effects;
  CHECK(effects.empty());
  CHECK(effects.cancel_note("http://a/").empty());
  effects.if_cancelled("navigation to http://b/ stopped");
  CHECK(effects.cancel_note("http://a/") == "cancelled: navigation to http://b/ stopped (the page is at http://a/)");
  CHECK(effects.cancel_note("data:text/html," + std::string(5000, 'x')).size() < 400);
  effects.record("typed into textbox \"Name\"");
  effects.record("clicked button \"Save\"");
  CHECK(effects.text() == "typed into textbox \"Name\", clicked button \"Save\"");
  effects.drop_last();
  CHECK(effects.cancel_note("http://a/") ==
        "cancelled: typed into textbox \"Name\", navigation to http://b/ stopped (the page is at http://a/)");
  effects.if_cancelled("");
  effects.drop_last();
  effects.drop_last();
  CHECK(effects.cancel_note("http://a/").empty());
}
