// Options that shape what a client gets: --secrets, --image-responses, --snapshot-mode, --save-session, --idle-timeout;
// and a client's roots.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/text/codecs.h"
#include "base/text/named_secrets.h"
#include "tests/support/catch.h"
#include "tests/wire/support/bridle_process.h"
#include "tests/wire/support/browser_server.h"

using namespace bridle;
using namespace bridle::wire;
using matchers::Contains;
namespace fs = std::filesystem;

namespace {

using SecretMap = std::map<std::string, std::string>;

std::string content_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

BrowserSettings writing_to(const TempDir& folder) {
  BrowserSettings settings;
  settings.files = std::make_shared<OutputFolder>(folder.path() + "/out");
  return settings;
}

struct GivenSecrets {
  explicit GivenSecrets(const SecretMap& secrets) { set_named_secrets(secrets); }
  ~GivenSecrets() { set_named_secrets({}); }
};

constexpr const char* kValue = "s3cr3t \"v&lue\"";

void go(McpClient& client, BrowserServer& server, const std::string& path) {
  REQUIRE_FALSE(client.call("go", "browser_navigate", {{"url", server.site.url(path)}}).is_error_result());
}

}  // namespace

TEST_CASE("secrets: typed by name, and told by name whatever tells them", "[options] [tool.secrets.named]") {
  const TempDir folder;
  const GivenSecrets given(SecretMap{{"LOGIN", kValue}});
  auto settings = writing_to(folder);
  settings.save_session = true;
  BrowserServer server({}, settings);
  server.site.set_page("/secret",
                       "<title>t</title><form action=/plain><input id=a name=q aria-label=A><input id=b aria-label=B>"
                       "<button id=go>go</button></form><p id=out></p><script>"
                       "for (const id of ['a', 'b']) document.getElementById(id).oninput = (e) => {"
                       "  document.getElementById('out').textContent = e.target.value;"
                       "  document.title = e.target.value; console.error('typed ' + e.target.value); };</script>");
  McpClient client(server.port());
  client.open();
  go(client, server, "/secret");
  int id = 0;
  const auto call = [&](const char* tool, const Json& arguments) {
    const auto answer = client.call(++id, tool, arguments);
    const auto whole = answer.only().dump();
    CAPTURE(tool, whole);
    CHECK(whole.find("s3cr3t") == std::string::npos);
    CHECK(whole.find(base64(kValue).substr(0, 12)) == std::string::npos);
    return whole;
  };
  const std::string shown = "<secret>LOGIN</secret>";
  CHECK_THAT(call("browser_type", {{"target", "#a"}, {"text", "LOGIN"}}), Contains(shown));
  // It was the value that was typed.
  const auto length = std::to_string(std::string(kValue).size());
  CHECK_THAT(call("browser_evaluate", {{"function", "document.getElementById('a').value.length"}}), Contains(length));
  call("browser_fill_form", {{"fields", {{{"target", "#b"}, {"value", "<{{LOGIN}}>"}}}}});
  CHECK_THAT(call("browser_evaluate", {{"function", "document.getElementById('b').value"}}),
             Contains("<" + shown + ">"));
  CHECK_THAT(call("browser_evaluate", {{"function", "({v: document.getElementById('a').value})"}}), Contains(shown));
  CHECK_THAT(call("browser_evaluate", {{"function", "btoa('user:' + document.getElementById('a').value)"}}),
             Contains("</secret>"));
  CHECK_THAT(call("browser_evaluate", {{"function", "encodeURIComponent(document.getElementById('a').value)"}}),
             Contains(shown));
  CHECK_THAT(call("browser_snapshot", Json::object()), Contains(shown));
  CHECK_THAT(call("browser_console_messages", Json::object()), Contains(shown));
  call("browser_snapshot", {{"filename", "page.md"}});
  call("browser_console_messages", {{"filename", "console.txt"}});
  call("browser_evaluate", {{"function", "document.getElementById('a').value"}, {"filename", "value.txt"}});
  CHECK_THAT(call("browser_tabs", {{"action", "list"}}), Contains(shown));
  CHECK_THAT(call("browser_click", {{"target", "#go"}}), Contains(shown));  // ?q=... is the page's URL now
  CHECK_THAT(call("browser_network_requests", Json::object()), Contains(shown));
  call("browser_wait_for", {{"text", kValue}, {"timeout", 1}});  // an error that quotes it
  const auto status = client.http("GET", "/status", "", {}).reply.body;
  CHECK(status.find("s3cr3t") == std::string::npos);
  const auto resource = client.post(request("resources/read", ++id, {{"uri", "bridle://page/network"}})).only().dump();
  CHECK(resource.find("s3cr3t") == std::string::npos);
  for (const auto& item : fs::recursive_directory_iterator(folder.path())) {
    CAPTURE(item.path());
    if (item.is_regular_file()) CHECK(content_of(item.path()).find("s3cr3t") == std::string::npos);
  }
}

