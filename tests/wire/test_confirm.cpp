// --confirm: the person is asked before a first upload, download or form post to an origin that nobody has named.
#include "tests/support/catch.h"
#include "tests/wire/support/bridle_process.h"
#include "tests/wire/support/browser_server.h"

using namespace bridle;
using namespace bridle::wire;
using matchers::Contains;

namespace {

BrowserSettings asking(const TempDir& folder) {
  BrowserSettings settings;
  settings.files = std::make_shared<OutputFolder>(folder.path() + "/out");
  settings.confirm = {"upload", "download", "submit"};
  settings.launch.holds_forms = true;
  return settings;
}

// A client whose caller has named the site's origin and is now on a page of the other one, which it got to by a link.
void lead_astray(BrowserServer& server, McpClient& client) {
  server.site.set_page("/start", "<a id=away href='" + server.site.other_url("/strange") + "'>away</a>");
  server.site.set_page("/strange",
                       "<title>strange</title><input type=file id=file><form method=post action=/posted>"
                       "<input name=a value=1><button id=send>send</button></form>"
                       "<a id=load href='/download?name=b.bin'>load</a>");
  CHECK_FALSE(client.call("n", "browser_navigate", {{"url", server.site.url("/start")}}).is_error_result());
  const auto clicked = client.call("c", "browser_click", {{"target", "#away"}});
  CHECK_THAT(clicked.text(), Contains(server.site.other_url("/strange")));
  const auto saved = client.call("s", "browser_snapshot", {{"filename", "page.md"}});
  CHECK_THAT(saved.text(), Contains("page.md"));
}

const Json kUpload = {{"target", "#file"}, {"paths", {"page.md"}}};

// Answers the question that the call puts, and returns the call's text.
std::string answered(McpClient& client, Exchange& call, const Json& answer, const std::string& about) {
  const auto question = call.next_message();
  REQUIRE(question);
  INFO(question->dump());
  REQUIRE(question->value("method", "") == "elicitation/create");
  CHECK_THAT((*question)["params"]["message"].get<std::string>(), Contains(about));
  client.post({{"jsonrpc", "2.0"}, {"id", (*question)["id"]}, {"result", answer}});
  const auto result = call.next_message();
  REQUIRE(result);
  return (*result)["result"]["content"][0]["text"];
}

const Json kAllow = {{"action", "accept"}, {"content", {{"allow", true}}}};

}  // namespace

TEST_CASE("confirm: an upload to an origin that nobody named is asked about once, and not done without a yes",
          "[confirm] [tool.confirm]") {
  const TempDir folder;
  BrowserServer server({}, asking(folder));
  McpClient client(server.port());
  client.open({{"elicitation", Json::object()}});
  lead_astray(server, client);
  const auto origin = server.site.other_origin();
  const auto upload = [&](const Json& id) {
    return client.start(client.call_request(id, "browser_file_upload", kUpload));
  };
  CHECK_THAT(answered(client, *upload(1), {{"action", "cancel"}}, "giving a file to " + origin),
             Contains("Refused: the user did not allow"));
  const Json no = {{"action", "accept"}, {"content", {{"allow", false}}}};
  CHECK_THAT(answered(client, *upload(2), no, origin), Contains("Nothing was done"));
  // A no is remembered, as a yes is.
  CHECK_THAT(client.call(3, "browser_file_upload", kUpload).text(), Contains("Refused"));
  const auto files = client.call(4, "browser_evaluate", {{"function", "document.getElementById('file').files.length"}});
  CHECK_THAT(files.text(), Contains("0"));

  McpClient other(server.port());
  other.open({{"elicitation", Json::object()}});
  lead_astray(server, other);
  auto call = other.start(other.call_request(5, "browser_file_upload", kUpload));
  CHECK_THAT(answered(other, *call, kAllow, origin), Contains("gave page.md"));
  CHECK_THAT(other.call(6, "browser_file_upload", kUpload).text(), Contains("gave page.md"));
}

