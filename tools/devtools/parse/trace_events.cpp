#include "tools/devtools/parse/trace_events.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "browser/cdp/message.h"

namespace bridle {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

// A set of characters to search a text for. Of a trace every byte is looked at twice, and string_view::find_first_of
// calls a function for each: that took a tenth of a second on what five seconds bring.
class CharacterSet {
 public:
  explicit constexpr CharacterSet(std::string_view characters) {
    for (const char c : characters) members_[static_cast<unsigned char>(c)] = true;
  }
  // Where the first of them is at or after `at`; npos without one.
  std::size_t find_in(std::string_view text, std::size_t at) const {
    while (at < text.size() && !members_[static_cast<unsigned char>(text[at])]) ++at;
    return at < text.size() ? at : std::string_view::npos;
  }

 private:
  std::array<bool, 256> members_{};
};
constexpr CharacterSet kEndsStringRun("\"\\");
constexpr CharacterSet kEndsNestedRun("\"{}[]");
constexpr CharacterSet kEndsScalar(",}] \t\r\n");

// Reads JSON text from left to right, as far as events need it.
class EventReader {
 public:
  explicit EventReader(std::string_view text) : text_(text) {}

  bool at(char c) {
    skip();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool take(char c) {
    if (!at(c)) return false;
    ++at_;
    return true;
  }
  // What stands between a string's quotation marks, as it is written.
  std::optional<std::string_view> string() {
    if (!take('"')) return std::nullopt;
    const auto begin = at_;
    while (true) {
      at_ = kEndsStringRun.find_in(text_, at_);
      if (at_ == std::string_view::npos) return std::nullopt;
      if (text_[at_] == '"') break;
      at_ += 2;
      if (at_ > text_.size()) return std::nullopt;
    }
    return text_.substr(begin, at_++ - begin);
  }
  // Any value, as it is written; a string with its quotation marks.
  std::optional<std::string_view> value() {
    skip();
    const auto begin = at_;
    if (at_ >= text_.size()) return std::nullopt;
    if (text_[at_] == '"') {
      if (!string()) return std::nullopt;
    } else if (text_[at_] == '{' || text_[at_] == '[') {
      if (!nested()) return std::nullopt;
    } else {
      at_ = std::min(kEndsScalar.find_in(text_, at_), text_.size());
    }
    return text_.substr(begin, at_ - begin);
  }

 private:
  void skip() { at_ = std::min(text_.find_first_not_of(kBlank, at_), text_.size()); }
  bool nested() {
    std::size_t depth = 0;
    while (true) {
      at_ = kEndsNestedRun.find_in(text_, at_);
      if (at_ == std::string_view::npos) return false;
      const char c = text_[at_];
      if (c == '"') {
        if (!string()) return false;
        continue;
      }
      ++at_;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return true;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string_view unquoted(std::string_view value) {
  return value.size() >= 2 && value.front() == '"' ? value.substr(1, value.size() - 2) : std::string_view();
}

std::optional<std::int64_t> number(std::string_view value) {
  double parsed = 0;
  const auto result = std::from_chars(value.data(), value.data() + value.size(), parsed);
  constexpr double kLargestTraceNumber = 9e15;  // up to here a double is exact, and no sum of two overflows
  if (result.ec != std::errc() || result.ptr != value.data() + value.size() ||
      !(std::abs(parsed) < kLargestTraceNumber))
    return std::nullopt;
  return static_cast<std::int64_t>(parsed);
}

// Whether an event's arguments name a frame that isn't of ours. A page's own words can't look so: in a JSON string
// their quotation marks are escaped.
bool names_foreign_frame(std::string_view args, const std::set<std::string>& frames) {
  for (const std::string_view key : {R"("frame":")", R"("frameId":")"}) {
    for (auto at = args.find(key); at != std::string_view::npos; at = args.find(key, at)) {
      at += key.size();
      const auto id = args.substr(at, args.find('"', at) - at);
      // Some events have a number of the compositor's there.
      if (!id.empty() && !id.starts_with("0x") && !frames.contains(std::string(id))) return true;
    }
  }
  return false;
}

bool is_owner_event(const TraceEvent& event) {
  return event.name == "FrameCommittedInBrowser" || event.name == "ProcessReadyInBrowser" ||
         event.name == "FrameDeletedInBrowser";
}

Json data_of(const TraceEvent& event) {
  Json args = parse_json(event.args);
  if (!args.is_object() || !args.contains("data") || !args["data"].is_object()) return Json::object();
  return std::move(args["data"]);
}

std::int64_t process_of(const Json& frame) {
  const auto it = frame.find("processId");
  return it != frame.end() && it->is_number_integer() ? it->get<std::int64_t>() : -1;
}

}  // namespace

void TraceSplitter::end_event() {
  if (too_long_) {
    ++dropped_;
  } else {
    on_event_(event_);
  }
  event_.clear();
  too_long_ = false;
  state_ = State::between;
}

void TraceSplitter::append(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size() && state_ != State::done) {
    if (state_ == State::head) {
      at = bytes.find('[', at);
      if (at == std::string_view::npos) return;
      ++at;
      state_ = State::between;
      continue;
    }
    if (state_ == State::between) {
      const char c = bytes[at];
      if (c == '{') {
        state_ = State::event;
        continue;
      }
      ++at;
      if (c == ']') state_ = State::done;
      if (c != ']' && c != ',' && kBlank.find(c) == std::string_view::npos) malformed_ = true;
      continue;
    }
    // In an event: as much of it as has come is taken at once.
    const auto begin = at;
    bool ended = false;
    for (; at < bytes.size() && !ended; ++at) {
      const char c = bytes[at];
      if (escaped_) {
        escaped_ = false;
      } else if (in_string_) {
        if (c == '\\') escaped_ = true;
        if (c == '"') in_string_ = false;
      } else if (c == '"') {
        in_string_ = true;
      } else if (c == '{' || c == '[') {
        ++depth_;
      } else if (c == '}' || c == ']') {
        ended = --depth_ == 0;
      }
    }
    const auto piece = bytes.substr(begin, at - begin);
    if (event_.size() + piece.size() > kLongest) too_long_ = true;
    if (too_long_) event_.clear();
    if (!too_long_) event_ += piece;
    if (ended) end_event();
  }
}

std::optional<TraceEvent> scan_trace_event(std::string_view text) {
  EventReader reader(text);
  if (!reader.take('{')) return std::nullopt;
  TraceEvent event{.text = text};
  if (reader.take('}')) return event;
  do {
    const auto key = reader.string();
    if (!key || !reader.take(':')) return std::nullopt;
    const auto value = reader.value();
    if (!value) return std::nullopt;
    if (*key == "name") event.name = unquoted(*value);
    if (*key == "cat") event.category = unquoted(*value);
    if (*key == "ph") event.phase = unquoted(*value);
    if (*key == "args") event.args = *value;
    if (*key == "ts") event.ts = number(*value).value_or(0);
    if (*key == "dur") event.duration = std::max<std::int64_t>(0, number(*value).value_or(0));
    if (*key == "pid") event.pid = number(*value).value_or(-1);
    if (*key == "tid") event.tid = number(*value).value_or(-1);
  } while (reader.take(','));
  if (!reader.take('}')) return std::nullopt;
  return event;
}

void TraceOwners::add(const TraceEvent& event) {
  if (event.phase == "M" && event.name == "thread_name") {
    if (event.args.find("\"CrRendererMain\"") != std::string_view::npos) main_threads_.emplace(event.pid, event.tid);
    return;
  }
  const bool started = event.name == "TracingStartedInBrowser";
  if (!started && !is_owner_event(event)) return;
  // A page can't make events of the browser's process, but its own may bear any name.
  if (event.category.find("devtools.timeline") == std::string_view::npos) return;
  const Json data = data_of(event);
  const auto add_frame = [&](const Json& frame) {
    if (!frame.is_object()) return;
    const auto id = string_field(frame, "frame");
    const auto parent = string_field(frame, "parent");
    if (!frames_.contains(id) && (parent.empty() || !frames_.contains(parent))) return;
    frames_.insert(id);
    const auto pid = process_of(frame);
    if (pid < 0) return;
    processes_.insert(pid);
    if (id != main_frame_ || event.ts < main_process_since_) return;
    main_process_ = pid;
    main_process_since_ = event.ts;
  };
  if (!started) return add_frame(data);
  browser_ = event.pid;
  if (!data.contains("frames") || !data["frames"].is_array()) return;
  for (const Json& frame : data["frames"]) add_frame(frame);
}

std::string_view TraceOwners::shown(const TraceEvent& event, std::string& changed) const {
  const bool ours = processes_.contains(event.pid);
  if (event.phase == "M") {
    const bool named = event.name == "process_name" || event.name == "thread_name";
    return named && (ours || (browser_ >= 0 && event.pid == browser_)) ? event.text : std::string_view();
  }
  if (ours) return names_foreign_frame(event.args, frames_) ? std::string_view() : event.text;
  if (event.pid != browser_ || browser_ < 0) return {};
  // Of the browser's own process, what tells of the tab's frames, and the pictures of the tab.
  if (event.name == "Screenshot") return event.text;
  if (is_owner_event(event)) {
    const Json data = data_of(event);
    const auto frame = string_field(data, "frame");
    const bool known = frame.empty() ? processes_.contains(process_of(data)) : frames_.contains(frame);
    return known ? event.text : std::string_view();
  }
  if (event.name != "TracingStartedInBrowser") return {};
  Json whole = parse_json(event.text);
  if (!data_of(event).contains("frames") || !whole.is_object()) return {};
  Json& frames = whole["args"]["data"]["frames"];
  Json kept = Json::array();
  for (const Json& frame : frames) {
    if (frame.is_object() && frames_.contains(string_field(frame, "frame"))) kept.push_back(frame);
  }
  frames = std::move(kept);
  changed = dump(whole);
  return changed;
}

}  // namespace bridle
