// What origins have stored is read once their last document has gone [tool.storage-state].
#include <algorithm>
#include <fstream>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

Json by_name(const Json& items) {
  Json values = Json::object();
  for (const auto& item : items) values[item.at("name").get<std::string>()] = item.at("value");
  return values;
}

// A session with the set storage, and what its browser remembers of its context.
class Keeper {
 public:
  explicit Keeper(House& house) : session_(house), place_(session_.scope().ensure_context({})) {}
  Session* operator->() { return &session_; }

  // The localStorage of an origin, as it is remembered, by name; null if it isn't.
  Json known(const std::string& origin) const {
    const auto stored = place_.browser->seen_origins().stored(place_.context->id(), origin);
    return stored ? by_name(stored->at("localStorage")) : Json();
  }
  bool wants_read(const std::string& origin) const {
    const auto unread = place_.browser->seen_origins().unread(place_.context->id());
    return std::any_of(unread.begin(), unread.end(), [&](const auto& one) { return one.origin == origin; });
  }
  bool shows(const std::string& origin) const {
    const auto shown = place_.browser->shown_origins(*place_.context);
    return shown && shown->contains(origin);
  }
  // As it is in a file that is saved now.
  Json saved(const std::string& origin) {
    const auto path = session_.ok("browser_storage_state", {{"action", "save"}}).structured["path"].get<std::string>();
    const Json state = Json::parse(std::ifstream(path));
    for (const auto& one : state.at("origins")) {
      if (one.at("origin") == origin) return by_name(one.at("localStorage"));
    }
    return {};
  }

 private:
  Session session_;
  const BrowserScope::Place place_;
};

BrowserSettings with_storage() {
  BrowserSettings settings;
  settings.caps = {"storage"};
  return settings;
}

House& storage_house() {
  static House house(with_storage());
  return house;
}

// Stores a word when it is left: another site's document has been there then for a moment.
void set_leaving_page() {
  web().set_page("/leaving",
                 "<!doctype html><title>Leaving</title><script>addEventListener('pagehide', () => {"
                 "localStorage.last = String(Number(localStorage.last ?? 0) + 1); });</script>");
}

}  // namespace

TEST_CASE("left origins: what the last document of an origin has stored is known soon, and only until one comes again",
          "[tool.storage-state]") {
  set_leaving_page();
  Keeper keeper(storage_house());
  keeper->navigate(web().url("/leaving"));
  keeper->evaluate("() => { localStorage.word = 'one' }");
  CHECK(keeper.shows(web().origin()));
  keeper->navigate(web().cross_site_url("/leaving"));
  CHECK_FALSE(keeper.shows(web().origin()));
  const auto requests = web().requests().size();
  const auto tabs = keeper->scope().listed_tabs().size();
  REQUIRE(eventually([&] { return !keeper.known(web().origin()).is_null(); }));
  CHECK(web().requests().size() == requests);
  CHECK(keeper->scope().listed_tabs().size() == tabs);
  CHECK(keeper.known(web().origin()) == Json({{"last", "1"}, {"word", "one"}}));
  CHECK(keeper.known(web().cross_site()).is_null());
  CHECK(keeper.saved(web().origin()) == Json({{"last", "1"}, {"word", "one"}}));

  keeper->navigate(web().url("/leaving"));
  CHECK(keeper.known(web().origin()).is_null());
  keeper->evaluate("() => { localStorage.word = 'two' }");
  CHECK(keeper.saved(web().origin()) == Json({{"last", "1"}, {"word", "two"}}));
  keeper->navigate(web().cross_site_url("/leaving"));
  REQUIRE(eventually([&] { return !keeper.known(web().origin()).is_null(); }));
  CHECK(keeper.known(web().origin()) == Json({{"last", "2"}, {"word", "two"}}));

  const auto tab =
      keeper->ok("browser_tabs", {{"action", "new"}, {"url", web().other_url("/leaving")}}).structured["tab"];
  keeper->ok("browser_tabs", {{"action", "close"}, {"tab", tab}});
  REQUIRE(eventually([&] { return !keeper.known(web().other_origin()).is_null(); }));
}

TEST_CASE("left origins: a window without an address of its own is a document of its opener's origin",
          "[tool.storage-state]") {
  set_leaving_page();
  Keeper keeper(storage_house());
  keeper->navigate(web().url("/leaving"));
  keeper->evaluate("() => { globalThis.opened = open('about:blank') }");
  REQUIRE(eventually([&] { return keeper->scope().listed_tabs().size() == 2; }));
  const auto popup = keeper->scope().listed_tabs()[1]->id();
  keeper->navigate(web().cross_site_url("/leaving"));
  keeper->navigate(web().other_url("/leaving"));
  // By the time that another origin, which was left later, is known, this one would be.
  REQUIRE(eventually([&] { return !keeper.known(web().cross_site()).is_null(); }));
  CHECK(keeper.shows(web().origin()));
  CHECK(keeper.known(web().origin()).is_null());
  keeper->ok("browser_evaluate", {{"function", "() => { localStorage.word = 'late' }"}, {"tab", popup}});
  CHECK(keeper.saved(web().origin())["word"] == "late");
}

TEST_CASE("left origins: what can change without a document is read when it is saved", "[tool.storage-state]") {
  set_leaving_page();
  web().set_handler("/left-worker.js", [](const site::Request&, site::Response& response) {
    response.set_header("Content-Type", "text/javascript");
    response.body = "addEventListener('install', () => skipWaiting());";
  });
  Keeper keeper(storage_house());
  keeper->navigate(web().url("/leaving"));
  keeper->evaluate(
      "async () => { await navigator.serviceWorker.register('/left-worker.js');"
      "await navigator.serviceWorker.ready; }");
  keeper->navigate(web().other_url("/leaving"));
  keeper->evaluate("() => new Promise((r) => { indexedDB.open('books').onsuccess = () => r(1) })");
  keeper->navigate("about:blank");
  REQUIRE(eventually([&] { return !keeper.wants_read(web().origin()) && !keeper.wants_read(web().other_origin()); }));
  CHECK(keeper.known(web().origin()).is_null());
  CHECK(keeper.known(web().other_origin()).is_null());
  CHECK(keeper.saved(web().origin())["last"] == "1");
  CHECK(keeper.saved(web().other_origin())["last"] == "1");
}

TEST_CASE("left origins: nothing is read without the set", "[tool.storage-state]") {
  set_leaving_page();
  Keeper without(House::shared());
  Keeper with(storage_house());
  for (auto* keeper : {&without, &with}) {
    (*keeper)->navigate(web().url("/leaving"));
    (*keeper)->navigate("about:blank");
  }
  REQUIRE(eventually([&] { return !with.known(web().origin()).is_null(); }));
  CHECK(without.wants_read(web().origin()));
}
