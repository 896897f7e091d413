#include "tests/wire/support/test_server.h"

#include <poll.h>

#include <stdexcept>

#include "base/concurrency/sync.h"
#include "base/text/log.h"
#include "tests/testing_server/conformance.h"
#include "tests/testing_server/test_tools.h"

namespace bridle::wire {
namespace {

Json no_arguments() { return {{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}}; }

ToolSpec simple(const char* name, ToolHandler handler) {
  return {.name = name,
          .title = name,
          .description = "a fake",
          .input_schema = no_arguments(),
          .handler = std::move(handler)};
}

ToolResult media(ToolContext&, const Json&) {
  ToolResult result = ToolResult::text("words with \"quotes\" and \xF0\x9F\x90\x8E");
  result.content.push_back({.kind = Content::Kind::image, .data = "aGVsbG8=", .mime_type = "image/png"});
  result.content.push_back({.kind = Content::Kind::audio, .data = "aGVsbG8=", .mime_type = "audio/wav"});
  result.content.push_back(
      {.kind = Content::Kind::resource, .text = "inside", .mime_type = "text/plain", .uri = "test://one"});
  result.content.push_back(
      {.kind = Content::Kind::resource_link, .mime_type = "text/plain", .uri = "test://two", .name = "two"});
  result.structured = {{"answer", 42}};
  return result;
}

ToolResult burst(ToolContext& context, const Json& args) {
  const int count = args.at("count").get<int>();
  for (int i = 1; i <= count; ++i) context.call.progress->report(i, count, "step");
  context.call.progress->report(0.5, count, "a fall");
  return ToolResult::text("done");
}

ToolResult ask(ToolContext& context, const Json&) {
  const Json form = {{"type", "object"},
                     {"properties", {{"colour", {{"type", "string"}, {"title", "Colour"}}}}},
                     {"required", {"colour"}}};
  const auto answer = context.user->ask(context.call, "colour", "Which colour?", form);
  if (answer.action != "accept") return ToolResult::text(answer.action);
  return ToolResult::text("chosen: " + answer.content.at("colour").get<std::string>());
}

}  // namespace

struct TestServer::Gate {
  Mutex mutex;
  CondVar changed;
  bool open GUARDED_BY(mutex) = false;
  std::atomic<long> waiting{0};

  void wait(const CallContext& ctx) {
    struct Count {
      std::atomic<long>& n;
      explicit Count(std::atomic<long>& count) : n(count) { ++n; }
      ~Count() { --n; }
    };
    const Count count(waiting);
    MutexLock lock(mutex);
    wait_until(ctx, changed, lock, [this]() REQUIRES(mutex) { return open; });
  }
};

TestServer::TestServer(const std::function<void(ServerOptions&)>& adjust, bool conformance)
    : gate_(std::make_shared<Gate>()) {
  init_log("off");  // what the tests provoke is no news
  add_fakes();
  if (conformance) {
    ToolSpec slow = *toolbox.find("gate");
    slow.name = "gate_that_may_take_long";
    slow.may_take_long = true;
    toolbox.add(std::move(slow));
    add_conformance_tools(toolbox, catalogue);
    add_conformance_catalogue(catalogue);
    add_result_resources(catalogue, results);
    toolbox.add(simple("long_text", [](ToolContext&, const Json&) {
      ToolResult result = ToolResult::text("the begin");
      result.whole = "the beginning and the end";
      return result;
    }));
  }
  ServerOptions options;
  options.http.port = 0;
  options.results = &results;
  if (adjust) adjust(options);
  server = std::make_unique<Server>(std::move(options), toolbox, catalogue, background);
  server->bind();
  thread_ = std::thread([this] { server->run(); });
}

TestServer::~TestServer() {
  open_gate();
  server->shutdown("the test ended");
  thread_.join();
}

void TestServer::add_fakes() {
  add_test_tools(toolbox);
  const auto gate = gate_;
  toolbox.add(simple("gate", [gate](ToolContext& context, const Json&) {
    gate->wait(context.call);
    return ToolResult::text("through the gate");
  }));
  toolbox.add(simple("instant", [](ToolContext&, const Json&) { return ToolResult::text("now"); }));
  toolbox.add(
      simple("fails", [](ToolContext&, const Json&) -> ToolResult { throw ToolError("it can't be done: try less"); }));
  toolbox.add(
      simple("explodes", [](ToolContext&, const Json&) -> ToolResult { throw std::logic_error("a secret /path"); }));
  toolbox.add(
      simple("leaks_abort", [](ToolContext&, const Json&) -> ToolResult { throw Aborted(AbortReason::deadline); }));
  ToolSpec with_output = simple("media", media);
  with_output.output_schema = {{"type", "object"}, {"properties", {{"answer", {{"type", "integer"}}}}}};
  toolbox.add(std::move(with_output));
  ToolSpec counted = simple("burst", burst);
  counted.input_schema["properties"] = {{"count", {{"type", "integer"}, {"minimum", 1}}}};
  counted.input_schema["required"] = {"count"};
  toolbox.add(std::move(counted));
  toolbox.add(simple("ask", ask));
  ToolSpec queued = simple("waits_in_line", [gate](ToolContext& context, const Json&) {
    gate->wait(context.call);
    context.observer->on_tab("t1");
    context.observer->on_running();
    return ToolResult::text("served");
  });
  queued.queues = true;
  toolbox.add(std::move(queued));
}

void TestServer::open_gate() {
  const MutexLock lock(gate_->mutex);
  gate_->open = true;
  gate_->changed.notify_all();
}

long TestServer::at_gate() const { return gate_->waiting; }

long long TestServer::counter(const std::string& name) const { return status()["counters"].at(name).get<long long>(); }

}  // namespace bridle::wire
