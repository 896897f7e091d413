#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/concurrency/call_context.h"
#include "base/text/json.h"

namespace bridle {

// What one viewer sees of a tab, as long as it looks [panel.view]. Used by one thread.
class LiveView {
 public:
  virtual ~LiveView() = default;
  struct Picture {
    std::uint64_t number = 0;  // 0: none yet
    std::shared_ptr<const std::string> jpeg{};
    Json about{};  // {width, height: CSS px of the viewport; scale, offsetTop, scrollX, scrollY}
  };
  enum class Next {
    picture,
    none,  // until ctx's deadline
    over   // the tab has ended
  };
  // Waits for a newer picture than `last`, and no sooner than the rate allows. Throws Aborted.
  virtual Next next(const CallContext& ctx, Picture& last) = 0;
};

// One tab as a person sees and handles it at the control panel, beside the calls that work on it. Any thread.
class LiveTab {
 public:
  virtual ~LiveTab() = default;
  // All views of a tab share one screencast, which ends with the last of them. `width`: px that are wanted. Throws what
  // a tool may, in words for the person.
  virtual std::shared_ptr<LiveView> view(const CallContext& ctx, int width) = 0;
  // Gives the page real input [panel.input], once the call that is under way there has ended. "", or why the tab was
  // busy until ctx's deadline. Throws ToolError on what is no event, before any of them is sent. `may`: whether the
  // person still has the tab; once they have not, nothing is sent, and nothing of it stays down.
  virtual std::string input(const CallContext& ctx, const Json& events, const std::function<bool()>& may) = 0;
  // `id` "": whichever is open. Throws ToolError when that one isn't open.
  virtual void answer_dialog(const CallContext& ctx, const std::string& id, bool accept, const std::string& text) = 0;
  // {entries, dropped} of what the tab has kept. Never wait.
  virtual Json console() const = 0;
  virtual Json network() const = 0;
};

}  // namespace bridle
