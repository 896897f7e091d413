#pragma once

// Catch2 in the version that the system has: 2 is one header (Debian 12), 3 is a library (Debian 13). Nothing else
// includes Catch2. The matchers of text have one name for both: matchers::Contains means a part of a string.
#if __has_include(<catch2/catch_all.hpp>)

#include <catch2/catch_all.hpp>

using Catch::Approx;

namespace matchers {
using Catch::Matchers::EndsWith;
using Catch::Matchers::Matches;
using Catch::Matchers::StartsWith;
inline auto Contains(const std::string& part) { return Catch::Matchers::ContainsSubstring(part); }
}  // namespace matchers

#else

#include <catch2/catch.hpp>

namespace matchers {
using Catch::Contains;
using Catch::EndsWith;
using Catch::Matches;
using Catch::StartsWith;
}  // namespace matchers

#endif
