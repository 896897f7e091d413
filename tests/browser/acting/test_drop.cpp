// Files and data dragged in from outside [tool.drop].
#include <filesystem>
#include <fstream>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace fs = std::filesystem;

namespace {

fs::path allowed() {
  static const fs::path folder = open_folder("drop-allowed");
  std::ofstream(folder / "one.txt") << "hello";
  std::ofstream(folder / "two.bin", std::ios::binary) << std::string("\0\1\2", 3);
  return folder;
}

House& drop_house() {
  BrowserSettings settings;
  settings.files = std::make_shared<OutputFolder>(private_tmp() + "/drop-out", std::vector{allowed().string()});
  static House house(settings);
  return house;
}

// A zone that takes what it is given, and tells each event; one that takes nothing; native ones.
constexpr const char* kPage = R"(<!doctype html><title>Drop</title><style>div{width:200px;height:60px}</style>
  <div id=zone role=button aria-label=zone>zone</div><div id=closed>closed</div><div id=careless>careless</div>
  <input id=file type=file multiple><textarea id=text></textarea>
  <script>
    events = []; info = null;
    for (const type of ['dragenter', 'dragover', 'dragleave', 'drop'])
      zone.addEventListener(type, async (e) => {
        e.preventDefault();
        events.push(type + (e.isTrusted ? '' : '?') + ':' + [...e.dataTransfer.types].sort());
        if (type !== 'drop') return;
        const data = {}, files = [...e.dataTransfer.files];
        for (const t of e.dataTransfer.types) if (t !== 'Files') data[t] = e.dataTransfer.getData(t);
        info = {data, files: await Promise.all(files.map(async (f) => [f.name, f.size, await f.text()]))};
      });
    careless.addEventListener('dragover', (e) => e.preventDefault());
    careless.addEventListener('drop', (e) => { careless.textContent = e.defaultPrevented + ' ' + e.dataTransfer.files.length });
  </script>)";

void open_zone(Session& session, const std::string& path = "/drop") {
  web().set_page("/drop", kPage);
  session.navigate(web().url(path));
}

}  // namespace

TEST_CASE("drop: a page sees dragenter, dragover and drop, trusted, with the files", "[drop] [tool.drop]") {
  Session session(drop_house());
  open_zone(session);
  const auto answer =
      session.ok("browser_drop", {{"target", "#zone"},
                                  {"element", "the zone"},
                                  {"paths", {(allowed() / "one.txt").string(), (allowed() / "two.bin").string()}}});
  CHECK_THAT(answer.section("Result"), Contains("dropped one.txt, two.bin on button \"zone\""));
  REQUIRE(eventually([&] { return !session.evaluate("info").is_null(); }));
  CHECK(session.evaluate("info.files") == Json::parse(R"([["one.txt",5,"hello"],["two.bin",3,"\u0000\u0001\u0002"]])"));
  CHECK(session.evaluate("events.filter((name, i) => name !== events[i - 1])") ==
        Json({"dragenter:Files", "dragover:Files", "drop:Files"}));
}

TEST_CASE("drop: data by MIME type, and with a file", "[drop] [tool.drop]") {
  Session session(drop_house());
  open_zone(session);
  const Json data{{"text/plain", "hello world"}, {"text/html", "<b>hello</b>"}, {"application/x-card", "{\"id\":7}"}};
  session.ok("browser_drop", {{"target", "#zone"}, {"data", data}});
  REQUIRE(eventually([&] { return !session.evaluate("info").is_null(); }));
  CHECK(session.evaluate("info.data") == data);
  session.evaluate("() => { info = null }");
  session.ok("browser_drop",
             {{"target", "#zone"}, {"data", {{"text/plain", "x"}}}, {"paths", {(allowed() / "one.txt").string()}}});
  REQUIRE(eventually([&] { return !session.evaluate("info").is_null(); }));
  CHECK(session.evaluate("[info.data['text/plain'], info.files.length]") == Json({"x", 1}));
}

TEST_CASE("drop: what takes it without a script", "[drop] [tool.drop]") {
  Session session(drop_house());
  open_zone(session);
  session.ok("browser_drop", {{"target", "#file"}, {"paths", {(allowed() / "one.txt").string()}}});
  CHECK(session.evaluate("[...document.querySelector('#file').files].map((f) => f.name)") == Json({"one.txt"}));
  session.ok("browser_drop", {{"target", "#text"}, {"data", {{"text/plain", "written"}}}});
  CHECK(session.evaluate("document.querySelector('#text').value") == "written");
}

TEST_CASE("drop: where nothing may be dropped, nothing is, and the page stays", "[drop] [tool.drop]") {
  Session session(drop_house());
  open_zone(session);
  const auto one = (allowed() / "one.txt").string();
  CHECK_THAT(session.error("browser_drop", {{"target", "#closed"}, {"paths", {one}}}).section("Error"),
             Contains("does not take one.txt") && Contains("Nothing was dropped"));
  CHECK_THAT(session.error("browser_drop", {{"target", "#closed"}, {"data", {{"text/uri-list", web().url("/plain")}}}})
                 .section("Error"),
             Contains("does not take text/uri-list"));
  // The browser would open the file: a listener that forgets to say no is no leave for that.
  session.ok("browser_drop", {{"target", "#careless"}, {"paths", {one}}});
  CHECK(session.evaluate("document.querySelector('#careless').textContent") == "false 1");
  CHECK(session.href() == web().url("/drop"));
  const auto stats = page_stats(session);
  CHECK(stats.listeners == 0);
}

