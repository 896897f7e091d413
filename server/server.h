#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/abort.h"
#include "base/concurrency/timed_job.h"
#include "server/calls/call_table.h"
#include "server/calls/tool_call.h"
#include "server/http/server.h"
#include "server/mcp/session_store.h"
#include "tools/contract/catalogue.h"
#include "tools/contract/tool.h"

namespace bridle {

class ResultStore;

// The server's life [cancel.states.server] [cancel.shutdown].
enum class ServerState { starting, ready, draining, disposed };
std::string_view to_string(ServerState state) noexcept;

struct ServerOptions {
  HttpServerOptions http{};
  CallTable::Options requests{};
  SessionStore::Options sessions{};
  CallTimes timer{};
  std::vector<std::string> allowed_hosts{};
  std::string token{};             // empty: none is asked for
  ResultStore* results = nullptr;  // what is cut is kept here; outlives the server
  Millis drain;                    // limits::kDrain
  Millis hold_limit = limits::kHold;
  Millis viewer_gone = limits::kViewerGone;
  ServerOptions();
};

// One MCP server: owns the table of calls, the sessions, the threads of calls, and HTTP. The toolbox, the catalogue and
// the background outlive it.
class Server {
 public:
  // Sets what the catalogue calls when something changes.
  Server(ServerOptions options, const Toolbox& toolbox, Catalogue& catalogue, Background& background);
  ~Server();  // shutdown(), if it wasn't called; waits for calls that ignore their signal
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Binds. Throws std::runtime_error with a sentence for the user.
  void bind();
  // After bind(): the port, and the hosts of URLs that lead to this server alone, first the one to be printed.
  int port() const;
  const std::vector<std::string>& own_hosts() const;
  // Serves HTTP until shutdown(), in the calling thread. Call once, after bind().
  void run();
  // Serves one client on a pair of file descriptors until it closes its side or shutdown(), in the calling thread. In
  // place of bind() and run().
  void run_stdio(int in, int out);

  // Refuses new work (503), aborts everything (shutdown), ends the streams, waits for the calls up to the drain's
  // bound, ends HTTP. False when a call has not ended: then the process must be left by _Exit, as its thread still
  // runs. run() returns afterwards. Any thread; a second call waits for the first and returns what it did.
  bool shutdown(std::string_view why);

  ServerState state() const noexcept { return state_; }
  // What GET /status answers.
  nlohmann::json status() const;
  CallTable& calls();
  SessionStore& sessions();

 private:
  struct Parts;
  ServerOptions options_;
  std::atomic<ServerState> state_{ServerState::starting};
  std::atomic<bool> ended_clean_{true};
  AbortController alive_;  // the root of every signal
  std::unique_ptr<Parts> parts_;
};

}  // namespace bridle
