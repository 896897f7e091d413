// The browser's own life: launch errors, its sudden end, profiles, shutdown, and what nothing may leak.
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <string>
#include <vector>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

namespace fs = std::filesystem;

BrowserSettings with_executable(const std::string& path) {
  BrowserSettings settings;
  settings.launch.executable = path;
  return settings;
}

// Whether a process of the group still runs. Zombies don't: reaping orphans is init's business.
bool group_alive(pid_t pid) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string line;
    if (!std::getline(file, line)) continue;
    std::istringstream rest(line.substr(line.rfind(')') + 1));
    char state = 0;
    long parent = 0;
    long group = 0;
    if (rest >> state >> parent >> group && group == pid && state != 'Z') return true;
  }
  return false;
}

// This process is the test site's too, and a Chromium opens a spare connection to it whenever it likes: a socket with
// an eventfd, and a thread, which are not counted.
std::vector<std::string> own_fds() {
  std::vector<std::string> found;
  int connections = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    const auto number = entry.path().filename().string();
    const bool named = ::getsockname(std::stoi(number), reinterpret_cast<sockaddr*>(&address), &size) == 0;
    const auto port = named && address.sin_family == AF_INET ? ntohs(address.sin_port) : 0;
    if (port != 0 && (port == web().port() || port == web().other_port())) {
      ++connections;
      continue;
    }
    std::error_code gone;
    found.push_back(number + " " + fs::read_symlink(entry.path(), gone).string());
  }
  std::erase_if(found, [&](const std::string& fd) { return fd.ends_with("[eventfd]") && connections-- > 0; });
  std::sort(found.begin(), found.end());
  return found;
}

