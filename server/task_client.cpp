#include "server/task_client.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "base/text/log.h"
#include "base/text/text.h"

namespace bridle {
namespace {

constexpr int kSuccess = 0;
constexpr int kNoSuccess = 1;
constexpr int kError = 2;
constexpr int kStopped = 130;

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
  for (;;) {
    if (const auto end = input_.find('\n'); end != std::string::npos) {
      Json message = parse_json(std::string_view(input_).substr(0, end));
      input_.erase(0, end + 1);
      if (message.is_object()) return message;
      continue;
    }
    if (!wait_for(pipe_)) continue;
    std::array<char, 65536> chunk;
    const auto count = ::read(pipe_, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    input_.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

bool TaskClient::wait_for(int fd) {
  std::array<pollfd, 2> fds{pollfd{fd, POLLIN, 0}, pollfd{signals_.get(), POLLIN, 0}};
  if (::poll(fds.data(), fds.size(), -1) < 0) return false;
  signalfd_siginfo signal{};
  if (fds[1].revents != 0 && ::read(signals_.get(), &signal, sizeof signal) == sizeof signal) on_signal();
  return fds[0].revents != 0;
}

// The stop ends the run, whose call then answers.
void TaskClient::on_signal() {
  if (std::exchange(stopping_, true)) std::_Exit(kStopped);
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
    send({{"jsonrpc", "2.0"}, {"id", message.at("id")}, {"result", ask_person(params)}});
  } else if (method == "notifications/cancelled" || !message.contains("id")) {
    return;
  } else if (!method.empty()) {
    send({{"jsonrpc", "2.0"},
          {"id", message.at("id")},
          {"error", {{"code", -32601}, {"message", "bridle do does not know " + method}}}});
  }
}

Json TaskClient::ask_person(const Json& params) {
  std::fprintf(stderr, "%s\n", loggable(string_in(params, "message"), 4000).c_str());
  Json content = Json::object();
  for (const auto& [name, schema] : object_in(object_in(params, "requestedSchema"), "properties").items()) {
    Json value;
    while (value.is_null()) {
      std::string hint;
      if (const auto choices = schema.find("enum"); choices != schema.end()) hint = " " + dump(*choices);
      if (string_in(schema, "type") == "boolean") hint = " (y/n)";
      std::fprintf(stderr, "%s%s: ", name.c_str(), hint.c_str());
      const auto typed = read_line();
      if (!typed) return {{"action", "cancel"}};
      value = to_value(schema, *typed);
    }
    content[name] = std::move(value);
  }
  return {{"action", "accept"}, {"content", std::move(content)}};
}

// nullopt: the terminal was closed, or the run is stopped meanwhile.
std::optional<std::string> TaskClient::read_line() {
  for (;;) {
    if (const auto end = typed_.find('\n'); end != std::string::npos) {
      auto line = typed_.substr(0, end);
      typed_.erase(0, end + 1);
      return line;
    }
    if (!wait_for(STDIN_FILENO)) {
      if (stopping_) return std::nullopt;
      continue;
    }
    std::array<char, 4096> chunk;
    const auto count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    typed_.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace bridle
