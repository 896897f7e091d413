#include <thread>

#include "server/calls/stream/reply_stream.h"
#include "tests/support/catch.h"

using namespace bridle;
using Got = ReplyStream::Reader::Got;

namespace {
constexpr Millis kLong{10'000};

std::shared_ptr<ReplyStream> make(ReplyStream::Options options = {}) { return std::make_shared<ReplyStream>(options); }

std::shared_ptr<ReplyStream::Reader> attach(const std::shared_ptr<ReplyStream>& stream,
                                            std::optional<std::uint64_t> after = std::nullopt) {
  return std::make_shared<ReplyStream::Reader>(stream, after);
}

std::string next(ReplyStream::Reader& reader) {
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

TEST_CASE("reply stream: frames in order, then the end") {
  const auto box = make();
  AbortController controller;
  ReplyStream::Lane lane(box, controller.signal(), nullptr);
  box->seal();
  const auto reader = attach(box);
  CHECK(lane.push(Frame::Kind::notification, "one"));
  CHECK(lane.finish("two"));
  CHECK_FALSE(lane.finish("three"));
  CHECK_FALSE(lane.push(Frame::Kind::notification, "four"));
  CHECK(next(*reader) == "one");
  CHECK(next(*reader) == "two");
  CHECK(next(*reader) == "(ended)");
}

TEST_CASE("reply stream: an abort releases the reader at once, though the lane's owner does nothing",
          "[cancel.overdue]") {
  const auto box = make();
  AbortController controller;
  ReplyStream::Lane lane(box, controller.signal(),
                         [](const AbortSignal& signal) { return std::string(to_string(signal.reason())); });
  box->seal();
  const auto reader = attach(box);
  std::thread aborter([&] { controller.abort(AbortReason::stopped_by_user); });
  CHECK(next(*reader) == "stopped_by_user");
  CHECK(next(*reader) == "(ended)");
  aborter.join();
  CHECK_FALSE(lane.push(Frame::Kind::notification, "late"));
  CHECK_FALSE(lane.finish("late"));
}

TEST_CASE("reply stream: a lane opened on an aborted signal ends without a word of it", "[cancel.wire.answer]") {
  const auto box = make();
  AbortController controller;
  controller.abort(AbortReason::client_cancelled);
  ReplyStream::Lane lane(box, controller.signal(), nullptr);
  box->seal();
  CHECK_FALSE(lane.push(Frame::Kind::notification, "x"));
  CHECK(next(*attach(box)) == "(ended)");
}

TEST_CASE("reply stream: aborts race with finishes, and each lane ends exactly once", "[cancel.states.once]") {
  for (int round = 0; round < 300; ++round) {
    const auto box = make();
    AbortController controller;
    ReplyStream::Lane lane(box, controller.signal(), nullptr);
    box->seal();
    const auto reader = attach(box);
    std::thread aborter([&] { controller.abort(AbortReason::client_cancelled); });
    std::thread finisher([&] {
      if (!lane.finish("answer")) lane.finish_aborted();
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

TEST_CASE("reply stream: a newer reader replaces the older, and goes on where it was", "[wire.get]") {
  const auto box = make({.endless = true});
  const auto older = attach(box);
  box->push(Frame::Kind::notification, "one");
  CHECK(next(*older) == "one");
  const auto newer = attach(box);
  CHECK(next(*older) == "(replaced)");
  box->push(Frame::Kind::notification, "two");
  CHECK(next(*newer) == "two");
  newer->interrupt();
  CHECK(next(*newer) == "(ended)");
}

TEST_CASE("reply stream: replay keeps what was delivered; nothing behind the last frame", "[wire.resume]") {
  const auto box = make({.replay = true});
  AbortController controller;
  ReplyStream::Lane lane(box, controller.signal(), nullptr);
  box->seal();
  lane.push(Frame::Kind::notification, "one");
  lane.finish("two");
  CHECK(next(*attach(box)) == "one");
  const auto again = attach(box, 0);
  CHECK(next(*again) == "one");
  CHECK(next(*again) == "two");
  CHECK_FALSE(box->finished_behind(1));
  CHECK(box->finished_behind(2));
}

TEST_CASE("reply stream: bounds: the oldest notifications go, responses stay; an unread endless stream ends",
          "[wire.resume]") {
  const auto box = make({.endless = true, .max_notifications = 2});
  box->push(Frame::Kind::response, "answer");
  for (const char* text : {"1", "2", "3"}) box->push(Frame::Kind::notification, text);
  const auto reader = attach(box);
  CHECK(next(*reader) == "answer");
  CHECK(next(*reader) == "2");
  CHECK(next(*reader) == "3");
  const auto flooded = make({.endless = true, .max_bytes = 100});
  for (int i = 0; i < 20; ++i) flooded->push(Frame::Kind::response, std::string(10, 'x'));
  CHECK(flooded->closed());
}

TEST_CASE("reply stream: a JSON answer takes responses only; idle is told; close ends") {
  const auto box = make({.responses_only = true, .endless = true});
  box->push(Frame::Kind::notification, "n");
  box->push(Frame::Kind::response, "r");
  const auto reader = attach(box);
  CHECK(next(*reader) == "r");
  Frame frame;
  CHECK(reader->next(Millis(1), frame) == Got::idle);
  box->close();
  CHECK(next(*reader) == "(ended)");
  CHECK_FALSE(box->push(Frame::Kind::response, "late"));
}

TEST_CASE("reply stream: a released reader goes once it has what there is, and the next one gets the rest",
          "[wire.priming]") {
  const auto box = make({.replay = true});
  AbortController controller;
  ReplyStream::Lane lane(box, controller.signal(), nullptr);
  box->seal();
  lane.push(Frame::Kind::notification, "one");
  box->release_reader();  // before there is any: the first to come
  const auto first = attach(box, 0);
  CHECK(next(*first) == "one");
  CHECK(next(*first) == "(replaced)");
  const auto second = attach(box, 1);
  lane.finish("answer");
  CHECK(next(*second) == "answer");
  CHECK(next(*second) == "(ended)");
}

TEST_CASE("reply stream: an abort takes back the requests of ours that are open, before the answer",
          "[cancel.wire.question]") {
  const auto box = make();
  AbortController controller;
  ReplyStream::Lane lane(box, controller.signal(), [](const AbortSignal&) { return std::string("answer"); });
  box->seal();
  CHECK(lane.push_request("1", "question 1", "taken back 1"));
  CHECK(lane.push_request("2", "question 2", "taken back 2"));
  lane.settle_request("1");
  controller.abort(AbortReason::deadline);
  CHECK_FALSE(lane.push_request("3", "question 3", "taken back 3"));
  const auto reader = attach(box);
  for (const char* text : {"question 1", "question 2", "taken back 2", "answer", "(ended)"})
    CHECK(next(*reader) == text);
}

TEST_CASE("reply stream: a lane that is dropped ends without an answer, and holds nothing", "[cancel.nothing-left]") {
  const auto box = make();
  const std::weak_ptr<ReplyStream> watched = box;
  const auto held = std::make_shared<int>(1);
  AbortController controller;
  {
    const ReplyStream::Lane lane(box, controller.signal(), [held](const AbortSignal&) { return std::string(); });
    box->seal();
    CHECK_FALSE(box->is_over());
    CHECK(watched.use_count() == 2);
  }
  CHECK(box->is_over());
  CHECK(watched.use_count() == 1);
  CHECK(held.use_count() == 1);
  CHECK(next(*attach(box)) == "(ended)");
}
