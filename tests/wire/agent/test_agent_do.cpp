// `bridle do`: a task on the command line.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"
#include "tests/wire/support/agent_serving.h"

using namespace bridle;
using namespace bridle::wire;
using matchers::Contains;

namespace {

// A terminal that a program has as its stdin, and the end at which the person types.
struct Terminal {
  Terminal() : person(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    REQUIRE(person.get() >= 0);
    REQUIRE(::grantpt(person.get()) == 0);
    REQUIRE(::unlockpt(person.get()) == 0);
    program = Fd(::open(::ptsname(person.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    REQUIRE(program.get() >= 0);
  }
  void type(const std::string& line) const {
    REQUIRE(::write(person.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()));
  }
  Fd person;
  Fd program;
};

}  // namespace

TEST_CASE("bridle do: exit codes, output and Ctrl-C", "[agent] [agent.do] [agent.history]") {
  TempDir tmp;
  site::SiteServer site;
  SECTION("success, as one object") {
    ModelScript script(site, {calls_tool("browser_navigate", {{"url", site.url("/plain")}}), says_done(true, "plain")});
    BridleProcess task(tmp, with_model(tmp, script.url(), {"do", "look", "--json", "--max-steps", "4"}));
    const Json run = Json::parse(task.all_output());
    CHECK(task.wait(kRunPatience) == 0);
    CHECK(run.at("status") == "completed");
    CHECK(run.at("text") == "plain");
    CHECK(run.at("history").size() == 2);
    CHECK(tmp.browsers() == 0);
    CHECK(tmp.profiles() == 0);
    BridleProcess runs(tmp, {"runs", "--output-dir", tmp.path() + "/out"});
    CHECK_THAT(runs.all_output(), Contains(run.at("id").get<std::string>()) && Contains("success") && Contains("look"));
    BridleProcess shown(tmp, {"runs", "show", run.at("id").get<std::string>(), "--output-dir", tmp.path() + "/out"});
    CHECK_THAT(shown.all_output(), Contains("\"step\":1"));
    CHECK_FALSE(dump(run).find("noted") != std::string::npos);
    BridleProcess unknown(tmp, {"runs", "show", "../../etc/passwd", "--output-dir", tmp.path() + "/out"});
    CHECK(unknown.wait(kRunPatience) == 1);
  }
  SECTION("done, but without success") {
    ModelScript script(site, {says_done(false, "can't")});
    BridleProcess task(tmp, with_model(tmp, script.url(), {"do", "look"}));
    CHECK_THAT(task.all_output(), Contains("can't") && Contains("not done"));
    CHECK(task.wait(kRunPatience) == 1);
  }
  SECTION("an error") {
    ModelScript script(site, {calls_tool("browser_snapshot", Json::object())});
    BridleProcess task(tmp, with_model(tmp, script.url(), {"do", "look", "--max-steps", "2", "--json"}));
    CHECK_THAT(Json::parse(task.all_output()).at("text").get<std::string>(),
               Contains("Step count exceeded maximum limit"));
    CHECK(task.wait(kRunPatience) == 2);
  }
  SECTION("Ctrl-C") {
    ModelScript script(site, {calls_tool("browser_navigate", {{"url", site.url("/plain")}}),
                              {.text = "I", .fault = Fault::stall_within}});
    BridleProcess task(tmp, with_model(tmp, script.url(), {"do", "look", "--json"}));
    REQUIRE(eventually([&] { return script.asked() == 2; }, kRunPatience));
    REQUIRE(site.wait_for_open_connections(script.path(), 1, kRunPatience));
    task.signal(SIGINT);
    const Json run = Json::parse(task.all_output());
    CHECK(task.wait(kRunPatience) == 130);
    CHECK(run.at("status") == "stopped");
    CHECK(run.at("history").size() == 1);
    CHECK(tmp.browsers() == 0);
  }
  SECTION("Ctrl-C twice, while the stop is not answered") {
    ModelScript script(site, {{.text = "I", .fault = Fault::stall_within}});
    AgentServing serving(tmp, site);
    BridleProcess task(tmp, {"do", "look", "--url", "http://127.0.0.1:" + std::to_string(serving.port)});
    REQUIRE(eventually([&] { return script.asked() == 1; }, kRunPatience));
    serving.bridle.signal(SIGSTOP);
    task.signal(SIGINT);
    REQUIRE(eventually([&] { return task.errors().find("once more: at once") != std::string::npos; }, kRunPatience));
    task.signal(SIGINT);
    CHECK(task.wait(kRunPatience) == 130);
    serving.bridle.signal(SIGCONT);
    CHECK(serving.client.http("POST", "/stop", "{}", {}).status == 200);
  }
  SECTION("Ctrl-C twice before anything is answered: the server's run ends too") {
    ModelScript script(site, {{.text = "I", .fault = Fault::stall_within}});
    AgentServing serving(tmp, site);
    BridleProcess task(tmp, {"do", "look", "--url", "http://127.0.0.1:" + std::to_string(serving.port)});
    REQUIRE(eventually([&] { return script.asked() == 1; }, kRunPatience));
    REQUIRE(serving.runs("browser_agent"));
    // Both are there when it looks: two of one kind would count as one.
    task.signal(SIGSTOP);
    task.signal(SIGINT);
    task.signal(SIGTERM);
    task.signal(SIGCONT);
    CHECK(task.wait(kRunPatience) == 130);
    CHECK(eventually([&] { return !serving.runs("browser_agent"); }, kRunPatience));
  }
  SECTION("kill -9: what was done can be read, and no browser is left") {
    ModelScript script(site, {calls_tool("browser_navigate", {{"url", site.url("/plain")}}, "Next goal: open it"),
                              {.text = "I", .fault = Fault::stall_within}});
    BridleProcess task(tmp, with_model(tmp, script.url(), {"do", "look at it"}));
    REQUIRE(eventually([&] { return script.asked() == 2; }, kRunPatience));
    task.signal(SIGKILL);
    CHECK(task.wait(kRunPatience) == 128 + SIGKILL);
    CHECK(eventually([&] { return tmp.browsers() == 0; }, kRunPatience));
    const auto histories = run_histories(tmp);
    REQUIRE(histories.size() == 1);
    REQUIRE(histories[0].size() == 2);
    CHECK(histories[0][0].at("task") == "look at it");
    CHECK(histories[0][1].at("goal") == "open it");
    BridleProcess runs(tmp, {"runs", "--output-dir", tmp.path() + "/out"});
    CHECK_THAT(runs.all_output(), Contains("running") && Contains("1 steps  look at it"));
    BridleProcess shown(
        tmp, {"runs", "show", histories[0][0].at("id").get<std::string>(), "--output-dir", tmp.path() + "/out"});
    CHECK_THAT(shown.all_output(), Contains("browser_navigate"));
    CHECK(shown.wait(kRunPatience) == 0);
  }
  SECTION("by a server that runs") {
    ModelScript script(site, {calls_tool("browser_navigate", {{"url", site.url("/plain")}}), says_done(true, "plain")});
    AgentServing serving(tmp, site);
    BridleProcess task(tmp, {"do", "look", "--url", "http://127.0.0.1:" + std::to_string(serving.port)});
    CHECK_THAT(task.all_output(), Contains("step 1 of 40") && Contains("plain"));
    CHECK(task.wait(kRunPatience) == 0);
    BridleProcess lost(tmp, {"do", "look", "--url", "http://127.0.0.1:1"});
    CHECK(lost.wait(kRunPatience) != 0);
    CHECK_THAT(lost.errors(), Contains("no bridle answers"));
  }
}

TEST_CASE("bridle do: a question is put at the terminal, and taken back by a stop", "[agent] [agent.do] [agent.ask]") {
  TempDir tmp;
  site::SiteServer site;
  ModelScript script(site, {calls_tool("ask_user", {{"question", "Which tea?"}, {"options", {"green", "black"}}}),
                            says_done(true, "asked")});
  const Terminal terminal;
  const auto arguments = with_model(tmp, script.url(), {"do", "buy tea", "--json"});
  SECTION("answered; what does not fit is asked again") {
    BridleProcess task(tmp, arguments, BRIDLE_BINARY, terminal.program.get());
    REQUIRE(eventually([&] { return task.errors().find("Which tea?") != std::string::npos; }, kRunPatience));
    terminal.type("red\n");
    terminal.type("black\n");
    const Json run = Json::parse(task.all_output());
    CHECK(task.wait(kRunPatience) == 0);
    CHECK_THAT(run.at("history")[0].at("actions")[0].at("result").get<std::string>(), Contains("answered: black"));
  }
  SECTION("Ctrl-C") {
    BridleProcess task(tmp, arguments, BRIDLE_BINARY, terminal.program.get());
    REQUIRE(eventually([&] { return task.errors().find("Which tea?") != std::string::npos; }, kRunPatience));
    task.signal(SIGINT);
    const Json run = Json::parse(task.all_output());
    CHECK(task.wait(kRunPatience) == 130);
    CHECK(run.at("status") == "stopped");
    CHECK_THAT(task.errors(), Contains("taken back"));
    CHECK(script.asked() == 1);
  }
  SECTION("a stop by somebody else, at the server that has the run") {
    AgentServing serving(tmp, site);
    BridleProcess task(tmp, {"do", "buy tea", "--url", "http://127.0.0.1:" + std::to_string(serving.port), "--json"},
                       BRIDLE_BINARY, terminal.program.get());
    REQUIRE(eventually([&] { return task.errors().find("Which tea?") != std::string::npos; }, kRunPatience));
    CHECK(serving.client.http("POST", "/stop", "{}", {}).status == 200);
    const Json run = Json::parse(task.all_output());
    CHECK(task.wait(kRunPatience) == 130);
    CHECK(run.at("status") == "stopped");
    CHECK_THAT(task.errors(), Contains("taken back"));
    CHECK(script.asked() == 1);
  }
  SECTION("nobody at a terminal can't be asked") {
    const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    BridleProcess task(tmp, arguments, BRIDLE_BINARY, nothing.get());
    const Json run = Json::parse(task.all_output());
    CHECK_THAT(run.at("history")[0].at("actions")[0].at("result").get<std::string>(), Contains("Nobody can be asked"));
  }
}
