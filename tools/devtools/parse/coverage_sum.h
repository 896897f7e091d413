#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text/json.h"

namespace bridle {

// Positions in a text that were used: parts that neither touch nor overlap, in order. A value.
class UsedRanges {
 public:
  void add(std::uint32_t start, std::uint32_t end);
  std::size_t size() const { return parts_.size(); }
  const std::map<std::uint32_t, std::uint32_t>& parts() const { return parts_; }  // end by start
  // How much of [start, end) is used.
  std::uint32_t within(std::uint32_t start, std::uint32_t end) const;

 private:
  std::map<std::uint32_t, std::uint32_t> parts_;
};

// What V8 and Blink report of the code that ran, from many reports and over many documents, summed up by URL. What they
// report counts from the report before, so none may be left out. Positions are UTF-16 units, which for nearly all code
// are bytes. The same file in several documents counts once: what one of them has used is used. Not shared between
// threads; takes any JSON without harm.
class CoverageSum {
 public:
  // Scripts and functions, or sheets and rules, in all; what comes beyond is left out, and full() says so.
  explicit CoverageSum(std::size_t room) : room_(room + 1) {}

  // Profiler.takePreciseCoverage's `result`, or that of an event of it.
  void add_scripts(const Json& result);
  // CSS.styleSheetAdded's header; CSS.takeCoverageDelta's or stopRuleUsageTracking's list of rules.
  void add_sheet(const Json& header);
  void add_rules(const Json& rules);
  // The page has another document: what is named like something before it is another thing.
  void next_document();

  struct Line {
    std::string url{};
    bool style = false;
    std::uint64_t total = 0;
    std::uint64_t unused = 0;
  };
  // Those with the most unused first.
  std::vector<Line> lines() const;
  bool full() const { return room_ == 0; }

 private:
  // Of a function, by its range: where it ran. What its inner functions cover is theirs alone.
  using Functions = std::map<std::pair<std::uint32_t, std::uint32_t>, UsedRanges>;
  struct Script {
    std::string url{};
    std::uint32_t length = 0;
    Functions functions{};
  };
  struct Sheet {
    std::string url{};
    std::uint32_t length = 0;
    UsedRanges used{};
  };
  // The same file in another document: the place of its URL, its length, which one of those that are alike.
  struct Identity {
    std::string url{};
    std::uint64_t length = 0;
    std::string place{};
    std::size_t nth = 0;
    // clang-tidy 14 takes the 0 that a comparison is compared with for a pointer.
    auto operator<=>(const Identity&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  // False for the first thing that there is no room for, and from then on.
  bool take_room() { return room_ != 0 && --room_ != 0; }
  std::size_t nth_of(const Identity& first);
  Script* script_of(const Json& report);
  static std::uint64_t used_of(const Script& script);

  std::size_t room_;
  std::map<Identity, Script> scripts_{};
  std::map<Identity, Sheet> sheets_{};
  std::map<std::pair<std::string, std::string>, Identity> by_script_id_{};  // of this document: id and URL
  std::map<std::string, Identity> by_sheet_id_{};                           // never given twice
  std::map<Identity, std::size_t> alike_{};                                 // of this document
};

}  // namespace bridle
