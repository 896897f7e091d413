#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "browser/tab/tab_state.h"

namespace bridle {

// The JavaScript dialog that is open. It blocks its page, so whoever waits for the page must check it first.
// A pure state machine: no thread, no CDP command; its owner serialises access.
class DialogGate {
 public:
  bool on_event(std::string_view method, const Json& params) {
    if (method == "Page.javascriptDialogOpening") {
      open_ = JavaScriptDialog{++seq_, string_field(params, "type"), string_field(params, "message"),
                               string_field(params, "defaultPrompt"), string_field(params, "url")};
      return true;
    }
    if (method == "Page.javascriptDialogClosed") {
      open_.reset();
      return true;
    }
    return false;
  }
  static bool wants(std::string_view method) { return method.starts_with("Page.javascriptDialog"); }

  const std::optional<JavaScriptDialog>& open() const { return open_; }
  // Counts openings: compare with an earlier value to learn whether one opened since.
  std::uint64_t seq() const { return seq_; }
  void reset() { open_.reset(); }

 private:
  std::uint64_t seq_ = 0;
  std::optional<JavaScriptDialog> open_;
};

}  // namespace bridle
