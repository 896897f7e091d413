#include "server/cli_client.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "base/log.h"
#include "server/mcp/jsonrpc.h"

namespace bridle {
namespace {

using Json = nlohmann::json;

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

// One request on its own connection: the smallest HTTP/1.1 client that talks to our own server.
std::string talk(const Options& options, const std::string& request) {
  const Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(options.port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  timeval patience{.tv_sec = 10, .tv_usec = 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    throw std::runtime_error("no server on port " + std::to_string(options.port) +
                             "; name another with --port or BRIDLE_PORT");
  }
  for (std::size_t sent = 0; sent < request.size();) {
    const ssize_t count = ::send(socket.get(), request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) throw std::runtime_error("the server closed the connection");
    sent += static_cast<std::size_t>(count);
  }
  std::string answer;
  char buffer[16384];
  for (;;) {
    const ssize_t count = ::recv(socket.get(), buffer, sizeof(buffer), 0);
    if (count < 0) throw std::runtime_error("the server did not answer");
    if (count == 0) return answer;
    answer.append(buffer, static_cast<std::size_t>(count));
  }
}

Json ask(const Options& options, const std::string& method, const std::string& path, const std::string& body) {
  std::string request = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(options.port) +
                        "\r\nConnection: close\r\n";
  if (!options.token_file.empty()) request += "Authorization: Bearer " + read_token_file(options.token_file) + "\r\n";
  if (!body.empty()) {
    request += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  }
  const std::string answer = talk(options, request + "\r\n" + body);
  const auto head_end = answer.find("\r\n\r\n");
  if (!answer.starts_with("HTTP/1.1 ") || head_end == std::string::npos) {
    throw std::runtime_error("port " + std::to_string(options.port) + " speaks no HTTP");
  }
  const std::string status = answer.substr(9, 3);
  if (status == "401") throw std::runtime_error("the server asks for a token: give --token-file");
  if (status != "200") throw std::runtime_error("the server answered " + status);
  Json value = Json::parse(answer.substr(head_end + 4), nullptr, false);
  if (!value.is_object()) throw std::runtime_error("port " + std::to_string(options.port) + " is not a bridle server");
  return value;
}

void print_row(const Json& row) {
  const auto text = [&](const char* name) {
    const Json value = row.value(name, Json());
    return loggable(value.is_string() ? value.get<std::string>() : value.is_null() ? "-" : jsonrpc::dump(value), 60);
  };
  std::printf("  %-10s id %-8s %-24s tab %-6s %-10s %8s ms  %s%s\n", text("session").c_str(),
              loggable(jsonrpc::dump(row.value("id", Json())), 60).c_str(), text("tool").c_str(), text("tab").c_str(),
              text("state").c_str(), text("sinceMs").c_str(), text("reason").c_str(),
              row.value("overdue", false) ? "  OVERDUE" : "");
}

void print_status(const Json& status) {
  const Json server = status.value("server", Json::object());
  std::printf("bridle %s, %s\n", server.value("version", "?").c_str(), server.value("state", "?").c_str());
  for (const char* part : {"requests", "recent"}) {
    const Json rows = status.value(part, Json::array());
    std::printf("%s: %zu\n", part, rows.size());
    for (const Json& row : rows) print_row(row);
  }
  const Json tabs = status.value("tabs", Json::array());
  std::printf("tabs: %zu\n", tabs.size());
  for (const Json& tab : tabs) {
    std::printf("  %s  %s\n", tab.value("id", "").c_str(), loggable(tab.value("url", "")).c_str());
  }
  std::printf("counters:\n");
  const Json counters = status.value("counters", Json::object());
  for (const auto& [name, value] : counters.items()) {
    std::printf("  %-28s %s\n", name.c_str(), jsonrpc::dump(value).c_str());
  }
}

// An id as typed: a number is one, unless quoted; anything else is a string.
Json typed_id(const std::string& text) {
  const Json value = Json::parse(text, nullptr, false);
  return value.is_number_integer() || value.is_string() ? value : Json(text);
}

template <typename Work>
int guarded(Work work) {
  try {
    return work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bridle: %s\n", error.what());
    return 1;
  }
}

}  // namespace

int run_status(const Options& options) {
  return guarded([&] {
    print_status(ask(options, "GET", "/status", ""));
    return 0;
  });
}

int run_stop(const Options& options) {
  return guarded([&] {
    Json body = Json::object();
    if (!options.stop_id.empty()) body["request"] = typed_id(options.stop_id);
    Json report = ask(options, "POST", "/stop", jsonrpc::dump(body));
    if (!report.value("wasCancelled", false) && body.contains("request") && body["request"].is_number()) {
      report = ask(options, "POST", "/stop", jsonrpc::dump({{"request", options.stop_id}}));
    }
    std::printf("wasCancelled: %s\ntimedOut: %s\n", report.value("wasCancelled", false) ? "true" : "false",
                report.value("timedOut", false) ? "true" : "false");
    for (const Json& row : report.value("requests", Json::array())) print_row(row);
    return options.stop_id.empty() || report.value("wasCancelled", false) ? 0 : 1;
  });
}

}  // namespace bridle