TEST_CASE("drop: in frames of the same site and another", "[drop] [tool.drop]") {
  Session session(drop_house());
  web().set_page("/drop-frames",
                 "<p style='height:100px'>above</p><iframe id=near width=400 height=400 src='/drop'></iframe>"
                 "<iframe id=far width=400 height=400 src='" +
                     web().cross_site_url("/drop") + "'></iframe>");
  web().set_page("/drop", kPage);
  session.navigate(web().url("/drop-frames"));
  const auto snapshot = session.snapshot();
  std::size_t at = 0;
  for (int frame = 0; frame < 2; ++frame) {
    at = snapshot.find("button \"zone\" [ref=", at + 1);
    CAPTURE(snapshot, frame);
    REQUIRE(at != std::string::npos);
    const auto from = snapshot.find("[ref=", at) + 5;
    const auto ref = snapshot.substr(from, snapshot.find(']', from) - from);
    session.ok("browser_drop", {{"target", ref}, {"data", {{"text/plain", "in"}}}});
    CHECK(eventually([&] {
      return session.ok("browser_evaluate", {{"target", ref}, {"function", "() => info && info.data"}})
                 .structured["value"] == Json{{"text/plain", "in"}};
    }));
  }
}

TEST_CASE("drop: bad input", "[drop] [tool.drop] [tool.uploads]") {
  Session session(drop_house());
  open_zone(session);
  const auto error = [&](Json args) { return session.error("browser_drop", args).section("Error"); };
  CHECK_THAT(error({{"target", "#zone"}}), Contains("At least one of \"paths\" or \"data\" must be provided."));
  CHECK_THAT(error({{"target", "#zone"}, {"paths", {"/etc/passwd"}}}), Contains("may not be uploaded"));
  CHECK_THAT(error({{"target", "#zone"}, {"paths", {(allowed() / "none.txt").string()}}}), Contains("none.txt"));
  CHECK_THAT(error({{"target", "#zone"}, {"data", {{"text", "x"}}}}), Contains("\"text\" is no MIME type"));
  CHECK_THAT(
      check_arguments(drop_house().tool("browser_drop"), {{"target", "#zone"}, {"data", {{"text/plain", 1}}}}).problem,
      Contains("data.text/plain"));
  CHECK_THAT(error({{"target", "#nowhere"}, {"data", {{"text/plain", "x"}}}}), Contains("#nowhere"));
  CHECK(session.evaluate("events") == Json::array());
}

TEST_CASE("drop: an abort while the page is busy with the drag calls it off",
          "[drop][abort] [tool.drop] [cancel.browser.input]") {
  Session session(drop_house());
  web().set_page("/drop-busy", R"(<!doctype html><div id=zone style="width:200px;height:200px">zone</div><script>
    seen = [];
    for (const type of ['dragenter', 'dragover', 'dragleave', 'drop']) zone.addEventListener(type, (e) => {
      e.preventDefault(); seen.push(type);
      if (type === 'dragenter') { const x = new XMLHttpRequest(); x.open('GET', '/held?key=drop-busy', false); x.send() }
    })</script>)");
  session.navigate(web().url("/drop-busy"));
  auto running = session.start("browser_drop", {{"target", "#zone"}, {"data", {{"text/plain", "x"}}}});
  REQUIRE(web().wait_for_request("/held?key=drop-busy", kPatience));
  running->abort_and_get();
  web().release("drop-busy");
  CHECK_THAT(session.ok("browser_snapshot").section("Events"), Contains("may have dragged text/plain over"));
  const auto seen = session.evaluate("seen").dump();
  CHECK_THAT(seen, Contains("dragenter") && !Contains("drop"));
  CHECK(page_stats(session).listeners == 0);
  session.ok("browser_drop", {{"target", "#zone"}, {"data", {{"text/plain", "x"}}}});
  CHECK(session.evaluate("seen.at(-1)") == "drop");
}

TEST_CASE("a drag with the mouse rests over its end, for pages that look at the mouse in some frames",
          "[drag] [tool.drag.rest]") {
  Session session;
  web().set_page(
      "/lazy",
      R"html(<!doctype html><p id=source>Block</p><div id=target style="margin-top:300px">Canvas</div><script>
const frames = (n, then) => requestAnimationFrame(n > 1 ? () => frames(n - 1, then) : then);
let over = null;
source.onpointerdown = () => {
  onpointermove = ({ clientX, clientY }) => frames(2, () => { over = document.elementFromPoint(clientX, clientY); });
  onpointerup = () => { target.textContent = over === target ? 'dropped' : 'nothing is over it'; };
};
</script>)html");
  session.navigate(web().url("/lazy"));
  session.ok("browser_drag", {{"startTarget", "#source"}, {"endTarget", "#target"}});
  CHECK(session.text_of("#target") == "dropped");
}
