#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace bridle {

// The requestState of 2026-07-28 [wire.questions]: what a call that needs input has learnt so far, sealed with a
// key of this process, bound to the tool and its arguments and to a time. The client carries it and can't change it.
// Immutable after construction: any thread.
class RequestStateSealer {
 public:
  static constexpr std::chrono::minutes kLifetime{15};

  RequestStateSealer();
  // `answers`: {key: answer} so far; `asked`: the keys now asked.
  std::string seal(std::string_view tool, const nlohmann::json& arguments, const nlohmann::json& answers,
                   const nlohmann::json& asked) const;

  struct State {
    nlohmann::json answers;
    nlohmann::json asked;
  };
  // nullopt: not ours, changed, expired, or of another call.
  std::optional<State> open(std::string_view text, std::string_view tool, const nlohmann::json& arguments) const;

 private:
  std::string signature(const std::string& payload) const;
  const std::string key_;
};

}  // namespace bridle
