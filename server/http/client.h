#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/concurrency/deadline.h"

namespace bridle {

// No answer: `unreachable` when nothing accepts connections there.
class HttpClientError : public std::runtime_error {
 public:
  HttpClientError(bool is_unreachable, const std::string& words)
      : std::runtime_error(words), unreachable(is_unreachable) {}
  const bool unreachable;
};

struct HttpClientRequest {
  std::string method;
  std::string path;
  std::string body;  // sent as application/json; "" sends none
  std::vector<std::pair<std::string, std::string>> headers;
};

struct HttpClientAnswer {
  int status = 0;
  std::string body;
};

// Sends one request to the address `host` and `port`, on a connection of its own, and reads the whole answer, waiting
// at most `patience` for each step of progress. Throws HttpClientError. For the commands that talk to a running server:
// it has no signal to end it, and belongs into no tool.
HttpClientAnswer http_request(const std::string& host, int port, const HttpClientRequest& request, Millis patience);

}  // namespace bridle
