#include <nlohmann/json.hpp>

#include "config/files/effective_config.h"
#include "tests/support/catch.h"
#include "tests/unit/support/parsed_options.h"
#include "tests/unit/support/temp_file.h"

using namespace bridle;
using Json = nlohmann::json;
using matchers::Contains;

TEST_CASE("config: switches to leave out, and a video of every tab, as @playwright/mcp's users ask for them",
          "[config] [tool.cli.drop-in] [tool.save-video]") {
  const auto options = [](const std::string& content) {
    const auto parsed = with_file(content);
    INFO(parsed.words);
    REQUIRE(parsed.options);
    return *parsed.options;
  };
  CHECK(options(R"({"browser": {"launchOptions": {"ignoreDefaultArgs": ["--mute-audio", "--enable-automation"]}}})")
            .ignored_browser_args == std::vector<std::string>{"--mute-audio", "--enable-automation"});
  CHECK(options(R"({"browser": {"launchOptions": {"ignoreDefaultArgs": false}}})").ignored_browser_args.empty());
  const auto sized = options(
      R"({"browser": {"contextOptions": {"recordVideo": {"dir": "videos", "size": {"width": 800, "height": 600}}}}})");
  CHECK(sized.save_video);
  CHECK(std::pair(sized.video_width, sized.video_height) == std::pair(800, 600));
  CHECK(Json::parse(effective_config(sized))["browser"]["contextOptions"]["recordVideo"]["size"]["width"] == 800);
  const auto whole = options(R"({"browser": {"contextOptions": {"recordVideo": {"dir": "videos"}}}})");
  CHECK(whole.save_video);
  CHECK(whole.video_width == 0);
  CHECK(options(R"({"saveVideo": {"width": 640, "height": 480}})").video_width == 640);
  CHECK(parse({"--save-video=1024x768"}).options->video_height == 768);
  CHECK(parse({"--save-video", "big"}).exit_code == 2);
  CHECK_FALSE(options("{}").save_video);
}

TEST_CASE("options: switches of the browser, and those that would break a promise", "[config] [tool.cli.browser]") {
  const auto args = [](std::vector<std::string> arguments) { return parse(arguments); };
  CHECK(args({"--browser-arg=--lang=de", "--browser-arg=--x=1,2"}).options->browser_args ==
        std::vector<std::string>{"--lang=de", "--x=1,2"});
  CHECK(parse({}, {{"BRIDLE_BROWSER_ARG", "--lang=de\n--x=a b"}}).options->browser_args ==
        std::vector<std::string>{"--lang=de", "--x=a b"});
  for (const char* arg :
       {"--remote-debugging-port=1", "--remote-debugging-pipe", "--user-data-dir=/x", "--proxy-server=x",
        "--proxy-pac-url=x", "--host-resolver-rules=x", "--remote-allow-origins=*", "--Proxy-Server=x", "lang", "-x",
        "https://a.example", "--type=renderer", "--", "--webrtc-ip-handling-policy=default"}) {
    CAPTURE(arg);
    CHECK(args({std::string("--browser-arg=") + arg}).exit_code == 2);
  }
  CHECK(args({"--browser-arg=--no-proxy-server"}).options);
  CHECK_THAT(args({"--browser-arg=--no-proxy-server", "--allowed-origins", "a.example"}).words,
             Contains("need a proxy"));
  CHECK(args({"--cdp-endpoint", "http://127.0.0.1:1", "--browser-arg=--x"}).exit_code == 2);
  CHECK(args({"--cdp-endpoint", "http://127.0.0.1:1", "--cdp-header", "X-Key:  a, b ", "--cdp-header", "Y: c",
              "--cdp-header", "X-Empty", "--cdp-timeout", "10"})
            .options->cdp_headers == std::vector<std::string>{"X-Key: a, b", "Y: c", "X-Empty: "});
  for (const char* header : {"no colon", ": x", "Host: x", "Sec-WebSocket-Key: x", "A b: c", "X: a\tb\x01"}) {
    CAPTURE(header);
    CHECK(args({"--cdp-endpoint", "http://127.0.0.1:1", "--cdp-header", header}).exit_code == 2);
  }
  CHECK(args({"--cdp-timeout", "0"}).exit_code == 2);
  CHECK(args({"--cdp-timeout", "300000"}).options);
  CHECK(args({"--cdp-timeout", "300001"}).exit_code == 2);
  CHECK_THAT(args({"--channel", "netscape"}).words, Contains("is not one of chrome, chrome-beta"));
  CHECK(args({"--channel", "brave", "--executable-path", "/x"}).exit_code == 2);
  CHECK(args({"--shared-browser-context"}).options->shared_browser_context);
  CHECK(args({"--shared-browser-context", "--isolated"}).exit_code == 2);
}
