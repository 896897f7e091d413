#include "browser/chromium/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/limits.h"
#include "base/spawn.h"
#include "browser/chromium/browser_network.h"
#include "config/channels.h"

extern char** environ;

namespace bridle {
namespace {

namespace fs = std::filesystem;

constexpr auto kForAll = fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read |
                         fs::perms::others_exec;

Pipe make_browser_pipe() {
  try {
    return make_pipe();
  } catch (const std::system_error& error) {
    throw LaunchError(error.what());
  }
}

std::vector<std::string> arguments(const LaunchOptions& options, const std::string& executable,
                                   const std::string& profile, int forward_proxy, bool sandboxed) {
  // Of several such switches Chromium takes the last.
  constexpr std::string_view kDisabled = "--disable-features=";
  std::string disabled_by_user;
  for (const auto& arg : options.args) {
    if (arg.starts_with(kDisabled)) disabled_by_user += "," + arg.substr(kDisabled.size());
  }
  std::vector<std::string> args{
      executable, "--remote-debugging-pipe", "--user-data-dir=" + profile, "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--disable-quic", "--disable-breakpad",
      "--disable-crash-reporter", "--disable-hang-monitor", "--disable-prompt-on-repost",
      "--disable-client-side-phishing-detection",
      // A page restored from the back/forward cache keeps its old loader id and sends no load event
      // [why.no-back-forward-cache].
      "--disable-back-forward-cache",
      // Tabs in the background must act like the one in front, because any of them may be driven.
      "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
      "--disable-renderer-backgrounding",
      // DeferRendererTasksAfterInput holds a page's tasks back until the frame after an input, and an action's result
      // waits for what they do [why.no-deferred-tasks].
      std::string(kDisabled) +
          "Translate,MediaRouter,OptimizationHints,InterestFeedContentSuggestions,"
          "CalculateNativeWinOcclusion,AcceptCHFrame,AvoidUnnecessaryBeforeUnloadCheckSync,"
          "DestroyProfileOnBrowserClose,HttpsUpgrades,DeferRendererTasksAfterInput,NetworkTimeServiceQuerying,"
          // Chromium 156 draws the list under its address bar by two renderers for each window, though nobody types
          // there: three times the processor time of a new context.
          "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,"
          // Where it has a window, Chromium goes on showing the page before until the new one has something to show,
          // and drops what is clicked until it has drawn. Headless it does neither.
          "PaintHolding" +
          disabled_by_user,
      "--allow-pre-commit-input",
      // Nothing may be sent that nobody asked for: Chromium has no switch for these two, but takes other addresses, and
      // it connects to port 1 of no host.
      "--gaia-url=https://127.0.0.1:1", "--component-updater=url-source=https://127.0.0.1:1/"};
  if (options.web_mcp) args.push_back("--enable-features=WebMCP");
  if (!sandboxed) args.push_back("--no-sandbox");
  for (auto& flag : network_flags(options, forward_proxy)) args.push_back(std::move(flag));
  if (options.ignore_https_errors) args.push_back("--ignore-certificate-errors");
  // No promise rests on these: they can be left out, and no others.
  std::vector<std::string> habits{
      "--no-first-run", "--no-default-browser-check", "--disable-default-apps", "--disable-extensions",
      "--disable-search-engine-choice-screen", "--disable-popup-blocking", "--password-store=basic",
      // navigator.webdriver is false, as @playwright/mcp has it: pages show automated browsers other content.
      "--disable-blink-features=AutomationControlled", "--use-mock-keychain", "--force-color-profile=srgb",
      "--window-size=" + std::to_string(options.width) + "," + std::to_string(options.height), "--mute-audio"};
  if (options.headless) {
    // Without a screen Chromium sees no mouse either, and pages would show neither menus on hover nor forms for a
    // mouse. Nobody can choose a screen to share: the dialog for that would keep the tab from taking any input.
    habits.insert(habits.end(), {"--headless=new", "--hide-scrollbars", "--auto-reject-capture",
                                 "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,"
                                 "availablePointerTypes=4"});
  }
  const auto& ignored = options.ignored_args;
  std::copy_if(habits.begin(), habits.end(), std::back_inserter(args),
               [&](const auto& arg) { return std::find(ignored.begin(), ignored.end(), arg) == ignored.end(); });
  for (const auto& arg : options.args) {
    if (!arg.starts_with(kDisabled)) args.push_back(arg);
  }
  args.push_back("about:blank");
  return args;
}

// A copy of our environment in which `entries`, NAME=value each, take the place of ours of that name.
std::vector<std::string> environment_with(std::vector<std::string> entries, bool of_another_user) {
  const auto given = entries.size();
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto name = text.substr(0, text.find('=') + 1);
    const bool ours = of_another_user && (name == "XDG_RUNTIME_DIR=" || name == "DBUS_SESSION_BUS_ADDRESS=" ||
                                          name == "USER=" || name == "LOGNAME=" || name == "MAIL=");
    const bool replaced = std::any_of(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(given),
                                      [name](const std::string& known) { return known.starts_with(name); });
    if (!ours && !replaced) entries.emplace_back(text);
  }
  return entries;
}

// What Chromium as another user keeps in its home and in temporary files goes to `home`, and nothing points to places
// of ours.
std::vector<std::string> homes_in(const std::string& home) {
  // The longest path that Chromium makes below TMPDIR is its socket's, and such a path has 107 bytes at most.
  constexpr std::size_t kSocketPath = 107;
  constexpr std::string_view kSocket = "/org.chromium.Chromium.XXXXXX/SingletonSocket";
  std::vector<std::string> entries{"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/.config",
                                   "XDG_CACHE_HOME=" + home + "/.cache", "XDG_DATA_HOME=" + home + "/.local/share"};
  if (home.size() + kSocket.size() <= kSocketPath) entries.push_back("TMPDIR=" + home);
  return entries;
}

// The command that becomes the user, without any group of ours, and then is what `args` names
// [why.root-is-another-user].
std::vector<std::string> as_user(const OsUser& user, std::vector<std::string> args) {
  std::vector<std::string> all{kSetpriv, "--reuid=" + std::to_string(user.uid), "--regid=" + std::to_string(user.gid),
                               "--clear-groups", "--"};
  all.insert(all.end(), std::make_move_iterator(args.begin()), std::make_move_iterator(args.end()));
  return all;
}

// Chromium gives the threads that a user waits for a nice value of -8 or -10, if it may: as root it always may.
void allow_priorities(pid_t browser) {
  constexpr rlim_t kLowestNice = 20 + 10;  // as setrlimit(2) counts them: down to -10
  const rlimit limit{.rlim_cur = kLowestNice, .rlim_max = kLowestNice};
  if (::prlimit(browser, RLIMIT_NICE, &limit, nullptr) != 0)
    spdlog::debug("the browser's threads get no priority: {}", std::strerror(errno));
}

void log_user(const BrowserUser& user) {
  if (user.kind == BrowserUser::Kind::other) {
    spdlog::info("{}", describe(user));
  } else if (!user.sandboxed()) {
    spdlog::warn("{}{}{}", describe(user), user.remedy.empty() ? "" : " ", user.remedy);
  }
}

// What a channel is installed as; throws LaunchError with all that was looked for.
std::string find_channel_program(const Channel& channel) {
  std::string looked_for;
  for (const std::string program : channel.programs) {
    const auto found = program.starts_with('/') ? (is_program(program) ? program : "") : find_program(program);
    if (!found.empty()) return found;
    looked_for += (looked_for.empty() ? "" : ", ") + program;
  }
  throw LaunchError(std::string(channel.product) + " (--channel " + channel.name + ") is not installed: looked for " +
                    looked_for +
                    " in PATH. Install it, name it with --executable-path, or leave --channel out to use the Chromium "
                    "in PATH.");
}

// A link to mailto:, tel: or an application's own scheme would start another program, or bring a dialog over the tab
// which takes all input and which no command closes. Before that Chromium asks xdg-settings whether it is itself the
// program for such links, and where it is does nothing: so it is told, by one that comes first in PATH
// [why.no-other-programs].
std::unique_ptr<TempFolder> make_programs() {
  try {
    auto folder = std::make_unique<TempFolder>(kProgramsPrefix);
    const auto path = folder->path() + "/xdg-settings";
    std::ofstream script(path);
    script << "#!/bin/sh\n# Put here by bridle: links of its browser start no other programs.\necho yes\n";
    script.close();
    if (!script) throw std::system_error(errno, std::generic_category(), "cannot write " + path);
    for (const auto& each : {path, folder->path()}) fs::permissions(each, kForAll);
    return folder;
  } catch (const std::system_error& error) {
    throw LaunchError(std::string("No folder for what the browser starts: ") + error.what());
  }
}

std::string path_from(const std::string& folder) {
  const char* path = std::getenv("PATH");
  return "PATH=" + folder + (path == nullptr ? "" : std::string(":") + path);
}

// A home for another user whose profile is kept elsewhere.
std::unique_ptr<TempFolder> make_home(const OsUser& user) {
  try {
    auto home = std::make_unique<TempFolder>(kHomePrefix);
    if (const int error = give_to(home->path(), user); error != 0)
      throw std::system_error(error, std::generic_category(), "cannot give away " + home->path());
    return home;
  } catch (const std::system_error& error) {
    throw LaunchError(std::string("No home for the browser: ") + error.what());
  }
}

}  // namespace

