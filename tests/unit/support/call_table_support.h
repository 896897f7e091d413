#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "server/calls/call_table.h"
#include "tests/unit/support/concurrency_support.h"

namespace bridle::testing {

using Json = nlohmann::json;

// A registry with a server's and a session's controller, as the tests of it want it.
struct CallTableFixture {
  static CallTable::Options with(Millis CallTable::Options::*field, Millis value) {
    CallTable::Options options;
    options.*field = value;
    return options;
  }
  explicit CallTableFixture(CallTable::Options options = CallTable::Options())
      : calls(server.signal(), timer, options) {}

  // Tells `refusal`; from one thread at a time.
  CallTable::Slot begin(std::string id, std::string name = "s", BeginOptions options = {}) {
    return calls.begin({std::move(name), std::move(id)}, "test_tool", session.signal(), &refusal, options);
  }
  CancelOutcome cancel(std::string id, std::string name = "s") {
    return calls.cancel({std::move(name), std::move(id)}, AbortReason::client_cancelled, "the client's words");
  }
  long long count(const char* name) const { return calls.counters().at(name).get<long long>(); }
  // Everything that must return to where it was [cancel.nothing-left]: the gauges.
  Json gauges() const {
    Json gauges = calls.counters();
    for (auto it = gauges.begin(); it != gauges.end();) {
      it = it.key().ends_with("_total") ? gauges.erase(it) : std::next(it);
    }
    return gauges;
  }

  LogCapture log{};  // keeps the tests quiet, too
  AbortController server{};
  AbortController session{};
  Timer timer{};
  CallTable calls;
  CallTable::Refusal refusal = CallTable::Refusal::none;
};

// A bound for what takes microseconds, on a machine under load.
inline CallContext soon() { return CallContext{.deadline = Deadline::after(std::chrono::seconds(20))}; }

}  // namespace bridle::testing
