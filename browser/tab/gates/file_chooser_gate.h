#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "browser/tab/tab_state.h"

namespace bridle {

// A file chooser that the page has opened and the browser doesn't show (Page.setInterceptFileChooserDialog): it waits
// for browser_file_upload. Kept until answered, replaced by the next one or gone with its document.
// A pure state machine: no thread, no CDP command; its owner serialises access.
class FileChooserGate {
 public:
  bool on_event(const std::string& session, std::string_view method, const Json& params) {
    if (!wants(method)) return false;
    const auto node = params.find("backendNodeId");
    open_ = FileChooser{++seq_, session, string_field(params, "frameId"),
                        node != params.end() && node->is_number_integer() ? node->get<long long>() : 0,
                        string_field(params, "mode") == "selectMultiple"};
    return true;
  }
  static bool wants(std::string_view method) { return method == "Page.fileChooserOpened"; }

  const std::optional<FileChooser>& open() const { return open_; }
  std::uint64_t seq() const { return seq_; }
  void reset() { open_.reset(); }

 private:
  std::uint64_t seq_ = 0;
  std::optional<FileChooser> open_;
};

}  // namespace bridle
