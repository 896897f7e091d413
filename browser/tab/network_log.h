#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "browser/tab/socket_log.h"
#include "browser/tab/tab_state.h"

namespace bridle {

// The requests of a tab, newest last, with what is still in flight.
// A pure state machine: no thread, no CDP command; its owner serialises access.
class NetworkLog {
 public:
  bool on_event(const std::string& session, std::string_view method, const Json& params, Clock::time_point now);
  static bool wants(std::string_view method);
  void clear_in_flight(const std::string& session);
  // A frame has another document, whose loader that is. What the one before had asked for as it was left, and a page
  // may have sent to be answered after its end, keeps nothing waiting; if it is the main frame's, nor has what its
  // frames had.
  void enter_document(const std::string& frame_id, const std::string& loader_id, bool main);

  // How many requests were started so far: a mark to compare with.
  int started() const { return next_index_ - 1; }
  // An action begins: what is under way by then is none of its requests, nor is what renews that when it has ended, as
  // a long poll does, or one that had ended just before. Returns the mark.
  int begin_action(Clock::time_point now);
  // Of the requests after `mark` (0: all) that a page's content may depend on, without those that are renewed.
  // With the messages over WebSockets since the last action began, whatever the mark is.
  NetworkActivity activity_since(int mark) const;
  void give_up_sockets() { sockets_.give_up(); }  // SocketLog::give_up
  // The same for requests of every type: what the page is still loading.
  int in_flight() const;
  // Whether a request is under way that may bring something to the page: one that a page keeps up for itself, as a long
  // poll, has been under way for long, or is asked for in a rhythm.
  bool brings_content(Clock::time_point now) const;
  // The newest of those that were started before, and that the page doesn't keep up for itself.
  std::optional<UnansweredRequest> unanswered(Clock::time_point before) const;
  const std::deque<NetworkRequest>& entries() const { return entries_; }
  int dropped() const { return dropped_; }
  // A request that hasn't ended; null when there is none of this id. Valid until the next event.
  const NetworkRequest* find_open(const std::string& session, const std::string& request_id) {
    return find(session, request_id);
  }

 private:
  NetworkRequest* find(const std::string& session, const std::string& request_id);
  NetworkRequest* at(int index);  // null: it was dropped
  void note_end(const NetworkRequest& entry);
  void note_renewal(NetworkRequest& entry);
  bool is_beat(const NetworkRequest& entry) const;

  int next_index_ = 1;
  int dropped_ = 0;
  std::deque<NetworkRequest> entries_;
  std::unordered_map<std::string, int> open_;               // session/request id -> index, unfinished only
  std::unordered_map<std::string, std::string> documents_;  // frame id -> loader id, since the main frame's began
  std::deque<std::string> left_loaders_;                    // of the last documents that have gone
  // What may be renewed next: by place, when the standing request there has ended.
  std::unordered_map<std::string, Clock::time_point> renewable_;
  SocketLog sockets_;
};

}  // namespace bridle
