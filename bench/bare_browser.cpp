#include "bench/bare_browser.h"

#include <stdexcept>

#include "base/text/codecs.h"
#include "bench/report.h"
#include "browser/cdp/pending_reply.h"

namespace bridle::bench {
namespace {

constexpr const char* kWalk = R"js((() => {
  const lines = []; let n = 0;
  const walk = (el, depth) => {
    const style = getComputedStyle(el);
    if (style.display === 'none' || style.visibility === 'hidden') return;
    const box = el.getBoundingClientRect();
    let text = '';
    for (const child of el.childNodes) if (child.nodeType === 3) text += child.nodeValue.trim();
    lines.push(' '.repeat(depth) + '- ' + (el.getAttribute('role') || el.localName) + ' "' +
               (el.getAttribute('aria-label') || text) + '" [ref=e' + (++n) + ']' + (box.width > 0 ? '' : ' hidden'));
    for (const child of el.children) walk(child, depth + 1);
  };
  walk(document.body, 0);
  return lines.join('\n');
})())js";

}  // namespace

BareBrowser::BareBrowser() : process_(ChromiumProcess::launch(LaunchOptions{})) {
  connection_ = std::make_unique<CdpConnection>(process_->take_transport());
  connection_->start([](const std::string&) {});
  const CallContext ctx;
  const Json context = connection_->call(ctx, "", "Target.createBrowserContext", {}, limits::kBrowserStart);
  const Json target = connection_->call(ctx, "", "Target.createTarget",
                                        {{"url", "about:blank"}, {"browserContextId", context.at("browserContextId")}});
  const Json attached =
      connection_->call(ctx, "", "Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}});
  session_ = attached.at("sessionId").get<std::string>();
  connection_->set_event_handler(session_, [this](std::string_view method, std::string_view message) {
    if (method == "Fetch.requestPaused") {
      const Json id = parse_cdp(message).at("params").at("requestId");
      return connection_->post(session_, "Fetch.fulfillRequest",
                               {{"requestId", id}, {"responseCode", 200}, {"body", answer_}});
    }
    if (method != "Page.loadEventFired") return;
    MutexLock lock(mutex_);
    ++loads_;
    loaded_.notify_all();
  });
  send("Page.enable", {});
  // As bridle's tabs have it: pictures and layouts are of one size.
  send("Emulation.setDeviceMetricsOverride",
       {{"width", 1280}, {"height", 720}, {"deviceScaleFactor", 0}, {"mobile", false}});
}

BareBrowser::~BareBrowser() { connection_->stop(); }

void BareBrowser::send(const char* method, const Json& params) {
  // Not call(): what a reply holds is no part of what is measured.
  PendingReply reply(*connection_, session_, method, params);
  if (!reply.wait(CallContext{}.within(limits::kCdpSlowCommand))) throw CdpTimeout(std::string(method) + ": no reply");
  result_message(method, reply.take().value());
}

double BareBrowser::timed(const char* method, const Json& params) {
  const Stopwatch watch;
  send(method, params);
  return watch.ms();
}

double BareBrowser::await_number(const std::string& expression) {
  const Json params{{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}};
  return connection_->call({}, session_, "Runtime.evaluate", params).at("result").at("value").get<double>();
}

void BareBrowser::answer_requests(const std::string& pattern, const std::string& text) {
  answer_ = base64(text);
  send("Fetch.enable", {{"patterns", Json::array({{{"urlPattern", pattern}}})}});
}

double BareBrowser::navigate(const std::string& url) {
  std::uint64_t before = 0;
  {
    MutexLock lock(mutex_);
    before = loads_;
  }
  const Stopwatch watch;
  send("Page.navigate", {{"url", url}});
  MutexLock lock(mutex_);
  if (!wait_until(CallContext{}.within(Millis(30'000)), loaded_, lock,
                  [&]() REQUIRES(mutex_) { return loads_ > before; })) {
    throw std::runtime_error("bare: " + url + " did not load");
  }
  return watch.ms();
}

double BareBrowser::evaluate(const std::string& expression) {
  return timed("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}});
}

std::string BareBrowser::evaluate_text(const std::string& expression) {
  const Json reply = connection_->call(CallContext{}, session_, "Runtime.evaluate",
                                       {{"expression", expression}, {"returnByValue", true}});
  return reply.at("result").at("value").get<std::string>();
}

double BareBrowser::click(double x, double y) {
  Json event{{"type", "mouseMoved"}, {"x", x}, {"y", y}, {"button", "none"}};
  const Stopwatch watch;
  send("Input.dispatchMouseEvent", event);
  event["type"] = "mousePressed";
  event["button"] = "left";
  event["buttons"] = 1;
  event["clickCount"] = 1;
  send("Input.dispatchMouseEvent", event);
  event["type"] = "mouseReleased";
  event["buttons"] = 0;
  send("Input.dispatchMouseEvent", event);
  return watch.ms();
}

double BareBrowser::insert_text(const std::string& text) { return timed("Input.insertText", {{"text", text}}); }

double BareBrowser::press_key_a() {
  Json event{{"type", "keyDown"}, {"key", "a"}, {"code", "KeyA"}, {"text", "a"}, {"windowsVirtualKeyCode", 65}};
  const Stopwatch watch;
  send("Input.dispatchKeyEvent", event);
  event["type"] = "keyUp";
  event.erase("text");
  send("Input.dispatchKeyEvent", event);
  return watch.ms();
}

double BareBrowser::screenshot(const std::string& format) {
  Json params{{"format", format}};
  if (format != "png") params["quality"] = 80;
  return timed("Page.captureScreenshot", params);
}

double BareBrowser::print() {
  return timed("Page.printToPDF", {{"printBackground", true}, {"paperWidth", 8.2677}, {"paperHeight", 11.6929}});
}

double BareBrowser::list_targets() {
  const Stopwatch watch;
  connection_->call(CallContext{}, "", "Target.getTargets", {});
  return watch.ms();
}

double BareBrowser::walk() { return evaluate(kWalk); }

}  // namespace bridle::bench
