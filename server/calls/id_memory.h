#pragma once

#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/concurrency/abort.h"
#include "base/concurrency/deadline.h"

// What the table of calls remembers of ids that name no call now. Not thread-safe: the table's lock guards it.
namespace bridle {

// The last `limits::kKnownIds` finished ids of a session [cancel.known-ids].
class KnownIds {
 public:
  KnownIds() = default;
  KnownIds(const KnownIds&) = delete;
  KnownIds& operator=(const KnownIds&) = delete;
  void add(std::string_view id);
  bool contains(std::string_view id) const;
  bool empty() const { return order_.empty(); }
  std::size_t size() const { return order_.size(); }

 private:
  std::list<std::string> order_;  // oldest first
  std::unordered_map<std::string_view, std::list<std::string>::iterator> index_;
};

// A cancel that overtook its request [cancel.early].
struct EarlyCancel {
  Clock::time_point expires{};
  AbortReason reason = AbortReason::none;
  std::string text{};
};

// What is remembered of one session; exists while there is anything to remember.
struct SessionMemory {
  std::size_t live = 0;  // its calls in the table
  bool closed = false;   // forgotten: remembers nothing more, goes with its last call
  KnownIds known{};
  std::unordered_map<std::string, EarlyCancel> early{};

  bool is_empty() const { return live == 0 && early.empty() && (closed || known.empty()); }
};

// An id is a number or a string; what else a peer may send names no request [cancel.ignored].
bool could_be_id(std::string_view id);

}  // namespace bridle
