#include "tools/core/acting/forms.h"

#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "base/text/log.h"
#include "base/text/named_secrets.h"
#include "browser/page/input/slider.h"
#include "browser/page/input/typing.h"
#include "browser/page/world/world.h"
#include "config/network/origin_rules.h"
#include "tools/contract/schema.h"
#include "tools/core/acting/choose.h"
#include "tools/core/given_files.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

// Of a text that is typed slowly so many keys wait for the frame after the one before, each for so long at most.
constexpr std::size_t kPacedKeys = 32;
constexpr Millis kKeyPace{100};
constexpr Millis kFocusTimers{200};  // that a field may set when it gets the focus; a person's first key comes later

// What is to be typed: what was given, with the values of the secrets that it names. The value of a secret goes to the
// origins that it is for alone, and by script [tool.secrets.origins].
TextToType to_type(PageCall& call, const ReadyElement& element, const std::string& given) {
  TextToType typed{.text = with_named_secrets(given), .shown = shown_for_named_secret(given)};
  for (const auto& name : named_secrets_in(given)) {
    const auto& places = call.settings().secret_places;
    const auto place = places.find(name);
    if (place == places.end()) continue;
    typed.by_script = true;
    // As the document's own world tells it, of the frame that the element is in.
    const auto origin = page_call(call.ctx(), call.tab(), element.frame, page::PageInfo{}).origin;
    if (place->second.holds(origin)) continue;
    throw ToolError(
        fmt::format("The secret {} may be typed on {} alone, and {} is on {}. Nothing was typed.", name,
                    fmt::join(place->second.listed, ", "), element.describe,
                    network_origin(origin).empty() ? "a page without an origin of its own" : loggable(origin, 200)));
  }
  return typed;
}

// `set slider "Volume" to 20`
std::string move(PageCall& call, const ReadyElement& element, double wanted) {
  call.effects.if_cancelled("");
  bool moved = false;
  const auto before_each = [&] {
    call.check_may_act(element.frame);  // the keys go to whichever page is there by then
    if (!std::exchange(moved, true)) call.effects.record("moved " + element.describe + " by keys");
  };
  auto words = move_slider(call.ctx(), call.tab(), element, wanted, before_each);
  if (moved) call.effects.drop_last();
  call.effects.record(words);
  return words;
}

bool is_form_field(const ReadyElement& element) {
  return element.tag == "input" || element.tag == "textarea" || element.tag == "select";
}

// An editor may do by a timer what it does when it gets the focus, and hears of no text before that: a person's first
// key comes later. What takes no text is left to fill_element(), which says why.
void focus_editor(PageCall& call, const ReadyElement& element) {
  if (is_form_field(element) || element.made || element.role == "slider") return;
  try {
    element_call(call.ctx(), call.tab(), element.frame, page::FocusForTyping{.target = element.name(), .clear = false});
  } catch (const ToolError&) {
    return;
  }
  call.wait_for_timers(kFocusTimers);
}

// `typed into textbox "Name"`. A secret is told by its name, never by its value.
std::string typed_words(const ReadyElement& element, const TextToType& typed) {
  return "typed " + (typed.shown.empty() ? "" : typed.shown + " ") + "into " + element.describe;
}

// Puts a text in key by key. The keys go to whichever page is there by then. One that moves the focus on does so in its
// next frame, as the fields of a code do, which a person's next key never comes before [tool.type.slowly].
std::string fill_slowly(PageCall& call, const ReadyElement& element, const TextToType& typed) {
  const auto& text = typed.text;
  const auto focus = element_call(call.ctx(), call.tab(), element.frame,
                                  page::FocusForTyping{.target = element.name(), .clear = true});
  call.effects.if_cancelled("typed part of a text into " + element.describe);
  // A field with a mask puts its caret behind the focus, and so does one that selects what it holds.
  call.wait_for_timers(kFocusTimers);
  if (focus.select_all) press_key(call.ctx(), call.tab(), "Control+A");
  if (text.empty() && (!focus.empty || focus.select_all)) press_key(call.ctx(), call.tab(), "Delete");
  std::size_t keys = 0;
  type_slowly(call.ctx(), call.tab(), text, [&] {
    call.check_may_act(element.frame);
    if (++keys > 1 && keys <= kPacedKeys) try_page_call(call.ctx().within(kKeyPace), call.tab(), page::Frames{.n = 1});
  });
  call.effects.if_cancelled("");
  const auto ended = try_page_call(call.ctx(), call.tab(), page::EndKeys{}, element.frame);
  auto words = typed_words(element, typed);
  if (ended && ended->ok && !ended->astray.empty())
    words = fmt::format("typed for {}, but {} had taken the focus and got the keys", element.describe, ended->astray);
  else if (ended && ended->ok && ended->kept && !text.empty())
    words += ", but it took none of the keys";
  call.effects.record(words);
  return words;
}

