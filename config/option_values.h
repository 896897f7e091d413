#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/concurrency/deadline.h"

// What the text of an option means, for the tables of options. Inside of config/. Each throws std::invalid_argument
// with what is wrong with the text.
namespace bridle {

long long option_number(const std::string& text, long long low, long long high);
// true, 1, yes or on; false, 0, no, off or nothing.
bool option_flag(const std::string& text);
// The last value, which must not be empty.
const std::string& option_text(const std::vector<std::string>& values);
// A number of bytes: 1000000, 500K, 256M, 5G (powers of 1024).
std::uintmax_t option_bytes(const std::string& text);
// The last value, from 1 ms to a day.
Millis option_millis(const std::vector<std::string>& values);

}  // namespace bridle
