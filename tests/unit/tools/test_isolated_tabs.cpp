// Isolated contexts, without a browser: how many, whose, and for how long.

#include "base/errors.h"
#include "base/limits.h"
#include "tests/support/catch.h"
#include "tools/scope/browser_scope.h"

using namespace bridle;
using namespace std::chrono_literals;

namespace {

struct Contexts {
  explicit Contexts(Millis idle) { settings.isolated = std::make_shared<IsolatedTabs>(idle, background); }
  ~Contexts() { settings.isolated->close(); }
  std::shared_ptr<BrowserScope> scope() { return std::make_shared<BrowserScope>(host, settings); }
  IsolatedTabs& tabs() { return *settings.isolated; }
  Background background{};
  std::shared_ptr<BrowserHost> host = std::make_shared<BrowserHost>(LaunchOptions{});
  BrowserSettings settings{};
};

bool ends(const std::weak_ptr<BrowserScope>& scope) {
  const auto until = Deadline::after(10s);
  Mutex mutex;
  CondVar never;
  while (!scope.expired() && !until.expired()) {
    MutexLock lock(mutex);
    never.wait_until(lock, Deadline::after(Millis(1)).when(), [] { return false; });  // between two looks
  }
  return scope.expired();
}

}  // namespace

TEST_CASE("isolated contexts: as many as the limit, and room again when one ends", "[tool.isolated]") {
  Contexts contexts(1h);
  const auto owner = contexts.scope();
  std::vector<std::shared_ptr<BrowserScope>> made;
  for (long i = 0; i < limits::kIsolatedContexts; ++i) made.push_back(owner->make_isolated());
  CHECK_THROWS_WITH(owner->make_isolated(), matchers::Contains(std::to_string(limits::kIsolatedContexts)) &&
                                                matchers::Contains("browser_tabs close"));
  made.pop_back();  // never kept
  owner->keep_isolated(made.back());
  auto last = owner->make_isolated();
  CHECK_THROWS_AS(owner->make_isolated(), ToolError);
  owner->close_isolated(*made.back());
  CHECK_NOTHROW(owner->make_isolated());
}

TEST_CASE("isolated contexts: an idle one ends by itself; another owner's end is its own") {
  Contexts contexts(40ms);
  const auto owner = contexts.scope();
  std::weak_ptr<BrowserScope> kept;
  {
    const auto isolated = owner->make_isolated();
    CHECK(isolated->is_isolated());
    owner->keep_isolated(isolated);
    kept = isolated;
  }
  CHECK(contexts.tabs().of(owner.get()).size() <= 1);
  CHECK(ends(kept));
  CHECK(contexts.tabs().size() == 0);
}

TEST_CASE("isolated contexts: they end with their owner, its browser_close, and the server") {
  Contexts contexts(1h);
  auto one = contexts.scope();
  const auto two = contexts.scope();
  const auto keep = [](const std::shared_ptr<BrowserScope>& owner) {
    const auto isolated = owner->make_isolated();
    owner->keep_isolated(isolated);
    return std::weak_ptr<BrowserScope>(isolated);
  };
  const auto first = keep(one);
  const auto second = keep(two);
  one.reset();
  CHECK(first.expired());
  CHECK_FALSE(second.expired());
  two->close_all({});
  CHECK(second.expired());
  const auto third = keep(two);
  contexts.tabs().close();
  CHECK(third.expired());
  const auto late = two->make_isolated();
  CHECK_THROWS_AS(two->keep_isolated(late), ToolError);
}

TEST_CASE("isolated contexts: those of callers without a session outlive one caller's browser_close") {
  Contexts contexts(1h);
  const auto shared = std::make_shared<BrowserScope>(contexts.host, contexts.settings, true);
  const auto isolated = shared->make_isolated();
  shared->keep_isolated(isolated);
  shared->close_all({});
  CHECK(contexts.tabs().size() == 1);
}

TEST_CASE("a limit in words is exact") {
  CHECK(in_words(30min) == "30 min");
  CHECK(in_words(2h) == "2 h");
  CHECK(in_words(90s) == "90 s");
  CHECK(in_words(1500ms) == "1500 ms");
}
