#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "base/limits.h"
#include "config/clients/translate_config.h"
#include "config/files/effective_config.h"
#include "config/files/ini.h"
#include "config/files/playwright_keys.h"
#include "config/files/toml.h"
#include "tests/support/catch.h"
#include "tests/unit/support/parsed_options.h"
#include "tests/unit/support/temp_file.h"

using namespace bridle;
using Json = nlohmann::json;
using matchers::Contains;

TEST_CASE("config: a file of @playwright/mcp is understood as it stands", "[config] [tool.cli.drop-in]") {
  const auto parsed = with_file(R"({
    // as its users write it
    "browser": {
      "browserName": "chromium", "isolated": true,
      "launchOptions": {"args": ["--lang=de", "--no-sandbox", "--a=1,2"], "headless": false, "channel": "chromium",
                        "proxy": {"server": "http://proxy.example:3128", "username": "u", "password": "p@ss",
                                  "bypass": ".example.com,10.0.0.0/8"},
                        "handleSIGINT": false, "timeout": 30000, "env": {}},
      "contextOptions": {"viewport": {"width": 800, "height": 600}, "ignoreHTTPSErrors": true, "colorScheme": "light",
                         "isMobile": false, "serviceWorkers": "allow", "locale": null}
    },
    "server": {"port": 9000, "host": "127.0.0.1", "allowedHosts": ["a.example"]},
    "capabilities": ["core", "core-tabs", "pdf", "vision"],
    "outputDir": "/tmp/out", "outputMaxSize": 1000000,
    "network": {"allowedOrigins": ["http://localhost:*"], "blockedOrigins": ["https://b.example"]},
    "timeouts": {"action": 1000, "navigation": 2000, "expect": 1, "settle": 1},
    "extension": false, "codegen": "none", "allowUnrestrictedFileAccess": false,
    "log-level": "warn"
  })");
  INFO(parsed.words);
  REQUIRE(parsed.options);
  const Options& options = *parsed.options;
  CHECK(options.isolated);
  CHECK(options.browser_args == std::vector<std::string>{"--lang=de", "--a=1,2"});
  CHECK(options.no_sandbox);
  CHECK_FALSE(options.headless);
  CHECK(options.channel == "chromium");
  CHECK(options.proxy_server == "http://u:p%40ss@proxy.example:3128");
  CHECK(options.proxy_bypass == std::vector<std::string>{".example.com", "10.0.0.0/8"});
  CHECK(options.viewport_width == 800);
  CHECK(options.viewport_height == 600);
  CHECK(options.ignore_https_errors);
  CHECK(options.port == 9000);
  CHECK(options.host == "127.0.0.1");
  CHECK(options.allowed_hosts == std::vector<std::string>{"a.example"});
  CHECK(options.caps == std::vector<std::string>{"pdf", "vision"});
  CHECK(options.output_dir == "/tmp/out");
  CHECK(options.output_max_size == 1'000'000);
  CHECK(options.allowed_origins == std::vector<std::string>{"http://localhost:*"});
  CHECK(options.timeout_action == Millis(1000));
  CHECK(options.timeout_navigation == Millis(2000));
  CHECK(options.log_level == "warn");
}

TEST_CASE("config: its ini file, too", "[config] [tool.cli.drop-in]") {
  const auto parsed = with_file(
      "; as its users write it\n"
      "browser.launchOptions.headless = false\n"
      "browser.contextOptions.viewport = 800x600\n"
      "browser.launchOptions.args[] = --lang=de\n"
      "browser.launchOptions.args[] = \"--b=#;\"\n"
      "capabilities = pdf\n"
      "log-level = warn ; ours\n"
      "[server]\n"
      "port = 9001\n"
      "[timeouts]\n"
      "action=1500\n",
      ".ini");
  INFO(parsed.words);
  REQUIRE(parsed.options);
  CHECK_FALSE(parsed.options->headless);
  CHECK(parsed.options->viewport_width == 800);
  CHECK(parsed.options->browser_args == std::vector<std::string>{"--lang=de", "--b=#;"});
  CHECK(parsed.options->caps == std::vector<std::string>{"pdf"});
  CHECK(parsed.options->log_level == "warn");
  CHECK(parsed.options->port == 9001);
  CHECK(parsed.options->timeout_action == Millis(1500));
  // Without a name that says so, what isn't JSON is ini.
  CHECK(with_file("port = 9002\n", "").options->port == 9002);
  CHECK(with_file("port = 9003\n", ".json").options->port == 9003);
  CHECK(with_file("[server]\nport = 9004\n", ".json").options->port == 9004);
  for (const char* other : {"[1]", "{", "", "{} x"}) CHECK(with_file(other).exit_code == 2);
  CHECK_THAT(with_file("[server\n", ".ini").words, Contains("line 1"));
}

