#pragma once

#include <memory>
#include <string>
#include <thread>

#include "server/server.h"
#include "tests/site/site_server.h"
#include "tests/wire/mcp_client.h"
#include "tests/wire/test_server.h"
#include "tools/browser_tools.h"

namespace bridle::wire {

// A real server with a real Chromium in this process, and the fixture site to browse.
class BrowserServer {
 public:
  BrowserServer() : tools(BrowserSettings{}) {
    tools.add_to(toolbox);
    server = std::make_unique<Server>(ServerOptions(), toolbox);
    server->bind();
    thread_ = std::thread([this] { server->run(); });
  }
  ~BrowserServer() {
    server->shutdown("the test ends it");
    thread_.join();
    server.reset();
    tools.shutdown();
  }
  BrowserServer(const BrowserServer&) = delete;
  BrowserServer& operator=(const BrowserServer&) = delete;

  int port() const { return server->port(); }
  long long counter(const std::string& name) const { return server->status().at("counters").at(name).get<long long>(); }

  site::SiteServer site;
  BrowserTools tools;
  Toolbox toolbox;
  std::unique_ptr<Server> server;

 private:
  std::thread thread_;
};

}  // namespace bridle::wire
