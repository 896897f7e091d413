#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/concurrency/sync.h"
#include "tools/contract/tool.h"

namespace bridle {

using Folders = std::vector<std::filesystem::path>;

// What a session's client said that its roots are, until it tells of a change. Any thread.
class KnownRoots {
 public:
  std::optional<Folders> get() const EXCLUDES(mutex_);
  // The answer to a question put at version(): one that was overtaken by a change isn't kept.
  void keep(Folders folders, int version) EXCLUDES(mutex_);
  int version() const EXCLUDES(mutex_);
  void change() EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::optional<Folders> folders_ GUARDED_BY(mutex_);
  int version_ GUARDED_BY(mutex_) = 0;
};

// The folders that the client names as its roots (roots/list), which widen what may be uploaded [tool.uploads.roots]:
// file: URIs alone, symlinks resolved. `known` null: a client without a session, which is asked by each call. None
// where it can't be asked. Throws Aborted, and what UserPrompt says of 2026-07-28.
Folders client_roots(ToolContext& ctx, KnownRoots* known);

// The folder that a root's URI names; "" for what is no folder of this machine.
std::filesystem::path folder_of_root(const std::string& uri);

}  // namespace bridle
