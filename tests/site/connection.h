// Serves the requests of one connection, one after the other.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "tests/site/request_log.h"
#include "tests/site/response.h"

namespace bridle::site {

// What connections need of the server. Outlives them; its members may be used from any thread.
struct Service {
  RequestLog& log;
  Releases& releases;
  std::function<Handler(const Request&)> find_handler;  // never an empty one
  std::function<void(Request&, std::uint16_t port)> set_origins;
};

// Requests for these are the tests' remote control: they leave no trace in the log.
inline constexpr std::string_view kControlPrefix = "/__";

class Connection {
 public:
  Connection(Channel channel, const Service& service) : channel_(std::move(channel)), service_(service) {}

  // Returns when the peer left, the server stops, or the protocol says so.
  void run();

 private:
  // False: no further request.
  bool read_request(Request& request);
  bool read_body(Request& request);
  bool serve(const Request& request);
  void refuse(std::string_view status_line);

  Channel channel_;
  const Service& service_;
  std::string buffer_;  // received and not yet consumed
};

}  // namespace bridle::site
