#include "tools/scope/action_record.h"

#include <set>
#include <string_view>
#include <utility>

#include "base/limits.h"
#include "browser/page/input/locator.h"
#include "tools/scope/page_call.h"

namespace bridle {
namespace {

bool is_action(const std::string& tool) {
  static const std::set<std::string_view> kActions{
      "browser_navigate",      "browser_navigate_back", "browser_navigate_forward",
      "browser_reload",        "browser_click",         "browser_hover",
      "browser_drag",          "browser_type",          "browser_press_key",
      "browser_fill_form",     "browser_select_option", "browser_file_upload",
      "browser_handle_dialog", "browser_tabs",          "browser_resize",
      "browser_wait_for",      "browser_verify",        "browser_evaluate",
      "browser_scroll",        "browser_mouse",         "browser_drop"};
  return kActions.contains(tool);
}

// Takes out what was typed into, or compared with, fields of secrets.
void hide_secrets(RecordedAction& action) {
  const auto is_secret = [&](const Json& args) {
    const auto found = action.targets.find(args.value("target", ""));
    return found != action.targets.end() && found->second.secret;
  };
  auto& args = action.args;
  if (is_secret(args)) {
    for (const char* name : {"text", "value"}) {
      if (args.contains(name)) args[name] = nullptr;
    }
  }
  if (!args.contains("fields")) return;
  for (Json& field : args["fields"]) {
    if (is_secret(field)) field["value"] = nullptr;
  }
}

}  // namespace

Json to_json(const RecordedAction& action) {
  Json targets = Json::object();
  for (const auto& [name, target] : action.targets) {
    targets[name] = {{"locator", target.locator}, {"describe", target.describe},    {"tag", target.tag},
                     {"role", target.role},       {"inputType", target.input_type}, {"secret", target.secret},
                     {"made", target.made}};
  }
  return {{"tool", action.tool},
          {"arguments", action.args},
          {"targets", std::move(targets)},
          {"tab", action.tab},
          {"popup", action.popup}};
}

RecordedAction recorded_action(const Json& json) {
  RecordedAction action{.tool = string_in(json, "tool"),
                        .args = object_in(json, "arguments"),
                        .tab = string_in(json, "tab"),
                        .popup = json.value("popup", Json()) == true};
  for (const auto& [name, target] : object_in(json, "targets").items()) {
    action.targets[name] = {.locator = string_in(target, "locator"),
                            .describe = string_in(target, "describe"),
                            .tag = string_in(target, "tag"),
                            .role = string_in(target, "role"),
                            .input_type = string_in(target, "inputType"),
                            .secret = target.value("secret", Json()) == true,
                            .made = target.value("made", Json()) == true};
  }
  return action;
}

bool prepare_for_record(RecordedAction& action) {
  if (!is_action(action.tool)) return false;
  hide_secrets(action);
  return true;
}

void ActionRecord::add(RecordedAction action) {
  if (!prepare_for_record(action)) return;
  const auto bytes = dump(action.args).size();
  MutexLock lock(mutex_);
  if (actions_.size() >= limits::kRecordedActions || bytes_ + bytes > limits::kRecordedBytes) {
    full_ = true;
    return;
  }
  bytes_ += bytes;
  actions_.push_back(std::move(action));
}

std::vector<RecordedAction> ActionRecord::all() const {
  MutexLock lock(mutex_);
  return actions_;
}

bool ActionRecord::is_full() const {
  MutexLock lock(mutex_);
  return full_;
}

// Before the action, as its element may be gone after it. What can't be located is not recorded, and told at the
// export.
void PageCall::record_target(const ReadyElement& element) {
  const bool wanted = scope_->record() != nullptr || (ctx_.noted != nullptr && !scope_->is_isolated());
  if (!wanted) return;
  if (const auto known = recorded_targets_.find(element.target); known != recorded_targets_.end()) {
    known->second.made = known->second.made || element.made;  // a field is known to be chosen in only when it is
    return;
  }
  try {
    recorded_targets_[element.target] = {.locator = locate(ctx(), *tab_, element).playwright,
                                         .describe = element.describe,
                                         .tag = element.tag,
                                         .role = element.role,
                                         .input_type = element.input_type,
                                         .secret = element.secret,
                                         .made = element.made};
  } catch (const ToolError&) {
  } catch (const ScriptError&) {
  } catch (const DocumentGone&) {
  }
}

void PageCall::record(const std::string& tool, const Json& args) {
  auto* record = scope_->record();
  auto* noted = scope_->is_isolated() ? nullptr : ctx_.noted;
  if (record == nullptr && noted == nullptr) return;
  RecordedAction action{.tool = tool,
                        .args = args,
                        .targets = std::move(recorded_targets_),
                        .tab = tab_->id(),
                        .popup = !tab_->info().opener_id.empty()};
  if (noted != nullptr && prepare_for_record(action)) noted->push_back(to_json(action));
  if (record != nullptr) record->add(std::move(action));
}

}  // namespace bridle
