#include <arpa/inet.h>
#include <spdlog/fmt/fmt.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "bench/lab.h"

// The control panel, as the page in a person's browser meets it: how soon it hears of a call, how soon a stop and an
// input have their effect, and what a viewer costs the server.
namespace bridle::bench {
namespace {

constexpr const char* kTold = "panel: a call's begin to its page";
constexpr const char* kStop = "panel: stop pressed to \"stopped\" on its page";
constexpr const char* kInput = "panel: a key pressed in the live view to the page";
constexpr const char* kOpen = "panel: open, no live view (% of a core)";
constexpr const char* kView = "panel: live view of a page that moves (% of a core)";
constexpr const char* kRate = "panel: live view, pictures a second";
constexpr int kRounds = 40;
constexpr int kWatched = 5000;  // ms
constexpr const char* kViewer = "benchviewer";
constexpr const char* kKey = "panel-key-";  // and which one it is

// A browser that was let in, with its stream of events.
class Visitor {
 public:
  explicit Visitor(int port) : port_(port), events_(port) {
    const auto link = send_once("POST", "/panel/link", {});
    const auto url = Json::parse(link.body).at("url").get<std::string>();
    const auto entered = send_once("GET", url.substr(url.find("/panel/")), {});
    const auto cookie = entered.header("Set-Cookie");
    cookie_ = cookie.substr(0, cookie.find(';'));
    events_.send(text("GET", std::string("/panel/events?viewer=") + kViewer, {}));
    events_.read_head(wire::kPatience);
  }
  // The next event that holds `words`, and when its last byte had come.
  std::pair<std::string, Clock::time_point> next(std::string_view words) {
    for (;;) {
      auto event = events_.read_event(wire::kPatience);
      if (!event) throw std::runtime_error("the panel's events ended");
      if (event->find(words) != std::string::npos) return {std::move(*event), Clock::now()};
    }
  }
  // When its first byte was sent. Throws when it is refused.
  Clock::time_point post(const std::string& path, const Json& body) const {
    const auto request = text("POST", path, body.dump());
    wire::RawClient client(port_);
    const Stopwatch watch;
    client.send(request);
    const auto reply = client.read(true);
    if (reply.status != 200) throw std::runtime_error(path + ": " + reply.body);
    return watch.begun();
  }
  std::string text(const std::string& method, const std::string& path, const std::string& body) const {
    return fmt::format(
        "{} {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nOrigin: http://127.0.0.1:{}\r\nCookie: {}\r\n"
        "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
        method, path, port_, port_, cookie_, body.size(), body);
  }