TEST_CASE("config: what can't be honoured ends the start with words, an unknown key names the nearest",
          "[config] [tool.cli.drop-in]") {
  const auto refused = [](const std::string& content, const char* words) {
    const auto parsed = with_file(content);
    CAPTURE(content, parsed.words);
    CHECK(parsed.exit_code == 2);
    CHECK_THAT(parsed.words, Contains(words));
    CHECK_THAT(parsed.words, !Contains("hush"));
  };
  refused(R"({"browser": {"browserName": "firefox"}})", "bridle drives Chromium alone");
  refused(R"({"browser": {"launchOptions": {"slowMo": 50}}})", "\"browser.launchOptions.slowMo\" can't be honoured");
  refused(R"({"browser": {"launchOptions": {"args": ["--remote-debugging-port=9222"]}}})", "others could drive");
  refused(R"({"browser": {"contextOptions": {"offline": "hush"}}})", "true or false");
  refused(R"({"browser": {"launchOptions": {"ignoreDefaultArgs": true}}})", "a list of those to leave out");
  for (const char* kept :
       {"--disable-quic", "--host-resolver-rules=MAP x ~NOTFOUND", "--proxy-server=http://127.0.0.1:1",
        "--remote-debugging-pipe", "--webrtc-ip-handling-policy=x", "--gaia-url=x"})
    refused(R"({"browser": {"launchOptions": {"ignoreDefaultArgs": [")" + std::string(kept) + "\"]}}}",
            "promises rest on it");
  refused(R"({"browser": {"launchOptions": {"ignoreDefaultArgs": ["mute-audio"]}}})", "is not a switch");
  refused(R"({"browser": {"contextOptions": {"recordVideo": {"fps": 5}}}})", "dir and size are");
  refused(R"({"browser": {"contextOptions": {"recordVideo": {"size": {"width": 5, "height": 5}}}}})",
          "from 16 to 4096");
  refused(R"({"browser": {"remoteHeaders": {"X": "hush"}}})", "remoteHeaders");
  refused(R"({"browser": {"cdpHeaders": {"X-Key": "hush"}}})", "--cdp-header needs --cdp-endpoint");
  refused(R"({"extension": true})", "no browser extension");
  refused(R"({"browser": {"launchOptions": {"headles": true}}})", "did you mean \"browser.launchOptions.headless\"?");
  refused(R"({"prot": 1})", "did you mean \"port\"?");
  refused(R"({"capabilites": []})", "did you mean \"capabilities\"?");
  refused(R"({"sever": {}})", "did you mean \"server\"?");
  refused(R"({"server": 5})", "must be an object");
  refused(R"({"browser": {"contextOptions": {"viewport": {"width": 5}}}})", "a width and a height");
}

TEST_CASE("config: every key of @playwright/mcp's that names an option or a flag names one that may be",
          "[config] [tool.cli.drop-in]") {
  CHECK(playwright_keys().size() > 80);
  for (const auto& key : playwright_keys()) {
    CAPTURE(key.path);
    CHECK((key.how != PlaywrightKey::How::only || *key.instead != '\0'));
  }
}

