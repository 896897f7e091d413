#pragma once

#include <string>
#include <vector>

#include "browser/chromium/process.h"

namespace bridle {

// Whether the browser's traffic must go through a ForwardProxy of ours: there are rules for it, or its way leads
// through a proxy that wants a credential, which Chromium's own flags can't give.
bool needs_forward_proxy(const LaunchOptions& options);

// Chromium's flags for its way to the network. `forward_proxy`: the port of our ForwardProxy, or 0.
std::vector<std::string> network_flags(const LaunchOptions& options, int forward_proxy);

}  // namespace bridle
