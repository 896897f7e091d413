#include "tests/support/catch.h"
#include "tests/unit/support/tracker_support.h"

using namespace bridle;
using namespace bridle::testing;
using Kind = CommitWatch::Kind;
using Outcome = NavigationOutcome;

namespace {

NavigateReply loader_reply(const std::string& loader) { return {.loader_id = loader}; }
NavigateReply error_reply(const std::string& loader, const std::string& error) {
  return {.loader_id = loader, .error_text = error};
}

// One step of a scenario: an event of the tracker, or the command's reply.
struct Step {
  Step(Event e) : event(std::move(e)) {}          // NOLINT: scenarios read as lists
  Step(NavigateReply r) : reply(std::move(r)) {}  // NOLINT
  std::optional<Event> event{};
  std::optional<NavigateReply> reply{};
};

// A tab with a page, and a navigation being watched.
struct Scene {
  NavigationTracker tracker{kMain};
  std::optional<CommitWatch> watch{};
  std::optional<CommitDecision> decision{};
  std::size_t decided_at = 0;

  explicit Scene(Kind kind) {
    feed(tracker, whole_page("L0", "http://a/"));
    watch.emplace(kind, tracker);
  }
  // Plays until the watch decides, asking after each step as the waiter does.
  void play(const std::vector<Step>& steps) {
    for (std::size_t i = 0; i < steps.size() && !decision; ++i) {
      if (steps[i].event) feed(tracker, *steps[i].event);
      if (steps[i].reply) watch->on_reply(*steps[i].reply);
      decision = watch->decide(tracker);
      decided_at = i + 1;
    }
  }
  Outcome outcome() const {
    REQUIRE(decision);
    return decision->outcome;
  }
  std::string detail() const {
    REQUIRE(decision);
    return decision->detail;
  }
};

// Plays with the reply at each possible place: the order of reply and events varies (once 3.6 s apart).
void in_any_order(Kind kind, const std::vector<Event>& events, const NavigateReply& reply, Outcome expected,
                  const std::string& detail = "") {
  for (std::size_t place = 0; place <= events.size(); ++place) {
    std::vector<Step> steps;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (i == place) steps.emplace_back(reply);
      steps.emplace_back(events[i]);
    }
    if (place == events.size()) steps.emplace_back(reply);
    Scene scene(kind);
    scene.play(steps);
    CAPTURE(place);
    CHECK(to_string(scene.outcome()) == to_string(expected));
    CHECK(scene.detail() == detail);
  }
}

}  // namespace

TEST_CASE("each outcome has the name that results carry", "[url_settle]") {
  CHECK(to_string(Outcome::committed) == "committed");
  CHECK(to_string(Outcome::same_document) == "same_document");
  CHECK(to_string(Outcome::timeout) == "timeout");
  CHECK(to_string(Outcome::origin_mismatch) == "origin_mismatch");
  CHECK(to_string(Outcome::net_error) == "net_error");
  CHECK(to_string(Outcome::no_content) == "no_content");
  CHECK(to_string(Outcome::download) == "download");
  CHECK(to_string(Outcome::dialog) == "dialog");
  CHECK(to_string(Outcome::superseded) == "superseded");
  CHECK(to_string(Outcome::tab_gone) == "tab_gone");
  CHECK(to_string(Outcome::crashed) == "crashed");
  CHECK(to_string(Outcome::blocked) == "blocked");
}

TEST_CASE("a page: committed, with the reply before or after the commit", "[url_settle] [nav.settle]") {
  in_any_order(Kind::navigate,
               {started("L1", "http://b/"), document_request("L1", "http://b/"), response("L1", 200),
                committed("L1", "http://b/")},
               loader_reply("L1"), Outcome::committed);
}

TEST_CASE("a page isn't decided before its commit", "[url_settle] [nav.settle]") {
  Scene scene(Kind::navigate);
  scene.play(
      {started("L1", "http://b/"), loader_reply("L1"), document_request("L1", "http://b/"), response("L1", 200)});
  CHECK_FALSE(scene.decision);
  CHECK(scene.watch->replied());
  CHECK(scene.watch->loader_id() == "L1");
}

