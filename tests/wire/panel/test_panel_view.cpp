// The control panel with a real browser: what a viewer sees of a tab, and bridle's port out of pages' reach.
#include "tests/support/catch.h"
#include "tests/wire/support/panel_desk.h"

using namespace bridle;
using namespace bridle::wire;
using matchers::Contains;

TEST_CASE("panel: a live view shows the page, scaled; all viewers share one cast, which ends with the last",
          "[panel] [panel.view] [panel.view.one]") {
  Desk desk;
  CHECK(desk.visitor.get("/panel/view?session=" + desk.session + "&tab=t99").status == 404);
  {
    ViewStream view(desk, 640);
    const Json about = view.next();
    CHECK(about.at("width") == 1280);
    CHECK(about.at("height") == 720);
    CHECK(view.picture.starts_with("\xFF\xD8\xFF"));
    ViewStream other(desk, 320);
    CHECK(other.next().at("width") == 1280);
    // What the page shows next comes to both, and tells how far it was scrolled.
    CHECK_FALSE(
        desk.client.call(2, "browser_evaluate", {{"function", "() => window.scrollTo(0, 500)"}}).is_error_result());
    while (view.next().at("scrollY") != 500) {
    }
    while (other.next().at("scrollY") != 500) {
    }
    CHECK(desk.server.counter("streams") == 3);
    // The tab's end is told.
    CHECK_FALSE(desk.client.call(3, "browser_tabs", {{"action", "close"}}).is_error_result());
    for (Json last = view.next();; last = view.next()) {
      if (last.contains("end")) break;
    }
  }
  CHECK(eventually([&] { return desk.server.counter("streams") == 1; }));
}

TEST_CASE("panel: an acting call on a tab that is looked at leaves pictures of before and after; others leave none",
          "[panel] [panel.pictures]") {
  Desk desk;
  const auto past_of = [&](int id) {
    for (;;) {
      Json past = desk.events->next("past");
      if (past.at("request") == id) return past;
    }
  };
  CHECK_FALSE(desk.client.call(2, "browser_click", {{"target", "button"}}).is_error_result());
  CHECK(past_of(2).at("pictures").is_null());
  ViewStream view(desk, 640);
  view.next();
  CHECK_FALSE(desk.client
                  .call(3, "browser_evaluate",
                        {{"function",
                          "() => new Promise(done => { document.body.style.background = 'red';"
                          "requestAnimationFrame(() => requestAnimationFrame(done)) })"}})
                  .is_error_result());
  const Json pictures = past_of(3).at("pictures");
  for (const char* when : {"before", "after"}) {
    CAPTURE(when, pictures.dump());
    REQUIRE(pictures.contains(when));
    const auto picture = desk.visitor.get("/panel/pictures/" + pictures.at(when).get<std::string>());
    CHECK(picture.status == 200);
    CHECK(picture.header("Content-Type") == "image/jpeg");
    CHECK(picture.body.starts_with("\xFF\xD8\xFF"));
  }
  CHECK_FALSE(desk.client.call(4, "browser_snapshot", Json::object()).is_error_result());
  CHECK(past_of(4).at("pictures").is_null());
  for (const char* none : {"x", "1-before", "-after", "99999-after", "..%2f1-after"}) {
    CAPTURE(none);
    CHECK(desk.visitor.get("/panel/pictures/" + std::string(none)).status == 404);
  }
}

TEST_CASE("panel: how far a call says it is, its client having asked or not", "[panel] [panel.state]") {
  Desk desk;
  auto wait = desk.client.start(desk.client.call_request(2, "browser_wait_for", {{"text", "never there"}}));
  Json progress;
  desk.events->state([&](const Json& all) {
    for (const Json& call : all.at("calls")) progress = call.at("progress");
    return !progress.is_null();
  });
  CHECK(progress.at("total").is_number());
  CHECK_THAT(progress.at("words").get<std::string>(), Contains("waited"));
  CHECK(desk.visitor.post("/panel/stop", {{"all", true}}).status == 200);
  CHECK(wait->all_messages().size() == 1);
}

TEST_CASE("panel: dialogs are shown and answered; the tab's console and requests are there",
          "[panel] [panel.dialogs] [panel.logs]") {
  Desk desk;
  CHECK(desk.post("dialog", {{"accept", true}}) == 409);
  const Json ask = {{"function",
                     "() => { console.log('seen <b>'); const button = document.querySelector('button');"
                     " button.onclick = () => { document.title = prompt('Who?', 'me') } }"}};
  CHECK_FALSE(desk.client.call(2, "browser_evaluate", ask).is_error_result());
  CHECK_FALSE(desk.client.call(3, "browser_click", {{"target", "button"}}).is_error_result());
  const Json open =
      desk.events->state([](const Json& all) { return !all["sessions"][0]["tabs"][0]["dialog"].is_null(); });
  Json dialog = open["sessions"][0]["tabs"][0]["dialog"];
  const Json id = dialog.at("id");
  dialog.erase("id");
  CHECK(dialog == Json{{"type", "prompt"}, {"message", "Who?"}, {"defaultPrompt", "me"}});
  CHECK(desk.post("dialog", {{"accept", 1}}) == 400);
  CHECK(desk.post("dialog", {{"accept", true}, {"dialog", id.get<std::string>() + "0"}}) == 409);
  CHECK(desk.post("dialog", {{"accept", true}, {"dialog", id}, {"text", "you"}}) == 200);
  desk.events->state([](const Json& all) { return all["sessions"][0]["tabs"][0]["dialog"].is_null(); });
  const Json console = Json::parse(desk.visitor.get("/panel/console?" + desk.where()).body);
  REQUIRE(console.at("entries").size() == 1);
  CHECK(console["entries"][0].at("text") == "seen <b>");
  const Json network = Json::parse(desk.visitor.get("/panel/network?" + desk.where()).body);
  CHECK(network.at("entries").is_array());
  CHECK(desk.visitor.get("/panel/console?session=x&tab=y").status == 404);
}

