#include "tools/devtools/heap_words.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/errors.h"
#include "base/text/log.h"

namespace bridle {
namespace {

constexpr std::size_t kClassesShown = 25;
constexpr std::size_t kClassesTold = 100;  // in the structured result
constexpr std::size_t kDetachedShown = 10;
constexpr std::size_t kPathsShown = 3;
constexpr std::size_t kStepsShown = 24;  // of a path: its beginning and its end
constexpr std::size_t kNameShown = 100;

std::string node_words(const HeapGraph& graph, std::uint32_t node) {
  const auto& heap = graph.heap();
  auto words = graph.class_of(node);
  const auto name = heap.string(heap.node_name[node]);
  const bool named = heap.node_type[node] == HeapSnapshot::NodeType::closure ||
                     heap.node_type[node] == HeapSnapshot::NodeType::native ||
                     heap.node_type[node] == HeapSnapshot::NodeType::synthetic;
  if (named && !name.empty() && words.find(name) == std::string::npos) words += " " + std::string(name);
  return loggable(words, kNameShown) + " @" + std::to_string(heap.node_id[node]);
}

std::string edge_words(const HeapSnapshot& heap, std::uint32_t edge) {
  using Type = HeapSnapshot::EdgeType;
  const auto type = heap.edge_type[edge];
  if (type == Type::element) return fmt::format("[{}]", heap.edge_name[edge]);
  if (type == Type::hidden) return fmt::format("[{}] (hidden)", heap.edge_name[edge]);
  const auto name = loggable(heap.string(heap.edge_name[edge]), kNameShown);
  if (type == Type::context) return name + " (a variable)";
  if (type == Type::internal) return name + " (internal)";
  return "." + name;
}

// Those that retain most, without those that another one of them retains.
std::vector<std::uint32_t> largest(const HeapGraph& graph, std::vector<std::uint32_t> nodes, std::size_t most) {
  most = std::min(most, nodes.size());
  std::partial_sort(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(most), nodes.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      return graph.retained(a) != graph.retained(b) ? graph.retained(a) > graph.retained(b) : a < b;
                    });
  nodes.resize(most);
  return nodes;
}

std::string path_words(const HeapGraph& graph, std::uint32_t node) {
  const auto path = graph.path_to(node);
  auto words = fmt::format("{} retains {} bytes\n", node_words(graph, node), graph.retained(node));
  if (path.empty()) return words + "  it is the root\n";
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path.size() > kStepsShown && i == kStepsShown / 2) {
      const auto left_out = path.size() - kStepsShown;
      words += fmt::format("  ... {} more ...\n", left_out);
      i += left_out;
    }
    words += fmt::format("  {} -> {}\n", edge_words(graph.heap(), path[i]),
                         node_words(graph, graph.heap().edge_to[path[i]]));
  }
  return words;
}

// A class of V8's or Blink's own.
bool is_internal(std::string_view name) {
  return name.starts_with('(') || name.starts_with("system / ") || name.find("::") != std::string_view::npos;
}

std::optional<std::uint32_t> id_in(std::string_view name) {
  if (name.starts_with('@')) name.remove_prefix(1);
  std::uint32_t id = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(id) : std::nullopt;
}

}  // namespace

HeapWords heap_summary(const HeapGraph& graph) {
  const auto& heap = graph.heap();
  const auto classes = graph.classes();
  std::vector<std::uint32_t> detached;
  for (std::uint32_t node = 0; node < heap.nodes(); ++node) {
    if (graph.reached(node) && graph.detached(node)) detached.push_back(node);
  }
  std::uint64_t count = 0;
  std::uint64_t size = 0;
  for (const auto& entry : classes) {
    count += entry.count;
    size += entry.size;
  }
  HeapWords words;
  words.sum = fmt::format("{} bytes in {} objects; {} detached DOM {}.", size, count, detached.size(),
                          detached.size() == 1 ? "node" : "nodes");
  words.figures = {{"bytes", size}, {"objects", count}, {"detached", detached.size()}, {"classes", Json::array()}};
  words.table = "  retained        own    count  class\n";
  for (std::size_t i = 0; i < std::min(classes.size(), kClassesTold); ++i) {
    const auto& entry = classes[i];
    if (i < kClassesShown)
      words.table += fmt::format("{:>10} {:>10} {:>8}  {}\n", entry.retained, entry.size, entry.count,
                                 loggable(entry.name, kNameShown));
    words.figures["classes"].push_back({{"name", loggable(entry.name, kNameShown)},
                                        {"count", entry.count},
                                        {"size", entry.size},
                                        {"retained", entry.retained}});
  }
  if (classes.size() > kClassesShown)
    words.table += fmt::format("and {} more classes\n", classes.size() - kClassesShown);
  if (!detached.empty()) {
    words.table += "detached DOM nodes that retain most\n";
    const auto total = detached.size();
    const auto shown = largest(graph, std::move(detached), kDetachedShown);
    for (const auto node : shown)
      words.table += fmt::format("{:>10} {}\n", graph.retained(node), node_words(graph, node));
    if (total > shown.size()) words.table += fmt::format("and {} more\n", total - shown.size());
  }
  return words;
}

