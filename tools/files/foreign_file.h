#pragma once

#include <cstdint>
#include <filesystem>

#include "base/concurrency/call_context.h"
#include "base/os_user.h"

// Files that pass between bridle as root and a browser that is another user [security.root.files]. That user may be
// in a hostile page's hands, so its folders are read as such: nothing there is moved to us, as whoever wrote a file may
// still have it open [why.files-of-the-other-user].
namespace bridle {

// Copies the file `from`, which `writer` wrote, over the file `to`, which was reserved for it: whole or not at all,
// with mode 0600. Only a regular file that is the writer's own and has no other name is taken, of at most `limit`
// bytes: no link, no pipe, no device. Returns its size. Throws ToolError; `from` and `to` are as before then.
std::uintmax_t take_file(const std::filesystem::path& from, const OsUser& writer, const std::filesystem::path& to,
                         std::uintmax_t limit);

// Copies the file `from`, which isn't a symlink, to `to`, which must not be there: for `reader` to read, with the time
// of `from`. Throws ToolError, Aborted, and leaves nothing then.
void copy_for(const CallContext& ctx, const std::filesystem::path& from, const OsUser& reader,
              const std::filesystem::path& to);

}  // namespace bridle
