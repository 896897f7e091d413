#include "tools/devtools/css.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/concurrency/sync.h"
#include "base/text/log.h"
#include "tools/contract/schema.h"
#include "tools/devtools/css_cascade.h"
#include "tools/devtools/css_properties.h"
#include "tools/devtools/inspected_node.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr std::size_t kRulesShown = 40;         // shown of one element
constexpr std::size_t kDeclarationsShown = 30;  // of one rule
constexpr std::size_t kCssLength = 160;         // characters of a value, a selector, a URL
constexpr std::size_t kAncestorsShown = 12;     // with something to take over
constexpr std::size_t kSheets = 4096;

std::string css_clipped(const std::string& text) { return loggable(text, kCssLength); }

// Where sheets come from, by the events that the browser sends when CSS is enabled.
class Sheets {
 public:
  void add(const Json& header) {
    MutexLock lock(mutex_);
    if (known_.size() < kSheets) known_.emplace(header.value("styleSheetId", ""), header);
  }
  // "https://a.example/site.css:12"
  std::string place(const std::string& sheet, long line) const {
    MutexLock lock(mutex_);
    const auto found = known_.find(sheet);
    if (found == known_.end()) return {};
    const Json& header = found->second;
    const auto url = header.value("sourceURL", "");
    if (header.value("isConstructed", false) || url.empty()) return fmt::format("a script's sheet:{}", line + 1);
    const bool in_document = header.value("isInline", false) && !header.value("hasSourceURL", false);
    const auto first = in_document ? static_cast<long>(header.value("startLine", 0.0)) : 0;
    return fmt::format("{}:{}", css_clipped(url), first + line + 1);
  }

 private:
  mutable Mutex mutex_;
  std::map<std::string, Json> known_ GUARDED_BY(mutex_);
};

std::string rule_head(const CssRule& rule, const Sheets& sheets) {
  if (rule.origin == "attribute") return "style attribute";
  if (rule.origin == "presentational") return "attributes of its tag";
  std::string head = css_clipped(rule.selector);
  const auto place =
      rule.origin == "user-agent" ? std::string("the browser's own") : sheets.place(rule.sheet, rule.line);
  if (!place.empty()) head += "  (" + place + ")";
  for (const auto& condition : rule.under) head += "  " + css_clipped(condition);
  return head;
}

void print_rules(const std::vector<CssRule>& rules, const Sheets& sheets, const std::string& indent,
                 std::string& text) {
  std::size_t shown = 0;
  for (const auto& rule : rules) {
    if (shown++ == kRulesShown) {
      text += fmt::format("{}... {} more rules\n", indent, rules.size() - kRulesShown);
      return;
    }
    text += indent + rule_head(rule, sheets) + "\n";
    std::size_t printed = 0;
    for (const auto& declaration : rule.declarations) {
      if (printed++ == kDeclarationsShown) {
        text += fmt::format("{}  ... {} more\n", indent, rule.declarations.size() - kDeclarationsShown);
        break;
      }
      text +=
          fmt::format("{}  {}: {}{}{}\n", indent, css_clipped(declaration.name), css_clipped(declaration.value),
                      declaration.important && declaration.value.find('!') == std::string::npos ? " !important" : "",
                      !declaration.valid       ? "  [invalid]"
                      : declaration.overridden ? "  [overridden]"
                                               : "");
    }
  }
}

// Edges of a quad in the order of its points: x1 y1 x2 y2 x3 y3 x4 y4, from the top left corner clockwise.
struct Edges {
  double left = 0, top = 0, right = 0, bottom = 0;
};
Edges edges_of(const Json& quad) {
  const auto at = [&](std::size_t i) { return quad.at(i).get<double>(); };
  return {std::min({at(0), at(2), at(4), at(6)}), std::min({at(1), at(3), at(5), at(7)}),
          std::max({at(0), at(2), at(4), at(6)}), std::max({at(1), at(3), at(5), at(7)})};
}

std::string between(const Edges& outer, const Edges& inner) {
  return fmt::format("{:.4g} {:.4g} {:.4g} {:.4g}", inner.top - outer.top, outer.right - inner.right,
                     outer.bottom - inner.bottom, inner.left - outer.left);
}

