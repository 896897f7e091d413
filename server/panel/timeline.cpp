#include "server/panel/timeline.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/limits.h"
#include "base/text/log.h"
#include "base/text/named_secrets.h"
#include "base/text/text.h"
#include "server/status_board.h"

namespace bridle {
namespace {

constexpr std::size_t kTargetWords = 120;  // bytes
constexpr std::size_t kFirstLines = 1200;  // bytes of a result that are kept
constexpr std::size_t kArgument = 300;     // ... of each string of the arguments
constexpr std::size_t kMembers = 20;       // ... of each array or object of them
constexpr int kDepth = 5;
constexpr std::size_t kMember = 4;      // bytes that a number and the like are counted as
constexpr std::size_t kScanned = 4096;  // bytes of a string that are looked through for handles
constexpr const char* kEllipsis = "…";

// At most `max` bytes, and an ellipsis where it was cut.
std::string shortened(std::string_view text, std::size_t max) {
  std::string first(first_bytes(text, max));
  return first.size() == text.size() ? first : first + kEllipsis;
}

bool is_of_handle(char c) {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || c == '-' || c == '_';
}

// The handle of an isolated tab is a secret, wherever it stands [wire.handles].
std::string without_handles(std::string text) {
  constexpr std::string_view kBegin = "i-";
  for (auto at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at + kBegin.size())) {
    if (at > 0 && is_of_handle(text[at - 1])) continue;
    auto end = at;
    while (end < text.size() && is_of_handle(text[end])) ++end;
    if (end - at > limits::kHandleShown) text.erase(at + limits::kHandleShown, end - at - limits::kHandleShown);
  }
  return text;
}

// For all of a call's arguments.
struct Room {
  std::size_t bytes = limits::kTimelineArguments;
  bool cut = false;  // something was left out
};

// A value with its strings, members and depth cut, and the whole where its room ends.
Json shortened(const Json& value, Room& room, int depth = kDepth) {
  const auto take = [&room](std::size_t bytes) { room.bytes -= std::min(room.bytes, bytes); };
  if (value.is_string()) {
    const auto& whole = value.get_ref<const std::string&>();
    auto text = shortened(without_handles(shortened(whole, kScanned)), kArgument);
    room.cut = room.cut || text != whole;
    take(text.size());
    return text;
  }
  take(kMember);
  if (!value.is_structured()) return value;
  if (depth == 0) {
    room.cut = true;
    return kEllipsis;
  }
  Json out = value.is_array() ? Json::array() : Json::object();
  std::size_t taken = 0;
  for (const auto& item : value.items()) {
    const bool full = taken++ == kMembers || room.bytes == 0;
    if (value.is_array()) {
      out.push_back(full ? Json(kEllipsis) : shortened(item.value(), room, depth - 1));
    } else if (full) {
      out[kEllipsis] = kEllipsis;
    } else {
      auto key = shortened(item.key(), kArgument);
      take(key.size());
      out[std::move(key)] = shortened(item.value(), room, depth - 1);
    }
    if (full) {
      room.cut = true;
      break;
    }
  }
  return out;
}

// The rest of the line that begins so; "" without one.
std::string line_of(std::string_view text, std::string_view begin) {
  const auto at = text.find(begin);
  if (at == std::string_view::npos || (at > 0 && text[at - 1] != '\n')) return {};
  text.remove_prefix(at + begin.size());
  return std::string(text.substr(0, text.find('\n')));
}

constexpr std::string_view kBefore = "-before";
constexpr std::string_view kAfter = "-after";

Json to_json(const PastCall& call) {
  const CallRow& row = call.row;
  Room room;
  Json arguments = call.arguments == nullptr ? Json::object() : shortened(*call.arguments, room);
  const Json request = row_json(row);
  return {{"at", epoch_ms(row.began)},
          {"ms", std::chrono::duration_cast<Millis>(call.ended - row.began).count()},
          {"call", call_name(row.traits.number)},
          {"parent", row.traits.maker == 0 ? Json() : Json(call_name(row.traits.maker))},
          {"session", shown_session(row.key.session)},
          {"client", call.client},
          {"request", request.at("id")},
          {"tool", row.tool},
          {"target", without_handles(row.traits.target)},
          {"arguments", std::move(arguments)},
          {"cut", room.cut},
          {"tab", request.at("tab")},
          {"outcome", to_string(row.state)},
          {"isError", call.is_error},
          {"reason", row.reason == AbortReason::none ? std::string_view() : to_string(row.reason)},
          {"text", without_handles(call.text)},
          {"effects", call.effects.empty() ? Json::array() : Json::array({call.effects})},
          {"url", call.url},
          {"settle", call.settle}};
}

}  // namespace

