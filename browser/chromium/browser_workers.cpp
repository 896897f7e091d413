// Service and shared workers, which belong to no tab: the part of Browser that filters and routes their requests.
#include "browser/chromium/browser.h"

namespace bridle {

// A worker that is nobody's tab: its requests are filtered and routed nevertheless [tool.route.everywhere].
void Browser::begin_worker(const CdpSession& session, const std::string& context_id) {
  if (emulation_) {
    for (const auto& command : emulation_commands({}, *emulation_, SessionKind::worker, {}))
      session.post(command.method, command.params);
  }
  const auto routes = tabs_.routes_of_worker(context_id);
  if (!filter_ && !routes) return;
  {
    MutexLock lock(mutex_);
    workers_[session.id()] = routes;
  }
  const auto filter = filter_ ? filter_ : std::make_shared<const RequestFilter>(OriginRules());
  connection_->set_event_handler(
      session.id(), [filter, routes, session](std::string_view method, std::string_view message) {
        if (RequestFilter::wants(method))
          filter->answer(session, method, parse_cdp(message).at("params"), "", "", routes.get());
      });
  if (filter_ || !routes->empty() || routes->offline()) hold_worker(session, routes.get());
}

void Browser::hold_worker(const CdpSession& session, const RouteTable* routes) const {
  long seen = 0;
  do {  // as in Tab::hold_requests
    seen = routes != nullptr ? routes->version() : 0;
    const auto routed = routes != nullptr ? routes->patterns() : Json::array();
    if (filter_) {
      filter_->watch(session, routed);
    } else if (routed.empty()) {
      session.post("Fetch.disable");
    } else {
      session.post("Fetch.enable", {{"patterns", routed}});
    }
  } while (routes != nullptr && routes->version() != seen);
  if (routes == nullptr) return;
  session.post("Network.emulateNetworkConditions",
               {{"offline", routes->offline()}, {"latency", 0}, {"downloadThroughput", -1}, {"uploadThroughput", -1}});
}

void Browser::update_worker_routes(const RouteTable& routes) {
  std::vector<std::string> served;
  {
    MutexLock lock(mutex_);
    for (const auto& [session, its] : workers_) {
      if (its.get() == &routes) served.push_back(session);
    }
  }
  for (const auto& session : served) hold_worker(CdpSession(connection_, session), &routes);
}

void Browser::forget_worker(const std::string& session) {
  MutexLock lock(mutex_);
  workers_.erase(session);
}

}  // namespace bridle
