// Which origins a page may be given files, take downloads and post forms to.
#include "tests/support/catch.h"
#include "tools/scope/origin_consents.h"

using namespace bridle;
using Consent = OriginConsents::Answer;

TEST_CASE("without --confirm nothing is asked; with it, what it names", "[consents] [tool.confirm]") {
  const OriginConsents none({});
  for (const auto kind : {ConsentKind::upload, ConsentKind::download, ConsentKind::submit})
    CHECK(none.look_up(kind, "https://a.example") == Consent::allowed);
  const OriginConsents some({"upload", "submit"});
  CHECK(some.look_up(ConsentKind::upload, "https://a.example") == Consent::unknown);
  CHECK(some.look_up(ConsentKind::submit, "https://a.example") == Consent::unknown);
  CHECK(some.look_up(ConsentKind::download, "https://a.example") == Consent::allowed);
}

TEST_CASE("an origin that the caller has named is allowed, and no other", "[consents] [tool.confirm]") {
  OriginConsents consents({"upload"});
  const auto allows = [&](const std::string& origin) {
    return consents.look_up(ConsentKind::upload, origin) == Consent::allowed;
  };
  consents.name("https://A.example:443/path?q=https://b.example");
  consents.name("about:blank");
  CHECK(allows("https://a.example"));
  CHECK_FALSE(allows("http://a.example"));
  CHECK_FALSE(allows("https://b.example"));
  CHECK_FALSE(allows("https://a.example:8443"));
  CHECK_FALSE(allows(""));
}

TEST_CASE("what the person has said holds for that origin and that kind", "[consents] [tool.confirm]") {
  OriginConsents consents({"upload", "submit"});
  consents.decide(ConsentKind::upload, "https://a.example", true);
  consents.decide(ConsentKind::submit, "https://a.example", false);
  CHECK(consents.look_up(ConsentKind::upload, "https://a.example") == Consent::allowed);
  CHECK(consents.look_up(ConsentKind::submit, "https://a.example") == Consent::denied);
  CHECK(consents.look_up(ConsentKind::upload, "https://b.example") == Consent::unknown);
}

TEST_CASE("what pages try is asked once, and a page can't have it asked hundreds of times", "[consents]") {
  OriginConsents consents({"submit"});
  CHECK_FALSE(consents.has_held());
  for (int i = 0; i < 100; ++i) consents.hold(ConsentKind::submit, "https://a" + std::to_string(i / 2) + ".example");
  CHECK(consents.has_held());
  const auto held = consents.take_held();
  REQUIRE(held.size() == 3);
  CHECK(held[0] == OriginConsents::Question{ConsentKind::submit, "https://a0.example"});
  CHECK(describe(held[1]) == "posting a form to https://a1.example");
  CHECK_FALSE(consents.has_held());
}

TEST_CASE("the origin of what a page made itself is its page's", "[consents]") {
  CHECK(content_origin("blob:https://a.example/0123") == "https://a.example");
  CHECK(content_origin("https://a.example/x") == "https://a.example");
  CHECK(content_origin("data:text/plain,x").empty());
  CHECK(content_origin("blob:null/0123").empty());
}
