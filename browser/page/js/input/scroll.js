// Scrolling as the wheel does it: which container, where the mouse has to be for it, and what came of it.

import {
  bodyOf,
  clientHeightOf,
  clientWidthOf,
  documentElementOf,
  isConnected,
  rectOf,
  scrollIntoViewOf,
  scrollLeftOf,
  scrollTopOf,
  scrollingElementOf,
  tagOf,
} from '../dom/members.js';
import { deepQueryAll } from '../dom/shadow_roots.js';
import { closestFlat, flatContains, flatParentOf } from '../dom/flat_tree.js';
import { withPass } from '../dom/pass.js';
import { deepHit, isInView } from '../dom/hit.js';
import { isVisible } from '../dom/style.js';
import { records } from '../tree/refs.js';
import { isRoot, isScroller, kScrollSlack, roomOf, scrolledBy } from '../tree/scrollers.js';
import { refOf } from '../target/nearest.js';
import { describeElement, resolveTarget } from '../target/targets.js';
import { later, live, poll } from '../wait/pollers.js';
import { addListener, kWatchLife, removeListener } from '../target/events.js';

const kPageShare = 0.9; // of what is seen: a line of it stays
const kWheelSteps = [0.5, 0.25, 0.75, 0.1, 0.9]; // of a box: where the mouse may be
const kScrollStarts = 250; // ms until a wheel's scrolling has begun, if it does
const kScrollFrames = 4; // drawn by then: where they take long, it begins later
const kScrollLasts = 1500; // ms that a scrolling without an end is watched
const kScrollRests = 80; // ms without a step, where no scrollend tells that it is over
const kRestFrames = 2; // and so many drawn
const kComeShown = 8; // elements that came into view

let scrolling = null; // from scrollPlan to scrollResult

// The part of a container's box that the viewport shows.
function shownBox(el) {
  const box = isRoot(el) ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : rectOf(el);
  return {
    left: Math.max(0, box.left),
    top: Math.max(0, box.top),
    right: Math.min(innerWidth, box.right),
    bottom: Math.min(innerHeight, box.bottom),
  };
}

// A point of an element's box that hits what is wanted, or null.
function pointWhere(el, isWanted) {
  const { left, top, right, bottom } = shownBox(el);
  if (right <= left || bottom <= top) return null;
  for (const v of kWheelSteps) {
    for (const h of kWheelSteps) {
      const x = left + (right - left) * h;
      const y = top + (bottom - top) * v;
      const hit = deepHit(x, y);
      if (hit && isWanted(hit)) return { x, y };
    }
  }
  return null;
}

const isFrame = (el) => /^(iframe|frame|object|embed)$/.test(tagOf(el));

// Where the page itself, and no frame in it, gets the wheel; or null.
const wheelPoint = () =>
  pointWhere(scrollingElementOf(document) ?? documentElementOf(document), (hit) => !isFrame(hit));

// A point where the wheel moves the container, or null: something else lies over it everywhere. At the `target` where that
// can be: what listens to the wheel there gets it, as under a person's mouse.
function pointFor(el, dx, dy, target = null) {
  const moves = (hit) => !isFrame(hit) && scrolledBy(hit, dx, dy) === el;
  return (target && pointWhere(target, (hit) => flatContains(target, hit) && moves(hit))) ?? pointWhere(el, moves);
}

// Without a target: the page, or what a page that doesn't scroll has in its place, the largest of its containers.
function mainScroller(dx, dy) {
  const root = scrollingElementOf(document) ?? documentElementOf(document);
  const sideways = dx !== 0;
  if (isScroller(root, sideways) && (pointFor(root, dx, dy) || scrolledBy(root, dx, dy) === null)) return root;
  const inner = deepQueryAll(document, '*').filter((el) => !isRoot(el) && isScroller(el, sideways) && isVisible(el));
  const area = (el) => {
    const { left, top, right, bottom } = shownBox(el);
    return Math.max(0, right - left) * Math.max(0, bottom - top);
  };
  inner.sort((a, b) => area(b) - area(a));
  // Under a dialog the largest can't be reached.
  return inner.find((el) => pointFor(el, dx, dy)) ?? inner[0] ?? null;
}

const namedScroller = (el) => (isRoot(el) ? 'the page' : describeElement(el) + refOf(el));

// The target, or what is in the middle of the view, and what is around it, without the document: who may listen to the
// wheel over it.
function elementsAround({ target }) {
  const path = [];
  let at = target === undefined ? deepHit(innerWidth / 2, innerHeight / 2) : resolveTarget(target).el;
  while (at && at !== bodyOf(document) && at !== documentElementOf(document) && path.length < kAroundMost) {
    path.push(at);
    at = flatParentOf(at);
  }
  return path;
}
const kAroundMost = 20;

// `x`, `y`: CSS px, or with `unit` page or end the direction alone. -> where to turn the wheel, and by how much.
function scrollPlan({ target, x: byX, y: byY, unit, over = false }) {
  const el = target === undefined ? null : resolveTarget(target).el;
  const sideways = byX !== 0;
  const box = el ? closestFlat(el, (at) => isScroller(at, sideways)) : mainScroller(byX, byY);
  if (!box)
    return over
      ? wheelOver(el, byX, byY, unit)
      : { ok: true, found: false, describe: el ? describeElement(el) : 'the page', ...kNowhere };
  let point = pointFor(box, byX, byY, el);
  const room = roomOf(box);
  const left = sideways ? (byX < 0 ? room.left : room.right) : byY < 0 ? room.above : room.below;
  const describe = namedScroller(box);
  if (left <= kScrollSlack)
    return over ? wheelOver(el, byX, byY, unit) : { ok: true, found: true, atEnd: true, describe, ...kNowhere };
  if (!point) {
    scrollIntoViewOf(box, { behavior: 'instant', block: 'nearest', inline: 'nearest' });
    point = pointFor(box, byX, byY, el);
  }
  if (!point) return { ok: false, error: `${describe} can't be scrolled by the wheel: something lies over all of it.` };
  let dx = byX;
  let dy = byY;
  if (unit !== 'px') {
    const seen = sideways ? clientWidthOf(box) : isRoot(box) ? innerHeight : clientHeightOf(box);
    const by = Math.ceil(unit === 'end' ? left : Math.max(1, seen * kPageShare));
    dx = Math.sign(byX) * by;
    dy = Math.sign(byY) * by;
  }
  watchScrolling(box);
  return { ok: true, found: true, describe, ...point, dx, dy };
}

