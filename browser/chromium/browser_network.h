#pragma once

#include <memory>
#include <string>
#include <vector>

#include "browser/chromium/process.h"
#include "browser/proxy/forward_proxy.h"
#include "browser/tab/request_filter.h"

namespace bridle {

// Whether the browser's traffic must go through a ForwardProxy of ours: there are rules for it, or its way leads
// through a proxy that wants a credential, which Chromium's own flags can't give.
bool needs_forward_proxy(const LaunchOptions& options);

// That proxy, listening; null where none is needed. Throws std::runtime_error.
std::unique_ptr<const ForwardProxy> make_forward_proxy(const LaunchOptions& options);

// What judges the requests of all tabs; null where nothing is to be judged. `proxy`: the one above, whose credential it
// knows, or null.
std::shared_ptr<const RequestFilter> make_request_filter(const LaunchOptions& options, const ForwardProxy* proxy);

// Chromium's flags for its way to the network. `forward_proxy`: the port of our ForwardProxy, or 0.
std::vector<std::string> network_flags(const LaunchOptions& options, int forward_proxy);

}  // namespace bridle
