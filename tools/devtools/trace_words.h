#pragma once

#include <functional>
#include <string>

#include "base/text/json.h"
#include "tools/devtools/parse/trace_summary.h"

namespace bridle {

// What a report says, as lines. `name_of` names a node by its backendNodeId. URLs and names are the page's own words.
std::string trace_words(const TraceReport& report, const std::function<std::string(long long node)>& name_of);
// The same in numbers.
Json trace_figures(const TraceReport& report);

}  // namespace bridle
