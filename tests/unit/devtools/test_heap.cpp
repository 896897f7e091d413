// Heap snapshots, from ones that are made up [tool.heap].
#include <set>
#include <string>

#include "base/errors.h"
#include "base/text/json.h"
#include "tests/support/catch.h"
#include "tools/devtools/heap_words.h"
#include "tools/devtools/parse/heap_graph.h"
#include "tools/devtools/parse/heap_snapshot.h"

using namespace bridle;

namespace {

// A snapshot's text, by names of nodes. The first node is the root.
class MadeHeap {
 public:
  std::string strings_json() const { return dump(strings_); }
  int node(int type, const std::string& name, unsigned id, unsigned size, int detached = 0) {
    nodes_.push_back({type, string(name), id, size, {}, detached});
    return static_cast<int>(nodes_.size()) - 1;
  }
  void edge(int from, int to, int type, const std::string& name) {
    nodes_[static_cast<std::size_t>(from)].edges.push_back({type, type == 1 ? std::stoi(name) : string(name), to});
  }
  std::string text() const {
    Json nodes = Json::array();
    Json edges = Json::array();
    for (const auto& node : nodes_) {
      for (const auto& number : {Json(node.type), Json(node.name), Json(node.id), Json(node.size),
                                 Json(node.edges.size()), Json(0), Json(node.detached)})
        nodes.push_back(number);
      for (const auto& edge : node.edges) {
        edges.push_back(edge.type);
        edges.push_back(edge.name);
        edges.push_back(edge.to * 7);
      }
    }
    return R"({"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count","trace_node_id","detachedness"],)"
           R"("node_types":[["hidden","array","string","object","code","closure","regexp","number","native","synthetic"],"string","number"],)"
           R"("edge_fields":["type","name_or_index","to_node"],"edge_types":[["context","element","property","internal","hidden","shortcut","weak"],"x"]},)"
           R"("node_count":)" +
           std::to_string(nodes_.size()) + R"(,"edge_count":)" + std::to_string(edges.size() / 3) +
           "},\n\"nodes\":" + dump(nodes) + ",\n\"edges\":" + dump(edges) +
           ",\"trace_tree\":[{\"x\":[1]}],\"samples\":[],\"strings\":" + dump(strings_) + "}";
  }

  static constexpr int kString = 2, kObject = 3, kClosure = 5, kNative = 8, kSynthetic = 9;
  static constexpr int kContext = 0, kElement = 1, kProperty = 2, kInternal = 3, kShortcut = 5, kWeak = 6;

 private:
  struct Edge {
    int type, name, to;
  };
  struct Node {
    int type, name;
    unsigned id, size;
    std::vector<Edge> edges;
    int detached;
  };
  int string(const std::string& text) {
    for (std::size_t i = 0; i < strings_.size(); ++i)
      if (strings_[i] == text) return static_cast<int>(i);
    strings_.push_back(text);
    return static_cast<int>(strings_.size()) - 1;
  }
  std::vector<Node> nodes_;
  Json strings_ = Json::array();
};

HeapSnapshot heap_of(const std::string& text, std::size_t piece = 7) {
  HeapParser parser;
  for (std::size_t at = 0; at < text.size(); at += piece) parser.append(std::string_view(text).substr(at, piece));
  return parser.take();
}

std::string why_no_heap(const std::string& text) {
  HeapParser parser;
  parser.append(text);
  CHECK(parser.take().nodes() == 0);
  return parser.why();
}

// Window -> leaked -> two detached divs, of which the first keeps the second; and a diamond.
MadeHeap leaky(unsigned more = 0) {
  using M = MadeHeap;
  MadeHeap heap;
  const int root = heap.node(M::kSynthetic, "", 1, 0);
  const int roots = heap.node(M::kSynthetic, "(GC roots)", 3, 0);
  const int window = heap.node(M::kObject, "Window", 5, 100);
  const int list = heap.node(M::kObject, "Array", 7, 16);
  const int div = heap.node(M::kNative, "<div class=\"a\">", 9, 40, 2);
  const int inner = heap.node(M::kNative, "<div>", 11, 30, 2);
  const int left = heap.node(M::kObject, "Left", 13, 8);
  const int right = heap.node(M::kObject, "Right", 15, 8);
  const int both = heap.node(M::kObject, "Both", 17, 1000);
  const int weak = heap.node(M::kObject, "Weak", 19, 5000);
  heap.edge(root, roots, M::kElement, "1");
  heap.edge(root, window, M::kShortcut, "Window");
  heap.edge(roots, window, M::kInternal, "global");
  heap.edge(roots, both, M::kElement, "2");
  heap.edge(window, list, M::kProperty, "leaked");
  heap.edge(window, left, M::kProperty, "left");
  heap.edge(window, right, M::kProperty, "right");
  heap.edge(window, weak, M::kWeak, "cache");
  heap.edge(list, div, M::kElement, "0");
  heap.edge(div, inner, M::kInternal, "child");
  heap.edge(inner, div, M::kInternal, "parent");
  heap.edge(left, both, M::kProperty, "both");
  heap.edge(right, both, M::kProperty, "both");
  for (unsigned i = 0; i < more; ++i)
    heap.edge(list, heap.node(M::kObject, "Leak", 101 + 2 * i, 24), M::kElement, std::to_string(i + 1));
  return heap;
}

std::uint32_t node_of(const HeapSnapshot& heap, std::uint32_t id) {
  for (std::uint32_t node = 0; node < heap.nodes(); ++node)
    if (heap.node_id[node] == id) return node;
  FAIL("no node " << id);
  return 0;
}

}  // namespace