TEST_CASE("secrets: a password's field shows the name of what was typed, as long as it holds that",
          "[options] [tool.secrets.named]") {
  const GivenSecrets given(SecretMap{{"LOGIN", kValue}});
  BrowserServer server;
  server.site.set_page("/login",
                       "<form><input type=password id=p aria-label=Password><input type=password id=r "
                       "aria-label=Repeat><div id=c contenteditable role=textbox aria-label=Token></div></form>");
  McpClient client(server.port());
  client.open();
  go(client, server, "/login");
  int id = 0;
  const auto call = [&](const char* tool, const Json& arguments) { return client.call(++id, tool, arguments).text(); };
  const std::string shown = "<secret>LOGIN</secret>";
  const auto filled = call("browser_fill_form", {{"fields",
                                                  {{{"target", "#p"}, {"value", "LOGIN"}},
                                                   {{"target", "#r"}, {"value", "{{LOGIN}}"}},
                                                   {{"target", "#c"}, {"value", "LOGIN"}}}}});
  CHECK_THAT(filled, Contains("typed " + shown + " into textbox \"Password\""));
  CHECK_THAT(filled, Contains("typed " + shown + " into textbox \"Repeat\""));
  const auto page = call("browser_snapshot", Json::object());
  CHECK_THAT(page, Contains("textbox \"Password\"") && Contains("]: \"" + shown) && !Contains("hidden"));
  // A name that is none, as a typing error makes it, is typed as it stands.
  const auto wrong = call("browser_type", {{"target", "#p"}, {"text", "LOGNI"}});
  CHECK_THAT(wrong, Contains("typed into textbox \"Password\"") && Contains("[value hidden]") && !Contains(shown));
  // With what the page adds it isn't the secret any more.
  call("browser_evaluate", {{"function", "document.getElementById('r').value += 1"}});
  CHECK_THAT(call("browser_snapshot", Json::object()), Contains("textbox \"Repeat\" [ref=e2]: \"[value hidden]\""));
}

