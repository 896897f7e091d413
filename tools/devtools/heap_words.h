#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/text/json.h"
#include "tools/devtools/parse/heap_graph.h"

namespace bridle {

// What is said of heap snapshots, as lines. Names are the page's own words.

struct HeapWords {
  std::string sum{};    // one line, of ours
  std::string table{};  // lines
  Json figures{};
};
HeapWords heap_summary(const HeapGraph& graph);
HeapWords heap_comparison(const HeapDifference& difference);
// Of nodes named "@id", or of those of a class that retain most. Throws ToolError when there are none.
HeapWords heap_retainers(const HeapGraph& graph, const std::string& name);

}  // namespace bridle