TEST_CASE("sub-frames and same-document changes of the old page decide nothing", "[url_settle] [nav.settle]") {
  Scene scene(Kind::navigate);
  scene.play({started("L1", "http://b/"), loader_reply("L1"), sub_frame_committed("http://b/"),
              within_document("http://a/#old")});
  CHECK_FALSE(scene.decision);
}

TEST_CASE("a network error, by the reply", "[url_settle] [nav.outcome.net-error]") {
  for (const char* error : {"net::ERR_CONNECTION_REFUSED", "net::ERR_NAME_NOT_RESOLVED", "net::ERR_CONNECTION_RESET",
                            "net::ERR_CERT_AUTHORITY_INVALID", "net::ERR_TOO_MANY_REDIRECTS", "net::ERR_UNSAFE_PORT",
                            "net::ERR_HTTP_RESPONSE_CODE_FAILURE", "net::ERR_INVALID_AUTH_CREDENTIALS"}) {
    CAPTURE(error);
    in_any_order(Kind::navigate, {started("L1", "http://down/"), failed("L1", error), error_page("L1", "http://down/")},
                 error_reply("L1", error), Outcome::net_error, error);
  }
}

TEST_CASE("a network error that tells no loadingFailed is still named", "[url_settle]") {
  Scene before(Kind::navigate);
  before.play({started("L1", "http://down/"), error_reply("L1", "net::ERR_UNSAFE_PORT")});
  CHECK(before.outcome() == Outcome::net_error);
  CHECK(before.detail() == "net::ERR_UNSAFE_PORT");
  Scene silent(Kind::navigate);
  silent.play({started("L1", "http://down/"), error_page("L1", "http://down/")});
  CHECK(silent.outcome() == Outcome::net_error);
  CHECK(silent.detail() == "net::ERR_FAILED");
}

TEST_CASE("204 and 205: no content, whatever comes first", "[url_settle] [nav.outcome.no-content]") {
  for (const int status : {204, 205}) {
    CAPTURE(status);
    Scene reply_last(Kind::navigate);
    reply_last.play({started("L1", "http://a/x"), document_request("L1", "http://a/x"), response("L1", status),
                     failed("L1", "net::ERR_ABORTED"), error_reply("L1", "net::ERR_ABORTED")});
    CHECK(reply_last.outcome() == Outcome::no_content);
    CHECK(reply_last.detail() == std::to_string(status));
    Scene reply_first(Kind::navigate);
    reply_first.play({started("L1", "http://a/x"), document_request("L1", "http://a/x"), response("L1", status),
                      error_reply("L1", "net::ERR_ABORTED"), failed("L1", "net::ERR_ABORTED")});
    CHECK(reply_first.outcome() == Outcome::no_content);
  }
}

TEST_CASE("a download, told by the reply, by its event, or by both", "[url_settle] [nav.outcome.download]") {
  NavigateReply reply{.loader_id = "L1", .error_text = "net::ERR_ABORTED", .is_download = true};
  in_any_order(Kind::navigate,
               {started("L1", "http://a/f"), document_request("L1", "http://a/f"), download("http://a/f"),
                failed("L1", "net::ERR_ABORTED")},
               reply, Outcome::download);
  Scene by_event(Kind::history);
  by_event.play({started("L1", "http://a/f"), document_request("L1", "http://a/f"), download("http://a/f")});
  CHECK(by_event.outcome() == Outcome::download);
}

TEST_CASE("a fragment: no loader in the reply, the event after it", "[url_settle] [nav.outcome.same-document]") {
  in_any_order(Kind::navigate, {started("L0", "http://a/#x", "sameDocument"), within_document("http://a/#x")},
               NavigateReply{}, Outcome::same_document);
}

TEST_CASE("a same-document change alone doesn't decide a Page.navigate before its reply", "[url_settle]") {
  Scene scene(Kind::navigate);
  scene.play({within_document("http://a/#by-the-page")});
  CHECK_FALSE(scene.decision);
}

