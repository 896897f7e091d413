#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "config/clients/print_config.h"
#include "config/options.h"
#include "config/tool_sets.h"
#include "tests/support/catch.h"
#include "tests/unit/support/parsed_options.h"
#include "tests/unit/support/temp_file.h"

using namespace bridle;

TEST_CASE("options: defaults") {
  const auto options = parse({}).options;
  REQUIRE(options);
  CHECK(options->command == Options::Command::serve);
  CHECK(options->port == 8437);
  CHECK(options->host == "localhost");  // the loopback of both families
  CHECK(options->headless);
  CHECK(options->max_output == 25'000);
  CHECK(options->caps.empty());
  CHECK(options->lazy_caps == std::vector<std::string>{"devtools", "emulation", "network", "pdf", "testing", "vision"});
}

TEST_CASE("options: every flag has its variable and its key, and a flag wins over the variable, that over the file",
          "[tool.cli]") {
  const TempFile file(R"({"port": 1, "log-level": "debug", "allowed-hosts": ["a", "b:1"], "headed": true})");
  auto options = parse({"--config", file.path()}).options;
  REQUIRE(options);
  CHECK(options->port == 1);
  CHECK(options->log_level == "debug");
  CHECK(options->allowed_hosts == std::vector<std::string>{"a", "b:1"});
  CHECK_FALSE(options->headless);
  const Variables variables = {{"BRIDLE_PORT", "2"}, {"BRIDLE_CONFIG", file.path()}, {"BRIDLE_NO_SANDBOX", "1"}};
  options = parse({}, variables).options;
  REQUIRE(options);
  CHECK(options->port == 2);
  CHECK(options->no_sandbox);
  CHECK(options->log_level == "debug");
  options = parse({"serve", "--port", "3", "--headless", "--caps=vision,pdf", "--viewport-size", "800x600"}, variables)
                .options;
  REQUIRE(options);
  CHECK(options->port == 3);
  CHECK(options->headless);
  CHECK(options->caps == std::vector<std::string>{"vision", "pdf"});
  CHECK(options->viewport_width == 800);
  CHECK(options->viewport_height == 600);
}

TEST_CASE("options: those of models and runs are read as all others are", "[agent.options] [tool.cli]") {
  const std::vector<std::pair<const char*, bool>> flags{{"1", true}, {"yes", true}, {"0", false}, {"off", false}};
  for (const auto& [text, on] : flags) {
    INFO(text);
    CHECK(parse({}, {{"BRIDLE_MODEL_PICTURES", text}}).options.value().agent.model_pictures == on);
  }
  CHECK_FALSE(parse({}, {{"BRIDLE_MODEL_PICTURES", "maybe"}}).options);
  CHECK(parse({"--max-run-tokens", "500"}).options.value().agent.max_run_tokens == 500);
  CHECK(parse({"--max-run-time", "1500"}).options.value().agent.max_run_time == Millis(1500));
  for (const auto& wrong : std::vector<std::vector<std::string>>{
           {"--max-run-tokens", "-1"}, {"--max-run-tokens", "5x"}, {"--max-run-time", "0"}, {"--model", ""}}) {
    INFO(wrong.front());
    CHECK_FALSE(parse(wrong).options);
  }
}

TEST_CASE("options: what is given twice is what was given last", "[tool.cli]") {
  const TempFile first(R"({"port": 1})");
  const TempFile last(R"({"port": 2})");
  const auto parsed = parse({"--headless", "--browser", "firefox", "--config", first.path(), "--timeout-action=1000",
                             "--headless", "--browser=chromium", "--config=" + last.path(), "--timeout-action=2000"});
  CAPTURE(parsed.words);
  REQUIRE(parsed.options);
  CHECK(parsed.options->port == 2);
  CHECK(parsed.options->headless);
  CHECK(parsed.options->timeout_action == Millis(2000));
  CHECK(parse({"--browser", "chromium", "--browser", "firefox"}).exit_code == 2);
}

TEST_CASE("options: sets of tools by name; what is none names those there are", "[tool.sets]") {
  const auto caps = [](const char* text) { return parse({"--caps", text}).options->caps; };
  CHECK(caps("vision,core,vision") == std::vector<std::string>{"vision"});
  CHECK(caps("tracing,devtools") == std::vector<std::string>{"devtools"});
  std::vector<std::string> all;
  for (const auto& row : kToolSets) all.emplace_back(row.name);
  CHECK(caps("all") == all);
  const auto unknown = parse({"--caps", "vision,vison"});
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.words,
             matchers::Contains("\"vison\" is not a set of tools; there are " + tool_set_names() + ", and all"));
  CHECK(parse({"--lazy-caps", "none"}).options->lazy_caps.empty());
  CHECK(parse({"--lazy-caps", "pdf"}).options->lazy_caps == std::vector<std::string>{"pdf"});
  CHECK(parse({"--lazy-caps", "x"}).exit_code == 2);
}

