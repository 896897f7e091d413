#include "base/concurrency/thread.h"

#include <pthread.h>

#include <cstring>

namespace bridle {

void name_thread(const char* name) noexcept {
  char cut[16] = {};  // what the kernel keeps, with the terminating zero
  std::strncpy(cut, name, sizeof cut - 1);
  ::pthread_setname_np(::pthread_self(), cut);
}

}  // namespace bridle
