// browser_storage_state, and sessions that begin with a state [tool.storage-state].
#include <signal.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "browser/storage/storage_state.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

Answer save(Session& session) { return session.ok("browser_storage_state", {{"action", "save"}}); }

std::string text_of(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

StorageState state_in(const Answer& saved) {
  return parse_storage_state(text_of(saved.structured["path"].get<std::string>()));
}

// Writes it where the session may read it.
std::string put_file(Session& session, const std::string& name, const std::string& text) {
  return session.scope().files()->write({}, name, text).path.string();
}

constexpr const char* kFill = R"js(async () => {
  localStorage.clear();
  localStorage.name = location.origin;
  const open = indexedDB.open('books', 3);
  open.onupgradeneeded = () => {
    const store = open.result.createObjectStore('by id', { keyPath: 'id' });
    store.createIndex('tags', 'tags', { multiEntry: true, unique: false });
    store.createIndex('both', ['id', 'title'], { unique: true });
    open.result.createObjectStore('log', { autoIncrement: true });
    open.result.createObjectStore('odd');
  };
  const db = await new Promise((r) => { open.onsuccess = () => r(open.result); });
  const tx = db.transaction(['by id', 'log', 'odd'], 'readwrite');
  tx.objectStore('by id').add({ id: 7, title: 'Emma', tags: ['old', 'novel'] });
  tx.objectStore('log').add('first');
  const loop = { n: 12345678901234567890n, none: undefined, nan: NaN }; loop.self = loop;
  tx.objectStore('odd').add(loop, new Date(86400000));
  tx.objectStore('odd').add(new Uint8Array([1, 2, 255]), [1, 'two']);
  tx.objectStore('odd').add(null, 'null');
  await new Promise((r) => { tx.oncomplete = r; });
  db.close();
})js";

constexpr const char* kLook = R"js(async () => {
  const open = indexedDB.open('books');
  const db = await new Promise((r) => { open.onsuccess = () => r(open.result); });
  const get = (store, key) => new Promise((r) => {
    const request = db.transaction(store).objectStore(store).get(key);
    request.onsuccess = () => r(request.result);
  });
  const loop = await get('odd', new Date(86400000));
  const index = db.transaction('by id').objectStore('by id').index('tags');
  const tagged = await new Promise((r) => { const q = index.get('novel'); q.onsuccess = () => r(q.result); });
  const result = [localStorage.name, db.version, tagged.title, await get('log', 1), String(loop.n), loop.self === loop,
    'none' in loop, Number.isNaN(loop.nan), [...await get('odd', [1, 'two'])].join(), await get('odd', 'null')];
  db.close();
  return JSON.stringify(result);
})js";

std::string looks_like(const std::string& origin) {
  return "[\"" + origin + R"(",3,"Emma","first","12345678901234567890",true,true,true,"1,2,255",null])";
}

}  // namespace

TEST_CASE("storage state: what origins without a tab have stored is saved, and nothing is requested for it",
          "[tool.storage-state]") {
  web().set_page("/state", "<!doctype html><title>State</title>");
  Session session;
  for (const auto& url : {web().url("/state"), web().other_url("/state"), web().cross_site_url("/state")}) {
    session.navigate(url);
    session.evaluate(kFill);
  }
  session.navigate(web().url("/set-cookie?name=plain&value=1"));
  session.navigate("about:blank");
  const auto requests = web().requests().size();
  const auto tabs = session.scope().listed_tabs().size();
  const auto saved = save(session);
  CHECK(web().requests().size() == requests);
  CHECK(session.scope().listed_tabs().size() == tabs);
  CHECK_THAT(saved.section("Result"), Contains("saved 2 cookies and the storage of 3 origins") &&
                                          Contains("storage-state.json") && !Contains("Not read"));
  struct stat info {};
  REQUIRE(::stat(saved.structured["path"].get<std::string>().c_str(), &info) == 0);
  CHECK((info.st_mode & 07777U) == 0600);
  const auto state = state_in(saved);
  REQUIRE(state.origins.size() == 3);
  CHECK(state.cookies.size() == 2);
  const auto& database = state.origins.at(web().cross_site())["indexedDB"][0];
  CHECK(database["version"] == 3);
  CHECK(database["stores"][0]["keyPath"] == "id");
  CHECK(database["stores"][0]["indexes"][0]["keyPathArray"] == Json({"id", "title"}));
  CHECK(database["stores"][1]["autoIncrement"] == true);
  CHECK(database["stores"][2]["records"].size() == 3);
}

