#pragma once

#include <string>

#include "base/concurrency/call_context.h"
#include "browser/routes/har_recorder.h"

namespace bridle {

// A recording as an HTTP Archive, version 1.2, with secrets hidden as in the network log [tool.secrets] [tool.har].
// Throws Aborted between two requests.
std::string har_file(const CallContext& ctx, const Recording& recording);

}  // namespace bridle
