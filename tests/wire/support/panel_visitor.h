#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tests/support/catch.h"
#include "tests/wire/support/mcp_client.h"

namespace bridle::wire {

// A browser at the control panel.
class PanelVisitor {
 public:
  explicit PanelVisitor(int port) : port_(port), http_(port) {}

  // As `bridle panel` and the person do it.
  std::string link() {
    const auto answer = http_.http("POST", "/panel/link", "", {});
    REQUIRE(answer.status == 200);
    const std::string url = answer.only().at("url");
    const std::string base = "http://127.0.0.1:" + std::to_string(port_);
    REQUIRE(url.starts_with(base + "/panel/enter?token="));
    return url.substr(base.size());
  }
  RawReply enter(const std::string& path) {
    auto reply = raw("GET", path, {{"Accept", "text/html"}});
    const auto cookie = reply.header("Set-Cookie");
    if (!cookie.empty()) cookie_ = cookie.substr(0, cookie.find(';'));
    return reply;
  }
  void enter() { REQUIRE(enter(link()).status == 303); }
  const std::string& cookie() const { return cookie_; }

  RawReply raw(const std::string& method, const std::string& path, Headers headers,
               const std::string& body = {}) const {
    headers.emplace_back("Connection", "close");
    RawClient client(port_);
    client.send(http_text(port_, method, path, body, headers));
    return client.read(true);
  }
  RawReply get(const std::string& path, Headers more = {}) const {
    more.emplace_back("Cookie", cookie_);
    return raw("GET", path, std::move(more));
  }
  RawReply post(const std::string& path, const Json& body, Headers more = {}) const {
    more.insert(more.end(), {{"Cookie", cookie_},
                             {"Content-Type", "application/json"},
                             {"Origin", "http://127.0.0.1:" + std::to_string(port_)}});
    return raw("POST", path, std::move(more), body.dump());
  }
  int port() const { return port_; }

 private:
  const int port_;
  McpClient http_;
  std::string cookie_{};
};

// Its stream of events.
class PanelEvents {
 public:
  explicit PanelEvents(const PanelVisitor& visitor, const std::string& query = {}, Headers more = {})
      : exchange_(visitor.port(), text(visitor, query, std::move(more)), kLatestLegacy, "") {}

  // The next event of that name; what comes before it is skipped. Fails the test when none comes.
  Json next(const std::string& name) {
    int quiet = 0;
    for (;;) {
      const auto event = exchange_.next_event();
      REQUIRE(event);
      if (event->comment) {
        REQUIRE(++quiet < 3);  // the stream lives, and what is waited for doesn't come
        continue;
      }
      last_id = event->id;
      if (event->name == name) return Json::parse(event->data);
    }
  }
  // The next state for which that holds.
  Json state(const std::function<bool(const Json&)>& holds) {
    for (;;) {
      Json state = next("state");
      if (holds(state)) return state;
    }
  }
  // ... that has a call in this state; `newest` is the whole state.
  Json newest{};
  Json call(const std::string& in_state) {
    Json found;
    newest = state([&](const Json& all) {
      for (const Json& one : all.at("calls")) {
        if (one.at("state") == in_state) found = one;
      }
      return !found.is_null();
    });
    return found;
  }
  std::string last_id{};

 private:
  static std::string text(const PanelVisitor& visitor, const std::string& query, Headers more) {
    more.emplace_back("Cookie", visitor.cookie());
    more.emplace_back("Accept", "text/event-stream");
    return http_text(visitor.port(), "GET", "/panel/events" + query, "", more);
  }
  Exchange exchange_;
};

}  // namespace bridle::wire
