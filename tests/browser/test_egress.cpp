// [security.egress]: a page that tries every way out that a Chromium has. What arrives is counted by listeners of our
// own, TCP and UDP, IPv4 and IPv6. The same page tries the same ways to an allowed origin: once those have arrived, the
// forbidden ones have been tried too. A browser without a list shows that they do arrive where nothing forbids them.
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>
#include <set>

#include "browser/chromium/process.h"
#include "config/network/network_address.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

constexpr std::string_view kAnswer =
    "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

// Counts what arrives at one port of this machine.
class Trap {
 public:
  Trap() {
    for (const char* host : {"127.0.0.1", "::1"}) {
      for (const int type : {SOCK_STREAM, SOCK_DGRAM}) bind(host, type);
    }
    thread_ = std::thread([this] { run(); });
  }
  ~Trap() {
    stop_.wake();
    thread_.join();
  }
  Trap(const Trap&) = delete;
  Trap& operator=(const Trap&) = delete;

  std::string authority(const std::string& host = "127.0.0.1") const { return host + ":" + port(); }
  std::string port() const { return std::to_string(port_); }
  long connections() const { return connections_; }
  long datagrams() const { return datagrams_; }
  // The ways whose names arrived, as the last part of a request's path.
  std::set<std::string> ways() const {
    const std::lock_guard lock(mutex_);
    return ways_;
  }

 private:
  void bind(const std::string& host, int type) {
    const auto address = *NetworkAddress::parse(host);
    sockaddr_storage own{};
    const auto size = address.to_sockaddr(port_, own);
    Fd fd(::socket(own.ss_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int on = 1;
    if (own.ss_family == AF_INET6) ::setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    const bool bound = fd && ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&own), size) == 0;
    if (!bound && own.ss_family == AF_INET6) return;  // a machine without IPv6
    REQUIRE(bound);
    if (port_ == 0) {
      sockaddr_in v4{};
      socklen_t v4_size = sizeof v4;
      ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&v4), &v4_size);
      port_ = ntohs(v4.sin_port);
    }
    if (type == SOCK_STREAM) REQUIRE(::listen(fd.get(), 511) == 0);
    (type == SOCK_STREAM ? listeners_ : sockets_).push_back(std::move(fd));
  }

  void run() {
    for (;;) {
      std::vector<pollfd> poller{{stop_.get(), POLLIN, 0}};
      for (const auto* group : {&listeners_, &sockets_, &accepted_}) {
        for (const auto& fd : *group) poller.push_back({fd.get(), POLLIN, 0});
      }
      ::poll(poller.data(), poller.size(), -1);
      if (poller[0].revents != 0) return;
      char buffer[4096];
      for (const auto& fd : sockets_) {
        while (::recv(fd.get(), buffer, sizeof buffer, 0) >= 0) ++datagrams_;
      }
      std::erase_if(accepted_, [&](const Fd& fd) {
        const auto got = ::recv(fd.get(), buffer, sizeof buffer, MSG_DONTWAIT);
        if (got > 0) note(std::string(buffer, static_cast<std::size_t>(got)));
        // Answered and closed, for the browser opens only six connections to one host.
        if (got > 0) ::send(fd.get(), kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL);
        return got >= 0 || errno != EAGAIN;
      });
      for (const auto& listener : listeners_) {
        for (Fd fd(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC)); fd;
             fd.reset(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC))) {
          ++connections_;
          accepted_.push_back(std::move(fd));
        }
      }
    }
  }
  void note(const std::string& head) {
    const auto line = head.substr(0, head.find(" HTTP/"));
    const std::lock_guard lock(mutex_);
    ways_.insert(line.substr(line.rfind('/') + 1));
  }

  int port_ = 0;
  WakeFd stop_;
  std::vector<Fd> listeners_;
  std::vector<Fd> sockets_;
  std::vector<Fd> accepted_;
  std::atomic<long> connections_{0};
  std::atomic<long> datagrams_{0};
  mutable std::mutex mutex_;
  std::set<std::string> ways_;
  std::thread thread_;
};

