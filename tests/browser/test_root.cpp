// bridle as root: its browser is another user, with its sandbox, and files still come and go [security.root].
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/temp_folder.h"
#include "browser/chromium/browser_user.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;
using Kind = BrowserUser::Kind;

namespace {

namespace fs = std::filesystem;

// Whether bridle, as it runs here, starts Chromium as another user.
bool has_other_user() {
  private_tmp();
  const auto user = choose_browser_user(false, ChromiumProcess::find_executable({}), "");
  if (user.kind == Kind::other) return true;
  WARN("needs root, and a kernel that makes user namespaces: " << describe(user));
  return false;
}

std::string text_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// One process of a browser, as /proc tells.
struct BrowserPart {
  std::string command{};
  std::string status{};
  std::string user_namespace{};
  pid_t parent = 0;
  bool is_renderer() const { return command.find("--type=renderer") != std::string::npos; }
  // The first number of a line of its status.
  long number(const std::string& name) const {
    const auto line = status.find("\n" + name + ":\t");
    return line == std::string::npos ? -1 : std::atol(status.c_str() + line + name.size() + 3);
  }
};

// A browser's process and all that descend from it.
std::map<pid_t, BrowserPart> parts_of(pid_t browser) {
  std::map<pid_t, BrowserPart> all;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 0) continue;
    std::error_code gone;
    BrowserPart part{.command = text_of_file(entry.path() / "cmdline"),
                     .status = text_of_file(entry.path() / "status"),
                     .user_namespace = fs::read_symlink(entry.path() / "ns/user", gone).string()};
    part.parent = static_cast<pid_t>(part.number("PPid"));
    if (!gone) all[pid] = std::move(part);
  }
  const auto descends = [&all, browser](pid_t pid) {
    for (auto at = all.find(pid); at != all.end(); at = all.find(at->second.parent)) {
      if (at->first == browser) return true;
    }
    return false;
  };
  std::map<pid_t, BrowserPart> parts;
  for (const auto& [pid, part] : all) {
    if (descends(pid)) parts.emplace(pid, part);
  }
  return parts;
}

std::string own_namespace() { return fs::read_symlink("/proc/self/ns/user").string(); }

BrowserSettings private_output(const std::string& folder, std::vector<std::string> uploads = {}) {
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_all);
  BrowserSettings settings;
  settings.files = std::make_shared<OutputFolder>(folder + "/out", std::move(uploads));
  return settings;
}

// Folders of ours in the temporary directory whose names begin so.
std::size_t folders(const std::string& prefix) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(private_tmp()))
    count += entry.path().filename().string().starts_with(prefix) ? 1 : 0;
  return count;
}

// A Chromium that starts as root alone.
std::string for_root_only() {
  return fake_browser("for-root-only", "[ \"$(id -u)\" = 0 ] || { echo 'only for root' >&2; exit 7; }\nexec " +
                                           ChromiumProcess::find_executable({}) + " \"$@\"\n");
}

}  // namespace

TEST_CASE("root: every process of Chromium is another user's, and a renderer is in the sandbox",
          "[root] [security.root]") {
  if (!has_other_user()) return;
  House house;
  Session session(house);
  session.navigate(web().url("/plain"));
  const auto uid = session.browser()->user().user.uid;
  CHECK(uid == unused_user().uid);
  for (const auto& path : profiles()) {
    struct stat info {};
    REQUIRE(::stat(path.c_str(), &info) == 0);
    CHECK(info.st_uid == uid);
    CHECK((info.st_mode & 0777) == 0700);
  }
  const auto parts = parts_of(session.browser()->pid());
  CHECK(parts.size() >= 3);
  std::size_t renderers = 0;
  for (const auto& [pid, part] : parts) {
    INFO(part.command << "\n" << part.status);
    CHECK(part.number("Uid") == static_cast<long>(uid));
    CHECK(part.number("Gid") == static_cast<long>(uid));
    CHECK(part.command.find("--no-sandbox") == std::string::npos);
    CHECK_THAT(part.status, Contains("\nGroups:\t \n"));
    if (part.user_namespace == own_namespace()) CHECK_THAT(part.status, Contains("\nCapEff:\t0000000000000000\n"));
    if (!part.is_renderer()) continue;
    ++renderers;
    CHECK(part.number("Seccomp") == 2);
    CHECK(part.user_namespace != own_namespace());
  }
  CHECK(renderers > 0);
  const auto rows = house.toolbox().browsers();
  REQUIRE(rows.size() == 1);
  CHECK(rows[0]["uid"] == uid);
  CHECK(rows[0]["sandbox"] == true);
}