TEST_CASE("panel: a download is listed, and can be saved", "[panel] [panel.downloads]") {
  Desk desk;
  const auto url = desk.server.site.url("/download?name=a%20b.txt");
  desk.client.call(2, "browser_navigate", {{"url", url}});
  const Json state = desk.events->state(
      [](const Json& all) { return !all.at("downloads").empty() && all["downloads"][0].at("state") == "done"; });
  const Json row = state["downloads"][0];
  CHECK(row.at("session") == desk.session);
  const auto file = desk.visitor.get("/panel/downloads/" + row.at("id").get<std::string>());
  CHECK(file.status == 200);
  CHECK(file.body.size() == row.at("bytes"));
  CHECK_THAT(file.header("Content-Disposition"), Contains("attachment"));
  CHECK(desk.visitor.get("/panel/downloads/x").status == 404);
  CHECK(desk.visitor.get("/panel/downloads/../state").status / 100 == 4);
}

TEST_CASE("panel: the automated browser can't reach bridle's own port, and the refusal says why",
          "[panel] [security.own-ports]") {
  const auto port = std::make_shared<std::atomic<int>>(0);
  BrowserSettings settings;
  const auto own_ports = [port] { return *port == 0 ? std::vector<int>() : std::vector<int>{port->load()}; };
  settings.launch.own_ports = own_ports;
  settings.policy.own_ports = own_ports;
  BrowserServer server({}, std::move(settings));
  *port = server.port();
  McpClient client(server.port());
  client.open();
  const auto number = std::to_string(server.port());
  int id = 1;
  // Before it has tried anything, and afterwards: what this test's own client needs for one call.
  const auto connections = [&] {
    const auto before = server.counter("connections_total");
    client.call(++id, "browser_status", Json::object());
    return server.counter("connections_total") - before;
  };
  const auto of_one_call = connections();
  const auto at_first = server.counter("connections_total");
  const auto id_at_first = id;
  for (const char* host :
       {"127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1", "2130706433", "x.localhost", "[::ffff:127.0.0.1]"}) {
    CAPTURE(host);
    const auto refused =
        client.call(++id, "browser_navigate", {{"url", "http://" + std::string(host) + ":" + number + "/"}});
    CHECK(refused.is_error_result());
    CHECK_THAT(refused.text(), Contains("bridle's own"));
  }
  const auto redirected = client.call(++id, "browser_navigate",
                                      {{"url", server.site.url("/redirect?to=http://127.0.0.1:" + number + "/")}});
  CHECK(redirected.is_error_result());
  CHECK_THAT(redirected.text(), Contains("bridle's own"));
  CHECK_FALSE(client.call(++id, "browser_navigate", {{"url", server.site.url("/plain")}}).is_error_result());
  const auto tried = client.call(++id, "browser_evaluate", {{"function", "async () => { const own = '" + number + R"(';
          const fetched = host => fetch('http://' + host + ':' + own + '/', {mode: 'no-cors'}).then(() => 'REACHED', () => 'no');
          const socket = host => new Promise(done => { const s = new WebSocket('ws://' + host + ':' + own + '/');
            s.onopen = () => done('REACHED'); s.onerror = () => done('no'); });
          const image = host => new Promise(done => { const i = new Image(); i.onload = () => done('REACHED');
            i.onerror = () => done('no'); i.src = 'http://' + host + ':' + own + '/panel/icon.svg'; });
          const all = [];
          for (const host of ['127.0.0.1', 'localhost', '[::1]', 'a.localhost'])
            all.push(await fetched(host), await socket(host), await image(host));
          const frame = document.createElement('iframe'); frame.src = 'http://127.0.0.1:' + own + '/'; document.body.append(frame);
          await new Promise(done => frame.onload = done);
          let inside = 'an error page'; try { inside = frame.contentDocument ? 'no document' : inside } catch {}
          return all.join(' ') + ' / ' + inside; })"}});
  CHECK_FALSE(tried.is_error_result());
  CHECK_THAT(tried.text(), Contains("no no no") && !Contains("REACHED"));
  // Not one connection of the browser came: all that there were are this test's own.
  CHECK(server.counter("connections_total") - at_first == (id - id_at_first) * of_one_call);
}