TEST_CASE("options: commands", "[tool.cli]") {
  CHECK(parse({"status", "--port", "9"}).options->command == Options::Command::status);
  CHECK(parse({"--port", "9", "status"}).options->port == 9);
  CHECK(parse({"stop"}).options->stop_id.empty());
  CHECK(parse({"stop", "17"}).options->stop_id == "17");
  CHECK(parse({"print-config", "claude"}).options->client == "claude");
  CHECK(parse({"doctor", "--no-sandbox"}).options->command == Options::Command::doctor);
}

TEST_CASE("options: an entry for @playwright/mcp works as it stands, or says what can't be had", "[tool.cli.drop-in]") {
  const auto options =
      parse({"--browser", "chromium", "--codegen=none", "--sandbox"}, {{"PLAYWRIGHT_MCP_CAPS", "vision"},
                                                                       {"PLAYWRIGHT_MCP_VIEWPORT_SIZE", "800x600"},
                                                                       {"PLAYWRIGHT_MCP_PORT", "1"},
                                                                       {"PLAYWRIGHT_MCP_EXTENSION", "false"},
                                                                       {"BRIDLE_PORT", "2"}})
          .options;
  REQUIRE(options);
  CHECK(options->caps == std::vector<std::string>{"vision"});
  CHECK(options->viewport_width == 800);
  CHECK(options->port == 2);
  const auto refused = [](std::vector<std::string> arguments, const char* words, const Variables& variables = {}) {
    const auto parsed = parse(std::move(arguments), variables);
    CHECK(parsed.exit_code == 2);
    CHECK_THAT(parsed.words, matchers::Contains(words));
  };
  refused({"--browser", "firefox"}, "--browser firefox can't be honoured: bridle drives Chromium alone");
  refused({"--codegen", "typescript"}, "bridle writes no code");
  refused({"--extension"}, "--extension can't be honoured: bridle has no browser extension; --cdp-endpoint");
  refused({}, "PLAYWRIGHT_MCP_BROWSER webkit can't be honoured", {{"PLAYWRIGHT_MCP_BROWSER", "webkit"}});
  refused({}, "PLAYWRIGHT_MCP_EXTENSION can't be honoured", {{"PLAYWRIGHT_MCP_EXTENSION", "1"}});
  refused({}, "--config: can't read /no/such.json", {{"PLAYWRIGHT_MCP_CONFIG", "/no/such.json"}});
  refused({"--remote-header", "Key: hush"}, "--remote-header can't be honoured: bridle speaks CDP alone");
  const auto old = parse({"--vision", "--caps=pdf", "--allow-unrestricted-file-access"}).options;
  CHECK(old->caps == std::vector<std::string>{"pdf", "vision"});
  CHECK(old->allow_file_access);
  CHECK(old->allowed_upload_dirs == std::vector<std::string>{"/"});
  CHECK(parse({"--vision", "--caps=vision"}).options->caps == std::vector<std::string>{"vision"});
  CHECK_FALSE(parse({}, {{"PLAYWRIGHT_MCP_ALLOW_UNRESTRICTED_FILE_ACCESS", "0"}}).options->allow_file_access);
  const auto sandbox = [](const Variables& variables) { return !parse({}, variables).options->no_sandbox; };
  CHECK_FALSE(sandbox({{"PLAYWRIGHT_MCP_SANDBOX", "false"}}));
  CHECK_FALSE(sandbox({{"PLAYWRIGHT_MCP_SANDBOX", "0"}}));
  CHECK(sandbox({{"PLAYWRIGHT_MCP_SANDBOX", "true"}}));
  CHECK(sandbox({{"PLAYWRIGHT_MCP_SANDBOX", ""}}));
  CHECK(sandbox({{"PLAYWRIGHT_MCP_SANDBOX", "false"}, {"BRIDLE_NO_SANDBOX", "false"}}));
  CHECK(parse({"--browser", "msedge", "--timeout-settle", "100"}).options->channel == "msedge");
  CHECK(parse({}, {{"PLAYWRIGHT_MCP_USER_DATA_DIR", ""}}).options);
  CHECK_THAT(parse({"--remote-header", "Key: hush"}).words, !matchers::Contains("hush"));
  refused({}, "PLAYWRIGHT_MCP_PORT: \"many\"", {{"PLAYWRIGHT_MCP_PORT", "many"}});
  CHECK(parse({"--help"}).words.find("--codegen") == std::string::npos);
}

