#pragma once

#include <arpa/inet.h>

#include <cstring>
#include <memory>
#include <string>

#include "tests/wire/support/browser_server.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/panel_visitor.h"

namespace bridle::wire {

inline constexpr const char* kDeskPage =
    "data:text/html,<title>A<b>T</title><body style='margin:0;height:3000px'>"
    "<input id=i style='position:absolute;left:10px;top:10px;width:200px;height:30px'>"
    "<button onclick='document.title=1' "
    "style='position:absolute;left:10px;top:100px;width:100px;height:30px'>B</button>";

// A viewer who has opened the panel, and a client with a page open.
struct Desk {
  explicit Desk(const std::function<void(ServerOptions&)>& adjust = {}, const Json& capabilities = Json::object())
      : server(adjust), visitor(server.port()), client(server.port()) {
    visitor.enter();
    events = std::make_unique<PanelEvents>(visitor, "?viewer=viewer0001");
    client.open(capabilities);
    REQUIRE_FALSE(client.call(1, "browser_navigate", {{"url", kDeskPage}}).is_error_result());
    const Json state = events->state([](const Json& all) {
      return !all.at("sessions").empty() && !all["sessions"][0].at("tabs").empty() && all.at("calls").empty();
    });
    session = state["sessions"][0].at("id");
    tab = state["sessions"][0]["tabs"][0].at("id");
  }
  Json on(Json more = Json::object(), const std::string& viewer = "viewer0001") const {
    more.update({{"session", session}, {"tab", tab}, {"viewer", viewer}});
    return more;
  }
  int post(const std::string& path, Json more = Json::object(), const std::string& viewer = "viewer0001") const {
    return visitor.post("/panel/" + path, on(std::move(more), viewer)).status;
  }
  std::string where() const { return "session=" + session + "&tab=" + tab; }

  BrowserServer server;
  PanelVisitor visitor;
  McpClient client;
  std::unique_ptr<PanelEvents> events{};
  std::string session{};
  std::string tab{};
};

// The parts of a live view.
class ViewStream {
 public:
  ViewStream(const Desk& desk, int width) : client_(desk.visitor.port()) {
    client_.send(http_text(desk.visitor.port(), "GET",
                           "/panel/view?" + desk.where() + "&width=" + std::to_string(width), "",
                           {{"Cookie", desk.visitor.cookie()}}));
    REQUIRE(client_.read_head().status == 200);
  }
  // Its JSON; the picture is kept.
  Json next() {
    const Json about = Json::parse(bytes(length()));
    picture = bytes(length());
    return about;
  }
  std::string picture{};

 private:
  std::size_t length() {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes(4).data(), 4);
    return ntohl(size);
  }
  std::string bytes(std::size_t count) {
    while (body_.size() < count) {
      const auto chunk = client_.read_chunk();
      REQUIRE((chunk && !chunk->empty()));
      body_ += *chunk;
    }
    auto out = body_.substr(0, count);
    body_.erase(0, count);
    return out;
  }
  RawClient client_;
  std::string body_{};
};

}  // namespace bridle::wire
