#pragma once

#include <string>
#include <utility>
#include <vector>

#include "browser/cdp/message.h"
#include "browser/tab/navigation_tracker.h"
#include "browser/tab/url_settle.h"

// Words for scripts of CDP events, as facts of Chromium tell them: fed to a tracker one by one.
namespace bridle::testing {

struct Event {
  std::string method;
  Json params;
};
using Events = std::vector<Event>;

inline constexpr const char* kMain = "MAIN";

inline Event requested(const std::string& url, const std::string& reason = "anchorClick",
                       const std::string& disposition = "currentTab", const std::string& frame = kMain) {
  return {"Page.frameRequestedNavigation",
          {{"frameId", frame}, {"url", url}, {"reason", reason}, {"disposition", disposition}}};
}
inline Event started(const std::string& loader, const std::string& url, const std::string& type = "differentDocument",
                     const std::string& frame = kMain) {
  return {"Page.frameStartedNavigating",
          {{"frameId", frame}, {"url", url}, {"loaderId", loader}, {"navigationType", type}}};
}
inline Event started_loading(const std::string& frame = kMain) {
  return {"Page.frameStartedLoading", {{"frameId", frame}}};
}
inline Event stopped_loading(const std::string& frame = kMain) {
  return {"Page.frameStoppedLoading", {{"frameId", frame}}};
}
inline Event document_request(const std::string& loader, const std::string& url,
                              const std::string& redirected_from = "") {
  Event event{"Network.requestWillBeSent",
              {{"requestId", loader},
               {"loaderId", loader},
               {"frameId", kMain},
               {"type", "Document"},
               {"request", {{"url", url}}}}};
  if (!redirected_from.empty()) event.params["redirectResponse"] = {{"url", redirected_from}, {"status", 302}};
  return event;
}
inline Event response(const std::string& loader, int status) {
  return {"Network.responseReceived",
          {{"requestId", loader},
           {"loaderId", loader},
           {"frameId", kMain},
           {"type", "Document"},
           {"response", {{"status", status}}}}};
}
inline Event committed(const std::string& loader, const std::string& url, const std::string& origin = "http://a") {
  return {"Page.frameNavigated",
          {{"frame", {{"id", kMain}, {"loaderId", loader}, {"url", url}, {"securityOrigin", origin}}},
           {"type", "Navigation"}}};
}
inline Event error_page(const std::string& loader, const std::string& unreachable) {
  return {"Page.frameNavigated",
          {{"frame",
            {{"id", kMain},
             {"loaderId", loader},
             {"url", "chrome-error://chromewebdata/"},
             {"securityOrigin", "://"},
             {"unreachableUrl", unreachable}}}}};
}
inline Event within_document(const std::string& url, const std::string& frame = kMain) {
  return {"Page.navigatedWithinDocument", {{"frameId", frame}, {"url", url}}};
}
inline Event failed(const std::string& loader, const std::string& error) {
  return {"Network.loadingFailed", {{"requestId", loader}, {"type", "Document"}, {"errorText", error}}};
}
inline Event lifecycle(const std::string& loader, const std::string& name) {
  return {"Page.lifecycleEvent", {{"frameId", kMain}, {"loaderId", loader}, {"name", name}}};
}
inline Event scheduled(const std::string& url, double delay, const std::string& reason = "metaTagRefresh") {
  return {"Page.frameScheduledNavigation", {{"frameId", kMain}, {"url", url}, {"delay", delay}, {"reason", reason}}};
}
inline Event schedule_cleared() { return {"Page.frameClearedScheduledNavigation", {{"frameId", kMain}}}; }
inline Event download(const std::string& url) {
  return {"Page.downloadWillBegin",
          {{"frameId", kMain}, {"url", url}, {"guid", "G"}, {"suggestedFilename", "file.bin"}}};
}
inline Event sub_frame_committed(const std::string& url) {
  return {"Page.frameNavigated",
          {{"frame",
            {{"id", "CHILD"}, {"parentId", kMain}, {"loaderId", "LC"}, {"url", url}, {"securityOrigin", "http://a"}}}}};
}

inline bool feed(NavigationTracker& tracker, const Event& event) {
  return tracker.on_event(event.method, event.params);
}
inline void feed(NavigationTracker& tracker, const Events& events) {
  for (const auto& event : events) feed(tracker, event);
}

// All of a page's way from nothing to loaded.
inline Events whole_page(const std::string& loader, const std::string& url) {
  return {started(loader, url),      started_loading(),      document_request(loader, url),
          response(loader, 200),     committed(loader, url), lifecycle(loader, "DOMContentLoaded"),
          lifecycle(loader, "load"), stopped_loading()};
}

}  // namespace bridle::testing
