#include "server/task_client.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "base/concurrency/deadline.h"
#include "base/text/log.h"
#include "base/text/text.h"
#include "server/task_link.h"

namespace bridle {
namespace {

constexpr int kSuccess = 0;
constexpr int kNoSuccess = 1;
constexpr int kError = 2;
constexpr int kStopped = 130;
constexpr std::size_t kQuestionShown = 4000;  // characters

int open_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

std::string text_of(const Json& result) {
  std::string text;
  if (const auto content = result.find("content"); content != result.end() && content->is_array()) {
    for (const Json& block : *content) text += string_in(block, "text");
  }
  return text;
}

// A form's field from what was typed; null: it doesn't fit.
Json to_value(const Json& schema, const std::string& typed) {
  const auto type = string_in(schema, "type");
  if (type == "boolean") {
    if (typed == "y" || typed == "yes" || typed == "true") return true;
    if (typed == "n" || typed == "no" || typed == "false") return false;
    return {};
  }
  if (type == "number" || type == "integer") {
    Json value = parse_json(typed);
    return value.is_number() ? value : Json();
  }
  const auto choices = schema.find("enum");
  if (choices == schema.end() || !choices->is_array()) return typed;
  for (const Json& choice : *choices) {
    if (choice == typed) return typed;
  }
  return {};
}

}  // namespace

TaskClient::TaskClient(const Options& options, int pipe) : options_(options), pipe_(pipe), signals_(open_signals()) {}

int TaskClient::run() {
  Json capabilities = Json::object();
  // Whoever isn't at a terminal can't be asked.
  if (::isatty(STDIN_FILENO) == 1) capabilities["elicitation"] = Json::object();
  const Json hello =
      await_answer(request("initialize", {{"protocolVersion", "2025-11-25"},
                                          {"capabilities", std::move(capabilities)},
                                          {"clientInfo", {{"name", "bridle do"}, {"version", BRIDLE_VERSION}}}}));
  if (hello.contains("error")) throw std::runtime_error(string_in(hello.at("error"), "message"));
  send({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
  Json arguments{{"task", options_.agent.task}};
  if (options_.agent.max_steps > 0) arguments["max_steps"] = options_.agent.max_steps;
  return print_end(await_answer(
      request("tools/call",
              {{"name", "browser_agent"}, {"arguments", std::move(arguments)}, {"_meta", {{"progressToken", 1}}}})));
}

int TaskClient::print_end(const Json& answer) {
  const Json& result = object_in(answer, "result");
  Json run = object_in(result, "structuredContent");
  if (run.empty() && !run_id_.empty()) run = whole_run();
  if (run.empty()) {
    std::string words = answer.contains("error") ? string_in(answer.at("error"), "message") : text_of(result);
    if (words.empty()) words = "bridle gave no answer";
    if (options_.agent.json) {
      std::printf("%s\n",
                  dump({{"status", stopping_ ? "stopped" : "error"}, {"success", false}, {"text", words}}).c_str());
    } else {
      std::fprintf(stderr, "%s\n", words.c_str());
    }
    return stopping_ ? kStopped : kError;
  }
  const auto status = string_in(run, "status");
  const bool success = run.value("success", Json()) == true;
  if (options_.agent.json) {
    std::printf("%s\n", dump(run).c_str());
  } else {
    std::printf("%s\n%s: %s, %ld steps; bridle runs show %s\n", string_in(run, "text").c_str(),
                string_in(run, "id").c_str(), status == "completed" ? (success ? "done" : "not done") : status.c_str(),
                integer_in(run, "steps"), string_in(run, "id").c_str());
  }
  if (status == "stopped" || status == "disposed") return kStopped;
  if (status != "completed") return kError;
  return success ? kSuccess : kNoSuccess;
}

// Of a run that was stopped the call tells only that: its history has the rest.
Json TaskClient::whole_run() {
  const Json answer = await_answer(request("resources/read", {{"uri", "bridle://runs/" + run_id_}}));
  const Json& result = object_in(answer, "result");
  const auto contents = result.find("contents");
  if (contents == result.end() || !contents->is_array() || contents->empty()) return {};
  Json run{{"id", run_id_}, {"status", "stopped"}, {"success", false}, {"text", "Stopped"}, {"steps", 0}};
  Json history = Json::array();
  std::string text = string_in(contents->front(), "text");
  std::string_view rest = text;
  while (!rest.empty()) {
    Json line = parse_json(take_until(rest, '\n'));
    if (!line.is_object()) continue;
    if (line.contains("step")) {
      for (Json& action : line["actions"]) action.erase("noted");
      history.push_back(std::move(line));
    } else if (line.contains("status")) {
      run.update(line);
    }
  }
  run["history"] = std::move(history);
  return run;
}

std::int64_t TaskClient::request(const std::string& method, Json params) {
  const auto id = ++last_id_;
  send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  return id;
}

void TaskClient::send(const Json& message) {
  const std::string line = dump(message) + "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const auto count = ::write(pipe_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // the next read tells
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

Json TaskClient::await_answer(std::int64_t id) {
  while (auto message = next()) {
    const auto found = message->find("id");
    if (!message->contains("method") && found != message->end() && *found == id) return std::move(*message);
    on_message(*message);
  }
  throw std::runtime_error("bridle closed the connection");
}

std::optional<Json> TaskClient::next() {
  while (waiting_.empty()) {
    if (wait_for({pipe_}) != pipe_) continue;
    if (!read_pipe()) return std::nullopt;
  }
  Json message = std::move(waiting_.front());
  waiting_.pop_front();
  return message;
}

// False once the other side has closed.
bool TaskClient::read_pipe() {
  std::array<char, 65536> chunk;
  const auto count = ::read(pipe_, chunk.data(), chunk.size());
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  input_.append(chunk.data(), static_cast<std::size_t>(count));
  for (auto end = input_.find('\n'); end != std::string::npos; end = input_.find('\n')) {
    Json message = parse_json(std::string_view(input_).substr(0, end));
    input_.erase(0, end + 1);
    if (message.is_object()) waiting_.push_back(std::move(message));
  }
  return true;
}

int TaskClient::wait_for(const std::vector<int>& descriptors) {
  std::vector<pollfd> fds{{signals_.get(), POLLIN, 0}};
  for (const int fd : descriptors) fds.push_back({fd, POLLIN, 0});
  if (::poll(fds.data(), fds.size(), -1) < 0) return -1;
  signalfd_siginfo signal{};
  if (fds.front().revents != 0 && ::read(signals_.get(), &signal, sizeof signal) == sizeof signal) {
    on_signal();
    return -1;
  }
  for (const auto& one : fds) {
    if (one.fd != signals_.get() && one.revents != 0) return one.fd;
  }
  return -1;
}

// Another server's run would go on without us: whoever carries our messages there ends it when our side of the pipe is
// closed, and closes theirs then.
void TaskClient::end_remote_run() {
  ::shutdown(pipe_, SHUT_WR);
  const auto limit = Deadline::after(kRunGoodbye);
  for (pollfd fd{pipe_, POLLIN, 0};;) {
    const auto left = static_cast<int>(limit.remaining().count());
    if (left <= 0 || ::poll(&fd, 1, left) == 0 || (fd.revents != 0 && !read_pipe())) return;
  }
}

// The stop ends the run, whose call then answers.
void TaskClient::on_signal() {
  if (std::exchange(stopping_, true)) {
    if (!options_.agent.server_url.empty()) end_remote_run();
    std::_Exit(kStopped);
  }
  std::fputs("\nStopping... (once more: at once)\n", stderr);
  request("tools/call", {{"name", "browser_stop"}, {"arguments", Json::object()}});
}

void TaskClient::on_message(const Json& message) {
  const auto method = string_in(message, "method");
  const Json& params = object_in(message, "params");
  if (method == "notifications/progress") {
    auto words = string_in(params, "message");
    constexpr std::string_view kRun = "run ";
    if (run_id_.empty() && words.starts_with(kRun)) run_id_ = words.substr(kRun.size());
    if (!options_.agent.json) {
      std::printf("%s\n", words.c_str());
      std::fflush(stdout);
    }
  } else if (method == "elicitation/create") {
    const Json& id = message.at("id");
    if (auto answer = ask_person(id, params)) {
      send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(*answer)}});
    } else {
      std::fputs("(the question was taken back)\n", stderr);
    }
  } else if (method == "notifications/cancelled" || !message.contains("id")) {
    return;
  } else if (!method.empty()) {
    send({{"jsonrpc", "2.0"},
          {"id", message.at("id")},
          {"error", {{"code", -32601}, {"message", "bridle do does not know " + method}}}});
  }
}

// nullopt: the question was taken back, or the run is to stop, which takes it back [agent.ask].
std::optional<Json> TaskClient::ask_person(const Json& id, const Json& params) {
  std::fprintf(stderr, "%s\n", loggable(string_in(params, "message"), kQuestionShown).c_str());
  Json content = Json::object();
  for (const auto& [name, schema] : object_in(object_in(params, "requestedSchema"), "properties").items()) {
    Json value;
    while (value.is_null()) {
      std::string hint;
      if (const auto choices = schema.find("enum"); choices != schema.end()) hint = " " + dump(*choices);
      if (string_in(schema, "type") == "boolean") hint = " (y/n)";
      std::fprintf(stderr, "%s%s: ", name.c_str(), hint.c_str());
      const auto typed = read_line(id);
      if (typed.end == Typed::End::taken_back) return std::nullopt;
      if (typed.end == Typed::End::closed) return Json{{"action", "cancel"}};
      value = to_value(schema, typed.line);
    }
    content[name] = std::move(value);
  }
  return Json{{"action", "accept"}, {"content", std::move(content)}};
}

// The next line of the terminal, while the question `id` is open.
TaskClient::Typed TaskClient::read_line(const Json& id) {
  const auto is_taken_back = [&] {
    return stopping_ || std::any_of(waiting_.begin(), waiting_.end(), [&](const Json& message) {
             return string_in(message, "method") == "notifications/cancelled" &&
                    object_in(message, "params").value("requestId", Json()) == id;
           });
  };
  bool pipe_open = true;
  for (;;) {
    if (is_taken_back() || !pipe_open) return {Typed::End::taken_back, {}};
    if (const auto end = typed_.find('\n'); end != std::string::npos) {
      auto line = typed_.substr(0, end);
      typed_.erase(0, end + 1);
      return {Typed::End::line, std::move(line)};
    }
    const int ready = wait_for({pipe_, STDIN_FILENO});
    if (ready == pipe_) pipe_open = read_pipe();
    if (ready != STDIN_FILENO) continue;
    std::array<char, 4096> chunk;
    const auto count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return {Typed::End::closed, {}};
    typed_.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace bridle
