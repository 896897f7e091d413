#include "tests/site/control.h"

#include <optional>
#include <string>
#include <vector>

#include "tests/site/site_server.h"

namespace bridle::site {
namespace {

std::string number(Millis time) { return std::to_string(time.count()); }
std::string now_member() { return "\"now\":" + number(steady_now()); }

// Names in lower case and the last of equal ones wins, as node's `headers` object has them.
std::string to_json(const Headers& headers) {
  std::map<std::string, std::string> by_name;
  for (const auto& [name, value] : headers) {
    std::string key = name;
    for (char& c : key) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    by_name[key] = value;
  }
  std::string out = "{";
  for (const auto& [name, value] : by_name) {
    if (out.size() > 1) out += ',';
    out += json_string(name) + ':' + json_string(value);
  }
  return out + '}';
}

std::string to_json(const RequestRecord& record) {
  return "{\"method\":" + json_string(record.method) + ",\"path\":" + json_string(record.path) +
         ",\"target\":" + json_string(record.target) + ",\"origin\":" + json_string(record.origin) +
         ",\"headers\":" + to_json(record.headers) + ",\"body\":" + json_string(record.body) +
         ",\"ms\":" + number(record.received) +
         ",\"finished\":" + (record.finished ? number(*record.finished) : std::string("null")) + '}';
}

std::string to_json(const HangupRecord& record) {
  return "{\"path\":" + json_string(record.path) + ",\"target\":" + json_string(record.target) +
         ",\"ms\":" + number(record.at) + ",\"afterMs\":" + number(record.at - record.received) + ',' + now_member() +
         '}';
}

template <typename Item>
std::string json_array(const std::vector<Item>& items) {
  std::string out = "[";
  for (const Item& item : items) {
    if (out.size() > 1) out += ',';
    out += to_json(item);
  }
  return out + ']';
}

void timed_out(Response& response, std::string_view what) {
  response.status = 504;
  response.json("{\"error\":" + json_string("timeout: no such " + std::string(what)) + '}');
}

void answer_log(const SiteServer& server, const std::string& path, Response& response) {
  response.json("{\"requests\":" + json_array(server.requests(path)) +
                ",\"hangups\":" + json_array(server.hangup_records(path)) +
                ",\"open\":" + std::to_string(server.open_connections(path)) + ',' + now_member() + '}');
}

void answer_wait_request(const SiteServer& server, const std::string& path, Millis timeout, std::size_t count,
                         Response& response) {
  if (!server.wait_for_request(path, timeout, count)) return timed_out(response, "request");
  const std::vector<RequestRecord> found = server.requests(path);
  // Between the two calls somebody may have reset the log.
  response.json(found.size() < count ? "{}" : to_json(found[count - 1]));
}

void answer_wait_hangup(const SiteServer& server, const std::string& path, Millis timeout, std::size_t count,
                        Response& response) {
  const std::optional<HangupRecord> found = server.wait_for_hangup_record(path, timeout, count);
  if (!found) return timed_out(response, "hang-up");
  response.json(to_json(*found));
}

}  // namespace

void serve_control(SiteServer& server, const Request& request, Response& response) {
  response.set_header("Cache-Control", "no-store");
  const std::string path = request.query_text("path");
  const Millis timeout(request.query_int("timeout", 5'000, 0, 600'000));
  const auto count = static_cast<std::size_t>(request.query_int("count", 1, 1, 1'000'000));

  if (request.path == "/__log") return answer_log(server, path, response);
  if (request.path == "/__wait_request") return answer_wait_request(server, path, timeout, count, response);
  if (request.path == "/__wait_hangup") return answer_wait_hangup(server, path, timeout, count, response);
  if (request.path == "/__wait_open") {
    const auto wanted = static_cast<std::size_t>(request.query_int("count", 0, 0, 1'000'000));
    if (!server.wait_for_open_connections(path, wanted, timeout)) return timed_out(response, "number");
    return response.json("{\"open\":" + std::to_string(wanted) + '}');
  }
  if (request.path == "/__origins") {
    return response.json("{\"origin\":" + json_string(server.origin()) +
                         ",\"other\":" + json_string(server.other_origin()) +
                         ",\"crossSite\":" + json_string(server.cross_site()) + ',' + now_member() + '}');
  }
  if (request.path == "/__release" && request.query.contains("key")) {
    server.release(request.query_text("key"));
    return response.json("{}");
  }
  if (request.path == "/__release" && path.starts_with('/')) {
    server.release(path);
    return response.json("{}");
  }
  if (request.path == "/__set_page" && request.method == "POST" && path.starts_with('/')) {
    server.set_page(path, request.body);
    return response.json("{}");
  }
  if (request.path == "/__reset" && request.method == "POST") {
    server.reset_log();
    return response.json("{}");
  }
  response.status = 404;
  response.json("{\"error\":\"no such control endpoint, or an argument is missing\"}");
}

}  // namespace bridle::site
