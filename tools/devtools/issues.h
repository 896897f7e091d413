#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/concurrency/sync.h"
#include "base/text/json.h"

// What Chromium itself finds wrong with a page (its Audits domain), as it tells of it: one finding an event.
namespace bridle {

struct Issue {
  std::string kind{};   // "CookieIssue: WarnSameSiteNoneInsecure"
  std::string words{};  // whom it concerns: a cookie, a request, a place in a script
  std::string frame{};  // "" not said
  Json node{};          // the backend id of the element that it is about; null: of none
};

// Of an Audits.issueAdded event's issue.
Issue read_issue(const Json& issue);

// Keeps each of them once, up to a bound. Any thread.
class Issues {
 public:
  void add(const Json& issue);
  std::vector<Issue> take();
  std::size_t left_out() const;

 private:
  mutable Mutex mutex_;
  std::vector<std::string> seen_ GUARDED_BY(mutex_);
  std::vector<Issue> issues_ GUARDED_BY(mutex_);
  std::size_t left_out_ GUARDED_BY(mutex_) = 0;
};

}  // namespace bridle
