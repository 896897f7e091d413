#include <atomic>
#include <future>

#include "tests/support/catch.h"
#include "tests/unit/support/fake_tab.h"

using namespace bridle;
using namespace std::chrono_literals;
using bridle::testing::eventually;
using bridle::testing::FakeTab;
using bridle::testing::FakeTransport;

TEST_CASE("a tab asks for its events before it lets the page run", "[tab]") {
  const FakeTab fake;
  std::vector<std::string> methods;
  for (const auto& command : fake.transport->sent()) {
    CHECK(command.session == "S");
    methods.push_back(command.method);
  }
  const auto place = [&](const char* method) {
    return std::find(methods.begin(), methods.end(), method) - methods.begin();
  };
  const auto run = place("Runtime.runIfWaitingForDebugger");
  REQUIRE(run < static_cast<long>(methods.size()));
  for (const char* method :
       {"Page.enable", "Runtime.enable", "Network.enable", "Page.setLifecycleEventsEnabled",
        "Page.addScriptToEvaluateOnNewDocument", "Target.setAutoAttach", "Emulation.setDeviceMetricsOverride"}) {
    CAPTURE(method);
    CHECK(place(method) < run);
  }
}

TEST_CASE("a document that was there before the tab's events is known all the same", "[tab] [nav.truth]") {
  const Json frame{{"id", bridle::testing::kMain}, {"loaderId", "L1"}, {"url", "http://a.example/popped"}};
  const FakeTab fake(frame);
  CHECK(fake.tab->state().url == "http://a.example/popped");
  SECTION("its own events count more") {
    Json later = frame;
    later["loaderId"] = "L2";
    later["url"] = "http://a.example/later";
    fake.event("Page.frameNavigated", {{"frame", later}});
    CHECK(eventually([&] { return fake.tab->state().url == "http://a.example/later"; }));
  }
}

TEST_CASE("the empty document that a new tab begins with is none", "[tab]") {
  const FakeTab fake({{"id", bridle::testing::kMain}, {"loaderId", "L1"}, {"url", "about:blank"}});
  CHECK(fake.tab->state().url.empty());
}

TEST_CASE("a call goes to the tab's session and brings its result", "[tab]") {
  const FakeTab fake;
  fake.transport->on("Page.getLayoutMetrics", [](const auto& command) {
    return std::vector<std::string>{FakeTransport::result(command, {{"width", 800}})};
  });
  CHECK(fake.tab->call({}, "Page.getLayoutMetrics")["width"] == 800);
  CHECK(fake.transport->sent("Page.getLayoutMetrics").at(0).session == "S");
  fake.tab->call({}, "DOM.getDocument", Json::object(), limits::kCdpCommand, "FRAME");
  CHECK(fake.transport->sent("DOM.getDocument").at(0).session == "FRAME");
  CHECK(fake.clean());
}

TEST_CASE("the browser's error comes through", "[tab]") {
  const FakeTab fake;
  fake.transport->on("DOM.bad", [](const auto& command) {
    return std::vector<std::string>{FakeTransport::error(command, -32000, "Node not found")};
  });
  CHECK_THROWS_AS(fake.tab->call({}, "DOM.bad"), CdpError);
}

TEST_CASE("a dialog that opens ends the call, with its words", "[tab] [nav.dialogs]") {
  const FakeTab fake;
  auto call = fake.call_async();
  fake.event("Page.javascriptDialogOpening", {{"type", "confirm"}, {"message", "Sure?"}});
  try {
    call.get();
    FAIL("it returned");
  } catch (const DialogOpened& opened) {
    CHECK(opened.dialog.type == "confirm");
    CHECK(opened.dialog.message == "Sure?");
  }
  CHECK(fake.clean());
}

TEST_CASE("a dialog that is open already ends the call too, as the page's process answers nothing then", "[tab]") {
  const FakeTab fake;
  fake.event("Page.javascriptDialogOpening", {{"type", "alert"}, {"message", "Old"}});
  REQUIRE(fake.transport->drain());
  auto call = fake.call_async();
  CHECK_THROWS_AS(call.get(), DialogOpened);
  CHECK(fake.clean());
}

TEST_CASE("a crash ends the call at once, and later ones before they are sent", "[tab]") {
  const FakeTab fake;
  auto call = fake.call_async();
  fake.event("Inspector.targetCrashed", Json::object());
  try {
    call.get();
    FAIL("it returned");
  } catch (const TabGone& gone) {
    CHECK(gone.crashed);
    CHECK_THAT(gone.what(), matchers::Contains("crashed") && matchers::Contains("browser_reload"));
  }
  CHECK(fake.clean());
  const auto sent = fake.transport->sent().size();
  CHECK_THROWS_AS(fake.tab->call({}, "Runtime.evaluate"), TabGone);
  CHECK(fake.transport->sent().size() == sent);
  CHECK_NOTHROW(fake.tab->throw_if_gone(true));
  fake.event(testing::committed("L2", "http://a/"));
  REQUIRE(fake.transport->drain());
  CHECK(fake.tab->call({}, "Runtime.evaluate").is_object());  // a commit revives it
}

