#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bridle {

// What Chromium calls a permission that has this name on the web, as Playwright takes it ("clipboard-read"); none of a
// name that isn't known.
std::vector<std::string> chromium_permissions(std::string_view name);
// "accelerometer, ambient-light-sensor, ...": all that are known.
std::string permission_names();

}  // namespace bridle
