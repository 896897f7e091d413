// What the server lets its peers hold: connections of strangers, bytes of bodies.
#include "server/http/body_budget.h"
#include "server/http/connection_shares.h"
#include "tests/support/catch.h"

using namespace bridle;

TEST_CASE("connection shares: each stranger has a part, all together another, and places come back", "[wire.shares]") {
  ConnectionShares shares({.strangers = 5, .one_stranger = 2});
  auto first = shares.take("user 7");
  auto second = shares.take("user 7");
  CHECK((first && second));
  CHECK_FALSE(shares.take("user 7"));
  const auto another = shares.take("address 192.0.2.7");
  CHECK(another);
  first.reset();
  first = shares.take("user 7");
  CHECK(first);
  const auto third = shares.take("user 8");
  const auto fourth = shares.take("user 9");
  CHECK((third && fourth));
  CHECK(shares.strangers() == 5);
  CHECK_FALSE(shares.take("user 10"));
  second.reset();
  CHECK(shares.take("user 10"));
  CHECK(shares.strangers() == 4);
}

TEST_CASE("body budget: what doesn't fit takes nothing, and what ends gives back", "[wire.bodies]") {
  BodyBudget budget(10);
  {
    BodyBudget::Reservation one(budget);
    BodyBudget::Reservation other(budget);
    CHECK(one.grow(4));
    CHECK(other.grow(5));
    CHECK_FALSE(one.grow(2));
    CHECK(budget.used() == 9);
    CHECK(one.grow(1));
    CHECK(one.grow(0));
    CHECK_FALSE(other.grow(1));
    CHECK(budget.used() == 10);
  }
  CHECK(budget.used() == 0);
}
