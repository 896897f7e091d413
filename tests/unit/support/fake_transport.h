#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "browser/cdp/message.h"
#include "browser/cdp/transport.h"

namespace bridle::testing {

// A browser that answers from a script. Commands without an entry in the script are answered with {} unless mute.
// Any thread may call anything; the connection under test owns it.
class FakeTransport : public CdpTransport {
 public:
  struct Command {
    long long id = 0;
    std::string session{};
    std::string method{};
    Json params{};
  };
  // The messages to answer with, in order; none: the command stays unanswered.
  using Script = std::function<std::vector<std::string>(const Command&)>;

  bool send(std::string_view message) override {
    const Json json = parse_cdp(message);
    Command command{json.at("id").get<long long>(), json.value("sessionId", ""), json.at("method").get<std::string>(),
                    json.value("params", Json::object())};
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    sent_.push_back(command);
    if (const auto found = scripts_.find(command.method); found != scripts_.end()) {
      for (auto& reply : found->second(command)) queue_.push_back(std::move(reply));
    } else if (!mute_) {
      queue_.push_back(result(command, Json::object()));
    }
    changed_.notify_all();
    return true;
  }

  std::optional<std::string> receive() override {
    std::unique_lock lock(mutex_);
    handled_ = taken_;  // whoever asks for the next has handled the last
    changed_.notify_all();
    changed_.wait(lock, [&] { return closed_ || !queue_.empty(); });
    if (queue_.empty()) return std::nullopt;
    auto message = std::move(queue_.front());
    queue_.pop_front();
    ++taken_;
    return message;
  }

  void close() override { close("closed by bridle"); }
  // As if the browser went away.
  void close(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    if (!closed_) reason_ = reason;
    closed_ = true;
    changed_.notify_all();
  }
  std::string close_reason() const override {
    const std::lock_guard lock(mutex_);
    return reason_;
  }

  void on(const std::string& method, Script script) {
    const std::lock_guard lock(mutex_);
    scripts_[method] = std::move(script);
  }
  void ignore(const std::string& method) {
    on(method, [](const Command&) { return std::vector<std::string>{}; });
  }
  void set_mute(bool mute) {
    const std::lock_guard lock(mutex_);
    mute_ = mute;
  }
  void push(std::string message) {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(message));
    changed_.notify_all();
  }
  void push_event(const std::string& session, const std::string& method, const Json& params) {
    push(event(session, method, params));
  }

  std::vector<Command> sent(const std::string& method = "") const {
    const std::lock_guard lock(mutex_);
    std::vector<Command> found;
    for (const auto& command : sent_) {
      if (method.empty() || command.method == method) found.push_back(command);
    }
    return found;
  }
  bool wait_sent(const std::string& method, std::size_t count = 1) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] {
      std::size_t seen = 0;
      for (const auto& command : sent_) seen += command.method == method ? 1 : 0;
      return seen >= count;
    });
  }
  // Until the reader has handled all that was pushed.
  bool drain() const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return queue_.empty() && handled_ == taken_; });
  }

  static std::string result(const Command& command, const Json& value) {
    std::string text = "{\"id\":" + std::to_string(command.id) + ",\"result\":" + value.dump();
    if (!command.session.empty()) text += ",\"sessionId\":\"" + command.session + "\"";
    return text + "}";
  }
  static std::string error(const Command& command, int code, const std::string& message) {
    Json json{{"error", {{"code", code}, {"message", message}}}, {"id", command.id}};
    if (!command.session.empty()) json["sessionId"] = command.session;
    return json.dump();
  }
  static std::string event(const std::string& session, const std::string& method, const Json& params) {
    std::string text = "{\"method\":\"" + method + "\",\"params\":" + params.dump();
    if (!session.empty()) text += ",\"sessionId\":\"" + session + "\"";
    return text + "}";
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<std::string> queue_;
  std::map<std::string, Script> scripts_;
  std::vector<Command> sent_;
  std::string reason_;
  long long taken_ = 0;
  long long handled_ = 0;
  bool mute_ = false;
  bool closed_ = false;
};

}  // namespace bridle::testing