TEST_CASE("config: what contexts are to emulate becomes --emulate, from JSON and from ini",
          "[config] [tool.emulate.options] [tool.cli.drop-in]") {
  const auto emulate = [](const std::string& content) {
    const auto parsed = with_file(content);
    INFO(parsed.words);
    REQUIRE(parsed.options);
    return parsed.options->emulate.empty() ? Json() : Json::parse(parsed.options->emulate);
  };
  CHECK(emulate(R"({"browser": {"contextOptions": {
            "locale": "de-DE", "timezoneId": "Europe/Berlin", "colorScheme": "dark", "contrast": "no-override",
            "deviceScaleFactor": 2, "hasTouch": false, "offline": true, "geolocation": {"latitude": 1.5, "longitude": 2},
            "javaScriptEnabled": false, "bypassCSP": true, "extraHTTPHeaders": {"X-N": "1"},
            "httpCredentials": {"username": "1", "password": "2", "origin": "http://a.example", "send": "always"}}}})") ==
        Json({{"locale", "de-DE"},
              {"timezone", "Europe/Berlin"},
              {"colorScheme", "dark"},
              {"scale", 2},
              {"touch", false},
              {"network", "offline"},
              {"javaScript", false},
              {"bypassCSP", true},
              {"geolocation", {{"latitude", 1.5}, {"longitude", 2}}},
              {"headers", {{"X-N", "1"}}},
              {"credentials", {{"username", "1"}, {"password", "2"}, {"origin", "http://a.example"}}}}));
  CHECK(emulate("[browser.contextOptions]\nlocale = de-DE\ndeviceScaleFactor = 1.5\nisMobile = true\n"
                "geolocation.latitude = 1.5\ngeolocation.longitude = 2\nextraHTTPHeaders.X-N = 1\n") ==
        Json({{"locale", "de-DE"},
              {"scale", 1.5},
              {"mobile", true},
              {"geolocation", {{"latitude", 1.5}, {"longitude", 2}}},
              {"headers", {{"X-N", "1"}}}}));
  CHECK(emulate(R"({"browser": {"contextOptions": {"offline": false, "locale": null, "geolocation": {}}}})").is_null());
}

TEST_CASE("config: what is in force has the keys of @playwright/mcp's files, and no credential",
          "[config] [tool.config]") {
  const auto in_force = [](const std::vector<std::string>& arguments, const std::string& file = "{}") {
    const auto parsed = with_file(file, ".json", arguments);
    INFO(parsed.words);
    REQUIRE(parsed.options);
    const auto text = effective_config(*parsed.options);
    CHECK_THAT(text, !Contains("hush"));
    return Json::parse(text);
  };
  const auto config = in_force({"--isolated", "--proxy-server", "http://hush:hush@p.example:1", "--caps", "config"},
                               R"({"browser": {"contextOptions": {"viewport": {"width": 800, "height": 600},
                                    "locale": "fr-FR", "timezoneId": "Europe/Paris", "userAgent": "Mine/1.0",
                                    "extraHTTPHeaders": {"X-Key": "hush"},
                                    "httpCredentials": {"username": "hush", "password": "hush", "origin": "http://a"}}},
                                 "timeouts": {"action": 10000}, "secrets": {"LOGIN": "hush-hush"},
                                 "network": {"allowedOrigins": ["https://example.com"]}, "server": {"host": "localhost"}})");
  const auto& browser = config["browser"];
  CHECK(browser["isolated"] == true);
  CHECK(browser["contextOptions"]["viewport"] == Json({{"width", 800}, {"height", 600}}));
  CHECK(browser["contextOptions"]["locale"] == "fr-FR");
  CHECK(browser["contextOptions"]["timezoneId"] == "Europe/Paris");
  CHECK(browser["contextOptions"]["userAgent"] == "Mine/1.0");
  CHECK(browser["contextOptions"]["extraHTTPHeaders"] == Json({{"X-Key", "[value hidden]"}}));
  CHECK(browser["contextOptions"]["httpCredentials"]["origin"] == "http://a");
  CHECK(browser["launchOptions"]["headless"] == true);
  CHECK(browser["launchOptions"]["proxy"]["server"] == "http://p.example:1");
  CHECK(browser["launchOptions"]["proxy"]["password"] == "[value hidden]");
  CHECK(config["timeouts"]["action"] == 10000);
  CHECK(config["secrets"] == Json({{"LOGIN", "[value hidden]"}}));
  CHECK(config["network"] == Json({{"allowedOrigins", {"https://example.com"}}}));
  CHECK(config["server"]["host"] == "localhost");
  CHECK(config["capabilities"] == Json({"config"}));
  const auto attached = in_force({"--cdp-endpoint", "http://u:hush@127.0.0.1:1", "--cdp-header", "X-Key: hush"});
  CHECK(attached["browser"]["isolated"] == false);
  CHECK(attached["browser"]["cdpHeaders"] == Json({{"X-Key", "[value hidden]"}}));
  CHECK_FALSE(attached["browser"].contains("launchOptions"));
  CHECK(in_force({"--user-data-dir", "/x"})["browser"]["isolated"] == false);
}

