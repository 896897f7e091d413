// What a HAR recording keeps of a tab's events, and its bounds [tool.har].
#include <future>

#include "base/limits.h"
#include "browser/routes/har_recorder.h"
#include "tests/support/catch.h"
#include "tests/unit/support/fake_tab.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

struct Recorded {
  FakeTransport* transport = new FakeTransport;
  std::shared_ptr<CdpConnection> connection{std::make_shared<CdpConnection>(std::unique_ptr<CdpTransport>(transport))};
  CdpSession session{connection, "S"};
  std::shared_ptr<HarRecorder> recorder = std::make_shared<HarRecorder>(true);

  Recorded() {
    connection->start([](const std::string&) {});
  }
  ~Recorded() { connection->stop(); }
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;

  void event(const char* method, const Json& params) { recorder->on_event(session, kMain, method, params); }
  void begin(const std::string& id, Json more = Json::object()) {
    Json params{{"requestId", id}, {"frameId", kMain}, {"type", "Fetch"}, {"timestamp", 1.0}, {"wallTime", 1e9}};
    params["request"] = {{"url", "http://a/" + id}, {"method", "GET"}, {"headers", Json::object()}};
    params.merge_patch(more);
    event("Network.requestWillBeSent", params);
  }
  // With so many bytes of a body.
  void finish(const std::string& id, double bytes) {
    event("Network.responseReceived", {{"requestId", id}, {"response", {{"status", 200}}}});
    event("Network.dataReceived", {{"requestId", id}, {"dataLength", bytes}});
    event("Network.loadingFinished", {{"requestId", id}, {"timestamp", 2.0}, {"encodedDataLength", bytes}});
  }
  std::size_t asked() const { return transport->sent("Network.getResponseBody").size(); }
};

}  // namespace

TEST_CASE("har recorder: requests with their page, each hop of a redirect, failures", "[har] [tool.har]") {
  Recorded recorded;
  recorded.begin("1", {{"type", "Document"}, {"loaderId", "1"}});
  recorded.begin("1", {{"type", "Document"},
                       {"timestamp", 1.5},
                       {"redirectResponse", {{"status", 302}, {"encodedDataLength", 10.0}}},
                       {"request", {{"url", "http://a/next"}}}});
  recorded.finish("1", 5);
  recorded.event("Page.loadEventFired", {{"timestamp", 3.0}});
  recorded.begin("2");
  recorded.event("Network.loadingFailed", {{"requestId", "2"}, {"timestamp", 2.0}, {"errorText", "net::ERR_FAILED"}});
  recorded.begin("3", {{"request", {{"url", "data:text/plain,x"}}}});
  recorded.begin("4");
  const auto all = recorded.recorder->recording({});
  REQUIRE(all.requests.size() == 4);
  CHECK(all.requests[0].response["status"] == 302);
  CHECK(all.requests[0].ended == 1.5);
  CHECK(all.requests[1].response["status"] == 200);
  CHECK(!all.requests[1].body.empty());
  CHECK(all.requests[2].error == "net::ERR_FAILED");
  CHECK(all.requests[3].ended == 0);
  REQUIRE(all.pages.size() == 1);
  CHECK(all.pages[0].load == 3.0);
  for (const auto& request : all.requests) CHECK(request.page == 1);
}

TEST_CASE("har recorder: bodies up to a size each and in all, and so many requests", "[har] [tool.har]") {
  Recorded recorded;
  const auto most = static_cast<double>(limits::kHarBody);
  for (const double bytes : {most - 1, most, most + 1}) {
    const auto id = std::to_string(static_cast<long>(bytes));
    recorded.begin(id);
    recorded.finish(id, bytes);
  }
  CHECK(recorded.asked() == 2);
  // Held back, they count with what they will be.
  Recorded full;
  full.transport->ignore("Network.getResponseBody");
  const auto fit = limits::kHarBodies / limits::kHarBody;
  for (std::size_t i = 0; i <= fit; ++i) {
    full.begin(std::to_string(i));
    full.finish(std::to_string(i), most);
  }
  CHECK(full.asked() == fit);
  Recorded many;
  for (std::size_t i = 0; i <= limits::kHarRequests; ++i) many.begin(std::to_string(i));
  const auto all = many.recorder->recording({});
  CHECK(all.requests.size() == limits::kHarRequests);
  CHECK(all.left_out == 1);
}

TEST_CASE("har recorder: its wait for the last bodies ends with an abort, and with its connection",
          "[har] [tool.har] [cancel.one-signal]") {
  Recorded recorded;
  recorded.transport->ignore("Network.getResponseBody");
  recorded.begin("1");
  recorded.finish("1", 5);
  AbortController controller;
  CallContext ctx;
  ctx.signal = controller.signal();
  auto waiting = std::async(std::launch::async, [&] {
    try {
      recorded.recorder->recording(ctx);
      return false;
    } catch (const Aborted&) {
      return true;
    }
  });
  controller.abort(AbortReason::client_cancelled);
  CHECK(waiting.get());
  recorded.transport->close("gone");
  const auto all = recorded.recorder->recording({});
  REQUIRE(all.requests.size() == 1);
  CHECK(all.requests[0].body.empty());
  CHECK(!all.requests[0].no_body.empty());
}
