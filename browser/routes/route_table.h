#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/concurrency/sync.h"
#include "base/concurrency/timer.h"
#include "browser/cdp/connection.h"
#include "browser/routes/har_recorder.h"
#include "browser/routes/route.h"

namespace bridle {

// What one session does with the requests of its tabs and of the workers of its browser context: whether they have a
// network, who records them, and its routes, by which they are answered, failed or changed. The newest route that takes
// a request decides on it, once: a redirect's further hops go on [tool.route]. Shared by the session and its tabs. Any
// thread may call anything but serve(); answers are posted, and those that are late by a timer.
class RouteTable {
 public:
  explicit RouteTable(Timer& timer);
  ~RouteTable() { end(); }
  RouteTable(const RouteTable&) = delete;
  RouteTable& operator=(const RouteTable&) = delete;

  // Called after each change of patterns() and of offline(), with no lock held; it must not block.
  void on_change(std::function<void()> changed);

  // Returns its number, counted from 1 and never used again. Throws ToolError when there are too many.
  long add(Route route);
  // Requests that a removed route delays get at once what they were to get. How many routes were removed.
  std::size_t remove(const std::string& pattern);
  std::size_t remove_all();
  void remove(long number);
  // As in the beginning: no routes, online, nobody records.
  void clear();
  // Removes all, for good, and forgets what is delayed: the session has ended.
  void end();

  struct Listed {
    long number = 0;
    std::string pattern{};
    std::string method{};
    std::string words{};
    long taken = 0;  // requests
    long left = -1;  // requests that it still takes; -1: all
  };
  std::vector<Listed> list() const;  // oldest first
  bool empty() const { return count_ == 0; }
  // Grows with each change; 0 before the first route.
  long version() const { return version_; }
  // What Fetch.enable is to hold: all that a route may take.
  Json patterns() const;

  // Whether the tabs have no network.
  bool offline() const { return offline_; }
  void set_offline(bool offline);
  // Who is told what the tabs request; null: nobody.
  std::shared_ptr<HarRecorder> recorder() const;
  void record(std::shared_ptr<HarRecorder> recorder);

  // Decides on a held request (Fetch.requestPaused) and answers it; false: no route takes it. Reader thread.
  bool serve(const CdpSession& session, const Json& params);

 private:
  struct Entry {
    long number;
    Route route;
    long taken = 0;
  };
  struct Late {
    CdpSession session;
    std::string method;
    Json params;
    long number;  // of its route
  };
  std::size_t remove_where(const std::function<bool(const Entry&)>& goes);
  void changed_locked() REQUIRES(mutex_);
  void tell_change() EXCLUDES(mutex_);
  void send_due() EXCLUDES(mutex_);

  std::atomic<long> version_{0};
  std::atomic<std::size_t> count_{0};
  std::atomic<bool> offline_{false};
  std::atomic<bool> records_{false};
  mutable Mutex mutex_;
  std::function<void()> on_change_ GUARDED_BY(mutex_);
  std::shared_ptr<HarRecorder> recorder_ GUARDED_BY(mutex_);
  long next_number_ GUARDED_BY(mutex_) = 1;
  std::vector<std::shared_ptr<Entry>> entries_ GUARDED_BY(mutex_);  // oldest first
  std::multimap<Clock::time_point, Late> late_ GUARDED_BY(mutex_);
  Timer::Entry due_;
};

}  // namespace bridle
