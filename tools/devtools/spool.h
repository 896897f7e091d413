#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/concurrency/call_context.h"
#include "base/fd.h"

namespace bridle {

// Texts that are put away on disk to be read once more, in their order: what is too much to be held and must be known
// whole before it can be judged. Nameless, so that it is gone with this object or the process. One thread at a time.
// Throws ToolError, Aborted.
class Spool {
 public:
  explicit Spool(const std::filesystem::path& folder);

  void append(const CallContext& ctx, std::string_view text);
  void each(const CallContext& ctx, const std::function<void(std::string_view text)>& use);
  std::uint64_t bytes() const { return bytes_; }

 private:
  void flush(const CallContext& ctx);

  Fd fd_{};
  std::string buffer_{};
  std::uint64_t bytes_ = 0;
};

}  // namespace bridle
