#include "browser/cdp/connection.h"
#include "browser/cdp/message.h"
#include "tests/support/catch.h"

using namespace bridle;

TEST_CASE("a reply is routed by its id without a parse", "[cdp_message]") {
  const std::string message = R"({"id":42,"result":{"a":[1,2,{"id":7}]},"sessionId":"S1"})";
  const auto envelope = scan_cdp(message);
  REQUIRE(envelope);
  CHECK(envelope->kind == CdpEnvelope::Kind::reply);
  CHECK(envelope->id == 42);
}

TEST_CASE("the fast path doesn't look into a reply: what follows needn't even be JSON", "[cdp_message]") {
  // This is what makes a 5 MiB screenshot cheap.
  const auto envelope = scan_cdp(R"({"id":9,"result":{broken)");
  REQUIRE(envelope);
  CHECK(envelope->kind == CdpEnvelope::Kind::reply);
  CHECK(envelope->id == 9);
}

TEST_CASE("an event gives its method and the session at its end", "[cdp_message]") {
  const std::string message = R"({"method":"Page.loadEventFired","params":{"timestamp":1.5},"sessionId":"A1B2"})";
  const auto envelope = scan_cdp(message);
  REQUIRE(envelope);
  CHECK(envelope->kind == CdpEnvelope::Kind::event);
  CHECK(envelope->method == "Page.loadEventFired");
  CHECK(envelope->session == "A1B2");
  CHECK(envelope->method.data() >= message.data());  // a view into the message
  CHECK(envelope->method.data() < message.data() + message.size());
}

TEST_CASE("a sessionId among an event's params isn't the event's session", "[cdp_message]") {
  const auto last = scan_cdp(R"({"method":"Target.detachedFromTarget","params":{"targetId":"T","sessionId":"INNER"}})");
  REQUIRE(last);
  CHECK(last->session.empty());
  const auto both = scan_cdp(
      R"({"method":"Target.detachedFromTarget","params":{"targetId":"T","sessionId":"INNER"},"sessionId":"OUTER"})");
  REQUIRE(both);
  CHECK(both->session == "OUTER");
  const auto quoted = scan_cdp(
      R"({"method":"Runtime.consoleAPICalled","params":{"text":"\",\"sessionId\":\"FORGED\"}"},"sessionId":"REAL"})");
  REQUIRE(quoted);
  CHECK(quoted->session == "REAL");
  const auto forged = scan_cdp(R"({"method":"Log.entryAdded","params":{"text":"x\",\"sessionId\":\"FORGED"}})");
  REQUIRE(forged);
  CHECK(forged->session.empty());
}

TEST_CASE("an event without a session is the browser's", "[cdp_message]") {
  const auto envelope = scan_cdp(R"({"method":"Target.targetCreated","params":{}})");
  REQUIRE(envelope);
  CHECK(envelope->kind == CdpEnvelope::Kind::event);
  CHECK(envelope->session.empty());
}

TEST_CASE("an error reply comes through the fallback, whichever key is first", "[cdp_message]") {
  for (const char* message : {R"({"error":{"code":-32000,"message":"No."},"id":5,"sessionId":"S"})",
                              R"({"id":5,"error":{"code":-32000,"message":"No."},"sessionId":"S"})"}) {
    CAPTURE(message);
    const auto envelope = scan_cdp(message);
    REQUIRE(envelope);
    CHECK(envelope->kind == CdpEnvelope::Kind::error_reply);
    CHECK(envelope->id == 5);
    CHECK(envelope->session == "S");
  }
}

TEST_CASE("other orders of keys and blanks take the slow way to the same end", "[cdp_message]") {
  const auto reply = scan_cdp(R"({ "sessionId" : "S", "result" : {"x":1}, "id" : 8 })");
  REQUIRE(reply);
  CHECK(reply->kind == CdpEnvelope::Kind::reply);
  CHECK(reply->id == 8);
  const auto event = scan_cdp(R"({ "sessionId": "S", "params": {}, "method": "Page.frameNavigated" })");
  REQUIRE(event);
  CHECK(event->kind == CdpEnvelope::Kind::event);
  CHECK(event->method == "Page.frameNavigated");
  CHECK(event->session == "S");
}

TEST_CASE("what is no CDP is told apart, not thrown", "[cdp_message]") {
  for (const char* message :
       {"", "{}", "[]", "null", "hello", "{\"id\":", "{\"method\":7}", "{\"id\":\"text\"}", "{\"id\":1"}) {
    CAPTURE(message);
    CHECK_FALSE(scan_cdp(message));
  }
}

