#include "browser/page/world/script_kit.h"

#include <spdlog/spdlog.h>

#include "base/text/random.h"
#include "browser/page/world/plain_value.h"
#include "browser/page/world/unanswered_questions.h"
#include "browser/page/world/worker_posts.h"

namespace bridle {
namespace {

constexpr std::size_t kNameBytes = 24;
constexpr int kTimersNoted = 200;
constexpr int kBeats = 3;  // timeouts of one delay in a row, from which on they are a beat
constexpr int kChain = 3;  // timeouts that one sets after another: a page that goes on so is waited for no more
// In which a timeout is taken to be over of which no more is known than that it was set.
constexpr int kUnknownMs = 5000;
constexpr int kPurgedMs = 100;  // between looks for timers that are over, where so many are noted

const std::string& event_name() {
  static const std::string kName = "bridle-" + random_token(kNameBytes);
  return kName;
}

// Only syntax and what was taken is used later, so nothing that the page replaces is called. The promise of watch() has
// its own `then` and `constructor`, which the browser looks up when it awaits it.
constexpr std::string_view kSource = R"js((() => {
  const page = globalThis;
  const { AbortController, Object, Promise, Proxy } = page;
  const { apply, defineProperty, getOwnPropertyDescriptor, setPrototypeOf } = Reflect;
  const { then } = Promise.prototype;
  const { setTimeout, clearTimeout } = page;
  const { abort } = AbortController.prototype;
  const { get: signalOf } = getOwnPropertyDescriptor(AbortController.prototype, 'signal');
  const fix = (promise, name, value) => defineProperty(promise, name, { __proto__: null, value });
  const newBell = (hand) => {
    const bell = new Promise(hand);
    fix(bell, 'then', then);
    fix(bell, 'constructor', undefined);
    return bell;
  };
  // What a promise can be fulfilled with without the page being asked for a `then`.
  const unread = { __proto__: null };
  const plain = (PLAIN)(page);
  const tellable = (value) => (Object(value) === value ? unread : value);
  const kit = () => {
    const controller = new AbortController();
    let next = nextHandle();
    // A script sees setTimeout as the page has it: of its timeouts only that there are some is known.
    const noteScript = () => {
      const handle = nextHandle();
      if (handle > next + 1) noteUnknown();
      next = handle;
    };
    return {
      __proto__: null,
      signal: apply(signalOf, controller, []),
      abort: () => { apply(abort, controller, []); },
      plain,
      watch: (value) => {
        let ring;
        const bell = newBell((resolve) => { ring = resolve; });
        const settled = (result) => {
          noteScript();
          ring(result);
        };
        noteScript();
        try { apply(then, value, [(result) => settled(tellable(result)), () => settled(unread)]); }
        catch { settled(tellable(value)); }
        return bell;
      },
    };
  };

