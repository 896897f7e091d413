#include "base/text/codecs.h"
#include "base/text/digest.h"
#include "tests/support/catch.h"

using namespace bridle;

TEST_CASE("base64: RFC 4648, section 10, and every byte") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foob") == "Zm9vYg==");
  CHECK(base64("fooba") == "Zm9vYmE=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64(std::string("\x00\xff\xfe\x3e", 4)) == "AP/+Pg==");
  CHECK(base64url(std::string("\x00\xff\xfe\x3e", 4)) == "AP_-Pg");
  std::string all;
  for (int i = 0; i < 256; ++i) {
    all += static_cast<char>(i);
    CHECK(from_base64(base64(all)) == all);
    CHECK(from_base64url(base64url(all)) == all);
  }
}

TEST_CASE("base64 is read strictly") {
  CHECK(from_base64("") == "");
  CHECK(from_base64("Zm9v") == "foo");
  // No whole group of four, padding in the wrong place or too much of it, another alphabet, stray bits.
  for (const char* text : {"Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Zm9v\n", "Zm9-", "Zh==", "Zm9="}) {
    CAPTURE(text);
    CHECK_FALSE(from_base64(text));
  }
  CHECK(from_base64url("") == "");
  CHECK(from_base64url("Zg") == "f");
  for (const char* text : {"Z", "Zg==", "Zm9+", "Zh", "Zm9"}) {
    CAPTURE(text);
    CHECK_FALSE(from_base64url(text));
  }
}

TEST_CASE("percent escapes, taken as they come") {
  CHECK(percent_decode_leniently("a%2Fb%c3%A9+") == "a/b\xC3\xA9+");
  CHECK(percent_decode_leniently("a+b%2B", true) == "a b+");
  CHECK(percent_decode_leniently("%") == "%");
  CHECK(percent_decode_leniently("%4") == "%4");
  CHECK(percent_decode_leniently("%g1%41") == "%g1A");
  CHECK(percent_decode_leniently("%-1") == "%-1");
  CHECK(percent_decode_leniently("%00") == std::string(1, '\0'));
  CHECK(percent_encode("a-._~Z9 /%\xC3\xA9") == "a-._~Z9%20%2F%25%C3%A9");
  CHECK(percent_decode(percent_encode("a b/c%41")) == "a b/c%41");
}

TEST_CASE("hex has two digits a byte") { CHECK(hex(std::string("\x00\x0f\xff", 3)) == "000fff"); }

TEST_CASE("SHA-1, SHA-256 and HMAC: the published vectors") {
  CHECK(hex(sha1("abc")) == "a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hex(sha256(std::string(1'000'000, 'a'))) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  // RFC 4231, cases 2 and 6.
  CHECK(hex(hmac_sha256("Jefe", "what do ya want for nothing?")) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(hex(hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First")) ==
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  CHECK(equal_constant_time("abc", "abc"));
  CHECK_FALSE(equal_constant_time("abc", "abd"));
  CHECK_FALSE(equal_constant_time("abc", "ab"));
}
