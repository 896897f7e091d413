#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/concurrency/sync.h"
#include "browser/cdp/connection.h"
#include "browser/chromium/process.h"

namespace bridle::bench {

// A Chromium with one page in a context of its own, driven by as few commands as the work needs: what the same actions
// cost without bridle. Each action returns its milliseconds, up to the last byte of the last reply.
class BareBrowser {
 public:
  BareBrowser();  // launches; throws LaunchError, CdpError
  ~BareBrowser();
  BareBrowser(const BareBrowser&) = delete;
  BareBrowser& operator=(const BareBrowser&) = delete;

  double navigate(const std::string& url);  // Page.navigate, then the load event
  double evaluate(const std::string& expression);
  std::string evaluate_text(const std::string& expression);  // a string's value
  double click(double x, double y);                          // move, press, release
  double insert_text(const std::string& text);
  double press_key_a();
  double screenshot(const std::string& format);
  double list_targets();
  double print();  // as A4, upright, with backgrounds
  // The value of a promise of a number.
  double await_number(const std::string& expression);
  // From now on requests for such URLs (a pattern of Fetch.enable) are answered with this text.
  void answer_requests(const std::string& pattern, const std::string& text);
  // Every element once: computed style, box, role, name or text, as one string. Repeats the floor that the page
  // script's own measurements use.
  double walk();

 private:
  double timed(const char* method, const Json& params);
  void send(const char* method, const Json& params);

  std::unique_ptr<ChromiumProcess> process_;
  std::unique_ptr<CdpConnection> connection_;
  std::string session_{};

  std::string answer_{};  // base64; written before a request is held

  Mutex mutex_;
  CondVar loaded_;
  std::uint64_t loads_ GUARDED_BY(mutex_) = 0;
};

}  // namespace bridle::bench
