#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/concurrency/sync.h"
#include "browser/cdp/connection.h"
#include "browser/emulation/emulation.h"

namespace bridle {

// The CDP sessions of one tab (its page's, those of frames in other processes and of workers) and what is emulated in
// all of them [tool.emulate.everywhere]. Nothing is sent while nothing is emulated. Any thread; change() only by one
// thread at a time.
class EmulatedSessions {
 public:
  // null: nothing is emulated.
  std::shared_ptr<const Emulation> current() const;
  ViewSize base() const;
  // Before the first session: what is in force from the start.
  void begin(std::shared_ptr<const Emulation> emulation);
  // The size of the page while no viewport is emulated.
  void set_base(ViewSize base);

  // Posts what is in force. To be called before the target is resumed, so that it never runs without.
  void add(const CdpSession& session, SessionKind kind);
  void remove(const std::string& session);

  // From now on `next` is in force: posts what differs to the frames and workers that there are, and yields what the
  // page's session must be sent.
  std::vector<EmulationCommand> change(const std::shared_ptr<const Emulation>& next);

 private:
  struct Member {
    CdpSession session;
    SessionKind kind;
  };

  mutable Mutex mutex_;
  std::shared_ptr<const Emulation> current_ GUARDED_BY(mutex_);
  ViewSize base_ GUARDED_BY(mutex_);
  std::map<std::string, Member> members_ GUARDED_BY(mutex_);  // frames and workers
};

}  // namespace bridle
