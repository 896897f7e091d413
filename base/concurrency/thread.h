#pragma once

#include <thread>
#include <utility>

namespace bridle {

// Names the calling thread for ps, gdb and /proc: at most 15 characters, the rest is cut. docs/architecture.md,
// "Threads", has the list of names; a test compares it with a running server.
void name_thread(const char* name) noexcept;

// A thread that gives itself `name`, a string literal, before it runs `work`. Throws std::system_error when the system
// has no thread to give.
template <typename Work>
std::thread start_thread(const char* name, Work&& work) {
  return std::thread([name, run = std::forward<Work>(work)]() mutable {
    name_thread(name);
    run();
  });
}

}  // namespace bridle
