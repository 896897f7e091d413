#include <nlohmann/json.hpp>

#include "server/calls/stream/progress.h"
#include "server/http/messages/sse.h"
#include "tests/support/catch.h"

using namespace bridle;
using Json = nlohmann::json;

namespace {

struct Stream {
  std::shared_ptr<ReplyStream> box = std::make_shared<ReplyStream>(ReplyStream::Options{});
  AbortController controller{};
  ReplyStream::Lane lane{box, controller.signal(), nullptr};
  std::shared_ptr<ReplyStream::Reader> reader = std::make_shared<ReplyStream::Reader>(box);

  // What was said; null: nothing.
  Json next() {
    Frame frame;
    return reader->next(Millis(0), frame) == ReplyStream::Reader::Got::frame ? Json::parse(*frame.text)["params"]
                                                                             : Json();
  }
};

// A peer that takes so many writes.
struct Writes : HttpStream {
  explicit Writes(int most) : left(most) {}
  bool write(std::string_view bytes) override {
    text += bytes;
    return --left > 0;
  }
  int left;
  std::string text{};
};

}  // namespace

TEST_CASE("progress: a sign of life is the seconds so far, until the call reports by itself", "[wire.progress.alive]") {
  Stream call;
  ProgressReporter progress(Revision::v2025_11_25, 7, call.lane);
  progress.heartbeat();
  const Json life = call.next();
  CHECK(life["progressToken"] == 7);
  CHECK(life["message"] == "still running");
  CHECK(life["progress"].get<double>() >= 0);
  progress.report(50, 100, "halfway");
  CHECK(call.next()["progress"] == 50);
  progress.heartbeat();
  CHECK(call.next().is_null());

  ProgressReporter without_token(Revision::v2025_11_25, nullptr, call.lane);
  without_token.heartbeat();
  CHECK(call.next().is_null());
  ProgressReporter old(Revision::v2024_11_05, "t", call.lane);
  old.heartbeat();
  CHECK_FALSE(call.next().contains("message"));
  call.lane.finish("answer");
  old.heartbeat();
  Frame frame;
  CHECK(call.reader->next(Millis(0), frame) == ReplyStream::Reader::Got::frame);
  CHECK(*frame.text == "answer");
  CHECK(call.next().is_null());
}

TEST_CASE("progress: a stream that is idle asks for a sign of life, and sends it", "[wire.progress.alive]") {
  Stream call;
  ProgressReporter progress(Revision::v2025_11_25, "t", call.lane);
  Writes out(4);
  SseOptions options;
  options.keep_alive = Millis(1);
  options.on_idle = [&] { progress.heartbeat(); };
  CHECK(pump_sse(*call.reader, out, options) == SseEnd::peer_gone);
  CHECK(out.text.find(": keep-alive") != std::string::npos);
  CHECK(out.text.find("notifications/progress") != std::string::npos);
}

TEST_CASE("progress: what takes long is told once, at its time") {
  Stream call;
  Writes out(100);
  int late = 0;
  SseOptions options;
  options.late = Clock::now() + Millis(20);
  options.on_late = [&] {
    ++late;
    CHECK(Clock::now() >= options.late);
    call.lane.finish("{}");
    call.box->seal();
  };
  CHECK(pump_sse(*call.reader, out, options) == SseEnd::finished);
  CHECK(late == 1);
  CHECK(out.text.find("keep-alive") == std::string::npos);
}
