#include "browser/tab/page_trackers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace bridle {
namespace {

constexpr std::size_t kNetworkEntries = 1000;
constexpr std::size_t kConsoleEntries = 1000;
constexpr std::size_t kConsoleText = 4000;
constexpr std::size_t kPostData = 64 * 1024;

std::string text(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

template <std::size_t N>
bool listed(const std::array<std::string_view, N>& methods, std::string_view method) {
  return std::find(methods.begin(), methods.end(), method) != methods.end();
}

}  // namespace

bool DialogGate::on_event(std::string_view method, const Json& params) {
  if (method == "Page.javascriptDialogOpening") {
    open_ = Dialog{++seq_, text(params, "type"), text(params, "message"), text(params, "defaultPrompt"),
                   text(params, "url")};
    return true;
  }
  if (method == "Page.javascriptDialogClosed") {
    open_.reset();
    return true;
  }
  return false;
}

bool ChooserGate::on_event(const std::string& session, std::string_view method, const Json& params) {
  if (!wants(method)) return false;
  const auto node = params.find("backendNodeId");
  open_ = Chooser{++seq_, session, text(params, "frameId"),
                  node != params.end() && node->is_number_integer() ? node->get<long long>() : 0,
                  text(params, "mode") == "selectMultiple"};
  return true;
}

bool DragGate::on_event(std::string_view method, const Json& params) {
  if (!wants(method)) return false;
  const auto data = params.find("data");
  if (data != params.end()) data_ = *data;
  return true;
}

// --- frames

bool FrameTracker::wants(std::string_view method) {
  static constexpr std::array<std::string_view, 8> kMethods{"Page.frameAttached",
                                                            "Page.frameStartedNavigating",
                                                            "Page.frameStoppedLoading",
                                                            "Page.frameDetached",
                                                            "Page.frameNavigated",
                                                            "Runtime.executionContextCreated",
                                                            "Runtime.executionContextDestroyed",
                                                            "Runtime.executionContextsCleared"};
  return listed(kMethods, method);
}

bool FrameTracker::on_event(const std::string& session, std::string_view method, const Json& params) {
  if (method == "Page.frameAttached") {
    auto& frame = entry(text(params, "frameId"));
    frame.parent = text(params, "parentFrameId");
    frame.session = session;
  } else if (method == "Page.frameNavigated") {
    ++documents_;
    const auto& json = params.at("frame");
    auto& frame = entry(text(json, "id"));
    if (const auto parent = text(json, "parentId"); !parent.empty()) frame.parent = parent;
    frame.session = session;
    frame.url = text(json, "url") + text(json, "urlFragment");
    frame.navigating = false;
    if (frame.parent.empty()) {
      for (const auto& child : children(frame.id)) remove_with_children(child.id);
    }
  } else if (method == "Page.frameStartedNavigating" || method == "Page.frameStoppedLoading") {
    if (auto* frame = find(text(params, "frameId"))) frame->navigating = method == "Page.frameStartedNavigating";
  } else if (method == "Page.frameDetached") {
    // A swap moves the frame to another process, whose session tells the rest.
    if (text(params, "reason") != "swap") remove_with_children(text(params, "frameId"));
  } else if (method == "Runtime.executionContextCreated") {
    on_context_created(session, params.at("context"));
  } else if (method == "Runtime.executionContextDestroyed") {
    on_context_destroyed(text(params, "executionContextUniqueId"));
  } else if (method == "Runtime.executionContextsCleared") {
    for (auto& [id, frame] : frames_) {
      if (frame.session != session) continue;
      frame.main_world.clear();
      frame.bridle_world.clear();
    }
  } else {
    return false;
  }
  return true;
}

void FrameTracker::on_context_created(const std::string& session, const Json& context) {
  const auto aux = context.find("auxData");
  if (aux == context.end()) return;
  const auto frame_id = text(*aux, "frameId");
  if (frame_id.empty()) return;
  auto& frame = entry(frame_id);
  frame.session = session;
  if (aux->value("isDefault", false)) {
    frame.main_world = text(context, "uniqueId");
    frame.main_origin = text(context, "origin");
    frame.main_context_id = context.value("id", 0);
  } else if (text(context, "name") == kWorldName) {
    frame.bridle_world = text(context, "uniqueId");
    frame.bridle_context_id = context.value("id", 0);
    if (session == script_session_) frame.scripted_world = frame.bridle_world;
  }
}

void FrameTracker::on_context_destroyed(const std::string& unique_id) {
  for (auto& [id, frame] : frames_) {
    if (frame.main_world == unique_id) frame.main_world.clear();
    if (frame.bridle_world == unique_id) frame.bridle_world.clear();
  }
}

void FrameTracker::adopt(const std::string& session, const std::string& frame_id, const std::string& parent) {
  auto& frame = entry(frame_id);
  frame.session = session;
  frame.navigating = false;
  if (!parent.empty()) frame.parent = parent;
  frame.main_world.clear();
  frame.bridle_world.clear();
}

void FrameTracker::drop_session(const std::string& session) {
  ++documents_;
  std::erase_if(frames_, [&](const auto& item) { return item.second.session == session; });
}

FrameTracker::Frame& FrameTracker::entry(const std::string& id) {
  auto& frame = frames_[id];
  frame.id = id;
  return frame;
}

void FrameTracker::remove_with_children(const std::string& id) {
  for (const auto& child : children(id)) remove_with_children(child.id);
  frames_.erase(id);
}

const FrameTracker::Frame* FrameTracker::find(const std::string& id) const {
  const auto it = frames_.find(id);
  return it == frames_.end() ? nullptr : &it->second;
}

FrameTracker::Frame* FrameTracker::find(const std::string& id) {
  const auto it = frames_.find(id);
  return it == frames_.end() ? nullptr : &it->second;
}

std::vector<FrameTracker::Frame> FrameTracker::children(const std::string& parent) const {
  std::vector<Frame> found;
  for (const auto& [id, frame] : frames_) {
    if (frame.parent == parent) found.push_back(frame);
  }
  return found;
}

std::vector<std::string> FrameTracker::descendants(const std::string& id) const {
  std::vector<std::string> ids{id};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (const auto& child : children(ids[i])) ids.push_back(child.id);
  }
  ids.erase(ids.begin());
  return ids;
}

