// Which downloads an action of the caller has begun.
#include "tests/support/catch.h"
#include "tools/files/downloads/download_grants.h"

using namespace bridle;

TEST_CASE("without an action a page has no download; with one, as many as may run at once",
          "[download_grants] [tool.downloads.caller]") {
  DownloadGrants grants;
  CHECK_FALSE(grants.take("t1", 1));
  grants.begin_action("t1");
  CHECK_FALSE(grants.take("t2", 1));
  for (std::size_t i = 0; i < limits::kDownloadsAtOnce; ++i) CHECK(grants.take("t1", 1));
  CHECK_FALSE(grants.take("t1", 1));
  grants.begin_action("t1");
  CHECK(grants.take("t1", 2));  // the click may have led to another document first
  grants.end_action("t1");
  CHECK(grants.take("t1", 2));  // a page may prepare the file for a while
}

TEST_CASE("a navigation has one download, and none once another document is there",
          "[download_grants] [tool.downloads.caller]") {
  DownloadGrants grants;
  grants.begin_navigation("t1", 3);
  CHECK(grants.take("t1", 3));
  CHECK_FALSE(grants.take("t1", 3));
  grants.begin_navigation("t1", 3);
  CHECK_FALSE(grants.take("t1", 4));
  grants.end_navigation("t1", false);
  CHECK_FALSE(grants.take("t1", 3));
  grants.begin_navigation("t1", 3);
  grants.end_navigation("t1", true);  // it goes on loading
  CHECK(grants.take("t1", 3));
}

TEST_CASE("a navigation takes back what the action before it had granted", "[download_grants]") {
  DownloadGrants grants;
  grants.begin_action("t1");
  grants.begin_navigation("t1", 1);
  grants.end_navigation("t1", false);
  CHECK_FALSE(grants.take("t1", 2));
  // Each of them ends its own kind only.
  grants.begin_action("t1");
  grants.end_navigation("t1", false);
  CHECK(grants.take("t1", 2));
}

TEST_CASE("a tab that opens after an action shares its grant", "[download_grants] [tool.downloads.caller]") {
  DownloadGrants grants;
  grants.tab_opened("t0");
  CHECK_FALSE(grants.take("t0", 0));
  grants.begin_action("t1");
  grants.tab_opened("t2");
  grants.tab_opened("t3");
  CHECK(grants.take("t2", 0));
  CHECK(grants.take("t3", 0));
  CHECK(grants.take("t1", 0));
  CHECK(grants.take("t2", 0));
  CHECK_FALSE(grants.take("t3", 0));
}
