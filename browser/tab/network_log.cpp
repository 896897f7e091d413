#include "browser/tab/network_log.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text/text.h"

namespace bridle {
namespace {

constexpr std::size_t kNetworkEntries = 1000;
constexpr std::size_t kPostData = 64 * 1024;
constexpr std::size_t kUrl = 16 * 1024;
constexpr std::size_t kLeftLoaders = 32;  // whose last requests may still be told
constexpr Millis kRenewal{1000};          // from the end of a long poll to the next; some pages pause between the two
constexpr Millis kLongPoll{3000};  // what took longer, and is asked for again at once, is one though it ended before

}  // namespace

bool NetworkLog::wants(std::string_view method) {
  static constexpr std::array<std::string_view, 5> kMethods{"Network.requestWillBeSent", "Network.responseReceived",
                                                            "Network.dataReceived", "Network.loadingFinished",
                                                            "Network.loadingFailed"};
  return SocketLog::wants(method) || std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end();
}

namespace {
constexpr std::string_view kContentLength = "content-length";

// Content-Length, -1 without one.
double stated_length(const Json& headers) {
  if (!headers.is_object()) return -1;
  for (const auto& [name, value] : headers.items()) {
    const bool named = equals_ignoring_case(name, kContentLength);
    if (!named || !value.is_string()) continue;
    const auto& digits = value.get_ref<const std::string&>();
    double length = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    return error == std::errc() && end == digits.data() + digits.size() ? length : -1;
  }
  return -1;
}

// The browser asks for it for its own tab strip, whatever the page says.
bool is_favicon(const Json& params) {
  if (string_field(params, "type") != "Other") return false;
  const auto first =
      params.find("redirectResponse") != params.end() ? params.at("redirectResponse") : params.at("request");
  return string_field(first, "url").ends_with("/favicon.ico");
}

// What parts of the browser itself load, as the viewer of a PDF does: none of it goes over the network, and of its
// document no end is told.
bool is_of_browser(const Json& params) {
  const auto url = string_field(params.at("request"), "url");
  return url.starts_with("chrome-extension:") || url.starts_with("chrome:");
}

bool is_fetch(const NetworkRequest& entry) { return entry.type == "Fetch" || entry.type == "XHR"; }

std::string path_of(const NetworkRequest& entry) {
  const auto path = entry.url.substr(0, entry.url.find_first_of("?#"));
  return entry.session + ' ' + entry.frame_id + ' ' + entry.method + ' ' + path;
}

// What a renewed request has in common with the one before. The query tells it how far the last one has led.
std::string place_of(const NetworkRequest& entry) { return path_of(entry) + ' ' + entry.post_data; }
}  // namespace

int NetworkLog::begin_action(Clock::time_point now) {
  sockets_.begin_action(now);
  for (const auto& [key, index] : open_) {
    auto* const entry = at(index);
    if (entry != nullptr && !entry->over() && is_fetch(*entry)) entry->standing = true;
  }
  return started();
}

// One that is aborted isn't renewed but replaced, by what the action asks for instead.
void NetworkLog::note_end(const NetworkRequest& entry) {
  if (!entry.standing && entry.ended - entry.started < kLongPoll) return;
  if (entry.error == "net::ERR_ABORTED") return;
  std::erase_if(renewable_, [&](const auto& item) { return entry.ended - item.second > kRenewal; });
  renewable_[place_of(entry)] = entry.ended;
}

void NetworkLog::note_renewal(NetworkRequest& entry) {
  if (!is_fetch(entry) || (renewable_.empty() && open_.empty())) return;
  const auto place = place_of(entry);
  if (const auto before = renewable_.find(place); before != renewable_.end()) {
    entry.renews = entry.standing = entry.started - before->second <= kRenewal;
    renewable_.erase(before);
    return;
  }
  // A page may ask again once an answer has begun to come, and its end be told after that.
  for (const auto& [key, index] : open_) {
    auto* const before = at(index);
    if (before == nullptr || !before->standing || before->status == 0 || place_of(*before) != place) continue;
    entry.renews = entry.standing = true;
    before->standing = false;  // it is renewed once
    return;
  }
}

bool NetworkLog::on_event(const std::string& session, std::string_view method, const Json& params,
                          Clock::time_point now) {
  if (SocketLog::wants(method)) {
    sockets_.on_event(session, method, params, now);
    return true;
  }
  const auto request_id = string_field(params, "requestId");
  NetworkRequest* known = find(session, request_id);
  if (method == "Network.requestWillBeSent") {
    if (known != nullptr) {  // a redirect: the hop is over, a new one begins
      if (const auto redirect = params.find("redirectResponse"); redirect != params.end()) {
        known->status = redirect->value("status", 0);
      }
      known->finished = true;
      known->ended = now;
      open_.erase(session + request_id);
    } else if (is_favicon(params) || is_of_browser(params)) {
      return false;
    }
    const auto& request = params.at("request");
    NetworkRequest entry;
    entry.index = next_index_++;
    entry.request_id = request_id;
    entry.session = session;
    entry.frame_id = string_field(params, "frameId");
    entry.loader_id = string_field(params, "loaderId");
    entry.method = string_field(request, "method");
    // A data: URL is as long as what it holds.
    entry.url = first_bytes(string_field(request, "url"), kUrl);
    entry.type = string_field(params, "type");
    if (const auto headers = request.find("headers"); headers != request.end()) entry.request_headers = *headers;
    entry.has_post_data = request.value("hasPostData", false);
    entry.post_data = first_bytes(string_field(request, "postData"), kPostData);
    entry.started = now;
    entry.left = entry.type != "Document" &&
                 std::find(left_loaders_.begin(), left_loaders_.end(), entry.loader_id) != left_loaders_.end();
    note_renewal(entry);
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
    known->status_text = string_field(response, "statusText");
    known->mime_type = string_field(response, "mimeType");
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
    note_end(*known);
    return true;
  }
  const bool was_over = known->over();
  known->finished = true;
  known->ended = now;
  known->encoded_bytes = params.value("encodedDataLength", 0.0);
  if (method == "Network.loadingFailed") known->error = string_field(params, "errorText");
  if (!was_over) note_end(*known);
  open_.erase(session + request_id);
  return true;
}

NetworkRequest* NetworkLog::find(const std::string& session, const std::string& request_id) {
  const auto it = open_.find(session + request_id);
  return it == open_.end() ? nullptr : at(it->second);
}

NetworkRequest* NetworkLog::at(int index) {
  const int offset = entries_.empty() ? -1 : index - entries_.front().index;
  return offset < 0 ? nullptr : &entries_[static_cast<std::size_t>(offset)];
}

void NetworkLog::enter_document(const std::string& frame_id, const std::string& loader_id, bool main) {
  const auto leave = [this](const std::string& loader) {
    left_loaders_.push_back(loader);
    if (left_loaders_.size() > kLeftLoaders) left_loaders_.pop_front();
  };
  if (main) {
    for (const auto& [frame, loader] : documents_) leave(loader);
    documents_.clear();
  } else if (const auto before = documents_.find(frame_id); before != documents_.end()) {
    leave(before->second);
  }
  documents_[frame_id] = loader_id;
  std::erase(left_loaders_, loader_id);  // it is the same one, or one that was kept comes back
  for (const auto& [key, index] : open_) {
    auto* const entry = at(index);
    if (entry == nullptr || entry->type == "Document" || entry->loader_id.empty()) continue;
    if (entry->loader_id != loader_id && (main || entry->frame_id == frame_id)) entry->left = true;
  }
}

void NetworkLog::clear_in_flight(const std::string& session) {
  for (auto& entry : entries_) {
    if (entry.session == session && !entry.finished) entry.finished = true;
  }
  std::erase_if(open_, [&](const auto& item) { return item.first.starts_with(session); });
  sockets_.drop_session(session);
}

namespace {
// Streams and beacons say nothing about whether the page's content is there.
bool shapes_content(const NetworkRequest& entry) {
  if (entry.is_of_worker()) return false;
  return entry.type != "EventSource" && entry.type != "WebSocket" && entry.type != "Ping" && entry.type != "Media" &&
         entry.type != "Image" && entry.type != "Font" && entry.type != "Preflight" &&
         entry.type != "CSPViolationReport";
}
}  // namespace

// A script or a style sheet that is under way after the page's load was asked for by a script: load waits for all
// others.
NetworkActivity NetworkLog::activity_since(int mark) const {
  NetworkActivity activity;
  for (auto it = entries_.rbegin(); it != entries_.rend() && it->index > mark; ++it) {
    if (!shapes_content(*it) || it->renews || it->left) continue;
    const auto at = it->over() ? std::max(it->started, it->ended) : it->started;
    activity.last = std::max(activity.last, std::optional(at));
    if (is_fetch(*it)) activity.last_fetch = std::max(activity.last_fetch, std::optional(at));
    if (it->over()) continue;
    ++activity.busy;
    if (!is_fetch(*it) && it->type != "Script" && it->type != "Stylesheet") continue;
    ++activity.fetches;
    if (it->type == "Script") ++activity.scripts;
    activity.fetching = it->url;
  }
  sockets_.add_to(activity);
  return activity;
}

// Whether it is one of at least four that the page has asked for at one place in a rhythm, as a poll's are.
bool NetworkLog::is_beat(const NetworkRequest& entry) const {
  constexpr int kGaps = 3;
  constexpr Millis kSlack{100};  // of a busy machine, and a quarter of the gap
  if (!is_fetch(entry)) return false;
  const NetworkRequest* next = nullptr;
  std::optional<Clock::duration> first;
  int alike = 0;
  for (auto it = entries_.rbegin(); it != entries_.rend() && alike < kGaps; ++it) {
    if (it->index > entry.index || path_of(*it) != path_of(entry)) continue;
    if (next != nullptr) {
      const auto gap = next->started - it->started;
      if (!first) first = gap;
      if (std::chrono::abs(gap - *first) > *first / 4 + kSlack || gap < kSlack) return false;
      ++alike;
    }
    next = &*it;
  }
  return alike == kGaps;
}

bool NetworkLog::brings_content(Clock::time_point now) const {
  constexpr Millis kBrings{10'000};
  return std::any_of(entries_.begin(), entries_.end(), [&](const NetworkRequest& entry) {
    return !entry.over() && !entry.left && !entry.renews && shapes_content(entry) && now - entry.started < kBrings &&
           !is_beat(entry);
  });
}

std::optional<UnansweredRequest> NetworkLog::unanswered(Clock::time_point before) const {
  const auto waits = [&](const NetworkRequest& entry) {
    return !entry.over() && entry.status == 0 && entry.started < before && !entry.left && !entry.renews &&
           !entry.is_of_worker() && entry.type != "WebSocket";
  };
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(), waits);
  if (found == entries_.rend()) return std::nullopt;
  return UnansweredRequest{.index = found->index, .url = found->url};
}

int NetworkLog::in_flight() const {
  int count = 0;
  for (const auto& [key, index] : open_) {
    const int offset = entries_.empty() ? -1 : index - entries_.front().index;
    if (offset < 0) continue;
    const auto& entry = entries_[static_cast<std::size_t>(offset)];
    if (entry.over() || entry.left || entry.is_of_worker()) continue;
    if (entry.type != "EventSource" && entry.type != "WebSocket" && entry.type != "Ping") ++count;
  }
  return count;
}

}  // namespace bridle
