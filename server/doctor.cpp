#include "server/doctor.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace bridle {
namespace {

namespace fs = std::filesystem;
using Grade = Finding::Grade;
using Findings = std::vector<Finding>;

constexpr std::size_t kTokenLength = 16;  // characters; a shorter one is soon guessed
constexpr mode_t kOthersWrite = 0022;
constexpr mode_t kOthersRead = 0055;

std::string mode_words(mode_t mode) {
  std::string digits;
  for (int shift = 6; shift >= 0; shift -= 3) digits += static_cast<char>('0' + ((mode >> shift) & 7U));
  return "mode 0" + digits;
}

// Whether others may read or change what lies at `path`, which must be ours.
Finding judge_path(const std::string& subject, const std::string& path, const Machine& machine, bool secret) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0)
    return {Grade::note, subject, path + " isn't there yet; bridle makes it for its user alone.", ""};
  const mode_t mode = info.st_mode & 07777U;
  const bool sticky = (mode & 01000U) != 0;
  if (info.st_uid != machine.user && info.st_uid != 0) {
    return {Grade::serious, subject, path + " belongs to another user (" + std::to_string(info.st_uid) + ").",
            "Name another one, or chown it."};
  }
  if ((mode & kOthersWrite) != 0 && !sticky) {
    return {Grade::serious, subject, path + " can be changed by other users (" + mode_words(mode) + ").",
            "chmod go-w " + path};
  }
  if (secret && (mode & kOthersRead) != 0) {
    return {Grade::warning, subject, path + " can be read by other users (" + mode_words(mode) + ").",
            "chmod go-rwx " + path};
  }
  return {Grade::good, subject,
          path + " can't be " + (secret ? "read or " : "") + "changed by other users (" + mode_words(mode) + ").", ""};
}

void examine_chromium(const Options& options, const Machine& machine, Findings& found) {
  if (!options.cdp_endpoint.empty()) {
    found.push_back({Grade::note, "chromium", "a browser that runs already is used (--cdp-endpoint).", ""});
  } else if (machine.chromium.empty()) {
    found.push_back({Grade::serious, "chromium", machine.chromium_problem, "sudo apt-get install chromium"});
  } else if (machine.chromium_version.empty()) {
    found.push_back(
        {Grade::warning, "chromium", machine.chromium + " didn't tell its version.", machine.chromium + " --version"});
  } else {
    found.push_back({Grade::good, "chromium", machine.chromium + ": " + machine.chromium_version + ".", ""});
  }
}

void examine_sandbox(const Options& options, const Machine& machine, Findings& found) {
  if (!options.cdp_endpoint.empty()) {
    found.push_back({Grade::note, "sandbox", "that browser was started by somebody else, with a sandbox or without.",
                     "Look at chrome://sandbox in it."});
  } else if (options.no_sandbox) {
    found.push_back(
        {Grade::serious, "sandbox",
         "Chromium is started without its sandbox (--no-sandbox): a page that breaks out of Chromium can do "
         "what this user can.",
         "Leave --no-sandbox out."});
  } else if (machine.user == 0 && machine.browser_user != 0) {
    found.push_back({Grade::good, "sandbox",
                     "bridle runs as root; Chromium runs as another user (such as " +
                         std::to_string(machine.browser_user) + "), with its sandbox.",
                     ""});
  } else if (machine.user == 0) {
    const auto why = machine.no_sandbox_because.empty() ? std::string() : ", because " + machine.no_sandbox_because;
    found.push_back({Grade::serious, "sandbox",
                     "bridle runs as root, and so does Chromium, without its sandbox" + why +
                         ": a page that breaks out of Chromium has the whole machine.",
                     machine.no_sandbox_remedy.empty() ? "Start bridle as a normal user." : machine.no_sandbox_remedy});
  } else if (!machine.user_namespaces && !machine.sandbox_helper) {
    found.push_back({Grade::serious, "sandbox",
                     "this user may make no user namespaces, and Chromium's setuid helper is missing: Chromium won't "
                     "start with its sandbox.",
                     "sudo apt-get install chromium-sandbox, or sudo sysctl kernel.unprivileged_userns_clone=1 "
                     "kernel.apparmor_restrict_unprivileged_userns=0"});
  } else {
    found.push_back({Grade::good, "sandbox",
                     std::string("Chromium has its sandbox, by ") +
                         (machine.user_namespaces ? "user namespaces." : "its setuid helper."),
                     ""});
  }
}

