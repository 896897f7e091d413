#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "server/result_store.h"
#include "server/server.h"
#include "tests/support/eventually.h"
#include "tests/wire/support/raw_client.h"
#include "tools/contract/tool.h"

namespace bridle::wire {

using bridle::testing::eventually;

// A real server on a port of its own, in this process, with the test tools and small fakes:
//   gate {}        waits until open_gate(), or its abort
//   instant {}     returns at once
//   fails {}       throws ToolError;  explodes {}: throws something else;  leaks_abort {}: throws a stray Aborted
//   media {}       text, image, audio, resource, resource_link and structured content
//   burst {count}  reports progress so many times, then a falling value
//   ask {}         asks its user for a colour
//   waits_in_line {}  stays `starting` until open_gate()
// With `conformance` also the fixtures of --conformance, tools and catalogue, and
//   gate_that_may_take_long {}
//   long_text {}   a result that was cut
class TestServer {
 public:
  explicit TestServer(const std::function<void(ServerOptions&)>& adjust = {}, bool conformance = false);
  ~TestServer();

  int port() const { return server->port(); }
  void open_gate();
  // Calls of `gate` and `waits_in_line` that wait just now.
  long at_gate() const;
  nlohmann::json status() const { return server->status(); }
  long long counter(const std::string& name) const;
  bool shutdown() { return server->shutdown("the test ends it"); }

  Toolbox toolbox;
  Catalogue catalogue;
  ResultStore results;
  Background background;
  std::unique_ptr<Server> server;

 private:
  void add_fakes();
  struct Gate;
  std::shared_ptr<Gate> gate_;
  std::thread thread_;
};

}  // namespace bridle::wire
