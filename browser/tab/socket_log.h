#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/limits.h"
#include "browser/tab/tab_state.h"

namespace bridle {

// The WebSockets of a tab: what its page has sent since an action began, and what has come back. Nothing tells which
// message answers which, so that the first one after a message of the page's counts as its answer.
// A pure state machine: no thread, no CDP command; its owner serialises access.
class SocketLog {
 public:
  static bool wants(std::string_view method) { return method.starts_with(kWebSocket); }

  // The params of a message's event without the message itself, which may be long and many a second; null: `event` is
  // none, or is written otherwise than Chromium does.
  static Json params_of_frame(std::string_view method, std::string_view event) {
    if (!method.starts_with("Network.webSocketFrame")) return {};
    constexpr std::string_view kBefore = R"("requestId":")";
    const auto begin = event.substr(0, kHead).find(kBefore);
    if (begin == std::string_view::npos) return {};
    const auto id = event.substr(begin + kBefore.size());
    const auto end = id.substr(0, kHead).find('"');
    if (end == std::string_view::npos) return {};
    Json params = {{"requestId", std::string(id.substr(0, end))}};
    if (is_signal(id.substr(end))) params["signal"] = true;
    return params;
  }

  void on_event(const std::string& session, std::string_view method, const Json& params, Clock::time_point now) {
    const auto key = session + ' ' + string_field(params, "requestId");
    const auto what = method.substr(kWebSocket.size());
    if (what == "Closed") {
      sockets_.erase(key);
      return;
    }
    if (what == "Created") {
      if (sockets_.size() >= kSockets) sockets_.clear();
      const auto url = string_field(params, "url");
      sockets_[key] = {.place = url.substr(0, url.find_first_of("?#")), .signals = url.contains("EIO=")};
    }
    const auto found = sockets_.find(key);
    if (found == sockets_.end() || (found->second.signals && params.contains("signal"))) return;
    if (what == "Created" || what == "FrameSent") {
      note_sent(found->second, now);
    } else if (what == "HandshakeResponseReceived" || what == "FrameReceived") {
      note_received(found->second, now);
    }
  }

  void drop_session(const std::string& session) {
    std::erase_if(sockets_, [&](const auto& item) { return item.first.starts_with(session + ' '); });
  }

  // An action begins: what was sent by then is none of its messages.
  void begin_action(Clock::time_point now) {
    began_ = now;
    for (auto& [key, socket] : sockets_) {
      socket.streams = socket.unasked && now - *socket.unasked < kStream;
      socket.owed = socket.answered = socket.heard = std::nullopt;
    }
  }

  // Adds what the page has sent since, and what came back, to what it has requested.
  void add_to(NetworkActivity& activity) const {
    for (const auto& [key, socket] : sockets_) {
      if (!socket.sent || *socket.sent < began_) continue;
      if (socket.owed && (!activity.owed || *socket.owed < *activity.owed)) activity.owed = socket.owed;
      const auto heard = socket.streams ? socket.answered : socket.heard;
      activity.heard = std::max(activity.heard, heard);
      activity.last = std::max({activity.last, socket.owed, heard});
      activity.last_fetch = std::max({activity.last_fetch, socket.owed, heard});
    }
  }

  // What has no answer yet isn't waited for any longer, nor what is sent to the same place until a message from there
  // comes in time to be an answer: some pages only report.
  void give_up() {
    for (auto& [key, socket] : sockets_) {
      if (socket.owed) silent_.insert(socket.place);
      socket.owed.reset();
    }
  }

 private:
  static constexpr std::string_view kWebSocket = "Network.webSocket";
  static constexpr std::size_t kHead = 200;     // bytes of an event within which its request's id stands
  static constexpr std::size_t kSockets = 200;  // of all documents of a tab
  static constexpr Millis kStream{1000};        // what comes so long after the page's last message answers none

  // A message of one character, by which Engine.IO (Socket.IO) upgrades a connection and sees whether it is there:
  // nothing that the page has asked, and no answer.
  static bool is_signal(std::string_view after_id) {
    constexpr std::string_view kPayload = R"("payloadData":")";
    const auto begin = after_id.substr(0, kHead).find(kPayload);
    if (begin == std::string_view::npos) return false;
    const auto payload = after_id.substr(begin + kPayload.size());
    return payload.size() > 1 && payload[0] != '"' && payload[0] != '\\' && payload[1] == '"';
  }

  struct Socket {
    std::string place{};                          // the URL without its query
    bool signals = false;                         // by that, Engine.IO's signals are among its messages
    std::optional<Clock::time_point> sent{};      // the page's last message; its connection counts as one
    std::optional<Clock::time_point> owed{};      // the first of those since the action began that has no answer
    std::optional<Clock::time_point> answered{};  // the first message that came after one of those
    std::optional<Clock::time_point> heard{};     // the last one
    std::optional<Clock::time_point> unasked{};   // the last message that answers none
    bool streams = false;                         // messages came of themselves when the action began
  };

  void note_sent(Socket& socket, Clock::time_point now) {
    if (!socket.owed && !silent_.contains(socket.place)) socket.owed = now;
    socket.sent = now;
  }

  void note_received(Socket& socket, Clock::time_point now) {
    if (socket.sent && now - *socket.sent <= limits::kSocketAnswer) silent_.erase(socket.place);
    if (!socket.sent || now - *socket.sent > kStream) socket.unasked = now;
    if (!socket.sent || *socket.sent < began_) return;
    if (!socket.answered) socket.answered = now;
    socket.heard = now;
    socket.owed.reset();
  }

  Clock::time_point began_{};                        // the last action
  std::unordered_map<std::string, Socket> sockets_;  // by session and request id
  std::unordered_set<std::string> silent_;           // places
};

}  // namespace bridle