void examine_token(const Options& options, const Machine& machine, bool loopback, Findings& found) {
  const auto& path = options.token_file;
  if (path.empty()) {
    found.push_back({Grade::good, "token", "none: only this user's processes are served, as the kernel names them.",
                     loopback ? "" : "For clients elsewhere: --token-file."});
    return;
  }
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
    found.push_back({Grade::serious, "token", path + " is no file that can be read.", "Correct --token-file."});
    return;
  }
  try {
    if (read_token_file(path).size() < kTokenLength) {
      found.push_back({Grade::serious, "token", "the token in " + path + " is short, so it can be guessed.",
                       "openssl rand -hex 32 > " + path});
      return;
    }
  } catch (const std::exception& error) {
    found.push_back({Grade::serious, "token", std::string(error.what()) + ".", "openssl rand -hex 32 > " + path});
    return;
  }
  auto finding = judge_path("token", path, machine, true);
  // Who reads it is served as this user is.
  if (finding.grade == Grade::warning) finding.grade = Grade::serious;
  found.push_back(std::move(finding));
}

void examine_listening(const Options& options, const Machine& machine, Findings& found) {
  if (options.stdio) {
    found.push_back({Grade::good, "address", "none: one client, on stdin and stdout.", ""});
    return;
  }
  const bool loopback = options.host == "localhost" || options.host == "::1" || options.host.starts_with("127.");
  if (loopback) {
    found.push_back({Grade::good, "address", options.host + " can't be reached from other machines.", ""});
  } else {
    found.push_back({Grade::warning, "address",
                     options.host + " may be reached from other machines, without TLS: who listens on the way reads " +
                         (options.token_file.empty() ? "all." : "all, and the token."),
                     "Leave --host out, or put a proxy with TLS in front."});
  }
  examine_token(options, machine, loopback, found);
}

std::string joined(const std::vector<std::string>& items) {
  std::string all;
  for (const auto& item : items) all += (all.empty() ? "" : ", ") + item;
  return all;
}

void examine_network(const Options& options, const Machine& machine, Findings& found) {
  const bool lists = !options.allowed_origins.empty() || !options.blocked_origins.empty();
  if (!lists && options.block_private_networks) {
    found.push_back({Grade::good, "origins", "everywhere but in private networks (--block-private-networks).", ""});
  } else if (!lists) {
    found.push_back({Grade::note, "origins",
                     "no list: the browser goes wherever it is told, your own network included.",
                     "--allowed-origins names where it may go."});
  } else if (!options.cdp_endpoint.empty()) {
    found.push_back({Grade::warning, "origins",
                     "in a browser that runs already the lists hold for what its pages fetch, and are no boundary.",
                     "Let bridle start the browser: leave --cdp-endpoint out."});
  } else if (options.allowed_origins.empty()) {
    found.push_back({Grade::note, "origins", "all but what is blocked: " + joined(options.blocked_origins) + ".",
                     "--allowed-origins is the safer kind of list."});
  } else {
    found.push_back({Grade::good, "origins", "only " + joined(options.allowed_origins) + ".", ""});
  }
  const bool guarded = lists || options.block_private_networks;
  if (options.cdp_endpoint.empty()) {
    found.push_back({Grade::good, "proxy",
                     guarded ? "all of the browser's traffic goes through bridle's own, which holds it to that."
                             : "none of bridle's own, as nothing is forbidden.",
                     ""});
  }
  if (!options.proxy_server.empty()) {
    found.push_back({Grade::note, "proxy", "what is allowed goes on to the one of --proxy-server.", ""});
  } else if (!guarded && !machine.proxies.empty()) {
    found.push_back({Grade::note, "proxy",
                     "the environment names one (" + joined(machine.proxies) + "): Chromium uses it.",
                     "Unset them if that isn't meant."});
  }
  if (options.ignore_https_errors) {
    found.push_back({Grade::warning, "https", "pages with an invalid certificate are opened (--ignore-https-errors).",
                     "Leave it out when you have no such page to test."});
  }
}