TEST_CASE("config: ini and TOML as JSON", "[config]") {
  CHECK(parse_ini("a.b = c\n[s.t]\nu[] = 1\nu[] = '2'\nflag\n") ==
        Json({{"a", {{"b", "c"}}}, {"s", {{"t", {{"u", {"1", "2"}}, {"flag", "true"}}}}}}));
  CHECK_THROWS_WITH(parse_ini("a = 1\na.b = 2\n"), Contains("line 2"));
  CHECK(
      parse_toml("# c\n[mcp_servers.\"a.b\"]\ncommand = \"x\\ty\" # c\nargs = [\n 'l1', # one\n \"l2\",\n]\n"
                 "env = { A = \"1\", B.C = 'x' }\nn = 5\n[[list]]\nk = true\n") ==
      Json({{"mcp_servers",
             {{"a.b",
               {{"command", "x\ty"}, {"args", {"l1", "l2"}}, {"env", {{"A", "1"}, {"B", {{"C", "x"}}}}}, {"n", "5"}}}}},
            {"list", Json::array({{{"k", "true"}}})}}));
  for (const char* broken : {"a", "a = ", "a = \"x", "[a", "a = [1", "a = {b = 1", "a = 1\na.b = 2", "= 1"}) {
    CAPTURE(broken);
    CHECK_THROWS_AS(parse_toml(broken), std::invalid_argument);
  }
}

TEST_CASE("print-config --from: a client's entry of @playwright/mcp as one that starts bridle",
          "[config] [tool.cli.translate]") {
  const auto translated = [](const char* client, const std::string& content, const std::string& suffix) {
    const TempFile file(content, suffix);
    const auto parsed = parse({"print-config", client, "--from", file.path()});
    REQUIRE(parsed.options);
    return translated_config(*parsed.options, "/opt/bridle");
  };
  const std::string desktop = R"({"mcpServers": {"other": {"command": "x"}, "playwright": {
      "command": "npx", "args": ["-y", "@playwright/mcp@latest", "--headless", "--caps=pdf", "--viewport-size", "800x600"],
      "env": {"PLAYWRIGHT_MCP_ISOLATED": "true"}}}})";
  const auto cursor = translated("cursor", desktop, ".json");
  CHECK(Json::parse(cursor.text) ==
        Json::parse(R"({"mcpServers": {"bridle": {"command": "/opt/bridle", "args": ["--stdio", "--headless",
          "--caps=pdf", "--viewport-size", "800x600"], "env": {"PLAYWRIGHT_MCP_ISOLATED": "true"}}}})"));
  CHECK_THAT(cursor.hint, Contains("~/.cursor/mcp.json"));
  const std::string vscode =
      R"({"servers": {"pw": {"type": "stdio", "command": "mcp-server-playwright", "args": []}}})";
  const auto code = Json::parse(translated("vscode", vscode, ".json").text);
  CHECK(code == Json::parse(R"({"servers": {"bridle": {"type": "stdio", "command": "/opt/bridle",
                                                       "args": ["--stdio"]}}})"));
  const auto toml = translated(
      "codex", "[mcp_servers.playwright]\ncommand = \"npx\"\nargs = [\"@playwright/mcp\", \"--isolated\"]\n", ".toml");
  CHECK(parse_toml(toml.text)["mcp_servers"]["bridle"]["args"] == Json({"--stdio", "--isolated"}));
  CHECK_THAT(toml.hint, Contains("--headed"));
  const auto open = Json::parse(translated("opencode", desktop, ".json").text)["mcp"]["bridle"];
  CHECK(open["command"][0] == "/opt/bridle");
  CHECK(open["environment"]["PLAYWRIGHT_MCP_ISOLATED"] == "true");
  CHECK_THROWS_WITH(translated("cursor", R"({"mcpServers": {}})", ".json"), Contains("no entry that starts"));
  CHECK_THROWS_WITH(
      translated("cursor", R"({"x": {"command": "npx", "args": ["@playwright/mcp", "--browser", "webkit"]}})", ".json"),
      Contains("can't be taken over") && Contains("--browser webkit can't be honoured"));
  CHECK_THROWS_WITH(translated("emacs", desktop, ".json"), Contains("known: claude"));
}