TEST_CASE("options: mistakes end with 2 and name what is wrong") {
  const auto fails = [](std::vector<std::string> arguments, const char* words, const Variables& variables = {}) {
    const auto parsed = parse(std::move(arguments), variables);
    CAPTURE(parsed.words);
    CHECK_FALSE(parsed.options);
    CHECK(parsed.exit_code == 2);
    CHECK(parsed.words.find(words) != std::string::npos);
  };
  fails({"--prot", "1"}, "--prot");
  fails({"--test-tools"}, "--test-tools");  // these two are bridle-testing's
  fails({"--conformance"}, "--conformance");
  fails({"--port", "x"}, "--port: \"x\"");
  fails({"--port", "65536"}, "65535");
  fails({"--port", "-1"}, "--port");
  fails({"--port"}, "--port");
  fails({"dance"}, "dance");
  fails({"--viewport-size", "800"}, "WIDTHxHEIGHT");
  fails({"--viewport-size", "800, "}, "--viewport-size");
  fails({"--viewport-size", "0x5"}, "--viewport-size");
  fails({"--log-level", "loud"}, "loud");
  fails({"--headless", "--headed"}, "exclude");
  fails({"--isolated", "--user-data-dir", "/x"}, "exclude");
  fails({"--cdp-endpoint", "http://127.0.0.1:9222", "--user-data-dir", "/x"}, "exclude");
  fails({"--storage-state", "s.json", "--user-data-dir", "/x"}, "a storage of their own");
  fails({"--storage-state", "s.json", "--cdp-endpoint", "http://127.0.0.1:9222"}, "a storage of their own");
  fails({"--test-id-attribute", "data test"}, "no name of an attribute");
  fails({"--test-id-attribute", "9x"}, "no name of an attribute");
  fails({"--allowed-origins", "mailto:a"}, "\"https://mailto:a\" is not an origin");
  fails({"--blocked-origins", "https://a.example/path"}, "--blocked-origins");
  fails({"--timeout-action", "0"}, "--timeout-action");
  fails({"--emulate", "de-DE"}, "a JSON object");
  fails({"--confirm", "upload,delete"}, "\"delete\" is not one of upload, download, submit");
  for (const char* size : {"", "M", "-1", "1.5G", "10 M", "5P", "99999999999T"})
    fails({"--max-download", size}, "is not a size such as 500000, 256M or 5G");
  fails({"--config", "/no/such"}, "/no/such");
  fails({}, "BRIDLE_PORT", {{"BRIDLE_PORT", "many"}});
  fails({}, "BRIDLE_STDIO", {{"BRIDLE_STDIO", "maybe"}});
  const TempFile unknown(R"({"prot": 1})");
  fails({"--config", unknown.path()}, "\"prot\"");
  const TempFile broken("{");
  fails({"--config", broken.path()}, "JSON object");
  const TempFile wrong(R"({"port": {"a": 1}})");
  fails({"--config", wrong.path()}, "port");
}

