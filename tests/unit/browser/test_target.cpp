#include "browser/page/target.h"
#include "tests/support/catch.h"

using namespace bridle;

TEST_CASE("a ref is known however it is written", "[target] [tool.target]") {
  for (const char* form : {"e12", " e12 ", "@e12", "ref=e12", "[ref=e12]", "button \"Save\" [ref=e12]",
                           "- button \"[ref=e3]\" [disabled] [ref=e12] [cursor=pointer]: text"}) {
    CAPTURE(form);
    CHECK(ref_in(form) == "e12");
  }
  CHECK(ref_in("f1e3") == "f1e3");
  CHECK(ref_in("[ref=f12e3]") == "f12e3");
  for (const char* other : {"", "e", "f", "f1", "f1e", "fe1", "ex12", "e12x", "#e12", "@", "ref=", "[ref=]", "[ref=e12",
                            "[ref=x]", "text=e12", "article.e12"}) {
    CAPTURE(other);
    CHECK(ref_in(other).empty());
  }
}
