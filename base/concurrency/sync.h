#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

// Clang's thread-safety annotations; nothing under g++. A clang build with -Wthread-safety -Werror checks them.
#if defined(__clang__)
#define BRIDLE_TSA(x) __attribute__((x))
#else
#define BRIDLE_TSA(x)
#endif
#define BRIDLE_CAPABILITY(x) BRIDLE_TSA(capability(x))
#define BRIDLE_SCOPED_CAPABILITY BRIDLE_TSA(scoped_lockable)
#define GUARDED_BY(x) BRIDLE_TSA(guarded_by(x))
#define REQUIRES(...) BRIDLE_TSA(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) BRIDLE_TSA(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) BRIDLE_TSA(acquire_capability(__VA_ARGS__))
#define RELEASE(...) BRIDLE_TSA(release_capability(__VA_ARGS__))

namespace bridle {

// std::mutex with annotations.
class BRIDLE_CAPABILITY("mutex") Mutex {
 public:
  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

// Holds a Mutex for its scope. lock() and unlock() make it usable with CondVar and for calling out unlocked.
class BRIDLE_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() RELEASE() {
    if (held_) mutex_.unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void lock() ACQUIRE() {
    mutex_.lock();
    held_ = true;
  }
  void unlock() RELEASE() {
    held_ = false;
    mutex_.unlock();
  }

 private:
  Mutex& mutex_;
  bool held_ = true;
};

// Works with MutexLock and takes stop tokens.
using CondVar = std::condition_variable_any;

}  // namespace bridle