std::string ChromiumProcess::find_executable(const LaunchOptions& options) {
  if (!options.executable.empty()) {
    if (is_program(options.executable)) return options.executable;
    throw LaunchError(
        "No browser at " + options.executable +
        ": it is not an executable file. Correct --executable-path, or leave it out to use the Chromium in PATH.");
  }
  if (const Channel* channel = find_channel(options.channel)) return find_channel_program(*channel);
  for (const char* name :
       {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chromium-headless-shell"}) {
    if (auto found = find_program(name); !found.empty()) return found;
  }
  throw LaunchError(
      "No Chromium was found in PATH. Install it (Debian, Ubuntu: `sudo apt-get install chromium`), or name one with "
      "--executable-path. Then call this tool again: the server need not be restarted for the first.");
}

std::unique_ptr<ChromiumProcess> ChromiumProcess::launch(const LaunchOptions& options, int forward_proxy,
                                                         std::optional<BrowserUser> user) {
  // Absolute, as the spawned process has another working directory as another user.
  const std::string executable = fs::absolute(find_executable(options)).string();
  std::unique_ptr<ChromiumProcess> process(new ChromiumProcess);
  std::string profile;
  const bool kept = !options.user_data_dir.empty();
  if (kept) profile = kept_profile(options.user_data_dir);
  process->user_ = user ? std::move(*user) : choose_browser_user(options.no_sandbox, executable, profile);
  const auto other = process->user_.other();
  log_user(process->user_);
  if (!kept) {
    process->profile_ = std::make_unique<ProfileDir>(other);
    profile = process->profile_->path();
  } else if (other) {
    process->home_ = make_home(*other);
  }
  process->programs_ = make_programs();
  const std::string home = process->home_ ? process->home_->path() : profile;

  Pipe commands = make_browser_pipe();
  Pipe replies = make_browser_pipe();
  Pipe words = make_browser_pipe();  // a wrapper script may say on stdout why it fails
  SpawnSetup setup;
  ::posix_spawn_file_actions_addopen(&setup.actions, 0, "/dev/null", O_RDONLY, 0);
  for (const int output : {1, 2}) setup.hand_over(words.write_end.get(), output);
  setup.hand_over(commands.read_end.get(), 3);
  setup.hand_over(replies.write_end.get(), 4);
  setup.set_apart(5);

  auto args = arguments(options, executable, profile, forward_proxy, process->user_.sandboxed());
  auto variables = other ? homes_in(home) : std::vector<std::string>{};
  variables.push_back(path_from(process->programs_->path()));
  variables = environment_with(std::move(variables), other.has_value());
  if (other) {
    args = as_user(*other, std::move(args));
    // It may not be able to reach ours.
    ::posix_spawn_file_actions_addchdir_np(&setup.actions, home.c_str());
  }
  const auto argv = exec_pointers(args);
  const auto envp = exec_pointers(variables);
  const int error = ::posix_spawn(&process->pid_, argv[0], &setup.actions, &setup.attributes, argv.data(), envp.data());
  if (error == 0 && other) allow_priorities(process->pid_);
  if (error != 0) throw LaunchError("cannot start " + executable + ": " + std::strerror(error));
  process->pidfd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, process->pid_, 0)));
  process->transport_ = std::make_unique<PipeTransport>(std::move(commands.write_end), std::move(replies.read_end),
                                                        std::move(words.read_end));
  spdlog::info("started {} (pid {})", executable, process->pid_);
  return process;
}

