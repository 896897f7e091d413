#pragma once

#include <string_view>
#include <utility>

#include "browser/cdp/message.h"

namespace bridle {

// A native drag that was intercepted (Input.setInterceptDrags): what it carries, for Input.dispatchDragEvent.
// A pure state machine: no thread, no CDP command; its owner serialises access.
class DragGate {
 public:
  bool on_event(std::string_view method, const Json& params) {
    if (!wants(method)) return false;
    if (const auto data = params.find("data"); data != params.end()) data_ = *data;
    return true;
  }
  static bool wants(std::string_view method) { return method == "Input.dragIntercepted"; }

  bool intercepted() const { return !data_.is_null(); }
  Json take() { return std::exchange(data_, Json()); }

 private:
  Json data_;
};

}  // namespace bridle
