// `bridle doctor`: what it finds good, and what not.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "server/doctor.h"
#include "tests/support/catch.h"

using namespace bridle;
using matchers::Contains;
using Grade = Finding::Grade;
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kGiB = 1024ULL * 1024 * 1024;

// An installation without a fault, in a folder of its own.
struct Installation {
  fs::path folder = [] {
    std::string pattern = (fs::temp_directory_path() / "bridle-doctor-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    return fs::path(pattern);
  }();
  Options options{};
  Machine machine{};

  Installation() {
    machine.user = ::geteuid() == 0 ? 1000 : ::geteuid();  // files of root are nobody else's
    machine.user_namespaces = true;
    machine.chromium = "/usr/bin/chromium";
    machine.chromium_version = "Chromium 156.0.1";
    machine.program = put("bridle", 0755);
    machine.temp = folder.string();
    machine.output = dir("output", 0700);
    machine.output_free = 100 * kGiB;
    options.allowed_origins = {"https://a.example"};
  }
  ~Installation() {
    std::error_code ec;
    fs::remove_all(folder, ec);
  }
  Installation(const Installation&) = delete;
  Installation& operator=(const Installation&) = delete;

  std::string put(const std::string& name, mode_t mode,
                  const std::string& content = "0123456789abcdef0123456789abcdef") {
    const auto path = folder / name;
    std::ofstream(path) << content << "\n";
    ::chmod(path.c_str(), mode);
    return path.string();
  }
  std::string dir(const std::string& name, mode_t mode) {
    const auto path = folder / name;
    fs::create_directories(path);
    ::chmod(path.c_str(), mode);
    return path.string();
  }
  // The worst finding on a subject.
  Finding on(const std::string& subject) const {
    Finding worst{Grade::good, "nothing on " + subject, "", ""};
    for (const auto& finding : examine(options, machine)) {
      if (finding.subject == subject && (worst.subject != subject || finding.grade > worst.grade)) worst = finding;
    }
    return worst;
  }
  int verdict() const { return doctors_verdict(examine(options, machine)); }
};

}  // namespace

TEST_CASE("doctor: an installation without a fault is said to be one", "[doctor] [tool.doctor]") {
  Installation house;
  const auto findings = examine(house.options, house.machine);
  CHECK(findings.size() >= 8);
  for (const auto& finding : findings) {
    INFO(finding.subject << ": " << finding.words);
    CHECK(finding.grade == Grade::good);
    CHECK_FALSE(finding.words.empty());
  }
  CHECK(house.verdict() == 0);
  const auto report = doctors_report(findings);
  CHECK_THAT(report, Contains("Chromium 156.0.1") && Contains("0 serious, 0 warnings") && Contains("user namespaces"));
}

TEST_CASE("doctor: no sandbox is serious, whyever there is none, and each has its remedy", "[doctor] [tool.doctor]") {
  Installation house;
  SECTION("root") { house.machine.user = 0; }
  SECTION("by option") { house.options.no_sandbox = true; }
  SECTION("no namespaces") { house.machine.user_namespaces = false; }
  CHECK(house.on("sandbox").grade == Grade::serious);
  CHECK_FALSE(house.on("sandbox").remedy.empty());
  CHECK(house.verdict() == 1);
  CHECK_THAT(doctors_report(examine(house.options, house.machine)),
             Contains("SERIOUS  sandbox") && Contains("1 serious"));
}

TEST_CASE("doctor: as root, who Chromium runs as, or why as root and what to do", "[doctor] [security.root.told]") {
  Installation house;
  house.machine.user = 0;
  house.machine.no_sandbox_because = "the kernel forbids it";
  house.machine.no_sandbox_remedy = "Allow it.";
  CHECK(house.on("sandbox").grade == Grade::serious);
  CHECK_THAT(house.on("sandbox").words, Contains("the kernel forbids it"));
  CHECK(house.on("sandbox").remedy == "Allow it.");
  house.machine.browser_user = 61500;
  CHECK(house.on("sandbox").grade == Grade::good);
  CHECK_THAT(house.on("sandbox").words, Contains("61500") && Contains("with its sandbox"));
}

TEST_CASE("doctor: Chromium's setuid helper is a sandbox too", "[doctor]") {
  Installation house;
  house.machine.user_namespaces = false;
  house.machine.sandbox_helper = true;
  CHECK(house.on("sandbox").grade == Grade::good);
}

TEST_CASE("doctor: a Chromium that isn't there", "[doctor]") {
  Installation house;
  house.machine.chromium.clear();
  house.machine.chromium_problem = "No Chromium was found in PATH.";
  CHECK(house.on("chromium").grade == Grade::serious);
  CHECK(house.on("chromium").words == "No Chromium was found in PATH.");
  house.options.cdp_endpoint = "http://127.0.0.1:9222";
  CHECK(house.on("chromium").grade == Grade::note);
}