TEST_CASE("secrets: one that is for some origins is typed there alone, in frames too",
          "[options] [tool.secrets.origins]") {
  const TempDir folder;
  const GivenSecrets given(SecretMap{{"LOGIN", kValue}, {"FREE", "anywhere"}});
  auto settings = writing_to(folder);
  const std::string own = "http://127.0.0.1:*";
  settings.secret_places.emplace("LOGIN", OriginList({own}));
  BrowserServer server({}, settings);
  const auto field = [](const std::string& name) { return "<title>t</title><input id=a aria-label=" + name + ">"; };
  server.site.set_page("/field", field("Elsewhere"));
  server.site.set_page("/sandboxed", field("Sandboxed"));
  server.site.set_page("/frames", field("Here") + "<iframe src='" + server.site.cross_site_url("/field") +
                                      "'></iframe><iframe sandbox=allow-scripts src=/sandboxed></iframe>");
  McpClient client(server.port());
  client.open();
  int id = 0;
  const auto call = [&](const char* tool, const Json& arguments) { return client.call(++id, tool, arguments); };
  const auto typed = [&](const char* target) {
    return call("browser_evaluate", {{"target", target}, {"function", "(el) => el.value.length"}}).text();
  };
  const auto length = std::to_string(std::string(kValue).size());
  const auto refused = [&](const Answer& answer, const char* target) {
    CHECK(answer.is_error_result());
    CHECK_THAT(answer.text(),
               Contains("may be typed on " + own + " alone") && Contains("Nothing was typed") && !Contains("s3cr3t"));
    CHECK_THAT(typed(target), !Contains(length));
  };
  go(client, server, "/frames");
  CHECK_FALSE(call("browser_type", {{"target", "#a"}, {"text", "LOGIN"}}).is_error_result());
  CHECK_THAT(typed("#a"), Contains(length));
  const auto slow = call("browser_type", {{"target", "#a"}, {"text", "{{LOGIN}}"}, {"slowly", true}});
  CHECK_THAT(slow.text(), Contains("leave slowly out"));
  const auto snapshot = call("browser_snapshot", Json::object()).text();
  for (const char* name : {"Elsewhere", "Sandboxed"}) {
    INFO(snapshot);
    const auto at = snapshot.find("[ref=f", snapshot.find(name));
    REQUIRE(at != std::string::npos);
    const auto ref = snapshot.substr(at + 5, snapshot.find(']', at) - at - 5);
    refused(call("browser_type", {{"target", ref}, {"text", "x{{LOGIN}}"}}), ref.c_str());
    refused(call("browser_fill_form", {{"fields", {{{"target", ref}, {"value", "LOGIN"}}}}}), ref.c_str());
    CHECK_FALSE(call("browser_type", {{"target", ref}, {"text", "FREE"}}).is_error_result());
  }
  REQUIRE_FALSE(call("browser_navigate", {{"url", server.site.cross_site_url("/field")}}).is_error_result());
  refused(call("browser_type", {{"target", "#a"}, {"text", "LOGIN"}}), "#a");
}

TEST_CASE("options: what a picture's result holds", "[options] [tool.image-responses]") {
  const TempDir folder;
  const auto kinds = [&](const char* mode, const Json& arguments) {
    auto settings = writing_to(folder);
    settings.image_responses = mode;
    BrowserServer server({}, settings);
    McpClient client(server.port());
    client.open();
    go(client, server, "/plain");
    std::string found;
    const auto picture = client.call(1, "browser_take_screenshot", arguments);
    for (const auto& block : picture.only()["result"]["content"]) found += block["type"].get<std::string>() + " ";
    const auto other = client.call(2, "browser_snapshot", Json::object());
    CHECK(other.only()["result"]["content"].size() == 1);
    return found;
  };
  CHECK(kinds("allow", Json::object()) == "text image ");
  CHECK(kinds("omit", Json::object()) == "text text ");
  CHECK(kinds("only", Json::object()) == "image ");
}

TEST_CASE("options: what an action's result shows of the page", "[options] [tool.snapshot-mode]") {
  const auto results = [](const char* mode, bool boxes) {
    BrowserSettings settings;
    settings.snapshot_mode = mode;
    settings.snapshot_boxes = boxes;
    BrowserServer server({}, settings);
    server.site.set_page("/mode", "<button id=b onclick=\"this.textContent='after'\">before</button><p>stays here</p>");
    McpClient client(server.port());
    client.open();
    const auto page = client.call(0, "browser_navigate", {{"url", server.site.url("/mode")}}).text();
    return std::pair(page, client.call(1, "browser_click", {{"target", "#b"}}).text());
  };
  const auto delta = results("delta", false);
  CHECK_THAT(delta.first, Contains("stays here"));
  CHECK_THAT(delta.second, Contains("after") && !Contains("stays here"));
  const auto full = results("full", true);
  CHECK_THAT(full.first, Contains("stays here") && Contains("[box="));
  CHECK_THAT(full.second, Contains("after") && Contains("stays here") && Contains("[box="));
  const auto none = results("none", false);
  CHECK_THAT(none.first, !Contains("### Snapshot"));
  CHECK_THAT(none.second, !Contains("### Snapshot") && Contains("### Page"));
}

