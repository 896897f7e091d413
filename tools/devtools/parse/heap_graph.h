#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/devtools/parse/heap_snapshot.h"

namespace bridle {

// Who keeps whom alive in a heap snapshot, as DevTools' Memory panel counts it: weak references keep nothing, and what
// the root can't reach counts nowhere. All in flat arrays, a few words a node. The snapshot must outlive it.
class HeapGraph {
 public:
  explicit HeapGraph(const HeapSnapshot& heap);

  const HeapSnapshot& heap() const { return heap_; }
  bool reached(std::uint32_t node) const { return dominator_[node] != kNone; }
  // What would be freed with it, in bytes.
  std::uint64_t retained(std::uint32_t node) const { return retained_[node]; }
  std::uint32_t dominator(std::uint32_t node) const { return dominator_[node]; }
  bool detached(std::uint32_t node) const { return heap_.node_detached[node] != 0; }

  // The name of the node's class: its constructor's, or "(array)", "(string)", "Detached <div>".
  std::string class_of(std::uint32_t node) const;
  // The class of each node, as an index into `names`, which it fills.
  std::vector<std::uint32_t> class_ids(std::vector<std::string>& names) const;
  struct Class {
    std::string name{};
    std::uint64_t count = 0;
    std::uint64_t size = 0;      // its objects' own bytes
    std::uint64_t retained = 0;  // what would be freed with all of them
  };
  // Those that retain most first.
  std::vector<Class> classes() const;

  // The edges of a shortest path from the root to a node, through the page's own objects where there is one. Empty for
  // the root and for what isn't reached.
  std::vector<std::uint32_t> path_to(std::uint32_t node) const;
  // The node that an edge leaves.
  std::uint32_t from(std::uint32_t edge) const;

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

 private:
  bool keeps(std::uint32_t from, std::uint32_t edge) const;
  void find_dominators();
  void sum_retained();
  void walk() const;

  const HeapSnapshot& heap_;
  std::vector<std::uint32_t> order_{};      // nodes in the order of a depth-first walk
  std::vector<std::uint32_t> dominator_{};  // the root's is itself
  std::vector<std::uint64_t> retained_{};
  mutable std::vector<std::uint32_t> reached_by_{};  // edge of a breadth-first walk; made when it is needed
};

// What came and went between two snapshots of one heap, by class.
struct HeapDifference {
  struct Class {
    std::string name{};
    std::uint64_t added = 0;
    std::uint64_t removed = 0;
    std::int64_t size = 0;  // bytes of what was added, less those of what was removed
  };
  std::vector<Class> classes{};  // what grew most first
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  std::int64_t size = 0;
  // False: the two are of different heaps, whose objects' numbers mean nothing to each other. Then the classes tell how
  // many more or fewer there are.
  bool same_heap = true;
};
// A heap's objects of one snapshot, as far as they are compared: small enough to be kept while another one is read.
class HeapObjects {
 public:
  explicit HeapObjects(const HeapGraph& graph);
  static HeapDifference compare(const HeapObjects& before, const HeapObjects& after);

 private:
  struct Object {
    std::uint32_t id;
    std::uint32_t size;
    std::uint32_t class_id;
  };
  std::vector<Object> objects_{};  // by id
  std::vector<std::string> classes_{};
};

}  // namespace bridle