TEST_CASE("doctor: a token that others can read, change or guess, or that isn't there", "[doctor] [tool.doctor]") {
  Installation house;
  const auto grade = [&](const std::string& path) {
    house.options.token_file = path;
    return house.on("token").grade;
  };
  CHECK(grade(house.put("good", 0600)) == Grade::good);
  CHECK(grade(house.put("readable", 0640)) == Grade::serious);
  CHECK(grade(house.put("writable", 0620)) == Grade::serious);
  CHECK(grade(house.put("short", 0600, "0123456789abcde")) == Grade::serious);
  CHECK(grade(house.put("just", 0600, "0123456789abcdef")) == Grade::good);
  CHECK(grade(house.put("empty", 0600, "")) == Grade::serious);
  CHECK(grade((house.folder / "missing").string()) == Grade::serious);
  CHECK(grade(house.folder.string()) == Grade::serious);
  CHECK(grade("") == Grade::good);
  house.options.token_file = house.put("secret", 0640, "a-very-secret-token-of-mine");
  CHECK_THAT(doctors_report(examine(house.options, house.machine)), !Contains("a-very-secret-token-of-mine"));
}

TEST_CASE("doctor: folders and the program, that others may change or read", "[doctor] [tool.doctor]") {
  Installation house;
  house.machine.output = house.dir("open", 0777);
  CHECK(house.on("output").grade == Grade::serious);
  CHECK_THAT(house.on("output").remedy, Contains("chmod go-w"));
  house.machine.output = house.dir("listed", 0755);
  CHECK(house.on("output").grade == Grade::warning);
  house.machine.output = (house.folder / "later").string();
  CHECK(house.on("output").grade == Grade::good);
  house.options.user_data_dir = house.dir("profile", 0755);
  CHECK(house.on("profile").grade == Grade::warning);
  house.machine.program = house.put("bridle", 0775);
  CHECK(house.on("program").grade == Grade::serious);
}

TEST_CASE("doctor: profiles in a temporary folder that is not sticky", "[doctor]") {
  Installation house;
  house.machine.temp = house.dir("tmp", 0777);
  CHECK(house.on("profile").grade == Grade::serious);
  house.machine.temp = house.dir("tmp", 01777);
  CHECK(house.on("profile").grade == Grade::good);
}

TEST_CASE("doctor: where the browser may go, and through what", "[doctor] [tool.doctor]") {
  Installation house;
  house.options.allowed_origins.clear();
  CHECK(house.on("origins").grade == Grade::note);
  CHECK(house.verdict() == 0);
  CHECK_THAT(house.on("proxy").words, Contains("none of bridle's own"));
  house.machine.proxies = {"https_proxy"};
  CHECK_THAT(house.on("proxy").words, Contains("https_proxy"));
  house.options.block_private_networks = true;
  CHECK(house.on("origins").grade == Grade::good);
  CHECK_THAT(house.on("proxy").words, Contains("goes through bridle's own"));
  house.options.blocked_origins = {"https://b.example"};
  CHECK_THAT(house.on("origins").words, Contains("https://b.example"));
  house.options.cdp_endpoint = "http://127.0.0.1:9222";
  CHECK(house.on("origins").grade == Grade::warning);
  house.options.ignore_https_errors = true;
  CHECK(house.on("https").grade == Grade::warning);
}

TEST_CASE("doctor: an address that others reach, files that all may upload or read", "[doctor]") {
  Installation house;
  house.options.host = "0.0.0.0";
  CHECK(house.on("address").grade == Grade::warning);
  house.options.stdio = true;
  CHECK(house.on("address").grade == Grade::good);
  house.machine.home = house.folder.string();
  house.options.allowed_upload_dirs = {house.folder.string()};
  CHECK(house.on("uploads").grade == Grade::warning);
  house.options.allowed_upload_dirs = {house.dir("shared", 0700)};
  CHECK(house.on("uploads").grade == Grade::note);
  house.options.allow_file_access = true;
  CHECK(house.on("file: URLs").grade == Grade::warning);
}

TEST_CASE("doctor: an output folder that is full, or whose disk is", "[doctor] [tool.files.limits]") {
  Installation house;
  house.machine.output_bytes = 4 * kGiB;
  CHECK(house.on("output size").grade == Grade::good);
  CHECK_THAT(house.on("output size").words, Contains("4.0 GiB of 5.0 GiB"));
  house.machine.output_bytes = 5 * kGiB;
  CHECK(house.on("output size").grade == Grade::warning);
  house.machine.output_bytes = 0;
  house.machine.output_free = kGiB;
  CHECK_THAT(house.on("output size").words, Contains("disk is full"));
}