HeapWords heap_comparison(const HeapDifference& difference) {
  HeapWords words;
  words.sum =
      fmt::format("{} objects came, {} went, {:+} bytes.", difference.added, difference.removed, difference.size);
  if (!difference.same_heap)
    words.sum +=
        " The snapshots are of different heaps (the page has another process, or bridle was started again), so their "
        "objects can't be told apart: by class, how many more or fewer there are.";
  words.figures = {{"added", difference.added},
                   {"removed", difference.removed},
                   {"size", difference.size},
                   {"sameHeap", difference.same_heap},
                   {"classes", Json::array()}};
  words.table = "     bytes    added  removed  class\n";
  // What the browser keeps for itself comes after what the page has made, as it would hide a small leak.
  auto classes = difference.classes;
  std::stable_partition(classes.begin(), classes.end(), [](const auto& entry) { return !is_internal(entry.name); });
  for (std::size_t i = 0; i < std::min(classes.size(), kClassesTold); ++i) {
    const auto& entry = classes[i];
    if (i < kClassesShown)
      words.table += fmt::format("{:>+10} {:>8} {:>8}  {}\n", entry.size, entry.added, entry.removed,
                                 loggable(entry.name, kNameShown));
    words.figures["classes"].push_back({{"name", loggable(entry.name, kNameShown)},
                                        {"added", entry.added},
                                        {"removed", entry.removed},
                                        {"size", entry.size}});
  }
  if (classes.size() > kClassesShown)
    words.table += fmt::format("and {} more classes\n", classes.size() - kClassesShown);
  return words;
}

HeapWords heap_retainers(const HeapGraph& graph, const std::string& name) {
  const auto& heap = graph.heap();
  const auto id = id_in(name);
  std::vector<std::uint32_t> nodes;
  if (id) {
    const auto it = std::find(heap.node_id.begin(), heap.node_id.end(), *id);
    if (it != heap.node_id.end()) nodes.push_back(static_cast<std::uint32_t>(it - heap.node_id.begin()));
    if (nodes.empty()) throw ToolError("The snapshot has no object " + name + ".");
    if (!graph.reached(nodes.front())) throw ToolError("Nothing keeps " + name + ": it is about to be collected.");
  } else {
    std::vector<std::string> names;
    const auto ids = graph.class_ids(names);
    const auto found = std::find(names.begin(), names.end(), name);
    const auto wanted = static_cast<std::uint32_t>(found - names.begin());
    for (std::uint32_t node = 0; node < heap.nodes(); ++node) {
      if (ids[node] == wanted && graph.reached(node)) nodes.push_back(node);
    }
    if (nodes.empty())
      throw ToolError("The snapshot has no object of class \"" + loggable(name, kNameShown) +
                      "\": give a class as summary names it, or an object as @id.");
  }
  HeapWords words;
  const auto total = nodes.size();
  const auto shown = largest(graph, std::move(nodes), kPathsShown);
  words.sum = total == 1 ? "The shortest path from the root, and what it retains."
                         : fmt::format("{} objects. Of the {} that retain most, the shortest paths from the root.",
                                       total, shown.size());
  words.figures = {{"objects", total}, {"paths", Json::array()}};
  for (const auto node : shown) {
    words.table += path_words(graph, node);
    words.figures["paths"].push_back(
        {{"id", heap.node_id[node]}, {"retained", graph.retained(node)}, {"length", graph.path_to(node).size()}});
  }
  return words;
}

}  // namespace bridle
