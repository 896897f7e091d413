// Waiting: every poller is in one table, can be cancelled by its call's id and leaves nothing behind.

import { failure } from '../dom/errors.js';
import { nodeTypeOf, parentNodeOf } from '../dom/members.js';
import { recover, unchangedSince } from '../dom/changes.js';

const pollers = new Map(); // callId -> { stop }
const live = { pollers: 0, observers: 0, timers: 0, frames: 0, idle: 0, listeners: 0 };
const kFrameFallback = 50; // ms; a background tab's requestAnimationFrame never fires
const kLateFrame = 250; // ms; where frames have just come another one does, if late on a busy machine
const kJust = 1000; // ms
let framedAt = -Infinity;

// The next animation frame, or soon after if none comes. Returns a function that calls it off, with the frame's handle.
function nextFrame(then) {
  let over = false;
  live.frames++;
  live.timers++;
  const end = () => {
    over = true;
    live.frames--;
    live.timers--;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const run = () => {
    if (over) return;
    end();
    then();
  };
  const frame = requestAnimationFrame(() => {
    framedAt = performance.now();
    run();
  });
  const timer = setTimeout(run, performance.now() - framedAt < kJust ? kLateFrame : kFrameFallback);
  return Object.assign(
    () => {
      if (!over) end();
    },
    { handle: frame },
  );
}

function later(ms, then) {
  let over = false;
  live.timers++;
  const timer = setTimeout(() => {
    if (over) return;
    over = true;
    live.timers--;
    then();
  }, ms);
  return () => {
    if (over) return;
    over = true;
    live.timers--;
    clearTimeout(timer);
  };
}

// Runs `step(finish, again)` until it calls finish(result). `again(delay?)` asks for another turn, at the next frame
// or after a delay. A poller out of time has one more turn, as what has come since the last one came in time on a page
// whose frames take long; then it gets `late()`'s result. A cancelled one gets { ok: false, cancelled: true }.
function poll({ callId, timeout }, step, late) {
  return new Promise((resolve) => {
    const key = callId ?? Symbol('call');
    pollers.get(key)?.stop();
    let callOff = null;
    let over = false;
    let observer = null;
    let stirred = false;
    let turning = false; // still, after a turn that was ended by force: it would only run away again
    const deadline = performance.now() + (timeout ?? 5000);
    live.pollers++;
    const finish = (result) => {
      if (over) return;
      over = true;
      live.pollers--;
      callOff?.();
      offDeadline();
      if (observer) {
        observer.disconnect();
        live.observers--;
      }
      if (pollers.get(key) === self) pollers.delete(key);
      resolve(result);
    };
    const turn = () => {
      callOff = null;
      stirred = false;
      if (over || turning) return;
      recover();
      turning = true;
      try {
        step(finish, again);
      } catch (error) {
        finish(failure(error));
      }
      turning = false;
    };
    const again = (delay) => {
      if (over) return;
      callOff?.();
      callOff = delay ? later(delay, turn) : nextFrame(turn);
    };
    const expire = () => {
      callOff?.();
      turn();
      if (over) return;
      try {
        finish(late());
      } catch (error) {
        finish(failure(error));
      }
    };
    const offDeadline = later(Math.max(0, deadline - performance.now()), expire);
    // `changedAt`: when anything has changed last since it began, `restsSince`: or before that; `newsAt`: what had not changed time
    // and again before, as a clock's text does.
    const self = {
      restsSince: unchangedSince(),
      changedAt: performance.now(),
      newsAt: performance.now(),
      stop: () => finish({ ok: false, cancelled: true, error: 'cancelled' }),
    };
    pollers.set(key, self);
    // A busy page changes many times a frame: it is looked at once a frame.
    const stir = () => {
      if (!stirred) {
        stirred = true;
        again();
      }
    };
    self.watch = (root) => {
      if (!observer) {
        live.observers++;
        const isNews = newsFilter();
        observer = new MutationObserver((records) => {
          self.changedAt = self.restsSince = performance.now();
          if (records.some(isNews)) self.newsAt = self.changedAt;
          stir();
        });
      }
      observer.observe(root, kWatchAll);
    };
    if (step.onStart) step.onStart(self);
    turn();
  });
}

// -> whether a change is none of those that happen to the same thing again and again; elements that come are always news.
function newsFilter() {
  const seen = new WeakMap();
  return ({ type, target, attributeName, addedNodes }) => {
    if ([...addedNodes].some((node) => nodeTypeOf(node) === 1)) return true;
    const at = type === 'characterData' ? (parentNodeOf(target) ?? target) : target; // a text may be put anew
    const kind = attributeName ?? 'text';
    if (!seen.has(at)) seen.set(at, new Map());
    const times = (seen.get(at).get(kind) ?? 0) + 1;
    seen.get(at).set(kind, times);
    return times <= kTicksLeast;
  };
}
const kTicksLeast = 2;

const kWatchAll = { subtree: true, childList: true, characterData: true, attributes: true };

// Ends the poller of a call. Returns whether there was one.
function cancelPoller(callId) {
  const poller = pollers.get(callId);
  poller?.stop();
  return poller !== undefined;
}

export { poll, live, nextFrame, later, kWatchAll, cancelPoller };
