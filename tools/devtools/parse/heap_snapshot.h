#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bridle {

// A V8 heap snapshot (.heapsnapshot) as flat arrays. Nodes and edges are named by their place; node 0 is the root. What
// the file has beyond this (traces, samples, locations) is left out.
struct HeapSnapshot {
  enum class NodeType : std::uint8_t {
    hidden,
    array,
    string,
    object,
    code,
    closure,
    regexp,
    number,
    native,
    synthetic,
    concatenated_string,
    sliced_string,
    symbol,
    bigint,
    object_shape,
    other
  };
  enum class EdgeType : std::uint8_t { context, element, property, internal, hidden, shortcut, weak, other };

  std::vector<NodeType> node_type{};
  std::vector<std::uint32_t> node_name{};     // a string
  std::vector<std::uint32_t> node_id{};       // V8's: one object's in all snapshots of one heap
  std::vector<std::uint32_t> node_size{};     // its own bytes
  std::vector<std::uint8_t> node_detached{};  // 1: a DOM node that isn't in a document any more
  std::vector<std::uint32_t> first_edge{};    // one more than there are nodes
  std::vector<EdgeType> edge_type{};
  std::vector<std::uint32_t> edge_name{};  // a string, or an index (element, hidden)
  std::vector<std::uint32_t> edge_to{};    // a node

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(node_type.size()); }
  std::uint32_t edges() const { return static_cast<std::uint32_t>(edge_type.size()); }
  // At most kString bytes of each, as UTF-8.
  std::string_view string(std::uint32_t index) const;
  static constexpr std::size_t kString = 256;

  std::string characters{};                    // of all strings
  std::vector<std::uint32_t> string_starts{};  // one more than there are strings
};

// Reads a snapshot while its bytes arrive: never more of the text is held than a value. Numbers go into flat arrays, so
// that a snapshot takes less memory than its text. Not shared between threads; takes any bytes without harm.
class HeapParser {
 public:
  // Of each: nodes, edges, and of bytes of strings four times as many.
  static constexpr std::size_t kMost = 20'000'000;

  // False: it is no snapshot, or too large; why() says which, and what comes is left unread.
  bool append(std::string_view bytes);
  const std::string& why() const { return why_; }
  // The snapshot; empty (nodes() == 0) when its text has not ended or doesn't fit together, which why() then says.
  HeapSnapshot take();

 private:
  // Which list the numbers or strings that come are of.
  enum class Part { none, head, nodes, edges, strings, ignored };
  bool fail(std::string why);
  bool begin_part();
  bool end_head();
  bool take_number(std::uint32_t number);
  void add_character(char c);
  bool end_string();
  bool structure(char c);

  HeapSnapshot heap_{};
  std::string why_{};
  std::size_t depth_ = 0;
  Part part_ = Part::none;
  std::size_t part_depth_ = 0;
  std::string key_{};   // the last string of the outermost object
  std::string head_{};  // the text of "snapshot", which is small
  bool in_string_ = false;
  bool ended_ = false;
  int escape_ = 0;  // 1: after a backslash; 2 to 5: digits of \u
  unsigned code_ = 0;
  unsigned high_ = 0;         // a surrogate that waits for its other half
  std::string string_{};      // the string that is being read
  std::uint64_t number_ = 0;  // the number that is being read
  bool in_number_ = false;
  // From the head.
  std::vector<int> node_fields_{};  // what each number of a node is; Field
  std::vector<int> edge_fields_{};
  std::vector<HeapSnapshot::NodeType> node_types_{};
  std::vector<HeapSnapshot::EdgeType> edge_types_{};
  std::size_t field_ = 0;
  std::vector<std::uint32_t> edge_counts_{};
};

}  // namespace bridle
