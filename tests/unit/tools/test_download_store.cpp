#include "tests/unit/tools/download_fixture.h"

using namespace bridle;
using namespace bridle::testing;
using matchers::Contains;
using namespace std::chrono_literals;

TEST_CASE("a download is moved, whole, to its name, and told once", "[downloads]") {
  const Folder folder;
  DownloadStore store(folder.output);
  Place place(store, folder);
  const auto mark = store.mark();
  store.began(place.room, download("g1", "report.pdf"));
  store.progress("g1", "inProgress", 3, 10);
  auto news = store.take_news("t1").downloads;
  REQUIRE(news.size() == 1);
  CHECK(describe(news[0]) == "still under way, 3 of 10 bytes so far");
  CHECK(store.take_news("t1").downloads.size() == 1);  // as long as it runs
  CHECK(store.take_news("t2").downloads.empty());
  CHECK(store.running("t1").size() == 1);
  complete(store, place, "g1", "0123456789");
  const auto done = store.await_newest(CallContext{}.within(20s), "t1", mark);
  REQUIRE(done);
  CHECK(done->state == DownloadStore::State::done);
  CHECK(fs::path(done->path).filename() == "report.pdf");
  CHECK(content_of(done->path) == "0123456789");
  CHECK_THAT(describe(*done), Contains(done->path) && Contains("10 bytes"));
  CHECK((fs::status(done->path).permissions() & fs::perms::all) == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(store.take_news("t1").downloads.empty());  // told by await_newest
  CHECK(store.running("t1").empty());
}

TEST_CASE("what has all its bytes is waited for until it is kept; what still runs isn't", "[downloads]") {
  const Folder folder;
  DownloadStore store(folder.output);
  Place place(store, folder);
  store.began(place.room, download("g1", "a.txt"));
  store.began(place.room, download("g2", "b.txt"));
  store.progress("g1", "inProgress", 3, 10);
  store.await_whole({}, "t1");
  store.progress("g1", "inProgress", 10, 10);
  auto kept = std::async(std::launch::async, [&] {
    store.await_whole(CallContext{}.within(20s), "t1");
    const auto running = store.running("t1");
    return running.size() == 1 && running.front().name == "b.txt";
  });
  complete(store, place, "g1", "0123456789");
  CHECK(kept.get());
  AbortController controller;
  store.progress("g2", "inProgress", 5, 5);
  controller.abort(AbortReason::client_cancelled);
  CallContext ctx;
  ctx.signal = controller.signal();
  CHECK_THROWS_AS(store.await_whole(ctx, "t1"), Aborted);
}

TEST_CASE("one of unknown size is waited for once, as its bytes may be all", "[downloads]") {
  const Folder folder;
  DownloadStore store(folder.output);
  Place place(store, folder);
  store.began(place.room, download("g1", "a.txt"));
  store.progress("g1", "inProgress", 10, 0);
  auto kept = std::async(std::launch::async, [&] {
    store.await_whole(CallContext{}.within(20s), "t1");
    return store.running("t1").empty();
  });
  complete(store, place, "g1", "0123456789");
  CHECK(kept.get());
  store.began(place.room, download("g2", "b.txt"));
  store.progress("g2", "inProgress", 10, 0);
  store.await_whole(CallContext{}.within(1ms), "t1");
  store.await_whole({}, "t1");  // without a deadline: a second wait for it would never end
  CHECK(store.running("t1").size() == 1);
}

TEST_CASE("names that are taken or hostile lead to a file of their own in the folder", "[downloads]") {
  const Folder folder;
  DownloadStore store(folder.output);
  Place place(store, folder);
  std::set<std::string> paths;
  int number = 0;
  for (const char* name : {"a.txt", "a.txt", "../../etc/passwd", "", "..", ".bashrc", "x/../../y"}) {
    const auto guid = "g" + std::to_string(number++);
    const auto mark = store.mark();
    store.began(place.room, download(guid, name));
    complete(store, place, guid, guid);
    const auto done = store.await_newest(CallContext{}.within(20s), "t1", mark);
    REQUIRE(done);
    CAPTURE(name, done->path);
    REQUIRE(done->state == DownloadStore::State::done);
    CHECK(fs::path(done->path).parent_path() == place.room->files->ensure());
    CHECK_FALSE(fs::path(done->path).filename().string().starts_with("."));
    CHECK(content_of(done->path) == guid);
    paths.insert(done->path);
  }
  CHECK(paths.size() == 7);
}

TEST_CASE("a cancelled download leaves no file", "[downloads]") {
  const Folder folder;
  DownloadStore store(folder.output);
  Place place(store, folder);
  store.began(place.room, download("g1", "big.bin"));
  store.progress("g1", "inProgress", 5, 0);
  CHECK_THAT(describe(store.take_news("t1").downloads.at(0)), Contains("5 bytes so far"));
  // What the browser may go on with, it leaves there.
  std::ofstream(place.folder() + "/g1.crdownload") << "half";
  store.progress("g1", "canceled", 5, 0);
  const auto ended = store.await_newest(CallContext{}.within(20s), "t1", 0);
  REQUIRE(ended);
  CHECK(ended->state == DownloadStore::State::cancelled);
  CHECK_THAT(describe(*ended), Contains("cancelled") && Contains("no file"));
  CHECK(store.take_news("t1").downloads.empty());
  CHECK(eventually([&] { return folder.all_files().empty(); }));
}

TEST_CASE("one whose file isn't there is told as lost", "[downloads]") {
  const Folder folder;
  DownloadStore store(folder.output);
  Place place(store, folder);
  store.began(place.room, download("g1", "ghost.bin"));
  store.progress("g1", "completed", 5, 5);
  const auto lost = store.await_newest(CallContext{}.within(20s), "t1", 0);
  REQUIRE(lost);
  CHECK(lost->state == DownloadStore::State::failed);
  CHECK_THAT(describe(*lost), Contains("could not be kept"));
  CHECK(folder.all_files().empty());
}

TEST_CASE("the wait for an end: only for newer ones, until its deadline, and an abort ends it", "[downloads]") {
  const Folder folder;
  DownloadStore store(folder.output);
  Place place(store, folder);
  CHECK_FALSE(store.await_newest(CallContext{}.within(1ms), "t1", store.mark()));
  store.began(place.room, download("g1", "a"));
  CHECK_FALSE(store.await_newest(CallContext{}.within(1ms), "t1", store.mark()));
  const auto running = store.await_newest(CallContext{}.within(1ms), "t1", 0);
  REQUIRE(running);
  CHECK_FALSE(running->over());
  AbortController controller;
  controller.abort(AbortReason::client_cancelled);
  CallContext aborted;
  aborted.signal = controller.signal();
  CHECK_THROWS_AS(store.await_newest(aborted, "t1", 0), Aborted);
}

TEST_CASE("the hidden folder goes with its store, a room's with the room, and what a killed one left goes too",
          "[downloads]") {
  const Folder folder;
  fs::create_directories(folder.path + "/out/.bridle-downloads-999999999-abc123");
  std::string staging;
  {
    DownloadStore store(folder.output);
    auto place = std::make_unique<Place>(store, folder);
    const auto own = place->folder();
    staging = fs::path(own).parent_path().string();
    CHECK((fs::status(staging).permissions() & fs::perms::all) == fs::perms::owner_all);
    CHECK_FALSE(fs::exists(folder.path + "/out/.bridle-downloads-999999999-abc123"));
    const Place other(store, folder);
    CHECK(other.folder() != own);
    store.began(place->room, download("g1", "half"));
    std::ofstream(own + "/g1.crdownload") << "half of it";
    place.reset();
    CHECK(eventually([&] { return !fs::exists(own); }));
    CHECK(fs::exists(other.folder()));
    const Place shared(store, folder, true);
    const Place as_well(store, folder, true);
    CHECK(shared.folder() == as_well.folder());
  }
  CHECK_FALSE(fs::exists(staging));
  CHECK(folder.all_files().empty());
}

TEST_CASE("a file that no download was told of is removed, its download ended, and its session told",
          "[downloads] [tool.downloads.limits]") {
  const Folder folder;
  DownloadStore store(folder.output);
  Place place(store, folder);
  Place other(store, folder);
  store.began(place.room, download("known", "a.bin"));
  std::ofstream(place.folder() + "/known.crdownload") << "x";
  std::ofstream(place.folder() + "/untold.crdownload") << "x";
  CHECK(eventually([&] { return place.all_cancelled() == std::vector<std::string>{"untold"}; }));
  CHECK(eventually([&] { return folder.all_files() == std::set{place.folder() + "/known.crdownload"}; }));
  CHECK(other.all_cancelled().empty());
  std::vector<DownloadStore::Download> told;
  CHECK(eventually([&] {
    told = store.take_news("t2", place.client.get()).downloads;
    return !told.empty();
  }));
  REQUIRE(told.size() == 1);
  CHECK_THAT(describe(told[0]), Contains("refused") && Contains("gone before it began"));
  CHECK(store.take_news("t2", other.client.get()).downloads.empty());
}

TEST_CASE("each session's whole files go to its own folder", "[downloads] [tool.files]") {
  const Folder folder;
  DownloadStore store(folder.output);
  Place place(store, folder);
  Place other(store, folder);
  store.began(place.room, download("g1", "a.txt", "t1"));
  store.began(other.room, download("g2", "a.txt", "t2"));
  complete(store, place, "g1", "1");
  complete(store, other, "g2", "2");
  const auto first = store.await_newest(CallContext{}.within(20s), "t1", 0);
  const auto second = store.await_newest(CallContext{}.within(20s), "t2", 0);
  REQUIRE((first && second));
  CHECK(first->path == (place.room->files->ensure() / "a.txt").string());
  CHECK(second->path == (other.room->files->ensure() / "a.txt").string());
  CHECK_THROWS_AS(place.room->files->upload(second->path), ToolError);
}
