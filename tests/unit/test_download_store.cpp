#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/support/catch.h"
#include "tools/files/downloads.h"

using namespace bridle;
using matchers::Contains;
using namespace std::chrono_literals;

namespace {

namespace fs = std::filesystem;

struct Folder {
  std::string path = [] {
    std::string pattern = "/tmp/bridle-store-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    return pattern;
  }();
  std::shared_ptr<OutputFolder> files = std::make_shared<OutputFolder>(path + "/out");
  Folder() = default;
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ec;
    fs::remove_all(path, ec);
  }
  // The names in the output folder.
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(path + "/out")) found.insert(entry.path().filename().string());
    return found;
  }
};

DownloadStore::Download download(const std::string& guid, const std::string& name, const std::string& tab = "t1") {
  return {.guid = guid, .tab = tab, .name = name, .url = "http://x/" + name};
}

// As the browser does: the file first, then the event.
void complete(DownloadStore& store, const std::string& guid, const std::string& content) {
  std::ofstream(store.staging() + "/" + guid) << content;
  store.progress(guid, "completed", static_cast<double>(content.size()), static_cast<double>(content.size()));
}

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a download is moved, whole, to its name, and told once", "[downloads]") {
  const Folder folder;
  DownloadStore store(folder.files);
  const auto mark = store.mark();
  store.began(download("g1", "report.pdf"));
  store.progress("g1", "inProgress", 3, 10);
  auto news = store.take_news("t1");
  REQUIRE(news.size() == 1);
  CHECK(describe(news[0]) == "still under way, 3 of 10 bytes so far");
  CHECK(store.take_news("t1").size() == 1);  // as long as it runs
  CHECK(store.take_news("t2").empty());
  CHECK(store.running("t1").size() == 1);
  complete(store, "g1", "0123456789");
  const auto done = store.await_newest(CallContext{}.within(20s), "t1", mark);
  REQUIRE(done);
  CHECK(done->state == DownloadStore::State::done);
  CHECK(fs::path(done->path).filename() == "report.pdf");
  CHECK(content_of(done->path) == "0123456789");
  CHECK_THAT(describe(*done), Contains(done->path) && Contains("10 bytes"));
  CHECK((fs::status(done->path).permissions() & fs::perms::all) == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(store.take_news("t1").empty());  // told by await_newest
  CHECK(store.running("t1").empty());
}

TEST_CASE("names that are taken or hostile lead to a file of their own in the folder", "[downloads]") {
  const Folder folder;
  DownloadStore store(folder.files);
  std::set<std::string> paths;
  int number = 0;
  for (const char* name : {"a.txt", "a.txt", "../../etc/passwd", "", "..", ".bashrc", "x/../../y"}) {
    const auto guid = "g" + std::to_string(number++);
    const auto mark = store.mark();
    store.began(download(guid, name));
    complete(store, guid, guid);
    const auto done = store.await_newest(CallContext{}.within(20s), "t1", mark);
    REQUIRE(done);
    CAPTURE(name, done->path);
    REQUIRE(done->state == DownloadStore::State::done);
    CHECK(fs::path(done->path).parent_path() == folder.files->ensure());
    CHECK_FALSE(fs::path(done->path).filename().string().starts_with("."));
    CHECK(content_of(done->path) == guid);
    paths.insert(done->path);
  }
  CHECK(paths.size() == 7);
}

TEST_CASE("a cancelled download leaves no file", "[downloads]") {
  const Folder folder;
  DownloadStore store(folder.files);
  store.staging();
  store.began(download("g1", "big.bin"));
  store.progress("g1", "inProgress", 5, 0);
  CHECK_THAT(describe(store.take_news("t1").at(0)), Contains("5 bytes so far"));
  store.progress("g1", "canceled", 5, 0);
  const auto news = store.take_news("t1");
  REQUIRE(news.size() == 1);
  CHECK(news[0].state == DownloadStore::State::cancelled);
  CHECK_THAT(describe(news[0]), Contains("cancelled") && Contains("no file"));
  CHECK(store.take_news("t1").empty());
  for (const auto& name : folder.names()) CHECK(name.starts_with(".bridle-downloads-"));
}

TEST_CASE("one whose file isn't there is told as lost", "[downloads]") {
  const Folder folder;
  DownloadStore store(folder.files);
  store.staging();
  store.began(download("g1", "ghost.bin"));
  store.progress("g1", "completed", 5, 5);
  const auto lost = store.await_newest(CallContext{}.within(20s), "t1", 0);
  REQUIRE(lost);
  CHECK(lost->state == DownloadStore::State::failed);
  CHECK_THAT(describe(*lost), Contains("could not be kept"));
  CHECK_FALSE(folder.names().contains("ghost.bin"));
}

TEST_CASE("the wait for an end: only for newer ones, until its deadline, and an abort ends it", "[downloads]") {
  const Folder folder;
  DownloadStore store(folder.files);
  CHECK_FALSE(store.await_newest(CallContext{}.within(1ms), "t1", store.mark()));
  store.began(download("g1", "a"));
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

TEST_CASE("the staging folder goes with its owner, and what a killed one left goes too", "[downloads]") {
  const Folder folder;
  fs::create_directories(folder.path + "/out/.bridle-downloads-999999999-abc123");
  {
    DownloadStore store(folder.files);
    const auto staging = store.staging();
    CHECK(store.staging() == staging);
    CHECK((fs::status(staging).permissions() & fs::perms::all) == fs::perms::owner_all);
    CHECK(folder.names().size() == 1);
    store.began(download("g1", "half"));
    std::ofstream(staging + "/g1") << "half of it";
  }
  CHECK(folder.names().empty());
}
