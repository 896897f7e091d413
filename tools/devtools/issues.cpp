#include "tools/devtools/issues.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace bridle {
namespace {

constexpr std::size_t kIssues = 500;

std::string issue_text(const Json& json, std::string_view key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void append_part(std::string& text, const std::string& more) {
  if (!more.empty()) text += (text.empty() ? "" : ", ") + more;
}

// What went wrong, in Chromium's words: its enumerations name it so that it can be looked up.
std::string issue_reason(const Json& details) {
  std::string reason;
  for (const char* list : {"cookieExclusionReasons", "cookieWarningReasons"}) {
    const auto reasons = details.find(list);
    if (reasons == details.end() || !reasons->is_array()) continue;
    for (const Json& one : *reasons) {
      if (one.is_string()) append_part(reason, one.get<std::string>());
    }
  }
  for (const char* key :
       {"errorType", "type", "reason", "resolutionStatus", "resolution", "violatedDirective",
        "contentSecurityPolicyViolationType", "sharedDictionaryError", "error", "elementAccessibilityIssueReason",
        "styleSheetLoadingIssueReason", "propertyRuleIssueReason", "clientHintIssueReason",
        "federatedAuthRequestIssueReason", "federatedAuthUserInfoRequestIssueReason", "partitioningBlobURLInfo",
        "issueType", "performanceIssueType", "apiName"})
    append_part(reason, issue_text(details, key));
  if (const auto status = details.find("corsErrorStatus"); status != details.end())
    append_part(reason, issue_text(*status, "corsError"));
  if (const auto limited = details.find("isLimitedQuirksMode"); limited != details.end() && limited->is_boolean())
    append_part(reason, limited->get<bool>() ? "limited quirks mode" : "quirks mode: the document has no full doctype");
  if (details.value("isReportOnly", false)) append_part(reason, "report only");
  if (details.value("isWarning", false)) append_part(reason, "a warning");
  return reason;
}

std::string issue_place(const Json& details, const char* key) {
  const auto place = details.find(key);
  if (place == details.end() || !place->is_object() || issue_text(*place, "url").empty()) return {};
  return fmt::format("{}:{}", issue_text(*place, "url"), place->value("lineNumber", 0L) + 1);
}

}  // namespace

Issue read_issue(const Json& issue) {
  Issue read;
  read.kind = issue_text(issue, "code");
  const auto all = issue.find("details");
  if (all == issue.end() || !all->is_object() || all->empty()) return read;
  const Json& details = all->begin().value();  // each code has one member of its own
  if (!details.is_object()) return read;
  if (const auto reason = issue_reason(details); !reason.empty()) read.kind += ": " + reason;
  if (const auto cookie = details.find("cookie"); cookie != details.end())
    append_part(read.words,
                fmt::format("cookie \"{}\" of {}", issue_text(*cookie, "name"), issue_text(*cookie, "domain")));
  for (const char* key : {"insecureURL", "blockedURL", "url", "cookieUrl", "violatingNodeAttribute"})
    append_part(read.words, issue_text(details, key));
  if (const auto request = details.find("request"); request != details.end())
    append_part(read.words, issue_text(*request, "url"));
  for (const char* key : {"sourceCodeLocation", "location"}) append_part(read.words, issue_place(details, key));
  read.frame = issue_text(details, "frameId");
  for (const char* key : {"violatingNodeId", "nodeId"}) {
    if (const auto node = details.find(key); node != details.end() && node->is_number() && *node != 0)
      read.node = *node;
  }
  return read;
}

void Issues::add(const Json& issue) {
  auto text = dump(issue);
  MutexLock lock(mutex_);
  if (std::find(seen_.begin(), seen_.end(), text) != seen_.end()) return;
  if (seen_.size() >= kIssues) {
    ++left_out_;
    return;
  }
  seen_.push_back(std::move(text));
  issues_.push_back(read_issue(issue));
}

std::vector<Issue> Issues::take() {
  MutexLock lock(mutex_);
  return std::exchange(issues_, {});
}

std::size_t Issues::left_out() const {
  MutexLock lock(mutex_);
  return left_out_;
}

}  // namespace bridle
