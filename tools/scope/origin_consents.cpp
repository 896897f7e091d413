#include "tools/scope/origin_consents.h"

#include <algorithm>

#include "config/network/origin_rules.h"

namespace bridle {
namespace {

constexpr std::size_t kNamedKept = 1000;
constexpr std::size_t kHeldKept = 3;  // a page may try hundreds; nobody is to be asked so often

}  // namespace

const char* to_string(ConsentKind kind) {
  switch (kind) {
    case ConsentKind::upload:
      return "upload";
    case ConsentKind::download:
      return "download";
    case ConsentKind::submit:
      return "submit";
  }
  return "";
}

std::string content_origin(const std::string& url) {
  constexpr std::string_view kBlob = "blob:";
  return network_origin(url.starts_with(kBlob) ? std::string_view(url).substr(kBlob.size()) : std::string_view(url));
}

void OriginConsents::name(const std::string& url) {
  auto origin = network_origin(url);
  if (asked_.empty() || origin.empty()) return;
  const MutexLock lock(mutex_);
  if (named_.size() < kNamedKept) named_.insert(std::move(origin));
}

OriginConsents::Answer OriginConsents::look_up(ConsentKind kind, const std::string& origin) const {
  if (std::find(asked_.begin(), asked_.end(), to_string(kind)) == asked_.end()) return Answer::allowed;
  const MutexLock lock(mutex_);
  if (named_.contains(origin)) return Answer::allowed;
  const auto decided = decided_.find({kind, origin});
  if (decided == decided_.end()) return Answer::unknown;
  return decided->second ? Answer::allowed : Answer::denied;
}

void OriginConsents::decide(ConsentKind kind, const std::string& origin, bool allowed) {
  const MutexLock lock(mutex_);
  if (decided_.size() < kNamedKept) decided_[{kind, origin}] = allowed;
}

void OriginConsents::hold(ConsentKind kind, const std::string& origin) {
  const Question question(kind, origin);
  const MutexLock lock(mutex_);
  if (held_.size() >= kHeldKept || std::find(held_.begin(), held_.end(), question) != held_.end()) return;
  held_.push_back(question);
}

std::vector<OriginConsents::Question> OriginConsents::take_held() {
  const MutexLock lock(mutex_);
  return std::exchange(held_, {});
}

bool OriginConsents::has_held() const {
  const MutexLock lock(mutex_);
  return !held_.empty();
}

std::string describe(const OriginConsents::Question& question) {
  const auto& [kind, origin] = question;
  const std::string named = origin.empty() ? "an origin without a name" : origin;
  switch (kind) {
    case ConsentKind::upload:
      return "giving a file to " + named;
    case ConsentKind::download:
      return "downloading from " + named;
    case ConsentKind::submit:
      return "posting a form to " + named;
  }
  return {};
}

}  // namespace bridle
