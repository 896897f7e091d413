// What pages downloaded, as resources: listed for its caller, read within the limit, gone with the file.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/catch.h"
#include "tools/files/downloads/download_resources.h"

using namespace bridle;
using matchers::Contains;
using namespace std::chrono_literals;

namespace {

namespace fs = std::filesystem;

struct Caller : ToolScope {
  Json tabs() const override { return Json::array(); }
};

struct House {
  std::string folder = [] {
    std::string pattern = "/tmp/bridle-kept-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    return pattern;
  }();
  std::shared_ptr<OutputFolder> output = std::make_shared<OutputFolder>(folder + "/out");
  std::shared_ptr<DownloadStore> store = std::make_shared<DownloadStore>(output);
  std::shared_ptr<Caller> caller = std::make_shared<Caller>();
  std::shared_ptr<SessionFiles> files = std::make_shared<SessionFiles>(output);
  Catalogue catalogue{};
  std::vector<std::pair<std::string, const ToolScope*>> told{};  // by the store's thread; read once it has ended

  House() {
    add_download_resources(catalogue, store);
    catalogue.list_changed = [this](const std::string& list, const ToolScope* scope) {
      told.emplace_back(list, scope);
    };
  }
  ~House() {
    store->close();
    std::error_code ec;
    fs::remove_all(folder, ec);
  }
  House(const House&) = delete;
  House& operator=(const House&) = delete;

  DownloadStore::Download keep(const std::string& name, const std::string& content, bool listed = true) {
    const auto mark = store->mark();
    const auto guid = "g" + std::to_string(mark);
    const auto room = store->open({.owner = caller, .owner_address = caller.get(), .listed = listed, .files = files});
    store->began(room, {.guid = guid, .tab = "t1", .name = name, .url = "http://site.example/" + name});
    std::ofstream(room->place.folder + "/" + guid, std::ios::binary) << content;
    store->progress(guid, "completed", static_cast<double>(content.size()), 0);
    const auto done = store->await_newest(CallContext{}.within(20s), "t1", mark);
    REQUIRE(done);
    REQUIRE(done->state == DownloadStore::State::done);
    return *done;
  }
  std::vector<Content> read(const std::string& uri, const std::shared_ptr<ToolScope>& who, AbortSignal signal = {}) {
    const auto match = catalogue.match(uri);
    REQUIRE(match.read != nullptr);
    ToolContext ctx;
    ctx.call.signal = std::move(signal);
    ctx.scope = who;
    return (*match.read)(ctx, uri, match.variables);
  }
};

}  // namespace

TEST_CASE("downloads: listed with name, type and size; read as they are; of their caller alone",
          "[downloads] [wire.resources]") {
  House house;
  const auto done = house.keep("report.pdf", std::string("%PDF\x00\xff", 6));
  const auto link = download_link(done);
  CHECK(link.kind == Content::Kind::resource_link);
  CHECK(link.name == "report.pdf");
  CHECK(link.mime_type == "application/pdf");
  CHECK(link.size == 6);
  CHECK(link.uri.size() >= std::string("bridle://download/").size() + 22);  // 128 bits
  const auto listed = house.catalogue.list(house.caller.get());
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].uri == link.uri);
  CHECK(listed[0].name == "report.pdf");
  CHECK(listed[0].mime_type == "application/pdf");
  CHECK(listed[0].size == 6);
  CHECK_THAT(listed[0].description, Contains("http://site.example/report.pdf") && Contains(done.path));
  const auto contents = house.read(link.uri, house.caller);
  REQUIRE(contents.size() == 1);
  CHECK(contents[0].data == "JVBERgD/");
  CHECK(contents[0].mime_type == "application/pdf");
  CHECK(contents[0].uri == link.uri);

  const auto other = std::make_shared<Caller>();
  CHECK(house.catalogue.list(other.get()).empty());
  CHECK_THROWS_AS(house.read(link.uri, other), ResourceNotFound);
  CHECK_THROWS_AS(house.read(link.uri, nullptr), ResourceNotFound);
  CHECK_THROWS_AS(house.read("bridle://download/nonsense", house.caller), ResourceNotFound);
  const auto* address = house.caller.get();
  house.caller.reset();
  CHECK(house.store->kept(address).empty());  // with its caller
}

TEST_CASE("downloads: who is told that one arrived; an unlisted one is read by its URI alone", "[downloads]") {
  House house;
  house.keep("a.csv", "a,b");
  const auto secret = download_link(house.keep("b.csv", "c,d", false));
  CHECK(house.catalogue.list(house.caller.get()).size() == 1);
  CHECK(house.read(secret.uri, house.caller).at(0).data == "Yyxk");
  house.store->close();
  REQUIRE(house.told.size() == 1);
  CHECK(house.told[0] == std::pair<std::string, const ToolScope*>("resources", house.caller.get()));
}

TEST_CASE("downloads: the largest that is read, and one byte more", "[downloads] [wire.resources]") {
  House house;
  const std::string most(kDownloadResourceBytes, 'x');
  CHECK(house.read(download_link(house.keep("most.bin", most)).uri, house.caller).at(0).data.size() ==
        (most.size() + 2) / 3 * 4);
  const auto more = house.keep("more.bin", most + "x");
  CHECK_THROWS_WITH(house.read(download_link(more).uri, house.caller), Contains("10 MiB") && Contains(more.path));
  CHECK_THAT(house.catalogue.list(house.caller.get()).at(1).description, Contains("too large"));
  AbortController controller;
  controller.abort(AbortReason::client_cancelled);
  CHECK_THROWS_AS(house.read(download_link(more).uri, house.caller, controller.signal()), Aborted);
}

TEST_CASE("downloads: one whose file went, or leads elsewhere now, isn't read", "[downloads]") {
  House house;
  const auto done = house.keep("gone.txt", "x");
  fs::remove(done.path);
  CHECK_THROWS_AS(house.read(download_link(done).uri, house.caller), ResourceNotFound);
  std::ofstream(house.folder + "/outside") << "a secret";
  fs::create_symlink(house.folder + "/outside", done.path);
  CHECK_THROWS_AS(house.read(download_link(done).uri, house.caller), ResourceNotFound);
}

TEST_CASE("downloads: types by extension, whatever its case") {
  CHECK(mime_type_of("a.PDF") == "application/pdf");
  CHECK(mime_type_of("table.csv") == "text/csv");
  CHECK(mime_type_of("archive.tar.gz") == "application/gzip");
  CHECK(mime_type_of("none") == "application/octet-stream");
  CHECK(mime_type_of(".pdf") == "application/octet-stream");
}
