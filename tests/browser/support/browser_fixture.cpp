#include "tests/browser/support/browser_fixture.h"

#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace bridle::testing {
namespace {

namespace fs = std::filesystem;

// Made before the browser and removed after it.
struct PrivateTmp {
  std::string path;
  PrivateTmp() {
    std::string pattern = "/tmp/bridle-test-XXXXXX";  // short: Chromium's socket has its path in it
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path = pattern;
    ::chmod(path.c_str(), 0711);  // as root the browser is another user, whose profile lies in it
    ::setenv("TMPDIR", path.c_str(), 1);
    ::setenv("XDG_CACHE_HOME", path.c_str(), 1);  // where the output folder goes
    std::signal(SIGPIPE, SIG_IGN);                // as the server does
    spdlog::set_level(spdlog::level::off);
  }
  ~PrivateTmp() {
    std::error_code ec;
    fs::remove_all(path, ec);
  }
};

}  // namespace

const std::string& private_tmp() {
  static const PrivateTmp tmp;
  return tmp.path;
}

std::string fake_browser(const std::string& name, const std::string& script) {
  const auto path = private_tmp() + "/" + name;
  std::ofstream(path) << "#!/bin/sh\n" << script;
  ::chmod(path.c_str(), 0755);
  return path;
}

std::string open_folder(const std::string& name) {
  const auto path = private_tmp() + "/" + name;
  fs::create_directory(path);
  fs::permissions(path, fs::perms::all);
  return path;
}

std::vector<std::string> profiles() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(private_tmp())) {
    if (entry.path().filename().string().starts_with("bridle-profile-")) found.push_back(entry.path().string());
  }
  return found;
}

site::SiteServer& web() {
  private_tmp();
  static site::SiteServer server;
  return server;
}

House::House(BrowserSettings settings) : tools_((private_tmp(), std::move(settings)), background_) {
  tools_.add_to(toolbox_, catalogue_);
}

House& House::shared() {
  web();  // outlives the browser
  static House house;
  return house;
}

House& hasty_house() {
  BrowserSettings settings;
  settings.action_timeout = 1s;
  static House house(settings);
  return house;
}

Answer in_time(const std::function<Answer()>& attempt, const std::function<bool(const Answer&)>& good) {
  for (int left = 4;; --left) {
    auto answer = attempt();
    if (good(answer) || left == 0 || answer.waited * 2 > answer.took) return answer;
  }
}

void wait_answered(Session& session) {
  REQUIRE(eventually([&] { return session.browser()->pending_commands() == 0; }));
}

void keep_busy(Session& session, const std::string& path, const std::string& loop) {
  wait_answered(session);
  session.tab()->session().post("Runtime.evaluate", {{"expression", "fetch('" + path + "');" + loop}});
  REQUIRE(web().wait_for_request(path, kPatience));
  REQUIRE(eventually([&] { return session.browser()->pending_commands() == 1; }));
}

page::Stats::Result page_stats(Session& session) { return page_call({}, *session.tab(), "", page::Stats{}); }

const ToolSpec& House::tool(const std::string& name) const {
  const auto* spec = toolbox_.find(name);
  if (spec == nullptr) throw std::logic_error("no tool named " + name);
  return *spec;
}

std::string Answer::section(const std::string& title) const {
  std::istringstream in(text);
  std::string found;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("### "))
      inside = line == "### " + title;
    else if (inside)
      found += line + "\n";
  }
  return found;
}

std::string Answer::flaw(const ToolSpec& spec) const {
  if (!unexpected.empty()) return "it threw: " + unexpected;
  if (aborted) return {};
  static const std::set<std::string> kHeadings{"### Error",       "### Result",   "### Open tabs", "### Page",
                                               "### Modal state", "### Snapshot", "### Events"};
  std::set<std::string> seen;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("### ")) continue;
    if (!kHeadings.contains(line)) return "a heading of its own: " + line;
    if (!seen.insert(line).second) return "a heading twice: " + line;
  }
  if (is_error != seen.contains("### Error")) return "isError and the Error section differ";
  if (!spec.output_schema.is_null() && !is_error) {
    ToolSpec output;
    output.name = spec.name;
    output.input_schema = spec.output_schema;
    if (const auto checked = check_arguments(output, structured); !checked.problem.empty())
      return "structuredContent: " + checked.problem;
  }
  return {};
}

