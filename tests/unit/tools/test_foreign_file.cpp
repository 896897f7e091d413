// Files that pass between bridle as root and a browser that is another user: what is taken, and what is not.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/errors.h"
#include "base/temp_folder.h"
#include "tests/support/catch.h"
#include "tests/unit/support/file_mode.h"
#include "tools/files/foreign_file.h"
#include "tools/files/upload_copies.h"

using namespace bridle;
using matchers::Contains;
using testing::mode_of;
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMost = 1000;  // bytes

// A folder that the writer writes into, and one with a reserved name.
struct Exchange {
  TempFolder folder{"bridle-test-exchange-"};
  OsUser writer{::geteuid(), ::getegid()};
  fs::path from = fs::path(folder.path()) / "guid";
  fs::path kept = fs::path(folder.path()) / "kept";
  fs::path to = kept / "report.txt";

  Exchange() {
    fs::create_directory(kept);
    std::ofstream(to) << "";
  }
  std::string refusal() const {
    try {
      take_file(from, writer, to, kMost);
    } catch (const ToolError& error) {
      return error.what();
    }
    return "";
  }
  // That nothing but the reserved name is there, still empty.
  bool untouched() const {
    return fs::file_size(to) == 0 && std::distance(fs::directory_iterator(kept), fs::directory_iterator()) == 1;
  }
};

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a file of another user is copied whole, for us alone, and removed where it was",
          "[foreign-file] [security.root.files]") {
  Exchange exchange;
  std::ofstream(exchange.from) << std::string(kMost, 'x');
  ::chmod(exchange.from.c_str(), 0666);
  CHECK(take_file(exchange.from, exchange.writer, exchange.to, kMost) == kMost);
  CHECK(content_of(exchange.to) == std::string(kMost, 'x'));
  CHECK(mode_of(exchange.to) == 0600);
  CHECK_FALSE(fs::exists(exchange.from));
  CHECK(std::distance(fs::directory_iterator(exchange.kept), fs::directory_iterator()) == 1);
}

TEST_CASE("what another user may have put in a file's place isn't taken", "[foreign-file] [security.root.files]") {
  Exchange exchange;
  const auto secret = fs::path(exchange.folder.path()) / "secret";
  std::ofstream(secret) << "secret";
  SECTION("a symlink") {
    fs::create_symlink(secret, exchange.from);
    CHECK_THAT(exchange.refusal(), Contains("link"));
  }
  SECTION("a hard link") {
    fs::create_hard_link(secret, exchange.from);
    CHECK_THAT(exchange.refusal(), Contains("another name"));
  }
  SECTION("a pipe, which nobody writes to") {
    REQUIRE(::mkfifo(exchange.from.c_str(), 0666) == 0);
    CHECK_THAT(exchange.refusal(), Contains("no regular file"));
  }
  SECTION("a folder") {
    fs::create_directory(exchange.from);
    CHECK_THAT(exchange.refusal(), Contains("no regular file"));
  }
  SECTION("a file that isn't the writer's") {
    std::ofstream(exchange.from) << "x";
    exchange.writer.uid += 1;
    CHECK_THAT(exchange.refusal(), Contains("isn't the browser's own"));
  }
  SECTION("a file over the limit") {
    std::ofstream(exchange.from) << std::string(kMost + 1, 'x');
    CHECK_THAT(exchange.refusal(), Contains("more than 1000 bytes"));
  }
  SECTION("nothing") { CHECK_FALSE(exchange.refusal().empty()); }
  CHECK(exchange.untouched());
  CHECK(content_of(secret) == "secret");
}

TEST_CASE("a copy for the browser is for its user alone, and has the file's time",
          "[foreign-file] [security.root.files]") {
  const Exchange exchange;
  std::ofstream(exchange.from) << "content";
  const auto copy = exchange.kept / "copy";
  copy_for({}, exchange.from, exchange.writer, copy);
  CHECK(content_of(copy) == "content");
  CHECK(mode_of(copy) == 0640);
  CHECK(fs::last_write_time(copy) == fs::last_write_time(exchange.from));
  CHECK_THROWS_AS(copy_for({}, exchange.from, exchange.writer, copy), ToolError);  // it is there
  fs::create_symlink(exchange.from, exchange.kept / "link");
  CHECK_THROWS_AS(copy_for({}, exchange.kept / "link", exchange.writer, exchange.kept / "other"), ToolError);
}

TEST_CASE("files to upload are copied where the browser can't read them, until the session's end",
          "[foreign-file] [security.root.files]") {
  if (::geteuid() != 0) {
    WARN("needs root");
    return;
  }
  const Exchange exchange;
  const auto reader = unused_user();
  std::ofstream(exchange.from) << "content";
  fs::path copy;
  {
    UploadCopies copies;
    CHECK(copies.readable({}, {exchange.from}, {}) == std::vector<fs::path>{exchange.from});  // root can
    const auto twice = copies.readable({}, {exchange.from, exchange.from}, reader);
    REQUIRE(twice.size() == 2);
    CHECK(twice[0] != twice[1]);
    copy = twice[0];
    CHECK(copy.filename() == exchange.from.filename());
    CHECK(try_as(reader, {{copy.string(), R_OK}}, false).obstacle == Obstacle::none);
    CHECK(try_as(OsUser{reader.uid - 1, reader.gid - 1}, {{copy.string(), R_OK}}, false).obstacle ==
          Obstacle::no_access);
    CHECK_THROWS_AS(copies.readable({}, {exchange.from, exchange.kept / "none"}, reader), ToolError);
    CHECK(std::distance(fs::directory_iterator(copy.parent_path().parent_path()), fs::directory_iterator()) == 3);
  }
  CHECK_FALSE(fs::exists(copy.parent_path().parent_path()));
}
