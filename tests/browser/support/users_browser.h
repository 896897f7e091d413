#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "browser/cdp/connection.h"
#include "tests/browser/support/browser_fixture.h"

namespace bridle::testing {

// A user's own Chromium with a debugging port and one page open, titled "Mine". Ended with this.
class UsersBrowser {
 public:
  explicit UsersBrowser(const std::string& name);
  ~UsersBrowser() { end(); }
  UsersBrowser(const UsersBrowser&) = delete;
  UsersBrowser& operator=(const UsersBrowser&) = delete;

  void end();
  bool runs() const;
  std::string http() const { return "http://127.0.0.1:" + port_; }
  std::string websocket() const { return "ws://127.0.0.1:" + port_ + path_; }

  // A CDP client of the user's own, which bridle knows nothing of.
  std::unique_ptr<CdpConnection> client() const;
  // What the user sees, through such a client.
  std::vector<Json> pages() const;
  static std::string title_of(const Json& page) { return page.value("title", ""); }

 private:
  std::string profile_;
  pid_t pid_ = -1;
  std::string port_;
  std::string path_;
};

// Settings that attach to it.
BrowserSettings attached_at(const std::string& endpoint);

}  // namespace bridle::testing