std::string call_name(long number) { return "k" + std::to_string(number); }

std::string target_words(const Json& arguments) {
  if (!arguments.is_object()) return {};
  std::string words;
  for (const char* name : {"target", "url", "task", "goal", "question", "key", "text", "filename", "action", "name"}) {
    const auto found = arguments.find(name);
    if (found == arguments.end() || !found->is_string()) continue;
    words = found->get<std::string>();
    break;
  }
  if (words.empty()) {
    const auto steps = arguments.find("steps");
    if (steps != arguments.end() && steps->is_array()) words = counted(steps->size(), "step");
  }
  hide_named_secrets(words);
  return loggable(words, kTargetWords);
}

std::string shown_session(const std::string& session) {
  return session.starts_with(StatusBoard::kModernPrefix) ? std::string(kSessionless) : session;
}

long long epoch_ms(Clock::time_point when) {
  static const auto kWall = std::chrono::system_clock::now();
  static const auto kSteady = Clock::now();
  const auto wall = kWall + std::chrono::duration_cast<std::chrono::system_clock::duration>(when - kSteady);
  return std::chrono::duration_cast<Millis>(wall.time_since_epoch()).count();
}

void PastCall::read(const ToolResult& result) {
  for (const Content& content : result.content) {
    if (content.kind != Content::Kind::text) continue;
    text = shortened(content.text, kFirstLines);
    url = shortened(line_of(content.text, "- Page URL: "), limits::kUrlLength);
    for (const char* begin : {"- Settled: ", "- Pending: ", "- Busy: ", "- Note: "}) {
      if (settle.empty()) settle = shortened(line_of(content.text, begin), kArgument);
    }
    return;
  }
}

void Timeline::add(const PastCall& call) {
  auto entry = std::make_shared<Entry>();
  const Json json = to_json(call);
  std::string members = dump(json).substr(1);
  members.pop_back();
  entry->before = call.kept_before;
  entry->after = call.kept_after;
  entry->words = lower(call.row.tool + '\n' + string_in(json, "text") + '\n' + dump(json["arguments"]) + '\n' +
                       call.url + '\n' + shown_session(call.row.key.session) + '\n' + call.client);
  {
    const MutexLock lock(mutex_);
    entry->n = ++newest_;
    const auto number = std::to_string(entry->n);
    Json pictures;
    if (!entry->before.empty()) pictures["before"] = number + std::string(kBefore);
    if (!entry->after.empty()) pictures["after"] = number + std::string(kAfter);
    entry->json = "{\"n\":" + number + "," + members + ",\"pictures\":" + dump(pictures) + "}";
    entries_.push_back(std::move(entry));
    if (entries_.size() > limits::kTimeline) entries_.pop_front();
  }
  changes_.ring();
}

long Timeline::newest() const {
  const MutexLock lock(mutex_);
  return newest_;
}

long Timeline::oldest() const {
  const MutexLock lock(mutex_);
  return entries_.empty() ? newest_ + 1 : entries_.front()->n;
}

std::string Timeline::picture(std::string_view name) const {
  const bool is_before = name.ends_with(kBefore);
  if (!is_before && !name.ends_with(kAfter)) return {};
  name.remove_suffix((is_before ? kBefore : kAfter).size());
  const MutexLock lock(mutex_);
  for (const auto& entry : entries_) {
    if (std::to_string(entry->n) == name) return is_before ? entry->before : entry->after;
  }
  return {};
}

Timeline::Entries Timeline::after(long n) const {
  const MutexLock lock(mutex_);
  const auto first = std::find_if(entries_.begin(), entries_.end(), [n](const auto& entry) { return entry->n > n; });
  return {first, entries_.end()};
}

Timeline::Entries Timeline::before(long n, std::string_view query, std::size_t most, bool& more) const {
  const auto words = split(lower(query), ' ');
  const auto holds = [&](const Entry& entry) {
    return std::all_of(words.begin(), words.end(),
                       [&](const auto& word) { return entry.words.find(word) != std::string::npos; });
  };
  Entries found;
  more = false;
  // The words are looked for outside the lock, which every call takes at its end.
  const Entries all = after(0);
  for (auto at = all.rbegin(); at != all.rend(); ++at) {
    if ((n != 0 && (*at)->n >= n) || !holds(**at)) continue;
    more = found.size() == most;
    if (more) break;
    found.push_back(*at);
  }
  return found;
}

}  // namespace bridle
