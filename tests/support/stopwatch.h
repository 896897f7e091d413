#pragma once

#include <chrono>
#include <fstream>
#include <string>

#include "base/concurrency/deadline.h"

namespace bridle::testing {

// How long something has waited. Tests that prove "this doesn't sit out a timer" ask for waited(), so that a machine
// which is busy with other things can't fail them: whoever waits for a timer leaves the processors idle, whoever is
// slow doesn't.
class Stopwatch {
 public:
  // Wall time since the construction.
  Millis passed() const { return std::chrono::duration_cast<Millis>(Clock::now() - began_); }

  // The part of passed() in which the machine's processors had nothing to do: all of it for a timer on a quiet machine.
  Millis waited() const {
    const auto now = processors();
    const auto all = now.all - at_.all;
    if (all <= 0) return passed();  // shorter than the kernel's tick
    return std::chrono::duration_cast<Millis>(passed() * ((now.idle - at_.idle) / all));
  }

 private:
  struct Ticks {
    double idle = 0;
    double all = 0;
  };

  // Of all processors since the system's start, from the first line of /proc/stat: user, nice, system, idle, iowait,
  // irq, softirq and steal. What follows is part of the first two.
  static Ticks processors() {
    std::ifstream file("/proc/stat");
    std::string cpu;
    file >> cpu;
    Ticks ticks;
    double count = 0;
    for (int i = 0; i < 8 && file >> count; ++i) {
      ticks.all += count;
      if (i == 3) ticks.idle = count;
    }
    return ticks;
  }

  Clock::time_point began_ = Clock::now();
  Ticks at_ = processors();
};

}  // namespace bridle::testing
