#include "server/agent/event_stream.h"

#include <stdexcept>

#include "base/text/text.h"

namespace bridle::agent {
namespace {

constexpr std::size_t kLongestLine = 8 * 1024 * 1024;

}  // namespace

void EventStream::feed(std::string_view piece) {
  for (const char c : piece) {
    if (c == '\n' && after_return_) {
      after_return_ = false;
      continue;
    }
    after_return_ = c == '\r';
    if (c == '\n' || c == '\r') {
      on_line(line_);
      line_.clear();
    } else {
      if (line_.size() >= kLongestLine) throw std::length_error("a line of the stream is too long");
      line_.push_back(c);
    }
  }
}

void EventStream::on_line(std::string_view line) {
  if (line.empty()) {
    if (has_data_) listener_(event_.empty() ? std::string_view("message") : event_, data_);
    event_.clear();
    data_.clear();
    has_data_ = false;
    return;
  }
  auto value = line;
  const auto field = take_until(value, ':');
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "event") event_ = value;
  if (field != "data") return;
  if (has_data_) data_ += '\n';
  has_data_ = true;
  data_ += value;
}

}  // namespace bridle::agent