TEST_CASE("a closed tab ends its calls and its waits, with the reason", "[tab]") {
  const FakeTab fake;
  auto call = fake.call_async();
  auto wait =
      std::async(std::launch::async, [&] { return fake.tab->wait({}, [&] { return fake.tab->state().gone; }); });
  fake.tab->mark_gone("it was closed");
  try {
    call.get();
    FAIL("it returned");
  } catch (const TabGone& gone) {
    CHECK_FALSE(gone.crashed);
    CHECK_THAT(gone.what(), matchers::Contains("t1") && matchers::Contains("it was closed"));
  }
  CHECK(wait.get());
  CHECK(fake.clean());
  const auto sent = fake.transport->sent().size();
  CHECK_THROWS_AS(fake.tab->call({}, "Runtime.evaluate"), TabGone);
  CHECK(fake.transport->sent().size() == sent);
  CHECK_THROWS_AS(fake.tab->throw_if_gone(true), TabGone);
}

TEST_CASE("the browser's end ends the call", "[tab]") {
  const FakeTab fake;
  auto call = fake.call_async();
  fake.transport->close("the browser closed");
  CHECK_THROWS_WITH(call.get(), "Slow.command: the browser closed");
  CHECK(fake.clean());
}

TEST_CASE("an abort ends the call; one before it sends nothing", "[tab]") {
  const FakeTab fake;
  AbortController controller;
  CallContext ctx;
  ctx.signal = controller.signal();
  auto call = fake.call_async(ctx);
  controller.abort(AbortReason::client_cancelled);
  CHECK_THROWS_AS(call.get(), Aborted);
  CHECK(fake.clean());
  const auto sent = fake.transport->sent().size();
  CHECK_THROWS_AS(fake.tab->call(ctx, "Input.dispatchMouseEvent"), Aborted);
  CHECK(fake.transport->sent().size() == sent);
}

TEST_CASE("no answer in time", "[tab]") {
  const FakeTab fake;
  fake.transport->ignore("Slow.command");
  CHECK_THROWS_AS(fake.tab->call({}, "Slow.command", Json::object(), 20ms), CdpTimeout);
  CHECK_THROWS_AS(fake.tab->call_all({}, {{"Slow.command", Json::object()}}, Tab::Sends::unless_aborted, 20ms),
                  CdpTimeout);
  CHECK(fake.clean());
}

TEST_CASE("what a timeout says it waited is what it waited, not the command's limit", "[tab]") {
  const FakeTab fake;
  fake.transport->ignore("Slow.command");
  const auto ctx = CallContext{}.within(30ms);  // far shorter than the command's own limit
  const auto waited_by = [](const auto& call) {
    try {
      call();
    } catch (const CdpTimeout& timeout) {
      const std::string words = timeout.what();
      return std::stol(words.substr(words.find("within ") + 7));
    }
    return -1L;
  };
  const auto one = waited_by([&] { fake.tab->call(ctx, "Slow.command"); });
  CHECK(one >= 25);
  CHECK(one < 5000);
  const auto late = CallContext{}.within(30ms);
  const auto burst = waited_by([&] { fake.tab->call_all(late, {{"Slow.command", Json::object()}}); });
  CHECK(burst >= 25);
  CHECK(burst < 5000);
}

TEST_CASE("waiters are counted while they wait", "[tab]") {
  const FakeTab fake;
  const auto before = Tab::waiters();
  auto call = fake.call_async();
  CHECK(eventually([&] { return Tab::waiters() == before + 1; }));
  fake.transport->push(FakeTransport::result(fake.transport->sent("Slow.command").at(0), Json::object()));
  call.get();
  CHECK(Tab::waiters() == before);
}