// Tries the ways to each TO (host:port, with commas between them). Each is named by the last part of its path.
const char* const kWays = R"(
const here = location.origin;
const quietly = (f) => { try { const p = f(); if (p && p.catch) p.catch(() => {}); } catch (e) {} };
const add = (tag, set, parent = document.body) => { const e = document.createElement(tag); Object.assign(e, set); parent.append(e); return e; };
const tryAll = (to, http = 'http://' + to + '/way/') => {
const click = (name, init, set = {}) => {
  const a = add('a', {href: http + name, textContent: name, ...set});
  a.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true, view: window, ...init}));
};
const ways = [
  () => click('ctrl-click', {ctrlKey: true}), () => click('shift-click', {shiftKey: true}),
  () => click('middle-click', {button: 1}), () => click('blank-click', {}, {target: '_blank', rel: 'noopener'}),
  () => window.open(http + 'window-open'),
  () => add('form', {action: http + 'form', target: '_blank', method: 'post'}).submit(),
  () => add('iframe', {src: http + 'iframe'}), () => add('iframe', {srcdoc: `<img src="${http}srcdoc-image">`}),
  () => add('object', {data: http + 'object'}), () => add('embed', {src: http + 'embed'}),
  () => fetch(http + 'fetch', {mode: 'no-cors'}), () => { const x = new XMLHttpRequest(); x.open('GET', http + 'xhr'); x.send(); },
  () => navigator.sendBeacon(http + 'beacon', 'b'), () => new WebSocket('ws://' + to + '/way/websocket'),
  () => new WebSocket('wss://' + to + '/way/secure-websocket'), () => new EventSource(http + 'event-source'),
  () => fetch(http + 'keepalive', {mode: 'no-cors', keepalive: true}), () => fetch('https://' + to + '/way/https', {mode: 'no-cors'}),
  () => { const a = add('a', {href: '#x', ping: http + 'ping'}); a.click(); },
  () => new Worker(here + '/egress-worker.js?to=' + to), () => new SharedWorker(here + '/egress-shared.js?to=' + to),
  () => navigator.serviceWorker.register(here + '/egress-service.js?to=' + to, {scope: '/egress-scope/'}),
  () => import(http + 'import'), () => CSS.paintWorklet.addModule(http + 'paint-worklet'),
  () => new AudioContext().audioWorklet.addModule(http + 'audio-worklet'),
  () => new WebTransport('https://' + to + '/way/web-transport').ready,
  () => { const pc = new RTCPeerConnection({iceServers: [{urls: 'stun:' + to}, {urls: 'turn:' + to, username: 'u', credential: 'p'},
      {urls: 'turn:' + to + '?transport=tcp', username: 'u', credential: 'p'}, {urls: 'turns:' + to, username: 'u', credential: 'p'}]});
    pc.createDataChannel('x'); return pc.createOffer().then((o) => pc.setLocalDescription(o)); },
  ...['prefetch', 'preload', 'modulepreload', 'prerender', 'preconnect', 'dns-prefetch', 'icon', 'manifest', 'stylesheet'].map(
    (rel) => () => add('link', {rel, href: http + 'link-' + rel, as: rel === 'preload' ? 'image' : ''}, document.head)),
  () => add('script', {type: 'speculationrules', textContent: JSON.stringify({prefetch: [{source: 'list', urls: [http + 'rules-prefetch'], eagerness: 'immediate'}],
    prerender: [{source: 'list', urls: [http + 'rules-prerender'], eagerness: 'immediate'}]})}),
  () => navigator.credentials.get({identity: {providers: [{configURL: http + 'fedcm', clientId: '1'}]}}),
  () => new PaymentRequest([{supportedMethods: 'https://' + to + '/way/payment'}], {total: {label: 'x', amount: {currency: 'EUR', value: '1'}}}).canMakePayment(),
  () => add('img', {src: http + 'image'}), () => add('script', {src: http + 'script'}), () => add('video', {src: http + 'video', preload: 'auto'}),
  () => add('audio', {src: http + 'audio', preload: 'auto'}),
  () => { const v = add('video', {}); const t = add('track', {src: http + 'track', kind: 'subtitles', default: true}, v); t.track.mode = 'showing'; },
  () => { add('style', {textContent: `@import "${http}css-import"; @font-face{font-family:egress;src:url(${http}font)} p{font-family:egress;background:url(${http}background)}`}); add('p', {textContent: 'font'}); },
  () => { add('div', {innerHTML: `<svg><image href="${http}svg-image"/></svg>`}); },
  () => add('iframe', {src: here + '/egress-csp?to=' + to}), () => add('iframe', {src: here + '/egress-refresh?to=' + to}),
  () => add('iframe', {src: here + '/egress-redirect?to=' + to}),
  () => add('a', {href: http + 'download', download: 'x', target: '_blank'}).click(),
];
ways.forEach(quietly);
addEventListener('pagehide', () => { quietly(() => navigator.sendBeacon(http + 'unload-beacon', 'b')); quietly(() => fetch(http + 'unload-fetch', {mode: 'no-cors', keepalive: true})); });
};
new URLSearchParams(location.search).get('to').split(',').forEach((to) => tryAll(to));
// What a browser begins lazily (fonts, media, prefetches) has begun by then.
setTimeout(() => add('p', {textContent: 'all ways tried'}), 1500);
)";