// Puts a text in at once. What was done, in words.
std::string fill(PageCall& call, const ReadyElement& element, const TextToType& typed) {
  // A part of a date, which its page makes of the keys and not of a text.
  if (element.role == "spinbutton" && !is_form_field(element) && !typed.by_script)
    return fill_slowly(call, element, typed);
  call.effects.if_cancelled("may have typed into " + element.describe);
  if (!typed.by_script) focus_editor(call, element);
  const auto filled = fill_element(call.ctx(), call.tab(), element, typed, element.frame == call.tab().main_frame());
  if (filled.slider) return move(call, element, *filled.slider);
  // The fields of a code: a person's next keys go to the next one.
  if (filled.moved_on) return fill_slowly(call, element, typed);
  call.effects.if_cancelled("");
  const auto words = typed_words(element, typed);
  call.effects.record(words);
  if (filled.kept_out) return words + ", but the page kept the text out";
  if (filled.most > 0)
    return fmt::format("{}, which takes {} character{}: the rest was left out", words, filled.most,
                       filled.most == 1 ? "" : "s");
  return words;
}

std::string as_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string quoted_labels(const std::vector<page::ChosenOption>& options) {
  std::string labels;
  for (const auto& option : options)
    labels += (labels.empty() ? "" : ", ") + ("\"" + loggable(option.label, 80) + "\"");
  return labels.empty() ? "nothing" : labels;
}

// `selected "Large" in combobox "Size"`
std::string select(PageCall& call, const ReadyElement& element, const Json& values) {
  page::Select function{.target = element.name(), .values = {}};
  for (const auto& value : values) function.values.push_back(as_text(value));
  if (element.made) return choose(call, element, function.values);
  call.effects.if_cancelled("may have selected in " + element.describe);
  const auto result = element_call(call.ctx(), call.tab(), element.frame, function);
  call.effects.if_cancelled("");
  if (result.by_widget) return choose(call, element, function.values);
  auto words = fmt::format("selected {} in {}", quoted_labels(result.selected), element.describe);
  if (!result.changed) words += " (as it was)";
  if (!result.now.empty()) words += fmt::format("; the page has set it to {} since", quoted_labels(result.now));
  call.effects.record(words);
  return words;
}

void type_tool(PageCall& call, const Arguments& args) {
  const auto element = call.ready(args.text("target"), "type");
  const auto typed = to_type(call, element, args.text("text"));
  if (typed.by_script && args.flag("slowly"))
    throw ToolError("A secret that is for some origins only is put in at once: leave slowly out. Nothing was typed.");
  call.begin_action(element.frame, TimerWatch::Before::script);
  // A slider takes no text key by key: it is set to a number as a whole.
  if (args.flag("slowly") && element.role != "slider") {
    call.response.result(fill_slowly(call, element, typed));
  } else {
    call.response.result(fill(call, element, typed));
  }
  const bool submit = args.flag("submit");
  if (submit) {
    call.effects.record("pressed Enter");
    press_key(call.ctx(), call.tab(), "Enter");
    call.response.result("pressed Enter");
  }
  const bool watched = !submit && element.frame == call.tab().main_frame();
  call.finish_action(watched ? ActionInput::watched : ActionInput::plain);
}

void select_option_tool(PageCall& call, const Arguments& args) {
  const auto element = call.ready(args.text("target"), "select");
  call.begin_action(element.frame, element.made ? TimerWatch::Before::input : TimerWatch::Before::script);
  call.response.result(select(call, element, args.at("values")));
  call.finish_action();
}

// --- browser_fill_form

bool as_checked(const Json& value, const std::string& named) {
  if (value.is_boolean()) return value.get<bool>();
  const auto words = value.is_string() ? value.get<std::string>() : value.dump();
  if (words == "true" || words == "false") return words == "true";
  throw ToolError(fmt::format("The value of {} must be true or false, not {}.", named, loggable(value.dump(), 80)));
}