TEST_CASE("heap: a snapshot is read in pieces of any size", "[heap] [tool.heap]") {
  const auto text = leaky().text();
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{13}, text.size()}) {
    const auto heap = heap_of(text, piece);
    REQUIRE(heap.nodes() == 10);
    CHECK(heap.edges() == 13);
    CHECK(heap.string(heap.node_name[2]) == "Window");
    CHECK(heap.node_size[8] == 1000);
    CHECK(heap.node_detached[4] == 1);
    CHECK(heap.edge_to[2] == 2);
    CHECK(heap.first_edge.back() == 13);
  }
}

TEST_CASE("heap: strings are unescaped, and cut at a whole character", "[heap] [tool.heap]") {
  using M = MadeHeap;
  MadeHeap heap;
  heap.node(M::kSynthetic, "", 1, 0);
  auto text = heap.text();
  const auto at = text.find("\"strings\":[\"\"]");
  REQUIRE(at != std::string::npos);
  std::string long_one(HeapSnapshot::kString - 1, 'a');
  text.replace(
      at, 14, R"("strings":["q\"\\\/\n\t","\u00e9\ud83d\ude00","\ud83dx","\ude00",")" + long_one + "é" + R"(","end"])");
  const auto read = heap_of(text, 3);
  REQUIRE(read.nodes() == 1);
  CHECK(read.string(0) == "q\"\\/\n\t");
  CHECK(read.string(1) == "é😀");
  CHECK(read.string(2) == "\xEF\xBF\xBDx");
  CHECK(read.string(3) == "\xEF\xBF\xBD");
  CHECK(read.string(4) == long_one);
  CHECK(read.string(5) == "end");
  CHECK(read.string(6).empty());
  CHECK(read.string(0xFFFFFFFF).empty());
}

TEST_CASE("heap: what is no snapshot says why", "[heap] [tool.heap]") {
  const auto text = leaky().text();
  CHECK(why_no_heap("") == "it is cut off");
  CHECK(why_no_heap("[]") == "it has no objects");
  CHECK(why_no_heap("{}") == "it has no objects");
  CHECK(why_no_heap("}") == "it is no JSON");
  CHECK(why_no_heap(R"({"nodes":[1]})") == "its lists come before their description");
  CHECK(why_no_heap(R"({"snapshot":{}})") == "it has no description");
  CHECK(why_no_heap(R"({"snapshot":{"meta":{"node_fields":["type"]}}})") ==
        "its nodes are described otherwise than V8's");
  for (const std::size_t size : {std::size_t{10}, std::size_t{200}, text.size() / 2, text.size() - 1})
    CHECK(why_no_heap(text.substr(0, size)) == "it is cut off");
  const auto changed = [&](const std::string& from, const std::string& to) {
    auto copy = text;
    const auto at = copy.find(from);
    REQUIRE(at != std::string::npos);
    return copy.replace(at, from.size(), to);
  };
  CHECK(why_no_heap(changed("\"edges\":[1,", "\"edges\":[1,1,")) == "its lists are cut");
  CHECK(why_no_heap(changed("\"edges\":[1,", "\"edges\":[1,1,7,1,")) == "its lists don't fit together");
  CHECK(why_no_heap(changed("\"edges\":[1,", "\"edges\":[1.5,")) == "its lists hold what is no number");
  CHECK(why_no_heap(changed("\"edges\":[1,1,7", "\"edges\":[1,1,99999999999999999999")) ==
        "its lists don't fit together");
}

TEST_CASE("heap: numbers that are too large count as the largest", "[heap] [tool.heap]") {
  auto text = leaky().text();
  text.replace(text.find(",1000,"), 6, ",99999999999999999999999,");
  const auto heap = heap_of(text);
  REQUIRE(heap.nodes() == 10);
  CHECK(heap.node_size[8] == 0xFFFFFFFF);
  CHECK(HeapGraph(heap).retained(0) > 0xFFFFFFFFULL);
}

