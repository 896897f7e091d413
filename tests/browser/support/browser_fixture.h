// What the tests with a real Chromium stand on: one site, one browser for all tests of the program, a session of its
// own for each. Catch's macros are for the test's own thread: what runs elsewhere only keeps its result.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "browser/page/world/world.h"
#include "tests/site/site_server.h"
#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tests/support/stopwatch.h"
#include "tools/browser_tools.h"
#include "tools/contract/schema_check.h"
#include "tools/scope/browser_scope.h"

namespace bridle::testing {

using namespace std::chrono_literals;
using matchers::Contains;

inline constexpr auto kPatience = 20s;  // a bound for what takes milliseconds: a loaded machine may take longer

// A temporary directory of this program's own, so that profiles can be counted. Set as TMPDIR at first use.
const std::string& private_tmp();
// An executable script in it, which stands in for Chromium. Returns its path.
std::string fake_browser(const std::string& name, const std::string& script);
// A folder in it that a browser of another user may write to, as where the tests are root.
std::string open_folder(const std::string& name);
// Profile folders in it.
std::vector<std::string> profiles();
site::SiteServer& web();

// A BrowserTools with its toolbox: what a server has.
class House {
 public:
  explicit House(BrowserSettings settings = {});
  // The one whose browser all tests share; started by the first call.
  static House& shared();

  const ToolSpec& tool(const std::string& name) const;
  Toolbox& toolbox() { return toolbox_; }
  BrowserTools& tools() { return tools_; }

 private:
  Background background_{};
  BrowserTools tools_;
  Toolbox toolbox_;
  Catalogue catalogue_;
};

// One whose actions give up after a second.
House& hasty_house();
// The arguments of a call that only has a target.
inline Json at(const std::string& target) { return {{"target", target}}; }

// What a call came to.
struct Answer {
  bool aborted = false;
  bool is_error = false;
  std::string text{};        // of the first content block
  std::string unexpected{};  // words of an exception that no tool may throw
  Json structured{};
  std::vector<Content> content{};
  Millis took{};    // wall time
  Millis waited{};  // the part of it that the machine wasn't busy, see Stopwatch: what bounds are asked of

  bool says(const std::string& words) const { return text.find(words) != std::string::npos; }
  // The lines of one section, without its heading; "" when it isn't there.
  std::string section(const std::string& title) const;
  // "" or what is wrong with it: forged or double headings, structured content that doesn't fit the schema.
  std::string flaw(const ToolSpec& spec) const;
};

class Session;

// A call that runs in a thread of its own. Aborted and joined at the latest by the destructor.
class Running {
 public:
  Running(Session& session, const std::string& tool, const Json& args);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void abort() { controller_.abort(AbortReason::client_cancelled); }
  bool ended() { return answer_.wait_for(0s) == std::future_status::ready; }
  // Its answer; fails the test after kPatience.
  Answer get();
  // Aborts it; the answer must come without a second of waiting.
  Answer abort_and_get();

 private:
  AbortController controller_;
  std::future<Answer> answer_;
  std::string tool_;
};

// One client's view: a scope of its own.
class Session {
 public:
  explicit Session(House& house = House::shared());

  // Calls the tool's handler as the server does: arguments checked, context made. Fails the test on a flawed answer.
  Answer call(const std::string& tool, const Json& args = Json::object());
  // The same, and it must succeed, or fail as an error.
  Answer ok(const std::string& tool, const Json& args = Json::object());
  Answer error(const std::string& tool, const Json& args = Json::object());
  std::unique_ptr<Running> start(const std::string& tool, const Json& args = Json::object());

  // Shorthands.
  Answer navigate(const std::string& url) { return ok("browser_navigate", {{"url", url}}); }
  Json evaluate(const std::string& function) {
    return ok("browser_evaluate", {{"function", function}}).structured["value"];
  }
  std::string text_of(const std::string& selector);  // the element's textContent
  std::string href() { return evaluate("location.href").get<std::string>(); }
  std::string snapshot() { return ok("browser_snapshot").text; }

  BrowserScope& scope() { return *scope_; }
  std::shared_ptr<Tab> tab(const std::string& id = "") { return scope_->tab({}, id); }
  std::shared_ptr<Browser> browser() { return scope_->host().current(); }
  House& house() { return house_; }

  // Any thread; no assertions.
  Answer perform(const std::string& tool, const Json& args, const CallContext& ctx);

 private:
  House& house_;
  std::shared_ptr<BrowserScope> scope_;
};

// The answer of `attempt`, which is made anew, five times at most, where it isn't `good` and the machine was busy with
// other things for half of its time: a page's timers come late then. On a quiet machine the first one counts.
Answer in_time(const std::function<Answer()>& attempt, const std::function<bool(const Answer&)>& good);

// Waits until the browser owes no answer. What a call before has left would count as the next one's, or hide it.
void wait_answered(Session& session);
// Runs a script in the current tab that asks for `path` and then keeps the page busy. Until that ends, the browser owes
// its answer and no other.
void keep_busy(Session& session, const std::string& path, const std::string& loop = "for (;;) {}");

// What the page script keeps in the current tab.
page::Stats::Result page_stats(Session& session);
// A navigation that must have succeeded: outcome, redirects, URL as the page itself has it, and the verdict line.
void check_landed(Session& session, const Answer& answer, const std::string& url,
                  const std::vector<std::string>& redirects = {}, const std::string& outcome = "committed");

// Waits until the session's tab has committed the URL, and nothing is pending.
void wait_committed(Session& session, const std::string& url);

}  // namespace bridle::testing
