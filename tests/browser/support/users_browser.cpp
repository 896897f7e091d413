#include "tests/browser/support/users_browser.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "browser/cdp/websocket_transport.h"

extern char** environ;

namespace bridle::testing {

namespace fs = std::filesystem;

UsersBrowser::UsersBrowser(const std::string& name) : profile_(private_tmp() + "/" + name) {
  fs::create_directories(profile_);
  std::vector<std::string> args{
      ChromiumProcess::find_executable({}), "--headless=new", "--remote-debugging-port=0",
      "--user-data-dir=" + profile_,        "--no-first-run", "--disable-background-networking",
      "--disable-component-update",         "--disable-sync", "--no-sandbox",
      web().url("/plain?title=Mine")};
  std::vector<char*> argv;
  for (auto& arg : args) argv.push_back(arg.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int fd : {0, 1, 2}) ::posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  REQUIRE(::posix_spawn(&pid_, argv[0], &actions, &attributes, argv.data(), environ) == 0);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  REQUIRE(eventually([this] {
    std::ifstream file(profile_ + "/DevToolsActivePort");
    return static_cast<bool>(std::getline(file, port_) && std::getline(file, path_));
  }));
  REQUIRE(eventually([this] { return pages().size() == 1 && title_of(pages()[0]) == "Mine"; }));
}

void UsersBrowser::end() {
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

bool UsersBrowser::runs() const { return pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) == 0; }

std::unique_ptr<CdpConnection> UsersBrowser::client() const {
  auto connection = std::make_unique<CdpConnection>(WebSocketTransport::connect({}, websocket()));
  connection->start([](const std::string&) {});
  return connection;
}

std::vector<Json> UsersBrowser::pages() const {
  std::vector<Json> found;
  const Json targets = client()->call({}, "", "Target.getTargets", Json::object());
  for (const Json& info : targets["targetInfos"]) {
    if (info.value("type", "") == "page") found.push_back(info);
  }
  return found;
}

BrowserSettings attached_at(const std::string& endpoint) {
  BrowserSettings settings;
  settings.launch.cdp_endpoint = endpoint;
  return settings;
}

}  // namespace bridle::testing
