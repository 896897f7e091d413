#include "tools/testing/test_script.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "base/text/secrets.h"
#include "base/text/text.h"
#include "tools/testing/script_text.h"

namespace bridle {
namespace script {
namespace {

bool is_switch(const RecordedTarget& target) {
  return target.input_type == "checkbox" || target.input_type == "radio" || target.role == "checkbox" ||
         target.role == "radio" || target.role == "switch" || target.role == "menuitemcheckbox" ||
         target.role == "menuitemradio";
}

// Playwright's fill() takes an <input> alone.
bool is_made_slider(const RecordedTarget& target) { return target.role == "slider" && target.tag != "input"; }
constexpr const char* kMadeSlider = "a slider that is no <input>";

// Why an action has no line.
struct LeftOut {
  std::string why;
};

class Writer {
 public:
  explicit Writer(TestScript& script) : script_(script) {}

  void write(const std::vector<RecordedAction>& actions) {
    for (const auto& action : actions) {
      try {
        page_ = page_of(action);
        line(action);
        ++script_.actions;
      } catch (const LeftOut& left) {
        script_.left_out.push_back(action.tool + ": " + left.why);
        lines_.push_back("// left out: " + action.tool);
      }
    }
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  // The variable of the action's tab. One that a page has opened came of the line before.
  std::string page_of(const RecordedAction& action) {
    const auto known = pages_.find(action.tab);
    if (known != pages_.end()) return known->second;
    const std::string name = pages_.empty() ? "page" : fmt::format("page{}", pages_.size() + 1);
    pages_[action.tab] = name;
    if (name == "page") return name;
    if (action.popup && last_input_ < lines_.size()) {
      before_input(fmt::format("const {}Promise = {}.waitForEvent('popup');", name, last_page_));
      lines_.push_back(fmt::format("const {0} = await {0}Promise;", name));
    } else {
      lines_.push_back(fmt::format("const {} = await context.newPage();", name));
    }
    return name;
  }

  void before_input(const std::string& text) {
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(last_input_), text);
    ++last_input_;
  }

  void add(const std::string& text) { lines_.push_back("await " + text + ";"); }
  // A line that may open a dialog, a chooser or a tab.
  void input(const std::string& text) {
    last_input_ = lines_.size();
    last_page_ = page_;
    add(text);
  }

  std::string locator(const RecordedAction& action, const std::string& target) const {
    const auto found = action.targets.find(target);
    if (found == action.targets.end()) throw LeftOut{"its element could not be located"};
    return page_ + "." + found->second.locator;
  }
  const RecordedTarget& target_of(const RecordedAction& action, const std::string& target) const {
    const auto found = action.targets.find(target);
    if (found == action.targets.end()) throw LeftOut{"its element could not be located"};
    return found->second;
  }

  // What was typed; of a secret the variable that stands for it, one for each field.
  std::string value(const Json& text, const RecordedTarget& target) {
    if (!text.is_null()) return literal(text.is_string() ? text.get<std::string>() : text.dump());
    auto& name = secrets_[target.locator];
    if (name.empty()) {
      for (const char c : target.describe.substr(target.describe.find(' ') + 1)) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter) {
          name += upper(c);
        } else if (!name.empty() && name.back() != '_') {
          name += '_';
        }
      }
      while (name.ends_with('_')) name.pop_back();
      if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "SECRET_" + name;
      if (name.ends_with('_')) name.pop_back();
      std::string base = name;
      for (int i = 2; std::count(script_.variables.begin(), script_.variables.end(), name) > 0; ++i)
        name = fmt::format("{}_{}", base, i);
      script_.variables.push_back(name);
    }
    return "process.env." + name + " ?? ''";
  }

  void line(const RecordedAction& action);
  void navigate(const Json& args);
  void click(const RecordedAction& action);
  void drag(const RecordedAction& action);
  void type(const RecordedAction& action);
  void fill_form(const RecordedAction& action);
  void upload(const RecordedAction& action);
  void dialog(const Json& args);
  void tabs(const RecordedAction& action);
  void wait_for(const Json& args);
  void verify(const RecordedAction& action);
  void mouse(const Json& args);

