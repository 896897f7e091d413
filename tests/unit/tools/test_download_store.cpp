#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tools/contract/tool.h"
#include "tools/files/downloads/downloads.h"

using namespace bridle;
using matchers::Contains;
using testing::eventually;
using namespace std::chrono_literals;

namespace {

namespace fs = std::filesystem;

struct Folder {
  std::string path = [] {
    std::string pattern = "/tmp/bridle-store-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    return pattern;
  }();
  OutputLimits limits{};
  std::shared_ptr<OutputFolder> output =
      std::make_shared<OutputFolder>(path + "/out", std::vector<std::string>{}, limits);
  explicit Folder(OutputLimits given = {}) : limits(given) {}
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ec;
    fs::remove_all(path, ec);
  }
  // The paths of all files in the output folder, below it, and of nothing else.
  std::set<std::string> all_files() const {
    std::set<std::string> found;
    std::error_code ec;
    for (const auto& entry : fs::recursive_directory_iterator(path + "/out", ec)) {
      if (entry.is_regular_file(ec)) found.insert(entry.path().string());
    }
    return found;
  }
};

// A session's part of a store.
struct Downloader : ToolScope, std::enable_shared_from_this<Downloader> {
  Json tabs() const override { return Json::array(); }
};

struct Place {
  std::shared_ptr<Downloader> client = std::make_shared<Downloader>();
  struct Cancelled {  // by the store's thread too
    Mutex mutex{};
    std::vector<std::string> guids{};
  };
  std::shared_ptr<Cancelled> cancelled = std::make_shared<Cancelled>();
  std::shared_ptr<DownloadRoom> room;

  Place(DownloadStore& store, const Folder& folder, bool shared = false)
      : room(store.open({.owner = client,
                         .owner_address = client.get(),
                         .files = std::make_shared<SessionFiles>(folder.output),
                         .cancel =
                             [cancelled = cancelled](const std::string& guid) {
                               const MutexLock lock(cancelled->mutex);
                               cancelled->guids.push_back(guid);
                             }},
                        shared)) {}
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  std::vector<std::string> all_cancelled() {
    const MutexLock lock(cancelled->mutex);
    return cancelled->guids;
  }
  std::string folder() const { return room->place.folder; }
};

DownloadStore::Download download(const std::string& guid, const std::string& name, const std::string& tab = "t1") {
  return {.guid = guid, .tab = tab, .name = name, .url = "http://x/" + name};
}

// As the browser does: the file first, then the event.
void complete(DownloadStore& store, const Place& place, const std::string& guid, const std::string& content) {
  std::ofstream(place.folder() + "/" + guid) << content;
  store.progress(guid, "completed", static_cast<double>(content.size()), static_cast<double>(content.size()));
}

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

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

TEST_CASE("a young download of unknown size is given a moment, as its bytes may be all", "[downloads]") {
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
  const auto began = Clock::now();
  store.await_whole(CallContext{}.within(20s), "t1");  // it goes on for ever
  CHECK(Clock::now() - began < 10s);
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
