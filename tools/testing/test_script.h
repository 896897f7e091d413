#pragma once

#include <string>
#include <vector>

#include "tools/scope/action_record.h"

namespace bridle {

// A session's actions as a test of @playwright/test.
struct TestScript {
  std::string text{};
  std::size_t actions = 0;               // that became lines
  std::vector<std::string> variables{};  // of the environment, which stand for secrets
  std::vector<std::string> left_out{};   // what no line stands for, and why
};
// `test_id`: the attribute that getByTestId() goes by.
TestScript test_script(const std::vector<RecordedAction>& actions, const std::string& test_id);

}  // namespace bridle
