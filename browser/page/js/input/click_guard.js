// The second look at the hit target: during the click itself. What C++ aimed at may have moved between the check and
// the event; a click that would land elsewhere is blocked before the page sees it, and reported.

import { tagSketch } from '../dom/errors.js';
import { anyClosedRoot, closedRoots } from '../dom/shadow_roots.js';
import { deepHit, isHitOn } from '../dom/hit.js';
import { dropClickFrames, startClickFrames } from '../wait/frames.js';
import { later, live } from '../wait/pollers.js';
import {
  addListener,
  composedPathOf,
  isTrustedOf,
  kWatchLife,
  preventNow,
  removeListener,
  stopNow,
} from '../target/events.js';
import { beginScrolls } from '../target/scrolled.js';
import { watchReaction } from './reaction.js';
import { watchHearing } from './unheard.js';

let guard = null;
const kGuarded = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'];
const kReleases = new Set(['pointerup', 'mouseup']);

function installGuard(el, callId) {
  dropGuard();
  dropClickFrames();
  beginScrolls('click', el);
  const state = {
    el: new WeakRef(el),
    callId,
    seen: [],
    pressed: pressesSoFar(),
    missed: null,
    clicked: false,
    clickedInstead: null,
    reacted: () => false, // until the press
    hearing: null,
    handler: null,
    expire: later(kWatchLife, dropGuard),
  };
  state.handler = (event) => {
    if (!isTrustedOf(event)) return;
    const aim = state.el.deref();
    const at = composedPathOf(event)[0];
    // Once the first event has hit, the page may move things about as it likes: a menu opens on mousedown.
    if (state.seen.length === 0) {
      const hit = aim && (state.aimIsHit = at instanceof Element && isHitOn(aim, deepTargetOf(event, at)));
      if (!hit) state.missed = at instanceof Element ? tagSketch(at) : 'the window';
      else {
        state.reacted = watchReaction(aim, event);
        state.hearing = watchHearing(aim);
      }
    }
    if (kReleases.has(event.type) && !state.missed) state.hearing.released();
    state.seen.push(event.type);
    if (state.missed) {
      stopNow(event);
      preventNow(event);
    } else if (event.type === 'click') {
      // What the page changed since the press may lie there now. A label's click is followed by its control's.
      state.clicked ||= Boolean(aim) && at instanceof Element && isHitOn(aim, deepTargetOf(event, at));
      state.clickedInstead ??= at instanceof Element ? tagSketch(at) : 'the window';
      const reacted = state.reacted();
      state.reacted = () => reacted;
      startClickFrames();
    }
  };
  for (const type of kGuarded) addListener(window, type, state.handler, { capture: true, passive: false });
  live.listeners += kGuarded.length;
  guard = state;
}

// Events from inside a closed root are retargeted to its host for us: ask the point.
function deepTargetOf(event, at) {
  if (!anyClosedRoot || !closedRoots.has(at)) return at;
  return deepHit(event.clientX, event.clientY) ?? at;
}

// How many presses of this document's the browser has sent on, whoever kept them from us. A press that is not among them
// was dropped by the browser, or was another frame's.
function pressesSoFar() {
  const counts = performance.eventCounts;
  return counts.get('pointerdown') + counts.get('mousedown');
}

function dropGuard() {
  if (!guard) return;
  for (const type of kGuarded) removeListener(window, type, guard.handler, { capture: true });
  live.listeners -= kGuarded.length;
  guard.reacted();
  guard.hearing?.stop();
  guard.expire();
  guard = null;
}

// A call that was cancelled takes its guard with it.
function dropGuardOf(callId) {
  if (guard && callId !== undefined && guard.callId === callId) dropGuard();
}

// What happened since the guard was installed. Takes its listeners away.
function hitResult() {
  if (!guard) return { ok: true, hit: null, seen: [] };
  const { seen, missed, clicked } = guard;
  const dropped = seen.length === 0 && guard.pressed === pressesSoFar();
  const released = seen.includes('pointerup') || seen.includes('mouseup');
  const isLost = missed === null && released && !clicked && !guard.reacted();
  const clickedInstead = isLost ? (guard.clickedInstead ?? 'nobody') : null;
  const hit = seen.length ? missed === null : null;
  const result = { ok: true, hit, seen, hitInstead: missed, blocked: missed !== null, clickedInstead, dropped };
  const { hearing } = guard;
  guard.hearing = null; // it goes on
  dropGuard();
  return hearing?.isDoubtful() ? hearing.unheard().then((unheard) => ({ ...result, unheard })) : result;
}

export { guard, installGuard, dropGuardOf, hitResult };