TEST_CASE("options: a mistake knows whether a client waits at stdin", "[config] [tool.cli.start-error]") {
  CHECK(parse({"--stdio", "--prot"}).stdio);
  CHECK(parse({"--browser", "firefox"}, {{"BRIDLE_STDIO", "1"}}).stdio);
  CHECK_FALSE(parse({"--prot"}).stdio);
  CHECK_FALSE(parse({"--prot"}, {{"BRIDLE_STDIO", "0"}}).stdio);
}

TEST_CASE("options: what results show, and when the browser is ended",
          "[config] [tool.snapshot-mode] [tool.image-responses] [tool.idle-timeout]") {
  const auto options = *parse({}, {{"PLAYWRIGHT_MCP_IMAGE_RESPONSES", "omit"},
                                   {"PLAYWRIGHT_MCP_CONSOLE_LEVEL", "warning"},
                                   {"PLAYWRIGHT_MCP_IDLE_TIMEOUT", "5000"}})
                            .options;
  CHECK(options.image_responses == "omit");
  CHECK(options.console_level == "warning");
  CHECK(browser_idle(options) == Millis(5000));
  CHECK(parse({"--snapshot-mode", "full", "--snapshot-boxes", "--save-session"}).options->snapshot_mode == "full");
  for (const char* flag : {"--snapshot-mode", "--image-responses", "--console-level"}) {
    CHECK_THAT(parse({flag, "some"}).words, Contains("\"some\" is not one of"));
  }
  CHECK(browser_idle(*parse({}).options) == limits::kBrowserIdle);
  CHECK_FALSE(browser_idle(*parse({"--idle-timeout", "0"}).options));
  CHECK_FALSE(browser_idle(*parse({"--headed"}).options));
  CHECK(browser_idle(*parse({"--headed", "--idle-timeout", "7"}).options) == Millis(7));
  CHECK_FALSE(browser_idle(*parse({"--cdp-endpoint", "http://127.0.0.1:1"}).options));
}

TEST_CASE("options: a secrets file is as safe as a token file must be, and its words hold no value",
          "[config] [tool.secrets.file]") {
  const TempFile file("LOGIN=hush-hush\n");
  CHECK(parse({"--secrets", file.path()}).options->secrets == Secrets{{"LOGIN", "hush-hush"}});
  CHECK(parse({}, {{"PLAYWRIGHT_MCP_SECRETS_FILE", file.path()}}).options->secrets.size() == 1);
  CHECK(parse({"--secrets", TempFile("NONE=\nLOGIN=hush-hush\n").path()}).options->secrets.size() == 1);
  CHECK(with_file(R"({"secrets": {"LOGIN": "hush-hush"}})").options->secrets.size() == 1);
  const auto refused = [](const std::string& content, mode_t mode, const char* words) {
    const TempFile wrong(content);
    REQUIRE(::chmod(wrong.path().c_str(), mode) == 0);
    const auto parsed = parse({"--secrets", wrong.path()});
    CHECK(parsed.exit_code == 2);
    CHECK_THAT(parsed.words, Contains("--secrets: ") && Contains(words) && !Contains("hus"));
  };
  refused("LOGIN=hush-hush", 0666, "can be written by others, who could change the secrets");
  refused("LOGIN=hus", 0600, "holds for LOGIN less than 4 characters");
  refused("hush", 0600, "line 1 is not NAME=VALUE");
  refused("# none\n", 0600, "holds no line NAME=VALUE");
  refused(std::string(limits::kSecretsFile + 1, '#'), 0600, "larger than 256 KiB");
  CHECK_THAT(parse({"--secrets", "/no/such"}).words, Contains("can't read /no/such"));
  CHECK_THAT(with_file(R"({"secrets": {"PASS": "hus"}})").words, Contains("less than 4") && !Contains("\"hus"));
}