bool ChromiumProcess::reap(Millis wait) {
  if (reaped_ || pid_ < 0) return true;
  if (wait > Millis(0) && pidfd_.get() >= 0) {
    pollfd fd{pidfd_.get(), POLLIN, 0};
    ::poll(&fd, 1, static_cast<int>(wait.count()));
  }
  const pid_t got = ::waitpid(pid_, &status_, WNOHANG);
  reaped_ = got == pid_ || (got < 0 && errno == ECHILD);
  return reaped_;
}

std::string ChromiumProcess::exit_status(Millis wait) {
  if (!reap(wait)) {
    overdue_ = true;
    return "still running";
  }
  if (WIFEXITED(status_)) return "exit status " + std::to_string(WEXITSTATUS(status_));
  if (WIFSIGNALED(status_)) return "signal " + std::to_string(WTERMSIG(status_));
  return "unknown";
}

ChromiumProcess::~ChromiumProcess() {
  transport_.reset();
  if (pid_ < 0) return;
  if (!reap(overdue_ ? Millis(0) : limits::kBrowserExit)) {
    spdlog::warn("the browser (pid {}) did not exit in {} ms and is killed", pid_, limits::kBrowserExit.count());
    ::kill(-pid_, SIGKILL);
    reap(limits::kBrowserExit);
  }
  // Children that outlived the browser process itself, if any.
  ::kill(-pid_, SIGKILL);
}

}  // namespace bridle