TEST_CASE("the frames of another process: own session, set up, let go, and gone with it", "[tab]") {
  const FakeTab fake;
  fake.event("Target.attachedToTarget",
             {{"sessionId", "CHILD"},
              {"targetInfo", {{"type", "iframe"}, {"targetId", "F1"}, {"parentFrameId", testing::kMain}}}});
  REQUIRE(fake.transport->drain());
  std::vector<std::string> methods;
  for (const auto& command : fake.transport->sent()) {
    if (command.session == "CHILD") methods.push_back(command.method);
  }
  REQUIRE_FALSE(methods.empty());
  CHECK(methods.back() == "Runtime.runIfWaitingForDebugger");
  CHECK(std::count(methods.begin(), methods.end(), "Runtime.enable") == 1);
  CHECK(fake.tab->frame_session("F1") == "CHILD");
  fake.event("Network.requestWillBeSent",
             {{"requestId", "R1"}, {"type", "Fetch"}, {"request", {{"url", "http://x/"}, {"method", "GET"}}}}, "CHILD");
  REQUIRE(fake.transport->drain());
  CHECK(fake.tab->requests_in_flight() == 1);

  fake.transport->ignore("Runtime.evaluate");
  auto call =
      std::async(std::launch::async, [&] { fake.tab->call({}, "Runtime.evaluate", Json::object(), 10s, "CHILD"); });
  REQUIRE(fake.transport->wait_sent("Runtime.evaluate", 2));  // the tab's set-up asks once, too
  fake.event("Target.detachedFromTarget", {{"sessionId", "CHILD"}, {"targetId", "F1"}});
  CHECK_THROWS_AS(call.get(), CdpClosed);
  REQUIRE(fake.transport->drain());  // the call ends while the event is still being handled
  CHECK(!fake.tab->has_frame("F1"));
  CHECK(fake.tab->requests_in_flight() == 0);
  CHECK(fake.tab->call({}, "DOM.getDocument").is_object());  // the tab itself lives
}

TEST_CASE("a worker is let go and otherwise left alone", "[tab]") {
  const FakeTab fake;
  fake.event("Target.attachedToTarget",
             {{"sessionId", "W"}, {"targetInfo", {{"type", "service_worker"}, {"targetId", "W1"}}}});
  REQUIRE(fake.transport->drain());
  std::vector<std::string> methods;
  for (const auto& command : fake.transport->sent()) {
    if (command.session == "W") methods.push_back(command.method);
  }
  CHECK(methods == std::vector<std::string>{"Runtime.runIfWaitingForDebugger"});
}

TEST_CASE("main-frame events of an out-of-process frame don't move the tab", "[tab]") {
  const FakeTab fake;
  fake.event("Target.attachedToTarget",
             {{"sessionId", "CHILD"},
              {"targetInfo", {{"type", "iframe"}, {"targetId", "F1"}, {"parentFrameId", testing::kMain}}}});
  fake.event("Page.frameNavigated", {{"frame", {{"id", "F1"}, {"loaderId", "L"}, {"url", "http://x/"}}}}, "CHILD");
  fake.event("Inspector.targetCrashed", Json::object(), "CHILD");
  REQUIRE(fake.transport->drain());
  CHECK(fake.tab->state().commit_seq == 0);
  CHECK_FALSE(fake.tab->state().crashed);
}

TEST_CASE("answering a dialog opens the way at once", "[tab]") {
  const FakeTab fake;
  fake.event("Page.javascriptDialogOpening", {{"type", "prompt"}, {"message", "Name?"}});
  REQUIRE(fake.transport->drain());
  fake.tab->handle_dialog({}, true, "Zoë");
  const auto command = fake.transport->sent("Page.handleJavaScriptDialog").at(0);
  CHECK(command.params == Json{{"accept", true}, {"promptText", "Zoë"}});
  CHECK_FALSE(fake.tab->state().dialog.has_value());
}

TEST_CASE("events for a tab that nobody holds any more are dropped", "[tab]") {
  FakeTab fake;
  const std::weak_ptr<Tab> weak = fake.tab;
  fake.tab.reset();
  CHECK(eventually([&] { return weak.expired(); }));
  fake.event(testing::committed("L1", "http://a/"));
  CHECK(fake.transport->drain());
}

TEST_CASE("a dismissed beforeunload ends the navigation that it held; an accepted one doesn't", "[tab]") {
  const FakeTab fake;
  const bool accepted = GENERATE(false, true);
  const bool by_event = GENERATE(false, true);
  fake.event(testing::started("L1", "http://b/"));
  fake.event("Page.javascriptDialogOpening", {{"type", "beforeunload"}, {"message", ""}});
  REQUIRE(fake.transport->drain());
  REQUIRE(fake.tab->state().navigation_pending);
  if (by_event) {
    fake.event("Page.javascriptDialogClosed", {{"result", accepted}, {"userInput", ""}});
    REQUIRE(fake.transport->drain());
  } else {
    fake.tab->handle_dialog({}, accepted, "");
  }
  CHECK(fake.tab->state().navigation_pending == accepted);
}

TEST_CASE("another kind of dialog that is dismissed leaves navigations alone", "[tab]") {
  const FakeTab fake;
  fake.event(testing::started("L1", "http://b/"));
  fake.event("Page.javascriptDialogOpening", {{"type", "confirm"}, {"message", "Sure?"}});
  fake.event("Page.javascriptDialogClosed", {{"result", false}, {"userInput", ""}});
  REQUIRE(fake.transport->drain());
  CHECK(fake.tab->state().navigation_pending);
}