// A <select>, a styled widget that stands for one, or one that is made of other elements. A combobox that is a field
// may be meant to be typed into.
bool is_choice(const ReadyElement& element, const std::string& type) {
  if (element.made) return true;
  if (element.tag == "input" || element.tag == "textarea") return type == "combobox" && element.role == "combobox";
  return element.tag == "select" || type == "combobox" || element.role == "combobox" || element.role == "listbox";
}

std::string check(PageCall& call, const ReadyElement& element, const Json& value) {
  const bool wanted = as_checked(value, element.describe);
  const page::SetChecked function{.target = element.name(), .checked = wanted};
  const auto state = element_call(call.ctx(), call.tab(), element.frame, function);
  const auto words = (wanted ? "checked " : "unchecked ") + state.describe;
  if (!state.needs_click) return words + " (as it was)";
  call.click(element.name(), {}, [&](const ReadyElement&) { return words; });
  const auto after = element_call(call.ctx(), call.tab(), element.frame, function);
  if (after.needs_click)
    throw ToolError(state.describe + " was clicked, but the page keeps it " + (wanted ? "unchecked." : "checked."));
  return words;
}

// A list or a calendar that a field before opened may lie over the next one, and many go only as a person leaves that
// field: by the Tab key.
void leave_field_over(PageCall& call, const ReadyElement& next) {
  const auto found = element_call(call.ctx(), call.tab(), next.frame, page::LeaveFieldOver{.target = next.name()});
  if (!found.focused) return;
  call.check_may_act(next.frame);  // the key goes to whichever page is there by then
  press_key(call.ctx(), call.tab(), "Tab");
}

// A combobox that takes only what is chosen lets go of a typed text as the focus goes on, and no other line would tell.
void tell_lost_texts(PageCall& call, const std::vector<std::pair<ReadyElement, std::string>>& typed) {
  for (const auto& [element, text] : typed) {
    const auto found =
        try_page_call(call.ctx(), call.tab(), page::LostText{.target = element.name(), .text = text}, element.frame);
    if (found && found->ok && found->lost)
      call.response.result(element.describe +
                           " is empty again: it takes what is chosen from its list (browser_select_option)");
  }
}

void fill_form_tool(PageCall& call, const Arguments& args) {
  const auto fields = args.objects("fields");
  std::vector<std::pair<ReadyElement, std::string>> typed_into;
  std::size_t done = 0;
  try {
    for (const auto& field : fields) {
      const auto target = field.text("target");
      const Json& value = field.at("value");
      const auto type = field.text("type");
      const auto found = call.ready(target, "field");
      leave_field_over(call, found);
      std::string words;
      if (type == "checkbox" || type == "radio" || (type.empty() && found.checks)) {
        call.begin_action(found.frame);
        words = check(call, found, value);
      } else {
        const bool choice = is_choice(found, type);
        const auto element = call.ready(target, choice ? "select" : "type");
        const auto typed = choice ? TextToType{} : to_type(call, element, as_text(value));
        call.begin_action(element.frame);
        if (choice) {
          words = select(call, element, value.is_array() ? value : Json::array({as_text(value)}));
        } else {
          words = fill(call, element, typed);
          if (element.role == "combobox" && !typed.by_script) typed_into.emplace_back(element, typed.text);
        }
      }
      call.response.result(words);
      ++done;
    }
  } catch (const ToolError& error) {
    const auto& failed = fields[done];
    // The page's reaction to what was done is told at the next call; what was done stands in the result.
    throw ToolError(fmt::format("field {} of {} (\"{}\"): {}{}", done + 1, fields.size(),
                                loggable(failed.text(failed.has("name") ? "name" : "target"), 80), error.what(),
                                done > 0               ? " The fields before it are filled."
                                : call.effects.empty() ? " Nothing was filled."
                                                       : ""));
  }
  tell_lost_texts(call, typed_into);
  call.finish_action();
}

// --- browser_file_upload

void set_files(PageCall& call, const std::vector<std::filesystem::path>& files, Json params,
               const std::string& session) {
  params["files"] = readable_paths(call, files);
  call.effects.if_cancelled("may have given it the files " + file_names(files));
  call.tab().call(call.ctx(), "DOM.setFileInputFiles", params, limits::kCdpCommand, session);
  call.effects.if_cancelled("");
  call.effects.record("uploaded " + file_names(files));
}

