#include "tools/devtools/coverage.h"

#include <spdlog/fmt/fmt.h>

#include <memory>
#include <string>
#include <utility>

#include "base/text/log.h"
#include "browser/page/navigation.h"
#include "browser/page/side_session.h"
#include "tools/contract/schema.h"
#include "tools/devtools/parse/coverage_sum.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr const char* kCoverage = "coverage";
constexpr std::size_t kCoverageRoom = 1'000'000;  // functions and rules
constexpr std::size_t kUnread = 64 * 1024 * 1024;
constexpr std::size_t kShownFiles = 25;
constexpr std::size_t kToldFiles = 200;

// The count of a tab's code that runs, from its start to its end. The browser forgets with a document what of it ran,
// so it is asked in between: whenever Chromium reports by itself, when a page is loaded or is about to leave, and
// before each call. What comes is kept unread by the reader thread, and read by the threads of calls.
class CoverageCount : public TabExtra, public std::enable_shared_from_this<CoverageCount> {
 public:
  CoverageCount() : sum_(kCoverageRoom) {}

  static std::shared_ptr<CoverageCount> start(const CallContext& ctx, Tab& tab) {
    auto count = std::make_shared<CoverageCount>();
    count->session_ = std::make_unique<SideSession>(ctx, tab);
    count->session_->on_event([weak = std::weak_ptr(count)](std::string_view method, std::string_view message) {
      if (const auto self = weak.lock()) self->on_event(method, message);
    });
    const auto& session = *count->session_;
    session.call(ctx, "Page.enable");
    session.call(ctx, "Page.setLifecycleEventsEnabled", {{"enabled", true}});
    session.call(ctx, "Profiler.enable");
    session.call(ctx, "Profiler.startPreciseCoverage",
                 {{"callCount", true}, {"detailed", true}, {"allowTriggeredUpdates", true}});
    session.call(ctx, "DOM.enable");
    session.call(ctx, "CSS.enable");
    session.call(ctx, "CSS.startRuleUsageTracking");
    return count;
  }

  void before_call() override {
    take();
    read();
  }

  // What is left, and the lines. Its domains are off once it is destroyed.
  std::vector<CoverageSum::Line> finish(const CallContext& ctx) {
    keep(Kind::scripts,
         session_->call_raw(ctx, "Profiler.takePreciseCoverage", Json::object(), limits::kCdpSlowCommand));
    keep(Kind::rules, session_->call_raw(ctx, "CSS.stopRuleUsageTracking", Json::object(), limits::kCdpSlowCommand));
    read();
    MutexLock lock(sum_mutex_);
    return sum_.lines();
  }
  int documents() const {
    MutexLock lock(sum_mutex_);
    return documents_;
  }
  // Whether something had to be left out.
  bool lossy() const {
    MutexLock lock(sum_mutex_);
    MutexLock unread_lock(mutex_);
    return lost_ || sum_.full();
  }

 private:
  enum class Kind { scripts, scripts_event, sheet, rules, rules_delta, document };
  struct Unread {
    Kind kind;
    std::string message;
  };

  void on_event(std::string_view method, std::string_view message) {  // reader thread
    if (method == "Profiler.preciseCoverageDeltaUpdate") return keep(Kind::scripts_event, std::string(message));
    if (method == "CSS.styleSheetAdded") return keep(Kind::sheet, std::string(message));
    if (method == "Page.frameNavigated") return keep(Kind::document, std::string(message));
    const bool loaded =
        method == "Page.lifecycleEvent" && (message.find("\"name\":\"load\"") != std::string_view::npos ||
                                            message.find("\"name\":\"networkIdle\"") != std::string_view::npos);
    // A page that leaves by itself may still answer [why.coverage-asked-in-between].
    if (loaded || method == "Page.frameRequestedNavigation") take();
  }

  // Never waits.
  void take() {
    const auto keep_as = [this](Kind kind) {
      return [weak = weak_from_this(), kind](CdpReply reply) {
        const auto self = weak.lock();
        if (self && reply.kind == CdpReply::Kind::result) self->keep(kind, std::move(reply.message));
      };
    };
    session_->post("Profiler.takePreciseCoverage", Json::object(), keep_as(Kind::scripts));
    session_->post("CSS.takeCoverageDelta", Json::object(), keep_as(Kind::rules_delta));
  }

  void keep(Kind kind, std::string message) {
    MutexLock lock(mutex_);
    if (unread_bytes_ + message.size() > kUnread) {
      lost_ = true;
      return;
    }
    unread_bytes_ += message.size();
    unread_.push_back({kind, std::move(message)});
  }

