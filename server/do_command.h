#pragma once

#include "config/options.h"
#include "server/run_bridle.h"

namespace bridle {

// `bridle do TASK`: has a model work on a task, by a bridle of its own or by one that runs (--url), and prints what it
// does [agent.do]. Returns the exit code: 0 done with success, 1 without, 2 an error, 130 stopped.
int run_do(const Options& options, const Extension& extension);

// `bridle runs` and `bridle runs show ID`: the runs whose histories are below --output-dir. 1: there is none of that
// id.
int run_runs(const Options& options);

}  // namespace bridle
