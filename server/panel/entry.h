#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"
#include "server/http/messages/message.h"

namespace bridle {

// Who may see the panel [panel.entry]: a link's token lets one browser in, which from then on shows a cookie. Neither
// is ever logged. Any thread.
class PanelEntry {
 public:
  explicit PanelEntry(int port) : cookie_name_("bridle_panel_" + std::to_string(port)) {}

  // A token for one link, which `owner` (HttpPeer::owner) has asked for: good once, for limits::kPanelToken. Where that
  // is a user of this machine, no other one may use it, as links are seen in the list of processes.
  std::string make_token(const std::string& owner);
  // Uses the token up: the value of Set-Cookie; "" when it is none. The cookie is good for peers of `owner` alone, as
  // cookies don't keep ports apart: a server of somebody else on this machine may get to see it.
  std::string enter(std::string_view token, const std::string& owner);
  // Whether the request shows a cookie of ours.
  bool knows(const HttpRequest& request) const;

 private:
  struct Token {
    std::string value;
    std::string owner;
    Deadline good;
  };
  struct Cookie {
    std::string value;
    std::string owner;
  };
  const std::string cookie_name_;
  mutable Mutex mutex_;
  std::deque<Token> tokens_ GUARDED_BY(mutex_);
  std::deque<Cookie> cookies_ GUARDED_BY(mutex_);
};

}  // namespace bridle
