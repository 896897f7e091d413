#pragma once

#include <map>
#include <string>
#include <string_view>

namespace bridle::agent {

// Tells a run that goes round in circles: the same action with the same outcome on the page, again and again
// [agent.run.circles].
class Circles {
 public:
  static constexpr int kPointedOut = 3;
  static constexpr int kEnds = 6;

  // How often this action has had this outcome so far, this time included. What times a result tells don't count.
  int note(std::string_view tool, std::string_view arguments, std::string_view result);

 private:
  std::map<std::string, int> seen_;  // by a digest
};

}  // namespace bridle::agent