std::string css_box(const Json& model) {
  const auto content = edges_of(model.at("content"));
  const auto padding = edges_of(model.at("padding"));
  const auto border = edges_of(model.at("border"));
  const auto margin = edges_of(model.at("margin"));
  return fmt::format("content {:.6g} x {:.6g} at {:.6g}, {:.6g}; padding {}; border {}; margin {}",
                     content.right - content.left, content.bottom - content.top, content.left, content.top,
                     between(padding, content), between(border, padding), between(margin, border));
}

using ComputedValues = std::map<std::string, std::string, std::less<>>;

ComputedValues values_of(const Json& computed) {
  ComputedValues values;
  for (const Json& property : computed.at("computedStyle"))
    values[property.value("name", "")] = property.value("value", "");
  return values;
}

LineDirection line_direction(const ComputedValues& values) {
  const auto is = [&](std::string_view name, std::string_view value) {
    const auto found = values.find(name);
    return found != values.end() && found->second == value;
  };
  if (!is("writing-mode", "horizontal-tb")) return LineDirection::vertical;
  return is("direction", "rtl") ? LineDirection::right_to_left : LineDirection::left_to_right;
}

std::string uncommon_values(const ComputedValues& values) {
  std::string text;
  for (const auto& [name, initial] : kInitialValues) {
    const auto found = values.find(name);
    if (found != values.end() && found->second != initial)
      text += fmt::format("  {}: {}\n", name, css_clipped(found->second));
  }
  return text;
}

void css_tool(PageCall& call, const Arguments& args) {
  auto& tab = call.tab();
  const auto node = inspect_target(call, args.text("target"));
  const auto& devtools = *node.session;
  const auto sheets = std::make_shared<Sheets>();
  devtools.on_event([sheets](std::string_view method, std::string_view message) {
    if (method == "CSS.styleSheetAdded") sheets->add(parse_cdp(message).at("params").at("header"));
  });
  const auto ask = [&](const char* method, const Json& params = Json::object()) {
    return devtools.call(call.ctx(), tab, method, params);
  };
  ask("DOM.enable");
  ask("CSS.enable");
  ask("DOM.getDocument", {{"depth", 0}});  // without it no node has an id
  const Json ids = ask("DOM.pushNodesByBackendIdsToFrontend", {{"backendNodeIds", Json::array({node.backend_id})}});
  const Json at{{"nodeId", ids.at("nodeIds").at(0)}};
  const auto computed = values_of(ask("CSS.getComputedStyleForNode", at));
  const auto cascade = read_cascade(ask("CSS.getMatchedStylesForNode", at), line_direction(computed));

  std::string text = "Rules, the strongest first:\n";
  print_rules(cascade.rules, *sheets, "  ", text);
  std::size_t shown = 0;
  for (const auto& inherited : cascade.inherited) {
    if (shown++ == kAncestorsShown) break;
    const auto known = inherited.ancestor < node.about.ancestors.size();
    text += "Inherited from " + (known ? node.about.ancestors[inherited.ancestor] : "an ancestor") + ":\n";
    print_rules(inherited.rules, *sheets, "  ", text);
  }
  for (const auto& pseudo : cascade.pseudos) {
    text += "::" + pseudo.name + ":\n";
    print_rules(pseudo.rules, *sheets, "  ", text);
  }
  text += "Computed, where it is not CSS's initial value:\n" + uncommon_values(computed);
  std::string box = "none: it is not rendered";
  try {
    box = css_box(ask("DOM.getBoxModel", {{"backendNodeId", node.backend_id}}).at("model"));
  } catch (const CdpError&) {  // it has none
  }
  call.response.result("styles of " + node.about.describe + ", " + node.about.sketch);
  call.response.result("box, in CSS px (top right bottom left): " + box);
  call.response.page_text(std::move(text));
}

}  // namespace

std::vector<ToolSpec> css_tools(const BrowserSettings&) {
  return {{.name = "browser_css",
           .set = "devtools",
           .title = "Styles",
           .description = "Which CSS rules match an element, what they override, its computed values and box.",
           .input_schema = schema::object({schema::target(), schema::tab()}),
           .read_only = true,
           .idempotent = true,
           .handler = page_tool("browser_css", {.queues = false}, css_tool)}};
}

}  // namespace bridle