TEST_CASE("several commands go out in one go and all replies are waited for", "[tab]") {
  const FakeTab fake;
  fake.transport->ignore("Input.two");
  auto all = std::async(std::launch::async, [&] {
    fake.tab->call_all({},
                       {{"Input.one", Json::object()}, {"Input.two", Json::object()}, {"Input.three", Json::object()}});
  });
  REQUIRE(fake.transport->wait_sent("Input.three"));  // though the second is unanswered
  CHECK(all.wait_for(0s) == std::future_status::timeout);
  fake.transport->push(FakeTransport::result(fake.transport->sent("Input.two").at(0), Json::object()));
  CHECK_NOTHROW(all.get());
  CHECK(fake.clean());
}

TEST_CASE("a frame that goes elsewhere may take replies with it: the rest is not waited for long", "[tab]") {
  const FakeTab fake;
  fake.transport->ignore("Input.two");
  auto all = std::async(std::launch::async, [&] {
    fake.tab->call_all({}, {{"Input.one", Json::object()}, {"Input.two", Json::object()}});
  });
  REQUIRE(fake.transport->wait_sent("Input.two"));
  CHECK(all.wait_for(0s) == std::future_status::timeout);
  fake.event("Page.frameNavigated", {{"frame", {{"id", "CHILD"}, {"parentId", "MAIN"}, {"url", "http://b/"}}}});
  CHECK(all.wait_for(5s) == std::future_status::ready);  // the limit of a command is 10 s
  CHECK_NOTHROW(all.get());
  CHECK(fake.clean());
}

TEST_CASE("what releases what is down is sent after an abort too", "[tab]") {
  const FakeTab fake;
  AbortController controller;
  CallContext ctx;
  ctx.signal = controller.signal();
  controller.abort(AbortReason::client_cancelled);
  CHECK_THROWS_AS(fake.tab->call_all(ctx, {{"Input.up", Json::object()}}, Tab::Sends::even_aborted), Aborted);
  CHECK(fake.transport->sent("Input.up").size() == 1);
  CHECK(fake.clean());
}

TEST_CASE("of several commands the first error counts; an abort or a dialog ends the wait for the rest", "[tab]") {
  const FakeTab fake;
  fake.transport->on("Input.bad", [](const auto& command) {
    return std::vector<std::string>{FakeTransport::error(command, -32000, "No.")};
  });
  CHECK_THROWS_WITH(fake.tab->call_all({}, {{"Input.one", Json::object()}, {"Input.bad", Json::object()}}),
                    "Input.bad: No.");
  fake.transport->ignore("Input.two");
  AbortController controller;
  CallContext ctx;
  ctx.signal = controller.signal();
  const auto start = [&](const CallContext& of_call, std::size_t count) {
    auto all = std::async(std::launch::async, [&fake, of_call] {
      fake.tab->call_all(of_call, {{"Input.one", Json::object()}, {"Input.two", Json::object()}});
    });
    REQUIRE(fake.transport->wait_sent("Input.two", count));
    return all;
  };
  auto by_abort = start(ctx, 1);
  controller.abort(AbortReason::client_cancelled);
  CHECK_THROWS_AS(by_abort.get(), Aborted);
  const auto sent = fake.transport->sent().size();
  CHECK_THROWS_AS(fake.tab->call_all(ctx, {{"Input.one", Json::object()}}), Aborted);
  CHECK(fake.transport->sent().size() == sent);
  auto by_dialog = start({}, 2);
  fake.event("Page.javascriptDialogOpening", {{"type", "alert"}, {"message", "x"}});
  CHECK_THROWS_AS(by_dialog.get(), DialogOpened);
  CHECK(fake.clean());
}

TEST_CASE("a wait ends at its deadline, though the tab's events never cease", "[tab] [cancel.one-signal]") {
  const FakeTab fake;
  const auto begun = Clock::now();
  // Each look at the tab finds that something has changed since; after 5 s the wait is given up for lost.
  const bool ready = fake.tab->wait(CallContext{}.within(Millis(20)), [&] {
    const bool open = fake.tab->state().dialog.has_value();
    if (open) {
      fake.event("Page.javascriptDialogClosed", {{"result", true}});
    } else {
      fake.event("Page.javascriptDialogOpening", {{"type", "alert"}, {"message", "again"}});
    }
    REQUIRE(eventually([&] { return fake.tab->state().dialog.has_value() != open; }));
    return Clock::now() - begun > std::chrono::seconds(5);
  });
  CHECK_FALSE(ready);
}
