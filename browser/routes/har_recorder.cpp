#include "browser/routes/har_recorder.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/limits.h"

namespace bridle {
namespace {

// Only what a HAR file tells of.
Json essentials(const Json& params) {
  Json sent;
  for (const char* name : {"request", "timestamp", "wallTime", "type", "documentURL"}) {
    if (const auto found = params.find(name); found != params.end()) sent[name] = *found;
  }
  if (auto& request = sent["request"];
      request.contains("postData") && request["postData"].get_ref<const std::string&>().size() > limits::kHarPostData)
    request.erase("postData");
  return sent;
}

}  // namespace

bool HarRecorder::wants(std::string_view method) {
  static constexpr std::array<std::string_view, 7> kMethods{
      "Network.requestWillBeSent", "Network.responseReceived",  "Network.dataReceived", "Network.loadingFinished",
      "Network.loadingFailed",     "Page.domContentEventFired", "Page.loadEventFired"};
  return std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end();
}

void HarRecorder::begin(const CdpSession& session, const std::string& main_frame, const Json& params) {
  const auto key = session.id() + "/" + string_field(params, "requestId");
  const auto known = open_.find(key);
  if (known != open_.end()) {  // a redirect: that hop is over
    auto& hop = all_.requests[known->second];
    if (const auto redirect = params.find("redirectResponse"); redirect != params.end()) {
      hop.response = *redirect;
      hop.transferred = redirect->value("encodedDataLength", -1.0);
    }
    hop.ended = params.value("timestamp", 0.0);
    hop.no_body = "a redirect";
    open_.erase(known);
  }
  const auto url = string_field(params.at("request"), "url");
  if (!url.starts_with("http:") && !url.starts_with("https:")) return;
  if (all_.requests.size() >= limits::kHarRequests) {
    ++all_.left_out;
    return;
  }
  const bool document = !main_frame.empty() && string_field(params, "frameId") == main_frame &&
                        string_field(params, "type") == "Document" && !params.contains("redirectResponse");
  auto& page = pages_[session.id()];
  if (document) {
    all_.pages.push_back(
        {.url = url, .wall_time = params.value("wallTime", 0.0), .began = params.value("timestamp", 0.0)});
    page = all_.pages.size();
  }
  RecordedRequest request;
  request.sent = essentials(params);
  request.page = page;
  open_[key] = all_.requests.size();
  all_.requests.push_back(std::move(request));
}

// Whether its body is to be asked for.
bool HarRecorder::end(RecordedRequest& request, const Json& params) {
  request.ended = params.value("timestamp", 0.0);
  request.transferred = params.value("encodedDataLength", -1.0);
  if (!with_bodies_) {
    request.no_body = "bodies were not recorded";
  } else if (request.received > static_cast<double>(limits::kHarBody)) {
    request.no_body = "too large to be kept";
  } else if (body_bytes_ + request.received > static_cast<double>(limits::kHarBodies)) {
    request.no_body = "the recording has as many bytes as it may have";
  } else {
    body_bytes_ += request.received;
    request.has_body = true;
    ++awaited_;
  }
  return request.has_body;
}

void HarRecorder::on_event(const CdpSession& session, const std::string& main_frame, std::string_view method,
                           const Json& params) {
  MutexLock lock(mutex_);
  if (method == "Network.requestWillBeSent") return begin(session, main_frame, params);
  if (method.starts_with("Page.")) {
    const auto page = pages_.find(session.id());
    if (main_frame.empty() || page == pages_.end() || page->second == 0) return;
    auto& now = all_.pages[page->second - 1];
    (method == "Page.loadEventFired" ? now.load : now.content_load) = params.value("timestamp", 0.0);
    return;
  }
  const auto request_id = string_field(params, "requestId");
  const auto found = open_.find(session.id() + "/" + request_id);
  if (found == open_.end()) return;
  const auto index = found->second;
  auto& request = all_.requests[index];
  if (method == "Network.responseReceived") {
    request.response = params.at("response");
    return;
  }
  if (method == "Network.dataReceived") {
    request.received += std::max(0.0, params.value("dataLength", 0.0));
    return;
  }
  open_.erase(found);
  if (method == "Network.loadingFailed") {
    request.ended = params.value("timestamp", 0.0);
    request.error = string_field(params, "errorText");
    request.no_body = request.error;
    return;
  }
  if (!end(request, params)) return;
  const auto reserved = request.received;
  lock.unlock();
  session.post("Network.getResponseBody", {{"requestId", request_id}},
               [self = shared_from_this(), index, reserved](CdpReply reply) {
                 self->on_body(index, reserved, std::move(reply));
               });
}

void HarRecorder::on_body(std::size_t index, double reserved, CdpReply reply) {
  {
    MutexLock lock(mutex_);
    --awaited_;
    auto& request = all_.requests[index];
    // Escaped or in base64 it may be several times longer.
    const auto size = static_cast<double>(reply.message.size());
    if (reply.kind == CdpReply::Kind::result && size <= 8.0 * static_cast<double>(limits::kHarBody)) {
      body_bytes_ += size - reserved;
      request.body = std::move(reply.message);
    } else {
      body_bytes_ -= reserved;
      request.has_body = false;
      request.no_body = "no longer kept by the browser";
    }
  }
  changed_.notify_all();
}

Recording HarRecorder::recording(const CallContext& ctx) {
  MutexLock lock(mutex_);
  wait_until(ctx.within(limits::kHarBodiesWait), changed_, lock, [&]() REQUIRES(mutex_) { return awaited_ == 0; });
  ctx.signal.throw_if_aborted();
  return all_;
}

}  // namespace bridle