// --- network

bool NetworkLog::wants(std::string_view method) {
  static constexpr std::array<std::string_view, 5> kMethods{"Network.requestWillBeSent", "Network.responseReceived",
                                                            "Network.dataReceived", "Network.loadingFinished",
                                                            "Network.loadingFailed"};
  return listed(kMethods, method);
}

namespace {
constexpr std::string_view kContentLength = "content-length";

// Content-Length, -1 without one.
double stated_length(const Json& headers) {
  if (!headers.is_object()) return -1;
  for (const auto& [name, value] : headers.items()) {
    const bool named = std::equal(name.begin(), name.end(), kContentLength.begin(), kContentLength.end(),
                                  [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
    if (!named || !value.is_string()) continue;
    const auto& digits = value.get_ref<const std::string&>();
    double length = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    return error == std::errc() && end == digits.data() + digits.size() ? length : -1;
  }
  return -1;
}
}  // namespace

bool NetworkLog::on_event(const std::string& session, std::string_view method, const Json& params,
                          Clock::time_point now) {
  const auto request_id = text(params, "requestId");
  Entry* known = find(session, request_id);
  if (method == "Network.requestWillBeSent") {
    if (known != nullptr) {  // a redirect: the hop is over, a new one begins
      if (const auto redirect = params.find("redirectResponse"); redirect != params.end()) {
        known->status = redirect->value("status", 0);
      }
      known->finished = true;
      known->ended = now;
      open_.erase(session + request_id);
    }
    const auto& request = params.at("request");
    Entry entry;
    entry.index = next_index_++;
    entry.request_id = request_id;
    entry.session = session;
    entry.frame_id = text(params, "frameId");
    entry.loader_id = text(params, "loaderId");
    entry.method = text(request, "method");
    entry.url = text(request, "url");
    entry.type = text(params, "type");
    if (const auto headers = request.find("headers"); headers != request.end()) entry.request_headers = *headers;
    entry.has_post_data = request.value("hasPostData", false);
    entry.post_data = text(request, "postData").substr(0, kPostData);
    entry.started = now;
    open_[session + request_id] = entry.index;
    entries_.push_back(std::move(entry));
    if (entries_.size() > kNetworkEntries) {
      open_.erase(entries_.front().session + entries_.front().request_id);
      entries_.pop_front();
      ++dropped_;
    }
    return true;
  }
  if (known == nullptr) return false;
  if (method == "Network.responseReceived") {
    const auto& response = params.at("response");
    known->status = response.value("status", 0);
    known->status_text = text(response, "statusText");
    known->mime_type = text(response, "mimeType");
    if (const auto headers = response.find("headers"); headers != response.end()) known->response_headers = *headers;
    known->body_length = stated_length(known->response_headers);
    return true;
  }
  if (method == "Network.dataReceived") {
    known->body_received += std::max(0.0, params.value("encodedDataLength", 0.0));
    if (known->type != "Fetch" || known->body_length < 0 || known->body_received < known->body_length || known->whole)
      return false;
    known->whole = true;
    known->ended = now;
    return true;
  }
  known->finished = true;
  known->ended = now;
  known->encoded_bytes = params.value("encodedDataLength", 0.0);
  if (method == "Network.loadingFailed") known->error = text(params, "errorText");
  open_.erase(session + request_id);
  return true;
}

NetworkLog::Entry* NetworkLog::find(const std::string& session, const std::string& request_id) {
  const auto it = open_.find(session + request_id);
  if (it == open_.end() || entries_.empty()) return nullptr;
  const int offset = it->second - entries_.front().index;
  return offset < 0 ? nullptr : &entries_[static_cast<std::size_t>(offset)];
}

void NetworkLog::clear_in_flight(const std::string& session) {
  for (auto& entry : entries_) {
    if (entry.session == session && !entry.finished) entry.finished = true;
  }
  std::erase_if(open_, [&](const auto& item) { return item.first.starts_with(session); });
}

namespace {
// Streams and beacons say nothing about whether the page's content is there.
bool shapes_content(const NetworkLog::Entry& entry) {
  return entry.type != "EventSource" && entry.type != "WebSocket" && entry.type != "Ping" && entry.type != "Media" &&
         entry.type != "Image" && entry.type != "Font" && entry.type != "Preflight" &&
         entry.type != "CSPViolationReport";
}
}  // namespace

int NetworkLog::busy_since(int mark) const {
  int busy = 0;
  for (auto it = entries_.rbegin(); it != entries_.rend() && it->index > mark; ++it) {
    if (!it->over() && shapes_content(*it)) ++busy;
  }
  return busy;
}

int NetworkLog::in_flight() const {
  int count = 0;
  for (const auto& [key, index] : open_) {
    const int offset = entries_.empty() ? -1 : index - entries_.front().index;
    if (offset < 0) continue;
    const auto& entry = entries_[static_cast<std::size_t>(offset)];
    if (entry.over()) continue;
    if (entry.type != "EventSource" && entry.type != "WebSocket" && entry.type != "Ping") ++count;
  }
  return count;
}

std::optional<Clock::time_point> NetworkLog::last_activity_since(int mark) const {
  std::optional<Clock::time_point> last;
  for (auto it = entries_.rbegin(); it != entries_.rend() && it->index > mark; ++it) {
    if (!shapes_content(*it)) continue;
    const auto at = it->over() ? std::max(it->started, it->ended) : it->started;
    if (!last || at > *last) last = at;
  }
  return last;
}

// --- console

bool ConsoleLog::wants(std::string_view method) {
  static constexpr std::array<std::string_view, 3> kMethods{"Runtime.consoleAPICalled", "Runtime.exceptionThrown",
                                                            "Log.entryAdded"};
  return listed(kMethods, method);
}

namespace {

std::string describe_argument(const Json& object) {
  if (const auto value = object.find("value"); value != object.end()) {
    return value->is_string() ? value->get<std::string>() : dump(*value);
  }
  if (auto plain = text(object, "unserializableValue"); !plain.empty()) return plain;
  if (auto description = text(object, "description"); !description.empty()) return description;
  return text(object, "type");
}

std::string level_of(const std::string& type) {
  if (type == "error" || type == "assert") return "error";
  if (type == "warning") return "warning";
  if (type == "debug" || type == "verbose") return "debug";
  return "info";
}

}  // namespace

bool ConsoleLog::on_event(std::string_view method, const Json& params, const std::string& loader_id) {
  Entry entry;
  entry.loader_id = loader_id;
  const Json* stack = nullptr;
  if (method == "Runtime.consoleAPICalled") {
    entry.level = level_of(text(params, "type"));
    for (const auto& argument : params.at("args")) {
      if (!entry.text.empty()) entry.text += ' ';
      entry.text += describe_argument(argument);
      if (entry.text.size() > kConsoleText) break;
    }
    if (const auto it = params.find("stackTrace"); it != params.end()) stack = &*it;
  } else if (method == "Runtime.exceptionThrown") {
    const auto& details = params.at("exceptionDetails");
    entry.level = "error";
    entry.text = text(details, "text");
    if (const auto exception = details.find("exception"); exception != details.end()) {
      entry.text += " " + describe_argument(*exception);
    }
    entry.url = text(details, "url");
    entry.line = details.value("lineNumber", 0) + 1;
  } else if (method == "Log.entryAdded") {
    const auto& log = params.at("entry");
    entry.level = level_of(text(log, "level"));
    entry.text = text(log, "text");
    entry.url = text(log, "url");
    entry.line = log.value("lineNumber", 0) + 1;
  } else {
    return false;
  }
  if (stack != nullptr) {
    const auto frames = stack->find("callFrames");
    if (frames != stack->end() && !frames->empty()) {
      entry.url = text((*frames)[0], "url");
      entry.line = (*frames)[0].value("lineNumber", 0) + 1;
    }
  }
  if (entry.text.size() > kConsoleText) entry.text.resize(kConsoleText);
  add(std::move(entry));
  return true;
}

void ConsoleLog::add(Entry entry) {
  entry.index = next_index_++;
  entries_.push_back(std::move(entry));
  if (entries_.size() > kConsoleEntries) {
    entries_.pop_front();
    ++dropped_;
  }
}

}  // namespace bridle