const kNowhere = { x: 0, y: 0, dx: 0, dy: 0 };

// Nothing around the element scrolls that way, but it has a use of its own for the wheel: a map zooms. Or, without one, the
// page has: it moves from one part to the next.
function wheelOver(target, byX, byY, unit) {
  const el = target ?? documentElementOf(document);
  const describe = target ? namedScroller(el) : 'the page';
  if (target && !isInView(el)) scrollIntoViewOf(el, { behavior: 'instant', block: 'nearest', inline: 'nearest' });
  const point = target ? pointWhere(el, (hit) => flatContains(el, hit)) : wheelPoint();
  if (!point) return { ok: true, found: false, describe, ...kNowhere };
  const { left, top, right, bottom } = shownBox(target ?? scrollingElementOf(document) ?? el);
  const seen = Math.ceil(Math.max(1, (byX !== 0 ? right - left : bottom - top) * kPageShare));
  const by = unit === 'px' ? 1 : seen;
  watchScrolling(el, true);
  return { ok: true, found: true, describe, ...point, dx: byX * by, dy: byY * by };
}

function watchScrolling(box, isByScripts = false) {
  dropScrolling();
  const seen = new WeakSet();
  for (const el of withRefsIn(box)) seen.add(el);
  const state = { box, seen, isByScripts, ended: false, movedAt: performance.now(), begun: false };
  state.left = scrollLeftOf(box);
  state.top = scrollTopOf(box);
  state.onEnd = () => {
    state.ended = true;
  };
  state.wheel = null; // the last one that the page got
  state.onWheel = (event) => {
    state.wheel = event;
  };
  addListener(window, 'scrollend', state.onEnd, { capture: true, passive: true });
  addListener(window, 'wheel', state.onWheel, { capture: true, passive: true });
  live.listeners++;
  state.expire = later(kWatchLife, dropScrolling);
  scrolling = state;
}

function dropScrolling() {
  if (!scrolling) return;
  removeListener(window, 'scrollend', scrolling.onEnd, { capture: true });
  removeListener(window, 'wheel', scrolling.onWheel, { capture: true });
  live.listeners--;
  scrolling.expire();
  scrolling = null;
}

// The elements with refs in a container that can be seen now.
function withRefsIn(box) {
  return withPass(() => {
    const { left, top, right, bottom } = shownBox(box);
    const found = [];
    for (const record of records.values()) {
      const el = record.el.deref();
      if (!el || !isConnected(el)) continue;
      const at = rectOf(el);
      if (at.bottom <= top || at.top >= bottom || at.right <= left || at.left >= right || at.width === 0) continue;
      if (flatContains(box, el) && el !== box && isInView(el)) found.push(el);
    }
    return found;
  });
}

// Once the scrolling has come to rest: how far it went, what is left, and what came into view.
function scrollResult(args) {
  const state = scrolling;
  if (!state) return { ok: true, movedX: 0, movedY: 0, left: 0, right: 0, above: 0, below: 0, shown: [], more: 0 };
  const { box } = state;
  const began = performance.now();
  let at = { left: state.left, top: state.top, frames: 0 };
  let frame = document.timeline.currentTime;
  let frames = 0;
  const done = () => {
    dropScrolling();
    const fresh = withRefsIn(box).filter((el) => !state.seen.has(el));
    const room = roomOf(box);
    return {
      ok: true,
      movedX: scrollLeftOf(box) - state.left,
      movedY: scrollTopOf(box) - state.top,
      left: Math.max(0, room.left),
      right: Math.max(0, room.right),
      above: Math.max(0, room.above),
      below: Math.max(0, room.below),
      shown: fresh.slice(0, kComeShown).map((el) => describeElement(el) + refOf(el)),
      more: Math.max(0, fresh.length - kComeShown),
      ...(state.wheel?.defaultPrevented && { taken: true }),
    };
  };
  const step = (finish, again) => {
    const now = performance.now();
    if (document.timeline.currentTime !== frame) {
      frame = document.timeline.currentTime;
      frames++;
    }
    const moved = scrollLeftOf(box) !== at.left || scrollTopOf(box) !== at.top;
    if (moved) {
      at = { left: scrollLeftOf(box), top: scrollTopOf(box), frames };
      state.begun = true;
      state.movedAt = now;
      state.ended = false;
    }
    const drawn = frames - at.frames; // while it didn't move
    const rests = !moved && (state.ended || (now - state.movedAt >= kScrollRests && drawn >= kRestFrames));
    // A busy page gets the wheel late; what nothing scrolls is moved by nothing else.
    const isLate = state.isByScripts && state.wheel === null && now - began < kScrollLasts;
    const begins = now - began < kScrollStarts || drawn < kScrollFrames || isLate;
    if (state.begun ? rests || now - began >= kScrollLasts : !begins) finish(done());
    else again();
  };
  return poll(args, step, done);
}

export { elementsAround, scrollPlan, scrollResult, wheelPoint };