TEST_CASE("superseded by another navigation, which is named", "[url_settle] [nav.outcome.superseded]") {
  Scene running(Kind::navigate);
  running.play({started("L1", "http://slow/"), loader_reply("L1"), started("L2", "http://other/")});
  CHECK(running.outcome() == Outcome::superseded);
  CHECK(running.detail() == "http://other/");
  Scene over(Kind::navigate);
  over.play({started("L1", "http://slow/"), failed("L1", "net::ERR_ABORTED"), started("L2", "http://other/"),
             committed("L2", "http://other/"), error_reply("L1", "net::ERR_ABORTED")});
  CHECK(over.outcome() == Outcome::superseded);
  CHECK(over.detail() == "http://other/");
}

TEST_CASE("stopped by somebody: ERR_ABORTED, with nothing to take its place", "[url_settle]") {
  Scene scene(Kind::navigate);
  scene.play({started("L1", "http://slow/"), failed("L1", "net::ERR_ABORTED"), error_reply("L1", "net::ERR_ABORTED")});
  CHECK(scene.outcome() == Outcome::net_error);
  CHECK(scene.detail() == "net::ERR_ABORTED");
}

TEST_CASE("schemes that never commit: ERR_ABORTED at once", "[url_settle]") {
  Scene scene(Kind::navigate);
  scene.play({error_reply("", "net::ERR_ABORTED")});
  CHECK(scene.outcome() == Outcome::net_error);
}

TEST_CASE("the tab goes: the reply is closed", "[url_settle] [nav.outcome.tab-gone]") {
  Scene scene(Kind::navigate);
  scene.play({started("L1", "http://b/"), NavigateReply{.closed = true, .why = "it was closed"}});
  CHECK(scene.outcome() == Outcome::tab_gone);
  CHECK(scene.detail() == "it was closed");
}

TEST_CASE("the browser refuses the command: its words", "[url_settle]") {
  Scene scene(Kind::navigate);
  scene.play({NavigateReply{.why = "Cannot navigate to invalid URL", .is_error = true}});
  CHECK(scene.outcome() == Outcome::net_error);
  CHECK(scene.detail() == "Cannot navigate to invalid URL");
}

TEST_CASE("a navigation right after an error page isn't taken for its late commit", "[url_settle] [nav.error-page]") {
  // The error's own reply came, the next navigation began, then the error page commits.
  NavigationTracker tracker(kMain);
  feed(tracker, {started("L1", "http://down/"), failed("L1", "net::ERR_CONNECTION_REFUSED")});
  SECTION("before the next one has started") {
    CommitWatch watch(Kind::navigate, tracker);
    feed(tracker, error_page("L1", "http://down/"));
    CHECK_FALSE(watch.decide(tracker));
    feed(tracker, started("L2", "http://up/"));
    CHECK_FALSE(watch.decide(tracker));
    watch.on_reply(loader_reply("L2"));
    CHECK_FALSE(watch.decide(tracker));
    feed(tracker, committed("L2", "http://up/"));
    REQUIRE(watch.decide(tracker));
    CHECK(watch.decide(tracker)->outcome == Outcome::committed);
  }
  SECTION("after it has started, with and without its reply") {
    const bool replied = GENERATE(false, true);
    CommitWatch watch(Kind::navigate, tracker);
    feed(tracker, started("L2", "http://up/"));
    if (replied) watch.on_reply(loader_reply("L2"));
    CHECK_FALSE(watch.decide(tracker));
    feed(tracker, error_page("L1", "http://down/"));
    CHECK_FALSE(watch.decide(tracker));
    if (!replied) watch.on_reply(loader_reply("L2"));
    CHECK_FALSE(watch.decide(tracker));
    feed(tracker, committed("L2", "http://up/"));
    REQUIRE(watch.decide(tracker));
    CHECK(watch.decide(tracker)->outcome == Outcome::committed);
  }
}