TEST_CASE("heap: dominators and retained sizes; weak references keep nothing", "[heap] [tool.heap]") {
  const auto heap = heap_of(leaky().text());
  const HeapGraph graph(heap);
  const auto window = node_of(heap, 5);
  const auto list = node_of(heap, 7);
  const auto div = node_of(heap, 9);
  const auto both = node_of(heap, 17);
  const auto weak = node_of(heap, 19);
  CHECK(graph.dominator(node_of(heap, 11)) == div);
  CHECK(graph.dominator(div) == list);
  CHECK(graph.dominator(list) == window);
  CHECK(graph.dominator(both) == 0);  // the roots keep it, too
  CHECK(graph.dominator(window) == 0);
  CHECK_FALSE(graph.reached(weak));
  CHECK(graph.retained(div) == 70);
  CHECK(graph.retained(list) == 86);
  CHECK(graph.retained(window) == 202);
  CHECK(graph.retained(0) == 1202);
  CHECK(graph.class_of(div) == "Detached <div>");

  const auto classes = graph.classes();
  const auto of = [&](const std::string& name) {
    for (const auto& entry : classes)
      if (entry.name == name) return entry;
    return HeapGraph::Class();
  };
  CHECK(of("Detached <div>").count == 2);
  CHECK(of("Detached <div>").size == 70);
  CHECK(of("Detached <div>").retained == 70);  // the inner one counts once
  CHECK(of("Both").retained == 1000);
  CHECK(of("Weak").count == 0);
}

TEST_CASE("heap: dominators agree with their definition on random graphs", "[heap] [tool.heap]") {
  using M = MadeHeap;
  unsigned seed = 7;
  const auto random = [&](unsigned below) {
    seed = seed * 1664525U + 1013904223U;
    return static_cast<int>((seed >> 8) % below);
  };
  for (int round = 0; round < 40; ++round) {
    MadeHeap made;
    const int count = 2 + random(25);
    for (int i = 0; i < count; ++i) made.node(M::kObject, "N", static_cast<unsigned>(i + 1), 1);
    std::vector<std::set<int>> edges(static_cast<std::size_t>(count));
    for (int i = 0; i < count * 2; ++i) {
      const int from = random(static_cast<unsigned>(count));
      const int to = random(static_cast<unsigned>(count));
      made.edge(from, to, M::kProperty, "p");
      edges[static_cast<std::size_t>(from)].insert(to);
    }
    const auto heap = heap_of(made.text(), 1000);
    REQUIRE(heap.nodes() == static_cast<std::uint32_t>(count));
    const HeapGraph graph(heap);
    // What is reached without a node is what that node doesn't dominate.
    const auto reached_without = [&](int left_out) {
      std::set<int> seen;
      std::vector<int> open;
      if (left_out != 0) open.push_back(0);
      while (!open.empty()) {
        const int node = open.back();
        open.pop_back();
        if (node == left_out || !seen.insert(node).second) continue;
        for (const int to : edges[static_cast<std::size_t>(node)]) open.push_back(to);
      }
      return seen;
    };
    const auto all = reached_without(-1);
    for (int node = 0; node < count; ++node) {
      const auto at = static_cast<std::uint32_t>(node);
      REQUIRE(graph.reached(at) == all.contains(node));
      if (!all.contains(node)) continue;
      const auto without = reached_without(node);
      CHECK(graph.retained(at) == all.size() - without.size());
    }
  }
}

TEST_CASE("heap: a list of a million links is walked without recursion", "[heap] [tool.heap]") {
  HeapSnapshot heap;
  constexpr std::uint32_t kLinks = 1'000'000;
  heap.string_starts = {0};
  heap.node_type.assign(kLinks, HeapSnapshot::NodeType::object);
  heap.node_name.assign(kLinks, 0);
  heap.node_size.assign(kLinks, 1);
  heap.node_id.assign(kLinks, 0);
  heap.node_detached.assign(kLinks, 0);
  for (std::uint32_t i = 0; i < kLinks; ++i) {
    heap.first_edge.push_back(i);
    if (i + 1 < kLinks) heap.edge_to.push_back(i + 1);
  }
  heap.first_edge.push_back(kLinks - 1);
  heap.edge_type.assign(kLinks - 1, HeapSnapshot::EdgeType::property);
  heap.edge_name.assign(kLinks - 1, 0);
  const HeapGraph graph(heap);
  CHECK(graph.retained(0) == kLinks);
  CHECK(graph.classes().at(0).retained == kLinks);
  CHECK(graph.path_to(kLinks - 1).size() == kLinks - 1);
}