std::size_t own_threads() {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/task")) {
    std::string name;
    std::ifstream file(entry.path() / "comm");
    std::getline(file, name);
    if (!name.empty() && name != site::SiteServer::kConnectionThread) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("no browser at the path given: the tool says what to do, and the next call tries again",
          "[lifecycle] [tool.launch]") {
  House house(with_executable("/nonexistent/chromium"));
  Session session(house);
  for (int round = 0; round < 2; ++round) {
    const auto answer = session.error("browser_navigate", {{"url", web().url("/plain")}});
    CHECK_THAT(answer.section("Error"), Contains("/nonexistent/chromium") && Contains("--executable-path"));
    CHECK(answer.waited < 2s);
  }
}

TEST_CASE("no browser in PATH: what to install", "[lifecycle]") {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  std::string words;
  try {
    ChromiumProcess::find_executable({});
  } catch (const LaunchError& error) {
    words = error.what();
  }
  ::setenv("PATH", path.c_str(), 1);
  CHECK_THAT(words, Contains("apt-get install chromium"));
}

TEST_CASE("a browser that exits at once: its exit status and its last words", "[lifecycle] [tool.launch]") {
  const auto before = profiles().size();
  House house(with_executable(fake_browser("exits", "echo 'FATAL: cannot open display' >&2\nexit 3\n")));
  Session session(house);
  const auto answer = session.error("browser_navigate", {{"url", web().url("/plain")}});
  CHECK_THAT(answer.section("Error"), Contains("exit status 3") && Contains("FATAL: cannot open display"));
  CHECK(answer.waited < 5s);
  CHECK(profiles().size() == before);
}

TEST_CASE("a browser's last words may be on stdout, or there are none", "[lifecycle] [tool.launch]") {
  const auto words_of = [](const char* name, const char* script) -> std::string {
    try {
      Browser::launch({}, with_executable(fake_browser(name, script)).launch);
    } catch (const LaunchError& error) {
      return error.what();
    }
    return "it started";
  };
  CHECK_THAT(words_of("says", "echo 'No display here'\nexit 4\n"),
             Contains("exit status 4") && Contains("Its last words:\nNo display here"));
  CHECK_THAT(words_of("silent", "exit 5\n"),
             Contains("exit status 5") && Contains("It wrote nothing") && !Contains("last words"));
}

TEST_CASE("a browser that is killed at its start: the signal", "[lifecycle]") {
  try {
    Browser::launch({}, with_executable(fake_browser("killed", "echo dying >&2\nkill -9 $$\n")).launch);
    FAIL("it started");
  } catch (const LaunchError& error) {
    CHECK_THAT(error.what(), Contains("signal 9") && Contains("dying"));
  }
}

TEST_CASE("a browser that hangs: an error in time with what it said, and no process left",
          "[lifecycle] [tool.launch]") {
  const auto before = profiles().size();
  const auto pid_file = open_folder("hangs-pid") + "/pid";
  const auto path =
      fake_browser("hangs", "echo $$ > " + pid_file + "\necho 'waiting for the lock' >&2\nexec sleep 600\n");
  const Stopwatch began;
  try {
    Browser::launch(CallContext{}.within(1s), with_executable(path).launch);
    FAIL("it started");
  } catch (const LaunchError& error) {
    CHECK_THAT(error.what(), Contains("waiting for the lock") && Contains("Browser.getVersion"));
  }
  CHECK(began.waited() < 9s);
  pid_t pid = 0;
  std::ifstream(pid_file) >> pid;
  REQUIRE(pid > 0);
  CHECK(eventually([&] { return !group_alive(pid); }));
  CHECK(profiles().size() == before);
}

TEST_CASE("an abort releases the caller while the browser is still starting", "[lifecycle]") {
  House house(with_executable(fake_browser("slow", "exec sleep 600\n")));
  Session session(house);
  auto running = session.start("browser_navigate", {{"url", web().url("/plain")}});
  REQUIRE(eventually([&] {
    for (const auto& profile : profiles()) {
      if (profile.find("bridle-profile-") != std::string::npos) return true;
    }
    return false;
  }));
  running->abort_and_get();
  const Stopwatch began;
  house.tools().shutdown();
  CHECK(began.waited() < 5s);
}

TEST_CASE("kill -9 of the browser: running calls end and name it, the next ones have a new one",
          "[lifecycle] [cancel.states.crash] [nav.outcome.crashed]") {
  House house;
  Session session(house);
  session.navigate(web().url("/plain"));
  const auto old = session.browser();
  const auto pid = old->pid();
  const auto before = profiles();
  auto running = session.start("browser_wait_for", {{"text", "nowhere"}, {"timeout", 60000}});
  auto navigating = session.start("browser_navigate", {{"url", web().url("/never?killed")}, {"timeout", 60000}});
  REQUIRE(web().wait_for_request("/never?killed", kPatience));
  const Stopwatch began;
  REQUIRE(::kill(pid, SIGKILL) == 0);
  for (auto* call : {running.get(), navigating.get()}) {
    const auto answer = call->get();
    CAPTURE(answer.text);
    CHECK(began.waited() < 2500ms);
    CHECK(answer.is_error);
    CHECK_FALSE(answer.aborted);
    CHECK_THAT(answer.section("Error"), Contains("browser"));
  }
  auto next = session.call("browser_navigate", {{"url", web().url("/plain?revived")}});
  if (next.is_error) next = session.ok("browser_navigate", {{"url", web().url("/plain?revived")}});
  CHECK(next.structured["url"] == web().url("/plain?revived"));
  CHECK_THAT(next.section("Events"), Contains("a new one was started"));
  REQUIRE(session.browser());
  CHECK(session.browser()->pid() != pid);
  CHECK(session.scope().tabs().size() == 1);
  CHECK(eventually([&] { return !group_alive(pid); }));
  // The old profile is gone, the new one is there.
  const auto after = profiles();
  CHECK(after.size() == before.size());
  CHECK(after != before);
  CHECK_THAT(session.ok("browser_snapshot").section("Events"), !Contains("a new one was started"));
}

TEST_CASE("a browser that ended by itself leaves no zombie and no profile, before any call", "[lifecycle]") {
  const auto before = profiles().size();
  House house;
  Session session(house);
  session.navigate(web().url("/plain"));
  const auto browser = session.browser();
  CHECK(profiles().size() == before + 1);
  REQUIRE(::kill(browser->pid(), SIGKILL) == 0);
  CHECK(eventually([&] { return profiles().size() == before; }));
  CHECK(eventually([&] { return !group_alive(browser->pid()); }));
  CHECK_FALSE(browser->alive());
  CHECK_FALSE(browser->end_reason().empty());
}

TEST_CASE("a tab of the old browser that is named afterwards is said to be gone", "[lifecycle] [tool.tab.ids]") {
  House house;
  Session session(house);
  const auto tab = session.navigate(web().url("/plain")).structured["tab"];
  REQUIRE(::kill(session.browser()->pid(), SIGKILL) == 0);
  REQUIRE(eventually([&] { return session.browser() == nullptr; }));
  const auto answer = session.error("browser_snapshot", {{"tab", tab}});
  CHECK_THAT(answer.section("Error"), Contains(tab.get<std::string>()));
}

TEST_CASE("shutdown: running calls end, no process and no profile remains, nothing starts again",
          "[lifecycle] [cancel.shutdown]") {
  const auto before = profiles().size();
  House house;
  Session session(house);
  session.navigate(web().url("/beforeunload"));
  session.ok("browser_click", {{"target", "#touch"}});
  const auto pid = session.browser()->pid();
  CHECK(group_alive(pid));
  auto running = session.start("browser_wait_for", {{"text", "nowhere"}, {"timeout", 60000}});
  const auto waiters = Tab::waiters();
  REQUIRE(eventually([&] { return Tab::waiters() > waiters || Tab::waiters() > 0; }));
  const Stopwatch began;
  house.tools().shutdown();
  CHECK(began.waited() < 4s);
  CHECK(eventually([&] { return !group_alive(pid); }));  // all were killed
  CHECK(profiles().size() == before);
  const auto answer = running->get();
  CHECK(answer.is_error);
  CHECK_FALSE(answer.text.empty());
  CHECK_THAT(session.error("browser_navigate", {{"url", web().url("/plain")}}).section("Error"),
             Contains("shutting down"));
  house.tools().shutdown();  // idempotent
}

TEST_CASE("a profile folder is private, locked while it lives and removed with it", "[lifecycle]") {
  std::string path;
  {
    const ProfileDir dir;
    path = dir.path();
    struct stat info {};
    REQUIRE(::stat(path.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0700);
    CHECK(path.starts_with(private_tmp()));
    std::ofstream(path + "/Preferences") << "{}";
  }
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("the sweep lets the browser of a killed bridle end before it removes its profile",
          "[lifecycle] [cancel.shutdown.nothing-left]") {
  const auto profile = private_tmp() + "/bridle-profile-4242-ending";
  fs::create_directories(profile);
  std::ofstream(profile + "/bridle.lock") << "";
  const pid_t browser = ::fork();
  REQUIRE(browser >= 0);
  if (browser == 0) {
    ::pause();
    ::_exit(0);
  }
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  fs::create_symlink(std::string(host.data()) + "-" + std::to_string(browser), profile + "/SingletonLock");
  auto sweep = std::async(std::launch::async, [] { return ProfileDir::sweep(); });
  CHECK(sweep.wait_for(50ms) == std::future_status::timeout);
  CHECK(fs::exists(profile));
  ::kill(browser, SIGKILL);
  ::waitpid(browser, nullptr, 0);
  CHECK(sweep.get() == 1);
  CHECK_FALSE(fs::exists(profile));
}

TEST_CASE("the sweep removes what a killed bridle left, and nothing of the living",
          "[lifecycle] [cancel.shutdown.nothing-left]") {
  const auto leave = [](const std::string& name, bool with_lock) {
    const auto path = private_tmp() + "/" + name;
    fs::create_directories(path + "/Default/Cache");
    std::ofstream(path + "/Default/Cache/data") << "x";
    if (with_lock) std::ofstream(path + "/bridle.lock") << "";
    return path;
  };
  const auto dead = leave("bridle-profile-4242-dead01", true);
  const auto foreign = leave("chromium-profile-other", true);
  const auto making = leave("bridle-profile-4242-making", false);  // its lock is about to be made
  const ProfileDir living;
  std::vector<std::string> shared;
  if (House::shared().toolbox().counters()["browsers"] == 1) shared = profiles();
  CHECK(ProfileDir::sweep() == 1);
  CHECK_FALSE(fs::exists(dead));
  CHECK(fs::exists(foreign));
  CHECK(fs::exists(making));
  CHECK(fs::exists(living.path()));
  CHECK(ProfileDir::sweep() == 0);
  fs::remove_all(foreign);
  fs::remove_all(making);
}

TEST_CASE("two browsers of two servers live side by side", "[lifecycle]") {
  House house;
  Session own(house);
  Session other;
  own.navigate(web().url("/plain?own"));
  other.navigate(web().url("/plain?other"));
  CHECK(own.browser() != other.browser());
  house.tools().shutdown();
  CHECK(other.href() == web().url("/plain?other"));
}

TEST_CASE("50 navigations leak no fds, threads, commands, waiters or callbacks", "[lifecycle] [cancel.nothing-left]") {
  House house;
  Session session(house);
  web().set_page("/round", "<title>N</title><button onclick=\"textContent='did'\">B</button>");
  const auto work = [&](int round) {
    session.ok("browser_navigate", {{"url", web().url("/round?n=" + std::to_string(round))}});
    if (round % 5 == 0) session.ok("browser_click", {{"target", "button"}});
  };
  for (int round = 0; round < 5; ++round) work(round);
  const auto fds = own_fds();
  const auto threads = own_threads();
  const auto callbacks = AbortCallback::live();
  const auto waiters = Tab::waiters();
  const auto tabs = session.browser()->tab_count();
  for (int round = 0; round < 50; ++round) work(round);
  // What earlier tests have left behind may end meanwhile: fewer is fine.
  if (!eventually([&] { return own_fds().size() <= fds.size(); })) CHECK(own_fds() == fds);
  CHECK(eventually([&] { return own_threads() <= threads; }));
  CHECK(eventually([&] { return session.browser()->pending_commands() == 0; }));
  CHECK(AbortCallback::live() == callbacks);
  CHECK(Tab::waiters() == waiters);
  CHECK(session.browser()->tab_count() == tabs);
}

TEST_CASE("scopes that come and go leave nothing in the browser", "[lifecycle]") {
  Session stays;
  stays.navigate(web().url("/plain"));
  const auto tabs = stays.browser()->tab_count();
  const auto contexts = [&] {
    return stays.browser()->connection().call({}, "", "Target.getBrowserContexts", {})["browserContextIds"].size();
  };
  const auto before = contexts();
  for (int round = 0; round < 4; ++round) {
    Session goes;
    goes.navigate(web().url("/plain?goes"));
  }
  CHECK(eventually([&] { return stays.browser()->tab_count() == tabs && contexts() == before; }));
}
