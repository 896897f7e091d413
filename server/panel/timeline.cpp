#include "server/panel/timeline.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/limits.h"
#include "base/text/log.h"
#include "base/text/named_secrets.h"
#include "base/text/text.h"

namespace bridle {
namespace {

constexpr std::size_t kTargetWords = 120;  // bytes
constexpr std::size_t kFirstLines = 1200;  // bytes of a result that are kept
constexpr std::size_t kArgument = 300;     // ... of each string of the arguments
constexpr std::size_t kMembers = 20;       // ... of each array or object of them
constexpr int kDepth = 5;
constexpr std::size_t kShownOfTab = 10;

// At most `max` bytes, cut between two characters.
std::string shortened(std::string_view text, std::size_t max) {
  if (text.size() <= max) return std::string(text);
  while (max > 0 && (static_cast<unsigned char>(text[max]) & 0xC0) == 0x80) --max;
  return std::string(text.substr(0, max)) + "…";
}

Json shortened(const Json& value, int depth = kDepth) {
  if (value.is_string()) return shortened(value.get_ref<const std::string&>(), kArgument);
  if (!value.is_structured()) return value;
  if (depth == 0) return "…";
  Json out = value.is_array() ? Json::array() : Json::object();
  std::size_t taken = 0;
  for (const auto& item : value.items()) {
    if (taken++ == kMembers) {
      if (value.is_array()) out.push_back("…");
      break;
    }
    if (value.is_array()) {
      out.push_back(shortened(item.value(), depth - 1));
    } else {
      out[shortened(item.key(), kArgument)] = shortened(item.value(), depth - 1);
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

std::string call_name(long number) { return "k" + std::to_string(number); }

Json to_json(const PastCall& call) {
  const CallRow& row = call.row;
  Json arguments = call.arguments == nullptr ? Json::object() : shortened(*call.arguments);
  hide_named_secrets(arguments);
  // The handle of an isolated tab is a secret [wire.handles].
  const auto tab = arguments.find("tab");
  if (tab != arguments.end() && tab->is_string() && tab->get_ref<const std::string&>().starts_with("i-"))
    *tab = tab->get<std::string>().substr(0, kShownOfTab);
  const Json request = row_json(row);
  return {{"at", epoch_ms(row.began)},
          {"ms", std::chrono::duration_cast<Millis>(call.ended - row.began).count()},
          {"call", call_name(row.traits.number)},
          {"parent", row.traits.maker == 0 ? Json() : Json(call_name(row.traits.maker))},
          {"session", shown_session(row.key.session)},
          {"client", call.client},
          {"request", request.at("id")},
          {"tool", row.tool},
          {"target", row.traits.target},
          {"arguments", std::move(arguments)},
          {"tab", request.at("tab")},
          {"outcome", to_string(row.state)},
          {"isError", call.is_error},
          {"reason", row.reason == AbortReason::none ? std::string_view() : to_string(row.reason)},
          {"text", call.text},
          {"effects", call.effects.empty() ? Json::array() : Json::array({call.effects})},
          {"url", call.url},
          {"settle", call.settle},
          {"pictures", nullptr}};
}

}  // namespace

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
  return session.starts_with("post-") ? std::string("sessionless") : session;
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
  const std::string members = dump(json).substr(1);
  entry->words = lower(call.row.tool + '\n' + call.text + '\n' + dump(json["arguments"]) + '\n' + call.url + '\n' +
                       shown_session(call.row.key.session) + '\n' + call.client);
  {
    const MutexLock lock(mutex_);
    entry->n = ++newest_;
    entry->json = "{\"n\":" + std::to_string(entry->n) + "," + members;
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
  const MutexLock lock(mutex_);
  for (auto at = entries_.rbegin(); at != entries_.rend(); ++at) {
    if ((n != 0 && (*at)->n >= n) || !holds(**at)) continue;
    more = found.size() == most;
    if (more) break;
    found.push_back(*at);
  }
  return found;
}

}  // namespace bridle
