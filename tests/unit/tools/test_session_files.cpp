#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "base/errors.h"
#include "tests/support/catch.h"
#include "tests/unit/support/file_mode.h"
#include "tools/files/file_system.h"
#include "tools/files/session_files.h"

using namespace bridle;
using matchers::Contains;
using testing::mode_of;
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

std::shared_ptr<OutputFolder> output_in(const fs::path& path, const std::vector<std::string>& shared = {},
                                        OutputLimits limits = {}) {
  return std::make_shared<OutputFolder>(path.string(), shared, limits);
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a session's files: a folder of their own, made at the first write, for its user alone", "[tool.files]") {
  const Sandbox sandbox;
  const auto output = output_in(sandbox.path / "deep" / "out");
  const SessionFiles files(output);
  const SessionFiles others(output);
  CHECK_FALSE(fs::exists(sandbox.path / "deep"));
  const auto path = files.write({}, "page.md", "text").path;
  CHECK(path.parent_path().parent_path() == sandbox.path / "deep" / "out");
  CHECK(path.parent_path() == files.path());
  CHECK(path.filename() == "page.md");
  CHECK(read(path) == "text");
  CHECK(mode_of(sandbox.path / "deep" / "out") == 0700);
  CHECK(mode_of(files.path()) == 0700);
  CHECK(mode_of(path) == 0600);
  // The name of another's can't be told from one's own: 96 random bits after the time.
  CHECK(files.path() != others.path());
  CHECK(files.path().filename().string().size() == std::string("20261122-161003-").size() + 16);
}

