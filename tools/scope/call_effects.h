#pragma once

#include <string>
#include <vector>

namespace bridle {

// What one call has done in the browser so far, in the past tense and in order ("clicked button \"Save\""). When the
// call is cancelled, its tab's next result tells it. Lives on the request's thread.
class CallEffects {
 public:
  void record(std::string what) { done_.push_back(std::move(what)); }
  // The last one didn't happen after all.
  void drop_last();
  // What an abort from now on amounts to ("navigation to X stopped"); told after the effects. "": nothing.
  void if_cancelled(std::string what) { if_cancelled_ = std::move(what); }

  bool empty() const { return done_.empty(); }
  // All of them in one line, "" when there are none.
  std::string text() const;
  // The note that a cancelled call leaves on its tab, which is at `url`; "" when there is nothing to tell.
  std::string cancel_note(const std::string& url) const;

 private:
  std::vector<std::string> done_;
  std::string if_cancelled_;
};

}  // namespace bridle