TEST_CASE("root: downloads go to a folder that the browser can't reach", "[root] [security.root.files]") {
  if (!has_other_user()) return;
  const auto before = folders("bridle-downloads-");
  {
    House house(private_output(private_tmp() + "/roots-own"));
    Session session(house);
    session.navigate(web().url("/plain"));
    const auto answer = session.ok("browser_navigate", {{"url", web().url("/download?name=report.bin&size=5000")}});
    const auto path = session.scope().files()->path() / "report.bin";
    CHECK_THAT(answer.section("Result"), Contains("kept as " + path.string() + " (5000 bytes)"));
    struct stat info {};
    REQUIRE(::lstat(path.c_str(), &info) == 0);
    CHECK(info.st_uid == 0);
    CHECK((info.st_mode & 07777) == 0600);
    CHECK(info.st_size == 5000);
    CHECK(folders("bridle-downloads-") == before + 1);
  }
  CHECK(folders("bridle-downloads-") == before);
}

TEST_CASE("root: files that the browser can't read are uploaded, and their copies end with the session",
          "[root] [security.root.files]") {
  if (!has_other_user()) return;
  const auto own = private_tmp() + "/roots-uploads";
  House house(private_output(own, {own}));
  std::ofstream(own + "/secret.txt") << "for this page alone";
  fs::permissions(own + "/secret.txt", fs::perms::owner_read);
  {
    Session session(house);
    web().set_page("/root-upload", "<input id=file type=file aria-label=File>");
    session.navigate(web().url("/root-upload"));
    session.ok("browser_file_upload", {{"target", "#file"}, {"paths", {own + "/secret.txt"}}});
    const auto read =
        "async () => { const [file] = document.getElementById('file').files; return file.name + ': ' + "
        "await file.text() }";
    CHECK(session.evaluate(read) == "secret.txt: for this page alone");
    CHECK(folders("bridle-uploads-") == 1);
  }
  CHECK(folders("bridle-uploads-") == 0);
}

TEST_CASE("root: a Chromium that doesn't start as another user is started as root, which is told",
          "[root] [security.root.fallback] [security.root.told]") {
  if (!has_other_user()) return;
  BrowserSettings settings;
  settings.launch.executable = for_root_only();
  House house(settings);
  Session session(house);
  session.navigate(web().url("/plain"));
  CHECK(session.browser()->user().kind == Kind::root);
  const auto rows = house.toolbox().browsers();
  REQUIRE(rows.size() == 1);
  CHECK(rows[0]["uid"] == 0);
  CHECK(rows[0]["sandbox"] == false);
  CHECK_THAT(rows[0]["words"].get<std::string>(), Contains("exit status 7") && Contains("without its sandbox"));
  CHECK_FALSE(rows[0]["remedy"].get<std::string>().empty());
}

TEST_CASE("root: with a kept profile of another user's it is never started again as root",
          "[root] [security.root.fallback]") {
  if (!has_other_user()) return;
  const auto profile = private_tmp() + "/kept-and-refused";
  fs::create_directories(profile);
  REQUIRE(give_to(profile, {61999, 61999}) == 0);
  BrowserSettings settings;
  settings.launch.executable = for_root_only();
  settings.launch.user_data_dir = profile;
  House house(settings);
  Session session(house);
  const auto answer = session.error("browser_navigate", {{"url", web().url("/plain")}});
  CHECK_THAT(answer.section("Error"),
             Contains("as user 61999") && Contains("exit status 7") && Contains("only for root"));
}

TEST_CASE("root: with a kept profile Chromium is its owner, whose the folder stays", "[root] [security.root]") {
  if (!has_other_user()) return;
  const auto profile = private_tmp() + "/kept-of-another";
  fs::create_directories(profile);
  REQUIRE(give_to(profile, {61999, 61999}) == 0);
  const auto before = folders(kHomePrefix);
  {
    BrowserSettings settings;
    settings.launch.user_data_dir = profile;
    House house(settings);
    Session session(house);
    session.navigate(web().url("/plain"));
    CHECK(session.browser()->user().user.uid == 61999);
    CHECK(session.browser()->user().sandboxed());
    struct stat info {};
    REQUIRE(::stat((profile + "/Default").c_str(), &info) == 0);
    CHECK(info.st_uid == 61999);
    CHECK(folders(kHomePrefix) == before + 1);
  }
  CHECK(folders(kHomePrefix) == before);
  fs::remove_all(profile);
}
