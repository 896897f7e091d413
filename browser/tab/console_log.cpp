#include "browser/tab/console_log.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/limits.h"
#include "browser/cdp/remote_object.h"

namespace bridle {
namespace {

constexpr std::size_t kConsoleEntries = 1000;
constexpr std::size_t kConsoleText = 4000;

}  // namespace

bool ConsoleLog::wants(std::string_view method) {
  static constexpr std::array<std::string_view, 3> kMethods{"Runtime.consoleAPICalled", "Runtime.exceptionThrown",
                                                            "Log.entryAdded"};
  return std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end();
}

namespace {

std::string level_of(const std::string& type) {
  if (type == "error" || type == "assert") return "error";
  if (type == "warning") return "warning";
  if (type == "debug" || type == "verbose") return "debug";
  return "info";
}

// Without the sequences that colour a text in a terminal and in a browser's console (ECMA-48's SGR), as development
// servers send them.
void remove_styles(std::string& text) {
  constexpr std::string_view kBegin = "\x1b[";
  std::string plain;
  std::size_t from = 0;  // what is before this is in `plain`, or left out
  for (auto begin = text.find(kBegin); begin != std::string::npos; begin = text.find(kBegin, begin + kBegin.size())) {
    const auto end = text.find_first_not_of("0123456789;", begin + kBegin.size());
    if (end == std::string::npos || text[end] != 'm') continue;
    plain.append(text, from, begin - from);
    from = end + 1;
  }
  if (from > 0) text = plain.append(text, from);
}

void cut(std::string& text, std::size_t size) {
  if (text.size() <= size && text.capacity() <= 2 * size) return;
  text.resize(std::min(text.size(), size));
  text.shrink_to_fit();
}

// The browser asks for it for its own tab strip: that it isn't there is nothing that the page says.
bool is_about_favicon(const Json& log) {
  return string_field(log, "source") == "network" && string_field(log, "url").ends_with("/favicon.ico") &&
         !log.contains("stackTrace");
}

}  // namespace

bool ConsoleLog::on_event(std::string_view method, const Json& params, const std::string& loader_id) {
  ConsoleEntry entry;
  entry.loader_id = loader_id;
  const Json* stack = nullptr;
  if (method == "Runtime.consoleAPICalled") {
    entry.level = level_of(string_field(params, "type"));
    if (string_field(params, "type") == "endGroup") return true;  // it says nothing
    entry.text = format_console_call(params.at("args"), kConsoleText);
    if (const auto it = params.find("stackTrace"); it != params.end()) stack = &*it;
  } else if (method == "Runtime.exceptionThrown") {
    const auto& details = params.at("exceptionDetails");
    entry.level = "error";
    entry.text = string_field(details, "text");
    if (const auto exception = details.find("exception"); exception != details.end()) {
      entry.text += " " + describe_remote_object(*exception);
    }
    entry.url = string_field(details, "url");
    entry.line = details.value("lineNumber", 0) + 1;
  } else if (method == "Log.entryAdded") {
    const auto& log = params.at("entry");
    if (is_about_favicon(log)) return true;
    entry.level = level_of(string_field(log, "level"));
    entry.text = string_field(log, "text");
    // What the browser says of elements has these as its arguments.
    if (const auto args = log.find("args"); args != log.end() && args->is_array()) {
      Json call = Json::array({{{"type", "string"}, {"value", entry.text}}});
      call.insert(call.end(), args->begin(), args->end());
      entry.text = format_console_call(call, kConsoleText);
    }
    entry.url = string_field(log, "url");
    entry.line = log.value("lineNumber", -1) + 1;  // what the network reports has none
  } else {
    return false;
  }
  if (stack != nullptr) {
    const auto frames = stack->find("callFrames");
    if (frames != stack->end() && !frames->empty()) {
      entry.url = string_field((*frames)[0], "url");
      entry.line = (*frames)[0].value("lineNumber", 0) + 1;
    }
  }
  add(std::move(entry));
  return true;
}

void ConsoleLog::add_note(std::string text, const std::string& loader_id) {
  ConsoleEntry entry;
  entry.level = "warning";
  entry.text = std::move(text);
  entry.loader_id = loader_id;
  add(std::move(entry));
}

void ConsoleLog::add(ConsoleEntry entry) {
  remove_styles(entry.text);
  // A thousand long lines must not keep the memory that they came in.
  cut(entry.text, kConsoleText);
  cut(entry.url, limits::kUrlLength);
  entry.index = next_index_++;
  entries_.push_back(std::move(entry));
  if (entries_.size() > kConsoleEntries) {
    entries_.pop_front();
    ++dropped_;
  }
}

}  // namespace bridle