TEST_CASE("reload and history: the loader comes from frameStartedNavigating, the reply says nothing", "[url_settle]") {
  for (const char* type : {"reload", "reloadBypassingCache", "historyDifferentDocument", "restore"}) {
    CAPTURE(type);
    in_any_order(Kind::history,
                 {started("L1", "http://b/", type), document_request("L1", "http://b/"), committed("L1", "http://b/")},
                 NavigateReply{}, Outcome::committed);
  }
}

TEST_CASE("history within the document", "[url_settle]") {
  in_any_order(Kind::history, {started("L0", "http://a/", "historySameDocument"), within_document("http://a/")},
               NavigateReply{}, Outcome::same_document);
}

TEST_CASE("history to what fails: the error, by event", "[url_settle]") {
  Scene scene(Kind::history);
  scene.play({NavigateReply{}, started("L1", "http://down/", "reload"), failed("L1", "net::ERR_CONNECTION_REFUSED")});
  CHECK(scene.outcome() == Outcome::net_error);
  CHECK(scene.detail() == "net::ERR_CONNECTION_REFUSED");
}

TEST_CASE("history to a page restored under its old loader id commits", "[url_settle]") {
  // From the back-forward cache: no frameStartedNavigating of a new loader, the commit alone.
  Scene scene(Kind::history);
  scene.play({NavigateReply{}, committed("L-OLD", "http://before/")});
  CHECK(scene.outcome() == Outcome::committed);
}

TEST_CASE("a reply to reload alone decides nothing", "[url_settle]") {
  Scene scene(Kind::history);
  scene.play({NavigateReply{}});
  CHECK_FALSE(scene.decision);
}

TEST_CASE("follow: what the page started before or after the watch began", "[url_settle] [nav.follow]") {
  NavigationTracker tracker(kMain);
  feed(tracker, whole_page("L0", "http://a/"));
  SECTION("it had started already") {
    feed(tracker, started("L1", "http://b/"));
    auto watch = CommitWatch(CommitWatch::Kind::follow, tracker);
    CHECK(watch.loader_id() == "L1");
    CHECK_FALSE(watch.decide(tracker));
    feed(tracker, committed("L1", "http://b/"));
    REQUIRE(watch.decide(tracker));
    CHECK(watch.decide(tracker)->outcome == Outcome::committed);
  }
  SECTION("it was only requested") {
    feed(tracker, requested("http://b/", "scriptInitiated"));
    auto watch = CommitWatch(CommitWatch::Kind::follow, tracker);
    CHECK_FALSE(watch.decide(tracker));
    feed(tracker, started("L1", "http://b/"));
    CHECK_FALSE(watch.decide(tracker));
    feed(tracker, committed("L1", "http://b/"));
    CHECK(watch.decide(tracker)->outcome == Outcome::committed);
  }
  SECTION("it started and committed between two looks") {
    feed(tracker, requested("http://b/"));
    auto watch = CommitWatch(CommitWatch::Kind::follow, tracker);
    feed(tracker, {started("L1", "http://b/"), committed("L1", "http://b/")});
    CHECK(watch.decide(tracker)->outcome == Outcome::committed);
  }
  SECTION("a meta refresh of 0 s") {
    feed(tracker, scheduled("http://b/", 0));
    auto watch = CommitWatch(CommitWatch::Kind::follow, tracker);
    CHECK_FALSE(watch.decide(tracker));
    feed(tracker, {started("L1", "http://b/"), committed("L1", "http://b/")});
    CHECK(watch.decide(tracker)->outcome == Outcome::committed);
  }
  SECTION("a request that came to nothing") {
    feed(tracker, requested("mailto:x"));
    auto watch = CommitWatch(CommitWatch::Kind::follow, tracker);
    tracker.forget_request();
    REQUIRE(watch.decide(tracker));
    CHECK(watch.decide(tracker)->outcome == Outcome::superseded);
  }
  SECTION("within the document") {
    feed(tracker, requested("http://a/#x"));
    auto watch = CommitWatch(CommitWatch::Kind::follow, tracker);
    feed(tracker, within_document("http://a/#x"));
    CHECK(watch.decide(tracker)->outcome == Outcome::same_document);
  }
  SECTION("a link to a download") {
    feed(tracker, requested("http://a/f"));
    auto watch = CommitWatch(CommitWatch::Kind::follow, tracker);
    feed(tracker, {started("L1", "http://a/f"), document_request("L1", "http://a/f"), download("http://a/f")});
    CHECK(watch.decide(tracker)->outcome == Outcome::download);
  }
  SECTION("a link to no content") {
    feed(tracker, requested("http://a/204"));
    auto watch = CommitWatch(CommitWatch::Kind::follow, tracker);
    feed(tracker, {started("L1", "http://a/204"), document_request("L1", "http://a/204"), response("L1", 204)});
    CHECK_FALSE(watch.decide(tracker));
    feed(tracker, failed("L1", "net::ERR_ABORTED"));
    CHECK(watch.decide(tracker)->outcome == Outcome::no_content);
  }
  SECTION("a link to what is down") {
    feed(tracker, requested("http://down/"));
    auto watch = CommitWatch(CommitWatch::Kind::follow, tracker);
    feed(tracker, {started("L1", "http://down/"), failed("L1", "net::ERR_CONNECTION_REFUSED")});
    CHECK(watch.decide(tracker)->outcome == Outcome::net_error);
  }
}

