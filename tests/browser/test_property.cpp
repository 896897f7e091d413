// [nav.truth]: a walk over all fixture pages in random order. After each success the URL reported is
// the page's own; nothing is left over; meanwhile another CDP client reloads, goes back and closes tabs.
//
// BRIDLE_WALK_STEPS: how many steps each (default 30; a release runs 300). BRIDLE_WALK_SEED repeats a walk.
#include <cstdlib>
#include <random>

#include "tests/browser/support/users_browser.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// Pages of every kind but those that are there to hang for ever.
const std::vector<std::string>& pages() {
  static const std::vector<std::string> all{
      "/",
      "/plain?title=One",
      "/plain?title=Two#fragment",
      "/elements?n=50",
      "/long",
      "/scroll-lab",
      "/unicode",
      "/title-change",
      "/console",
      "/slow?ms=60",
      "/slow-body?ms=60",
      "/with-slow-image?ms=60",
      "/download?name=walk.bin",
      "/redirect?to=/plain",
      "/redirect-chain?n=3",
      "/redirect-loop",
      "/cross-redirect",
      "/aba",
      "/status/404",
      "/status/500",
      "/no-content",
      "/reset-content",
      "/empty-500",
      "/reset",
      "/auth",
      "/meta-refresh",
      "/header-refresh",
      "/js-redirect",
      "/push-state",
      "/hash",
      "/alert-on-load",
      "/alert-on-click",
      "/beforeunload",
      "/popup",
      "/iframes",
      "/iframes-cross-site",
      "/iframe-nested",
      "/shadow",
      "/form",
      "/login",
      "/account",
      "/set-cookie?name=walk&value=1",
      "/cookies",
      "/storage",
      "/click-lab",
      "/keys",
      "/typing",
      "/drag",
      "/hover",
      "/surrogate",
      "/overrides",
      "/csp",
      "/csp-sandbox",
      "/fetch-lab",
      "/api/json",
      "/spa",
      "/consent",
      "/todo",
      "/shop",
  };
  return all;
}

unsigned long number_from(const char* name, unsigned long otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr && *text != '\0' ? std::strtoul(text, nullptr, 10) : otherwise;
}

// Another client of the same browser, with a CDP session of its own to each tab it meddles with.
class Meddler {
 public:
  explicit Meddler(CdpConnection& connection) : connection_(connection) {}

  void reload(const Tab& tab) {
    with_session(tab, [&](const std::string& session) { post(session, "Page.reload", {}); });
  }
  void back(const Tab& tab) {
    with_session(tab, [&](const std::string& session) {
      post(session, "Runtime.evaluate", {{"expression", "history.back()"}});
    });
  }
  void close(const Tab& tab) { post("", "Target.closeTarget", {{"targetId", tab.info().target_id}}); }

 private:
  void post(const std::string& session, const char* method, const Json& params) {
    connection_.post(session, method, params, [](const CdpReply&) {});
  }
  template <typename Fn>
  void with_session(const Tab& tab, Fn act) {
    try {
      const Json attached = connection_.call(CallContext{}.within(5s), "", "Target.attachToTarget",
                                             {{"targetId", tab.info().target_id}, {"flatten", true}});
      const auto session = attached.at("sessionId").get<std::string>();
      act(session);
      post("", "Target.detachFromTarget", {{"sessionId", session}});
    } catch (const std::exception&) {
      // The tab closed meanwhile.
    }
  }

  CdpConnection& connection_;
};

class Walk {
 public:
  // `other`: null without another client.
  Walk(Session& session, unsigned long seed, CdpConnection* other) : session_(session), random_(seed), other_(other) {}

  void step() {
    const auto choice = below(100);
    if (choice < 55) {
      navigate();
    } else if (choice < 65) {
      plain("browser_navigate_back");
    } else if (choice < 70) {
      plain("browser_navigate_forward");
    } else if (choice < 77) {
      plain("browser_reload");
    } else if (choice < 84) {
      click();
    } else if (choice < 89) {
      tabs();
    } else if (other_ != nullptr) {
      meddle();
    } else {
      click();
    }
    tidy();
  }