  // When timeouts that were seen to be set will be over, by their handles, so that nobody takes the page for quiet until then.
  const clock = page.performance;
  const { now } = clock;
  let waiting = { __proto__: null };
  let waitingCount = 0;
  let purgedAt = 0;
  const forgetPast = (time) => {
    const before = waiting;
    waiting = { __proto__: null };
    waitingCount = 0;
    purgedAt = time;
    for (const id in before) if (before[id] > time) { waiting[id] = before[id]; waitingCount++; }
  };
  // Timeouts of one delay, each set when the one before is over, are a page's poll or clock: by delay, when the last is over and how
  // many have been. What an action's watch sees is none: it may be what the action is for.
  let beats, beatsCount = 0;
  const isBeat = (delay, time) => {
    if (noted) return false;
    const last = beats?.[delay];
    if (!last && beatsCount++ % MOST === 0) beats = { __proto__: null };
    const count = last && time >= last.over ? last.count + 1 : 0;
    beats[delay] = { __proto__: null, over: time + delay, count };
    return count >= BEATS;
  };
  const noteWaiting = (id, delay) => {
    if (!(delay > 0)) return id;
    const time = apply(now, clock, []);
    if (isBeat(delay, time)) return id;
    if (waitingCount === MOST && time > purgedAt + PURGED) forgetPast(time);
    if (waitingCount === MOST) return id;
    waiting[id] = time + delay;
    waitingCount++;
    return id;
  };
  let unknownUntil = 0;
  const noteUnknown = () => { unknownUntil = apply(now, clock, []) + UNKNOWN; };
  // How many timeouts deep what runs now is, each set by the one before.
  let depth = 0;
  const chained = (callback, level) => function () {
    const outside = depth;
    depth = level;
    if (level < CHAIN) putIn();
    try { return apply(callback, this, arguments); }
    finally {
      depth = outside;
      rest();
    }
  };
  let noted = null;
  // Whether the page's late timers (see fired) go on for ever, as a clock's do: then they are waited for no more.
  let goesOn = false;
  const counts = (state, timer) => (state.late ? timer.early || !goesOn : timer.own);
  let intervalsLeft = { __proto__: null }; // when the last watch ended, by their delay
  const anyNoted = (state) => {
    for (let i = 0; i < state.count; i++) if (counts(state, state.timers[i])) return true;
    return false;
  };
  const anyLeft = (state) => {
    const { timers, count, most } = state;
    for (let i = 0; i < count; i++)
      if (!timers[i].over && timers[i].delay <= most && counts(state, timers[i])) return true;
    return false;
  };
  // The handles count up: one that isn't the next tells that a timer was set in between.
  const nothing = () => {};
  const nextHandle = () => {
    const handle = apply(setTimeout, page, [nothing, 0]);
    apply(clearTimeout, page, [handle]);
    return handle;
  };
  const end = (state, timer, ran) => {
    if (ran && !timer.over && counts(state, timer)) state.ran = true;
    timer.over = true;
    if (state.ring && !anyLeft(state)) state.ring('fired');
  };
  const noteTimer = (target, self, args, repeats) => {
    const state = noted;
    const callback = args[0];
    const delay = typeof args[1] === 'number' || typeof args[1] === 'string' ? +args[1] : 0;
    const level = depth + 1;
    const waits = !repeats && level <= CHAIN;
    const run = repeats || typeof callback !== 'function' || !(delay > 0) ? callback : chained(callback, level);
    if (!state || typeof callback !== 'function' || state.count === MOST) {
      args[0] = run;
      const id = apply(target, self, args);
      return waits ? noteWaiting(id, delay) : id;
    }
    const { inside } = state;
    const own = state.open || inside !== null;
    const early = inside ? inside.early : state.open && !state.asked;
    const timer = { __proto__: null, id: 0, over: false, left: false, own, early, repeats, delay: delay > 0 ? delay : 0 };
    state.timers[state.count++] = timer;
    args[0] = function () {
      const outside = state.inside;
      const before = timer.left ? nextHandle() : 0;
      state.inside = own ? timer : null;
      try { return apply(run, this, arguments); }
      finally {
        state.inside = outside;
        if (timer.left) goesOn = nextHandle() !== before + 1;
        timer.left = false;
        end(state, timer, true);
      }
    };
    timer.id = apply(target, self, args);
    return waits ? noteWaiting(timer.id, delay) : timer.id;
  };
  const note = (target, self, args) => noteTimer(target, self, args, false);
  const noteInterval = (target, self, args) => noteTimer(target, self, args, true);
  const forget = (target, self, args) => {
    const state = noted;
    const id = args[0];
    if (state) for (let i = 0; i < state.count; i++) if (state.timers[i].id === id) end(state, state.timers[i], false);
    if (typeof id === 'number' && id in waiting) { delete waiting[id]; waitingCount--; }
    return apply(target, self, args);
  };
  const replace = (owner, name, trap) => {
    const own = getOwnPropertyDescriptor(owner, name);
    if (!own || !own.configurable || !own.writable || typeof own.value !== 'function') return () => {};
    setPrototypeOf(own, null);
    const before = own.value;
    const now = new Proxy(before, { __proto__: null, apply: trap });
    own.value = now;
    defineProperty(owner, name, own);
    return () => {
      const current = getOwnPropertyDescriptor(owner, name);
      if (!current || current.value !== now) return;
      own.value = before;
      defineProperty(owner, name, own);
    };
  };
  const posts = (POSTS)(page, replace);
  let loading = true;
  let inPlace = null;
  const putIn = () => {
    inPlace ??= {
      __proto__: null,
      timeout: replace(page, 'setTimeout', note),
      clearTimeout: replace(page, 'clearTimeout', forget),
      interval: replace(page, 'setInterval', noteInterval), // of which the first time counts
      clearInterval: replace(page, 'clearInterval', forget),
    };
    posts.putIn();
  };
  const putBack = () => {
    if (!inPlace) return;
    posts.putBack();
    inPlace.timeout();
    inPlace.clearTimeout();
    inPlace.interval();
    inPlace.clearInterval();
    inPlace = null;
  };
  const rest = () => {
    if (!loading && !noted && depth === 0) putBack();
  };
  // What the page has asked a person for by the browser's own dialogs since this was told last: ' ?passkey', ' ?print'.
  let asked = '';
  const takeAsked = () => {
    const words = asked;
    asked = '';
    return words;
  };
  const finish = () => {
    const state = noted;
    noted = null;
    if (!state) return '';
    const owes = posts.end();
    rest();
    let left = '';
    let anyLate = false;
    const intervalsBefore = intervalsLeft;
    intervalsLeft = { __proto__: null };
    for (let i = 0; i < state.count; i++) {
      const timer = state.timers[i];
      const isShort = timer.delay <= state.most;
      if (timer.over) continue;
      if (state.late && isShort && !timer.early) anyLate = timer.left = true;
      if (timer.repeats) intervalsLeft[timer.delay] = true;
      // What each action sets anew is a blinking caret.
      if (timer.repeats && intervalsBefore[timer.delay]) continue;
      // A long one that a response sets is a page's own clock more often than not.
      if (counts(state, timer) && (isShort || !state.late || timer.early)) left += timer.delay + ' ';
    }
    if (state.late && !anyLate) goesOn = false;
    if (owes) left += 'owed ';
    return left + (state.ran ? 'ran' : '') + takeAsked();
  };
  const begin = () => {
    finish();
    noted = { __proto__: null, timers: { __proto__: null }, count: 0, open: true, inside: null, most: 0, ring: null,
              asked: false, late: false, ran: false };
    posts.begin();
    putIn();
  };
  const withWorkers = (said) => (posts.isUsed() ? said + ' workers' : said);
  kit.posts = {
    __proto__: null,
    answered: () => posts.answered(newBell),
    heard: () => posts.heard(newBell),
    giveUp: posts.giveUp,
  };
  kit.timers = {
    __proto__: null,
    begin,
    // What opened a dialog was asked for its timers already, to no avail.
    resume: () => { if (noted) noted.open = true; else begin(); },
    // `late`: those count too that were set since by what isn't known to be the input's, as the handler of a response.
    fired: (most, late) => {
      const state = noted;
      if (!state) return 'none';
      state.asked = true;
      if (late) state.late = true;
      state.most = most;
      if (!anyNoted(state)) return withWorkers('none' + takeAsked());
      state.open = false;
      if (!anyLeft(state)) return withWorkers('others');
      return newBell((resolve) => { state.ring = (said) => resolve(withWorkers(said)); });
    },
    // The page is about to be read: what ran before is in what is read.
    look: () => { if (noted) noted.ran = false; },
    // Whether a timeout is known that will be over within so many ms.
    isDue: (most) => {
      const time = apply(now, clock, []);
      forgetPast(time);
      if (time < unknownUntil) return true;
      for (const id in waiting) if (waiting[id] <= time + most) return true;
      return false;
    },
    finish,
  };
  if (ALONE) (UNANSWERED)(page, replace, (word) => { asked += ' ?' + word; });
  addEventListener('EVENT', kit);
  // Libraries keep the functions that they find when they are loaded: those are ours then, and stay so.
  putIn();
  addEventListener('load', () => {
    loading = false;
    rest();
  }, { __proto__: null, once: true, capture: true });
})())js";

