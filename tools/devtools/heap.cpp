#include "tools/devtools/heap.h"

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <cerrno>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "base/fd.h"
#include "browser/cdp/pending_reply.h"
#include "browser/page/side_session.h"
#include "tools/contract/schema.h"
#include "tools/devtools/heap_words.h"
#include "tools/devtools/parse/heap_graph.h"
#include "tools/devtools/parse/heap_snapshot.h"
#include "tools/files/file_system.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr const char* kHeap = "heap";
constexpr Millis kHeapTake{120'000};
constexpr std::size_t kHeapUnread = 128 * 1024 * 1024;  // chunks that wait for the disk
constexpr std::size_t kHeapRead = 1024 * 1024;

// Takes snapshots of a tab's heap. It stays with the tab once it was used: V8 numbers the objects anew when the domain
// is switched off, and without their numbers two snapshots can't be compared.
class HeapTaker : public TabExtra {
 public:
  static std::shared_ptr<HeapTaker> of(const CallContext& ctx, Tab& tab) {
    if (auto taker = std::dynamic_pointer_cast<HeapTaker>(tab.extras().find(kHeap))) return taker;
    auto taker = std::make_shared<HeapTaker>();
    taker->session_ = std::make_unique<SideSession>(ctx, tab);
    taker->session_->on_event([weak = std::weak_ptr(taker)](std::string_view method, std::string_view message) {
      const auto self = weak.lock();
      if (self && method.starts_with("HeapProfiler.")) self->on_event(method, message);
    });
    taker->session_->call(ctx, "HeapProfiler.enable");
    tab.extras().keep(kHeap, taker);
    return taker;
  }

  // Hands the snapshot's text to `use`, piece by piece. One call at a time: it has the tab's turn.
  void take(const CallContext& ctx, const std::function<void(std::string_view piece)>& use) {
    const auto& session = session_->session();
    // The reply may come when nobody waits here any more.
    const auto inbox = inbox_;
    {
      MutexLock lock(inbox->mutex);
      inbox->chunks.clear();
      inbox->bytes = 0;
      inbox->overflowed = false;
      inbox->taking = true;
    }
    const auto stop = [&] {
      MutexLock lock(inbox->mutex);
      inbox->taking = false;
      inbox->chunks.clear();
    };
    try {
      PendingReply reply(session.connection(), session.id(), "HeapProfiler.takeHeapSnapshot",
                         {{"reportProgress", true}, {"captureNumericValue", false}}, [inbox] { inbox->notify(); });
      const auto bounded = ctx.within(kHeapTake);
      // Chromium sends the last piece before the reply.
      for (bool over = false; !over;) {
        std::deque<std::string> chunks;
        {
          MutexLock lock(inbox->mutex);
          over = !wait_until(bounded, inbox->changed, lock, [&]() REQUIRES(inbox->mutex) {
            return !inbox->chunks.empty() || inbox->overflowed || reply.has_come();
          });
          if (over) throw CdpTimeout("HeapProfiler.takeHeapSnapshot: the page did not give its snapshot in time");
          if (inbox->overflowed)
            throw ToolError("The snapshot comes faster than the disk takes it. Nothing was saved.");
          over = reply.has_come();
          chunks.swap(inbox->chunks);
          inbox->bytes = 0;
        }
        for (const auto& chunk : chunks) {
          ctx.signal.throw_if_aborted();
          on_chunk(ctx, chunk, use);
        }
      }
      result_message("HeapProfiler.takeHeapSnapshot", reply.take().value());
    } catch (...) {
      stop();
      throw;
    }
    stop();
  }

 private:
  struct Inbox {
    Mutex mutex;
    CondVar changed;
    std::deque<std::string> chunks GUARDED_BY(mutex);
    std::size_t bytes GUARDED_BY(mutex) = 0;
    bool overflowed GUARDED_BY(mutex) = false;
    bool taking GUARDED_BY(mutex) = false;

    void notify() {
      MutexLock lock(mutex);
      changed.notify_all();
    }
  };

  // On the reader thread: the bytes are moved on, and nothing is parsed.
  void on_event(std::string_view method, std::string_view message) {
    const bool wanted =
        method == "HeapProfiler.addHeapSnapshotChunk" || method == "HeapProfiler.reportHeapSnapshotProgress";
    MutexLock lock(inbox_->mutex);
    if (!wanted || !inbox_->taking || inbox_->overflowed) return;
    inbox_->bytes += message.size();
    inbox_->overflowed = inbox_->bytes > kHeapUnread;
    if (!inbox_->overflowed) inbox_->chunks.emplace_back(message);
    inbox_->changed.notify_all();
  }

  static void on_chunk(const CallContext& ctx, const std::string& message,
                       const std::function<void(std::string_view)>& use) {
    const Json event = parse_cdp(message);
    const Json& params = event.at("params");
    if (const auto chunk = params.find("chunk"); chunk != params.end() && chunk->is_string()) {
      use(chunk->get_ref<const std::string&>());
    } else if (params.contains("droppedBytes")) {
      throw ToolError("A piece of the snapshot was too long to be read. Nothing was saved.");
    } else if (ctx.progress != nullptr) {
      ctx.progress->report(params.value("done", 0.0), params.value("total", -1.0), "taking a heap snapshot");
    }
  }

  std::unique_ptr<SideSession> session_{};
  const std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
};

[[noreturn]] void refuse_snapshot(const std::string& why) {
  throw ToolError("The file is no heap snapshot that can be read: " + why + ".");
}

HeapSnapshot read_snapshot(PageCall& call, const std::string& filename) {
  const auto path = call.scope().files()->upload(filename, "read", [&] { return call.client_roots(); });
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd) throw ToolError(quoted_path(path.string()) + " can't be read: " + file_error(errno) + ".");
  HeapParser parser;
  std::string piece(kHeapRead, '\0');
  for (;;) {
    call.ctx().signal.throw_if_aborted();
    const auto got = ::read(fd.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw ToolError(quoted_path(path.string()) + " can't be read: " + file_error(errno) + ".");
    if (got == 0) break;
    if (!parser.append(std::string_view(piece).substr(0, static_cast<std::size_t>(got)))) refuse_snapshot(parser.why());
  }
  auto heap = parser.take();
  if (heap.nodes() == 0) refuse_snapshot(parser.why());
  return heap;
}

void tell_heap(PageCall& call, HeapWords words) {
  call.response.result(words.sum);
  call.response.page_text(std::move(words.table));
  call.response.structured.update(words.figures);
}

void take_heap(PageCall& call, const Arguments& args) {
  auto name = args.text("filename");
  if (name.empty()) name = "heap.heapsnapshot";
  if (!name.ends_with(".heapsnapshot")) name += ".heapsnapshot";
  const auto file = call.scope().files()->begin(call.ctx(), name);
  HeapParser parser;
  const auto taker = HeapTaker::of(call.ctx(), call.tab());
  try {
    taker->take(call.ctx(), [&](std::string_view piece) {
      file->write(call.ctx(), piece);
      parser.append(piece);  // one that can't be read is a file all the same
    });
  } catch (...) {
    // What the page still sends goes to nobody.
    call.tab().extras().drop(kHeap);
    throw;
  }
  const auto saved = file->keep(call.ctx());
  call.response.result(saved_words(saved) + ". DevTools opens it (Memory, Load profile).");
  call.response.structured = {{"path", saved.path.string()}};
  const auto heap = parser.take();
  if (heap.nodes() == 0) {
    call.response.result("It can't be summed up here: " + parser.why() + ".");
    return;
  }
  tell_heap(call, heap_summary(HeapGraph(heap)));
}

void compare_heaps(PageCall& call, const Arguments& args) {
  const auto base = args.needed("base", "browser_heap", "action");
  const auto filename = args.needed("filename", "browser_heap", "action");
  // One after the other, so that only one whole snapshot is held.
  const auto objects = [&](const std::string& file) {
    const auto heap = read_snapshot(call, file);
    return HeapObjects(HeapGraph(heap));
  };
  const auto before = objects(base);
  const auto after = objects(filename);
  tell_heap(call, heap_comparison(HeapObjects::compare(before, after)));
}

void heap_tool(PageCall& call, const Arguments& args) {
  const auto action = args.text("action");
  for (const auto& [argument, owner] : {std::pair{"base", "compare"}, std::pair{"node", "retainers"}}) {
    if (args.has(argument) && action != owner)
      throw ToolError(fmt::format("browser_heap: {} goes with action {}.", argument, owner));
  }
  if (action == "take") return take_heap(call, args);
  if (action == "compare") return compare_heaps(call, args);
  const auto filename = args.needed("filename", "browser_heap", "action");
  const auto node = action == "retainers" ? args.needed("node", "browser_heap", "action") : std::string();
  const auto heap = read_snapshot(call, filename);
  const HeapGraph graph(heap);
  tell_heap(call, action == "summary" ? heap_summary(graph) : heap_retainers(graph, node));
}

}  // namespace

std::vector<ToolSpec> heap_tools(const BrowserSettings&) {
  return {
      {.name = "browser_heap",
       .set = "devtools",
       .title = "Heap snapshots",
       .description = "Heap snapshots: classes with retained sizes, detached DOM nodes, what came between two, what "
                      "keeps an object.",
       .input_schema = schema::object({{"action", schema::choice({"take", "summary", "compare", "retainers"}), true},
                                       schema::filename(),
                                       {"base", schema::text("For compare: the earlier file")},
                                       {"node", schema::text("For retainers: @id or class")},
                                       schema::tab()}),
       .read_only = true,
       .queues = true,
       .may_take_long = true,
       .handler = page_tool("browser_heap", {}, heap_tool)}};
}

}  // namespace bridle
