// What V8 and Blink report of the code that ran, summed up [tool.coverage].
#include "tests/support/catch.h"
#include "tools/devtools/parse/coverage_sum.h"

using namespace bridle;

namespace {

// A list of one; in braces it would be the thing itself.
Json list_of(Json element) { return Json::array({std::move(element)}); }

Json range(double start, double end, int count) {
  return {{"startOffset", start}, {"endOffset", end}, {"count", count}};
}

Json function(const char* name, Json ranges) {
  return {{"functionName", name}, {"ranges", std::move(ranges)}, {"isBlockCoverage", true}};
}

Json script(const char* id, const char* url, Json functions) {
  return {{"scriptId", id}, {"url", url}, {"functions", std::move(functions)}};
}

Json sheet(const char* id, const char* url, int length, int line = 0) {
  return {{"styleSheetId", id}, {"sourceURL", url}, {"length", length}, {"startLine", line}, {"startColumn", 0}};
}

Json rule(const char* id, double start, double end, bool used = true) {
  return {{"styleSheetId", id}, {"startOffset", start}, {"endOffset", end}, {"used", used}};
}

CoverageSum::Line only(const CoverageSum& sum) {
  const auto lines = sum.lines();
  REQUIRE(lines.size() == 1);
  return lines.front();
}

}  // namespace

TEST_CASE("coverage: used ranges join where they touch", "[coverage] [tool.coverage]") {
  UsedRanges used;
  used.add(10, 20);
  used.add(30, 40);
  used.add(5, 5);
  CHECK(used.size() == 2);
  CHECK(used.within(0, 100) == 20);
  CHECK(used.within(15, 35) == 10);
  used.add(20, 30);
  CHECK(used.size() == 1);
  used.add(0, 4294967295U);
  CHECK(used.within(0, 4294967295U) == 4294967295U);
}

TEST_CASE("coverage: the innermost block tells, and a function that isn't called is unused",
          "[coverage] [tool.coverage]") {
  CoverageSum sum(100);
  sum.add_scripts(
      list_of(script("1", "http://a/x.js",
                     {function("", list_of(range(0, 100, 1))), function("called", {range(10, 40, 2), range(20, 30, 0)}),
                      function("never", list_of(range(50, 80, 0)))})));
  CHECK(only(sum).total == 100);
  CHECK(only(sum).unused == 40);
  CHECK_FALSE(only(sum).style);
}

TEST_CASE("coverage: reports count from the one before, and an inner function that one leaves out stays as it was",
          "[coverage] [tool.coverage]") {
  CoverageSum sum(100);
  sum.add_scripts(list_of(script("1", "http://a/x.js",
                                 {function("", list_of(range(0, 100, 1))), function("outer", list_of(range(10, 90, 0))),
                                  function("inner", list_of(range(20, 30, 0)))})));
  CHECK(only(sum).unused == 80);
  sum.add_scripts(
      list_of(script("1", "http://a/x.js", list_of(function("outer", {range(10, 90, 1), range(40, 60, 0)})))));
  CHECK(only(sum).unused == 30);  // inner, and the block
  sum.add_scripts(
      list_of(script("1", "http://a/x.js", list_of(function("outer", {range(10, 90, 3), range(70, 80, 0)})))));
  CHECK(only(sum).unused == 10);  // what any of the calls reached is used
  sum.add_scripts(list_of(script("1", "http://a/x.js", list_of(function("inner", list_of(range(20, 30, 1)))))));
  CHECK(only(sum).unused == 0);
}

TEST_CASE("coverage: a file of several documents counts once, two that are alike in one document twice",
          "[coverage] [tool.coverage]") {
  CoverageSum sum(100);
  const Json unused{function("", list_of(range(0, 50, 1))), function("f", list_of(range(10, 20, 0))),
                    function("g", list_of(range(30, 40, 0)))};
  sum.add_scripts(list_of(script("1", "http://a/x.js", unused)));
  sum.next_document();
  Json used = unused;
  used[1]["ranges"][0]["count"] = 1;
  sum.add_scripts(list_of(script("7", "http://a/x.js", used)));
  CHECK(only(sum).total == 50);
  CHECK(only(sum).unused == 10);
  sum.add_scripts(list_of(script("8", "http://a/x.js", unused)));
  CHECK(only(sum).total == 100);
  CHECK(only(sum).unused == 30);
  // Another process gives the same number to another text.
  sum.add_scripts(list_of(script("8", "http://a/x.js", list_of(function("", list_of(range(0, 7, 0)))))));
  CHECK(only(sum).total == 107);
  CHECK(only(sum).unused == 37);
}

TEST_CASE("coverage: styles by rule, joined over documents by their place", "[coverage] [tool.coverage]") {
  CoverageSum sum(100);
  sum.add_sheet(sheet("s1", "http://a/x.css", 60));
  sum.add_rules({rule("s1", 0, 20), rule("s1", 20, 40, false), rule("unknown", 0, 60)});
  CHECK(only(sum).style);
  CHECK(only(sum).unused == 40);
  sum.next_document();
  sum.add_sheet(sheet("s2", "http://a/x.css", 60));
  sum.add_rules(list_of(rule("s2", 50, 90)));  // beyond its end
  CHECK(only(sum).total == 60);
  CHECK(only(sum).unused == 30);
  sum.add_sheet(sheet("s3", "", 5));
  const auto lines = sum.lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].unused == 30);
  CHECK(lines[1].url == "(made by a script)");
}

TEST_CASE("coverage: what is malformed counts nothing, and what is too much is left out and said",
          "[coverage] [tool.coverage]") {
  CoverageSum sum(4);
  for (const char* text : {"null", "{}", "[1]", "[{}]", R"([{"functions":5}])", R"([{"url":"","functions":[]}])",
                           R"([{"url":7,"functions":[{"ranges":5},{"ranges":[3]},7]}])"})
    sum.add_scripts(Json::parse(text));
  for (const char* text : {"null", "[]", "{}", R"({"styleSheetId":3})"}) sum.add_sheet(Json::parse(text));
  for (const char* text : {"null", "[4]", R"([{"used":true}])"}) sum.add_rules(Json::parse(text));
  CHECK(sum.lines().empty());
  sum.add_scripts(list_of(script("1", "http://a/x.js",
                                 {function("", list_of(range(0, 1e30, 1))), function("f", list_of(range(-1, 5, 1))),
                                  function("g", list_of(range(5, 2, 1))), 7})));
  CHECK(only(sum).total == 0);
  CHECK_FALSE(sum.full());
  sum.add_scripts(list_of(
      script("2", "http://a/y.js", {function("", list_of(range(0, 10, 1))), function("f", list_of(range(1, 2, 0)))})));
  CHECK_FALSE(sum.full());
  sum.add_scripts(list_of(script("2", "http://a/y.js", list_of(function("g", list_of(range(3, 4, 0)))))));
  CHECK(sum.full());
}
