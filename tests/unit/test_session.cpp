#include <nlohmann/json.hpp>
#include <set>

#include "base/random.h"
#include "server/calls/replay_store.h"
#include "server/calls/request_state.h"
#include "server/mcp/session.h"
#include "server/mcp/session_store.h"
#include "tests/support/catch.h"
#include "tests/unit/concurrency_support.h"

using namespace bridle;

TEST_CASE("session: ids are long, visible ASCII and different", "[wire.session]") {
  std::set<std::string> ids;
  for (int i = 0; i < 200; ++i) {
    const auto id = random_token(32);
    CHECK(id.size() == 43);
    for (const char c : id) CHECK((c > 0x20 && c < 0x7F));
    ids.insert(id);
  }
  CHECK(ids.size() == 200);
}

TEST_CASE("session: a negotiated one is not negotiated again, and closing aborts with the reason") {
  AbortController server;
  Session session("0123456789abcdef", server.signal());
  CHECK(session.label() == "0123456789");
  CHECK(session.negotiate(Revision::v2025_03_26, {{"elicitation", nlohmann::json::object()}}));
  CHECK_FALSE(session.negotiate(kLatestLegacy, {}));
  CHECK(session.revision() == Revision::v2025_03_26);
  session.close("gone");
  CHECK(session.signal().reason() == AbortReason::session_closed);
  CHECK(session.stream()->closed());
}

TEST_CASE("session: the server's shutdown reaches it") {
  AbortController server;
  Session session("0123456789abcdef", server.signal());
  server.abort(AbortReason::shutdown);
  CHECK(session.signal().reason() == AbortReason::shutdown);
}

TEST_CASE("session store: found while used, evicted when idle, refused when all are in use", "[wire.session.idle]") {
  AbortController server;
  Background background;
  SessionStore store(server.signal(), {.max_sessions = 2, .idle = Millis(60'000)}, background);
  std::vector<std::string> closed;
  store.on_closed = [&](Session& session) { closed.push_back(session.id()); };
  auto first = store.create();
  auto second = store.create();
  REQUIRE(first);
  CHECK(store.create() == nullptr);
  const auto first_id = first->id();
  first.reset();
  const auto third = store.create();
  REQUIRE(third);
  CHECK(closed == std::vector<std::string>{first_id});
  CHECK(store.find(first_id) == nullptr);
  CHECK(store.find(second->id()) != nullptr);
  CHECK(store.remove(second->id(), "test"));
  CHECK_FALSE(store.remove(second->id(), "test"));
  CHECK(second->signal().aborted());
  store.close_all("end");
  CHECK(store.create() == nullptr);
  CHECK(closed.size() == 3);
}

TEST_CASE("session store: an idle session expires, one in use doesn't") {
  AbortController server;
  Background background;
  SessionStore store(server.signal(), {.idle = Millis(20)}, background);
  const auto used = store.create();
  std::string id;
  AbortSignal signal;
  {
    const auto idle = store.create();
    id = idle->id();
    signal = idle->signal();
  }
  CHECK(testing::eventually([&] { return signal.aborted(); }));
  CHECK(signal.reason() == AbortReason::session_closed);
  CHECK(store.find(id) == nullptr);
  CHECK_FALSE(used->signal().aborted());
  CHECK(store.find(used->id()) != nullptr);
}

TEST_CASE("session: remembers a bounded number of ids that were answered at once") {
  AbortController server;
  Session session("0123456789abcdef", server.signal());
  for (std::size_t i = 0; i <= limits::kKnownIds; ++i) session.note_answered(std::to_string(i));
  CHECK_FALSE(session.was_answered("0"));
  CHECK(session.was_answered("1"));
  CHECK(session.was_answered(std::to_string(limits::kKnownIds)));
}

TEST_CASE("replay store: event ids name session, stream and place; foreign and forged ones find nothing",
          "[wire.resume]") {
  ReplayStore store("label");
  const auto box = std::make_shared<ReplyStream>(ReplyStream::Options{.replay = true});
  const auto name = store.add(box);
  CHECK(name == "label-1");
  using What = ReplayStore::Found::What;
  CHECK(store.find("label-1_0").what == What::stream);
  CHECK(store.find("label-1_7").after == 7);
  for (const char* id :
       {"other-1_0", "label-2_0", "label-0_0", "label-1", "label-_0", "label-1_", "label-x_0", "", "label-1_-1"}) {
    CAPTURE(id);
    CHECK(store.find(id).what == What::foreign);
  }
  box->push(Frame::Kind::response, "answer");
  box->seal();
  CHECK(store.find("label-1_0").what == What::stream);
  CHECK(store.find("label-1_1").what == What::finished);
  for (std::size_t i = 0; i < ReplayStore::kMaxFinished + 5; ++i) {
    const auto more = std::make_shared<ReplyStream>(ReplyStream::Options{.replay = true});
    store.add(more);
    more->seal();
  }
  store.prune();
  CHECK(store.size() == ReplayStore::kMaxFinished);
  CHECK(store.find("label-1_0").what == What::finished);
}

TEST_CASE("questions: answered once, by id, while they wait", "[wire.questions]") {
  Questions questions;
  auto question = questions.open();
  jsonrpc::Message answer;
  answer.id = question->id();
  answer.result = {{"action", "accept"}};
  CHECK(questions.answer(answer));
  CHECK_FALSE(questions.answer(answer));
  jsonrpc::Message got;
  CHECK(question->wait({}, got));
  CHECK(got.result["action"] == "accept");
  question.reset();
  CHECK(questions.pending() == 0);
  CHECK_FALSE(questions.answer(answer));
  const auto unanswered = questions.open();
  CHECK_FALSE(unanswered->wait({.deadline = Deadline::after(Millis(1))}, got));
  AbortController controller;
  controller.abort(AbortReason::client_cancelled);
  CHECK_THROWS_AS(unanswered->wait({.signal = controller.signal()}, got), Aborted);
}

TEST_CASE("request state: only ours, only for its call", "[wire.questions]") {
  const RequestStateSealer sealer;
  const nlohmann::json arguments = {{"a", 1}};
  const auto text = sealer.seal("ask", arguments, {{"k", "v"}}, nlohmann::json::array({"q"}));
  const auto state = sealer.open(text, "ask", arguments);
  REQUIRE(state);
  CHECK(state->answers["k"] == "v");
  CHECK(state->asked[0] == "q");
  CHECK_FALSE(sealer.open(text, "other", arguments));
  CHECK_FALSE(sealer.open(text, "ask", {{"a", 2}}));
  CHECK_FALSE(sealer.open(text + "A", "ask", arguments));
  CHECK_FALSE(sealer.open("A" + text, "ask", arguments));
  CHECK_FALSE(sealer.open("", "ask", arguments));
  CHECK_FALSE(sealer.open(".", "ask", arguments));
  CHECK_FALSE(RequestStateSealer().open(text, "ask", arguments));
}
