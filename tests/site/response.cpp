#include "tests/site/response.h"

#include <algorithm>
#include <cstdio>

namespace bridle::site {
namespace {

constexpr std::size_t kPiece = 64 * 1024;

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 205:
      return "Reset Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 303:
      return "See Other";
    case 307:
      return "Temporary Redirect";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 404:
      return "Not Found";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return "Status";
  }
}

bool wants_close(const Request& request) {
  if (request.http_1_0) return true;
  const std::string* connection = request.header("Connection");
  return connection != nullptr && (*connection == "close" || *connection == "Close");
}

// A decoded query may hold line ends; they would start a header of their own.
std::string one_line(std::string value) {
  std::erase_if(value, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
  return value;
}

}  // namespace

Response::Response(const Request& request, Channel& channel, const Releases::Ticket& ticket)
    : channel_(channel),
      ticket_(ticket),
      head_only_(request.method == "HEAD"),
      http_1_0_(request.http_1_0),
      keep_alive_(!wants_close(request)) {}

void Response::set_header(std::string_view name, std::string value) {
  std::erase_if(headers_, [&](const auto& header) { return header.first == name; });
  add_header(name, std::move(value));
}

void Response::add_header(std::string_view name, std::string value) {
  headers_.emplace_back(name, one_line(std::move(value)));
}

void Response::html(std::string text) {
  body = std::move(text);
  set_header("Content-Type", "text/html; charset=utf-8");
}

void Response::text(std::string text) {
  body = std::move(text);
  set_header("Content-Type", "text/plain; charset=utf-8");
}

void Response::json(std::string text) {
  body = std::move(text);
  set_header("Content-Type", "application/json");
}

void Response::redirect(std::string location, int with_status) {
  status = with_status;
  set_header("Location", std::move(location));
  text("redirected");
}

bool Response::delay(Millis time) { return wait_released("", std::chrono::steady_clock::now() + time); }

bool Response::hold(const std::string& key) { return wait_released(key, std::nullopt); }

bool Response::begin() {
  begun_ = true;
  chunked_ = !http_1_0_;
  if (http_1_0_) keep_alive_ = false;  // the end of the connection is the end of the body
  return note(channel_.send(head_text() + (chunked_ ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n")));
}

bool Response::begin(std::size_t content_length) {
  begun_ = true;
  promised_ = content_length;
  return note(channel_.send(head_text() + "Content-Length: " + std::to_string(content_length) + "\r\n\r\n"));
}

bool Response::write(std::string_view piece) {
  if (ending_ != Ending::complete) return false;
  if (head_only_ || piece.empty()) return true;
  if (!chunked_) {
    promised_ -= std::min(promised_, piece.size());
    return note(channel_.send(piece));
  }
  char size[24];
  std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
  return note(channel_.send(std::string(size).append(piece).append("\r\n")));
}

bool Response::write_repeated(std::string_view pattern, std::size_t size) {
  std::string piece;
  while (piece.size() < std::min(size, kPiece)) piece += pattern;
  while (size > 0) {
    const std::size_t now = std::min(size, piece.size());
    if (!write(std::string_view(piece).substr(0, now))) return false;
    size -= now;
  }
  return true;
}

void Response::reset() {
  channel_.close_with_reset();
  ending_ = Ending::reset;
}

Response::Ending Response::end() {
  if (ending_ != Ending::complete) return ending_;
  if (begun_) {
    if (chunked_ && !head_only_) note(channel_.send("0\r\n\r\n"));
    if (promised_ != 0 && !head_only_) keep_alive_ = false;  // less came than was promised
    return ending_;
  }
  std::string message = head_text();
  if (status != 204 && status != 304) message += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  message += "\r\n";
  if (!bodiless()) message += body;
  note(channel_.send(message));
  return ending_;
}

bool Response::note(Wait wait) {
  if (wait == Wait::hung_up) ending_ = Ending::peer_gone;
  if (wait == Wait::stopped) ending_ = Ending::stopped;
  return ending_ == Ending::complete;
}

bool Response::wait_released(const std::string& key, Channel::Deadline deadline) {
  if (ending_ != Ending::complete) return false;
  return note(channel_.wait_for([&] { return ticket_.released(key); }, deadline));
}

std::string Response::head_text() const {
  std::string head = "HTTP/1.1 " + std::to_string(status) + ' ' + std::string(reason_phrase(status)) + "\r\n";
  for (const auto& [name, value] : headers_) head += name + ": " + value + "\r\n";
  // Not no-store: pages must be able to enter the back-forward cache, as those of the real web do.
  if (find_header(headers_, "Cache-Control") == nullptr) head += "Cache-Control: no-cache\r\n";
  head += keep_alive_ ? "Connection: keep-alive\r\n" : "Connection: close\r\n";
  return head;
}

bool Response::bodiless() const { return head_only_ || status == 204 || status == 304; }

}  // namespace bridle::site