  void read() {
    MutexLock sum_lock(sum_mutex_);  // first, so that what was kept first is read first
    std::vector<Unread> unread;
    {
      MutexLock lock(mutex_);
      unread.swap(unread_);
      unread_bytes_ = 0;
    }
    for (const auto& [kind, message] : unread) {
      const Json json = parse_cdp(message);
      const Json& body = json.at(json.contains("params") ? "params" : "result");
      if (kind == Kind::scripts || kind == Kind::scripts_event) sum_.add_scripts(body.value("result", Json()));
      if (kind == Kind::sheet) sum_.add_sheet(body.value("header", Json()));
      if (kind == Kind::rules) sum_.add_rules(body.value("ruleUsage", Json()));
      if (kind == Kind::rules_delta) sum_.add_rules(body.value("coverage", Json()));
      if (kind == Kind::document && !body.at("frame").contains("parentId")) {
        sum_.next_document();
        ++documents_;
      }
    }
  }

  std::unique_ptr<SideSession> session_{};
  mutable Mutex sum_mutex_;
  CoverageSum sum_ GUARDED_BY(sum_mutex_);
  int documents_ GUARDED_BY(sum_mutex_) = 0;
  mutable Mutex mutex_;
  std::vector<Unread> unread_ GUARDED_BY(mutex_);
  std::size_t unread_bytes_ GUARDED_BY(mutex_) = 0;
  bool lost_ GUARDED_BY(mutex_) = false;
};

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string sum_words(const std::vector<CoverageSum::Line>& lines, bool style) {
  std::uint64_t total = 0;
  std::uint64_t unused = 0;
  for (const auto& line : lines) {
    if (line.style != style) continue;
    total += line.total;
    unused += line.unused;
  }
  const char* what = style ? "styles" : "scripts";
  if (total == 0) return fmt::format("no {}", what);
  return fmt::format("{} of {} bytes of {} unused ({:.0f} %)", unused, total, what, percent(unused, total));
}

void start_coverage(PageCall& call, const Arguments& args) {
  if (call.tab().extras().find(kCoverage))
    throw ToolError("Coverage is under way in this tab already: browser_coverage {\"action\": \"stop\"} tells it.");
  call.tab().extras().keep(kCoverage, CoverageCount::start(call.ctx(), call.tab()));
  if (!args.flag("reload")) {
    call.response.result(
        "Coverage has begun; stop tells what was used from now on. What ran before counts as unused: reload the page, "
        "or begin with reload: true.");
    return;
  }
  try {
    const auto page = reload(call.ctx(), call.tab(), {.timeout = call.settings().navigation_timeout});
    call.add_page(page);
  } catch (...) {
    call.tab().extras().drop(kCoverage);
    throw;
  }
  call.response.result("Coverage has begun and the page was reloaded. Use the page, then stop.");
}

void stop_coverage(PageCall& call) {
  const auto count = std::dynamic_pointer_cast<CoverageCount>(call.tab().extras().find(kCoverage));
  if (!count)
    throw ToolError("No coverage is under way in this tab: browser_coverage {\"action\": \"start\"} begins it.");
  const auto lines = count->finish(call.ctx());
  call.tab().extras().drop(kCoverage);
  call.response.result(sum_words(lines, false) + "; " + sum_words(lines, true) +
                       fmt::format("; {} {} loaded meanwhile.", count->documents(),
                                   count->documents() == 1 ? "document was" : "documents were"));
  if (count->lossy()) call.response.result("The page reported more than is kept: some of it is missing here.");
  std::string table;
  Json told = Json::array();
  for (const auto& line : lines) {
    if (told.size() < kShownFiles)
      table += fmt::format("{:>9} of {:>9} ({:3.0f} %) {} {}\n", line.unused, line.total,
                           percent(line.unused, line.total), line.style ? "css" : "js ", loggable(line.url, 200));
    if (told.size() < kToldFiles)
      told.push_back(
          {{"url", line.url}, {"kind", line.style ? "css" : "js"}, {"total", line.total}, {"unused", line.unused}});
  }
  if (lines.size() > kShownFiles) table += fmt::format("... and {} more\n", lines.size() - kShownFiles);
  if (!table.empty()) call.response.page_text("unused bytes by URL\n" + table);
  call.response.structured = {{"files", std::move(told)}};
}

void coverage_tool(PageCall& call, const Arguments& args) {
  if (args.text("action") == "stop") {
    if (args.flag("reload")) throw ToolError("browser_coverage: reload goes with action start.");
    return stop_coverage(call);
  }
  start_coverage(call, args);
}

}  // namespace

std::vector<ToolSpec> coverage_tools(const BrowserSettings&) {
  return {{.name = "browser_coverage",
           .set = "devtools",
           .title = "Coverage",
           .description = "Unused bytes of scripts and styles by URL, between start and stop.",
           .input_schema = schema::object({{"action", schema::choice({"start", "stop"}), true},
                                           {"reload", schema::boolean("With start")},
                                           schema::tab()}),
           .queues = true,
           .may_take_long = true,
           .handler = page_tool("browser_coverage", {}, coverage_tool)}};
}

}  // namespace bridle
