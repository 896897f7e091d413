#include "tests/support/catch.h"
#include "tests/unit/support/tracker_support.h"

using namespace bridle;
using namespace bridle::testing;

TEST_CASE("nothing happened yet", "[navigation_tracker]") {
  const NavigationTracker tracker(kMain);
  CHECK(tracker.seq() == 0);
  CHECK(tracker.commit().seq == 0);
  CHECK(tracker.url().empty());
  CHECK_FALSE(tracker.navigation_pending());
  CHECK(tracker.pending_url().empty());
  CHECK(tracker.loader("L") == nullptr);
  CHECK(tracker.committed_loader().status == 0);
}

TEST_CASE("a page: pending until frameNavigated, then its URL, status and lifecycle", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  feed(tracker,
       {started("L1", "http://a/"), started_loading(), document_request("L1", "http://a/"), response("L1", 404)});
  CHECK(tracker.navigation_pending());
  CHECK(tracker.pending_url() == "http://a/");
  CHECK(tracker.url().empty());
  CHECK(tracker.commit().seq == 0);
  feed(tracker, committed("L1", "http://a/"));
  CHECK_FALSE(tracker.navigation_pending());
  CHECK(tracker.url() == "http://a/");
  CHECK(tracker.commit().loader_id == "L1");
  CHECK(tracker.commit().security_origin == "http://a");
  CHECK_FALSE(tracker.commit().is_error_page());
  CHECK(tracker.committed_loader().status == 404);
  CHECK_FALSE(tracker.committed_loader().dom_content_loaded);
  feed(tracker, lifecycle("L1", "DOMContentLoaded"));
  CHECK(tracker.committed_loader().dom_content_loaded);
  CHECK_FALSE(tracker.committed_loader().loaded);
  feed(tracker, {lifecycle("L1", "load"), lifecycle("L1", "networkIdle")});
  CHECK(tracker.committed_loader().loaded);
  CHECK(tracker.committed_loader().network_idle);
}

TEST_CASE("the fragment belongs to the URL", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  auto event = committed("L1", "http://a/page");
  event.params["frame"]["urlFragment"] = "#part";
  feed(tracker, event);
  CHECK(tracker.url() == "http://a/page#part");
}

TEST_CASE("sub-frames don't concern it", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  feed(tracker, whole_page("L1", "http://a/"));
  const auto seq = tracker.seq();
  for (const auto& event :
       {sub_frame_committed("http://evil/"), requested("http://evil/", "anchorClick", "currentTab", "CHILD"),
        started("LX", "http://evil/", "differentDocument", "CHILD"), within_document("http://evil/#x", "CHILD"),
        started_loading("CHILD"), stopped_loading("CHILD")}) {
    CAPTURE(event.method);
    CHECK_FALSE(feed(tracker, event));
  }
  CHECK(tracker.seq() == seq);
  CHECK(tracker.url() == "http://a/");
  CHECK_FALSE(tracker.navigation_pending());
}

TEST_CASE("redirects are the hops left behind, in order", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  feed(tracker, {started("L1", "http://a/1"), document_request("L1", "http://a/1"),
                 document_request("L1", "http://b/2", "http://a/1"), document_request("L1", "http://a/3", "http://b/2"),
                 response("L1", 200), committed("L1", "http://a/3")});
  CHECK(tracker.committed_loader().redirects == std::vector<std::string>{"http://a/1", "http://b/2"});
  CHECK(tracker.committed_loader().status == 200);
}

TEST_CASE("only the document's own request tells the loader's redirects and status", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  feed(tracker, {started("L1", "http://a/"), response("L1", 200), committed("L1", "http://a/")});
  auto image = document_request("L1", "http://a/x.png", "http://a/old.png");
  image.params["requestId"] = "R2";
  image.params["type"] = "Image";
  auto answer = response("L1", 500);
  answer.params["requestId"] = "R2";
  answer.params["type"] = "Image";
  feed(tracker, {image, answer});
  CHECK(tracker.committed_loader().redirects.empty());
  CHECK(tracker.committed_loader().status == 200);
}

TEST_CASE("a failed navigation stays pending until its error page commits", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  feed(tracker, {started("L1", "http://down/"), document_request("L1", "http://down/"),
                 failed("L1", "net::ERR_CONNECTION_REFUSED")});
  REQUIRE(tracker.loader("L1"));
  CHECK(tracker.loader("L1")->failed);
  CHECK(tracker.loader("L1")->error_text == "net::ERR_CONNECTION_REFUSED");
  CHECK(tracker.navigation_pending());
  feed(tracker, error_page("L1", "http://down/"));
  CHECK_FALSE(tracker.navigation_pending());
  CHECK(tracker.commit().is_error_page());
  CHECK(tracker.commit().unreachable_url == "http://down/");
}

