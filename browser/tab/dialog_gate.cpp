#include "browser/tab/dialog_gate.h"

namespace bridle {

bool DialogGate::on_event(std::string_view method, const Json& params) {
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

}  // namespace bridle
