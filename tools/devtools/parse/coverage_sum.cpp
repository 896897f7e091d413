#include "tools/devtools/parse/coverage_sum.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "browser/cdp/message.h"

namespace bridle {
namespace {

// Chromium's numbers are JSON numbers of any kind; what is no position counts as none.
std::optional<std::uint32_t> position(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_number()) return std::nullopt;
  const auto value = it->get<double>();
  if (!(value >= 0 && value <= std::numeric_limits<std::uint32_t>::max())) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

struct Block {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  bool ran = false;
};

std::vector<Block> blocks_of(const Json& function) {
  std::vector<Block> blocks;
  const auto ranges = function.find("ranges");
  if (ranges == function.end() || !ranges->is_array()) return blocks;
  for (const Json& range : *ranges) {
    if (!range.is_object()) continue;
    const auto start = position(range, "startOffset");
    const auto end = position(range, "endOffset");
    if (!start || !end || *start >= *end) continue;
    const auto count = range.find("count");
    blocks.push_back({*start, *end, count != range.end() && count->is_number() && count->get<double>() > 0});
  }
  return blocks;
}

// Of blocks that lie in each other the innermost one tells.
void add_blocks(std::vector<Block> blocks, UsedRanges& used) {
  std::stable_sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
  std::vector<Block> open;
  std::uint32_t at = 0;
  const auto go_to = [&](std::uint32_t to) {
    if (!open.empty() && open.back().ran && to > at) used.add(at, to);
    at = std::max(at, to);
  };
  for (const auto& block : blocks) {
    while (!open.empty() && open.back().end <= block.start) {
      go_to(open.back().end);
      open.pop_back();
    }
    go_to(block.start);
    open.push_back(block);
  }
  while (!open.empty()) {
    go_to(open.back().end);
    open.pop_back();
  }
}

}  // namespace

void UsedRanges::add(std::uint32_t start, std::uint32_t end) {
  if (start >= end) return;
  auto it = parts_.upper_bound(start);
  if (it != parts_.begin() && std::prev(it)->second >= start) {
    --it;
    start = it->first;
  }
  while (it != parts_.end() && it->first <= end) {
    end = std::max(end, it->second);
    it = parts_.erase(it);
  }
  parts_.emplace(start, end);
}

std::uint32_t UsedRanges::within(std::uint32_t start, std::uint32_t end) const {
  std::uint32_t sum = 0;
  auto it = parts_.upper_bound(start);
  if (it != parts_.begin()) --it;
  for (; it != parts_.end() && it->first < end; ++it) {
    const auto from = std::max(start, it->first);
    const auto to = std::min(end, it->second);
    if (from < to) sum += to - from;
  }
  return sum;
}

void CoverageSum::next_document() {
  by_script_id_.clear();
  alike_.clear();
}

std::size_t CoverageSum::nth_of(const Identity& first) { return alike_[first]++; }

// The script that a report speaks of; null without a URL, and where there is no room.
CoverageSum::Script* CoverageSum::script_of(const Json& report) {
  const auto url = string_field(report, "url");
  if (url.empty()) return nullptr;
  const std::pair key(string_field(report, "scriptId"), url);
  // The function of the script itself is told of first, and again in another process's script of the same id.
  std::optional<std::uint32_t> length;
  for (const Json& function : report.at("functions")) {
    const auto blocks = blocks_of(function);
    if (!blocks.empty() && blocks.front().start == 0 && string_field(function, "functionName").empty())
      length = std::max(length.value_or(0), blocks.front().end);
  }
  auto known = by_script_id_.find(key);
  if (known != by_script_id_.end() && length && known->second.length != *length && known->second.length != 0)
    by_script_id_.erase(std::exchange(known, by_script_id_.end()));
  if (known == by_script_id_.end()) {
    Identity identity{.url = url, .length = length.value_or(0)};
    identity.nth = nth_of(identity);
    if (!take_room()) return nullptr;
    auto& script = scripts_[identity];
    script.url = url;
    script.length = std::max(script.length, length.value_or(0));
    known = by_script_id_.emplace(key, std::move(identity)).first;
  }
  return &scripts_[known->second];
}

void CoverageSum::add_scripts(const Json& result) {
  if (!result.is_array()) return;
  for (const Json& report : result) {
    if (!report.is_object() || !report.contains("functions") || !report["functions"].is_array()) continue;
    auto* script = script_of(report);
    if (script == nullptr) continue;
    for (const Json& function : report["functions"]) {
      auto blocks = blocks_of(function);
      if (blocks.empty()) continue;
      const std::pair range(blocks.front().start, blocks.front().end);
      script->length = std::max(script->length, range.second);
      auto it = script->functions.find(range);
      if (it == script->functions.end() && take_room()) it = script->functions.emplace(range, UsedRanges()).first;
      if (it != script->functions.end()) add_blocks(std::move(blocks), it->second);
    }
  }
}

void CoverageSum::add_sheet(const Json& header) {
  if (!header.is_object()) return;
  const auto id = string_field(header, "styleSheetId");
  const auto length = position(header, "length");
  if (id.empty() || by_sheet_id_.contains(id)) return;
  auto url = string_field(header, "sourceURL");
  if (url.empty()) url = "(made by a script)";
  Identity identity{.url = url, .length = length.value_or(0)};
  identity.place = std::to_string(position(header, "startLine").value_or(0)) + ":" +
                   std::to_string(position(header, "startColumn").value_or(0));
  identity.nth = nth_of(identity);
  if (!take_room()) return;
  auto& sheet = sheets_[identity];
  sheet.url = std::move(url);
  sheet.length = length.value_or(0);
  by_sheet_id_.emplace(id, std::move(identity));
}

void CoverageSum::add_rules(const Json& rules) {
  if (!rules.is_array()) return;
  for (const Json& rule : rules) {
    if (!rule.is_object() || !rule.contains("used") || rule["used"] != true) continue;
    const auto known = by_sheet_id_.find(string_field(rule, "styleSheetId"));
    const auto start = position(rule, "startOffset");
    const auto end = position(rule, "endOffset");
    if (known == by_sheet_id_.end() || !start || !end) continue;
    auto& sheet = sheets_[known->second];
    if (take_room()) sheet.used.add(*start, std::min(*end, sheet.length));
  }
}

std::uint64_t CoverageSum::used_of(const Script& script) {
  // A function's own part is what no function in it covers. In the order of the map with the longer one first, the
  // functions that are open at a position are a stack, and the top one tells.
  std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, const UsedRanges*>> all;
  all.reserve(script.functions.size());
  for (const auto& [range, used] : script.functions) all.emplace_back(range, &used);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.first.first != b.first.first ? a.first.first < b.first.first : a.first.second > b.first.second;
  });
  std::uint64_t sum = 0;
  std::uint32_t at = 0;
  std::vector<std::size_t> open;
  const auto go_to = [&](std::uint32_t to) {
    if (!open.empty() && to > at) sum += all[open.back()].second->within(at, to);
    at = std::max(at, to);
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    while (!open.empty() && all[open.back()].first.second <= all[i].first.first) {
      go_to(all[open.back()].first.second);
      open.pop_back();
    }
    go_to(all[i].first.first);
    open.push_back(i);
  }
  while (!open.empty()) {
    go_to(all[open.back()].first.second);
    open.pop_back();
  }
  return sum;
}

std::vector<CoverageSum::Line> CoverageSum::lines() const {
  std::map<std::pair<bool, std::string>, Line> by_url;
  const auto add = [&](const std::string& url, bool style, std::uint64_t length, std::uint64_t used) {
    auto& line = by_url[{style, url}];
    line.url = url;
    line.style = style;
    line.total += length;
    line.unused += length - std::min(length, used);
  };
  for (const auto& [identity, script] : scripts_) add(script.url, false, script.length, used_of(script));
  for (const auto& [identity, sheet] : sheets_) add(sheet.url, true, sheet.length, sheet.used.within(0, sheet.length));
  std::vector<Line> lines;
  lines.reserve(by_url.size());
  for (auto& [key, line] : by_url) lines.push_back(std::move(line));
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.unused > b.unused; });
  return lines;
}

}  // namespace bridle