TEST_CASE("options: a session's calls, pictures and consoles are kept in its folder", "[options] [tool.save-session]") {
  const TempDir folder;
  auto settings = writing_to(folder);
  settings.save_session = true;
  BrowserServer server({}, settings);
  server.site.set_page("/logs", "<!doctype html><script>console.log('first'); console.debug('quiet')</script>");
  McpClient client(server.port());
  client.open();
  go(client, server, "/plain?title=Kept");
  const auto picture = client.call(1, "browser_take_screenshot", {{"filename", ""}});
  client.call(2, "browser_click", {{"target", "#none"}});
  go(client, server, "/logs");
  client.call(3, "browser_evaluate", {{"function", "() => console.error('second')"}});
  go(client, server, "/logs");
  std::vector<fs::path> files;
  for (const auto& session : fs::directory_iterator(folder.path() + "/out")) {
    for (const auto& file : fs::directory_iterator(session)) {
      // Where the browser is of the same user, the folder that its downloads come to stands here too.
      if (file.is_regular_file()) files.push_back(file.path());
    }
  }
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() == 4);
  const auto first = content_of(files[0]);
  CHECK_THAT(files[0].filename().string(), Contains("console-20") && Contains("Z.log"));
  CHECK_THAT(first, Contains("[INFO] first @ ") && Contains("[ERROR] second") && !Contains("quiet"));
  CHECK(std::count(first.begin(), first.end(), '\n') == 2);
  const auto other = content_of(files[1]);
  CHECK_THAT(other, Contains("[INFO] first @ ") && !Contains("second"));
  const auto name = files[2].filename().string();
  CHECK_THAT(name, Contains("page-20") && Contains("Z.png"));
  CHECK(content_of(files[2]).starts_with("\x89PNG"));
  CHECK_THAT(picture.only().dump(), Contains("Kept as ") && Contains(name));
  CHECK(files[3].filename() == "session.md");
  const auto text = content_of(files[3]);
  CHECK_THAT(text, Contains("### Tool call: browser_navigate\n- Args\n```json\n") && Contains("/plain?title=Kept") &&
                       Contains("- Picture: " + name) && Contains("- Result (error)"));
}

TEST_CASE("options: an unused browser is ended, and the next call starts one", "[options] [tool.idle-timeout]") {
  BrowserSettings settings;
  settings.launch.idle = Millis(300);
  BrowserServer server({}, settings);
  McpClient client(server.port());
  client.open();
  go(client, server, "/plain");
  REQUIRE(server.counter("browsers") == 1);
  // A call that takes longer than that keeps it.
  CHECK_FALSE(client.call(1, "browser_wait_for", {{"time", 1}}).is_error_result());
  CHECK(server.counter("browsers_started_total") == 1);
  REQUIRE(eventually([&] { return server.counter("browsers") == 0; }));
  const auto again = client.call(2, "browser_navigate", {{"url", server.site.url("/plain")}});
  CHECK_FALSE(again.is_error_result());
  CHECK_THAT(again.text(),
             Contains("it was not used for 300 ms, see --idle-timeout") && Contains("a new one was started"));
  CHECK(server.counter("browsers_started_total") == 2);
}

