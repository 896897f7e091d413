#include "server/http/client.h"

#include <httplib.h>

namespace bridle {

HttpClientAnswer http_request(const std::string& host, int port, const HttpClientRequest& request, Millis patience) {
  httplib::Client client(host, port);
  client.set_connection_timeout(patience);
  client.set_read_timeout(patience);
  client.set_write_timeout(patience);
  httplib::Request sent;
  sent.method = request.method;
  sent.path = request.path;
  for (const auto& [name, value] : request.headers) sent.set_header(name, value);
  if (!request.body.empty()) {
    sent.set_header("Content-Type", "application/json");
    sent.body = request.body;
  }
  const auto result = client.send(sent);
  if (result) return {.status = result->status, .body = result->body};
  const auto error = result.error();
  const bool unreachable = error == httplib::Error::Connection || error == httplib::Error::ConnectionTimeout;
  throw HttpClientError(unreachable, httplib::to_string(error));
}

}  // namespace bridle
