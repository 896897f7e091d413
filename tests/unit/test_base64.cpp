#include "base/base64.h"
#include "tests/support/catch.h"

using bridle::base64;

TEST_CASE("base64: RFC 4648, section 10, and every byte") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foob") == "Zm9vYg==");
  CHECK(base64("fooba") == "Zm9vYmE=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64(std::string("\x00\xff\xfe\x3e", 4)) == "AP/+Pg==");
}
