#include "tools/devtools/parse/heap_snapshot.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/text/json.h"
#include "base/text/text.h"

namespace bridle {
namespace {

constexpr std::size_t kHeapHead = 1024 * 1024;
constexpr std::uint64_t kLargestHeapNumber = std::numeric_limits<std::uint32_t>::max();

constexpr int kType = 0;
constexpr int kName = 1;
constexpr int kId = 2;
constexpr int kSelfSize = 3;
constexpr int kEdgeCount = 4;
constexpr int kDetachedness = 5;
constexpr int kToNode = 6;
constexpr int kUnknownField = 7;

int node_field(const std::string& name) {
  static constexpr std::array<const char*, 6> kNames{"type", "name", "id", "self_size", "edge_count", "detachedness"};
  const auto it = std::find(kNames.begin(), kNames.end(), name);
  return it == kNames.end() ? kUnknownField : static_cast<int>(it - kNames.begin());
}

int edge_field(const std::string& name) {
  if (name == "type") return kType;
  if (name == "name_or_index") return kName;
  return name == "to_node" ? kToNode : kUnknownField;
}

HeapSnapshot::NodeType node_type(const std::string& name) {
  static constexpr std::array<const char*, 15> kNames{"hidden",
                                                      "array",
                                                      "string",
                                                      "object",
                                                      "code",
                                                      "closure",
                                                      "regexp",
                                                      "number",
                                                      "native",
                                                      "synthetic",
                                                      "concatenated string",
                                                      "sliced string",
                                                      "symbol",
                                                      "bigint",
                                                      "object shape"};
  const auto it = std::find(kNames.begin(), kNames.end(), name);
  return it == kNames.end() ? HeapSnapshot::NodeType::other : static_cast<HeapSnapshot::NodeType>(it - kNames.begin());
}

HeapSnapshot::EdgeType edge_type(const std::string& name) {
  static constexpr std::array<const char*, 7> kNames{"context", "element",  "property", "internal",
                                                     "hidden",  "shortcut", "weak"};
  const auto it = std::find(kNames.begin(), kNames.end(), name);
  return it == kNames.end() ? HeapSnapshot::EdgeType::other : static_cast<HeapSnapshot::EdgeType>(it - kNames.begin());
}

std::vector<std::string> names_in(const Json& list) {
  std::vector<std::string> names;
  if (!list.is_array()) return names;
  for (const Json& name : list) names.push_back(name.is_string() ? name.get<std::string>() : std::string());
  return names;
}

bool has(const std::vector<int>& fields, int field) {
  return std::find(fields.begin(), fields.end(), field) != fields.end();
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string_view HeapSnapshot::string(std::uint32_t index) const {
  if (index + std::size_t{1} >= string_starts.size()) return {};
  const auto start = string_starts[index];
  return std::string_view(characters).substr(start, string_starts[index + 1] - start);
}

bool HeapParser::fail(std::string why) {
  if (why_.empty()) why_ = std::move(why);
  return false;
}

// A list or an object of the outermost object begins, under the key that was read last.
bool HeapParser::begin_part() {
  part_depth_ = depth_;
  if (key_ == "snapshot") {
    part_ = Part::head;
  } else if (key_ == "nodes" || key_ == "edges") {
    if (node_fields_.empty()) return fail("its lists come before their description");
    part_ = key_ == "nodes" ? Part::nodes : Part::edges;
    field_ = 0;
  } else if (key_ == "strings") {
    part_ = Part::strings;
    heap_.string_starts.assign(1, 0);
  } else {
    part_ = Part::ignored;
  }
  return true;
}

bool HeapParser::end_head() {
  const Json head = parse_json(head_);
  head_ = {};
  const auto meta = head.is_object() ? head.find("meta") : head.end();
  if (!head.is_object() || meta == head.end() || !meta->is_object()) return fail("it has no description");
  for (const auto& name : names_in(meta->value("node_fields", Json()))) node_fields_.push_back(node_field(name));
  for (const auto& name : names_in(meta->value("edge_fields", Json()))) edge_fields_.push_back(edge_field(name));
  const auto types = [&](const char* key) {
    const auto list = meta->find(key);
    return list != meta->end() && list->is_array() && !list->empty() ? names_in(list->front())
                                                                     : std::vector<std::string>();
  };
  for (const auto& name : types("node_types")) node_types_.push_back(node_type(name));
  for (const auto& name : types("edge_types")) edge_types_.push_back(edge_type(name));
  for (const int field : {kType, kName, kId, kSelfSize, kEdgeCount}) {
    if (!has(node_fields_, field)) return fail("its nodes are described otherwise than V8's");
  }
  for (const int field : {kType, kName, kToNode}) {
    if (!has(edge_fields_, field)) return fail("its edges are described otherwise than V8's");
  }
  // Room for what is announced, so that nothing is copied; a false word takes no more than the limit.
  const auto announced = [&](const char* key) {
    const auto it = head.find(key);
    const bool is_count = it != head.end() && it->is_number_unsigned();
    return is_count ? std::min<std::size_t>(it->get<std::uint64_t>(), kMost / 16) : 0;
  };
  const auto nodes = announced("node_count");
  heap_.node_type.reserve(nodes);
  for (auto* list : {&heap_.node_name, &heap_.node_id, &heap_.node_size, &edge_counts_}) list->reserve(nodes);
  heap_.node_detached.reserve(nodes);
  const auto edges = announced("edge_count");
  heap_.edge_type.reserve(edges);
  heap_.edge_name.reserve(edges);
  heap_.edge_to.reserve(edges);
  return true;
}

bool HeapParser::take_number(std::uint32_t number) {
  const bool nodes = part_ == Part::nodes;
  const auto& fields = nodes ? node_fields_ : edge_fields_;
  if (field_ == 0) {
    if (heap_.node_type.size() >= kMost || heap_.edge_type.size() >= kMost)
      return fail("it has more objects than are read");
    if (nodes) {
      heap_.node_type.push_back(HeapSnapshot::NodeType::other);
      for (auto* list : {&heap_.node_name, &heap_.node_id, &heap_.node_size, &edge_counts_}) list->push_back(0);
      heap_.node_detached.push_back(0);
    } else {
      heap_.edge_type.push_back(HeapSnapshot::EdgeType::other);
      heap_.edge_name.push_back(0);
      heap_.edge_to.push_back(0);
    }
  }
  const int field = fields[field_];
  field_ = field_ + 1 == fields.size() ? 0 : field_ + 1;
  if (nodes) {
    if (field == kType && number < node_types_.size()) heap_.node_type.back() = node_types_[number];
    if (field == kName) heap_.node_name.back() = number;
    if (field == kId) heap_.node_id.back() = number;
    if (field == kSelfSize) heap_.node_size.back() = number;
    if (field == kEdgeCount) edge_counts_.back() = number;
    if (field == kDetachedness) heap_.node_detached.back() = number == 2 ? 1 : 0;
  } else {
    if (field == kType && number < edge_types_.size()) heap_.edge_type.back() = edge_types_[number];
    if (field == kName) heap_.edge_name.back() = number;
    // V8 names a node by its place in the list of numbers.
    if (field == kToNode) heap_.edge_to.back() = number / static_cast<std::uint32_t>(node_fields_.size());
  }
  return true;
}

void HeapParser::add_character(char c) {
  if (part_ == Part::ignored || string_.size() >= HeapSnapshot::kString) return;
  string_ += c;
}

bool HeapParser::end_string() {
  if (depth_ == 1) key_ = string_;
  if (part_ == Part::strings && depth_ == part_depth_) {
    // A character that was cut in two at the limit goes as a whole.
    std::size_t end = std::min(string_.size(), HeapSnapshot::kString);
    if (string_.size() >= HeapSnapshot::kString) {
      while (end > 0 && (static_cast<unsigned char>(string_[end - 1]) & 0xC0) == 0x80) --end;
      if (end > 0 && static_cast<unsigned char>(string_[end - 1]) >= 0xC0) --end;
    }
    if (heap_.characters.size() + end > 4 * kMost) return fail("its strings are longer than is read");
    heap_.characters.append(string_, 0, end);
    heap_.string_starts.push_back(static_cast<std::uint32_t>(heap_.characters.size()));
  }
  string_.clear();
  return true;
}

// Outside of strings. False: it failed.
bool HeapParser::structure(char c) {
  if (part_ == Part::head && head_.size() < kHeapHead) head_ += c;
  switch (c) {
    case '"':
      in_string_ = true;
      return true;
    case '{':
    case '[':
      ++depth_;
      if (depth_ == 2 && part_ == Part::none) {
        if (!begin_part()) return false;
        if (part_ == Part::head) head_ = c;
      }
      return true;
    case '}':
    case ']': {
      if (depth_ == 0) return fail("it is no JSON");
      const bool ends_part = part_ != Part::none && depth_ == part_depth_;
      if (ends_part) {
        const auto ended = std::exchange(part_, Part::none);
        if (ended == Part::head && !end_head()) return false;
        if ((ended == Part::nodes || ended == Part::edges) && field_ != 0) return fail("its lists are cut");
      }
      if (--depth_ == 0) ended_ = true;
      return true;
    }
    default:
      return true;
  }
}

bool HeapParser::append(std::string_view bytes) {
  if (!why_.empty()) return false;
  for (const char c : bytes) {
    if (ended_) break;
    if (in_string_) {
      if (part_ == Part::head && head_.size() < kHeapHead) head_ += c;
      // A half of a surrogate pair that no other half follows.
      if (high_ != 0 && ((escape_ == 0 && c != '\\') || (escape_ == 1 && c != 'u'))) {
        if (part_ != Part::ignored && string_.size() < HeapSnapshot::kString) append_utf8(string_, 0xFFFD);
        high_ = 0;
      }
      if (escape_ >= 2) {
        const int digit = hex_digit(c);
        code_ = code_ * 16 + static_cast<unsigned>(std::max(digit, 0));
        if (digit >= 0 && ++escape_ <= 5) continue;
        escape_ = 0;
        const bool low = code_ >= 0xDC00 && code_ <= 0xDFFF;
        if (high_ != 0 && low) {
          code_ = 0x10000 + ((high_ - 0xD800) << 10) + (code_ - 0xDC00);
        } else if (high_ != 0 || low) {
          if (string_.size() < HeapSnapshot::kString) append_utf8(string_, 0xFFFD);
          if (low) continue;
        }
        high_ = 0;
        if (code_ >= 0xD800 && code_ <= 0xDBFF) {
          high_ = code_;
        } else if (part_ != Part::ignored && string_.size() < HeapSnapshot::kString) {
          append_utf8(string_, code_);
        }
      } else if (escape_ == 1) {
        escape_ = 0;
        if (c == 'u') {
          escape_ = 2;
          code_ = 0;
        } else {
          add_character(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'b' ? '\b' : c == 'f' ? '\f' : c);
        }
      } else if (c == '\\') {
        escape_ = 1;
      } else if (c == '"') {
        in_string_ = false;
        if (!end_string()) return false;
      } else {
        add_character(c);
      }
      continue;
    }
    const bool numbers = (part_ == Part::nodes || part_ == Part::edges) && depth_ == part_depth_;
    if (numbers && c >= '0' && c <= '9') {
      // What doesn't fit into 32 bits counts as the largest number that does.
      number_ = std::min<std::uint64_t>(number_ * 10 + static_cast<unsigned>(c - '0'), kLargestHeapNumber);
      in_number_ = true;
      continue;
    }
    if (in_number_) {
      in_number_ = false;
      if (!take_number(static_cast<std::uint32_t>(std::exchange(number_, 0)))) return false;
    }
    if (numbers && c != ',' && c != ']' && c != ' ' && c != '\n' && c != '\r' && c != '\t')
      return fail("its lists hold what is no number");
    if (!structure(c)) return false;
  }
  return true;
}

HeapSnapshot HeapParser::take() {
  auto heap = std::exchange(heap_, {});
  if (why_.empty() && !ended_) fail("it is cut off");
  if (why_.empty() && (heap.nodes() == 0 || heap.string_starts.empty())) fail("it has no objects");
  if (!why_.empty()) return {};
  heap.first_edge.reserve(heap.nodes() + std::size_t{1});
  std::uint64_t edges = 0;
  heap.first_edge.push_back(0);
  for (const auto count : edge_counts_) {
    edges += count;
    if (edges > heap.edges()) break;
    heap.first_edge.push_back(static_cast<std::uint32_t>(edges));
  }
  edge_counts_ = {};
  const bool fits = edges == heap.edges() && std::all_of(heap.edge_to.begin(), heap.edge_to.end(),
                                                         [&](std::uint32_t node) { return node < heap.nodes(); });
  if (!fits) fail("its lists don't fit together");
  return fits ? std::move(heap) : HeapSnapshot();
}

}  // namespace bridle
