#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "server/result_store.h"
#include "server/server.h"
#include "tests/site/site_server.h"
#include "tests/support/lean_browser.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/test_server.h"
#include "tools/browser_tools.h"
#include "tools/contract/catalogue.h"
#include "tools/resources/page_resources.h"

namespace bridle::wire {

// A real server in this process, with a real Chromium [lean_browser.h], and the fixture site to browse.
class BrowserServer {
 public:
  explicit BrowserServer(const std::function<void(ServerOptions&)>& adjust = {}, BrowserSettings settings = {})
      : tools(with_browser(std::move(settings)), background) {
    tools.add_to(toolbox, catalogue);
    add_page_resources(catalogue, toolbox);
    add_result_resources(catalogue, results);
    tools.add_to(catalogue);
    ServerOptions options;
    options.http.port = 0;
    options.results = &results;
    if (adjust) adjust(options);
    server = std::make_unique<Server>(std::move(options), toolbox, catalogue, background);
    server->bind();
    thread_ = std::thread([this] { server->run(); });
  }
  ~BrowserServer() {
    server->shutdown("the test ends it");
    thread_.join();
    tools.shutdown();  // tells the server of downloads until then
    server.reset();
  }
  BrowserServer(const BrowserServer&) = delete;
  BrowserServer& operator=(const BrowserServer&) = delete;

  int port() const { return server->port(); }
  long long counter(const std::string& name) const { return server->status().at("counters").at(name).get<long long>(); }

  site::SiteServer site;
  Toolbox toolbox;
  Catalogue catalogue;
  ResultStore results;
  Background background;
  BrowserTools tools;
  std::unique_ptr<Server> server;

 private:
  static BrowserSettings with_browser(BrowserSettings settings) {
    if (settings.launch.executable.empty() && settings.launch.channel.empty())
      settings.launch.executable = testing::lean_browser();
    return settings;
  }

  std::thread thread_;
};

}  // namespace bridle::wire
