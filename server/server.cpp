#include "server/server.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/concurrency/thread_pool.h"
#include "base/limits.h"
#include "base/text/log.h"
#include "server/calls/request_state.h"
#include "server/http/origin_guard.h"
#include "server/mcp/dispatcher.h"
#include "server/mcp/jsonrpc.h"
#include "server/mcp/serializer.h"
#include "server/panel/panel.h"
#include "server/status_board.h"
#include "server/transports/legacy_sse.h"
#include "server/transports/modern_http.h"
#include "server/transports/routes.h"
#include "server/transports/stdio.h"
#include "server/transports/streamable_http.h"

namespace bridle {
namespace {

// The pool drops a thread a moment after the table dropped its call.
constexpr std::size_t kPoolSlack = 64;
// The signal's own end, and the last frames on their way.
constexpr Millis kStreamGrace{500};

// Without a token, the user who owns the client's process decides [why.peer-user]. With one, it only decides on a
// connection's share.
HttpServerOptions with_peers(const ServerOptions& options) {
  HttpServerOptions http = options.http;
  http.identify_peers = true;
  http.own_user_only = options.token.empty();
  return http;
}

}  // namespace

std::string_view to_string(ServerState state) noexcept {
  switch (state) {
    case ServerState::starting:
      return "starting";
    case ServerState::ready:
      return "ready";
    case ServerState::draining:
      return "draining";
    case ServerState::disposed:
      return "disposed";
  }
  return "";
}

ServerOptions::ServerOptions() : drain(limits::kDrain) {}

// In the order of construction; what is used stands above its user, so destruction is safe.
struct Server::Parts {
  Parts(const ServerOptions& options, const Toolbox& toolbox, Catalogue& catalogue, Background& background,
        const AbortSignal& lives, Server& server)
      : calls(lives, background.timer, options.requests),
        sessions(lives, options.sessions, background),
        board(calls, sessions, toolbox),
        services{.toolbox = toolbox,
                 .calls = calls,
                 .pool = pool,
                 .timer = background.timer,
                 .board = board,
                 .sealer = sealer,
                 .tasks = tasks,
                 .catalogue = catalogue,
                 .times = options.timer,
                 .results = options.results,
                 .default_scope = toolbox.open_scope ? toolbox.open_scope("") : nullptr},
        mcp(services),
        hub({.tools = catalogue.tools_change,
             .prompts = catalogue.prompts_change,
             .resources = catalogue.resources_change,
             .subscriptions = catalogue.resources_notify}),
        modern(mcp, calls, hub, streams),
        streamable(mcp, sessions, modern, streams),
        sse(mcp, sessions, streams),
        pool({.name = "bridle-call", .cap = options.requests.in_flight + kPoolSlack}),
        http(
            with_peers(options), [this](HttpRequest& request) { return app->handle(request); },
            [this](const HttpRequest& request) { return app->check(request); }),
        jobs(background),
        alive(lives),
        began(Clock::now()) {
    sessions.on_closed = [this](Session& session) { calls.forget_session(session.label()); };
    catalogue.list_changed = [this](const std::string& list, const ToolScope* scope) { tell_list(list, scope); };
    catalogue.resource_updated = [this](const std::string& uri, const ToolScope* scope) { tell_update(uri, scope); };
    calls.on_overdue = [this](Call& call) { tell_client_of(call); };
    board.default_scope = services.default_scope;
    board.server_state = [this, &server] {
      return nlohmann::json{{"name", "bridle"},
                            {"version", BRIDLE_VERSION},
                            {"state", to_string(server.state())},
                            {"uptimeMs", std::chrono::duration_cast<Millis>(Clock::now() - began).count()}};
    };
    board.extra_counters = [this] {
      const auto counts = http.counters();
      return nlohmann::json{{"streams", streams.load()},
                            {"connections", counts.connections},
                            {"connection_threads", counts.threads},
                            {"watched_peers", counts.watched},
                            {"connections_total", counts.accepted_total},
                            {"connections_refused_total", counts.refused_total},
                            {"foreign_refused_total", counts.foreign_refused_total},
                            {"stranger_connections", counts.strangers},
                            {"body_bytes", counts.body_bytes},
                            {"worker_threads", pool.threads()},
                            {"tasks", tasks.size()},
                            {"links", AbortCallback::live()}};
    };
  }

  // [cancel.warning]: it is sent to a client that takes log messages. The call's own stream has ended.
  void tell_client_of(const Call& request) {
    for (const auto& session : sessions.all()) {
      if (session->label() != request.key().session) continue;
      session->send_log(LogLevel::warning, "bridle", abort_warning_text(request.tool()));
    }
  }

  // Whom it concerns: everybody, the sessions that see that scope, or those without a session.
  bool concerns(const ToolScope* scope, const Session& session) const {
    return scope == nullptr || session.scope_if_open().get() == scope;
  }
  bool concerns_sessionless(const ToolScope* scope) const {
    return scope == nullptr || services.default_scope.get() == scope;
  }

