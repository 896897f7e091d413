#include "server/calls/id_memory.h"

#include <functional>
#include <utility>

#include "base/limits.h"
#include "base/text/log.h"

namespace bridle {
namespace {

// The form in which an id is remembered: the id itself or, for a very long one, its beginning, length and hash.
std::string compact(std::string_view id) {
  constexpr std::size_t kWhole = 256;
  if (id.size() <= kWhole) return std::string(id);
  return fmt::format("{}#{}#{:016x}", id.substr(0, kWhole), id.size(), std::hash<std::string_view>()(id));
}

}  // namespace

bool could_be_id(std::string_view id) { return !id.empty() && id[0] != '{' && id[0] != '[' && id != "null"; }

void KnownIds::add(std::string_view id) {
  std::string name = compact(id);
  if (const auto found = index_.find(name); found != index_.end()) {
    order_.splice(order_.end(), order_, found->second);
    return;
  }
  order_.push_back(std::move(name));
  index_.emplace(order_.back(), std::prev(order_.end()));
  if (order_.size() <= limits::kKnownIds) return;
  index_.erase(order_.front());
  order_.pop_front();
}

bool KnownIds::contains(std::string_view id) const { return index_.contains(compact(id)); }

}  // namespace bridle
