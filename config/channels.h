#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bridle {

// A browser by the name that Playwright knows it by (--channel), and where Linux packages put it.
struct Channel {
  const char* name;
  const char* product;
  std::vector<const char*> programs;  // names to look for in PATH, or whole paths; the first that is there is taken
};
const std::vector<Channel>& channels();

// Null: there is none of that name.
const Channel* find_channel(std::string_view name);
// "chrome, chrome-beta, ..."
std::string channel_names();

}  // namespace bridle
