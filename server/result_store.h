#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "base/concurrency/sync.h"
#include "tools/contract/catalogue.h"

namespace bridle {

// The whole texts of results that were cut at --max-output, so that their client can read on: as resources, by an id
// that can't be guessed, for the caller they were made for alone. Bounded; the oldest go. Any thread.
class ResultStore {
 public:
  static constexpr std::size_t kMaxResults = 64;
  static constexpr std::size_t kMaxBytes = 32 * 1024 * 1024;
  static constexpr const char* kTemplate = "bridle://result/{id}";

  // Keeps a text and returns its URI, or "" if the text is too long to be kept. It is removed with its `owner`. A text
  // that isn't `listed` can be read only by callers who were told its URI.
  std::string keep(const std::shared_ptr<ToolScope>& owner, const std::string& tool, std::string text,
                   bool listed = true);
  std::optional<std::string> find(const std::string& id, const ToolScope* owner) const;
  std::vector<Resource> list(const ToolScope* owner) const;
  std::size_t size() const;

 private:
  struct Entry {
    std::string id;
    std::string tool;
    std::weak_ptr<ToolScope> owner;
    const ToolScope* owner_address;  // null: nobody's in particular
    std::string text;
    bool listed;
    bool is_for(const ToolScope* who) const;
  };
  void trim() REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::deque<Entry> entries_ GUARDED_BY(mutex_);  // oldest first
};

// Adds them to the catalogue. `store` outlives its use.
void add_result_resources(Catalogue& catalogue, const ResultStore& store);

}  // namespace bridle