std::string in_gib(std::uintmax_t bytes) {
  const auto tenths = bytes * 10 / (1024ULL * 1024 * 1024);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

void examine_output(const Options& options, const Machine& machine, Findings& found) {
  auto folder = judge_path("output", machine.output, machine, true);
  if (folder.grade == Grade::note) folder.grade = Grade::good;
  found.push_back(std::move(folder));
  const auto used = in_gib(machine.output_bytes) + " of " + in_gib(options.output_max_size) +
                    " are used (--output-max-size), and " + in_gib(machine.output_free) + " are free on its disk";
  const auto room = options.output_max_size - std::min(machine.output_bytes, options.output_max_size);
  if (machine.output_free < room) {
    found.push_back({Grade::warning, "output size", used + ": the disk is full before the limit is reached.",
                     "Remove old folders of " + machine.output + ", or give a smaller --output-max-size."});
  } else if (room < options.max_download) {
    found.push_back({Grade::warning, "output size", used + ": the largest download no longer fits.",
                     "Remove old folders of " + machine.output + "; bridle removes none."});
  } else {
    found.push_back({Grade::good, "output size", used + ".", ""});
  }
}

void examine_files(const Options& options, const Machine& machine, Findings& found) {
  examine_output(options, machine, found);
  if (!options.user_data_dir.empty()) {
    found.push_back(judge_path("profile", options.user_data_dir, machine, true));
    found.push_back({Grade::note, "profile", "all sessions share it, with its logins.",
                     "Leave --user-data-dir out where sessions are of different people."});
  } else if (options.cdp_endpoint.empty()) {
    auto temp = judge_path("profile", machine.temp, machine, false);
    temp.words = "a new one for each start, in " + machine.temp +
                 (temp.grade == Grade::good ? ", removed at the end." : ": " + temp.words);
    found.push_back(std::move(temp));
  }
  for (const auto& folder : options.allowed_upload_dirs) {
    std::error_code error;
    const auto path = fs::weakly_canonical(folder, error).string();
    if (path == "/" || (!machine.home.empty() && path == machine.home)) {
      found.push_back({Grade::warning, "uploads", folder + " holds keys and passwords, and may all be uploaded.",
                       "Name a folder that holds only what is to be shared."});
    } else {
      found.push_back({Grade::note, "uploads", "every session may upload what lies in " + folder + ".", ""});
    }
  }
  if (options.allow_file_access) {
    found.push_back({Grade::warning, "file: URLs",
                     "the browser may open them: a session reads whatever this user can, other sessions' files too.",
                     "Leave --allow-file-access out."});
  }
  auto program = judge_path("program", machine.program, machine, false);
  found.push_back(std::move(program));
}

const char* grade_name(Grade grade) {
  switch (grade) {
    case Grade::good:
      return "good";
    case Grade::note:
      return "note";
    case Grade::warning:
      return "warning";
    case Grade::serious:
      return "SERIOUS";
  }
  return "";
}

std::size_t count_of(const Findings& findings, Grade grade) {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(), [grade](const auto& one) { return one.grade == grade; }));
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

}  // namespace

std::vector<Finding> examine(const Options& options, const Machine& machine) {
  Findings found;
  examine_chromium(options, machine, found);
  examine_sandbox(options, machine, found);
  examine_listening(options, machine, found);
  examine_network(options, machine, found);
  examine_files(options, machine, found);
  return found;
}

std::string doctors_report(const std::vector<Finding>& findings) {
  constexpr std::size_t kGradeWidth = 9;
  constexpr std::size_t kSubjectWidth = 13;
  std::string report =
      "What protects this installation of bridle " + std::string(BRIDLE_VERSION) + ", and what doesn't:\n\n";
  for (const auto& [grade, subject, words, remedy] : findings) {
    report += padded(grade_name(grade), kGradeWidth) + padded(subject, kSubjectWidth) + words + "\n";
    if (!remedy.empty()) report += std::string(kGradeWidth + kSubjectWidth, ' ') + "-> " + remedy + "\n";
  }
  const auto serious = count_of(findings, Grade::serious);
  const auto warnings = count_of(findings, Grade::warning);
  return report + "\n" + std::to_string(serious) + " serious, " + std::to_string(warnings) +
         (warnings == 1 ? " warning.\n" : " warnings.\n");
}

int doctors_verdict(const std::vector<Finding>& findings) { return count_of(findings, Grade::serious) == 0 ? 0 : 1; }

}  // namespace bridle