TEST_CASE("lone surrogates become U+FFFD and nothing else is lost", "[cdp_message]") {
  const Json json = parse_cdp(
      R"({"high":"a\ud83d","low":"\ude00b","pair":"\ud83d\ude00","twice":"\ud83d\ud83d\ude00","text":"Gr\u00fc\u00dfe","n":1.5,"deep":[{"x":"\udc00"}]})");
  CHECK(json["high"] == "a\xEF\xBF\xBD");
  CHECK(json["low"] ==
        "\xEF\xBF\xBD"
        "b");
  CHECK(json["pair"] == "\xF0\x9F\x98\x80");
  CHECK(json["twice"] == "\xEF\xBF\xBD\xF0\x9F\x98\x80");
  CHECK(json["text"] ==
        "Gr\xC3\xBC\xC3\x9F"
        "e");
  CHECK(json["n"] == 1.5);
  CHECK(json["deep"][0]["x"] == "\xEF\xBF\xBD");
}

TEST_CASE("an escaped backslash before a u is no escape of a surrogate", "[cdp_message]") {
  const Json json = parse_cdp(R"({"path":"C:\\ud83d","lone":"\ud83d","odd":"\\\ud83d"})");
  CHECK(json["path"] == "C:\\ud83d");
  CHECK(json["lone"] == "\xEF\xBF\xBD");
  CHECK(json["odd"] == "\\\xEF\xBF\xBD");
}

TEST_CASE("repair leaves whole text as it is, at every cut of a surrogate escape", "[cdp_message]") {
  const std::string whole = R"({"a":"\ud83d\ude00 \n \" \\ \u00e9"})";
  CHECK(repair_surrogates(whole) == whole);
  const std::string cut = R"("\ud83d\u)";
  for (std::size_t length = 0; length <= cut.size(); ++length) {
    CAPTURE(length);
    const auto repaired = repair_surrogates(cut.substr(0, length));  // reads no further than its text
    CHECK((length < 7 ? repaired == cut.substr(0, length) : repaired == "\"\\ufffd" + cut.substr(7, length - 7)));
  }
}

TEST_CASE("an event with a lone surrogate in it is still routed and parsed", "[cdp_message]") {
  const std::string message =
      R"({"method":"Page.javascriptDialogOpening","params":{"message":"cut \ud83d"},"sessionId":"S"})";
  REQUIRE(scan_cdp(message));
  CHECK(scan_cdp(message)->session == "S");
  CHECK(parse_cdp(message)["params"]["message"] == "cut \xEF\xBF\xBD");
  const auto slow = scan_cdp(R"({"error":{"message":"\ud83d"},"id":3})");
  REQUIRE(slow);
  CHECK(slow->id == 3);
}

TEST_CASE("what is no JSON at all throws", "[cdp_message]") {
  CHECK_THROWS_AS(parse_cdp("{\"a\":"), Json::parse_error);
}

TEST_CASE("dump never throws: bytes that are no UTF-8 become U+FFFD", "[cdp_message]") {
  const std::string text = dump(Json{{"x", "a\xFF\xC3"}});
  CHECK(Json::parse(text)["x"].get<std::string>().find("\xEF\xBF\xBD") != std::string::npos);
}

TEST_CASE("a base64 payload is sliced out of the raw reply", "[cdp_message]") {
  const std::string message = R"({"id":1,"result":{"data":"iVBORw0KGgo=","other":"x"}})";
  const auto data = raw_string_value(message, "data");
  CHECK(data == "iVBORw0KGgo=");
  CHECK(data.data() >= message.data());  // no copy
  CHECK(data.data() < message.data() + message.size());
  CHECK(raw_string_value(message, "missing").empty());
  CHECK(raw_string_value(R"({"data":"unfinished)", "data").empty());
  CHECK(raw_string_value(R"({"data":5})", "data").empty());
}

TEST_CASE("a command's text: no empty params, no session for the browser", "[cdp_message]") {
  class Recorder : public CdpTransport {
   public:
    explicit Recorder(std::vector<std::string>& lines) : lines_(lines) {}
    bool send(std::string_view message) override {
      lines_.emplace_back(message);
      return true;
    }
    std::optional<std::string> receive() override { return std::nullopt; }
    void close() override {}
    std::string close_reason() const override { return ""; }

   private:
    std::vector<std::string>& lines_;
  };
  std::vector<std::string> lines;
  CdpConnection connection(std::make_unique<Recorder>(lines));
  connection.post("", "Browser.getVersion", Json::object());
  connection.post("S", "Page.navigate", {{"url", "http://a/\"\xFF"}});
  CHECK(lines.at(0) == R"({"id":1,"method":"Browser.getVersion"})");
  CHECK(Json::parse(lines.at(1))["params"]["url"] == "http://a/\"\xEF\xBF\xBD");
  CHECK(Json::parse(lines.at(1))["sessionId"] == "S");
}
