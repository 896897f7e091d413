#pragma once

#include "config/options.h"

namespace bridle {

// `bridle status` and `bridle stop [ID]`: ask a running server, print its answer. Return the exit code: 0, or 1 with a
// line on stderr when there is no server or nothing was stopped.
int run_status(const Options& options);
int run_stop(const Options& options);
// `bridle panel`: asks it for a link to its control panel, prints that, and opens it where there is a display.
int run_panel(const Options& options);

}  // namespace bridle
