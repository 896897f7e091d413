#include "tools/devtools/css_cascade.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "tools/devtools/css_properties.h"

namespace bridle {
namespace {

// A declaration's weight: its band first, then the order of appearance.
// https://drafts.csswg.org/css-cascade-5/#cascade-sort
namespace band {
constexpr long kBrowser = 0;
constexpr long kInjected = 10;
constexpr long kPresentational = 50;
constexpr long kAuthor = 1'000;             // and the number of its layer
constexpr long kAttribute = 100'000;        // the style attribute
constexpr long kImportantAuthor = 200'000;  // less the number of its layer
constexpr long kImportantAttribute = 300'000;
constexpr long kImportantBrowser = 400'000;
}  // namespace band

struct Weight {
  long band = 0;
  long order = 0;
  // clang-tidy 14 takes the 0 that a comparison is compared with for a pointer.
  auto operator<=>(const Weight&) const = default;  // NOLINT(modernize-use-nullptr)
};

// A rule as it was matched, with what its declarations weigh and set.
struct Weighed {
  CssRule rule{};
  long layer = 0;
  long order = 0;
  std::vector<std::vector<std::string>> sets{};  // of each declaration: the longhands
};

std::string css_text(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

const Json& css_list(const Json& json, const char* key) {
  static const Json kNone = Json::array();
  const auto found = json.find(key);
  return found != json.end() && found->is_array() ? *found : kNone;
}

void replace_part(std::string& text, std::string_view part, std::string_view by) {
  if (const auto at = text.find(part); at != std::string::npos) text.replace(at, part.size(), by);
}

// The name that a longhand shares with what sets the same thing: margin-inline-start is margin-left where lines run
// from left to right. Where they run down it is kept as it is.
std::string physical(std::string name, LineDirection lines) {
  if (lines == LineDirection::vertical) return name;
  const bool ltr = lines == LineDirection::left_to_right;
  replace_part(name, "inline-start", ltr ? "left" : "right");
  replace_part(name, "inline-end", ltr ? "right" : "left");
  replace_part(name, "block-start", "top");
  replace_part(name, "block-end", "bottom");
  if (name.starts_with("inset-")) name.erase(0, 6);
  if (name.ends_with("inline-size")) replace_part(name, "inline-size", "width");
  if (name.ends_with("block-size")) replace_part(name, "block-size", "height");
  return name;
}

void read_declarations(const Json& style, LineDirection lines, Weighed& into) {
  const bool has_source = style.contains("range");
  for (const Json& property : css_list(style, "cssProperties")) {
    // What a shorthand stands for is listed again, without a text of its own.
    if (property.value("disabled", false) || property.value("implicit", false)) continue;
    if (has_source && !property.contains("text")) continue;
    CssDeclaration declaration{.name = css_text(property, "name"),
                               .value = css_text(property, "value"),
                               .important = property.value("important", false),
                               .valid = property.value("parsedOk", true)};
    std::vector<std::string> longhands;
    for (const Json& longhand : css_list(property, "longhandProperties"))
      longhands.push_back(physical(css_text(longhand, "name"), lines));
    if (longhands.empty()) longhands.push_back(physical(declaration.name, lines));
    into.rule.declarations.push_back(std::move(declaration));
    into.sets.push_back(std::move(longhands));
  }
}

// "@media print" of the at-rules of one kind, from the outside in: CDP lists the innermost first.
void read_conditions(const Json& rule, const char* key, const char* at, std::vector<std::string>& into) {
  const auto& conditions = css_list(rule, key);
  for (auto condition = conditions.rbegin(); condition != conditions.rend(); ++condition)
    into.push_back(std::string(at) + " " + css_text(*condition, "text"));
}

std::string matching_selectors(const Json& match) {
  const Json& rule = match.at("rule");
  const Json& selectors = css_list(rule.at("selectorList"), "selectors");
  std::string text;
  for (const Json& index : css_list(match, "matchingSelectors")) {
    const auto at = index.get<std::size_t>();
    if (at >= selectors.size()) continue;
    text += (text.empty() ? "" : ", ") + css_text(selectors[at], "text");
  }
  return text.empty() ? css_text(rule.at("selectorList"), "text") : text;
}

Weighed read_rule(const Json& match, LineDirection lines) {
  const Json& rule = match.at("rule");
  Weighed weighed;
  weighed.rule.selector = matching_selectors(match);
  weighed.rule.origin = css_text(rule, "origin");
  weighed.rule.sheet = css_text(rule, "styleSheetId");
  const Json& selectors = css_list(rule.at("selectorList"), "selectors");
  const Json& style = rule.at("style");
  const auto range = !selectors.empty() && selectors[0].contains("range") ? selectors[0].at("range")
                                                                          : style.value("range", Json::object());
  weighed.rule.line = range.value("startLine", 0L);
  read_conditions(rule, "layers", "@layer", weighed.rule.under);
  read_conditions(rule, "media", "@media", weighed.rule.under);
  read_conditions(rule, "supports", "@supports", weighed.rule.under);
  read_conditions(rule, "containerQueries", "@container", weighed.rule.under);
  read_conditions(rule, "scopes", "@scope", weighed.rule.under);
  read_declarations(style, lines, weighed);
  return weighed;
}

std::string layer_of(const Json& match) {
  std::string name;
  for (const Json& layer : css_list(match.at("rule"), "layers")) name = css_text(layer, "text") + "." + name;
  return name;
}

// The rules of `matches`, which come weakest first, and numbers their layers in that order.
void read_rules(const Json& matches, LineDirection lines, std::vector<Weighed>& into) {
  std::string layer;
  long number = 0;
  for (const Json& match : matches) {
    auto weighed = read_rule(match, lines);
    if (weighed.rule.origin == "regular") {
      if (auto name = layer_of(match); name != layer) {
        layer = std::move(name);
        ++number;
      }
    }
    weighed.layer = number;
    weighed.order = static_cast<long>(into.size());
    into.push_back(std::move(weighed));
  }
}

void read_style(const Json& owner, const char* key, const char* origin, LineDirection lines,
                std::vector<Weighed>& into) {
  const auto style = owner.find(key);
  if (style == owner.end() || !style->is_object()) return;
  Weighed weighed;
  weighed.rule.origin = origin;
  weighed.order = static_cast<long>(into.size());
  read_declarations(*style, lines, weighed);
  if (!weighed.rule.declarations.empty()) into.push_back(std::move(weighed));
}

// All that is said of one element: weakest first, but for what is important.
std::vector<Weighed> read_element(const Json& entry, LineDirection lines) {
  std::vector<Weighed> all;
  read_style(entry, "attributesStyle", "presentational", lines, all);
  read_rules(css_list(entry, "matchedCSSRules"), lines, all);
  read_style(entry, "inlineStyle", "attribute", lines, all);
  return all;
}

Weight weigh(const Weighed& rule, std::size_t index) {
  const bool important = rule.rule.declarations[index].important;
  constexpr long kDeclarations = 10'000;  // more than one rule has
  const long order = rule.order * kDeclarations + static_cast<long>(index);
  const auto& origin = rule.rule.origin;
  if (origin == "user-agent") return {important ? band::kImportantBrowser : band::kBrowser, order};
  if (origin == "presentational") return {band::kPresentational, order};
  if (origin == "attribute") return {important ? band::kImportantAttribute : band::kAttribute, order};
  if (origin == "injected") return {band::kInjected, order};
  return {important ? band::kImportantAuthor - rule.layer : band::kAuthor + rule.layer, order};
}

// Marks what something stronger overrides: of these rules, or of what is taken already. Then `taken` has theirs too.
void mark_overridden(std::vector<Weighed>& rules, std::set<std::string>& taken) {
  std::map<std::string, Weight> strongest;
  const auto each = [&](const auto& visit) {
    for (auto& rule : rules) {
      for (std::size_t i = 0; i < rule.rule.declarations.size(); ++i) visit(rule, i);
    }
  };
  each([&](Weighed& rule, std::size_t i) {
    if (!rule.rule.declarations[i].valid) return;
    for (const auto& longhand : rule.sets[i]) {
      const auto weight = weigh(rule, i);
      const auto [it, fresh] = strongest.try_emplace(longhand, weight);
      if (!fresh) it->second = std::max(it->second, weight);
    }
  });
  each([&](Weighed& rule, std::size_t i) {
    auto& declaration = rule.rule.declarations[i];
    if (!declaration.valid) return;
    const auto weight = weigh(rule, i);
    declaration.overridden = std::none_of(rule.sets[i].begin(), rule.sets[i].end(), [&](const auto& longhand) {
      return !taken.contains(longhand) && strongest.at(longhand) == weight;
    });
  });
  for (const auto& [longhand, weight] : strongest) taken.insert(longhand);
}

// Of the browser's own rules only what counts is worth telling: they are long, and the same on every page.
void drop_idle(std::vector<Weighed>& rules) {
  for (auto& rule : rules) {
    if (rule.rule.origin != "user-agent") continue;
    std::erase_if(rule.rule.declarations,
                  [](const CssDeclaration& one) { return one.overridden || !one.valid || one.value.empty(); });
  }
  std::erase_if(rules, [](const Weighed& rule) { return rule.rule.declarations.empty(); });
}

// Leaves what an element takes over from this one.
void keep_inherited(std::vector<Weighed>& rules) {
  for (auto& rule : rules) {
    for (std::size_t i = rule.sets.size(); i-- > 0;) {
      auto& sets = rule.sets[i];
      std::erase_if(sets, [](const std::string& longhand) { return !is_inherited(longhand); });
      if (!sets.empty()) continue;
      const auto at = static_cast<std::ptrdiff_t>(i);
      rule.sets.erase(rule.sets.begin() + at);
      rule.rule.declarations.erase(rule.rule.declarations.begin() + at);
    }
  }
  std::erase_if(rules, [](const Weighed& rule) { return rule.sets.empty(); });
}

std::vector<CssRule> strongest_first(std::vector<Weighed> rules) {
  std::vector<CssRule> sorted;
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) sorted.push_back(std::move(rule->rule));
  return sorted;
}

}  // namespace

CssCascade read_cascade(const Json& matched, LineDirection lines) {
  CssCascade cascade;
  std::set<std::string> taken;
  auto own = read_element(matched, lines);
  mark_overridden(own, taken);
  drop_idle(own);
  cascade.rules = strongest_first(std::move(own));
  std::size_t ancestor = 0;
  for (const Json& entry : css_list(matched, "inherited")) {
    auto rules = read_element(entry, lines);
    keep_inherited(rules);
    mark_overridden(rules, taken);
    drop_idle(rules);
    if (!rules.empty()) cascade.inherited.push_back({.ancestor = ancestor, .rules = strongest_first(std::move(rules))});
    ++ancestor;
  }
  for (const Json& pseudo : css_list(matched, "pseudoElements")) {
    std::vector<Weighed> rules;
    read_rules(css_list(pseudo, "matches"), lines, rules);
    std::erase_if(rules, [](const Weighed& rule) { return rule.rule.origin == "user-agent"; });
    if (rules.empty()) continue;
    std::set<std::string> its_own;
    mark_overridden(rules, its_own);
    cascade.pseudos.push_back({.name = css_text(pseudo, "pseudoType"), .rules = strongest_first(std::move(rules))});
  }
  return cascade;
}

}  // namespace bridle
