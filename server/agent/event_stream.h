#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace bridle::agent {

// Reads a text/event-stream as it comes in pieces (WHATWG HTML, 9.2). A line over 8 MiB ends it with std::length_error.
class EventStream {
 public:
  // `event` is "message" where the stream names none.
  using Listener = std::function<void(std::string_view event, std::string_view data)>;
  explicit EventStream(Listener listener) : listener_(std::move(listener)) {}
  void feed(std::string_view piece);

 private:
  void on_line(std::string_view line);

  const Listener listener_;
  std::string line_{};
  bool after_return_ = false;  // the last character was a CR: a LF right behind it belongs to it
  std::string event_{};
  std::string data_{};
  bool has_data_ = false;
};

}  // namespace bridle::agent