TEST_CASE("an aborted one is over: nothing will commit", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  feed(tracker, whole_page("L1", "http://a/"));
  feed(tracker, {started("L2", "http://a/204"), document_request("L2", "http://a/204"), response("L2", 204),
                 failed("L2", "net::ERR_ABORTED")});
  CHECK_FALSE(tracker.navigation_pending());
  CHECK(tracker.url() == "http://a/");
  CHECK(tracker.loader("L2")->status == 204);
}

TEST_CASE("a failed image of the page is no failed navigation", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  feed(tracker, whole_page("L1", "http://a/"));
  const auto seq = tracker.seq();
  CHECK_FALSE(feed(tracker, failed("R77", "net::ERR_FAILED")));
  CHECK(tracker.seq() == seq);
  CHECK_FALSE(tracker.committed_loader().failed);
}

TEST_CASE("the late commit of an error page doesn't end the navigation that began meanwhile",
          "[navigation_tracker] [nav.error-page]") {
  NavigationTracker tracker(kMain);
  feed(tracker,
       {started("L1", "http://down/"), failed("L1", "net::ERR_CONNECTION_REFUSED"), started("L2", "http://up/")});
  feed(tracker, error_page("L1", "http://down/"));
  CHECK(tracker.navigation_pending());
  REQUIRE(tracker.started());
  CHECK(tracker.started()->loader_id == "L2");
  feed(tracker, committed("L2", "http://up/"));
  CHECK_FALSE(tracker.navigation_pending());
  CHECK(tracker.url() == "http://up/");
}

TEST_CASE("a commit ends what it superseded", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  feed(tracker, {started("L1", "http://slow/"), started("L2", "http://quick/"), committed("L2", "http://quick/")});
  CHECK_FALSE(tracker.navigation_pending());
  CHECK(tracker.url() == "http://quick/");
}

TEST_CASE("a request of the renderer is pending until it starts, goes elsewhere or is stopped",
          "[navigation_tracker] [nav.settled]") {
  NavigationTracker tracker(kMain);
  feed(tracker, whole_page("L1", "http://a/"));
  feed(tracker, requested("http://a/next"));
  REQUIRE(tracker.requested());
  CHECK(tracker.requested()->reason == "anchorClick");
  CHECK(tracker.navigation_pending());
  CHECK(tracker.pending_url() == "http://a/next");
  SECTION("it starts") {
    feed(tracker, started("L2", "http://a/next"));
    CHECK_FALSE(tracker.requested());
    CHECK(tracker.navigation_pending());
  }
  SECTION("it is within the document") {
    feed(tracker, within_document("http://a/#next"));
    CHECK_FALSE(tracker.navigation_pending());
    CHECK(tracker.url() == "http://a/#next");
  }
  SECTION("it came to nothing") {
    feed(tracker, {started_loading(), stopped_loading()});
    CHECK_FALSE(tracker.navigation_pending());
  }
  SECTION("it became a download") {
    feed(tracker, download("http://a/next"));
    CHECK_FALSE(tracker.navigation_pending());
  }
  SECTION("its owner gives it up") {
    tracker.forget_request();
    CHECK_FALSE(tracker.navigation_pending());
    CHECK(tracker.pending_url().empty());
  }
}

TEST_CASE("a request for another tab is none of this one", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  for (const char* disposition : {"newTab", "newWindow", "newForegroundTab", "newBackgroundTab", "download"}) {
    CAPTURE(disposition);
    feed(tracker, {"Page.frameScheduledNavigation",
                   {{"frameId", kMain}, {"url", "http://a/popup"}, {"reason", "anchorClick"}, {"delay", 0}}});
    feed(tracker, requested("http://a/popup", "anchorClick", disposition));
    CHECK_FALSE(tracker.navigation_pending());
  }
}

TEST_CASE("a refresh that is due is pending, a later one isn't", "[navigation_tracker] [nav.follow]") {
  NavigationTracker tracker(kMain);
  feed(tracker, whole_page("L1", "http://a/"));
  feed(tracker, scheduled("http://a/in-a-while", 5));
  CHECK_FALSE(tracker.navigation_pending());
  REQUIRE(tracker.refresh());
  CHECK(tracker.refresh()->url == "http://a/in-a-while");
  CHECK(tracker.refresh()->seconds == 5);
  feed(tracker, scheduled("http://a/now", 0));
  CHECK(tracker.navigation_pending());
  CHECK(tracker.pending_url() == "http://a/now");
  feed(tracker, schedule_cleared());
  CHECK_FALSE(tracker.navigation_pending());
  CHECK_FALSE(tracker.refresh());
}

