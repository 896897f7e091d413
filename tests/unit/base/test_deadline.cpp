#include "base/concurrency/deadline.h"
#include "tests/support/catch.h"

using namespace bridle;
using namespace std::chrono_literals;

TEST_CASE("no deadline never expires", "[deadline]") {
  CHECK(Deadline::none().is_none());
  CHECK_FALSE(Deadline::none().expired());
  CHECK(Deadline::none().remaining() == Millis::max());
}

TEST_CASE("a deadline in the future remains, one in the past has expired", "[deadline]") {
  const auto future = Deadline::after(1h);
  CHECK_FALSE(future.is_none());
  CHECK_FALSE(future.expired());
  CHECK(future.remaining() <= 1h);
  CHECK(future.remaining() > 59min);
  const auto past = Deadline::at(Clock::now() - 1s);
  CHECK(past.expired());
  CHECK(past.remaining() == 0ms);
}

TEST_CASE("zero and negative spans have expired at once", "[deadline]") {
  for (const Millis span : {Millis(0), Millis(-1), Millis::min()}) {
    CAPTURE(span.count());
    CHECK(Deadline::after(span).expired());
    CHECK(Deadline::after(span).remaining() == 0ms);
  }
}

TEST_CASE("spans beyond the clock's range mean none, without overflow", "[deadline]") {
  const auto room = std::chrono::floor<Millis>(Clock::time_point::max() - Clock::now());
  CHECK(Deadline::after(Millis::max()).is_none());
  CHECK(Deadline::after(Millis::max() - 1ms).is_none());
  CHECK(Deadline::after(room + 1ms).is_none());
  CHECK_FALSE(Deadline::after(room - 1h).is_none());
  CHECK(Deadline::after(room - 1h).remaining() > 24h);
}

TEST_CASE("the clock's first moment is a deadline too", "[deadline]") {
  const auto first = Deadline::at(Clock::time_point::min());
  CHECK(first.expired());
  CHECK(first.remaining() == 0ms);
}

TEST_CASE("what remains is rounded up: never 0 while time is left", "[deadline]") {
  const auto soon = Deadline::at(Clock::now() + 1h + 1ns);
  CHECK(soon.remaining() >= 3'599'000ms);
  const auto deadline = Deadline::after(20ms);
  while (!deadline.expired()) {
    if (deadline.remaining() == 0ms) CHECK(deadline.expired());
  }
}

TEST_CASE("a child's deadline never exceeds its parent's", "[deadline]") {
  const auto soon = Deadline::after(1s);
  const auto later = Deadline::after(1h);
  CHECK(later.earlier(soon).when() == soon.when());
  CHECK(soon.earlier(later).when() == soon.when());
  CHECK(Deadline::none().earlier(soon).when() == soon.when());
  CHECK(soon.earlier(Deadline::none()).when() == soon.when());
  CHECK(Deadline::none().earlier(Deadline::none()).is_none());
}

TEST_CASE("a deadline may come later, but never from never", "[deadline]") {
  const auto soon = Deadline::after(1s);
  CHECK(soon.later(2s).when() == soon.when() + 2s);
  CHECK(soon.later(0s).when() == soon.when());
  CHECK(Deadline::none().later(1s).is_none());
  CHECK(soon.later(Clock::duration::max()).is_none());
  CHECK(Deadline::at(Clock::time_point::min()).later(1s).expired());
}
