#include <thread>

#include "bench/lab.h"

// Starts: each of its own process.
namespace bridle::bench {
namespace {

constexpr const char* kListening = "start to listening";
constexpr const char* kFirstPage = "start to first page";
constexpr const char* kAbort = "abort to the waiting thread's return";

double abort_to_return() {
  AbortController controller;
  CallContext ctx;
  ctx.signal = controller.signal();
  Mutex mutex;
  CondVar changed;
  bool waiting = false;
  Clock::time_point returned;
  std::thread waiter([&] {
    MutexLock lock(mutex);
    waiting = true;
    changed.notify_all();
    try {
      wait_until(ctx, changed, lock, [] { return false; });
    } catch (const Aborted&) {
      returned = Clock::now();
    }
  });
  {
    MutexLock lock(mutex);  // ours again once the waiter sleeps
    wait_until(CallContext{}, changed, lock, [&] { return waiting; });
  }
  const Stopwatch watch;
  controller.abort(AbortReason::client_cancelled);
  waiter.join();
  return std::chrono::duration<double, std::milli>(returned - watch.begun()).count();
}

}  // namespace

void measure_starts(Lab& lab) {
  lab.section({kListening}, [&] {
    lab.measure({.name = kListening, .goal = Goal::at_most(30)}, lab.rounds(20),
                [&] { return BridleProcess(lab.settings().bridle).listening_ms(); });
  });
  lab.section({kFirstPage}, [&] {
    const auto url = lab.site().url("/plain");
    lab.compare(
        {.name = kFirstPage}, lab.rounds(10),
        [&] {
          const Stopwatch watch;
          BareBrowser browser;
          browser.navigate(url);
          return watch.ms();
        },
        [&] {
          const Stopwatch watch;
          const BridleProcess server(lab.settings().bridle);
          McpClient(server.port()).call("browser_navigate", {{"url", url}});
          return watch.ms();
        });
  });
  lab.section({kAbort},
              [&] { lab.measure({.name = kAbort, .goal = Goal::at_most(1)}, lab.rounds(400), abort_to_return); });
}

}  // namespace bridle::bench