// Those that reach a server as HTTP where nothing forbids it, in each Chromium that this was tried with. The others may
// need a person, a setting or TLS; they are tried all the same.
const std::set<std::string> kSure{"ctrl-click",    "shift-click",   "middle-click",    "blank-click",   "window-open",
                                  "form",          "iframe",        "srcdoc-image",    "object",        "fetch",
                                  "xhr",           "beacon",        "websocket",       "event-source",  "keepalive",
                                  "ping",          "worker-fetch",  "shared-fetch",    "service-fetch", "import",
                                  "link-prefetch", "link-preload",  "link-stylesheet", "image",         "script",
                                  "css-import",    "font",          "background",      "svg-image",     "refresh",
                                  "redirect",      "unload-beacon", "unload-fetch"};

void set_pages() {
  auto& site = web();
  site.set_page("/egress", "<!doctype html><title>trying</title><link rel=icon href='data:,'><body><script>" +
                               std::string(kWays) + "</script>");
  const auto script = [&](const std::string& path, const std::string& name) {
    site.set_handler(path, [name](const site::Request& request, site::Response& response) {
      response.text("const to = '" + request.query_text("to") + "';\nself.onconnect = self.oninstall = () => {};\n" +
                    "fetch('http://' + to + '/way/" + name + "-fetch', {mode: 'no-cors'}).catch(() => {});\n" +
                    "try { new WebSocket('ws://' + to + '/way/" + name + "-websocket'); } catch (e) {}\n");
      response.set_header("Content-Type", "text/javascript");
      response.set_header("Service-Worker-Allowed", "/");
    });
  };
  script("/egress-worker.js", "worker");
  script("/egress-shared.js", "shared");
  script("/egress-service.js", "service");
  site.set_handler("/egress-csp", [](const site::Request& request, site::Response& response) {
    const auto way = "http://" + request.query_text("to") + "/way/";
    response.set_header("Content-Security-Policy", "img-src 'none'; report-uri " + way + "csp-report");
    response.set_header("Reporting-Endpoints", "it=\"" + way + "reporting\", default=\"" + way + "reporting\"");
    response.set_header("NEL", R"({"report_to":"it","max_age":3600,"success_fraction":1})");
    response.html("<img src='/x.png'>");
  });
  site.set_handler("/egress-refresh", [](const site::Request& request, site::Response& response) {
    response.html("<meta http-equiv=refresh content='0;url=http://" + request.query_text("to") + "/way/refresh'>");
  });
  site.set_handler("/egress-redirect", [](const site::Request& request, site::Response& response) {
    response.redirect("http://" + request.query_text("to") + "/way/redirect");
  });
}

std::string page_for(const std::string& authority) { return web().url("/egress?to=" + authority); }

// The ways that arrived at the site's second origin.
std::set<std::string> ways_at_site() {
  std::set<std::string> ways;
  for (const auto& request : web().requests()) {
    if (request.path.starts_with("/way/") && request.origin == web().other_origin())
      ways.insert(request.path.substr(5));
  }
  return ways;
}

std::set<std::string> missing(const std::set<std::string>& ways) {
  std::set<std::string> left = kSure;
  for (const auto& way : ways) left.erase(way);
  return left;
}

std::string listed(const std::set<std::string>& ways) {
  std::string text;
  for (const auto& way : ways) text += way + " ";
  return text;
}

// Tries all ways to `authority`, and leaves.
void try_ways(Session& session, const std::string& authority) {
  session.navigate(page_for(authority));
  session.ok("browser_wait_for", {{"text", "all ways tried"}, {"timeout", 20000}});
  session.navigate(web().url("/plain"));
}

House& house_with(const std::vector<std::string>& allowed, const std::vector<std::string>& blocked) {
  static std::vector<std::unique_ptr<House>> houses;
  BrowserSettings settings;
  settings.launch.origins = OriginRules(allowed, blocked);
  settings.policy.origins = settings.launch.origins;
  houses.push_back(std::make_unique<House>(settings));
  return *houses.back();
}