Session::Session(House& house) : house_(house) {
  scope_ = std::dynamic_pointer_cast<BrowserScope>(house.toolbox().open_scope("test"));
}

Answer Session::perform(const std::string& tool, const Json& args, const CallContext& ctx) {
  const Stopwatch watch;
  Answer answer;
  ToolContext context;
  context.call = ctx;
  context.scope = scope_;
  try {
    const auto checked = check_arguments(house_.tool(tool), args);
    if (!checked.problem.empty()) throw std::logic_error(checked.problem);
    auto result = house_.tool(tool).handler(context, checked.values);
    answer.is_error = result.is_error;
    if (!result.content.empty()) answer.text = result.content[0].text;
    answer.content = std::move(result.content);
    answer.structured = std::move(result.structured);
  } catch (const Aborted&) {
    answer.aborted = true;
  } catch (const std::exception& error) {
    answer.unexpected = error.what();
  }
  answer.took = watch.passed();
  answer.waited = watch.waited();
  return answer;
}

Answer Session::call(const std::string& tool, const Json& args) {
  INFO(tool << " " << args.dump());
  REQUIRE(check_arguments(house_.tool(tool), args).problem.empty());
  auto answer = perform(tool, args, {});
  INFO(answer.text);
  CHECK(answer.flaw(house_.tool(tool)).empty());
  if (!answer.flaw(house_.tool(tool)).empty()) FAIL(answer.flaw(house_.tool(tool)));
  REQUIRE_FALSE(answer.aborted);
  return answer;
}

Answer Session::ok(const std::string& tool, const Json& args) {
  auto answer = call(tool, args);
  INFO(tool << " " << args.dump());
  INFO(answer.text);
  REQUIRE_FALSE(answer.is_error);
  return answer;
}

Answer Session::error(const std::string& tool, const Json& args) {
  auto answer = call(tool, args);
  INFO(tool << " " << args.dump());
  INFO(answer.text);
  REQUIRE(answer.is_error);
  return answer;
}

std::unique_ptr<Running> Session::start(const std::string& tool, const Json& args) {
  return std::make_unique<Running>(*this, tool, args);
}

std::string Session::text_of(const std::string& selector) {
  return evaluate("document.querySelector(" + Json(selector).dump() + ").textContent").get<std::string>();
}

Running::Running(Session& session, const std::string& tool, const Json& args) : tool_(tool) {
  CallContext ctx;
  ctx.signal = controller_.signal();
  answer_ = std::async(std::launch::async, [&session, tool, args, ctx] { return session.perform(tool, args, ctx); });
}

Running::~Running() {
  abort();
  if (answer_.valid()) answer_.wait();
}

Answer Running::get() {
  INFO("waiting for " << tool_);
  REQUIRE(answer_.wait_for(kPatience) == std::future_status::ready);
  return answer_.get();
}

Answer Running::abort_and_get() {
  INFO("aborting " << tool_);
  const Stopwatch since_abort;
  CHECK_FALSE(ended());  // else the test shows nothing
  abort();
  auto answer = get();
  INFO(answer.text << answer.unexpected);
  CHECK(answer.aborted);
  CHECK(since_abort.waited() < 1s);
  return answer;
}

void check_landed(Session& session, const Answer& answer, const std::string& url,
                  const std::vector<std::string>& redirects, const std::string& outcome) {
  INFO(answer.text);
  CHECK(answer.structured["outcome"] == outcome);
  CHECK(answer.structured["url"] == url);
  CHECK(answer.structured["redirects"] == Json(redirects));
  const auto page = answer.section("Page");
  CHECK_THAT(page, Contains("- Page URL: " + url + "\n"));
  CHECK_THAT(page, Contains("- Page Title: " + answer.structured["title"].get<std::string>() + "\n"));
  CHECK_THAT(page, Contains("- Settled: "));
  if (!redirects.empty()) CHECK_THAT(page, Contains("redirected from " + redirects.front()));
  CHECK(session.href() == url);
}

void wait_committed(Session& session, const std::string& url) {
  const bool there = session.tab()->wait(CallContext{}.within(kPatience), [&] {
    const auto now = session.tab()->state();
    return now.url == url && !now.navigation_pending;
  });
  REQUIRE(there);
}

}  // namespace bridle::testing
