// The order and the winners of the cascade [tool.css].
#include "tests/support/catch.h"
#include "tools/devtools/css_cascade.h"

using namespace bridle;

namespace {

Json declaration(const char* name, const char* value, bool important = false, std::vector<const char*> longhands = {}) {
  Json property{{"name", name}, {"value", value}, {"important", important}, {"text", "-"}};
  for (const char* longhand : longhands) property["longhandProperties"].push_back({{"name", longhand}});
  return property;
}
Json style(std::initializer_list<Json> declarations) {
  return {{"range", {{"startLine", 3}}}, {"cssProperties", Json(declarations)}};
}
Json rule(const char* selector, const char* origin, Json its_style, const char* layer = nullptr) {
  Json match{{"matchingSelectors", {0}},
             {"rule",
              {{"selectorList", {{"text", selector}, {"selectors", Json::array({{{"text", selector}}})}}},
               {"origin", origin},
               {"style", std::move(its_style)}}}};
  if (layer != nullptr) match["rule"]["layers"] = Json::array({{{"text", layer}}});
  return match;
}

}  // namespace

TEST_CASE("cascade: strongest first; importance turns layers round, and beats the style attribute", "[tool.css]") {
  const Json matched{
      {"inlineStyle", style({declaration("color", "red"), declaration("margin", "0", true)})},
      {"matchedCSSRules",
       {rule("div", "user-agent",
             style({declaration("display", "block"), declaration("top", "0", true), declaration("color", "gray")})),
        rule(".a", "regular", style({declaration("top", "1px", true), declaration("left", "1px", true)}), "low"),
        rule(".b", "regular", style({declaration("left", "2px", true), declaration("right", "2px")}), "high"),
        rule(".c", "regular",
             style({declaration("color", "blue", true), declaration("left", "3px", true), declaration("right", "3px"),
                    declaration("margin", "9px", true)}))}}};
  const auto cascade = read_cascade(matched);
  REQUIRE(cascade.rules.size() == 5);
  CHECK(cascade.rules[0].origin == "attribute");
  CHECK(cascade.rules[1].selector == ".c");
  CHECK(cascade.rules[1].line == 3);
  CHECK(cascade.rules[3].under == std::vector<std::string>{"@layer low"});
  CHECK(cascade.rules[4].selector == "div");
  const auto overridden = [&](std::size_t at, std::size_t index) {
    return cascade.rules[at].declarations.at(index).overridden;
  };
  CHECK(overridden(0, 0));        // color: by an important one
  CHECK_FALSE(overridden(0, 1));  // margin, important in the attribute
  CHECK_FALSE(overridden(1, 0));
  CHECK(overridden(1, 1));        // left: the first layer's important one wins
  CHECK_FALSE(overridden(1, 2));  // right: what is in no layer wins
  CHECK(overridden(1, 3));
  CHECK(overridden(2, 0));
  CHECK(overridden(2, 1));
  CHECK(overridden(3, 0));  // top: the browser's important one wins
  CHECK_FALSE(overridden(3, 1));
  CHECK_FALSE(overridden(4, 0));
}

TEST_CASE("cascade: a shorthand is overridden once all of it is; what isn't inherited is left out", "[tool.css]") {
  const Json matched{{"matchedCSSRules",
                      {rule(".a", "regular", style({declaration("gap", "1px", false, {"row-gap", "column-gap"})})),
                       rule(".b", "regular", style({declaration("row-gap", "2px")})),
                       rule(".c", "regular", style({declaration("font-size", "3px")}))}},
                     {"inherited",
                      {{{"matchedCSSRules",
                         {rule("p", "regular", style({declaration("font-size", "9px"), declaration("top", "0")}))}}},
                       {{"matchedCSSRules", {rule("q", "regular", style({declaration("top", "0")}))}}},
                       {{"inlineStyle", style({declaration("color", "red"), declaration("--x", "1")})}}}}};
  const auto cascade = read_cascade(matched);
  REQUIRE(cascade.rules.size() == 3);
  CHECK_FALSE(cascade.rules[2].declarations.at(0).overridden);
  REQUIRE(cascade.inherited.size() == 2);
  CHECK(cascade.inherited[0].ancestor == 0);
  REQUIRE(cascade.inherited[0].rules.at(0).declarations.size() == 1);
  CHECK(cascade.inherited[0].rules[0].declarations[0].overridden);
  CHECK(cascade.inherited[1].ancestor == 2);
  CHECK(cascade.inherited[1].rules.at(0).declarations.size() == 2);
  CHECK(read_cascade(Json::object()).rules.empty());
}

TEST_CASE("cascade: what sets the same edge by another name overrides it", "[tool.css]") {
  const Json matched{{"matchedCSSRules",
                      {rule(".a", "regular", style({declaration("margin-inline-start", "1px")})),
                       rule(".b", "regular", style({declaration("margin-left", "2px")}))}}};
  CHECK(read_cascade(matched).rules.at(1).declarations.at(0).overridden);
  CHECK_FALSE(read_cascade(matched, LineDirection::right_to_left).rules.at(1).declarations.at(0).overridden);
  CHECK_FALSE(read_cascade(matched, LineDirection::vertical).rules.at(1).declarations.at(0).overridden);
}