// A Chromium with a profile that also writes down what it does on the network; its file is whole once it has ended.
class LoggedChromium {
 public:
  explicit LoggedChromium(const std::string& name)
      : folder_(open_folder(name)),
        program_(fake_browser(name + "-chromium", "exec " + ChromiumProcess::find_executable({}) +
                                                      " --log-net-log=" + log() + " \"$@\"\n")) {}

  BrowserSettings settings(const OriginRules& origins) const {
    BrowserSettings settings;
    settings.launch.executable = program_;
    settings.launch.user_data_dir = folder_ + "/profile";
    settings.launch.origins = settings.policy.origins = origins;
    return settings;
  }
  // The hosts that it has asked the system or a name server for.
  std::set<std::string> looked_up() const {
    std::ifstream file(log());
    const auto log = Json::parse(file);
    const auto job = log.at("constants").at("logEventTypes").at("HOST_RESOLVER_MANAGER_JOB");
    std::set<std::string> hosts;
    for (const auto& event : log.at("events")) {
      if (event.at("type") == job && event.contains("params")) hosts.insert(event["params"].value("host", ""));
    }
    return hosts;
  }

 private:
  std::string log() const { return folder_ + "/net-log.json"; }
  const std::string folder_;
  const std::string program_;
};

bool any_names(const std::set<std::string>& hosts, const std::string& name) {
  return std::any_of(hosts.begin(), hosts.end(), [&](const auto& host) { return host.find(name) != host.npos; });
}

void check_fenced(Session& session, const Trap& trap) {
  web().reset_log();
  std::string all;
  for (const char* host : {"127.0.0.1", "localhost", "[::1]"}) all += trap.authority(host) + ",";
  session.navigate(page_for(all + web().other_origin().substr(7)));
  session.ok("browser_wait_for", {{"text", "all ways tried"}, {"timeout", 20000}});
  // A page that is left earlier takes what it has only begun with it.
  eventually([] {
    const auto left = missing(ways_at_site());
    return std::all_of(left.begin(), left.end(), [](const auto& way) { return way.starts_with("unload-"); });
  });
  session.navigate(web().url("/plain"));
  eventually([] { return missing(ways_at_site()).empty(); });
  CHECK(listed(missing(ways_at_site())) == "");
  CHECK(listed(trap.ways()) == "");
  CHECK(trap.connections() == 0);
  CHECK(trap.datagrams() == 0);
}

}  // namespace

TEST_CASE("egress: without a list a page reaches a server in all of these ways", "[egress]") {
  set_pages();
  const Trap trap;
  Session session;
  try_ways(session, trap.authority());
  eventually([&] { return missing(trap.ways()).empty() && trap.datagrams() > 0; });
  CHECK(listed(missing(trap.ways())) == "");
  CHECK(trap.datagrams() > 0);
}

TEST_CASE("egress: with an allowed list nothing arrives anywhere else", "[egress] [security.egress]") {
  set_pages();
  const Trap trap;
  Session session(house_with({web().origin(), web().other_origin()}, {}));
  check_fenced(session, trap);
}

TEST_CASE("egress: with a blocked list nothing arrives at what is in it, by whatever name",
          "[egress] [security.egress]") {
  set_pages();
  const Trap trap;
  const std::string blocked = trap.authority();
  House& house = house_with({}, {"http://" + blocked, "https://" + blocked});
  Session first(house);
  Session second(house);
  try_ways(second, trap.authority());
  check_fenced(first, trap);
}

TEST_CASE("egress: with a profile nothing arrives either, and no forbidden name is looked up",
          "[egress] [security.egress]") {
  set_pages();
  const std::string name = "egress-name.test";
  const LoggedChromium chromium("net-log-fenced");
  for (const char* start : {"a new profile", "what the first start has kept"}) {
    CAPTURE(start);
    {
      const Trap trap;
      House house(chromium.settings(OriginRules({web().origin(), web().other_origin()}, {})));
      Session session(house);
      check_fenced(session, trap);
      try_ways(session, name + ":" + trap.port());
    }
    CHECK(!any_names(chromium.looked_up(), name));
  }

  const LoggedChromium open("net-log-open");
  {
    House house(open.settings({}));
    Session session(house);
    try_ways(session, name + ":8123");
  }
  CHECK(any_names(open.looked_up(), name));
}
