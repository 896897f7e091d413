// The format of storage states: what is read, and where what is wrong is [tool.storage-state].
#include <string>

#include "base/limits.h"
#include "browser/chromium/seen_origins.h"
#include "browser/storage/storage_script.h"
#include "browser/storage/storage_state.h"
#include "tests/support/catch.h"

using namespace bridle;
using matchers::Contains;

namespace {

std::string problem(const std::string& text) {
  try {
    parse_storage_state(text);
  } catch (const StorageStateError& error) {
    return error.what();
  }
  return "";
}

std::string with_cookie(const std::string& members) {
  return R"({"cookies": [{"name": "a", "value": "b")" + members + "}]}";
}
std::string with_origin(const std::string& members) { return R"({"origins": [{)" + members + "}]}"; }
std::string with_store(const std::string& members) {
  return with_origin(R"("origin": "https://a.example", "localStorage": [], "indexedDB": [{"name": "d", "version": 1,)"
                     R"("stores": [{"name": "s", "autoIncrement": false, "indexes": [])" +
                     members + "}]}]");
}

}  // namespace

TEST_CASE("storage state: what Playwright writes is read, and written again as it was", "[tool.storage-state]") {
  const std::string text = R"({
    "cookies": [{"name": "a", "value": "b", "domain": ".a.example", "path": "/", "expires": -1, "httpOnly": false,
                 "secure": true, "sameSite": "None", "partitionKey": "https://b.example", "_crHasCrossSiteAncestor": true}],
    "origins": [{"origin": "https://a.example", "localStorage": [{"name": "k", "value": ""}], "indexedDB": [
      {"name": "d", "version": 2, "stores": [
        {"name": "s", "autoIncrement": true, "keyPathArray": ["x", "y"], "records": [{"value": {"x": 1, "y": 2}}],
         "indexes": [{"name": "i", "keyPath": "x", "multiEntry": false, "unique": true}]},
        {"name": "t", "autoIncrement": false, "indexes": [], "records": [
          {"key": "k", "valueEncoded": {"o": [{"k": "n", "v": {"v": "NaN"}}, {"k": "self", "v": {"ref": 1}}], "id": 1}},
          {"keyEncoded": {"d": "1970-01-02T00:00:00.000Z"}, "valueEncoded": {"a": [{"bi": "1"}, {"ta": {"b": "AQ==", "k": "ui8"}}], "id": 1}}]}]}]}]})";
  const auto state = parse_storage_state(text);
  CHECK(Json::parse(to_text(state)) == Json::parse(text));
  CHECK(problem(with_cookie(R"(, "url": "https://a.example/x")")).empty());
  CHECK(problem(R"({"cookies": [], "origins": []})").empty());
}

TEST_CASE("storage state: each thing that is wrong is named with its place", "[tool.storage-state]") {
  CHECK_THAT(problem("nothing"), Contains("no JSON"));
  CHECK_THAT(problem("[]"), Contains("no storage state"));
  CHECK_THAT(problem(R"({"cookies": {}})"), Contains("cookies must be an array"));
  CHECK_THAT(problem(R"({"cookies": [], "credentials": [{}]})"), Contains("credentials"));
  CHECK_THAT(problem(with_cookie("")), Contains("cookies[0] lacks \"domain\""));
  CHECK_THAT(problem(with_cookie(R"(, "domain": "a.example", "path": "x")")),
             Contains("cookies[0].path must begin with /"));
  CHECK_THAT(problem(with_cookie(R"(, "domain": "a.example", "path": "/", "expires": -2)")),
             Contains("cookies[0].expires"));
  CHECK_THAT(problem(with_cookie(R"(, "domain": "a.example", "path": "/", "sameSite": "lax")")),
             Contains("Strict, Lax, None"));
  CHECK_THAT(problem(with_cookie(R"(, "domain": "a.example", "path": "/", "secure": 1)")), Contains("true or false"));
  CHECK_THAT(problem(with_cookie(R"(, "url": "file:///x")")), Contains("cookies[0].url must be"));
  CHECK_THAT(problem(with_cookie(R"(, "url": "https://a.example/", "path": "/")")),
             Contains("can't have domain and path"));
  CHECK_THAT(problem(with_origin(R"("origin": "a.example", "localStorage": [])")), Contains("must be an origin"));
  CHECK_THAT(problem(with_origin(R"("origin": "https://a.example/x", "localStorage": [])")),
             Contains("must be an origin"));
  CHECK_THAT(problem(with_origin(R"("origin": "https://a.example")")), Contains("lacks \"localStorage\""));
  CHECK_THAT(problem(R"({"origins": [{"origin": "https://a.example", "localStorage": []},)"
                     R"({"origin": "https://a.example/", "localStorage": []}]})"),
             Contains("origins[1] is there twice"));
  CHECK_THAT(problem(with_store("")), Contains("stores[0] lacks \"records\""));
  CHECK_THAT(problem(with_store(R"(, "records": [{"value": 1}])")), Contains("records[0] lacks \"key\""));
  CHECK_THAT(problem(with_store(R"(, "records": [{"key": 1}])")), Contains("lacks \"value\""));
  CHECK_THAT(problem(with_store(R"(, "keyPath": "k", "records": [{"key": 1, "value": 1}])")),
             Contains("takes keys from"));
  CHECK_THAT(problem(with_store(R"(, "records": [{"key": 1, "valueEncoded": {"x": 1}}])")),
             Contains("is no encoded value"));
  CHECK_THAT(problem(with_store(R"(, "records": [{"key": 1, "valueEncoded": {"ta": {"b": "", "k": "i9"}}}])")),
             Contains("no kind of array"));
  std::string deep = "1";
  for (int i = 0; i < 600; ++i) deep = R"({"a": [)" + deep + R"(], "id": 1})";
  CHECK_THAT(problem(with_store(R"(, "records": [{"key": 1, "valueEncoded": )" + deep + "}]")),
             Contains("nested too deeply"));
  CHECK_THAT(problem(std::string(limits::kStorageState + 1, ' ')), Contains("at most"));
}

TEST_CASE("storage state: what is stored can't end the script that restores it", "[tool.storage-state]") {
  const auto html =
      restoring_html({{"localStorage", {{{"name", "</script><b>"}, {"value", "<!--"}}}}, {"indexedDB", Json::array()}});
  CHECK(html.find("</script>") == html.size() - std::string("</script>").size());
  CHECK(html.find("<!--") == std::string::npos);
}

TEST_CASE("seen origins: by context, up to the limit", "[tool.storage-state]") {
  SeenOrigins seen;
  const auto origin = [](std::size_t i) { return "https://a" + std::to_string(i) + ".example"; };
  for (std::size_t i = 0; i < limits::kSeenOrigins; ++i) seen.add("one", origin(i));
  seen.add("one", origin(0));
  CHECK_FALSE(seen.overflowed());
  CHECK(seen.of("one").size() == limits::kSeenOrigins);
  seen.add("one", origin(limits::kSeenOrigins));
  CHECK(seen.overflowed());
  CHECK(seen.of("one").size() == limits::kSeenOrigins);
  seen.add("two", origin(1));
  CHECK(seen.of("two") == std::vector<std::string>{origin(1)});
  seen.forget("one");
  CHECK(seen.of("one").empty());
  CHECK(seen.of_all() == std::vector<std::string>{origin(1)});
}

TEST_CASE("seen origins: what a state has put there is known until something touches the origin",
          "[tool.storage-state]") {
  SeenOrigins seen;
  const auto put = [&](const char* context, const char* origin, const char* value) {
    seen.begin_restoring(context, origin);
    CHECK(seen.stored(context, origin) == nullptr);
    seen.end_restoring(context, origin, std::make_shared<const Json>(value));
  };
  CHECK(seen.stored("one", "https://a") == nullptr);
  put("one", "https://a", "first");
  put("one", "https://b", "other");
  REQUIRE(seen.stored("one", "https://a") != nullptr);
  CHECK(*seen.stored("one", "https://a") == "first");
  CHECK(seen.stored("two", "https://a") == nullptr);
  CHECK(seen.of("one").size() == 2);
  put("one", "https://a", "second");
  CHECK(*seen.stored("one", "https://a") == "second");
  seen.add("one", "https://a");
  CHECK(seen.stored("one", "https://a") == nullptr);
  CHECK(seen.stored("one", "https://b") != nullptr);
  // A document of it may live still, and one may come while a state is put there.
  put("one", "https://a", "third");
  CHECK(seen.stored("one", "https://a") == nullptr);
  seen.begin_restoring("one", "https://b");
  seen.add("one", "https://b");
  seen.end_restoring("one", "https://b", std::make_shared<const Json>("late"));
  CHECK(seen.stored("one", "https://b") == nullptr);
  put("one", "https://c", "fifth");
  seen.touch_all("two");
  CHECK(seen.stored("one", "https://c") != nullptr);
  seen.touch_all("one");
  CHECK(seen.stored("one", "https://c") == nullptr);
}

TEST_CASE("seen origins: what was read of one is known unless something has become of it since",
          "[tool.storage-state]") {
  SeenOrigins seen;
  int told = 0;
  seen.watch("one", [&] { ++told; });
  const auto text = [](std::size_t bytes) { return std::make_shared<const Json>(std::string(bytes, 'x')); };
  const auto mark_of = [&](const std::string& origin) -> SeenOrigins::Unread {
    for (const auto& unread : seen.unread("one")) {
      if (unread.origin == origin) return unread;
    }
    return {};
  };
  for (const char* origin : {"https://a", "https://b", "https://c"}) seen.add("one", origin);
  CHECK(told == 3);
  seen.add("one", "");
  CHECK(told == 4);
  CHECK(seen.unread("one").size() == 3);
  seen.end_reading("one", mark_of("https://a"), text(1));
  REQUIRE(seen.stored("one", "https://a") != nullptr);
  CHECK(seen.unread("one").size() == 2);
  // A document has come, or a state is put there, while it was read.
  const auto before = mark_of("https://b");
  seen.add("one", "https://b");
  seen.end_reading("one", before, text(1));
  CHECK(seen.stored("one", "https://b") == nullptr);
  const auto restoring = mark_of("https://b");
  seen.begin_restoring("one", "https://b");
  seen.end_reading("one", restoring, text(1));
  CHECK(seen.stored("one", "https://b") == nullptr);
  // What can change by itself is asked for no more until something touches it.
  seen.end_reading("one", mark_of("https://b"), nullptr);
  CHECK(mark_of("https://b").origin.empty());
  seen.touch_all("one");
  CHECK(told == 6);
  CHECK(seen.unread("one").size() == 3);
  CHECK(seen.stored("one", "https://a") == nullptr);
  // Not more than there is room for.
  seen.end_reading("one", mark_of("https://a"), text(limits::kStorageKept - 100));
  seen.end_reading("one", mark_of("https://b"), text(100));
  CHECK(seen.stored("one", "https://a") != nullptr);
  CHECK(seen.stored("one", "https://b") == nullptr);
  CHECK(seen.unread("one").size() == 1);
  seen.watch("one", {});
  seen.add("one", "https://a");
  CHECK(told == 6);
}
