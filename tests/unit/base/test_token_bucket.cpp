
#include "base/concurrency/token_bucket.h"
#include "tests/support/catch.h"

using namespace bridle;

TEST_CASE("token bucket: a burst, then so many a second, never more than the burst", "[wire.rate]") {
  TokenBucket bucket(3, 10);
  const auto begun = Clock::now();
  const auto at = [&](int ms) { return begun + std::chrono::milliseconds(ms); };
  for (int i = 0; i < 3; ++i) CHECK(bucket.take(at(0)));
  CHECK_FALSE(bucket.take(at(50)));
  CHECK(bucket.take(at(150)));
  CHECK_FALSE(bucket.take(at(150)));
  for (int i = 0; i < 3; ++i) CHECK(bucket.take(at(10'000)));
  CHECK_FALSE(bucket.take(at(10'000)));
}
