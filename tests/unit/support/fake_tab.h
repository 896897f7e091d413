#pragma once

#include <future>
#include <memory>
#include <string>

#include "browser/page/world/page_script.h"
#include "browser/tab/tab.h"
#include "tests/support/catch.h"
#include "tests/unit/support/concurrency_support.h"
#include "tests/unit/support/fake_transport.h"
#include "tests/unit/support/tracker_support.h"

namespace bridle::testing {

// A tab whose browser answers everything with {}, until its script says otherwise.
struct FakeTab {
  FakeTransport* transport = new FakeTransport;
  std::shared_ptr<CdpConnection> connection{std::make_shared<CdpConnection>(std::unique_ptr<CdpTransport>(transport))};
  std::shared_ptr<Tab> tab{std::make_shared<Tab>("t1", Tab::Info{kMain, "CTX", ""}, CdpSession(connection, "S"),
                                                 Tab::Setup{nullptr, bridle_page_script()})};

  // `frame`: the main frame's document, as Page.getFrameTree tells it.
  explicit FakeTab(const Json& frame = Json()) {
    if (!frame.is_null()) {
      transport->on("Page.getFrameTree", [frame](const FakeTransport::Command& command) {
        return std::vector<std::string>{FakeTransport::result(command, {{"frameTree", {{"frame", frame}}}})};
      });
    }
    connection->start([](const std::string&) {});
    tab->attach(800, 600);
    tab->wait_until_ready(CallContext{}.within(std::chrono::seconds(20)));
    REQUIRE(tab->state().ready);
  }
  ~FakeTab() { connection->stop(); }
  FakeTab(const FakeTab&) = delete;
  FakeTab& operator=(const FakeTab&) = delete;

  void event(const std::string& method, const Json& params, const std::string& session = "S") const {
    transport->push_event(session, method, params);
  }
  void event(const Event& e) const { event(e.method, e.params); }
  // A command that stays unanswered, called in a thread of its own; returns once it was sent.
  std::future<Json> call_async(const CallContext& ctx = {}, const std::string& method = "Slow.command") const {
    transport->ignore(method);
    const auto before = transport->sent(method).size();
    auto result = std::async(std::launch::async, [=, this] { return tab->call(ctx, method); });
    REQUIRE(transport->wait_sent(method, before + 1));
    return result;
  }
  // Nothing of an ended call is left behind.
  bool clean() const {
    return eventually([this] { return connection->pending() == 0; });
  }
};

}  // namespace bridle::testing
