#pragma once

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/eventually.h"

// Helpers of the tests of base/ and of the abort registry.
namespace bridle::testing {

// A thread that is joined when it goes out of scope, on a failed REQUIRE too.
using Thread = std::jthread;

// Takes over spdlog's default logger for its scope and keeps the lines, as "level: words".
class LogCapture {
 public:
  LogCapture() : sink_(std::make_shared<Sink>()), previous_(spdlog::default_logger()) {
    auto logger = std::make_shared<spdlog::logger>("capture", sink_);
    logger->set_level(spdlog::level::trace);
    spdlog::set_default_logger(std::move(logger));
  }
  ~LogCapture() { spdlog::set_default_logger(previous_); }
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  std::vector<std::string> lines() const { return sink_->lines(); }
  // The lines that hold `words`.
  std::vector<std::string> with(const std::string& words) const {
    auto all = lines();
    std::erase_if(all, [&words](const std::string& line) { return line.find(words) == std::string::npos; });
    return all;
  }

 private:
  class Sink : public spdlog::sinks::base_sink<std::mutex> {
   public:
    std::vector<std::string> lines() {
      const std::lock_guard lock(mutex_);
      return lines_;
    }

   protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
      const auto level = spdlog::level::to_string_view(message.level);
      lines_.push_back(std::string(level.data(), level.size()) + ": " +
                       std::string(message.payload.data(), message.payload.size()));
    }
    void flush_() override {}

   private:
    std::vector<std::string> lines_;
  };

  std::shared_ptr<Sink> sink_;
  std::shared_ptr<spdlog::logger> previous_;
};

}  // namespace bridle::testing