TEST_CASE("redirects are one navigation with one commit", "[url_settle] [nav.redirects]") {
  in_any_order(Kind::navigate,
               {started("L1", "http://a/1"), document_request("L1", "http://a/1"),
                document_request("L1", "http://b/2", "http://a/1"), document_request("L1", "http://a/3", "http://b/2"),
                response("L1", 200), committed("L1", "http://a/3")},
               loader_reply("L1"), Outcome::committed);
}

TEST_CASE("blocked: a hop of the navigation was refused by policy, in any order with the reply", "[url_settle]") {
  // The filter refuses; the browser then fails the request with ERR_ABORTED, before or after its reply.
  for (const bool reply_first : {true, false}) {
    for (const bool told_failed : {true, false}) {
      Scene scene(Kind::navigate);
      feed(scene.tracker, {started("L1", "http://a/go"), document_request("L1", "http://a/go")});
      scene.tracker.note_blocked("L1", "http://b/");
      CHECK_FALSE(scene.tracker.navigation_pending());
      std::vector<Step> steps;
      if (told_failed) steps.emplace_back(failed("L1", "net::ERR_ABORTED"));
      steps.insert(reply_first ? steps.begin() : steps.end(), error_reply("L1", "net::ERR_ABORTED"));
      scene.play(steps);
      CAPTURE(reply_first, told_failed);
      CHECK(to_string(scene.outcome()) == "blocked");
      CHECK(scene.detail() == "http://b/");
      CHECK(scene.tracker.url() == "http://a/");
    }
  }
}

TEST_CASE("blocked: a navigation that the page started", "[url_settle]") {
  Scene scene(Kind::follow);
  scene.play({started("L1", "http://b/")});
  scene.tracker.note_blocked("L1", "http://b/");
  scene.play({stopped_loading()});
  CHECK(to_string(scene.outcome()) == "blocked");
}

TEST_CASE("a document that comes back from the back/forward cache is the navigation's commit, and loaded",
          "[url_settle]") {
  Scene scene(Kind::history);
  feed(scene.tracker, whole_page("L1", "http://a/two"));
  scene.watch.emplace(Kind::history, scene.tracker);
  auto restored = committed("L0", "http://a/");  // its loader id of long ago
  restored.params["type"] = "BackForwardCacheRestore";
  scene.play({started("L2", "http://a/", "historyDifferentDocument"), NavigateReply{}, restored});
  CHECK(to_string(scene.outcome()) == "committed");
  CHECK_FALSE(scene.tracker.navigation_pending());
  CHECK(scene.tracker.url() == "http://a/");
  CHECK(scene.tracker.committed_loader().loaded);
  CHECK(scene.tracker.committed_loader().status == 200);
}
