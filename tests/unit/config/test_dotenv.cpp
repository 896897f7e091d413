// Files of secrets.
#include <stdexcept>

#include "config/files/dotenv.h"
#include "tests/support/catch.h"
#include "tests/unit/support/parsed_options.h"
#include "tests/unit/support/temp_file.h"

using namespace bridle;
using matchers::Contains;

TEST_CASE("config: secrets are read as dotenv files are", "[config] [tool.secrets.file]") {
  const auto secrets = parse_dotenv(
      "# a comment\nPLAIN=value-1\n export SPACED = value 2 # why\nSINGLE='a # b'\nDOUBLE=\"x\\ny\\\"z\"\r\n"
      "MANY=`one\ntwo`\nEMPTY=\nPLAIN=last-wins\nEQ=a=b=c");
  CHECK(secrets == Secrets{{"PLAIN", "last-wins"},
                           {"SPACED", "value 2"},
                           {"SINGLE", "a # b"},
                           {"DOUBLE", "x\ny\"z"},
                           {"MANY", "one\ntwo"},
                           {"EMPTY", ""},
                           {"EQ", "a=b=c"}});
  const auto wrong = [](const char* text) -> std::string {
    try {
      parse_dotenv(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "taken";
  };
  CHECK(wrong("A=1\nhush") == "line 2 is not NAME=VALUE");
  CHECK(wrong("A='x\ny'\n\nB=\"hush") == "line 4 opens a quote that isn't closed");
  CHECK(wrong("=hush").find("line 1 has no name") == 0);
  CHECK_NOTHROW(check_secret("NAME", "abcd"));
  CHECK_THROWS_WITH(check_secret("NAME", "abc"), Contains("less than 4") && !Contains("abc,"));
  CHECK_THROWS(check_secret("a b", "abcd"));
}

TEST_CASE("config: a comment in a file of secrets says where those after it may be typed",
          "[config] [tool.secrets.origins]") {
  SecretPlaces places;
  parse_dotenv(
      "FREE=anywhere\n# origins: https://a.example, http://127.0.0.1:*\nUSER=ada\nPASS=p4ss\n# a comment\nMORE=more\n"
      "#ORIGINS: b.example\nOTHER=other\n# origins: *\nLAST=last\nUSER=ada2\n",
      &places);
  REQUIRE(places.size() == 3);  // of equal names the last counts, with its place
  CHECK(places.at("PASS").listed == std::vector<std::string>{"https://a.example", "http://127.0.0.1:*"});
  CHECK(places.at("MORE").rules.allows("http://127.0.0.1:81/x"));
  CHECK_FALSE(places.at("PASS").rules.allows("https://a.example.evil"));
  const auto wrong = [](const char* text) -> std::string {
    SecretPlaces ignored;
    try {
      parse_dotenv(text, &ignored);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "taken";
  };
  CHECK_THAT(wrong("A=1\n# origins:\n"), Contains("line 2 names no origin"));
  CHECK_THAT(wrong("# origins: https://*.example\n"), Contains("line 1") && Contains("no wildcards"));
  // What comes near to it is not passed over, which would let the values be typed everywhere.
  for (const char* near :
       {"A=1\n# origin: https://a.example\nB=hush\n", "A=1\n#Origins : https://a.example\nB=hush\n",
        "A=1\n## origins: https://a.example\nB=hush\n", "A=1\n# origins=https://a.example\nB=hush\n",
        "A=1\nB=hush # origins: https://a.example\n", "A=1\nB='hush' # origin: https://a.example\n",
        "A=1\n# origins: https://a.example\n", "A=1\n# origins: *\n# origins: b.example\nB=hush\n"}) {
    INFO(near);
    CHECK_THAT(wrong(near),
               Contains("line 2") && Contains("write `# origins: https://example.com` on a line") && !Contains("hush"));
  }
  CHECK(wrong("# original: x\nA=1\n# see origins, below\nB=2 # origin of it\n") == "taken");
  const TempFile file("# origins: https://a.example\nLOGIN=hush-hush\n");
  CHECK(parse({"--secrets", file.path()}).options->secret_places.contains("LOGIN"));
  CHECK(parse({"do", "x", "--secrets", file.path()}).options->secrets.contains("LOGIN"));
}