TEST_CASE("confirm: an origin that the caller has named is not asked about", "[confirm] [tool.confirm]") {
  const TempDir folder;
  BrowserServer server({}, asking(folder));
  McpClient client(server.port());
  client.open();
  lead_astray(server, client);
  CHECK_FALSE(client.call(1, "browser_navigate", {{"url", server.site.other_url("/strange")}}).is_error_result());
  CHECK_THAT(client.call(2, "browser_file_upload", kUpload).text(), Contains("gave page.md"));
  CHECK_THAT(client.call(3, "browser_navigate", {{"url", server.site.other_url("/download?name=a.bin")}}).text(),
             Contains("kept as"));
  client.call(4, "browser_click", {{"target", "#send"}});
  CHECK(server.site.wait_for_request("/posted", kPatience));
}

TEST_CASE("confirm: a client that can't ask is refused, and told what to do", "[confirm] [tool.confirm]") {
  const TempDir folder;
  BrowserServer server({}, asking(folder));
  McpClient client(server.port());
  client.open();
  lead_astray(server, client);
  const auto upload = client.call(1, "browser_file_upload", kUpload);
  CHECK(upload.is_error_result());
  CHECK_THAT(upload.text(), Contains("no elicitation") && Contains("--confirm") && Contains("browser_navigate"));
  const auto sent = client.call(2, "browser_click", {{"target", "#send"}});
  CHECK_THAT(sent.text(), Contains("posting a form to " + server.site.other_origin()) && Contains("no elicitation"));
  std::string told = client.call(3, "browser_click", {{"target", "#load"}}).text();
  eventually([&] {
    if (told.find("b.bin") == std::string::npos)
      told += client.call(4, "browser_console_messages", Json::object()).text();
    return told.find("b.bin") != std::string::npos;
  });
  CHECK_THAT(told, Contains("refused") && Contains("downloading from " + server.site.other_origin()));
  CHECK(server.site.requests("/posted").empty());
}

TEST_CASE("confirm: a form to an origin that nobody named is held back, asked about at the next action, and sent then",
          "[confirm] [tool.confirm]") {
  const TempDir folder;
  BrowserServer server({}, asking(folder));
  McpClient client(server.port());
  client.open({{"elicitation", Json::object()}});
  lead_astray(server, client);
  const auto first = client.call(1, "browser_click", {{"target", "#send"}});
  CHECK_THAT(first.text(),
             Contains("needs the user's consent (--confirm submit)") && Contains("before your next action"));
  CHECK(server.site.requests("/posted").empty());
  auto again = client.start(client.call_request(2, "browser_click", {{"target", "#send"}}));
  answered(client, *again, kAllow, "posting a form to " + server.site.other_origin());
  CHECK(server.site.wait_for_request("/posted", kPatience));
}

TEST_CASE("confirm: in 2026-07-28 the call is made again with the answer, and does its work once",
          "[confirm] [tool.confirm]") {
  const TempDir folder;
  BrowserServer server({}, asking(folder));
  McpClient client(server.port(), Revision::v2026_07_28);
  client.capabilities = {{"elicitation", Json::object()}};
  lead_astray(server, client);
  const Json asked = client.call(1, "browser_file_upload", kUpload).only()["result"];
  INFO(asked.dump());
  REQUIRE(asked["resultType"] == "input_required");
  REQUIRE(asked["inputRequests"].size() == 1);
  Json again = client.call_request(2, "browser_file_upload", kUpload);
  again["params"]["inputResponses"] = {{asked["inputRequests"].begin().key(), kAllow}};
  // An answer that isn't ours to believe: without the state that seals it.
  CHECK(client.post(again).only()["result"]["resultType"] == "input_required");
  again["params"]["requestState"] = asked["requestState"];
  again["id"] = 3;
  CHECK_THAT(client.post(again).text(), Contains("gave page.md"));
}
