#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "browser/tab/tab_state.h"

namespace bridle {

// A file chooser that the page has opened and the browser doesn't show (Page.setInterceptFileChooserDialog): it waits
// for browser_file_upload. Kept until answered, replaced by the next one or gone with its document. What belongs to no
// file input (showOpenFilePicker and its like) is never open: the browser tells the page at once that it was cancelled.
// A pure state machine: no thread, no CDP command; its owner serialises access.
class FileChooserGate {
 public:
  bool on_event(const std::string& session, std::string_view method, const Json& params) {
    if (!wants(method)) return false;
    const auto node = params.find("backendNodeId");
    if (node == params.end() || !node->is_number_integer()) {
      ++cancelled_;
      return true;
    }
    open_ = FileChooser{++seq_, session, string_field(params, "frameId"), node->get<long long>(),
                        string_field(params, "mode") == "selectMultiple"};
    return true;
  }
  static bool wants(std::string_view method) { return method == "Page.fileChooserOpened"; }

  const std::optional<FileChooser>& open() const { return open_; }
  std::uint64_t seq() const { return seq_; }
  void reset() { open_.reset(); }
  // How many were cancelled since this was asked last.
  int take_cancelled() { return std::exchange(cancelled_, 0); }

 private:
  std::uint64_t seq_ = 0;
  std::optional<FileChooser> open_;
  int cancelled_ = 0;
};

}  // namespace bridle