TEST_CASE("options: a size is written with an x or a comma, and with blanks around either",
          "[config] [tool.cli.drop-in]") {
  for (const std::string size : {"800x600", "800,600", "800, 600", " 800 x 600 "}) {
    CAPTURE(size);
    const auto parsed = parse({"--viewport-size", size});
    REQUIRE(parsed.options);
    CHECK(parsed.options->viewport_width == 800);
    CHECK(parsed.options->viewport_height == 600);
  }
}

TEST_CASE("options: sizes are bytes, or have a unit", "[tool.cli] [tool.downloads.limits] [tool.files.limits]") {
  const auto defaults = *parse({}).options;
  CHECK(defaults.max_download == 256ULL * 1024 * 1024);
  CHECK(defaults.output_max_session == 1024ULL * 1024 * 1024);
  CHECK(defaults.output_max_size == 5ULL * 1024 * 1024 * 1024);
  const auto options =
      *parse({"--max-download", "0", "--output-max-session", "500k", "--output-max-size=1234567"}).options;
  CHECK(options.max_download == 0);
  CHECK(options.output_max_session == 500ULL * 1024);
  CHECK(options.output_max_size == 1'234'567);
  CHECK(parse({"--max-download", "1T"}).options->max_download == 1ULL << 40);
}

TEST_CASE("options: what the user is asked about", "[tool.confirm]") {
  CHECK(parse({}).options->confirm.empty());
  CHECK(parse({"--confirm", "upload,submit"}).options->confirm == std::vector<std::string>{"upload", "submit"});
}

TEST_CASE("options: help and version go to stdout and end with 0", "[tool.cli]") {
  for (const char* flag : {"--help", "--version"}) {
    const auto parsed = parse({flag});
    CHECK_FALSE(parsed.options);
    CHECK(parsed.exit_code == 0);
    CHECK(parsed.words.find("bridle") != std::string::npos);
  }
}

TEST_CASE("options: a token file is trimmed, and must hold something", "[wire.token]") {
  CHECK(read_token_file(TempFile("  0123456789abcdef \nmore\n").path()) == "0123456789abcdef");
  CHECK_THROWS_WITH(read_token_file(TempFile("\n").path()), matchers::Contains("holds no token"));
  CHECK_THROWS_WITH(read_token_file("/no/such/file"), matchers::Contains("can't read"));
}

TEST_CASE("options: a token that can be guessed, or that no header can carry, is refused", "[wire.token.file]") {
  for (const char* token : {"x", "0123456789abcde"}) {
    CHECK_THROWS_WITH(read_token_file(TempFile(token).path()), matchers::Contains("less than 16") &&
                                                                   matchers::Contains("openssl rand -hex 32") &&
                                                                   !matchers::Contains("0123"));
  }
  for (const char* token : {"0123456789 abcdef", "0123456789abcd\xC3\xA9", "0123456789\tabcdef"}) {
    CHECK_THROWS_WITH(read_token_file(TempFile(token).path()), matchers::Contains("Authorization"));
  }
}

