#include "server/transports/listen_hub.h"

#include <algorithm>
#include <utility>

#include "server/mcp/jsonrpc.h"

namespace bridle {
namespace {

ReplyStream::Options listener_stream() {
  ReplyStream::Options options;
  options.endless = true;
  options.max_bytes = 1024 * 1024;
  return options;
}

Json tag(const std::string& id) { return {{"io.modelcontextprotocol/subscriptionId", Json::parse(id)}}; }

bool asks_for(const Json& wanted, const char* name) {
  const auto found = wanted.find(name);
  return found != wanted.end() && *found == true;
}

}  // namespace

ListenHub::Listener::Listener(ListenHub& hub, std::string id, Json filter, std::shared_ptr<ReplyStream> shared)
    : hub_(hub),
      id_(std::move(id)),
      filter_(std::move(filter)),
      owns_stream_(shared == nullptr),
      stream_(shared ? std::move(shared) : std::make_shared<ReplyStream>(listener_stream())) {}

ListenHub::Listener::~Listener() {
  const MutexLock lock(hub_.mutex_);
  hub_.listeners_.erase(this);
}

void ListenHub::Listener::notify(const std::string& method, Json params) const {
  params["_meta"] = tag(id_);
  stream_->push(Frame::Kind::notification, jsonrpc::notification(method, params));
}

Json ListenHub::honoured(const Json& wanted) const {
  Json filter = Json::object();
  if (offers_.tools && asks_for(wanted, "toolsListChanged")) filter["toolsListChanged"] = true;
  if (offers_.prompts && asks_for(wanted, "promptsListChanged")) filter["promptsListChanged"] = true;
  if (offers_.resources && asks_for(wanted, "resourcesListChanged")) filter["resourcesListChanged"] = true;
  const auto uris = wanted.find("resourceSubscriptions");
  if (offers_.subscriptions && uris != wanted.end() && uris->is_array()) filter["resourceSubscriptions"] = *uris;
  return filter;
}

std::shared_ptr<ListenHub::Listener> ListenHub::listen(const std::string& id, const Json& wanted,
                                                       std::shared_ptr<ReplyStream> shared) {
  auto listener = std::make_shared<Listener>(*this, id, honoured(wanted), std::move(shared));
  // "First message MUST be acknowledged, with the honoured subset."
  listener->notify("notifications/subscriptions/acknowledged", {{"notifications", listener->filter_}});
  const MutexLock lock(mutex_);
  if (closed_ || listeners_.size() >= kMaxListeners) return nullptr;
  listeners_.emplace(listener.get(), listener);
  return listener;
}

std::vector<std::shared_ptr<ListenHub::Listener>> ListenHub::all() {
  std::vector<std::shared_ptr<Listener>> out;
  const MutexLock lock(mutex_);
  for (const auto& [raw, weak] : listeners_) {
    if (auto listener = weak.lock()) out.push_back(std::move(listener));
  }
  return out;
}

void ListenHub::list_changed(const std::string& list) {
  for (const auto& listener : all()) {
    if (asks_for(listener->filter_, (list + "ListChanged").c_str())) {
      listener->notify("notifications/" + list + "/list_changed", Json::object());
    }
  }
}

void ListenHub::resource_updated(const std::string& uri) {
  for (const auto& listener : all()) {
    const auto uris = listener->filter_.find("resourceSubscriptions");
    if (uris == listener->filter_.end() || std::find(uris->begin(), uris->end(), Json(uri)) == uris->end()) continue;
    listener->notify("notifications/resources/updated", {{"uri", uri}});
  }
}

void ListenHub::close_all() {
  {
    const MutexLock lock(mutex_);
    closed_ = true;
  }
  for (const auto& listener : all()) {
    const Json result = {{"resultType", "complete"}, {"_meta", tag(listener->id_)}};
    listener->stream_->push(Frame::Kind::response, jsonrpc::result(listener->id_, dump(result)));
    if (listener->owns_stream_) listener->stream_->close();
  }
}

}  // namespace bridle
