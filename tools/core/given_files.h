#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/text/json.h"

namespace bridle {

class PageCall;

// Files of the session's that a page is given [tool.uploads].
using GivenFiles = std::vector<std::filesystem::path>;
inline constexpr std::size_t kFilesGiven = 100;  // by one call, at most

// Those behind the paths. Throws ToolError for one that may not be given.
GivenFiles files_to_upload(PageCall& call, const std::vector<std::string>& paths);
// The paths under which the browser can read them, for a CDP command. Throws ToolError, Aborted.
Json readable_paths(PageCall& call, const GivenFiles& files);
// Their names, for a result.
std::string file_names(const GivenFiles& files);
// Asks the user, where --confirm says so; `frame` is the one whose document gets them. Throws as PageCall::confirm().
void confirm_upload(PageCall& call, const std::string& frame, const GivenFiles& files);

}  // namespace bridle