TEST_CASE("options: a token file that others can write or replace is refused", "[wire.token.file]") {
  const TempFile file("0123456789abcdef");
  const auto with_mode = [&](mode_t mode) {
    REQUIRE(::chmod(file.path().c_str(), mode) == 0);
    return read_token_file(file.path());
  };
  for (const mode_t mode : {0600U, 0400U, 0644U}) CHECK_NOTHROW(with_mode(mode));
  for (const mode_t mode : {0666U, 0602U, 0620U, 0777U}) {
    CHECK_THROWS_WITH(with_mode(mode),
                      matchers::Contains("can be written by others") && matchers::Contains("chmod go-w"));
  }
  // A folder in which everybody may replace it, and a link to it from there.
  std::string folder = "/tmp/bridle-test-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const std::string inside = folder + "/token";
  std::ofstream(inside) << "0123456789abcdef";
  CHECK_NOTHROW(read_token_file(inside));
  REQUIRE(::chmod(folder.c_str(), 0777) == 0);
  CHECK_THROWS_WITH(read_token_file(inside), matchers::Contains("can be replaced by others"));
  REQUIRE(::chmod(folder.c_str(), 01777) == 0);  // as /tmp
  CHECK_NOTHROW(read_token_file(inside));
  if (::geteuid() == 0) {
    constexpr uid_t kNobody = 65534;
    REQUIRE(::chown(inside.c_str(), kNobody, kNobody) == 0);
    CHECK_THROWS_WITH(read_token_file(inside), matchers::Contains("belongs to another user"));
    // A link that another user made, to a file of ours whose first line may be known.
    const std::string link = folder + "/link";
    REQUIRE(::chmod(file.path().c_str(), 0600) == 0);
    REQUIRE(::symlink(file.path().c_str(), link.c_str()) == 0);
    CHECK_NOTHROW(read_token_file(link));
    REQUIRE(::lchown(link.c_str(), kNobody, kNobody) == 0);
    CHECK_THROWS(read_token_file(link));
  } else {
    WARN("not root: can't give a file away, so a token of another user's is not tried");
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("options: --allowed-hosts takes hosts, and says so of anything else", "[wire.allowed-hosts]") {
  for (const char* host :
       {"bridle.example", "bridle.example:8437", "192.0.2.7", "[::1]:80", "[2001:db8::1]", "my_host"}) {
    CAPTURE(host);
    CHECK(parse({"--allowed-hosts", host}).options);
  }
  for (const char* host :
       {"*", "*.example", "a.example,*", "http://a.example", "a.example/", "a.example:", "a.example:x", "a.example:0",
        "a.example:65536", "[::1", "[::1]x80", ":80", "a b", "caf\xC3\xA9"}) {
    CAPTURE(host);
    const auto parsed = parse({"--allowed-hosts", host});
    CHECK(parsed.exit_code == 2);
    CHECK_THAT(parsed.words, matchers::Contains("--allowed-hosts") && matchers::Contains("NAME:PORT"));
  }
  const auto addresses = parse({"--allowed-hosts", "::1,[2001:db8::1]", "--allowed-hosts", "[::1]"}).options;
  REQUIRE(addresses);
  CHECK(addresses->allowed_hosts == std::vector<std::string>{"[::1]", "[2001:db8::1]", "[::1]"});
  CHECK_THAT(parse({"--allowed-hosts", "*"}).words, matchers::Contains("no wildcards"));
}

TEST_CASE("print-config: each client's text parses and names the address; the token is never in it", "[tool.cli]") {
  const TempFile token("very-secret");
  for (const char* client :
       {"claude", "claude-desktop", "cursor", "vscode", "codex", "gemini", "windsurf", "zed", "opencode"}) {
    CAPTURE(client);
    const auto options = *parse({"--port", "9000", "--token-file", token.path(), "print-config", client}).options;
    const auto text = client_config(options, "/opt/bridle").text;
    CHECK(text.find("very-secret") == std::string::npos);
    const bool starts_us = std::string(client) == "claude-desktop";
    CHECK(text.find(starts_us ? "/opt/bridle" : "http://127.0.0.1:9000/mcp") != std::string::npos);
    if (std::string(client) == "codex") {
      CHECK(text.starts_with("[mcp_servers.bridle]\n"));
      continue;
    }
    const auto parsed = nlohmann::json::parse(text);
    REQUIRE(parsed.size() == 1);
    CHECK(parsed.begin()->contains("bridle"));
  }
  CHECK_THROWS_WITH(client_config(*parse({"print-config", "emacs"}).options, ""), matchers::Contains("known: claude"));
}

TEST_CASE("print-config: the address is one that leads to nobody else, never localhost", "[wire.loopback.both]") {
  const auto url = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--port", "9000", "print-config", "cursor"});
    return client_config(*parse(std::move(arguments)).options, "/opt/bridle").text;
  };
  for (const char* host : {"localhost", "127.0.0.1", "0.0.0.0", "::"}) {
    CHECK_THAT(url({"--host", host}), matchers::Contains("\"http://127.0.0.1:9000/mcp\""));
  }
  for (const char* host : {"::1", "[::1]"}) {
    CHECK_THAT(url({"--host", host}), matchers::Contains("\"http://[::1]:9000/mcp\""));
  }
  CHECK_THAT(url({"--host", "192.0.2.7"}), matchers::Contains("\"http://192.0.2.7:9000/mcp\""));
}

TEST_CASE("connect_help: names the real address, and how to print what is not there") {
  const auto help = [](std::vector<std::string> arguments) {
    return connect_help(*parse(std::move(arguments)).options, "/opt/bridle");
  };
  const std::string plain = help({});
  CHECK(plain.find("claude mcp add --transport http bridle http://127.0.0.1:8437/mcp\n") != std::string::npos);
  CHECK(plain.find(R"({"mcpServers":{"bridle":{"url":"http://127.0.0.1:8437/mcp"}}})") != std::string::npos);
  CHECK(plain.find("/opt/bridle print-config claude-desktop|vscode|codex|") != std::string::npos);
  const TempFile token("very-secret");
  const std::string other = help({"--port", "9000", "--token-file", token.path()});
  CHECK(other.find("http://127.0.0.1:9000/mcp --header \"Authorization: Bearer $(cat " + token.path() + ")\"\n") !=
        std::string::npos);
  CHECK(other.find("print-config --port 9000 --token-file " + token.path() + " claude-desktop|") != std::string::npos);
  CHECK(other.find("very-secret") == std::string::npos);
}

TEST_CASE("options: a browser for each session shares nothing", "[tool.cli] [tool.browser-per-session]") {
  CHECK(parse({"--browser-per-session"}).options->browser_per_session);
  CHECK_FALSE(parse({}).options->browser_per_session);
  for (const auto& other : {std::vector<std::string>{"--user-data-dir", "/tmp/x"},
                            std::vector<std::string>{"--cdp-endpoint", "http://127.0.0.1:9222"}}) {
    const auto parsed = parse({"--browser-per-session", other[0], other[1]});
    CHECK(parsed.exit_code == 2);
    CHECK_THAT(parsed.words, matchers::Contains("--browser-per-session excludes"));
  }
}

TEST_CASE("options: what every tab emulates", "[tool.emulate.options] [tool.init-script]") {
  const auto words = [](const std::vector<std::string>& arguments) { return parse(arguments).words; };
  const auto options = parse({"--device", "iphone 15", "--user-agent", "Mine/1.0", "--grant-permissions",
                              "geolocation,clipboard-read", "--block-service-workers"})
                           .options;
  REQUIRE(options);
  CHECK(options->device == "iphone 15");
  CHECK(options->user_agent == "Mine/1.0");
  CHECK(options->grant_permissions == std::vector<std::string>{"geolocation", "clipboard-read"});
  CHECK(options->block_service_workers);
  CHECK(parse({"--mobile"}).options->device == "Pixel 10");
  CHECK(parse({}, {{"PLAYWRIGHT_MCP_DEVICE", "Pixel 7"}}).options->device == "Pixel 7");
  CHECK_THAT(words({"--device", "iPhone 99"}), matchers::Contains("Near: iPhone"));
  CHECK_THAT(words({"--device", "Pixel 7", "--mobile"}), matchers::Contains("exclude each other"));
  CHECK_THAT(words({"--mobile", "--cdp-endpoint", "http://127.0.0.1:9222"}), matchers::Contains("exclude"));
  CHECK_THAT(words({"--grant-permissions", "flying"}), matchers::Contains("there are accelerometer"));
  CHECK_THAT(words({"--user-agent", "a\nb"}), matchers::Contains("one line"));
  CHECK_THAT(words({"--init-script", "/no/such/file.js"}), matchers::Contains("there is no file /no/such/file.js"));
  const TempFile script("window.x = 1");
  CHECK(parse({"--init-script", script.path()}).options->init_scripts == std::vector<std::string>{script.path()});
}
