#include "tools/devtools/parse/heap_graph.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

namespace bridle {
namespace {

using NodeType = HeapSnapshot::NodeType;
using EdgeType = HeapSnapshot::EdgeType;

// "<div class="x">" and "<div>" are of one class.
std::string_view tag_of(std::string_view name, std::string& made) {
  if (!name.starts_with('<')) return name;
  const auto end = name.find_first_of(" >");
  if (end == std::string_view::npos) return name;
  made = std::string(name.substr(0, end)) + ">";
  return made;
}

}  // namespace

HeapGraph::HeapGraph(const HeapSnapshot& heap) : heap_(heap) {
  find_dominators();
  sum_retained();
}

// A shortcut names what the root reaches anyway, and means something at the root alone.
bool HeapGraph::keeps(std::uint32_t from, std::uint32_t edge) const {
  const auto type = heap_.edge_type[edge];
  return type != EdgeType::weak && (type != EdgeType::shortcut || from == 0) && heap_.edge_to[edge] != from;
}

// Semi-NCA (Georgiadis): the semidominators of Lengauer and Tarjan, then each dominator as the nearest common ancestor.
// Everything is numbered by the depth-first walk; nothing recurses, as heaps hold lists of a million links.
void HeapGraph::find_dominators() {
  const auto nodes = heap_.nodes();
  dominator_.assign(nodes, kNone);
  if (nodes == 0) return;
  std::vector<std::uint32_t> number(nodes, kNone);
  std::vector<std::uint32_t> parent;  // of the walk, by number
  order_.clear();
  {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open;  // node, next edge
    const auto enter = [&](std::uint32_t node, std::uint32_t from) {
      number[node] = static_cast<std::uint32_t>(order_.size());
      order_.push_back(node);
      parent.push_back(from);
      open.emplace_back(node, heap_.first_edge[node]);
    };
    enter(0, 0);
    while (!open.empty()) {
      auto& [node, edge] = open.back();
      if (edge == heap_.first_edge[node + 1]) {
        open.pop_back();
        continue;
      }
      const auto at = edge++;
      const auto from = node;
      const auto to = heap_.edge_to[at];
      if (number[to] == kNone && keeps(from, at)) enter(to, number[from]);
    }
  }
  const auto count = static_cast<std::uint32_t>(order_.size());
  // The reverse edges, by number.
  std::vector<std::uint32_t> first(count + std::size_t{1}, 0);
  const auto each_edge = [&](const auto& use) {
    for (std::uint32_t from = 0; from < count; ++from) {
      const auto node = order_[from];
      for (auto edge = heap_.first_edge[node]; edge < heap_.first_edge[node + 1]; ++edge) {
        if (keeps(node, edge)) use(from, number[heap_.edge_to[edge]]);
      }
    }
  };
  each_edge([&](std::uint32_t, std::uint32_t to) { ++first[to + 1]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> sources(first.back());
  {
    auto next = first;
    each_edge([&](std::uint32_t from, std::uint32_t to) { sources[next[to]++] = from; });
  }
  number = {};
  std::vector<std::uint32_t> ancestor(parent);  // compressed while it is used
  std::vector<std::uint32_t> label(count);
  std::iota(label.begin(), label.end(), 0U);
  std::vector<std::uint32_t> semi(label);
  std::vector<std::uint32_t> path;
  for (auto at = count; at-- > 1;) {
    std::uint32_t best = parent[at];
    for (auto source = first[at]; source < first[at + 1]; ++source) {
      auto v = sources[source];
      if (v <= at) {
        best = std::min(best, v);
        continue;
      }
      // Follows v to the last node above `at`, which the nodes on the way then skip to.
      path.clear();
      while (ancestor[v] > at) {
        path.push_back(v);
        v = ancestor[v];
      }
      while (!path.empty()) {
        const auto below = path.back();
        path.pop_back();
        if (semi[label[v]] < semi[label[below]]) label[below] = label[v];
        ancestor[below] = ancestor[v];
        v = below;
      }
      best = std::min(best, semi[label[v]]);
    }
    semi[at] = best;
  }
  std::vector<std::uint32_t> idom(std::move(parent));
  for (std::uint32_t at = 1; at < count; ++at) {
    auto above = idom[at];
    while (above > semi[at]) above = idom[above];
    idom[at] = above;
  }
  for (std::uint32_t at = 0; at < count; ++at) dominator_[order_[at]] = order_[idom[at]];
}

void HeapGraph::sum_retained() {
  retained_.assign(heap_.nodes(), 0);
  for (const auto node : order_) retained_[node] = heap_.node_size[node];
  // A dominator comes before what it dominates.
  for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
    if (*it != 0) retained_[dominator_[*it]] += retained_[*it];
  }
}

std::string HeapGraph::class_of(std::uint32_t node) const {
  const auto name = heap_.string(heap_.node_name[node]);
  switch (heap_.node_type[node]) {
    case NodeType::object:
    case NodeType::native: {
      std::string made;
      auto tag = std::string(tag_of(name, made));
      // Older versions of Chromium say it in the name.
      return detached(node) && !tag.starts_with("Detached ") ? "Detached " + tag : tag;
    }
    case NodeType::hidden:
      return "(system)";
    case NodeType::array:
      return "(array)";
    case NodeType::code:
      return "(compiled code)";
    case NodeType::closure:
      return "(closure)";
    case NodeType::regexp:
      return "(regexp)";
    case NodeType::number:
      return "(number)";
    case NodeType::string:
    case NodeType::concatenated_string:
    case NodeType::sliced_string:
      return "(string)";
    case NodeType::symbol:
      return "(symbol)";
    case NodeType::bigint:
      return "(bigint)";
    case NodeType::object_shape:
      return "(object shape)";
    case NodeType::synthetic:
      return "(synthetic)";
    case NodeType::other:
      break;
  }
  return "(other)";
}

// The name of a string makes no class, so few are made.
std::vector<std::uint32_t> HeapGraph::class_ids(std::vector<std::string>& names) const {
  std::unordered_map<std::uint64_t, std::uint32_t> by_key;  // what class_of() looks at
  std::unordered_map<std::string, std::uint32_t> by_name;
  std::vector<std::uint32_t> ids(heap_.nodes());
  for (std::uint32_t node = 0; node < heap_.nodes(); ++node) {
    const auto type = heap_.node_type[node];
    const bool named = type == NodeType::object || type == NodeType::native;
    const auto key = (static_cast<std::uint64_t>(named ? heap_.node_name[node] : 0) << 8) |
                     (static_cast<std::uint64_t>(type) << 1) | heap_.node_detached[node];
    const auto [it, is_new] = by_key.try_emplace(key, 0);
    if (is_new) {
      auto name = class_of(node);
      const auto [named_it, new_name] = by_name.try_emplace(name, static_cast<std::uint32_t>(names.size()));
      if (new_name) names.push_back(std::move(name));
      it->second = named_it->second;
    }
    ids[node] = it->second;
  }
  return ids;
}

std::vector<HeapGraph::Class> HeapGraph::classes() const {
  std::vector<std::string> names;
  const auto ids = class_ids(names);
  std::vector<Class> classes(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) classes[i].name = std::move(names[i]);
  // An object that another one of its class dominates is freed with that one. Down the tree of dominators: the nearest
  // dominator of each class is known by walking the tree with a count of those that are open.
  const auto nodes = heap_.nodes();
  std::vector<std::uint32_t> child(nodes, kNone);
  std::vector<std::uint32_t> sibling(nodes, kNone);
  for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
    if (*it == 0) continue;
    sibling[*it] = child[dominator_[*it]];
    child[dominator_[*it]] = *it;
  }
  std::vector<std::uint32_t> open(classes.size(), 0);
  if (nodes == 0) return {};
  std::uint32_t at = 0;
  for (bool down = true;;) {
    auto& entry = classes[ids[at]];
    if (down) {
      if (open[ids[at]]++ == 0) entry.retained += retained_[at];
      if (heap_.node_size[at] != 0 || heap_.node_type[at] == NodeType::native) {
        ++entry.count;
        entry.size += heap_.node_size[at];
      }
      if (child[at] != kNone) {
        at = child[at];
        continue;
      }
    }
    --open[ids[at]];
    if (at == 0) break;
    down = sibling[at] != kNone;
    at = down ? sibling[at] : dominator_[at];
  }
  std::erase_if(classes, [](const Class& entry) { return entry.count == 0; });
  std::stable_sort(classes.begin(), classes.end(),
                   [](const Class& a, const Class& b) { return a.retained > b.retained; });
  return classes;
}

// Breadth first from what the page's own globals reach, then from all other roots, as a path through the page says
// more.
void HeapGraph::walk() const {
  if (!reached_by_.empty()) return;
  reached_by_.assign(heap_.nodes(), kNone);
  std::vector<bool> seen(heap_.nodes(), false);
  std::vector<std::uint32_t> queue;
  seen[0] = true;
  const auto visit = [&](std::uint32_t from, std::uint32_t edge) {
    const auto to = heap_.edge_to[edge];
    if (!keeps(from, edge) || seen[to]) return;
    seen[to] = true;
    reached_by_[to] = edge;
    queue.push_back(to);
  };
  for (const bool own : {true, false}) {
    queue.clear();
    for (auto edge = heap_.first_edge[0]; edge < heap_.first_edge[1]; ++edge) {
      if ((heap_.node_type[heap_.edge_to[edge]] != NodeType::synthetic) == own) visit(0, edge);
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const auto node = queue[i];
      for (auto edge = heap_.first_edge[node]; edge < heap_.first_edge[node + 1]; ++edge) visit(node, edge);
    }
  }
}

std::uint32_t HeapGraph::from(std::uint32_t edge) const {
  const auto after = std::upper_bound(heap_.first_edge.begin(), heap_.first_edge.end(), edge);
  return static_cast<std::uint32_t>(after - heap_.first_edge.begin()) - 1;
}

std::vector<std::uint32_t> HeapGraph::path_to(std::uint32_t node) const {
  walk();
  std::vector<std::uint32_t> path;
  while (reached_by_[node] != kNone) {
    path.push_back(reached_by_[node]);
    node = from(reached_by_[node]);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

HeapObjects::HeapObjects(const HeapGraph& graph) {
  const auto& heap = graph.heap();
  const auto ids = graph.class_ids(classes_);
  for (std::uint32_t node = 0; node < heap.nodes(); ++node) {
    if (graph.reached(node) && heap.node_size[node] != 0)
      objects_.push_back({heap.node_id[node], heap.node_size[node], ids[node]});
  }
  std::sort(objects_.begin(), objects_.end(), [](const Object& a, const Object& b) { return a.id < b.id; });
}

HeapDifference HeapObjects::compare(const HeapObjects& before, const HeapObjects& after) {
  HeapDifference difference;
  // The same number is the same object only in the same heap: there nearly all of them are of the class that they were.
  std::uint64_t common = 0;
  std::uint64_t alike = 0;
  const auto match = [&](const auto& both, const auto& only_before, const auto& only_after) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < before.objects_.size() || j < after.objects_.size()) {
      const bool old =
          j == after.objects_.size() || (i < before.objects_.size() && before.objects_[i].id < after.objects_[j].id);
      const bool fresh = !old && (i == before.objects_.size() || after.objects_[j].id < before.objects_[i].id);
      if (old) {
        only_before(before.objects_[i++]);
      } else if (fresh) {
        only_after(after.objects_[j++]);
      } else {
        both(before.objects_[i++], after.objects_[j++]);
      }
    }
  };
  match(
      [&](const Object& old, const Object& now) {
        ++common;
        if (before.classes_[old.class_id] == after.classes_[now.class_id]) ++alike;
      },
      [](const Object&) {}, [](const Object&) {});
  difference.same_heap = common > 0 && alike * 10 >= common * 9;

  std::map<std::string, HeapDifference::Class> classes;
  const auto add = [&](const HeapObjects& owner, const Object& object) {
    auto& entry = classes[owner.classes_[object.class_id]];
    ++entry.added;
    entry.size += object.size;
  };
  const auto remove = [&](const HeapObjects& owner, const Object& object) {
    auto& entry = classes[owner.classes_[object.class_id]];
    ++entry.removed;
    entry.size -= object.size;
  };
  if (difference.same_heap) {
    match(
        [&](const Object& old, const Object& now) {
          if (before.classes_[old.class_id] == after.classes_[now.class_id]) {
            classes[after.classes_[now.class_id]].size += static_cast<std::int64_t>(now.size) - old.size;
            return;
          }
          // A node that was taken out of its document is of another class now.
          remove(before, old);
          add(after, now);
        },
        [&](const Object& old) { remove(before, old); }, [&](const Object& now) { add(after, now); });
  } else {
    for (const auto& object : before.objects_) remove(before, object);
    for (const auto& object : after.objects_) add(after, object);
    for (auto& [name, entry] : classes) {
      const auto stay = std::min(entry.added, entry.removed);
      entry.added -= stay;
      entry.removed -= stay;
    }
  }
  for (auto& [name, entry] : classes) {
    if (entry.added == 0 && entry.removed == 0 && entry.size == 0) continue;
    entry.name = name;
    difference.added += entry.added;
    difference.removed += entry.removed;
    difference.size += entry.size;
    difference.classes.push_back(std::move(entry));
  }
  std::stable_sort(difference.classes.begin(), difference.classes.end(),
                   [](const auto& a, const auto& b) { return a.size > b.size; });
  return difference;
}

}  // namespace bridle
