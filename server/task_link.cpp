#include "server/task_link.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include "base/concurrency/thread.h"
#include "base/net/transfer.h"
#include "base/text/log.h"
#include "server/agent/event_stream.h"

namespace bridle {
namespace {

// A call's stream has a sign of life every 15 s.
constexpr Millis kSilence{60'000};

std::string endpoint_of(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  const auto path = url.find('/', url.find("://") + 3);
  return path == std::string::npos ? url + "/mcp" : url;
}

}  // namespace

TaskLink::TaskLink(const Options& options, int pipe)
    : options_(options), pipe_(pipe), url_(endpoint_of(options.agent.server_url)) {
  if (!options.token_file.empty()) token_ = read_token_file(options.token_file);
}

void TaskLink::run() {
  std::string input;
  for (std::array<char, 65536> chunk;;) {
    const auto count = ::read(pipe_, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    input.append(chunk.data(), static_cast<std::size_t>(count));
    for (std::size_t end; (end = input.find('\n')) != std::string::npos; input.erase(0, end + 1)) {
      Json message = parse_json(std::string_view(input).substr(0, end));
      if (message.is_object()) carry(message);
    }
  }
  const bool leaves_run = run_open_;
  over_.abort(AbortReason::shutdown);
  for (auto& thread : threads_) thread.join();
  if (leaves_run) end_session();
  ::shutdown(pipe_, SHUT_RDWR);
}

void TaskLink::end_session() {
  try {
    net::fetch({.deadline = Deadline::after(kRunGoodbye)}, {.url = url_, .headers = headers(), .method = "DELETE"});
  } catch (const std::exception& error) {
    spdlog::debug("the run may go on at the server: {}", error.what());
  }
}

std::vector<std::string> TaskLink::headers() {
  std::vector<std::string> headers;
  if (!token_.empty()) headers.push_back("Authorization: Bearer " + token_);
  const MutexLock lock(mutex_);
  if (!session_.empty()) headers.push_back("Mcp-Session-Id: " + session_);
  return headers;
}

// The first request opens the session, so what follows waits for it.
void TaskLink::carry(const Json& message) {
  if (string_in(message, "method") != "tools/call") {
    post(message);
  } else {
    const bool runs = string_in(object_in(message, "params"), "name") == "browser_agent";
    if (runs) run_open_ = true;
    threads_.push_back(start_thread("bridle-do", [this, message, runs] {
      post(message);
      if (runs) run_open_ = false;
    }));
  }
}

void TaskLink::post(const Json& message) {
  net::Request request{
      .url = url_, .headers = headers(), .body = dump(message), .first_byte = kSilence, .idle = kSilence};
  for (const char* more : {"Content-Type: application/json", "Accept: application/json, text/event-stream"})
    request.headers.emplace_back(more);
  std::string problem;
  std::string document;
  bool streams = false;
  int status = 0;
  agent::EventStream events([this](std::string_view, std::string_view data) { say(std::string(data)); });
  try {
    net::transfer(
        {.signal = over_.signal()}, request,
        [&](const net::Head& head) {
          status = head.status;
          streams = head.header("content-type").starts_with("text/event-stream");
          const MutexLock lock(mutex_);
          if (const auto id = head.header("mcp-session-id"); !id.empty()) session_ = id;
        },
        [&](std::string_view piece) {
          if (streams) {
            events.feed(piece);
          } else {
            document += piece;
          }
        });
    if (status == 401) problem = "the server asks for a token: give --token-file";
  } catch (const Aborted&) {
    return;
  } catch (const std::exception& error) {
    problem = "no bridle answers at " + url_ + ": " + error.what();
  }
  if (!problem.empty() && message.contains("id")) {
    say(dump({{"jsonrpc", "2.0"}, {"id", message.at("id")}, {"error", {{"code", -32603}, {"message", problem}}}}));
  } else if (!document.empty()) {
    say(document);
  }
}

void TaskLink::say(const std::string& line) {
  const MutexLock lock(mutex_);
  const std::string text = line + "\n";
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto count = ::write(pipe_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace bridle
