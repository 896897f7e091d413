// The questions of a call: how they end, and who hears of it.
#include <future>
#include <thread>

#include "base/errors.h"
#include "server/calls/client_questions.h"
#include "server/calls/task_store.h"
#include "tests/support/catch.h"
#include "tests/support/eventually.h"

using namespace bridle;
using bridle::testing::eventually;

namespace {

// A call of a client of 2025-11-25 that can show forms.
struct Asking {
  Asking() {
    REQUIRE(session->negotiate(Revision::v2025_11_25, {{"elicitation", Json::object()}}));
    caller = Caller::of(session);
  }
  // In another thread, as a call asks.
  std::future<UserPrompt::Answer> ask(const CallContext& ctx) {
    return std::async(std::launch::async, [this, ctx] { return questions.ask(ctx, "k", "Go on?", Json::object()); });
  }
  // The frames of a kind that nobody has read yet.
  std::size_t frames(std::string_view method) {
    std::size_t count = 0;
    Frame frame;
    while (reader.next(Millis(0), frame) == ReplyStream::Reader::Got::frame)
      count += frame.text->find(method) == std::string::npos ? 0 : 1;
    return count;
  }

  AbortController server{};
  AbortController call{};
  std::shared_ptr<Session> session = std::make_shared<Session>("0123456789abcdef", server.signal());
  Caller caller{};
  std::shared_ptr<ReplyStream> stream = std::make_shared<ReplyStream>(ReplyStream::Options{});
  ReplyStream::Reader reader{stream};
  ReplyStream::Lane lane{stream, call.signal(), nullptr};
  Bell bell{};
  const Json unsealed = Json::object();
  ClientQuestions questions{caller, lane, Json::object(), unsealed, [] { return nullptr; }, {bell, 7}};
};

}  // namespace

TEST_CASE("client questions: the panel hears that one is put, and that it is over", "[panel.questions]") {
  Asking asking;
  AbortController step;
  auto answer = asking.ask({.signal = step.signal()});
  REQUIRE(eventually([&] { return asking.session->questions().shown().size() == 1; }));
  REQUIRE(eventually([&] { return asking.bell.count() == 1; }));
  const auto id = asking.session->questions().shown().front().first;
  SECTION("answered by the client") {
    CHECK(
        asking.session->questions().answer({.id = id, .result = {{"action", "accept"}, {"content", Json::object()}}}));
    CHECK(answer.get().action == "accept");
  }
  SECTION("answered at the panel") {
    CHECK(asking.session->questions().answer_elsewhere(id, {{"action", "decline"}}));
    CHECK(answer.get().action == "decline");
  }
  SECTION("taken back") {
    step.abort(AbortReason::stopped_by_user);
    CHECK_THROWS_AS(answer.get(), Aborted);
  }
  CHECK(asking.bell.count() == 2);
  CHECK(asking.session->questions().shown().empty());
}

TEST_CASE("client questions: one that is stopped while it is put is taken back as any other", "[agent.ask]") {
  constexpr int kRounds = 200;
  Asking asking;
  for (int round = 0; round < kRounds; ++round) {
    AbortController step;
    auto answer = asking.ask({.signal = step.signal()});
    // At once: the abort comes before the question has been sent, or just after.
    while (asking.session->questions().pending() == 0) std::this_thread::yield();
    step.abort(AbortReason::stopped_by_user);
    CHECK_THROWS_AS(answer.get(), Aborted);
    REQUIRE(asking.frames("notifications/cancelled") == 1);
  }
}
