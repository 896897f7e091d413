#include "tests/site/request_log.h"

#include <algorithm>

namespace bridle::site {
namespace {

// A benchmark sends many; the oldest are dropped.
constexpr std::size_t kMaxRecords = 20'000;

template <typename Record>
bool matches(const Record& record, std::string_view path) {
  if (path.empty()) return true;
  return path.contains('?') ? record.target == path : record.path == path;
}

}  // namespace

std::uint64_t RequestLog::open(const Request& request) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t id = ++last_id_;
  requests_.push_back({.id = id,
                       .method = request.method,
                       .target = request.target,
                       .path = request.path,
                       .headers = request.headers,
                       .body = request.body,
                       .origin = request.origin,
                       .received = request.received,
                       .finished = {}});
  if (requests_.size() > kMaxRecords) requests_.pop_front();
  open_.emplace(id, OpenRequest{request.target, request.path, request.received});
  changed_.notify_all();
  return id;
}

void RequestLog::finish(std::uint64_t id) {
  const std::scoped_lock lock(mutex_);
  open_.erase(id);
  const auto found = std::ranges::lower_bound(requests_, id, {}, &RequestRecord::id);
  if (found != requests_.end() && found->id == id) found->finished = steady_now();
  changed_.notify_all();
}

void RequestLog::hang_up(std::uint64_t id) {
  const std::scoped_lock lock(mutex_);
  const auto node = open_.extract(id);
  if (!node.empty() && !node.mapped().forgotten) {
    const OpenRequest& request = node.mapped();
    hangups_.push_back({id, request.target, request.path, request.received, steady_now()});
    if (hangups_.size() > kMaxRecords) hangups_.pop_front();
  }
  changed_.notify_all();
}

void RequestLog::abandon(std::uint64_t id) {
  const std::scoped_lock lock(mutex_);
  open_.erase(id);
  changed_.notify_all();
}

std::vector<RequestRecord> RequestLog::requests(std::string_view path) const {
  const std::scoped_lock lock(mutex_);
  std::vector<RequestRecord> found;
  std::ranges::copy_if(requests_, std::back_inserter(found), [&](const auto& record) { return matches(record, path); });
  return found;
}

std::vector<HangupRecord> RequestLog::hangups(std::string_view path) const {
  const std::scoped_lock lock(mutex_);
  return select_hangups(path);
}

std::size_t RequestLog::open_count(std::string_view path) const {
  const std::scoped_lock lock(mutex_);
  return count_open(path);
}

bool RequestLog::wait_for_request(std::string_view path, Millis timeout, std::size_t count) const {
  std::unique_lock lock(mutex_);
  return wait(lock, timeout, [&] { return count_requests(path) >= count; });
}

std::optional<HangupRecord> RequestLog::wait_for_hangup(std::string_view path, Millis timeout,
                                                        std::size_t count) const {
  count = std::max<std::size_t>(count, 1);
  std::unique_lock lock(mutex_);
  if (!wait(lock, timeout, [&] { return select_hangups(path).size() >= count; })) return std::nullopt;
  return select_hangups(path).at(count - 1);
}

bool RequestLog::wait_for_open(std::string_view path, std::size_t count, Millis timeout) const {
  std::unique_lock lock(mutex_);
  return wait(lock, timeout, [&] { return count_open(path) == count; });
}

void RequestLog::reset() {
  const std::scoped_lock lock(mutex_);
  requests_.clear();
  hangups_.clear();
  for (auto& [id, request] : open_) request.forgotten = true;
  changed_.notify_all();
}

void RequestLog::close() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

std::size_t RequestLog::count_requests(std::string_view path) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(requests_, [&](const auto& record) { return matches(record, path); }));
}

std::size_t RequestLog::count_open(std::string_view path) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(open_, [&](const auto& entry) { return matches(entry.second, path); }));
}

std::vector<HangupRecord> RequestLog::select_hangups(std::string_view path) const {
  std::vector<HangupRecord> found;
  std::ranges::copy_if(hangups_, std::back_inserter(found), [&](const auto& record) { return matches(record, path); });
  return found;
}

template <typename Predicate>
bool RequestLog::wait(std::unique_lock<std::mutex>& lock, Millis timeout, Predicate predicate) const {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  changed_.wait_until(lock, deadline, [&] { return closed_ || predicate(); });
  return predicate();
}

}  // namespace bridle::site
