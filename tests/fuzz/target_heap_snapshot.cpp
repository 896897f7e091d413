#include <cstdint>

#include "base/errors.h"
#include "tests/fuzz/targets.h"
#include "tools/devtools/heap_words.h"
#include "tools/devtools/parse/heap_graph.h"
#include "tools/devtools/parse/heap_snapshot.h"

namespace bridle::fuzz {

// Files that are said to be heap snapshots.
void heap_snapshot(std::string_view bytes) {
  HeapParser parser;
  const auto half = bytes.size() / 2;
  parser.append(bytes.substr(0, half));
  parser.append(bytes.substr(half));
  const auto heap = parser.take();
  require((heap.nodes() == 0) == !parser.why().empty());
  const HeapGraph graph(heap);
  if (heap.nodes() == 0) return;
  require(heap.first_edge.size() == heap.nodes() + std::size_t{1});
  std::uint64_t sum = 0;
  for (std::uint32_t node = 0; node < heap.nodes(); ++node) {
    if (graph.reached(node)) sum += heap.node_size[node];
    require(graph.path_to(node).empty() == (node == 0 || !graph.reached(node)));
  }
  require(graph.retained(0) == sum);
  heap_summary(graph);
  const HeapObjects objects(graph);
  require(HeapObjects::compare(objects, objects).added == 0);
  try {
    heap_retainers(graph, graph.class_of(0));
  } catch (const ToolError&) {
  }
}

}  // namespace bridle::fuzz