  std::string shown_text(const std::string& text) const {
    return fmt::format("{}.getByText({}).filter({{ visible: true }})", page_, literal(text));
  }

  TestScript& script_;
  std::vector<std::string> lines_{};
  std::map<std::string, std::string> pages_{};
  std::map<std::string, std::string> secrets_{};  // by locator
  std::string page_{};
  std::string last_page_ = "page";
  std::size_t last_input_ = static_cast<std::size_t>(-1);
  int choosers_ = 0;
};

void Writer::navigate(const Json& args) {
  const auto url = args.value("url", "");
  if (shown_url(url) != url) throw LeftOut{"its URL has a secret in it: open it in the test by a variable of yours"};
  input(fmt::format(
      "{}.goto({})", page_,
      literal(url.find("://") == std::string::npos && !url.starts_with("about:") ? "https://" + url : url)));
}

void Writer::click(const RecordedAction& action) {
  const auto& args = action.args;
  std::vector<std::string> options;
  const bool twice = args.value("doubleClick", false) || args.value("clickCount", 1) == 2;
  if (args.value("button", "left") != "left")
    options.push_back("button: " + literal(args["button"].get<std::string>()));
  if (!twice && args.value("clickCount", 1) > 1) options.push_back("clickCount: " + args["clickCount"].dump());
  if (args.contains("modifiers") && !args["modifiers"].empty()) {
    std::string names;
    for (const Json& one : args["modifiers"]) names += (names.empty() ? "" : ", ") + literal(one.get<std::string>());
    options.push_back("modifiers: [" + names + "]");
  }
  if (args.contains("position")) options.push_back("position: " + point(args["position"]));
  input(fmt::format("{}.{}({})", locator(action, args.value("target", "")), twice ? "dblclick" : "click",
                    options_of(options)));
}

void Writer::drag(const RecordedAction& action) {
  const auto& args = action.args;
  if (args.contains("path")) throw LeftOut{"a drag along a path"};
  const auto to = args.value("endTarget", "");
  std::vector<std::string> options;
  if (args.contains("startPosition")) options.push_back("sourcePosition: " + point(args["startPosition"]));
  if (args.contains("endPosition")) options.push_back("targetPosition: " + point(args["endPosition"]));
  const auto from = args.value("startTarget", "");
  const auto more = options_of(options);
  input(fmt::format("{}.dragTo({}{})", locator(action, from), locator(action, to.empty() ? from : to),
                    more.empty() ? "" : ", " + more));
}

void Writer::type(const RecordedAction& action) {
  const auto& args = action.args;
  const auto target = args.value("target", "");
  const auto field = locator(action, target);
  if (is_made_slider(target_of(action, target))) throw LeftOut{kMadeSlider};
  const auto text = value(args.at("text"), target_of(action, target));
  if (args.value("slowly", false)) {
    add(field + ".clear()");
    input(fmt::format("{}.pressSequentially({})", field, text));
  } else {
    input(fmt::format("{}.fill({})", field, text));
  }
  if (args.value("submit", false)) input(field + ".press('Enter')");
}

void Writer::fill_form(const RecordedAction& action) {
  for (const Json& field : action.args.at("fields")) {
    const auto target = field.value("target", "");
    const auto& element = target_of(action, target);
    const auto named = locator(action, target);
    const auto kind = field.value("type", "");
    const Json& given = field.at("value");
    if (kind == "checkbox" || kind == "radio" || (kind.empty() && is_switch(element))) {
      input(fmt::format("{}.setChecked({})", named, given == true || given == "true" ? "true" : "false"));
    } else if (element.made) {
      throw LeftOut{"a choice by a widget that is no <select>"};
    } else if (is_made_slider(element)) {
      throw LeftOut{kMadeSlider};
    } else if (element.tag == "select") {
      input(fmt::format("{}.selectOption({})", named, value(given, element)));
    } else {
      input(fmt::format("{}.fill({})", named, value(given, element)));
    }
  }
}

void Writer::upload(const RecordedAction& action) {
  const auto& args = action.args;
  std::string paths;
  for (const Json& path : args.value("paths", Json::array()))
    paths += (paths.empty() ? "" : ", ") + literal(path.get<std::string>());
  const auto target = args.value("target", "");
  if (!target.empty()) return input(fmt::format("{}.setInputFiles([{}])", locator(action, target), paths));
  if (last_input_ >= lines_.size()) throw LeftOut{"no line before it opens the chooser"};
  const std::string name = fmt::format("chooser{}", ++choosers_);
  before_input(fmt::format("const {}Promise = {}.waitForEvent('filechooser');", name, last_page_));
  add(fmt::format("(await {}Promise).setFiles([{}])", name, paths));
}

// A dialog is answered by who has listened before it opens.
void Writer::dialog(const Json& args) {
  if (last_input_ >= lines_.size()) throw LeftOut{"no line before it opens the dialog"};
  const auto text = args.value("promptText", "");
  const bool accept = args.value("accept", false);
  before_input(fmt::format("{}.once('dialog', (dialog) => dialog.{}({}));", page_, accept ? "accept" : "dismiss",
                           accept && !text.empty() ? literal(text) : ""));
}

void Writer::tabs(const RecordedAction& action) {
  if (action.args.value("action", "") == "close") return add(page_ + ".close()");
  const auto url = action.args.value("url", "");
  if (!url.empty()) navigate(action.args);
}

void Writer::wait_for(const Json& args) {
  if (args.contains("text"))
    add(fmt::format("expect({}.first()).toBeVisible()", shown_text(args["text"].get<std::string>())));
  if (args.contains("textGone"))
    add(fmt::format("expect({}).toHaveCount(0)", shown_text(args["textGone"].get<std::string>())));
  if (args.contains("url"))
    add(fmt::format("expect({}).toHaveURL(/{}/)", page_, escaped(args["url"].get<std::string>())));
  if (args.contains("selector")) {
    const auto selector = args["selector"].get<std::string>();
    const bool code = selector.starts_with("getBy") || selector.starts_with("locator(");
    add(fmt::format("{}.{}.first().waitFor({{ state: {} }})", page_,
                    code ? selector : "locator(" + literal(selector) + ")", literal(args.value("state", "visible"))));
  }
  if (args.contains("function")) add(fmt::format("{}.waitForFunction({})", page_, args["function"].get<std::string>()));
  if (args.contains("time")) add(fmt::format("{}.waitForTimeout({:.0f})", page_, args["time"].get<double>() * 1000));
  if (args.contains("request") || args.contains("response"))
    throw LeftOut{"a wait for a request: the test must begin it before the action"};
}

void Writer::verify(const RecordedAction& action) {
  const auto& args = action.args;
  const auto what = args.value("what", "");
  if (what == "text")
    return add(fmt::format("expect({}.first()).toBeVisible()", shown_text(args.at("text").get<std::string>())));
  if (action.targets.size() != 1) throw LeftOut{"its element could not be located"};
  const auto& element = action.targets.begin()->second;
  const auto named = page_ + "." + element.locator;
  if (what == "element") return add(fmt::format("expect({}).toBeVisible()", named));
  if (what == "list") {
    std::string items;
    for (const Json& item : args.at("items"))
      items += (items.empty() ? "" : "[\\s\\S]*") + escaped(item.get<std::string>());
    return add(fmt::format("expect({}).toContainText(/{}/)", named, items));
  }
  const Json& wanted = args.at("value");
  if (is_switch(element)) return add(fmt::format("expect({}).toBeChecked({{ checked: {} }})", named, wanted == "true"));
  if (element.tag == "select")
    return add(fmt::format("expect({}.locator('option:checked')).toHaveText({})", named, value(wanted, element)));
  const bool field = element.tag == "input" || element.tag == "textarea";
  add(fmt::format("expect({}).{}({})", named, field ? "toHaveValue" : "toHaveText", value(wanted, element)));
}

void Writer::mouse(const Json& args) {
  const auto kind = args.value("action", "");
  const auto at = [&](const char* x, const char* y) { return number(args.at(x)) + ", " + number(args.at(y)); };
  const auto button = args.value("button", "left");
  const auto options = button == "left" ? "" : "{ button: " + literal(button) + " }";
  if (args.contains("x") && kind != "click") add(fmt::format("{}.mouse.move({})", page_, at("x", "y")));
  if (kind == "click") {
    const auto count = args.value("clickCount", 1);
    input(fmt::format("{}.mouse.click({}, {{ button: {}, clickCount: {} }})", page_, at("x", "y"), literal(button),
                      count));
  } else if (kind == "drag") {
    add(page_ + ".mouse.down()");
    add(fmt::format("{}.mouse.move({}, {{ steps: 5 }})", page_, at("endX", "endY")));
    input(page_ + ".mouse.up()");
  } else if (kind == "down" || kind == "up") {
    input(fmt::format("{}.mouse.{}({})", page_, kind, options));
  } else if (kind == "wheel") {
    add(fmt::format("{}.mouse.wheel({}, {})", page_, args.value("deltaX", 0.0), args.value("deltaY", 0.0)));
  }
}

void Writer::line(const RecordedAction& action) {
  const auto& tool = action.tool;
  const auto& args = action.args;
  const auto target = args.value("target", "");
  if (tool == "browser_navigate") return navigate(args);
  if (tool == "browser_navigate_back") return input(page_ + ".goBack()");
  if (tool == "browser_navigate_forward") return input(page_ + ".goForward()");
  if (tool == "browser_reload") return input(page_ + ".reload()");
  if (tool == "browser_click") return click(action);
  if (tool == "browser_drag") return drag(action);
  if (tool == "browser_type") return type(action);
  if (tool == "browser_fill_form") return fill_form(action);
  if (tool == "browser_file_upload") return upload(action);
  if (tool == "browser_handle_dialog") return dialog(args);
  if (tool == "browser_tabs") return tabs(action);
  if (tool == "browser_wait_for") return wait_for(args);
  if (tool == "browser_verify") return verify(action);
  if (tool == "browser_mouse") return mouse(args);
  if (tool == "browser_press_key")
    return input(fmt::format("{}.keyboard.press({})", page_, literal(args.value("key", ""))));
  if (tool == "browser_resize")
    return add(fmt::format("{}.setViewportSize({{ width: {}, height: {} }})", page_, args.at("width").dump(),
                           args.at("height").dump()));
  if (tool == "browser_hover") {
    const auto options = args.contains("position") ? "{ position: " + point(args["position"]) + " }" : "";
    return input(fmt::format("{}.hover({})", locator(action, target), options));
  }
  if (tool == "browser_select_option") {
    std::string values;
    for (const Json& one : args.at("values"))
      values += (values.empty() ? "" : ", ") + value(one, target_of(action, target));
    if (target_of(action, target).made) throw LeftOut{"a choice by a widget that is no <select>"};
    return input(fmt::format("{}.selectOption([{}])", locator(action, target), values));
  }
  if (tool == "browser_evaluate" && target.empty())
    return input(fmt::format("{}.evaluate({})", page_, args.value("function", "")));
  throw LeftOut{"there is no line for it"};
}

}  // namespace
}  // namespace script

TestScript test_script(const std::vector<RecordedAction>& actions, const std::string& test_id) {
  TestScript made;
  script::Writer writer(made);
  writer.write(actions);
  auto& text = made.text;
  text = "import { test, expect } from '@playwright/test';\n\n";
  if (test_id != "data-testid") text += "test.use({ testIdAttribute: " + script::literal(test_id) + " });\n\n";
  if (!made.variables.empty()) {
    text += "// Secrets are not in this file. Set before it runs:";
    for (const auto& name : made.variables) text += " " + name;
    text += "\n";
  }
  text += "test('recorded session', async ({ page, context }) => {\n";
  for (const auto& line : writer.lines()) text += "  " + line + "\n";
  text += "});\n";
  return made;
}

}  // namespace bridle
