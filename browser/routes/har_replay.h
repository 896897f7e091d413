#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "browser/routes/route_answer.h"

namespace bridle {

// The answers of a HAR file (HTTP Archive 1.2), found again as Playwright finds them: by URL and method, by the body of
// a POST, and among several by the headers that are the same. Where the file has hidden a value of a URL, it fits any
// [tool.route.replay].
// Read-only once made.
class HarReplay {
 public:
  // Throws ToolError with what is wrong with the file.
  explicit HarReplay(std::string_view file);

  // nullopt: the file has no such request.
  std::optional<RouteAnswer> answer(const Json& request) const;
  std::size_t requests() const { return count_; }
  std::size_t size() const { return size_; }  // of memory, about

 private:
  struct Entry {
    std::string method{};
    std::optional<std::string> post_data{};
    RouteHeaders request_headers{};
    int status = 0;  // 0: the request failed
    RouteHeaders headers{};
    std::string body{};
  };
  static Entry read(const Json& entry, const std::string& where);
  const Entry* find(const Json& request) const;

  std::map<std::string, std::vector<Entry>> entries_{};  // by URL, its secrets hidden
  std::size_t count_ = 0;
  std::size_t size_ = 0;
};

}  // namespace bridle
