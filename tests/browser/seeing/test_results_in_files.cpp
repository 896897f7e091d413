// What a script returned, and a request's parts, as files [tool.results-in-files].
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

std::string bytes_of(const Answer& answer) {
  std::ifstream file(answer.structured["path"].get<std::string>(), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int request_number(Session& session, const std::string& part) {
  std::istringstream lines(session.ok("browser_network_requests", {{"static", true}}).section("Result"));
  for (std::string line; std::getline(lines, line);) {
    if (line.find(part) != std::string::npos) return std::stoi(line);
  }
  return 0;
}

// So many bytes that are no text; each length has another padding in base64.
std::string binary(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i % 2 == 0 ? 0 : 0xFE);
  return bytes;
}

}  // namespace

TEST_CASE("a script's result goes to a file whole, and not into the result", "[script] [tool.results-in-files]") {
  Session session;
  session.navigate(web().url("/plain?title=Saved"));
  const auto title = session.ok("browser_evaluate", {{"function", "document.title"}, {"filename", "title.json"}});
  CHECK(bytes_of(title) == "\"Saved\"");
  CHECK_THAT(title.section("Result"), Contains("7 bytes") && Contains("Saved to ") && !Contains("\"Saved\""));
  CHECK_FALSE(title.structured.contains("value"));
  const auto large = session.ok("browser_evaluate", {{"function", "() => Array.from({length: 20000}, (_, i) => i)"},
                                                     {"filename", "a/large.json"}});
  CHECK(large.text.size() < 500);
  CHECK(Json::parse(bytes_of(large)).size() == 20000);
  CHECK(bytes_of(session.ok("browser_evaluate", {{"function", "undefined"}, {"filename", "none.txt"}})) == "undefined");
  CHECK_THAT(session.error("browser_evaluate", {{"function", "1"}, {"filename", "../out.json"}}).section("Error"),
             Contains("../out.json") || Contains("outside"));
  CHECK_THAT(
      session.error("browser_evaluate", {{"function", "nowhere.at"}, {"filename", "error.json"}}).section("Error"),
      Contains("ReferenceError"));
}

TEST_CASE("a binary body tells its size to the byte, and is saved as its bytes whether or not a file is named",
          "[network] [tool.results-in-files]") {
  Session session;
  for (const std::size_t size : {1, 2, 3, 1000}) {
    web().set_handler("/binary/" + std::to_string(size), [size](const site::Request&, site::Response& response) {
      response.set_header("Content-Type", "application/x-thing");
      response.body = binary(size);
    });
  }
  session.navigate(web().url("/plain"));
  for (const std::size_t size : {1, 2, 3, 1000}) {
    CAPTURE(size);
    const auto path = "/binary/" + std::to_string(size);
    session.evaluate("fetch('" + path + "').then((answer) => answer.arrayBuffer()).then((body) => body.byteLength)");
    const auto index = request_number(session, path + " =>");
    const auto bytes = std::to_string(size) + (size == 1 ? " byte" : " bytes");
    const auto part = session.ok("browser_network_request", {{"index", index}, {"part", "response-body"}});
    CHECK_THAT(part.section("Result"), Contains("response-body of application/x-thing, " + bytes) &&
                                           Contains("response-body-" + std::to_string(index) + ".bin"));
    CHECK(bytes_of(part) == binary(size));
    const auto all = session.ok("browser_network_request", {{"index", index}});
    CHECK_THAT(all.section("Result"), Contains("binary, " + bytes + " of") && Contains("\"response-body\" saves it"));
    const auto saved =
        session.ok("browser_network_request", {{"index", index}, {"part", "response-body"}, {"filename", "body.bin"}});
    CHECK(bytes_of(saved) == binary(size));
    CHECK_THAT(saved.section("Result"), Contains("response-body of application/x-thing, " + bytes));
  }
}

TEST_CASE("each part of a request, and all of it, goes to a file", "[network] [tool.results-in-files]") {
  Session session;
  session.navigate(web().url("/plain"));
  session.evaluate(
      "fetch('/api/echo', {method: 'POST', headers: {'Content-Type': 'application/json', 'X-Api-Key': "
      "'hunter2'}, body: JSON.stringify({text: 'x'.repeat(5000)})}).then((answer) => answer.text())");
  const auto index = request_number(session, "/api/echo");
  const auto save = [&](const Json& part) {
    Json args{{"index", index}, {"filename", "part.txt"}};
    if (!part.is_null()) args["part"] = part;
    return bytes_of(session.ok("browser_network_request", args));
  };
  CHECK(Json::parse(save("request-body"))["text"].get<std::string>().size() == 5000);
  CHECK(Json::parse(save("response-body"))["method"] == "POST");
  const auto headers = save("request-headers");
  CHECK_THAT(headers, Contains("[value hidden]") && !Contains("hunter2"));
  CHECK_THAT(save("response-headers"), Contains("application/json"));
  const auto whole = save(nullptr);
  CHECK_THAT(whole, Contains("[POST]") && Contains("Request headers:") && Contains("Response body:"));
  CHECK(whole.size() > 10'000);  // with both bodies, uncut
  const auto document = 1;
  CHECK_THAT(
      session
          .error("browser_network_request", {{"index", document}, {"part", "request-body"}, {"filename", "none.txt"}})
          .section("Error"),
      Contains("nothing was saved"));
}