 private:
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }

  Answer call(const std::string& tool, const Json& args) {
    auto answer = session_.call(tool, args);
    last_ = tool + " " + args.dump() + " -> " + answer.text.substr(0, 300);
    return answer;
  }

  void navigate() {
    const auto& page = pages()[below(pages().size())];
    check(call("browser_navigate", {{"url", below(8) == 0 ? web().other_url(page) : web().url(page)}}));
  }
  void plain(const char* tool) { check(call(tool, Json::object())); }
  void click() {
    static const std::vector<std::string> targets{"a", "button", "input[type=submit]", "text=Home", "#link"};
    check(call("browser_click", {{"target", targets[below(targets.size())]}}));
  }
  void tabs() {
    const auto open = session_.scope().tabs();
    if (open.size() < 3) {
      call("browser_tabs", {{"action", "new"}, {"url", web().url(pages()[below(pages().size())])}});
    } else {
      call("browser_tabs", {{"action", below(2) == 0 ? "select" : "close"}, {"index", below(open.size())}});
    }
  }

  // Somebody else acts while a call of ours may be under way; whatever comes of ours, it must be true.
  void meddle() {
    const auto browser = session_.browser();
    const auto tab = session_.scope().find(session_.scope().current_id());
    if (!browser || !tab) return navigate();
    Meddler other(*other_);
    std::unique_ptr<Running> running;
    if (below(2) == 0)
      running = session_.start("browser_navigate", {{"url", web().url(pages()[below(pages().size())])}});
    switch (below(3)) {
      case 0:
        other.reload(*tab);
        break;
      case 1:
        other.back(*tab);
        break;
      default:
        if (below(3) == 0) other.close(*tab);
    }
    if (running) {
      const auto answer = running->get();
      CHECK(answer.unexpected.empty());
      CHECK(answer.waited < 15s);
    }
    last_ = "meddled";
  }

  // A URL that a success reports is the page's own at that moment. A page may go on by itself (a refresh, a push), and
  // a dialog blocks the asking; both are told by the tracker, and asked again.
  void check(const Answer& answer) {
    INFO(last_);
    CHECK(answer.waited < 15s);
    if (answer.is_error || !answer.structured.contains("url") || answer.structured["outcome"] == "download") return;
    const auto tab = session_.scope().find(answer.structured["tab"].get<std::string>());
    if (!tab) return;
    const auto reported = answer.structured["url"].get<std::string>();
    if (tab->state().blocked()) return;
    const auto href = session_.call("browser_evaluate", {{"function", "location.href"}, {"tab", tab->id()}});
    if (href.is_error) return;  // refused: the origin changed, which is said
    const auto commits = tab->state().url;
    CAPTURE(reported, href.text, commits);
    const bool moved_on = leads_on(reported);
    CHECK((href.structured["value"] == reported || moved_on));
    ++checked_;
  }
  // Pages that change their URL by themselves after they have loaded.
  static bool leads_on(const std::string& url) {
    return url.find("refresh") != std::string::npos || url.find("js-redirect") != std::string::npos;
  }

  // Answers what blocks the page, so that the walk goes on; bounds the tabs that popups leave.
  void tidy() {
    for (const auto& tab : session_.scope().tabs()) {
      const auto found = session_.scope().find(tab["id"].get<std::string>());
      if (found && found->state().dialog) {
        session_.call("browser_handle_dialog", {{"accept", true}, {"tab", found->id()}});
      }
    }
    while (session_.scope().tabs().size() > 4) session_.call("browser_tabs", {{"action", "close"}, {"index", 0}});
  }

 public:
  int checked_ = 0;

 private:
  Session& session_;
  std::mt19937_64 random_;
  CdpConnection* const other_;
  std::string last_;
};

// A walk of its own session, from its start to the end of its tabs.
void walk(House& house, CdpConnection* other) {
  const auto steps = number_from("BRIDLE_WALK_STEPS", 30);
  const auto seed = number_from("BRIDLE_WALK_SEED", std::random_device{}());
  const auto waiters = Tab::waiters();
  const auto callbacks = AbortCallback::live();
  INFO("BRIDLE_WALK_SEED=" << seed << " BRIDLE_WALK_STEPS=" << steps);
  {
    Session session(house);
    // In another client's browser the first call would take its tab, which this walk may close.
    if (other != nullptr) session.ok("browser_tabs", {{"action", "new"}});
    session.navigate(web().url("/plain"));
    Walk walk(session, seed, other);
    for (unsigned long step = 0; step < steps; ++step) {
      INFO("step " << step);
      walk.step();
    }
    CHECK(walk.checked_ > static_cast<int>(steps) / 4);  // else it has shown little
    session.ok("browser_close");
    CHECK(session.scope().tabs().empty());
    const auto browser = session.browser();
    REQUIRE(browser);
    CHECK(eventually([&] { return browser->tab_count() == 0; }));
    CHECK(eventually([&] { return browser->pending_commands() == 0; }));
  }
  CHECK(Tab::waiters() == waiters);
  CHECK(TabQueue::queued() == 0);
  CHECK(AbortCallback::live() == callbacks);
}

}  // namespace

TEST_CASE("a random walk over all pages tells only the truth and leaves nothing",
          "[property] [nav.settle] [nav.truth]") {
  House house;
  walk(house, nullptr);
}

TEST_CASE("a random walk in a browser that another client works in too", "[property][attach]") {
  web();
  UsersBrowser mine("walked");
  {
    House house(attached_at(mine.http()));
    walk(house, mine.client().get());
  }
  CHECK(mine.runs());
  CHECK(mine.pages().size() == 1);  // the user's own
}