TEST_CASE("a script that leads to another place in the document has no navigation pending",
          "[navigation_tracker] [nav.after-action]") {
  NavigationTracker tracker(kMain);
  feed(tracker, whole_page("L1", "http://a/app#list"));
  for (const char* within : {"http://a/app#sent", "http://a/app#"}) {
    CAPTURE(within);
    feed(tracker, scheduled(within, 0, "scriptInitiated"));
    CHECK_FALSE(tracker.navigation_pending());
    feed(tracker, {within_document(within), schedule_cleared()});
  }
  for (const char* elsewhere : {"http://a/app", "http://a/app?sent#list", "http://a/ap#list"}) {
    CAPTURE(elsewhere);
    feed(tracker, scheduled(elsewhere, 0, "scriptInitiated"));
    CHECK(tracker.navigation_pending());
    feed(tracker, schedule_cleared());
  }
  feed(tracker, scheduled("http://a/app#", 0, "reload"));
  CHECK(tracker.navigation_pending());
}

TEST_CASE("same-document navigations move the URL and commit nothing", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  feed(tracker, whole_page("L1", "http://a/"));
  const auto commit = tracker.commit().seq;
  const auto before = tracker.same_document_seq();
  feed(tracker, {started("L1", "http://a/#x", "sameDocument"), within_document("http://a/#x")});
  CHECK_FALSE(tracker.navigation_pending());
  CHECK(tracker.url() == "http://a/#x");
  CHECK(tracker.commit().seq == commit);
  CHECK(tracker.same_document_seq() > before);
  feed(tracker, {started("L1", "http://a/", "historySameDocument"), within_document("http://a/")});
  CHECK_FALSE(tracker.navigation_pending());
}

TEST_CASE("a download ends the navigation that it came from", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  feed(tracker, whole_page("L1", "http://a/"));
  feed(tracker, {started("L2", "http://a/file"), document_request("L2", "http://a/file"), download("http://a/file")});
  CHECK_FALSE(tracker.navigation_pending());
  REQUIRE(tracker.loader("L2"));
  CHECK(tracker.loader("L2")->is_download);
  CHECK(tracker.download_seq() > 0);
  CHECK(tracker.url() == "http://a/");
}

TEST_CASE("stopping to load doesn't end a navigation on its way", "[navigation_tracker]") {
  // The old page's frameStoppedLoading comes when the next navigation has begun.
  NavigationTracker tracker(kMain);
  feed(tracker, {started("L1", "http://a/"), started_loading(), stopped_loading()});
  CHECK(tracker.navigation_pending());
}

TEST_CASE("each event of interest advances seq, others don't", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  std::uint64_t last = 0;
  for (const auto& event : whole_page("L1", "http://a/")) {
    CAPTURE(event.method);
    CHECK(NavigationTracker::wants(event.method));
    CHECK(feed(tracker, event));
    CHECK(tracker.seq() > last);
    last = tracker.seq();
  }
  CHECK_FALSE(NavigationTracker::wants("Network.dataReceived"));
  CHECK_FALSE(NavigationTracker::wants("Runtime.consoleAPICalled"));
}

TEST_CASE("of loaders the newest few are kept, the committed one always", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  feed(tracker, whole_page("L0", "http://a/"));
  for (int i = 1; i <= 100; ++i) {
    const auto loader = "L" + std::to_string(i);
    feed(tracker, {started(loader, "http://a/204"), failed(loader, "net::ERR_ABORTED")});
  }
  CHECK(tracker.loader("L0") != nullptr);
  CHECK(tracker.committed_loader().loaded);
  CHECK(tracker.loader("L100") != nullptr);
  CHECK(tracker.loader("L1") == nullptr);
}

TEST_CASE("what was abandoned isn't pending any more, and failed as aborted", "[navigation_tracker]") {
  NavigationTracker tracker(kMain);
  feed(tracker, whole_page("L1", "http://a/"));
  feed(tracker, started("L2", "http://b/"));
  const auto seq = tracker.seq();
  tracker.abandon_pending();
  CHECK_FALSE(tracker.navigation_pending());
  CHECK(tracker.seq() > seq);
  REQUIRE(tracker.loader("L2"));
  CHECK(tracker.loader("L2")->error_text == "net::ERR_ABORTED");
  CHECK(tracker.url() == "http://a/");
}