TEST_CASE("a session's folder stays with its files, and goes when it is empty", "[tool.files]") {
  const Sandbox sandbox;
  const auto output = output_in(sandbox.path / "out");
  {
    const SessionFiles kept(output);
    kept.write({}, "a.txt", "x");
    const SessionFiles empty(output);
    empty.ensure();
    CHECK(files_in(sandbox.path / "out") == 2);
  }
  CHECK(files_in(sandbox.path / "out") == 1);
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

TEST_CASE("a session's files: names below its folder, and only those", "[tool.files]") {
  const Sandbox sandbox;
  const auto output = output_in(sandbox.path / "out");
  const SessionFiles files(output);
  const SessionFiles others(output);
  const auto out = files.ensure();
  const auto theirs = others.write({}, "theirs.txt", "x").path;
  CHECK(files.write({}, "a/b/../c.txt", "1").path == out / "a" / "c.txt");
  CHECK(files.write({}, (out / "abs.txt").string(), "2").path == out / "abs.txt");
  for (const std::string bad : {"../x", "a/../../x", "/etc/passwd", "..", "."}) {
    INFO(bad);
    CHECK_THROWS_AS(files.write({}, bad, "x"), ToolError);
  }
  CHECK_THROWS_WITH(files.write({}, "../x", "x"),
                    Contains("outside of this session's output folder") && Contains(out.string()));
  CHECK_THROWS_WITH(files.write({}, (sandbox.path / "out" / "x").string(), "x"), Contains("outside"));
  CHECK_THROWS_WITH(files.write({}, theirs.string(), "x"), Contains("outside"));
  CHECK_THROWS_WITH(files.write({}, "../" + others.path().filename().string() + "/new.txt", "x"), Contains("outside"));
  CHECK_THROWS_WITH(files.write({}, "", "x"), Contains("empty"));
  CHECK_THROWS_WITH(files.write({}, "a", "x"), Contains("names a folder"));
  CHECK_THROWS_WITH(files.write({}, "a/", "x"), Contains("names a folder"));
  CHECK_THROWS_AS(files.write({}, std::string("a\0b", 3), "x"), ToolError);
  CHECK_FALSE(fs::exists(sandbox.path / "x"));
  CHECK(files_in(others.path()) == 1);
}

TEST_CASE("a session's files: none that a program reads unasked, or takes for something else", "[tool.files.names]") {
  const Sandbox sandbox;
  const SessionFiles files(output_in(sandbox.path / "out"));
  for (const std::string bad : {".git/hooks/pre-commit", ".envrc", "a/.ssh/authorized_keys", "a/../.bashrc", "-rf",
                                "a/--checkpoint-action=exec=sh", "two\nlines.txt", "a\x1b[2J"}) {
    INFO(bad);
    CHECK_THROWS_WITH(files.write({}, bad, "x"), Contains("can't be used") && Contains("another name"));
  }
  CHECK_THROWS_WITH(files.write({}, ".git/hooks/pre-commit", "x"), Contains("hidden files are not written"));
  CHECK(files_in(files.ensure()) == 0);
  CHECK(files.write({}, "a.b/c-d.e", "x").path == files.path() / "a.b" / "c-d.e");
}

TEST_CASE("a session's files: a name that is taken leads to a free one, and the words say so", "[tool.files.names]") {
  const Sandbox sandbox;
  const SessionFiles files(output_in(sandbox.path / "out"));
  const auto first = files.write({}, "sub/shot.png", "1");
  const auto second = files.write({}, "sub/shot.png", "2");
  CHECK_FALSE(first.renamed);
  CHECK(saved_words(first) == "Saved to " + first.path.string());
  CHECK(second.renamed);
  CHECK(second.path.filename() == "shot (1).png");
  CHECK_THAT(saved_words(second), Contains("shot (1).png") && Contains("is taken"));
  CHECK(read(first.path) == "1");
  CHECK(read(second.path) == "2");
  CHECK(files.reserve("first").filename() == "first");
  CHECK(files.write({}, "first", "x").path.filename() == "first (1)");
  CHECK(read(files.path() / "first").empty());
}

TEST_CASE("a session's files: a symlink doesn't lead out of its folder", "[tool.files]") {
  const Sandbox sandbox;
  const auto victim = sandbox.put("outside/victim.txt", "before");
  const SessionFiles files(output_in(sandbox.path / "out"));
  const auto out = files.ensure();
  fs::create_symlink(victim, out / "link.txt");
  fs::create_directory_symlink(sandbox.path / "outside", out / "dir");
  fs::create_symlink(sandbox.path / "outside" / "new.txt", out / "dangling.txt");
  for (const std::string bad : {"link.txt", "dir/victim.txt", "dir/new.txt", "dangling.txt"}) {
    INFO(bad);
    CHECK_THROWS_WITH(files.write({}, bad, "after"), Contains("outside of this session's output folder"));
  }
  CHECK(read(victim) == "before");
  CHECK(files_in(sandbox.path / "outside") == 1);
  // The output folder itself may be one: that is its owner's choice.
  fs::create_directory_symlink(sandbox.path / "out", sandbox.path / "way");
  const SessionFiles linked(output_in(sandbox.path / "way"));
  CHECK(linked.write({}, "x.txt", "x").path == linked.ensure() / "x.txt");
  CHECK(linked.write({}, (linked.path() / "y.txt").string(), "y").path == linked.ensure() / "y.txt");
}

TEST_CASE("a session's folder: nothing else may stand in its place", "[tool.files]") {
  const Sandbox sandbox;
  fs::create_directories(sandbox.path / "outside");
  const SessionFiles files(output_in(sandbox.path / "out"));
  fs::create_directories(sandbox.path / "out");
  fs::create_directory_symlink(sandbox.path / "outside", files.path());
  CHECK_THROWS_WITH(files.write({}, "x.txt", "x"), Contains("something else has its name"));
  CHECK(files_in(sandbox.path / "outside") == 0);
}

TEST_CASE("a session's files: after an abort nothing is written and nothing is left", "[cancel.browser.files]") {
  const Sandbox sandbox;
  const SessionFiles files(output_in(sandbox.path));
  files.write({}, "kept.txt", "old");
  AbortController controller;
  controller.abort(AbortReason::client_cancelled);
  CallContext ctx;
  ctx.signal = controller.signal();
  CHECK_THROWS_AS(files.write(ctx, "kept.txt", "new"), Aborted);
  CHECK_THROWS_AS(files.write(ctx, "other.txt", "new"), Aborted);
  CHECK(read(files.path() / "kept.txt") == "old");
  CHECK(files_in(files.path()) == 1);
}

TEST_CASE("a session's files: what can't be written says so and leaves nothing") {
  const Sandbox sandbox;
  const SessionFiles files(output_in(sandbox.path));
  files.write({}, "file", "x");
  CHECK_THROWS_AS(files.write({}, "file/below.txt", "x"), ToolError);
  CHECK_THROWS_AS(files.write({}, std::string(300, 'n'), "x"), ToolError);
  CHECK(files_in(files.path()) == 1);
  const SessionFiles on_file(output_in(files.path() / "file"));
  CHECK_THROWS_WITH(on_file.ensure(), Contains("--output-dir"));
}

TEST_CASE("a session's files: as many as the limits allow, of the session and of all", "[tool.files.limits]") {
  const Sandbox sandbox;
  const auto output = output_in(sandbox.path, {}, {.session = 100, .whole = 150});
  const SessionFiles files(output);
  const SessionFiles others(output);
  files.write({}, "a", std::string(60, 'x'));
  CHECK_THROWS_WITH(files.write({}, "b", std::string(41, 'x')),
                    Contains("--output-max-session") && Contains("100 bytes") && Contains(files.path().string()));
  files.write({}, "b", std::string(40, 'x'));
  CHECK_THROWS_WITH(others.write({}, "c", std::string(51, 'x')),
                    Contains("--output-max-size") && Contains("150 bytes") && Contains(sandbox.path.string()));
  others.write({}, "c", std::string(50, 'x'));
  CHECK(output->used() == 150);
  fs::remove(files.path() / "a");
  others.write({}, "d", std::string(10, 'x'));
}

TEST_CASE("sizes and a full disk are said in words", "[tool.files.limits]") {
  CHECK(in_bytes(1) == "1 byte");
  CHECK(in_bytes(1023) == "1023 bytes");
  CHECK(in_bytes(256 * 1024 * 1024) == "256 MiB");
  CHECK(in_bytes(1536ULL * 1024 * 1024) == "1.5 GiB");
  CHECK_THAT(file_error(ENOSPC), Contains("disk full"));
  CHECK_THAT(file_error(EACCES), !Contains("disk full"));
}

TEST_CASE("a session's files: reserved names are harmless and never taken twice", "[tool.files.names]") {
  const Sandbox sandbox;
  const SessionFiles files(output_in(sandbox.path));
  CHECK(files.reserve("report.pdf").filename() == "report.pdf");
  CHECK(files.reserve("report.pdf").filename() == "report (1).pdf");
  CHECK(files.reserve("../../etc/passwd") == files.path() / "passwd");
  CHECK(files.reserve("C:\\dir\\a:b?.txt").filename() == "a_b_.txt");
  CHECK(files.reserve(".bashrc").filename() == "bashrc");
  CHECK(files.reserve("-rf").filename() == "rf");
  CHECK(files.reserve("a\nb").filename() == "a_b");
  CHECK(files.reserve("..").filename() == "file");
  CHECK(files.reserve("").filename() == "file (1)");
  const auto lengthy = files.reserve(std::string(400, 'l') + ".tar").filename().string();
  CHECK(lengthy.size() <= 200);
  CHECK(lengthy.ends_with("l.tar"));
  CHECK(read(files.reserve("empty")).empty());
}

TEST_CASE("uploads: all folders may be allowed, but no other session's files", "[tool.uploads] [tool.cli.drop-in]") {
  const Sandbox sandbox;
  const auto anywhere = sandbox.put("elsewhere/a.txt");
  const auto output = output_in(sandbox.path / "out", {"/"});
  const SessionFiles files(output);
  const SessionFiles other(output);
  CHECK(files.upload(anywhere.string()) == anywhere);
  const auto theirs = other.write({}, "b.txt", "x").path;
  CHECK_THROWS_WITH(files.upload(theirs.string()), Contains("may not be uploaded"));
}

TEST_CASE("uploads: the refusal of a file in the output folder says that this is why", "[tool.uploads.output-folder]") {
  const Sandbox sandbox;
  const auto kept = sandbox.put("out/kept/state.json");
  const SessionFiles files(output_in(sandbox.path / "out", {sandbox.path.string()}));
  CHECK_THROWS_WITH(
      files.upload(kept.string(), "loaded"),
      Contains("may not be loaded: it lies in the output folder") && Contains("naming the folder itself"));
  const SessionFiles named(output_in(sandbox.path / "out", {kept.parent_path().string()}));
  CHECK(named.upload(kept.string()) == kept);
}

TEST_CASE("uploads: what somebody put beside the sessions' folders is theirs to give", "[tool.uploads.output-folder]") {
  const Sandbox sandbox;
  const auto put = sandbox.put("out/state.json");
  const SessionFiles files(output_in(sandbox.path / "out", {sandbox.path.string()}));
  CHECK(files.upload(put.string(), "loaded") == put);
  CHECK_THROWS_WITH(files.upload(sandbox.put("out/.lock").string(), "loaded"), Contains("in the output folder"));
  CHECK_THROWS_WITH(SessionFiles(output_in(sandbox.path / "out", {})).upload(put.string()), Contains("lies outside"));
  const SessionFiles none(output_in(sandbox.path / "none", {sandbox.path.string()}));  // not there, so without a name
  CHECK_THROWS_WITH(none.upload(sandbox.path.string() + "/none/"), Contains("may not") || Contains("no file"));
}

TEST_CASE("uploads: from the session's folder and the allowed ones, and from nowhere else", "[tool.uploads]") {
  const Sandbox sandbox;
  const auto in_allowed = sandbox.put("allowed/sub/b.txt");
  const auto secret = sandbox.put("secret/id_rsa");
  sandbox.put("allowed-not/c.txt");
  const SessionFiles files(output_in(sandbox.path / "out", {(sandbox.path / "allowed").string()}));
  const auto own = files.write({}, "a.txt", "x").path;
  CHECK(files.upload(own.string()) == own);
  CHECK(files.upload("a.txt") == own);
  CHECK(files.upload(in_allowed.string()) == in_allowed);
  CHECK_THROWS_WITH(files.upload(secret.string()), Contains("may not be uploaded") &&
                                                       Contains("--allowed-upload-dirs") &&
                                                       Contains((sandbox.path / "allowed").string()));
  CHECK_THROWS_WITH(files.upload((sandbox.path / "allowed-not" / "c.txt").string()), Contains("may not"));
  CHECK_THROWS_WITH(files.upload((sandbox.path / "allowed" / ".." / "secret" / "id_rsa").string()),
                    Contains("may not"));
  // Through a symlink too; one into an allowed folder is fine.
  fs::create_symlink(secret, sandbox.path / "allowed" / "innocent.txt");
  fs::create_directory_symlink(sandbox.path / "secret", files.path() / "dir");
  fs::create_symlink(in_allowed, files.path() / "fine.txt");
  CHECK_THROWS_WITH(files.upload((sandbox.path / "allowed" / "innocent.txt").string()), Contains("may not"));
  CHECK_THROWS_WITH(files.upload("dir/id_rsa"), Contains("may not"));
  CHECK(files.upload("fine.txt") == in_allowed);
  // What is outside isn't told to exist or not.
  CHECK_THROWS_WITH(files.upload((sandbox.path / "secret" / "nothing").string()), Contains("may not"));
  CHECK_THROWS_WITH(files.upload("nothing.txt"), Contains("no file"));
  CHECK_THROWS_WITH(files.upload((sandbox.path / "allowed" / "sub").string()), Contains("no regular file"));
  CHECK_THROWS_AS(files.upload(""), ToolError);
}

TEST_CASE("uploads: not what another session wrote or downloads, though a shared folder holds the output folder",
          "[tool.uploads]") {
  const Sandbox sandbox;
  const bool shared = GENERATE(false, true);
  const auto output =
      output_in(sandbox.path / "out", shared ? std::vector{sandbox.path.string()} : std::vector<std::string>{});
  const SessionFiles files(output);
  const SessionFiles others(output);
  const auto own = files.write({}, "own.txt", "x").path;
  const auto theirs = others.write({}, "secret.txt", "x").path;
  const auto arriving = sandbox.put("out/" + std::string(kStagingPrefix) + "1-x/1/guid");
  CHECK(files.upload(own.string()) == own);
  CHECK_THROWS_WITH(files.upload(theirs.string()), Contains("may not be uploaded"));
  CHECK_THROWS_WITH(files.upload("../" + others.path().filename().string() + "/secret.txt"), Contains("may not"));
  CHECK_THROWS_WITH(files.upload(arriving.string()), Contains("may not"));
  fs::create_symlink(theirs, files.path() / "link.txt");
  CHECK_THROWS_WITH(files.upload("link.txt"), Contains("may not"));
}

TEST_CASE("uploads: a folder in the output folder can be shared by naming it", "[tool.uploads]") {
  const Sandbox sandbox;
  const auto given = sandbox.put("out/shared/a.txt");
  const SessionFiles files(output_in(sandbox.path / "out", {(sandbox.path / "out" / "shared").string()}));
  CHECK(files.upload(given.string()) == given);
}

TEST_CASE("a full output folder: files of ended sessions go, the oldest session's first, and no other",
          "[tool.files.oldest]") {
  const Sandbox sandbox;
  const auto output = output_in(sandbox.path / "out", {}, {.session = 1000, .whole = 100});
  const auto put = [&](const std::string& session, const std::string& name, std::size_t size, int age) {
    const auto path = sandbox.put("out/" + session + "/" + name, std::string(size, 'x'));
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(age));
    return path;
  };
  const auto newer = put("20260102-000000-abcdefghijklmnop", "deep/n.txt", 20, 9);
  const auto old_late = put("20260101-000000-abcdefghijklmnop", "late.txt", 20, 1);
  const auto old_early = put("20260101-000000-abcdefghijklmnop", "early.txt", 20, 2);
  const auto users = sandbox.put("out/mine/notes.txt", std::string(10, 'x'));
  const auto like_one = sandbox.put("out/20260101-000000-abc/x.txt", std::string(10, 'x'));
  const SessionFiles living(output);
  living.write({}, "a.txt", std::string(10, 'x'));
  CHECK(fs::exists(old_early));  // 90 of 100
  const auto b = living.write({}, "b.txt", std::string(20, 'x')).path;
  CHECK_FALSE(fs::exists(old_early));
  CHECK(fs::exists(old_late));
  living.write({}, "c.txt", std::string(20, 'x'));
  CHECK_FALSE(fs::exists(old_late.parent_path()));  // empty now
  CHECK(fs::exists(newer));
  // What can't be made to fit removes nothing.
  CHECK_THROWS_WITH(living.write({}, "d.txt", std::string(101, 'x')), Contains("--output-max-size"));
  CHECK(fs::exists(newer));
  living.write({}, "e.txt", std::string(20, 'x'));
  CHECK_FALSE(fs::exists(newer));
  CHECK_THROWS_WITH(living.write({}, "f.txt", std::string(20, 'x')), Contains("--output-max-size"));
  CHECK(fs::exists(b));
  CHECK(fs::exists(users));
  CHECK(fs::exists(like_one));
}

TEST_CASE("a full output folder: another bridle's living sessions are left alone", "[tool.files.oldest]") {
  const Sandbox sandbox;
  const auto output = output_in(sandbox.path / "out", {}, {.session = 1000, .whole = 50});
  fs::path theirs;
  {
    // A second OutputFolder stands for the other process: what holds a folder is the kernel's lock.
    const SessionFiles other(output_in(sandbox.path / "out"));
    theirs = other.write({}, "theirs.txt", std::string(40, 'x')).path;
    const SessionFiles living(output);
    CHECK_THROWS_AS(living.write({}, "a.txt", std::string(20, 'x')), ToolError);
    CHECK(fs::exists(theirs));
  }
  const SessionFiles living(output);
  living.write({}, "a.txt", std::string(20, 'x'));
  CHECK_FALSE(fs::exists(theirs));
}
