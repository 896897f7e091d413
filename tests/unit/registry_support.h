#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "server/calls/abort_registry.h"
#include "tests/unit/concurrency_support.h"

namespace bridle::testing {

using Json = nlohmann::json;

// A registry with a server's and a session's controller, as the tests of it want it.
struct RegistryFixture {
  static AbortRegistry::Options with(Millis AbortRegistry::Options::*field, Millis value) {
    AbortRegistry::Options options;
    options.*field = value;
    return options;
  }
  explicit RegistryFixture(AbortRegistry::Options options = AbortRegistry::Options())
      : registry(server.signal(), timer, options) {}

  // Tells `refusal`; from one thread at a time.
  RequestEntry begin(std::string id, std::string name = "s", BeginOptions options = {}) {
    return registry.begin({std::move(name), std::move(id)}, "test_tool", session.signal(), &refusal, options);
  }
  CancelOutcome cancel(std::string id, std::string name = "s") {
    return registry.cancel({std::move(name), std::move(id)}, AbortReason::client_cancelled, "the client's words");
  }
  long long count(const char* name) const { return registry.counters().at(name).get<long long>(); }
  // Everything that must return to where it was [cancel.nothing-left]: the gauges.
  Json gauges() const {
    Json gauges = registry.counters();
    for (auto it = gauges.begin(); it != gauges.end();) {
      it = it.key().ends_with("_total") ? gauges.erase(it) : std::next(it);
    }
    return gauges;
  }

  LogCapture log{};  // keeps the tests quiet, too
  AbortController server{};
  AbortController session{};
  Timer timer{};
  AbortRegistry registry;
  AbortRegistry::Refusal refusal = AbortRegistry::Refusal::none;
};

// A bound for what takes microseconds, on a machine under load.
inline CallContext soon() { return CallContext{.deadline = Deadline::after(std::chrono::seconds(20))}; }

}  // namespace bridle::testing
