#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/errors.h"
#include "tests/support/catch.h"
#include "tools/files/output_folder.h"

using namespace bridle;
using matchers::Contains;
namespace fs = std::filesystem;

namespace {

// A temporary folder with all that is in it.
struct Sandbox {
  fs::path path;
  Sandbox() {
    std::string pattern = (fs::temp_directory_path() / "bridle-files-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path = fs::canonical(pattern);
  }
  ~Sandbox() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path put(const std::string& name, const std::string& content = "x") const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << content;
    return path / name;
  }
};

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

unsigned mode_of(const fs::path& path) {
  struct stat info {};
  REQUIRE(::stat(path.c_str(), &info) == 0);
  return info.st_mode & 0777U;
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("output folder: made at the first write, for its user alone") {
  const Sandbox sandbox;
  const OutputFolder folder((sandbox.path / "deep" / "out").string());
  CHECK_FALSE(fs::exists(sandbox.path / "deep"));
  const auto path = folder.write({}, "page.md", "text");
  CHECK(path == sandbox.path / "deep" / "out" / "page.md");
  CHECK(read(path) == "text");
  CHECK(mode_of(sandbox.path / "deep") == 0700);
  CHECK(mode_of(sandbox.path / "deep" / "out") == 0700);
  CHECK(mode_of(path) == 0600);
}

TEST_CASE("output folder: the default lies in the user's cache") {
  const Sandbox sandbox;
  const char* before = std::getenv("XDG_CACHE_HOME");
  const std::string saved = before == nullptr ? "" : before;
  ::setenv("XDG_CACHE_HOME", sandbox.path.c_str(), 1);
  const OutputFolder folder;
  CHECK(folder.ensure() == sandbox.path / "bridle" / "output");
  if (before == nullptr) {
    ::unsetenv("XDG_CACHE_HOME");
  } else {
    ::setenv("XDG_CACHE_HOME", saved.c_str(), 1);
  }
}

TEST_CASE("output folder: names below it, and only those", "[tool.files]") {
  const Sandbox sandbox;
  const auto out = sandbox.path / "out";
  const OutputFolder folder(out.string());
  CHECK(folder.write({}, "a/b/../c.txt", "1") == out / "a" / "c.txt");
  CHECK(folder.write({}, (out / "abs.txt").string(), "2") == out / "abs.txt");
  CHECK(read(folder.write({}, "abs.txt", "3")) == "3");
  for (const std::string bad : {"../x", "a/../../x", "/etc/passwd", "..", "."}) {
    INFO(bad);
    CHECK_THROWS_AS(folder.write({}, bad, "x"), ToolError);
  }
  CHECK_THROWS_WITH(folder.write({}, "../x", "x"), Contains("outside of the output folder") && Contains(out.string()));
  CHECK_THROWS_WITH(folder.write({}, (sandbox.path / "out2" / "x").string(), "x"), Contains("outside"));
  CHECK_THROWS_WITH(folder.write({}, "", "x"), Contains("empty"));
  CHECK_THROWS_WITH(folder.write({}, "a", "x"), Contains("names a folder"));
  CHECK_THROWS_WITH(folder.write({}, "a/", "x"), Contains("names a folder"));
  CHECK_THROWS_AS(folder.write({}, std::string("a\0b", 3), "x"), ToolError);
  CHECK_FALSE(fs::exists(sandbox.path / "x"));
}

TEST_CASE("output folder: a symlink doesn't lead out of it", "[tool.files]") {
  const Sandbox sandbox;
  const auto victim = sandbox.put("outside/victim.txt", "before");
  const auto out = sandbox.path / "out";
  const OutputFolder folder(out.string());
  folder.ensure();
  fs::create_symlink(victim, out / "link.txt");
  fs::create_directory_symlink(sandbox.path / "outside", out / "dir");
  fs::create_symlink(sandbox.path / "outside" / "new.txt", out / "dangling.txt");
  for (const std::string bad : {"link.txt", "dir/victim.txt", "dir/new.txt", "dangling.txt"}) {
    INFO(bad);
    CHECK_THROWS_WITH(folder.write({}, bad, "after"), Contains("outside of the output folder"));
  }
  CHECK(read(victim) == "before");
  CHECK(files_in(sandbox.path / "outside") == 1);
  // The folder itself may be one: that is its owner's choice.
  fs::create_directory_symlink(out, sandbox.path / "way");
  const OutputFolder linked((sandbox.path / "way").string());
  CHECK(linked.write({}, "x.txt", "x") == out / "x.txt");
  CHECK(linked.write({}, (sandbox.path / "way" / "y.txt").string(), "y") == out / "y.txt");
}

TEST_CASE("output folder: after an abort nothing is written and nothing is left", "[cancel.browser.files]") {
  const Sandbox sandbox;
  const OutputFolder folder(sandbox.path.string());
  folder.write({}, "kept.txt", "old");
  AbortController controller;
  controller.abort(AbortReason::client_cancelled);
  CallContext ctx;
  ctx.signal = controller.signal();
  CHECK_THROWS_AS(folder.write(ctx, "kept.txt", "new"), Aborted);
  CHECK_THROWS_AS(folder.write(ctx, "other.txt", "new"), Aborted);
  CHECK(read(sandbox.path / "kept.txt") == "old");
  CHECK(files_in(sandbox.path) == 1);
}

TEST_CASE("output folder: what can't be written says so and leaves nothing") {
  const Sandbox sandbox;
  const OutputFolder folder(sandbox.path.string());
  sandbox.put("file");
  CHECK_THROWS_AS(folder.write({}, "file/below.txt", "x"), ToolError);
  CHECK_THROWS_AS(folder.write({}, std::string(300, 'n'), "x"), ToolError);
  CHECK(files_in(sandbox.path) == 1);
  const OutputFolder on_file((sandbox.path / "file").string());
  CHECK_THROWS_WITH(on_file.ensure(), Contains("--output-dir"));
}

TEST_CASE("output folder: reserved names are harmless and never taken twice") {
  const Sandbox sandbox;
  const OutputFolder folder(sandbox.path.string());
  CHECK(folder.reserve("report.pdf").filename() == "report.pdf");
  CHECK(folder.reserve("report.pdf").filename() == "report (1).pdf");
  CHECK(folder.reserve("../../etc/passwd") == sandbox.path / "passwd");
  CHECK(folder.reserve("C:\\dir\\a:b?.txt").filename() == "a_b_.txt");
  CHECK(folder.reserve(".bashrc").filename() == "bashrc");
  CHECK(folder.reserve("a\nb").filename() == "a_b");
  CHECK(folder.reserve("..").filename() == "file");
  CHECK(folder.reserve("").filename() == "file (1)");
  const auto lengthy = folder.reserve(std::string(400, 'l') + ".tar").filename().string();
  CHECK(lengthy.size() <= 200);
  CHECK(lengthy.ends_with("l.tar"));
  CHECK(read(folder.reserve("empty")).empty());
}

TEST_CASE("uploads: from the output folder and the allowed ones, and from nowhere else", "[tool.uploads]") {
  const Sandbox sandbox;
  const auto in_output = sandbox.put("out/a.txt");
  const auto in_allowed = sandbox.put("allowed/sub/b.txt");
  const auto secret = sandbox.put("secret/id_rsa");
  sandbox.put("allowed-not/c.txt");
  const OutputFolder folder((sandbox.path / "out").string(), {(sandbox.path / "allowed").string()});
  CHECK(folder.upload(in_output.string()) == in_output);
  CHECK(folder.upload("a.txt") == in_output);
  CHECK(folder.upload(in_allowed.string()) == in_allowed);
  CHECK_THROWS_WITH(folder.upload(secret.string()), Contains("may not be uploaded") &&
                                                        Contains("--allowed-upload-dirs") &&
                                                        Contains((sandbox.path / "allowed").string()));
  CHECK_THROWS_WITH(folder.upload((sandbox.path / "allowed-not" / "c.txt").string()), Contains("may not"));
  CHECK_THROWS_WITH(folder.upload((sandbox.path / "allowed" / ".." / "secret" / "id_rsa").string()),
                    Contains("may not"));
  // Through a symlink too; one into an allowed folder is fine.
  fs::create_symlink(secret, sandbox.path / "allowed" / "innocent.txt");
  fs::create_directory_symlink(sandbox.path / "secret", sandbox.path / "out" / "dir");
  fs::create_symlink(in_allowed, sandbox.path / "out" / "fine.txt");
  CHECK_THROWS_WITH(folder.upload((sandbox.path / "allowed" / "innocent.txt").string()), Contains("may not"));
  CHECK_THROWS_WITH(folder.upload("dir/id_rsa"), Contains("may not"));
  CHECK(folder.upload("fine.txt") == in_allowed);
  // What is outside isn't told to exist or not.
  CHECK_THROWS_WITH(folder.upload((sandbox.path / "secret" / "nothing").string()), Contains("may not"));
  CHECK_THROWS_WITH(folder.upload("nothing.txt"), Contains("no file"));
  CHECK_THROWS_WITH(folder.upload((sandbox.path / "allowed" / "sub").string()), Contains("no regular file"));
  CHECK_THROWS_AS(folder.upload(""), ToolError);
}
