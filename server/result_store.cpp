#include "server/result_store.h"

#include <algorithm>
#include <utility>

#include "base/text/random.h"

namespace bridle {
namespace {

constexpr std::size_t kResultIdBytes = 16;
constexpr const char* kPrefix = "bridle://result/";

}  // namespace

bool ResultStore::Entry::is_for(const ToolScope* who) const {
  return owner_address == who && (who == nullptr || !owner.expired());
}

std::string ResultStore::keep(const std::shared_ptr<ToolScope>& owner, const std::string& tool, std::string text,
                              bool listed) {
  if (text.size() > kMaxBytes) return {};
  Entry entry{.id = random_token(kResultIdBytes),
              .tool = tool,
              .owner = owner,
              .owner_address = owner.get(),
              .text = std::move(text),
              .listed = listed};
  const std::string uri = kPrefix + entry.id;
  const MutexLock lock(mutex_);
  entries_.push_back(std::move(entry));
  trim();
  return uri;
}

void ResultStore::trim() {
  std::erase_if(entries_, [](const Entry& one) { return one.owner_address != nullptr && one.owner.expired(); });
  std::size_t bytes = 0;
  for (const Entry& one : entries_) bytes += one.text.size();
  while (entries_.size() > kMaxResults || bytes > kMaxBytes) {
    bytes -= entries_.front().text.size();
    entries_.pop_front();
  }
}

std::optional<std::string> ResultStore::find(const std::string& id, const ToolScope* owner) const {
  const MutexLock lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& one) { return one.id == id && one.is_for(owner); });
  return found == entries_.end() ? std::nullopt : std::optional(found->text);
}

std::vector<Resource> ResultStore::list(const ToolScope* owner) const {
  std::vector<Resource> out;
  const MutexLock lock(mutex_);
  for (const Entry& one : entries_) {
    if (!one.listed || !one.is_for(owner)) continue;
    out.push_back({.uri = kPrefix + one.id,
                   .name = "result of " + one.tool,
                   .title = "Whole result",
                   .description = "What " + one.tool + " would have said without --max-output",
                   .mime_type = "text/markdown",
                   .size = static_cast<long>(one.text.size())});
  }
  return out;
}

std::size_t ResultStore::size() const {
  const MutexLock lock(mutex_);
  return entries_.size();
}

void add_result_resources(Catalogue& catalogue, const ResultStore& store) {
  catalogue.add(ResourceTemplate{
      .uri_template = ResultStore::kTemplate,
      .name = "whole result",
      .title = "Whole result",
      .description = "The whole text of a result that was cut; its last lines name the id",
      .mime_type = "text/markdown",
      .read = [&store](ToolContext& ctx, const std::string& uri,
                       const UriVariables& variables) -> std::vector<Content> {
        auto text = store.find(variables.at("id"), ctx.scope.get());
        if (!text) throw ResourceNotFound("That result is no longer kept: make the call again.");
        return {{.kind = Content::Kind::resource, .text = std::move(*text), .mime_type = "text/markdown", .uri = uri}};
      },
      .list = [&store](ToolScope& scope) { return store.list(&scope); }});
  catalogue.resources_change = true;
}

}  // namespace bridle
