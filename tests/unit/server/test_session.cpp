#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text/random.h"
#include "server/calls/request_state.h"
#include "server/calls/stream/replay_store.h"
#include "server/mcp/session.h"
#include "server/mcp/session_store.h"
#include "tests/support/catch.h"
#include "tests/unit/support/concurrency_support.h"
#include "tools/contract/tool.h"

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

namespace {

// A client's browser with so many tabs.
class FakeScope final : public ToolScope {
 public:
  explicit FakeScope(int count) : tabs_(nlohmann::json::array()) {
    for (int i = 0; i < count; ++i) tabs_.push_back({{"id", "t" + std::to_string(i)}});
  }
  nlohmann::json tabs() const override { return tabs_; }

 private:
  nlohmann::json tabs_;
};

// A store with room for so many, and the names of the sessions in it.
struct Crowd {
  explicit Crowd(std::size_t room) : store(server.signal(), {.max_sessions = room}, background) {
    store.on_closed = [this](Session& session) { std::erase(living, names.at(session.id())); };
  }
  // Opens a session and lets go of it. `tabs`: -1: it never worked.
  bool open(const std::string& name, const std::string& client, int tabs = -1) {
    const auto session = store.create(false, client);
    if (!session) return false;
    names[session->id()] = name;
    living.push_back(name);
    Toolbox toolbox;
    toolbox.open_scope = [tabs](const std::string&) { return std::make_shared<FakeScope>(tabs); };
    if (tabs >= 0) session->scope(toolbox);
    return true;
  }
  bool lives(const std::string& name) const { return std::find(living.begin(), living.end(), name) != living.end(); }

  std::map<std::string, std::string> names;
  std::vector<std::string> living;
  AbortController server;
  Background background;
  SessionStore store;  // last: its end tells of each session
};

}  // namespace

TEST_CASE("session store: who makes sessions without end displaces himself, the newest first", "[wire.session.room]") {
  Crowd crowd(5);
  CHECK(crowd.open("victim", "user 1 a"));
  CHECK(crowd.open("first", "user 1 b"));
  for (int i = 0; i < 50; ++i) CHECK(crowd.open("flood " + std::to_string(i), "user 1 b"));
  CHECK(crowd.living == std::vector<std::string>{"victim", "first", "flood 0", "flood 1", "flood 49"});
}

TEST_CASE("session store: a flood under the victim's own name, or under many, leaves the victim alone",
          "[wire.session.room]") {
  const bool one_name = GENERATE(true, false);
  const int tabs = GENERATE(-1, 0, 1);
  CAPTURE(one_name, tabs);
  Crowd crowd(5);
  CHECK(crowd.open("victim", "user 1 a", tabs));
  for (int i = 0; i < 50; ++i) {
    CHECK(crowd.open("flood", one_name ? "user 1 a" : "user 1 " + std::to_string(i)));
  }
  CHECK(crowd.lives("victim"));
  CHECK(crowd.store.size() == 5);
}

TEST_CASE("session store: a session with tabs goes after all without, and never for another client",
          "[wire.session.room]") {
  Crowd crowd(3);
  CHECK(crowd.open("mine with tabs", "a", 1));
  CHECK(crowd.open("worked", "b", 0));
  CHECK(crowd.open("idle", "c"));
  CHECK(crowd.open("mine too", "a", 2));  // the session that never worked goes first
  CHECK_FALSE(crowd.lives("idle"));
  CHECK(crowd.open("mine again", "a", 2));  // then the one that did, though it is another's
  CHECK_FALSE(crowd.lives("worked"));
  CHECK_FALSE(crowd.open("other", "d"));  // all have tabs, and none is d's
  CHECK(crowd.living == std::vector<std::string>{"mine with tabs", "mine too", "mine again"});
  CHECK(crowd.open("the newest", "a"));
  CHECK(crowd.living == std::vector<std::string>{"mine with tabs", "mine too", "the newest"});
}

TEST_CASE("session store: of the others' that have worked, the one that was idle longest goes", "[wire.session.room]") {
  Crowd crowd(3);
  for (const char* name : {"one", "two", "three"}) CHECK(crowd.open(name, name, 0));
  const auto one =
      std::find_if(crowd.names.begin(), crowd.names.end(), [](const auto& n) { return n.second == "one"; });
  REQUIRE(crowd.store.find(one->first));  // used once more
  CHECK(crowd.open("four", "four", 0));
  CHECK(crowd.living == std::vector<std::string>{"one", "three", "four"});
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