 private:
  wire::RawReply send_once(const std::string& method, const std::string& path, const std::string& body) const {
    wire::RawClient client(port_);
    client.send(fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
                            method, path, port_, body.size(), body));
    return client.read(true);
  }
  const int port_;
  std::string cookie_{};
  wire::RawClient events_;
};

double ms_between(Clock::time_point from, Clock::time_point to) {
  return std::max(0.0, std::chrono::duration<double, std::milli>(to - from).count());
}

// Reads parts of a live view for so long; how many there were.
int count_pictures(wire::RawClient& view, int ms) {
  const Stopwatch watch;
  std::string body;
  int parts = 0;  // two a picture: what is said of it, and its bytes
  while (watch.ms() < ms) {
    const auto chunk = view.read_chunk(wire::kPatience);
    if (!chunk || chunk->empty()) throw std::runtime_error("the live view ended");
    body += *chunk;
    for (;;) {
      std::uint32_t size = 0;
      if (body.size() < sizeof size) break;
      std::memcpy(&size, body.data(), sizeof size);
      size = ntohl(size);
      if (body.size() < sizeof size + size) break;
      body.erase(0, sizeof size + size);
      ++parts;
    }
  }
  return parts / 2;
}

void measure_times(Lab& lab, McpClient& client, Visitor& visitor, const Json& place) {
  Row told{.name = kTold, .goal = Goal::at_most(50)};
  Row stopped{.name = kStop, .goal = Goal::at_most(50)};
  Row input{.name = kInput, .goal = Goal::at_most(50)};
  const int rounds = lab.rounds(kRounds);
  for (int round = 0; round < rounds; ++round) {
    check_interrupted();
    const Stopwatch watch;
    const auto call = client.start("browser_wait_for", {{"text", "what never comes"}, {"timeout", 60'000}});
    told.bridle.push_back(ms_between(watch.begun(), visitor.next("\"state\":\"running\",\"tab\":\"t").second));
    const auto pressed = visitor.post("/panel/stop", {{"all", true}});
    stopped.bridle.push_back(ms_between(pressed, visitor.next("\"outcome\":\"aborted\"").second));
  }
  visitor.post("/panel/take-over", place);
  for (int round = 0; round < rounds; ++round) {
    check_interrupted();
    Json press = place;
    press["events"] = Json::array(
        {{{"type", "keydown"}, {"key", "a"}, {"code", "KeyA"}}, {{"type", "keyup"}, {"key", "a"}, {"code", "KeyA"}}});
    const auto sent = visitor.post("/panel/input", press);
    input.bridle.push_back(ms_between(sent, lab.beacons().wait_request(fmt::format("{}{}", kKey, round + 1))));
  }
  visitor.post("/panel/hand-back", place);
  for (Row* row : {&told, &stopped, &input}) {
    if (lab.wants(row->name)) lab.add(std::move(*row));
  }
}

void measure_viewer(Lab& lab, const BridleProcess& server, McpClient& client, const Visitor& visitor,
                    const Json& place) {
  client.call("browser_evaluate",
              {{"function",
                "() => { document.body.innerHTML = '<div id=box style=\"position:fixed;width:200px;height:200px;"
                "background:red\"></div>'; let n = 0; const draw = () => { box.style.left = (n++ * 7) % 800 + 'px';"
                " requestAnimationFrame(draw) }; requestAnimationFrame(draw) }"}});
  const auto percent_while = [&](const auto& body) {
    const double before = server.cpu_ms();
    const Stopwatch watch;
    body();
    return 100 * (server.cpu_ms() - before) / watch.ms();
  };
  const double without = percent_while([] { ::poll(nullptr, 0, kWatched); });
  wire::RawClient view(server.port());
  view.send(visitor.text("GET",
                         fmt::format("/panel/view?session={}&tab={}&width=1280", place.at("session").get<std::string>(),
                                     place.at("tab").get<std::string>()),
                         {}));
  view.read_head(wire::kPatience);
  int pictures = 0;
  const double with = percent_while([&] { pictures = count_pictures(view, kWatched); });
  lab.add_value(kOpen, {}, without);
  lab.add_value(kView, Goal::at_most(10), with - without);
  lab.add_value(kRate, {}, 1000.0 * pictures / kWatched);
}

}  // namespace

void measure_panel(Lab& lab) {
  lab.section({kTold, kStop, kInput, kOpen, kView, kRate}, [&] {
    const BridleProcess server(lab.settings().bridle);
    McpClient client(server.port());
    client.call("browser_navigate", {{"url", lab.site().url("/plain")}});
    client.call(
        "browser_evaluate",
        {{"function", fmt::format("() => {{ let n = 0; onkeydown = () => fetch('{}' + ++n) }}", Beacons::mark(kKey))}});
    Visitor visitor(server.port());
    const auto [event, when] = visitor.next("event: state");
    const auto state = Json::parse(event.substr(event.find("data: ") + 6));
    const auto& session = state.at("sessions").at(0);
    const Json place = {{"session", session.at("id")}, {"tab", session.at("tabs").at(0).at("id")}, {"viewer", kViewer}};
    measure_times(lab, client, visitor, place);
    measure_viewer(lab, server, client, visitor, place);
  });
}

}  // namespace bridle::bench
