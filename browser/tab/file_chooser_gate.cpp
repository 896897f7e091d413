#include "browser/tab/file_chooser_gate.h"

namespace bridle {

bool FileChooserGate::on_event(const std::string& session, std::string_view method, const Json& params) {
  if (!wants(method)) return false;
  const auto node = params.find("backendNodeId");
  open_ = FileChooser{++seq_, session, string_field(params, "frameId"),
                      node != params.end() && node->is_number_integer() ? node->get<long long>() : 0,
                      string_field(params, "mode") == "selectMultiple"};
  return true;
}

}  // namespace bridle
