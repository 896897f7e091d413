#pragma once

#include <atomic>
#include <cstddef>

namespace bridle {

// The bytes of request bodies that the server holds at once, of all connections together [wire.bodies]. Lock-free; any
// thread. Outlives its reservations.
class BodyBudget {
 public:
  explicit BodyBudget(std::size_t bytes) : bytes_(bytes) {}
  BodyBudget(const BodyBudget&) = delete;
  BodyBudget& operator=(const BodyBudget&) = delete;

  std::size_t used() const { return used_.load(std::memory_order_relaxed); }

  // What one body takes of the budget; given back when the reservation is destroyed. One thread at a time.
  class Reservation {
   public:
    explicit Reservation(BodyBudget& budget) : budget_(budget) {}
    ~Reservation() { budget_.used_.fetch_sub(bytes_, std::memory_order_relaxed); }
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;

    // Takes so many bytes more. False, with nothing taken, when the budget doesn't have them.
    bool grow(std::size_t bytes) {
      if (budget_.used_.fetch_add(bytes, std::memory_order_relaxed) + bytes > budget_.bytes_) {
        budget_.used_.fetch_sub(bytes, std::memory_order_relaxed);
        return false;
      }
      bytes_ += bytes;
      return true;
    }

   private:
    BodyBudget& budget_;
    std::size_t bytes_ = 0;
  };

 private:
  const std::size_t bytes_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace bridle