TEST_CASE("heap: the shortest path goes through the page's own objects", "[heap] [tool.heap]") {
  const auto heap = heap_of(leaky().text());
  const HeapGraph graph(heap);
  CHECK(graph.path_to(0).empty());
  CHECK(graph.path_to(node_of(heap, 19)).empty());
  const auto words = heap_retainers(graph, "@9");
  CHECK(words.table ==
        "Detached <div> <div class=\"a\"> @9 retains 70 bytes\n"
        "  .Window -> Window @5\n"
        "  .leaked -> Array @7\n"
        "  [0] -> Detached <div> <div class=\"a\"> @9\n");
  const auto of_class = heap_retainers(graph, "Detached <div>");
  CHECK(of_class.figures["objects"] == 2);
  CHECK(of_class.figures["paths"][0]["id"] == 9);
  CHECK_THAT(heap_retainers(graph, "Both").table, matchers::Contains("  .left -> Left @13\n  .both -> Both @17\n"));
  CHECK_THROWS_AS(heap_retainers(graph, "@12345"), ToolError);
  CHECK_THROWS_AS(heap_retainers(graph, "@19"), ToolError);  // only weakly held
  CHECK_THROWS_AS(heap_retainers(graph, "Nobody"), ToolError);
}

TEST_CASE("heap: a long path is told by its ends", "[heap] [tool.heap]") {
  using M = MadeHeap;
  MadeHeap made;
  made.node(M::kSynthetic, "", 1, 0);
  for (int i = 1; i <= 60; ++i) {
    made.node(M::kObject, "Link", static_cast<unsigned>(2 * i + 1), 4);
    made.edge(i - 1, i, M::kProperty, "next");
  }
  const auto heap = heap_of(made.text());
  const auto words = heap_retainers(HeapGraph(heap), "@121");
  CHECK_THAT(words.table, matchers::Contains("  ... 36 more ...\n") && matchers::EndsWith("  .next -> Link @121\n"));
  CHECK(std::count(words.table.begin(), words.table.end(), '\n') == 26);
}

TEST_CASE("heap: a summary's sums and detached nodes", "[heap] [tool.heap]") {
  const auto heap = heap_of(leaky().text());
  const auto words = heap_summary(HeapGraph(heap));
  CHECK(words.sum == "1202 bytes in 7 objects; 2 detached DOM nodes.");
  CHECK(words.figures["classes"][0]["name"] == "Both");
  CHECK_THAT(words.table, matchers::Contains("        70         70        2  Detached <div>\n") &&
                              matchers::Contains("        70 Detached <div> <div class=\"a\"> @9\n"));
}

TEST_CASE("heap: what came and went, by object", "[heap] [tool.heap]") {
  const auto before = heap_of(leaky(1).text());
  const auto after = heap_of(leaky(4).text());
  const HeapObjects old{HeapGraph(before)};
  const HeapObjects now{HeapGraph(after)};
  const auto grown = HeapObjects::compare(old, now);
  CHECK(grown.same_heap);
  CHECK(grown.added == 3);
  CHECK(grown.removed == 0);
  CHECK(grown.size == 72);
  REQUIRE(grown.classes.size() == 1);
  CHECK(grown.classes[0].name == "Leak");
  const auto shrunk = HeapObjects::compare(now, old);
  CHECK(shrunk.removed == 3);
  CHECK(shrunk.size == -72);
  CHECK(HeapObjects::compare(now, now).classes.empty());
  CHECK_THAT(heap_comparison(grown).table, matchers::Contains("       +72        3        0  Leak\n"));
}

TEST_CASE("heap: snapshots of two heaps are compared by class alone, and it is said", "[heap] [tool.heap]") {
  using M = MadeHeap;
  const auto other = [](int leaks) {
    MadeHeap made;
    made.node(M::kSynthetic, "", 1, 0);
    for (int i = 0; i < leaks; ++i) {
      made.node(M::kObject, "Leak", static_cast<unsigned>(5 + 2 * i), 24);
      made.edge(0, i + 1, M::kElement, std::to_string(i));
    }
    return made.text();
  };
  const auto before = heap_of(leaky(1).text());
  const auto after = heap_of(other(3));
  const auto difference = HeapObjects::compare(HeapObjects{HeapGraph(before)}, HeapObjects{HeapGraph(after)});
  CHECK_FALSE(difference.same_heap);
  CHECK_THAT(heap_comparison(difference).sum, matchers::Contains("different heaps"));
  CHECK(difference.classes[0].name == "Leak");
  CHECK(difference.classes[0].added == 2);
  CHECK(difference.classes[0].removed == 0);
}