void upload_to_target(PageCall& call, const std::string& target, const std::vector<std::filesystem::path>& files) {
  const auto element = call.ready(target, "file");
  const auto object = page_file_input(call.ctx(), call.tab(), element.frame, element.name());
  const auto input = page_call_on(call.ctx(), call.tab(), element.frame, object, page::FileInputState{});
  throw_if_failed(input);
  if (files.size() > 1 && !input.multiple)
    throw ToolError(fmt::format("{} takes one file, not {}.", input.describe, files.size()));
  confirm_upload(call, element.frame, files);
  const auto session = call.tab().frame_session(element.frame);
  call.begin_action(element.frame);
  if (files.empty()) {
    call.effects.record("emptied " + input.describe);
    page_call_on(call.ctx(), call.tab(), element.frame, object, page::ClearFiles{});
  } else {
    set_files(call, files, {{"objectId", object}}, session);
  }
  release_object(call.tab(), element.frame, object);
  call.response.result(files.empty() ? "emptied " + input.describe
                                     : fmt::format("gave {} to {}", file_names(files), input.describe));
}

void upload_to_chooser(PageCall& call, const std::vector<std::filesystem::path>& files) {
  const auto chooser = call.tab().file_chooser();
  if (!chooser) {
    throw ToolError(
        "No file chooser is open. Give the file input, its label or its button as target, or click what opens the "
        "chooser first.");
  }
  if (files.size() > 1 && !chooser->multiple)
    throw ToolError(fmt::format("The open file chooser takes one file, not {}.", files.size()));
  confirm_upload(call, chooser->frame_id, files);
  call.check_may_act(chooser->frame_id);
  call.begin_action();
  if (files.empty()) {
    call.response.result("the file chooser was cancelled");
  } else {
    try {
      set_files(call, files, {{"backendNodeId", chooser->backend_node_id}}, chooser->session);
    } catch (const CdpError&) {
      call.tab().close_file_chooser();
      throw ToolError("The file input whose chooser was open is no longer on the page. Open the chooser again.");
    }
    call.response.result("gave " + file_names(files) + " to the file chooser");
  }
}

void file_upload_tool(PageCall& call, const Arguments& args) {
  const auto target = args.text("target");
  const auto files = files_to_upload(call, args.texts("paths"));
  if (target.empty()) {
    upload_to_chooser(call, files);
  } else {
    upload_to_target(call, target, files);
  }
  call.tab().close_file_chooser();
  call.finish_action();
}

}  // namespace

std::vector<ToolSpec> form_tools(const BrowserSettings&) {
  Json value{{"type", Json::array({"string", "boolean"})}, {"description", "Text, label or true/false"}};
  const Json field =
      schema::unlisted(schema::object({{"target", schema::element()},
                                       {"name", schema::text()},
                                       {"type", schema::choice({"textbox", "checkbox", "radio", "combobox", "slider"})},
                                       {"value", std::move(value), true}}),
                       {{"required", Json::array({"target", "value"})}});
  return {{.name = "browser_type",
           .title = "Type",
           .description = "Fill a field with text, replacing what is there.",
           .input_schema = schema::object({schema::target(),
                                           {"text", schema::text(), true},
                                           {"submit", schema::boolean("Then press Enter")},
                                           {"slowly", schema::boolean("Key by key")},
                                           schema::tab()}),
           .destructive = true,
           .queues = true,
           .handler = page_tool("browser_type", kActs, type_tool)},
          {.name = "browser_fill_form",
           .title = "Fill form",
           .description = "Fill several fields: texts, selects, checkboxes, radios.",
           .input_schema = schema::object({{"fields", schema::list(field, nullptr, 1), true}, schema::tab()}),
           .destructive = true,
           .queues = true,
           .handler = page_tool("browser_fill_form", kActs, fill_form_tool)},
          {.name = "browser_select_option",
           .title = "Select",
           .description = "Choose in a select or combobox by value or label.",
           .input_schema =
               schema::object({schema::target(), {"values", schema::list(schema::text()), true}, schema::tab()}),
           .destructive = true,
           .queues = true,
           .handler = page_tool("browser_select_option", kActs, select_option_tool)},
          {.name = "browser_file_upload",
           .title = "Upload",
           .description = "Give files to an input (target it, its label or button) or the open chooser.",
           .input_schema =
               schema::object({{"paths", schema::unlisted(schema::list(schema::text()), {{"maxItems", kFilesGiven}})},
                               schema::optional_target(),
                               schema::tab()}),
           .destructive = true,
           .queues = true,
           .handler = page_tool("browser_file_upload", kActs, file_upload_tool)}};
}

}  // namespace bridle
