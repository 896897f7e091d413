#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>

#include "base/concurrency/sync.h"
#include "server/calls/stream/reply_stream.h"

namespace bridle {

// subscriptions/listen of 2026-07-28 [wire.listen]: who listens to which changes. Any thread.
class ListenHub {
 public:
  static constexpr std::size_t kMaxListeners = 1024;

  // Which of these notifications this server can send at all.
  struct Offers {
    bool tools = false;
    bool prompts = false;
    bool resources = false;
    bool subscriptions = false;  // notifications/resources/updated
  };
  explicit ListenHub(Offers offers) : offers_(offers) {}

  // One listener; leaves the hub with its last pointer.
  class Listener {
   public:
    Listener(ListenHub& hub, std::string id, nlohmann::json filter, std::shared_ptr<ReplyStream> shared);
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    const std::shared_ptr<ReplyStream>& stream() const { return stream_; }

   private:
    friend class ListenHub;
    void notify(const std::string& method, nlohmann::json params) const;
    ListenHub& hub_;
    const std::string id_;         // of the request, JSON text: tags every message
    const nlohmann::json filter_;  // what is honoured
    const bool owns_stream_;
    const std::shared_ptr<ReplyStream> stream_;
  };
  // The acknowledgement is the first message in its stream. Null when there are too many, or after close_all().
  // `shared`: a stream that carries other things too (stdio); without it, one of its own.
  std::shared_ptr<Listener> listen(const std::string& id, const nlohmann::json& wanted,
                                   std::shared_ptr<ReplyStream> shared = nullptr);

  // A list changed: "tools", "prompts", "resources". Only those who asked are told.
  void list_changed(const std::string& list);
  void resource_updated(const std::string& uri);
  // The graceful end: every listener gets its result.
  void close_all();

 private:
  nlohmann::json honoured(const nlohmann::json& wanted) const;

  const Offers offers_;
  Mutex mutex_;
  bool closed_ GUARDED_BY(mutex_) = false;
  std::unordered_map<Listener*, std::weak_ptr<Listener>> listeners_ GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<Listener>> all() EXCLUDES(mutex_);
};

}  // namespace bridle
