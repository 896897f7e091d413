#include "tools/devtools/trace.h"

#include <spdlog/fmt/fmt.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/text/log.h"
#include "browser/cdp/pending_reply.h"
#include "browser/page/navigation.h"
#include "browser/page/side_session.h"
#include "browser/page/world/world.h"
#include "tools/contract/schema.h"
#include "tools/devtools/parse/stream_piece.h"
#include "tools/devtools/parse/trace_events.h"
#include "tools/devtools/parse/trace_summary.h"
#include "tools/devtools/spool.h"
#include "tools/devtools/trace_words.h"
#include "tools/files/file_system.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr const char* kTrace = "trace";
constexpr const char* kTraceEnding = "trace that ends";
constexpr std::uint64_t kTraceBytes = 512ULL * 1024 * 1024;  // of a trace; the rest is left out
constexpr std::size_t kTraceRead = 1024 * 1024;              // at once
constexpr Millis kTraceFlush{60'000};                        // from the end of a trace until all of it can be read
constexpr Millis kTraceFrames{1000};
constexpr Millis kTraceSettle{10'000};  // reload: from the load until the network is idle

// Those of DevTools' Performance panel, but for what tells of each element that it needs a style or a layout
// [why.trace-without-invalidations].
const Json& trace_categories() {
  static const Json kCategories{"blink.console",
                                "blink.user_timing",
                                "devtools.timeline",
                                "disabled-by-default-devtools.screenshot",
                                "disabled-by-default-devtools.timeline",
                                "disabled-by-default-devtools.timeline.frame",
                                "disabled-by-default-devtools.timeline.stack",
                                "disabled-by-default-devtools.v8-source-rundown",
                                "disabled-by-default-v8.compile",
                                "disabled-by-default-v8.cpu_profiler",
                                "latencyInfo",
                                "loading",
                                "disabled-by-default-lighthouse",
                                "v8.execute",
                                "v8",
                                "cppgc",
                                "navigation,rail"};
  return kCategories;
}

// A trace that is under way. One that nobody will read is ended before its session goes [why.trace-ends-first].
class TraceRun : public TabExtra {
 public:
  static std::shared_ptr<TraceRun> start(const CallContext& ctx, Tab& tab) {
    auto run = std::make_shared<TraceRun>();
    run->session_ = std::make_unique<SideSession>(ctx, tab);
    run->session_->on_event([weak = std::weak_ptr(run)](std::string_view method, std::string_view message) {
      const auto self = weak.lock();
      if (self && method == "Tracing.tracingComplete") self->complete(message);
    });
    try {
      run->session_->call(
          ctx, "Tracing.start",
          {{"transferMode", "ReturnAsStream"},
           {"traceConfig", {{"excludedCategories", {"*"}}, {"includedCategories", trace_categories()}}}});
    } catch (const CdpError& error) {
      if (error.message().find("already been started") == std::string::npos) throw;
      throw ToolError(
          "Another trace is under way in this browser, in another tab or session, and there can be one at a time. Try "
          "again when it has ended.");
    } catch (...) {
      leave(tab, run);  // it may have begun
      throw;
    }
    run->started_ = true;
    return run;
  }

  // Has the trace ended, if it has not yet, and then its session; the tab keeps it until then. Never waits.
  static void leave(Tab& tab, const std::shared_ptr<TraceRun>& run) {
    if (run->end_if_over(true)) return;
    tab.extras().keep(kTraceEnding, run);
    // Refused where the end was asked for before, whose flush is still to come, and where nothing had begun.
    run->session_->post("Tracing.end", Json::object(), [run](const CdpReply& reply) {
      if (reply.kind == CdpReply::Kind::error && !run->started_) run->session_->end();
    });
  }

  void on_gone() override {
    MutexLock lock(mutex_);
    gone_ = true;
    changed_.notify_all();
  }

  // Ends the trace; then it can be read.
  void end(const CallContext& ctx) {
    session_->call(ctx, "Tracing.end");
    MutexLock lock(mutex_);
    const bool over = wait_until(ctx.within(kTraceFlush), changed_, lock,
                                 [this]() REQUIRES(mutex_) { return gone_ || !stream_.empty(); });
    if (gone_) throw ToolError("The tab went away before its trace was read.");
    if (!over) throw ToolError("The browser did not finish the trace in time.");
  }
  // Hands its text to `use`, piece by piece. False: it was longer than kTraceBytes.
  bool read(const CallContext& ctx, const std::function<bool(std::string_view piece)>& use) {
    const std::string stream = [this] {
      MutexLock lock(mutex_);
      return stream_;
    }();
    const auto& session = session_->session();
    // The browser gets the next two pieces ready while this one is worked on.
    std::deque<PendingReply> asked;
    const auto ask = [&] {
      asked.emplace_back(session.connection(), session.id(), "IO.read", Json{{"handle", stream}, {"size", kTraceRead}});
    };
    ask();
    ask();
    std::uint64_t bytes = 0;
    for (;;) {
      auto& first = asked.front();
      if (!first.wait(ctx.within(kTraceFlush))) throw CdpTimeout("IO.read: no answer");
      const auto piece = stream_piece(result_message(first.method(), first.take().value()));
      asked.pop_front();
      const bool last = piece.eof || piece.data.empty();
      if (!last) ask();
      bytes += piece.data.size();
      if (bytes > kTraceBytes || !use(piece.data) || last) break;
    }
    session_->post("IO.close", {{"handle", stream}});
    return bytes <= kTraceBytes;
  }
  bool lost_data() const {
    MutexLock lock(mutex_);
    return lost_data_;
  }

 private:
  void complete(std::string_view message) {  // reader thread
    const Json params = parse_cdp(message).at("params");
    MutexLock lock(mutex_);
    stream_ = string_field(params, "stream");
    lost_data_ = params.value("dataLossOccurred", false);
    changed_.notify_all();
    lock.unlock();
    end_if_over(false);
  }
  bool end_if_over(bool leaves) {
    MutexLock lock(mutex_);
    left_ = left_ || leaves;
    if (!left_ || stream_.empty()) return false;
    lock.unlock();
    session_->end();
    return true;
  }

  std::unique_ptr<SideSession> session_{};
  mutable Mutex mutex_;
  CondVar changed_;
  std::string stream_ GUARDED_BY(mutex_);
  bool lost_data_ GUARDED_BY(mutex_) = false;
  bool gone_ GUARDED_BY(mutex_) = false;
  bool left_ GUARDED_BY(mutex_) = false;
  bool started_ = false;  // set before the run is handed out or left
};

// "IMG id='hero'", for a node that the page still has.
std::string node_name(PageCall& call, long long node) {
  try {
    const Json described = call.tab().call(call.ctx(), "DOM.describeNode", {{"backendNodeId", node}}).at("node");
    auto name = string_field(described, "nodeName");
    if (const auto text = string_field(described, "nodeValue"); !text.empty()) name += " \"" + text + "\"";
    const auto attributes = described.value("attributes", Json::array());
    for (std::size_t i = 0; i + 1 < attributes.size(); i += 2) {
      if (attributes[i] == "id" || attributes[i] == "class")
        name += " " + attributes[i].get<std::string>() + "='" + attributes[i + 1].get<std::string>() + "'";
    }
    return loggable(name, 80);
  } catch (const CdpError&) {
    return "a node that is gone";
  }
}

// Reads a trace that has ended: into a file, as far as it is the tab's, and into the result.
void report_trace(PageCall& call, TraceRun& run, const std::string& filename) {
  const auto& ctx = call.ctx();
  auto& files = *call.scope().files();
  TraceOwners owners(call.tab().main_frame());
  Spool spool(files.ensure());
  TraceSplitter splitter([&](std::string_view text) {
    if (const auto event = scan_trace_event(text)) {
      owners.add(*event);
      spool.append(ctx, text);
    }
  });
  const bool whole = run.read(ctx, [&](std::string_view piece) {
    splitter.append(piece);
    return !splitter.done();
  });

  // In a browser of the session's own nothing is anybody else's.
  const bool own_browser = call.settings().browser_per_session && !call.scope().is_shared();
  TraceSummary summary(call.tab().main_frame(), owners);
  const auto file = files.begin(ctx, filename);
  std::string out = "{\"traceEvents\":[";
  std::string changed;
  std::size_t events = 0;
  std::uint64_t bytes = 0;
  const auto flush = [&] {
    bytes += out.size();
    file->write(ctx, out);
    out.clear();
  };
  spool.each(ctx, [&](std::string_view text) {
    const auto event = scan_trace_event(text);
    if (!event) return;
    const auto shown = owners.shown(*event, changed);
    if (!shown.empty()) summary.add(*event);
    if (shown.empty() && !own_browser) return;
    out += events++ == 0 ? "\n" : ",\n";
    out += own_browser ? text : shown;
    if (out.size() >= kTraceRead) flush();
  });
  out += "\n],\n\"metadata\":{\"source\":\"bridle\"}}\n";
  flush();
  const auto saved = file->keep(ctx);

  const auto report = summary.report();
  const bool same_document = report.loaded && call.tab().state().loader_id == report.navigation_id;
  const auto words = trace_words(report, [&](long long node) {
    return same_document || !report.loaded ? node_name(call, node) : "node " + std::to_string(node);
  });
  call.response.result(fmt::format("Trace of {} events, {}.", events, in_bytes(bytes)));
  call.response.result(saved_words(saved) + ". DevTools opens it (Performance, Load profile).");
  if (run.lost_data() || !whole)
    call.response.result("The trace was too long: events are missing in it. Trace a shorter time.");
  if (report.cut) call.response.result("The summary leaves out events of this long trace.");
  call.response.page_text(words);
  call.response.structured = trace_figures(report);
  call.response.structured["path"] = saved.path.string();
  call.response.structured["bytes"] = bytes;
}

// Ends the tab's trace with its scope, whatever comes of it.
class TraceEnd {
 public:
  TraceEnd(Tab& tab, const std::shared_ptr<TraceRun>& run) : tab_(tab), run_(run) {}
  ~TraceEnd() {
    tab_.extras().drop(kTrace);
    TraceRun::leave(tab_, run_);
  }
  TraceEnd(const TraceEnd&) = delete;
  TraceEnd& operator=(const TraceEnd&) = delete;

 private:
  Tab& tab_;
  const std::shared_ptr<TraceRun>& run_;
};

std::string trace_filename(const Arguments& args) {
  auto name = args.text("filename");
  if (name.empty()) name = "trace.json";
  return name.ends_with(".json") ? name : name + ".json";
}

// Chromium tells how long an interaction took once its effect was on the screen, a frame or two later.
void await_frames(PageCall& call) {
  try {
    page_call(call.ctx().within(kTraceFrames), call.tab(), "", page::Frames{.n = 3});
  } catch (const Aborted&) {
    throw;
  } catch (const std::runtime_error&) {  // a page that is busy or about to be another one
    call.tab().throw_if_gone();
  }
}

void stop_trace(PageCall& call, const Arguments& args) {
  if (args.flag("reload")) throw ToolError("browser_trace: reload goes with action start.");
  const auto run = std::dynamic_pointer_cast<TraceRun>(call.tab().extras().find(kTrace));
  if (!run) throw ToolError("No trace is under way in this tab: browser_trace {\"action\": \"start\"} begins one.");
  const TraceEnd end(call.tab(), run);
  await_frames(call);
  run->end(call.ctx());
  report_trace(call, *run, trace_filename(args));
}

void start_trace(PageCall& call, const Arguments& args) {
  if (call.tab().extras().find(kTrace))
    throw ToolError("A trace is under way in this tab already: browser_trace {\"action\": \"stop\"} ends it.");
  const bool reloads = args.flag("reload");
  if (!reloads && args.has("filename"))
    throw ToolError("browser_trace: filename goes with action stop, or with reload, which stops by itself.");
  const auto run = TraceRun::start(call.ctx(), call.tab());
  call.tab().extras().keep(kTrace, run);
  if (!reloads) {
    call.response.result("The trace has begun. Use the page, then stop it.");
    return;
  }
  const TraceEnd end(call.tab(), run);
  call.add_page(reload(call.ctx(), call.tab(), {.timeout = call.settings().navigation_timeout}));
  // What is painted last is often loaded last.
  call.tab().wait(call.ctx().within(kTraceSettle), [&] {
    const auto now = call.tab().state();
    return now.network_idle || now.blocked();
  });
  call.tab().throw_if_gone();
  run->end(call.ctx());
  report_trace(call, *run, trace_filename(args));
}

void trace_tool(PageCall& call, const Arguments& args) {
  args.text("action") == "start" ? start_trace(call, args) : stop_trace(call, args);
}

}  // namespace

std::vector<ToolSpec> trace_tools(const BrowserSettings&) {
  return {{.name = "browser_trace",
           .set = "devtools",
           .title = "Performance trace",
           .description = "Trace of the page: LCP, CLS, INP, long tasks; a file for DevTools.",
           .input_schema = schema::object({{"action", schema::choice({"start", "stop"}), true},
                                           {"reload", schema::boolean("Trace a reload, stop by itself")},
                                           schema::filename(),
                                           schema::tab()}),
           .queues = true,
           .may_take_long = true,
           .handler = page_tool("browser_trace", {}, trace_tool)}};
}

void add_trace_aliases(Toolbox& toolbox) {
  toolbox.add(ToolAlias{.name = "browser_start_tracing", .tool = "browser_trace", .fixed = {{"action", "start"}}});
  toolbox.add(ToolAlias{.name = "browser_stop_tracing", .tool = "browser_trace", .fixed = {{"action", "stop"}}});
}

}  // namespace bridle
