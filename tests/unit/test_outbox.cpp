#include <thread>

#include "server/calls/outbox.h"
#include "tests/support/catch.h"

using namespace bridle;
using Got = Outbox::Reader::Got;

namespace {
constexpr Millis kLong{10'000};

std::shared_ptr<Outbox> make(Outbox::Options options = {}) { return std::make_shared<Outbox>(options); }

Outbox::AbortFrames silence() {
  return [] { return std::vector<Frame>(); };
}

std::string next(Outbox::Reader& reader) {
  Frame frame;
  switch (reader.next(kLong, frame)) {
    case Got::frame:
      return *frame.text;
    case Got::idle:
      return "(idle)";
    case Got::ended:
      return "(ended)";
    case Got::replaced:
      return "(replaced)";
  }
  return "";
}
}  // namespace

TEST_CASE("outbox: frames in order, then the end") {
  const auto box = make();
  AbortController controller;
  const auto lane = box->open_lane(controller.signal(), silence());
  box->seal();
  const auto reader = box->attach();
  CHECK(lane->push(Frame::Kind::notification, "one"));
  CHECK(lane->finish("two"));
  CHECK_FALSE(lane->finish("three"));
  CHECK_FALSE(lane->push(Frame::Kind::notification, "four"));
  CHECK(next(*reader) == "one");
  CHECK(next(*reader) == "two");
  CHECK(next(*reader) == "(ended)");
}

TEST_CASE("outbox: an abort releases the reader at once, though the lane's owner does nothing", "[cancel.overdue]") {
  const auto box = make();
  AbortController controller;
  const auto lane = box->open_lane(controller.signal(), [] {
    return std::vector<Frame>{{.kind = Frame::Kind::response, .text = std::make_shared<const std::string>("stopped")}};
  });
  box->seal();
  const auto reader = box->attach();
  std::thread aborter([&] { controller.abort(AbortReason::stopped_by_user); });
  CHECK(next(*reader) == "stopped");
  CHECK(next(*reader) == "(ended)");
  aborter.join();
  CHECK_FALSE(lane->push(Frame::Kind::notification, "late"));
  CHECK_FALSE(lane->finish("late"));
}

TEST_CASE("outbox: a lane opened on an aborted signal ends without a word of it", "[cancel.wire.answer]") {
  const auto box = make();
  AbortController controller;
  controller.abort(AbortReason::client_cancelled);
  const auto lane = box->open_lane(controller.signal(), silence());
  box->seal();
  CHECK_FALSE(lane->push(Frame::Kind::notification, "x"));
  CHECK(next(*box->attach()) == "(ended)");
}

TEST_CASE("outbox: aborts race with finishes, and each lane ends exactly once", "[cancel.states.once]") {
  for (int round = 0; round < 300; ++round) {
    const auto box = make();
    AbortController controller;
    const auto lane = box->open_lane(controller.signal(), silence());
    box->seal();
    const auto reader = box->attach();
    std::thread aborter([&] { controller.abort(AbortReason::client_cancelled); });
    std::thread finisher([&] {
      if (!lane->finish("answer")) lane->finish_aborted();
    });
    const std::string first = next(*reader);
    if (first == "answer")
      CHECK(next(*reader) == "(ended)");
    else
      CHECK(first == "(ended)");
    aborter.join();
    finisher.join();
  }
  CHECK(AbortCallback::live() == 0);
}

TEST_CASE("outbox: a newer reader replaces the older, and goes on where it was", "[wire.get]") {
  const auto box = make({.endless = true});
  const auto older = box->attach();
  box->push(Frame::Kind::notification, "one");
  CHECK(next(*older) == "one");
  const auto newer = box->attach();
  CHECK(next(*older) == "(replaced)");
  box->push(Frame::Kind::notification, "two");
  CHECK(next(*newer) == "two");
  newer->interrupt();
  CHECK(next(*newer) == "(ended)");
}

TEST_CASE("outbox: replay keeps what was delivered; nothing behind the last frame", "[wire.resume]") {
  const auto box = make({.replay = true});
  AbortController controller;
  const auto lane = box->open_lane(controller.signal(), silence());
  box->seal();
  lane->push(Frame::Kind::notification, "one");
  lane->finish("two");
  CHECK(next(*box->attach()) == "one");
  const auto again = box->attach(0);
  CHECK(next(*again) == "one");
  CHECK(next(*again) == "two");
  CHECK_FALSE(box->finished_behind(1));
  CHECK(box->finished_behind(2));
}

TEST_CASE("outbox: bounds: the oldest notifications go, responses stay; an unread endless stream ends",
          "[wire.resume]") {
  const auto box = make({.endless = true, .max_notifications = 2});
  box->push(Frame::Kind::response, "answer");
  for (const char* text : {"1", "2", "3"}) box->push(Frame::Kind::notification, text);
  const auto reader = box->attach();
  CHECK(next(*reader) == "answer");
  CHECK(next(*reader) == "2");
  CHECK(next(*reader) == "3");
  const auto flooded = make({.endless = true, .max_bytes = 100});
  for (int i = 0; i < 20; ++i) flooded->push(Frame::Kind::response, std::string(10, 'x'));
  CHECK(flooded->closed());
}

TEST_CASE("outbox: a JSON answer takes responses only; idle is told; close ends") {
  const auto box = make({.responses_only = true, .endless = true});
  box->push(Frame::Kind::notification, "n");
  box->push(Frame::Kind::response, "r");
  const auto reader = box->attach();
  CHECK(next(*reader) == "r");
  Frame frame;
  CHECK(reader->next(Millis(1), frame) == Got::idle);
  box->close();
  CHECK(next(*reader) == "(ended)");
  CHECK_FALSE(box->push(Frame::Kind::response, "late"));
}

TEST_CASE("outbox: a released reader goes once it has what there is, and the next one gets the rest",
          "[wire.priming]") {
  const auto box = make({.replay = true});
  AbortController controller;
  const auto lane = box->open_lane(controller.signal(), silence());
  box->seal();
  lane->push(Frame::Kind::notification, "one");
  box->release_reader();  // before there is any: the first to come
  const auto first = box->attach(0);
  CHECK(next(*first) == "one");
  CHECK(next(*first) == "(replaced)");
  const auto second = box->attach(1);
  lane->finish("answer");
  CHECK(next(*second) == "answer");
  CHECK(next(*second) == "(ended)");
}
