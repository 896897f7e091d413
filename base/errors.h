#pragma once

#include <stdexcept>
#include <string>

namespace bridle {

// What a tool tells the model went wrong: what happened, to what, what to do next. Becomes a result with
// `isError`; its text is shown as it is.
class ToolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace bridle
