#include "tools/devtools/audit.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "base/text/log.h"
#include "browser/page/numbered_call.h"
#include "browser/page/side_session.h"
#include "tools/contract/schema.h"
#include "tools/devtools/issues.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr std::size_t kAuditedFrames = 32;   // looked at
constexpr std::size_t kFindingsShown = 20;   // findings of one kind
constexpr std::size_t kFindingLength = 300;  // characters of a finding
constexpr Millis kAuditedFrameTime{5000};

// The findings of one kind, from all frames.
struct FindingKind {
  std::string about{};
  long count = 0;
  std::vector<std::string> lines{};
};

class AuditReport {
 public:
  FindingKind& kind(const std::string& name) {
    const auto at = numbers_.try_emplace(name, kinds_.size());
    if (at.second) kinds_.emplace_back(name, FindingKind{});
    return kinds_[at.first->second].second;
  }
  void add(const std::string& name, const std::string& line) {
    auto& found = kind(name);
    ++found.count;
    if (found.lines.size() < kFindingsShown) found.lines.push_back(loggable(line, kFindingLength));
  }
  long total() const {
    long sum = 0;
    for (const auto& [name, found] : kinds_) sum += found.count;
    return sum;
  }
  std::size_t kinds() const { return kinds_.size(); }
  std::string text() const {
    std::string text;
    for (const auto& [name, found] : kinds_) {
      text += fmt::format("{} ({}){}{}\n", loggable(name, kFindingLength), found.count, found.about.empty() ? "" : ": ",
                          found.about);
      for (const auto& line : found.lines) {
        if (!line.empty()) text += "  " + line + "\n";
      }
      const auto told = static_cast<long>(found.lines.size());
      if (found.count > told) text += fmt::format("  ... {} more\n", found.count - told);
    }
    return text;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::pair<std::string, FindingKind>> kinds_;
};

// What Chromium says of the frames that are in one process. `frame`: the outermost of them.
std::vector<Issue> issues_of(const CallContext& ctx, Tab& tab, const std::string& frame, std::size_t& left_out) {
  const SideSession devtools(ctx, tab, frame);
  const auto issues = std::make_shared<Issues>();
  devtools.on_event([issues](std::string_view method, std::string_view message) {
    if (method == "Audits.issueAdded") issues->add(parse_cdp(message).at("params").at("issue"));
  });
  devtools.call(ctx, tab, "Audits.enable");  // tells of all that were found since the document is there
  devtools.call(ctx, tab, "Audits.checkFormsIssues");
  left_out += issues->left_out();
  return issues->take();
}

// Hands the element that an issue is about to the page script, whose audit then tells its ref. False: there is none.
bool note_element(const CallContext& ctx, Tab& tab, const std::string& frame, const Issue& issue) {
  if (issue.node.is_null()) return false;
  try {
    const auto object = node_in_world(ctx, tab, frame, issue.node);
    call_on_element(ctx, tab, frame, object, page::NoteIssue::kName, Json::array({{{"value", issue.kind}}}));
    release_object(tab, frame, object);
    return true;
  } catch (const CdpError&) {  // it has gone, or is no element
    return false;
  } catch (const ScriptError&) {
    return false;
  }
}

void audit_frame(PageCall& call, const std::string& frame, AuditReport& report) {
  auto& tab = call.tab();
  const bool main = frame == tab.main_frame();
  auto& refs = call.scope().refs();
  page::Audit function{.ref_start = 0, .frame_prefix = main ? "" : "f" + std::to_string(refs.frame_number(frame))};
  const auto limited = main ? call.ctx() : call.ctx().within(kAuditedFrameTime);
  const auto result = numbered_call(limited, tab, refs, frame, function);
  for (const auto& group : result.groups) {
    auto& found = report.kind(group.kind);
    found.about = group.words;
    for (const auto& finding : group.findings) {
      report.add(group.kind, finding.ref.empty() ? (main || finding.words.empty() ? "" : "in a frame: ") + finding.words
                                                 : fmt::format("{} [ref={}]", finding.words, finding.ref));
    }
    report.kind(group.kind).count += group.count - static_cast<long>(group.findings.size());
  }
}

// Runs `look` on a frame. One that goes away or doesn't answer is counted; the main frame must answer.
template <typename Look>
void look_at(Tab& tab, const std::string& frame, int& silent, const Look& look) {
  try {
    look();
  } catch (const Aborted&) {
    throw;
  } catch (const DialogOpened&) {
    throw;
  } catch (const TabGone&) {
    throw;
  } catch (const std::exception&) {
    if (frame == tab.main_frame()) throw;
    ++silent;
  }
}

void audit_tool(PageCall& call, const Arguments&) {
  auto& tab = call.tab();
  std::vector<std::string> frames{tab.main_frame()};
  for (auto& frame : tab.frames_below_main()) frames.push_back(std::move(frame));
  const auto all = frames.size();
  frames.resize(std::min(all, kAuditedFrames));
  int silent = 0;
  std::size_t left_out = 0;
  AuditReport report;
  for (const auto& root : frames) {
    if (local_root(tab, root) != root) continue;
    look_at(tab, root, silent, [&] {
      for (const auto& issue : issues_of(call.ctx(), tab, root, left_out)) {
        if (!note_element(call.ctx(), tab, issue.frame.empty() ? root : issue.frame, issue))
          report.add(issue.kind, issue.words);
      }
    });
  }
  for (const auto& frame : frames) look_at(tab, frame, silent, [&] { audit_frame(call, frame, report); });
  const auto total = report.total();
  call.response.result(total == 0 ? "nothing was found"
                                  : fmt::format("{} findings of {} kinds", total, report.kinds()));
  if (const auto unseen = static_cast<std::size_t>(silent) + all - frames.size(); unseen > 0)
    call.response.result(fmt::format("{} frames were not looked at", unseen));
  if (left_out > 0) call.response.result(fmt::format("{} further issues of the browser are left out", left_out));
  if (total > 0) call.response.page_text(report.text());
  call.response.structured["findings"] = total;
}

}  // namespace

std::vector<ToolSpec> audit_tools(const BrowserSettings&) {
  return {{.name = "browser_audit",
           .set = "devtools",
           .title = "Audit",
           .description = "What is wrong with the page: Chromium's issues and accessibility, with refs.",
           .input_schema = schema::object({schema::tab()}),
           .output_schema = schema::output({"findings"}),
           .read_only = true,
           .idempotent = true,
           .queues = true,
           .may_take_long = true,
           .handler = page_tool("browser_audit", {}, audit_tool)}};
}

}  // namespace bridle
