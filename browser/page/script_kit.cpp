#include "browser/page/script_kit.h"

#include <spdlog/spdlog.h>

#include "base/random.h"

namespace bridle {
namespace {

constexpr std::size_t kNameBytes = 24;

const std::string& event_name() {
  static const std::string kName = "bridle-" + random_token(kNameBytes);
  return kName;
}

// Only syntax and what was taken is used later, so nothing that the page replaces is called. The promise of watch() has
// its own `then` and `constructor`, which the browser looks up when it awaits it.
constexpr std::string_view kSource = R"js((() => {
  const { AbortController, Promise } = globalThis;
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const { then } = Promise.prototype;
  const { abort } = AbortController.prototype;
  const { get: signalOf } = getOwnPropertyDescriptor(AbortController.prototype, 'signal');
  const fix = (promise, name, value) => defineProperty(promise, name, { __proto__: null, value });
  addEventListener('EVENT', () => {
    const controller = new AbortController();
    return {
      __proto__: null,
      signal: apply(signalOf, controller, []),
      abort: () => { apply(abort, controller, []); },
      watch: (value) => {
        let ring;
        const bell = new Promise((resolve) => { ring = resolve; });
        fix(bell, 'then', then);
        fix(bell, 'constructor', undefined);
        const settled = () => { ring(0); };
        try { apply(then, value, [settled, settled]); } catch { settled(); }
        return bell;
      },
    };
  });
})())js";

constexpr const char* kFromPage =
    "(() => { const c = new AbortController(); return { __proto__: null, signal: c.signal, "
    "abort: () => { c.abort(); }, watch: (value) => value }; })()";

// The object id of the kit; "" without one.
std::string find_kit(const CallContext& ctx, Tab& tab, const FrameState& frame) {
  // Objects are handed out only for a window that belongs to a group; this one is released with its document.
  const Json window =
      tab.call(ctx, "Runtime.evaluate",
               {{"expression", "this"}, {"uniqueContextId", frame.main_world}, {"objectGroup", "bridle-kit"}},
               limits::kCdpCommand, frame.session);
  const Json listeners =
      tab.call(ctx, "DOMDebugger.getEventListeners", {{"objectId", window.at("result").value("objectId", "")}},
               limits::kCdpCommand, frame.session);
  for (const Json& listener : listeners.at("listeners")) {
    if (listener.value("type", "") != event_name()) continue;
    if (const auto handler = listener.find("handler"); handler != listener.end())
      return string_field(*handler, "objectId");
  }
  return {};
}

}  // namespace

std::string_view script_kit_source() {
  static const std::string kWithName = [] {
    std::string text(kSource);
    return text.replace(text.find("EVENT"), std::string_view("EVENT").size(), event_name());
  }();
  return kWithName;
}

std::string make_script_handle(const CallContext& ctx, Tab& tab, const std::string& frame_id, const FrameState& frame,
                               const std::string& object_group) {
  auto kit = frame.script_kit_world == frame.main_world ? frame.script_kit : std::string();
  if (frame.script_kit_world != frame.main_world) {
    try {
      kit = find_kit(ctx, tab, frame);
    } catch (const CdpError& error) {
      spdlog::debug("{}: the listeners of a page can't be listed: {}", tab.label(), error.what());
    }
    tab.set_script_kit(frame_id, frame.main_world, kit);
  }
  if (!kit.empty()) {
    try {
      const Json made = tab.call(
          ctx, "Runtime.callFunctionOn",
          {{"objectId", kit}, {"functionDeclaration", "function(){return this()}"}, {"objectGroup", object_group}},
          limits::kCdpCommand, frame.session);
      return made.at("result").value("objectId", "");
    } catch (const CdpError& error) {
      spdlog::debug("{}: the kit of a page is lost: {}", tab.label(), error.what());
    }
  }
  const Json made =
      tab.call(ctx, "Runtime.evaluate",
               {{"expression", kFromPage}, {"uniqueContextId", frame.main_world}, {"objectGroup", object_group}},
               limits::kCdpCommand, frame.session);
  return made.contains("exceptionDetails") ? std::string() : made.at("result").value("objectId", "");
}

}  // namespace bridle
