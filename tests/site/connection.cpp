#include "tests/site/connection.h"

#include <charconv>
#include <exception>
#include <optional>

namespace bridle::site {
namespace {

constexpr std::size_t kMaxHead = 256 * 1024;
constexpr std::size_t kMaxBody = 256 * 1024 * 1024;

void call(const Handler& handler, const Request& request, Response& response) {
  try {
    handler(request, response);
  } catch (const std::exception& error) {
    // A fixture that breaks must not look like a page that works.
    if (response.begun()) {
      response.reset();
      return;
    }
    response.status = 500;
    response.text(std::string("the fixture's handler threw: ") + error.what());
  }
}

}  // namespace

void Connection::run() {
  for (;;) {
    Request request;
    if (!read_request(request) || !serve(request)) break;
  }
  channel_.close_gently();
}

bool Connection::read_request(Request& request) {
  std::size_t end = 0;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (buffer_.size() > kMaxHead) {
      refuse("431 Request Header Fields Too Large");
      return false;
    }
    if (channel_.receive(buffer_) != Wait::ready) return false;
  }
  std::optional<Request> parsed = parse_head(std::string_view(buffer_).substr(0, end));
  if (!parsed) {
    refuse("400 Bad Request");
    return false;
  }
  request = std::move(*parsed);
  buffer_.erase(0, end + 4);
  if (!read_body(request)) return false;
  request.received = steady_now();
  service_.set_origins(request, channel_.port());
  return true;
}

bool Connection::read_body(Request& request) {
  const std::string* expect = request.header("Expect");
  if (expect != nullptr && channel_.send("HTTP/1.1 100 Continue\r\n\r\n") != Wait::ready) return false;

  if (const std::string* coding = request.header("Transfer-Encoding"); coding != nullptr) {
    bool malformed = *coding != "chunked";
    std::optional<ChunkedBody> chunked;
    while (!malformed && !(chunked = parse_chunked(buffer_, malformed))) {
      if (!malformed && (buffer_.size() > kMaxBody || channel_.receive(buffer_) != Wait::ready)) return false;
    }
    if (malformed) {
      refuse("400 Bad Request");
      return false;
    }
    request.body = std::move(chunked->body);
    buffer_.erase(0, chunked->consumed);
    return true;
  }

  const std::string* length = request.header("Content-Length");
  if (length == nullptr) return true;
  std::size_t size = 0;
  const auto [last, error] = std::from_chars(length->data(), length->data() + length->size(), size);
  if (error != std::errc() || last != length->data() + length->size() || size > kMaxBody) {
    refuse("400 Bad Request");
    return false;
  }
  while (buffer_.size() < size) {
    if (channel_.receive(buffer_) != Wait::ready) return false;
  }
  request.body = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return true;
}

bool Connection::serve(const Request& request) {
  const Handler handler = service_.find_handler(request);
  const Releases::Ticket ticket(service_.releases, request.path, request.target, channel_.wake_event());
  std::optional<std::uint64_t> id;
  if (!request.path.starts_with(kControlPrefix)) id = service_.log.open(request);

  Response response(request, channel_, ticket);
  call(handler, request, response);
  const Response::Ending ending = response.end();
  if (id) {
    switch (ending) {
      case Response::Ending::complete:
        service_.log.finish(*id);
        break;
      case Response::Ending::peer_gone:
        service_.log.hang_up(*id);
        break;
      case Response::Ending::stopped:
      case Response::Ending::reset:
        service_.log.abandon(*id);
        break;
    }
  }
  return ending == Response::Ending::complete && response.keep_alive();
}

void Connection::refuse(std::string_view status_line) {
  channel_.send("HTTP/1.1 " + std::string(status_line) + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

}  // namespace bridle::site
