// What the limits and the caller refuse.
#include "tests/unit/tools/download_fixture.h"

using namespace bridle;
using namespace bridle::testing;
using matchers::Contains;
using namespace std::chrono_literals;

TEST_CASE("a download over the limit of one is ended, as soon as that is known",
          "[downloads] [tool.downloads.limits]") {
  const Folder folder({.download = 1000});
  DownloadStore store(folder.output);
  Place place(store, folder);
  const auto refused = [&](const std::string& guid, double received, double total) {
    store.began(place.room, download(guid, "big.bin", guid));
    std::ofstream(place.folder() + "/" + guid + ".crdownload") << "part of it";
    store.progress(guid, "inProgress", received, total);
    return store.take_news(guid).downloads.at(0);
  };
  CHECK_FALSE(refused("exact", 1000, 1000).over());
  CHECK_FALSE(refused("unknown", 1000, 0).over());
  CHECK(place.all_cancelled().empty());
  const auto stated = refused("stated", 0, 1001);
  CHECK(stated.state == DownloadStore::State::refused);
  CHECK_THAT(describe(stated), Contains("--max-download") && Contains("1000 bytes") && Contains("1001 bytes"));
  const auto grown = refused("grown", 1001, 0);
  CHECK(grown.state == DownloadStore::State::refused);
  CHECK_THAT(describe(grown), Contains("no file was kept"));
  CHECK(place.all_cancelled() == std::vector<std::string>{"stated", "grown"});
  store.progress("stated", "canceled", 0, 1001);
  store.progress("grown", "completed", 1001, 1001);  // it was faster than the cancel
  const auto exact = place.folder() + "/exact.crdownload";
  const auto unknown = place.folder() + "/unknown.crdownload";
  CHECK(eventually([&] { return folder.all_files() == std::set<std::string>{exact, unknown}; }));
  CHECK(store.take_news("grown").downloads.empty());
}

TEST_CASE("one that was whole before its size was told is refused all the same",
          "[downloads] [tool.downloads.limits]") {
  const Folder folder({.download = 10});
  DownloadStore store(folder.output);
  Place place(store, folder);
  store.began(place.room, download("g1", "fast.bin"));
  std::ofstream(place.folder() + "/g1") << std::string(11, 'x');
  store.progress("g1", "completed", 0, 0);
  const auto ended = store.await_newest(CallContext{}.within(20s), "t1", 0);
  REQUIRE(ended);
  CHECK(ended->state == DownloadStore::State::refused);
  CHECK(folder.all_files().empty());
}

TEST_CASE("the limits of a session and of all count what is there, what runs and what it says it will be",
          "[downloads] [tool.downloads.limits]") {
  const Folder folder({.session = 100, .whole = 150});
  DownloadStore store(folder.output);
  Place place(store, folder);
  Place other(store, folder);
  place.room->files->write({}, "there.txt", std::string(40, 'x'));
  const auto state_of = [&](Place& at, const std::string& guid, double total) {
    store.began(at.room, download(guid, "a.bin", guid));
    store.progress(guid, "inProgress", 0, total);
    // The folders are measured by the store's thread.
    eventually([&] { return store.running(guid).empty() || guid.starts_with("fits"); });
    return store.take_news(guid).downloads.at(0);
  };
  CHECK_FALSE(state_of(place, "fits1", 30).over());
  const auto of_session = state_of(place, "session", 31);
  CHECK_THAT(describe(of_session), Contains("--output-max-session") && Contains(place.room->files->path().string()));
  CHECK_FALSE(state_of(other, "fits2", 80).over());
  CHECK_THAT(describe(state_of(other, "whole", 1)), Contains("--output-max-size"));
  CHECK(place.all_cancelled() == std::vector<std::string>{"session"});
  CHECK(other.all_cancelled() == std::vector<std::string>{"whole"});
}

TEST_CASE("as many at once as may be, of each session; further ones are refused and told, a flood by its number",
          "[downloads] [tool.downloads.limits]") {
  const Folder folder;
  DownloadStore store(folder.output);
  Place place(store, folder);
  Place other(store, folder);
  const auto most = limits::kDownloadsAtOnce;
  for (std::size_t i = 0; i < most + 10; ++i)
    store.began(place.room, download("g" + std::to_string(i), "a", i < most ? "t1" : "t2"));
  CHECK(store.running("t1").size() == most);
  CHECK(store.running("t2").empty());
  const auto news = store.take_news("t2");
  REQUIRE(news.downloads.size() == 3);
  CHECK(news.more == 7);
  CHECK_THAT(describe(news.downloads[0]), Contains("4 downloads of this session run already"));
  CHECK(place.all_cancelled().size() == 10);
  CHECK(store.take_news("t2").more == 0);
  store.began(other.room, download("other", "a", "t3"));
  CHECK(store.running("t3").size() == 1);
  complete(store, place, "g0", "x");
  CHECK(eventually([&] { return store.running("t1").size() == most - 1; }));
  store.began(place.room, download("next", "a", "t1"));
  CHECK(store.running("t1").size() == most);
}

TEST_CASE("one that the caller refuses is ended and told with its words", "[downloads] [tool.downloads.caller]") {
  const Folder folder;
  DownloadStore store(folder.output);
  Place place(store, folder);
  store.began(place.room, download("g1", "evil.bin"), "the page began it by itself");
  CHECK(place.all_cancelled() == std::vector<std::string>{"g1"});
  const auto news = store.take_news("t1").downloads;
  REQUIRE(news.size() == 1);
  CHECK(describe(news[0]) == "refused; no file was kept: the page began it by itself");
  std::ofstream(place.folder() + "/g1") << "it was faster";
  store.progress("g1", "completed", 13, 13);
  CHECK(eventually([&] { return folder.all_files().empty(); }));
  CHECK(store.kept(place.client.get()).empty());
}

// Of a frame that is gone the browser tells nobody.