TEST_CASE("storage state: loaded in place of all there was, also where a tab shows the origin",
          "[tool.storage-state]") {
  web().set_page("/state", "<!doctype html><title>State</title>");
  Session first;
  first.navigate(web().url("/state"));
  first.evaluate(kFill);
  first.navigate(web().cross_site_url("/state"));
  first.evaluate(kFill);
  first.navigate(web().url("/set-cookie?name=kept&value=1"));
  const auto text = text_of(save(first).structured["path"].get<std::string>());

  Session second;
  Session bystander;
  bystander.navigate(web().url("/state"));
  bystander.evaluate("() => { localStorage.mine = '1'; document.cookie = 'mine=1' }");
  second.navigate(web().other_url("/state"));
  second.evaluate("() => { localStorage.old = '1'; document.cookie = 'old=1' }");
  second.navigate(web().url("/state"));
  second.evaluate("() => { localStorage.old = '1'; indexedDB.open('books', 9); indexedDB.open('other', 1) }");
  put_file(second, "state.json", text);
  const auto loaded = second.ok("browser_storage_state", {{"action", "load"}, {"filename", "state.json"}});
  CHECK_THAT(loaded.section("Result"), Contains("Storage state restored: 2 cookies and the storage of 2 origins") &&
                                           Contains("reload them") && !Contains("did not take"));
  CHECK(second.evaluate("localStorage.old === undefined") == true);
  second.ok("browser_reload");
  CHECK(second.evaluate(kLook) == looks_like(web().origin()));
  CHECK(second.evaluate("async () => (await indexedDB.databases()).map((one) => one.name).join()") == "books");
  CHECK(second.evaluate("document.cookie") == "kept=1");
  second.navigate(web().cross_site_url("/state"));
  CHECK(second.evaluate(kLook) == looks_like(web().cross_site()));
  second.navigate(web().other_url("/state"));
  CHECK(second.evaluate("localStorage.length") == 0);
  // Saved again it is the same file.
  CHECK(text_of(save(second).structured["path"].get<std::string>()) == text);
  CHECK(bystander.evaluate("localStorage.mine + document.cookie") == "1mine=1");
}

TEST_CASE("storage state: what a state has put there is saved again, whatever has touched it since",
          "[tool.storage-state]") {
  web().set_page("/state", "<!doctype html><title>State</title>");
  web().set_handler("/clears", [](const site::Request&, site::Response& response) {
    response.set_header("Clear-Site-Data", "\"storage\"");
    response.text("gone");
  });
  const auto origin = [](int port) { return "http://127.0.0.1:" + std::to_string(port); };
  Json origins = Json::array();
  for (const auto& one : {origin(7), origin(9), web().origin(), web().other_origin(), web().cross_site()})
    origins.push_back({{"origin", one}, {"localStorage", {{{"name", "word"}, {"value", one}}}}});
  Session session;
  put_file(session, "state.json", Json{{"cookies", Json::array()}, {"origins", origins}}.dump());
  const auto load = [&] { session.ok("browser_storage_state", {{"action", "load"}, {"filename", "state.json"}}); };
  const auto word_of = [&](const StorageState& state, const std::string& one) {
    const auto found = state.origins.find(one);
    return found == state.origins.end() ? "" : found->second["localStorage"][0]["value"].get<std::string>();
  };
  load();
  const auto untouched = state_in(save(session));
  CHECK(untouched.origins.size() == 5);
  for (const auto& [one, stored] : untouched.origins) CHECK(word_of(untouched, one) == one);

  session.navigate(web().url("/state"));
  session.evaluate("() => { localStorage.word = 'written' }");
  session.evaluate("() => fetch('" + web().other_url("/clears") + "', {mode: 'no-cors', credentials: 'include'})");
  session.navigate(web().cross_site_url("/state"));
  session.evaluate("() => { localStorage.removeItem('word') }");
  session.navigate("about:blank");
  const auto touched = state_in(save(session));
  CHECK(word_of(touched, web().origin()) == "written");
  CHECK(word_of(touched, web().cross_site()).empty());
  CHECK(word_of(touched, web().other_origin()).empty());
  CHECK(word_of(touched, origin(7)) == origin(7));
  load();
  for (const auto& [one, stored] : state_in(save(session)).origins) CHECK(stored["localStorage"][0]["value"] == one);

  put_file(session, "less.json", Json{{"cookies", Json::array()}, {"origins", {origins[0]}}}.dump());
  session.ok("browser_storage_state", {{"action", "load"}, {"filename", "less.json"}});
  CHECK(state_in(save(session)).origins.size() == 1);
}

