#include "server/mcp/session.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/limits.h"
#include "server/mcp/jsonrpc.h"
#include "tools/contract/tool.h"

namespace bridle {
namespace {

constexpr std::size_t kLabelLength = 10;

ReplyStream::Options standing_stream() {
  ReplyStream::Options options;
  options.endless = true;
  return options;
}

}  // namespace

Session::Session(std::string id, const AbortSignal& server, bool single_stream, std::string client)
    : id_(std::move(id)),
      label_(id_.substr(0, kLabelLength)),
      single_stream_(single_stream),
      client_(std::move(client)),
      controller_(server),
      replay_(label_),
      stream_(std::make_shared<ReplyStream>(standing_stream())),
      last_use_(Clock::now().time_since_epoch().count()) {}

Session::~Session() = default;

bool Session::negotiate(Revision revision, Json capabilities, std::string client_name) {
  MutexLock lock(mutex_);
  if (negotiated_) return false;
  negotiated_ = true;
  revision_ = revision;
  capabilities_ = std::make_unique<Json>(std::move(capabilities));
  client_name_ = std::move(client_name);
  return true;
}

bool Session::negotiated() const {
  MutexLock lock(mutex_);
  return negotiated_;
}

Revision Session::revision() const {
  MutexLock lock(mutex_);
  return revision_;
}

Json Session::capabilities() const {
  MutexLock lock(mutex_);
  return capabilities_ ? *capabilities_ : Json::object();
}

std::string Session::client_name() const {
  MutexLock lock(mutex_);
  return client_name_;
}

void Session::close(std::string text) {
  std::shared_ptr<ToolScope> scope;  // released last, outside the lock: it may take a while
  {
    MutexLock lock(mutex_);
    closed_ = true;
    scope = std::move(scope_);
    scope_ = nullptr;
  }
  controller_.abort(AbortReason::session_closed, std::move(text));
  stream_->close();
}

std::shared_ptr<ToolScope> Session::scope(const Toolbox& toolbox) {
  MutexLock lock(mutex_);
  if (!scope_ && !closed_ && toolbox.open_scope) scope_ = toolbox.open_scope(label_);
  return scope_;
}

std::shared_ptr<ToolScope> Session::scope_if_open() const {
  MutexLock lock(mutex_);
  return scope_;
}

bool Session::has_tabs() const {
  const auto scope = scope_if_open();
  return scope && !scope->tabs().empty();
}

void Session::set_log_level(LogLevel level) {
  MutexLock lock(mutex_);
  log_level_ = level;
}

std::optional<LogLevel> Session::log_level() const {
  MutexLock lock(mutex_);
  return log_level_;
}

void Session::send_log(LogLevel level, const std::string& logger, const Json& data) {
  const auto wanted = log_level();
  if (!wanted || level < *wanted) return;
  stream_->push(Frame::Kind::notification,
                jsonrpc::notification("notifications/message",
                                      {{"level", to_string(level)}, {"logger", logger}, {"data", data}}));
}

bool Session::subscribe(const std::string& uri) {
  MutexLock lock(mutex_);
  if (!subscriptions_.contains(uri) && subscriptions_.size() >= kMaxSubscriptions) return false;
  subscriptions_.insert(uri);
  return true;
}

void Session::unsubscribe(const std::string& uri) {
  MutexLock lock(mutex_);
  subscriptions_.erase(uri);
}

bool Session::is_subscribed(const std::string& uri) const {
  MutexLock lock(mutex_);
  return subscriptions_.contains(uri);
}

void Session::notify(const std::string& method, const Json& params) {
  stream_->push(Frame::Kind::notification, jsonrpc::notification(method, params));
}

void Session::note_answered(const std::string& id) {
  MutexLock lock(mutex_);
  answered_.insert(id);
  answered_order_.push_back(id);
  if (answered_order_.size() <= limits::kKnownIds) return;
  answered_.erase(answered_.find(answered_order_.front()));
  answered_order_.pop_front();
}

bool Session::was_answered(const std::string& id) const {
  MutexLock lock(mutex_);
  return answered_.contains(id);
}

Session::Use::Use(std::shared_ptr<Session> session) : session_(std::move(session)) { ++session_->uses_; }

Session::Use::~Use() {
  session_->last_use_ = Clock::now().time_since_epoch().count();
  --session_->uses_;
}

}  // namespace bridle