std::string source_from_page() {
  return "(() => { const c = new AbortController(); return { __proto__: null, signal: c.signal, "
         "abort: () => { c.abort(); }, watch: (value) => value, plain: (" +
         std::string(plain_value_source()) + ")(globalThis) }; })()";
}

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

std::string_view script_kit_source(bool alone) {
  const auto filled = [](bool nobody_looks) {
    std::string text(kSource);
    const auto fill = [&](std::string_view blank, const std::string& with) {
      for (auto at = text.find(blank); at != std::string::npos; at = text.find(blank, at + with.size()))
        text.replace(at, blank.size(), with);
    };
    fill("PLAIN", std::string(plain_value_source()));
    fill("UNANSWERED", std::string(unanswered_questions_source()));
    fill("POSTS", std::string(worker_posts_source()));
    fill("EVENT", event_name());
    fill("CHAIN", std::to_string(kChain));
    fill("UNKNOWN", std::to_string(kUnknownMs));
    fill("BEATS", std::to_string(kBeats));
    fill("MOST", std::to_string(kTimersNoted));
    fill("PURGED", std::to_string(kPurgedMs));
    fill("ALONE", nobody_looks ? "true" : "false");
    return text;
  };
  static const std::string kSeen = filled(false);
  static const std::string kAlone = filled(true);
  return alone ? kAlone : kSeen;
}

std::string script_kit_of(const CallContext& ctx, Tab& tab, const std::string& frame_id, const FrameState& frame) {
  if (frame.script_kit_world == frame.main_world) return frame.script_kit;
  std::string kit;
  try {
    kit = find_kit(ctx, tab, frame);
  } catch (const CdpError& error) {
    spdlog::debug("{}: the listeners of a page can't be listed: {}", tab.label(), error.what());
  }
  tab.set_script_kit(frame_id, frame.main_world, kit);
  return kit;
}

ScriptHandle make_script_handle(const CallContext& ctx, Tab& tab, const std::string& frame_id, const FrameState& frame,
                                const std::string& object_group) {
  const auto kit = script_kit_of(ctx, tab, frame_id, frame);
  if (!kit.empty()) {
    try {
      const Json made = tab.call(
          ctx, "Runtime.callFunctionOn",
          {{"objectId", kit}, {"functionDeclaration", "function(){return this()}"}, {"objectGroup", object_group}},
          limits::kCdpCommand, frame.session);
      return {made.at("result").value("objectId", ""), true};
    } catch (const CdpError& error) {
      spdlog::debug("{}: the kit of a page is lost: {}", tab.label(), error.what());
    }
  }
  const Json made = tab.call(
      ctx, "Runtime.evaluate",
      {{"expression", source_from_page()}, {"uniqueContextId", frame.main_world}, {"objectGroup", object_group}},
      limits::kCdpCommand, frame.session);
  return {made.contains("exceptionDetails") ? std::string() : made.at("result").value("objectId", ""), false};
}

}  // namespace bridle