TEST_CASE("a document that was there before us is adopted once, and never over a commit", "[navigation_tracker]") {
  NavigationTracker tracker{kMain};
  tracker.learn_document({{"id", kMain}, {"loaderId", "L0"}, {"url", "http://a/x"}, {"securityOrigin", "http://a"}});
  CHECK(tracker.url() == "http://a/x");
  CHECK(tracker.commit().security_origin == "http://a");
  CHECK_FALSE(tracker.navigation_pending());
  feed(tracker, whole_page("L1", "http://b/"));
  tracker.learn_document({{"id", kMain}, {"loaderId", "L0"}, {"url", "http://a/x"}});
  CHECK(tracker.url() == "http://b/");
}

TEST_CASE("a document that led on at once has committed, however late one looks", "[url_settle] [nav.follow]") {
  NavigationTracker tracker(kMain);
  feed(tracker, whole_page("L0", "http://a/"));
  const auto kind = GENERATE(CommitWatch::Kind::navigate, CommitWatch::Kind::history, CommitWatch::Kind::follow);
  const bool follows = kind == CommitWatch::Kind::follow;
  if (!follows) feed(tracker, started("L0.5", "http://older/"));
  CommitWatch watch(kind, tracker);
  const auto since = tracker.commit().seq;
  if (!follows) feed(tracker, error_page("L0.5", "http://older/"));  // a navigation of before ends late
  feed(tracker, {started("L1", "http://first/"), document_request("L1", "http://first/"),
                 document_request("L1", "http://first/now", "http://first/"), committed("L1", "http://first/now"),
                 requested("http://second/", "scriptInitiated"), started("L2", "http://second/"),
                 committed("L2", "http://second/"), started("L3", "http://third/")});
  if (kind == CommitWatch::Kind::navigate) watch.on_reply({.loader_id = "L1"});
  const auto decision = watch.decide(tracker);
  REQUIRE(decision);
  CHECK(decision->outcome == NavigationOutcome::committed);
  CHECK(watch.loader_id() == "L1");
  CHECK(tracker.trail_since(since, "L1") == std::vector<std::string>{"http://first/", "http://first/now"});
  const auto second = tracker.commit().seq;
  CHECK(tracker.trail_since(second, "").empty());
  feed(tracker, {committed("L3", "http://third/"), started("L4", "http://fourth/"), committed("L4", "http://fourth/")});
  CHECK(tracker.trail_since(second, "") == std::vector<std::string>{"http://third/"});
}

TEST_CASE("what failed and gave way to another has failed, however late one looks", "[url_settle]") {
  NavigationTracker tracker(kMain);
  feed(tracker, whole_page("L0", "http://a/"));
  CommitWatch watch(CommitWatch::Kind::navigate, tracker);
  feed(tracker, {started("L1", "http://gone/"), failed("L1", "net::ERR_CONNECTION_REFUSED"),
                 error_page("L1", "http://gone/"), started("L2", "http://second/"), committed("L2", "http://second/")});
  watch.on_reply({.loader_id = "L1"});
  const auto decision = watch.decide(tracker);
  REQUIRE(decision);
  CHECK(decision->outcome == NavigationOutcome::net_error);
  CHECK(decision->detail == "net::ERR_CONNECTION_REFUSED");
}

TEST_CASE("a link to another program, which is named",
          "[navigation_tracker] [url_settle] [nav.outcome.other-program]") {
  const auto decide = [](const std::string& url) {
    NavigationTracker tracker{kMain};
    feed(tracker, whole_page("L0", "http://a/"));
    CommitWatch watch(CommitWatch::Kind::follow, tracker);
    feed(tracker, started("L1", url));
    CHECK_FALSE(watch.decide(tracker));
    feed(tracker, failed("L1", "net::ERR_ABORTED"));
    const auto decision = watch.decide(tracker);
    REQUIRE(decision);
    return *decision;
  };
  for (const std::string url : {"mailto:a@b.test", "zoommtg://meet/1", "ftp://a/b"}) {
    const auto decision = decide(url);
    CHECK(decision.outcome == NavigationOutcome::other_program);
    CHECK(decision.detail == url);
  }
  for (const auto* url : {"http://a/b", "blob:http://a/b", "javascript:1"})
    CHECK(decide(url).outcome == NavigationOutcome::net_error);
}