TEST_CASE("roots: a client's folders widen what may be uploaded; it is asked once, and again after a change",
          "[options] [tool.uploads.roots]") {
  const TempDir folder;
  BrowserServer server({}, writing_to(folder));
  server.site.set_page("/up", "<input type=file id=file>");
  fs::create_directories(folder.path() + "/root a");
  fs::create_directories(folder.path() + "/other");
  std::ofstream(folder.path() + "/root a/in.txt") << "x";
  std::ofstream(folder.path() + "/other/out.txt") << "x";
  McpClient client(server.port());
  client.open({{"roots", {{"listChanged", true}}}});
  go(client, server, "/up");
  const auto upload = [&](const Json& id, const std::string& path) {
    return client.call_request(id, "browser_file_upload", {{"target", "#file"}, {"paths", {folder.path() + path}}});
  };
  // Answers roots/list with these, and returns the call's text.
  const auto asked = [&](const Json& id, const std::string& path, const std::vector<std::string>& uris) {
    auto call = client.start(upload(id, path));
    const auto question = call->next_message();
    REQUIRE(question);
    REQUIRE(question->value("method", "") == "roots/list");
    Json roots = Json::array();
    for (const auto& uri : uris) roots.push_back({{"uri", uri}});
    client.post({{"jsonrpc", "2.0"}, {"id", (*question)["id"]}, {"result", {{"roots", roots}}}});
    const auto result = call->next_message();
    REQUIRE(result);
    return (*result)["result"]["content"][0]["text"].get<std::string>();
  };
  CHECK_THAT(asked(1, "/root a/in.txt",
                   {"https://a.example/", "file://elsewhere/tmp", "file://" + folder.path() + "/root%20a"}),
             Contains("gave in.txt"));
  // Known now: no question.
  CHECK_THAT(client.post(upload(2, "/root a/in.txt")).text(), Contains("gave in.txt"));
  CHECK_THAT(client.post(upload(3, "/other/out.txt")).text(), Contains("may not be uploaded"));
  CHECK_THAT(client.post(upload(4, "/root a/../other/out.txt")).text(), Contains("may not be uploaded"));
  client.post({{"jsonrpc", "2.0"}, {"method", "notifications/roots/list_changed"}});
  CHECK_THAT(asked(5, "/other/out.txt", {"file://" + folder.path() + "/other"}), Contains("gave out.txt"));
  CHECK_THAT(client.post(upload(6, "/root a/in.txt")).text(), Contains("may not be uploaded"));
  // A client without roots isn't asked, and another session's are its own.
  McpClient other(server.port());
  other.open();
  go(other, server, "/up");
  CHECK_THAT(other.post(upload(7, "/other/out.txt")).text(), Contains("may not be uploaded"));
}

TEST_CASE("roots: in 2026-07-28 the call says that it needs them, and is made again",
          "[options] [tool.uploads.roots]") {
  const TempDir folder;
  BrowserServer server({}, writing_to(folder));
  server.site.set_page("/up", "<input type=file id=file>");
  std::ofstream(folder.path() + "/in.txt") << "x";
  McpClient client(server.port(), kModern);
  client.capabilities = {{"roots", Json::object()}};
  go(client, server, "/up");
  auto call =
      client.call_request(1, "browser_file_upload", {{"target", "#file"}, {"paths", {folder.path() + "/in.txt"}}});
  const auto first = client.post(call).only()["result"];
  REQUIRE(first["resultType"] == "input_required");
  const auto key = first["inputRequests"].begin().key();
  CHECK(first["inputRequests"][key]["method"] == "roots/list");
  call["id"] = 2;
  call["params"]["inputResponses"] = {{key, {{"roots", {{{"uri", "file://" + folder.path()}}}}}}};
  call["params"]["requestState"] = first["requestState"];
  CHECK_THAT(client.post(call).text(), Contains("gave in.txt"));
  // They are of that call: all clients without a session share one scope.
  call["id"] = 3;
  call["params"].erase("inputResponses");
  call["params"].erase("requestState");
  CHECK(client.post(call).only()["result"]["resultType"] == "input_required");
}

TEST_CASE("/ serves MCP as /mcp does, but for a browser's visit", "[options] [tool.endpoints]") {
  TestServer server;
  McpClient client(server.port());
  const Json initialize = request("initialize", 1,
                                  {{"protocolVersion", "2025-11-25"},
                                   {"capabilities", Json::object()},
                                   {"clientInfo", {{"name", "x"}, {"version", "1"}}}});
  const auto opened = client.http("POST", "/", initialize.dump(), {{"Accept", kBoth}});
  CHECK(opened.status == 200);
  const auto session = opened.reply.header("Mcp-Session-Id");
  REQUIRE_FALSE(session.empty());
  CHECK(client.http("GET", "/", "", {{"Accept", "text/html,*/*"}}).status == 401);  // the panel's [panel.entry]
  CHECK(client.http("DELETE", "/", "", {{"Mcp-Session-Id", session}}).status / 100 == 2);
  CHECK(client.http("PUT", "/", "", {}).status == 405);
}