TEST_CASE("storage state: a service worker of the origin takes no part", "[tool.storage-state]") {
  web().set_page("/worked", "<!doctype html><title>Worked</title>");
  web().set_handler("/state-worker.js", [](const site::Request&, site::Response& response) {
    response.set_header("Content-Type", "text/javascript");
    response.body =
        "addEventListener('install', () => skipWaiting());"
        "addEventListener('activate', (e) => e.waitUntil(clients.claim()));"
        "addEventListener('fetch', (e) => e.respondWith(fetch('/from-the-worker')));";
  });
  Session session;
  session.navigate(web().url("/worked"));
  session.evaluate(
      "async () => { await navigator.serviceWorker.register('/state-worker.js');"
      "await navigator.serviceWorker.ready; localStorage.worked = '1' }");
  session.navigate("about:blank");
  const auto state = state_in(save(session));
  CHECK(state.origins.at(web().origin())["localStorage"][0]["name"] == "worked");
  CHECK(web().requests("/from-the-worker").empty());
}

TEST_CASE("storage state: a file that is none changes nothing", "[tool.storage-state]") {
  Session session;
  session.navigate(web().url("/set-cookie?name=stays&value=1"));
  session.evaluate("() => { localStorage.stays = '1' }");
  const auto error = [&](const std::string& text) {
    static int number = 0;
    const auto path = put_file(session, "bad-" + std::to_string(++number) + ".json", text);
    return session.error("browser_storage_state", {{"action", "load"}, {"filename", path}}).section("Error");
  };
  CHECK_THAT(error("{"), Contains("nothing has changed: it is no JSON"));
  CHECK_THAT(error("{}"), Contains("it is no storage state"));
  CHECK_THAT(error(R"({"cookies": [{"name": "a"}]})"), Contains("cookies[0] lacks \"value\""));
  CHECK_THAT(error(R"({"origins": [{"origin": "https://a.example", "localStorage": [{"name": "a", "value": 1}]}]})"),
             Contains("origins[0].localStorage[0].value must be a string"));
  CHECK_THAT(error(R"({"cookies": [{"name": "__Host-a", "value": "b", "domain": "a.example", "path": "/"}]})"),
             Contains("nothing has changed: the browser refused its cookies"));
  CHECK_THAT(session.error("browser_storage_state", {{"action", "load"}}).section("Error"),
             Contains("action load needs filename"));
  CHECK_THAT(session.error("browser_storage_state", {{"action", "load"}, {"filename", "/etc/passwd"}}).section("Error"),
             Contains("/etc/passwd"));
  CHECK(session.evaluate("document.cookie + localStorage.stays") == "stays=11");
}

TEST_CASE("storage state: sessions begin with --storage-state, isolated tabs don't", "[tool.storage-state.option]") {
  const auto origin = web().origin();
  BrowserSettings settings;
  settings.storage_state = std::make_shared<const StorageState>(parse_storage_state(
      R"({"cookies": [{"name": "who", "value": "ann", "domain": "127.0.0.1", "path": "/", "expires": -1}],)"
      R"("origins": [{"origin": ")" +
      origin + R"(", "localStorage": [{"name": "visits", "value": "3"}]}]})"));
  House house(settings);
  Session one(house), other(house);
  one.navigate(web().url("/plain"));
  CHECK(one.evaluate("document.cookie + localStorage.visits") == "who=ann3");
  one.evaluate("() => { localStorage.visits = '4' }");
  other.navigate(web().url("/plain"));
  CHECK(other.evaluate("localStorage.visits") == "3");
  const auto tab =
      one.ok("browser_tabs", {{"action", "new"}, {"isolated", true}, {"url", web().url("/plain")}}).structured["tab"];
  CHECK(one.ok("browser_evaluate", {{"function", "document.cookie"}, {"tab", tab}}).structured["value"] == "");
}

TEST_CASE("storage state: an abort while the browser doesn't answer, and its end",
          "[tool.storage-state] [cancel.browser]") {
  House house{BrowserSettings{}};
  Session session(house);
  session.navigate(web().url("/plain"));
  session.evaluate("() => { localStorage.here = '1' }");
  const auto pid = session.browser()->pid();
  // From rest: what a call before has left to be answered would count as a command of the next one, or hide it.
  const auto stop_browser = [&] {
    wait_answered(session);
    REQUIRE(::kill(pid, SIGSTOP) == 0);
  };
  const auto wait_for_command = [&] { REQUIRE(eventually([&] { return session.browser()->pending_commands() > 0; })); };
  for (const char* action : {"save", "load"}) {
    put_file(session, std::string(action) + ".json", R"({"cookies": [], "origins": []})");
    stop_browser();
    auto running =
        session.start("browser_storage_state", {{"action", action}, {"filename", std::string(action) + ".json"}});
    wait_for_command();
    running->abort_and_get();
    REQUIRE(::kill(pid, SIGCONT) == 0);
  }
  CHECK(state_in(save(session)).origins.size() == 1);

  stop_browser();
  auto running = session.start("browser_storage_state", {{"action", "save"}});
  wait_for_command();
  REQUIRE(::kill(pid, SIGKILL) == 0);
  const auto answer = running->get();
  CHECK(answer.is_error);
  CHECK(answer.unexpected.empty());
}
