#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/concurrency/sync.h"

namespace bridle {

// What --confirm asks the person about, before it is done with an origin for the first time.
enum class ConsentKind {
  upload,    // a file is given to a page
  download,  // a file is taken
  submit     // a form is posted
};
const char* to_string(ConsentKind kind);

// Which origins one scope may upload to, download from and post forms to [tool.confirm]: those that its caller has
// named, by having opened a URL of theirs, and those that the person has allowed. Any thread; nothing here blocks.
class OriginConsents {
 public:
  // `asked`: --confirm; empty: everything is allowed.
  explicit OriginConsents(std::vector<std::string> asked) : asked_(std::move(asked)) {}

  // The caller has given this URL.
  void name(const std::string& url);
  enum class Answer { allowed, denied, unknown };
  // An origin is the one of a URL here: of blob: URLs their page's. "" is none in particular, which nobody can name.
  Answer look_up(ConsentKind kind, const std::string& origin) const;
  // What the person has said.
  void decide(ConsentKind kind, const std::string& origin, bool allowed);
  // A page has tried what nobody has allowed, and the person is to be asked before the next action.
  using Question = std::pair<ConsentKind, std::string>;
  void hold(ConsentKind kind, const std::string& origin);
  std::vector<Question> take_held();
  bool has_held() const;

 private:
  const std::vector<std::string> asked_;
  mutable Mutex mutex_;
  std::set<std::string> named_ GUARDED_BY(mutex_);
  std::map<Question, bool> decided_ GUARDED_BY(mutex_);
  std::vector<Question> held_ GUARDED_BY(mutex_);
};

// The origin that a page's content comes from: also of blob: URLs. "" without one.
std::string content_origin(const std::string& url);

// "posting a form to https://x.example"; "... to an origin without a name".
std::string describe(const OriginConsents::Question& question);

}  // namespace bridle