  void tell_list(const std::string& list, const ToolScope* scope) {
    for (const auto& session : sessions.all()) {
      if (concerns(scope, *session)) session->notify("notifications/" + list + "/list_changed", nullptr);
    }
    if (concerns_sessionless(scope)) hub.list_changed(list);
  }

  void tell_update(const std::string& uri, const ToolScope* scope) {
    const bool sessions_may_see_it = scope == nullptr || scope != services.default_scope.get();
    for (const auto& session : sessions_may_see_it ? sessions.all() : std::vector<std::shared_ptr<Session>>()) {
      if (!concerns(scope, *session) || !session->is_subscribed(uri)) continue;
      session->notify("notifications/resources/updated", {{"uri", uri}});
    }
    if (concerns_sessionless(scope)) hub.resource_updated(uri);
  }

  // After bind(), when the port is known.
  void open(const ServerOptions& options, Server& server) {
    guard = std::make_unique<OriginGuard>(http.own_hosts(), http.port(), options.allowed_hosts);
    panel = std::make_unique<Panel>(Panel::Parts{.board = board,
                                                 .background = jobs,
                                                 .alive = alive,
                                                 .streams = streams,
                                                 .port = http.port(),
                                                 .hold_limit = options.hold_limit,
                                                 .viewer_gone = options.viewer_gone});
    app = std::make_unique<HttpRoutes>(
        HttpRoutes::Parts{.streamable = streamable,
                          .sse = sse,
                          .board = board,
                          .guard = *guard,
                          .panel = *panel,
                          .draining = [&server] { return server.state() != ServerState::ready; },
                          .token = options.token});
  }

  std::atomic<long> streams{0};
  RequestStateSealer sealer;
  TaskStore tasks;
  CallTable calls;
  SessionStore sessions;
  StatusBoard board;
  CallServices services;
  McpServer mcp;
  ListenHub hub;
  ModernHttp modern;
  StreamableHttp streamable;
  HttpSse sse;
  ThreadPool pool;  // its jobs use everything above
  std::unique_ptr<OriginGuard> guard;
  std::unique_ptr<Panel> panel;  // over stdio there is none
  std::unique_ptr<HttpRoutes> app;
  HttpServer http;
  Background& jobs;
  const AbortSignal alive;
  const Clock::time_point began;
};

Server::Server(ServerOptions options, const Toolbox& toolbox, Catalogue& catalogue, Background& background)
    : options_(std::move(options)),
      parts_(std::make_unique<Parts>(options_, toolbox, catalogue, background, alive_.signal(), *this)) {}

Server::~Server() {
  if (state_ != ServerState::disposed) shutdown("the server object ends");
}

void Server::bind() {
  parts_->http.bind();
  parts_->open(options_, *this);
  state_ = ServerState::ready;
}

int Server::port() const { return parts_->http.port(); }

const std::vector<std::string>& Server::own_hosts() const { return parts_->http.own_hosts(); }

void Server::run() { parts_->http.run(); }

void Server::run_stdio(int in, int out) {
  state_ = ServerState::ready;
  const auto session = parts_->sessions.create(true);
  if (!session) return;
  StdioConnection(parts_->mcp, parts_->hub, session, in, out).run(alive_.signal());
  parts_->sessions.remove(session->id(), "stdin ended");
}

bool Server::shutdown(std::string_view why) {
  auto expected = state_.load();
  do {
    if (expected == ServerState::draining || expected == ServerState::disposed) {
      state_.wait(ServerState::draining);
      return ended_clean_;
    }
  } while (!state_.compare_exchange_weak(expected, ServerState::draining));
  if (expected == ServerState::ready) spdlog::info("shutting down: {}", why);
  // Subscriptions end with their result, calls with an error, standing streams with their sessions.
  parts_->hub.close_all();
  alive_.abort(AbortReason::shutdown, "the server is shutting down");
  for (const auto& session : parts_->sessions.all()) session->stream()->close();
  CallContext bounded;
  bounded.deadline = Deadline::after(options_.drain);
  const bool idle = parts_->calls.wait_idle(bounded);
  if (!idle) {
    for (const auto& request : parts_->calls.live()) {
      spdlog::error("still running at shutdown: {} (session={} request={})", request->tool(), request->key().session,
                    loggable(request->key().id));
    }
  }
  parts_->http.stop(kStreamGrace);
  parts_->sessions.close_all("the server shut down");
  ended_clean_ = idle;
  state_ = ServerState::disposed;
  state_.notify_all();
  return idle;
}

nlohmann::json Server::status() const { return parts_->board.status_of_all(); }
CallTable& Server::calls() { return parts_->calls; }
SessionStore& Server::sessions() { return parts_->sessions; }

}  // namespace bridle
