#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "base/limits.h"
#include "browser/cdp/message.h"
#include "browser/cdp/transport.h"

namespace bridle {

// The browser answered a command with an error.
class CdpError : public std::runtime_error {
 public:
  CdpError(std::string_view method, std::string message, int code);
  const std::string& message() const { return message_; }  // without the method
  int code() const { return code_; }

 private:
  std::string message_;
  int code_;
};

// The command will never be answered: its connection, session or page is gone. what() names both.
class CdpClosed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// No answer in time. The command may still take effect.
class CdpTimeout : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What a command came to.
struct CdpReply {
  enum class Kind { result, error, closed };
  Kind kind = Kind::closed;
  std::string message;  // result, error: the whole CDP message; closed: why
};

// The whole message of a reply that is a result. Throws what the others amount to: CdpError, CdpClosed.
std::string result_message(std::string_view method, CdpReply reply);
// The `result` in such a message. Throws CdpError for one over limits::kCdpParsed.
Json result_of(std::string_view message);

// One CDP connection to one browser. Routes replies to the threads that wait for them and events to the handler of
// their session. Any thread may call anything, but the event and reply handlers run on the reader thread, which must
// never block, call(), or throw.
class CdpConnection {
 public:
  // `message` is the whole event; parse what you need of it.
  using EventHandler = std::function<void(std::string_view method, std::string_view message)>;
  using ReplyHandler = std::function<void(CdpReply)>;

  explicit CdpConnection(std::unique_ptr<CdpTransport> transport);
  ~CdpConnection();
  CdpConnection(const CdpConnection&) = delete;
  CdpConnection& operator=(const CdpConnection&) = delete;

  // Starts the reader. `on_closed` runs once, on the reader thread, after everything pending has failed.
  void start(std::function<void(const std::string& reason)> on_closed);

  // Sends a command and waits for its result. Throws Aborted (before sending, when the signal has already fired),
  // CdpError, CdpClosed, CdpTimeout. `session` "" is the browser's own.
  Json call(const CallContext& ctx, std::string_view session, std::string_view method, const Json& params,
            Millis limit = limits::kCdpCommand);
  // A command in flight whose reply goes to a handler (on the reader thread). Dropping it forgets the reply.
  class Pending {
   public:
    Pending() = default;
    Pending(CdpConnection* connection, long long id) : connection_(connection), id_(id) {}
    Pending(Pending&& other) noexcept : connection_(other.connection_), id_(other.id_) { other.connection_ = nullptr; }
    Pending& operator=(Pending&& other) noexcept;
    ~Pending() { drop(); }
    void drop();

   private:
    CdpConnection* connection_ = nullptr;
    long long id_ = 0;
  };
  // Sends without waiting. The handler is called exactly once unless the handle is dropped first (a drop waits for
  // a handler that runs in another thread). When closed already, the handler is called inline.
  [[nodiscard]] Pending send(std::string_view session, std::string_view method, const Json& params,
                             ReplyHandler handler);
  // Sends without waiting; the reply is ignored, but handed to `handler` when given. Usable on the reader thread.
  void post(std::string_view session, std::string_view method, const Json& params, ReplyHandler handler = nullptr);

  // Events of a session ("" for the browser's). A null handler removes it; after that returns, the old handler is
  // no longer running unless the caller is the reader thread itself.
  void set_event_handler(const std::string& session, EventHandler handler);
  // Fails what is pending on a session that is detached or crashed: "Page.navigate: <why>". Commands sent from `mark`
  // on don't fail: a crash is announced before its commands are failed, and a listener may have sent the next command
  // by then.
  void fail_session(std::string_view session, const std::string& why, long long mark = kAll);
  static constexpr long long kAll = std::numeric_limits<long long>::max();
  // Commands sent from now on have at least this number.
  long long mark() const;

  // Ends the transport; what is pending fails on the reader thread.
  void close();
  // close(), and waits for the reader to end: no handler runs afterwards. Not on the reader thread.
  void stop();
  bool open() const;
  std::string close_reason() const;
  long pending() const;  // gauge
  CdpTransport& transport() { return *transport_; }

 private:
  struct Entry {
    std::string session;
    std::string method;
    ReplyHandler handler;
  };

  long long dispatch(std::string_view session, std::string_view method, const Json& params, ReplyHandler handler);
  void forget(long long id);
  void read_loop();
  void route(std::string message);
  // Takes a pending entry out of the table and marks it as being delivered by this thread. False if it is gone.
  bool take(long long id, Entry& entry);
  void deliver(long long id, Entry entry, CdpReply reply);
  void fail_all(const std::string& why);
  void fail(const std::vector<long long>& ids, const std::string& why);

  const std::unique_ptr<CdpTransport> transport_;
  std::function<void(const std::string&)> on_closed_;
  std::thread reader_;

  mutable Mutex mutex_;
  CondVar handler_done_;
  long long next_id_ GUARDED_BY(mutex_) = 1;
  // The ids whose reply handlers run now, each with the thread that runs it: the reader, or a caller of fail_session().
  std::vector<std::pair<long long, std::thread::id>> delivering_ GUARDED_BY(mutex_);
  std::string event_session_ GUARDED_BY(mutex_);  // session whose event handler runs now
  bool event_running_ GUARDED_BY(mutex_) = false;
  bool closed_ GUARDED_BY(mutex_) = false;
  std::string reason_ GUARDED_BY(mutex_);
  std::unordered_map<long long, Entry> pending_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, std::shared_ptr<EventHandler>> events_ GUARDED_BY(mutex_);
};

// One CDP session (a tab's, or a frame's of another process), as a shorthand over its connection. Copyable; the
// connection is shared and outlives it.
class CdpSession {
 public:
  CdpSession(std::shared_ptr<CdpConnection> connection, std::string id)
      : connection_(std::move(connection)), id_(std::move(id)) {}

  Json call(const CallContext& ctx, std::string_view method, const Json& params = Json::object(),
            Millis limit = limits::kCdpCommand) const {
    return connection_->call(ctx, id_, method, params, limit);
  }
  void post(std::string_view method, const Json& params = Json::object(),
            CdpConnection::ReplyHandler handler = nullptr) const {
    connection_->post(id_, method, params, std::move(handler));
  }
  const std::string& id() const { return id_; }
  CdpConnection& connection() const { return *connection_; }
  const std::shared_ptr<CdpConnection>& shared_connection() const { return connection_; }

 private:
  std::shared_ptr<CdpConnection> connection_;
  std::string id_;
};

}  // namespace bridle
