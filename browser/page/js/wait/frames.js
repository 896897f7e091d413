// Waiting for animation frames after an input: for as few as the input can need.

import { activeElementOf, clientWidthOf, elementsOf, isElement, rectOf, titleOf } from '../dom/members.js';
import { failure } from '../dom/errors.js';
import { oneSpace } from '../dom/text.js';
import { anyClosedRoot, sawShadow } from '../dom/shadow_roots.js';
import { focusedFrame, deepActiveElement } from '../dom/flat_tree.js';
import { isEditable } from '../aria/values.js';
import { isIdleDue } from '../dom/acted.js';
import { beginActing } from '../target/acting.js';
import { beginScrolls, isScrollDue } from '../target/scrolled.js';
import { loadingWords } from './loading.js';
import { isAtItsStart, motionLeft, movedByScript, noteScripted } from './motion.js';
import { kWatchAll, later, live, nextFrame } from './pollers.js';

// What has happened in this document since watchAction: did anything change, did the page ask for a frame or a timer?
// Handles of both count up in the document, whoever asks: one that isn't the next tells that the page has asked too.
let actionWatch = null;

function nextHandles() {
  const frame = requestAnimationFrame(nothing);
  cancelAnimationFrame(frame);
  return { frame, timer: nextTimer() };
}
function nextTimer() {
  const timer = setTimeout(nothing, 0);
  clearTimeout(timer);
  return timer;
}
const nothing = () => {};

// later() between watchAction and the frames: a timer of ours is none that the page has asked for.
function laterUnwatched(ms, then) {
  const off = later(ms, then);
  if (actionWatch) actionWatch.handles.timer++;
  return off;
}

// Called before an input whose effects frames({ quick: true }) will judge. Not judged are a focus in a frame, shadow
// trees, and a key that `scrolls` where it doesn't move a caret, because scrolling itself begins with a frame.
function watchAction({ scrolls = false } = {}) {
  dropActionWatch();
  const active = activeElementOf(document);
  beginActing(active);
  beginScrolls(scrolls ? 'key' : '', deepActiveElement() ?? active);
  if (focusedFrame()) return { ok: true, watching: false, inFrame: true };
  if (sawShadow || anyClosedRoot) return { ok: true, watching: false };
  if (scrolls && !(active && isEditable(active))) return { ok: true, watching: false };
  const state = {
    changed: false,
    grown: false,
    x: scrollX,
    y: scrollY,
    boxes: boxesNow(),
    early: null,
    askedForFrame: false,
  };
  state.observer = new MutationObserver((records) => noteChanges(state, records));
  state.observer.observe(document, kWatchAll);
  live.observers++;
  state.handles = nextHandles();
  actionWatch = state;
  return { ok: true, watching: true };
}

function dropActionWatch() {
  if (!actionWatch) return;
  actionWatch.observer.disconnect();
  live.observers--;
  actionWatch = null;
}

function noteChanges(state, records) {
  for (const { addedNodes } of records) {
    state.changed = true;
    for (const node of addedNodes) if (isElement(node)) state.grown = true;
  }
}
const kBoxesWatched = 500; // elements; to look at more of them twice costs as much as the frame that it may save

// The boxes of all elements; null on a page that has too many.
function boxesNow() {
  const all = elementsOf(document, '*');
  return all.length > kBoxesWatched ? null : [...all].map((el) => ({ el, box: rectOf(el) }));
}

// The text of an inline box may change its width: a ResizeObserver takes no notice of those.
function anyBoxMoved(boxes) {
  return boxes.some(({ el, box }) => {
    const { x, y, width, height } = rectOf(el);
    if (x === box.x && y === box.y && width === box.width && height === box.height) return false;
    return clientWidthOf(el) !== 0 || getComputedStyle(el).display !== 'inline';
  });
}

// Can a frame bring anything on? It runs what the page has asked for, a frame or a timer, and it tells the page's
// observers of size and of visibility: about elements that are new, or where a box isn't what it was. Other changes of
// the document, the text of a counter for one, need none.
function frameIsDue(state) {
  const { frame, timer } = nextHandles();
  const askedForFrame = frame !== state.handles.frame + 1;
  const asked = askedForFrame || timer !== state.handles.timer + 1;
  state.askedForFrame ||= askedForFrame;
  state.handles = { frame, timer };
  noteChanges(state, state.observer.takeRecords());
  if (asked || state.grown || scrollX !== state.x || scrollY !== state.y || isScrollDue(0, false)) return true;
  return state.changed && (!state.boxes || anyBoxMoved(state.boxes));
}

// Called at the end of an input's own task, to request the frame that the input needs. Requested later, that frame
// would be the next but one, because the change itself has one drawn at once.
function startFrames() {
  const state = actionWatch;
  if (!state || !frameIsDue(state)) return;
  state.early = runFrames({ n: 2, adaptive: true, first: true, asked: state.askedForFrame });
}

// Runs `then` in a task of its own, when everything that the page queued before has run.
function queueTask(then) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    then();
  };
  port2.postMessage(0);
}

// The same, `count` tasks later: a framework that draws in slices goes on by messages to itself, a slice behind each.
function queueTasks(count, then) {
  queueTask(() => (count > 1 ? queueTasks(count - 1, then) : then()));
}
const kTasksBehind = 3;

// The promised frames of the click that is under way; null before it came, and once frames() has taken them.
let clickFrames = null;

// Called from within a click's event, before the page's own listeners: requests its frames. In a task behind the event it
// would be too late: what the click changes has a frame drawn at once, often before that task, and the first would then
// be the next but one.
function startClickFrames() {
  clickFrames = runFrames({ n: 2, adaptive: true, first: true });
}

function dropClickFrames() {
  clickFrames = null;
}

// n animation frames and the tasks that they queue. `adaptive`: stops after the first frame in which nothing changed, but
// not before `least` of them.
// `quick`: none at all, if nothing that a frame could bring on has happened since watchAction. `clicked`: those that
// the click has requested, if it has come to this document.
function frames({ n = 2, least = 1, adaptive = false, quick = false, clicked = false }) {
  const requested = clickFrames;
  dropClickFrames();
  if (clicked && requested) return requested;
  const state = quick ? actionWatch : null;
  const early = state?.early;
  if (early || !state || frameIsDue(state)) {
    dropActionWatch();
    return early ?? runFrames({ n, least, adaptive, asked: state?.askedForFrame });
  }
  return new Promise((resolve) => {
    queueTask(() => {
      const due = actionWatch !== state || frameIsDue(state);
      dropActionWatch();
      resolve(
        due
          ? runFrames({ n, least, adaptive, asked: state.askedForFrame })
          : { ...whereNow(), frames: 0, motion: motionLeft(), loading: '', idle: isIdleDue() },
      );
    });
  });
}

const whereNow = () => ({ ok: true, url: location.href, title: oneSpace(titleOf(document)) });

// Whether the page asked for a further frame in each of the last action's, and moved nothing, as one does that draws all the
// time: there a frame more costs time and tells nothing.
let asksForEver = false;
const kFramesToSlide = 6; // a script's slide begins so slowly that the first ones may change nothing
// Of a motion that an interval goes on with, as jQuery's does: the first frame may come before that, and on a busy machine any.
const kFramesOfTimer = 3;
const kFramesLeftOut = 2;

// `first`: begun within the task of the input itself; what changes before the first frame is what that is for.
// `asked`: whether the page has asked for a frame by then; what it does there, it may do by a timer.
// A frame in which the page asks for another one has brought on nothing yet, perhaps: Alpine begins a transition so.
function runFrames({ n, least = 1, adaptive, first = false, asked: askedBefore = false }) {
  return new Promise((resolve) => {
    let askedForFirst = askedBefore;
    let changed = false;
    let didNothing = false; // by the first frame
    let left = n;
    let count = 0;
    let handles = null; // those at the end of the frame before
    const moved = new Set(); // by script: in two frames, or in one of those that the page has asked for in a row
    let movedNow = new Set();
    const movedBefore = movedNow; // in any frame before
    let lastMoved = 0; // the frame in which something moved last that the page hasn't asked for
    let askedForThis = false;
    let begunByInput = new Set(); // what it has styled with a timer set
    const note = (records) => {
      if (records.length === 0) return;
      changed = true;
      for (const el of movedByScript(records)) movedNow.add(el);
    };
    const observer = adaptive ? new MutationObserver(note) : null;
    if (observer) {
      live.observers++;
      observer.observe(document, kWatchAll);
    }
    const end = () => {
      if (observer) {
        live.observers--;
        observer.disconnect();
      }
      try {
        if (moved.size === 0) for (const el of begunByInput) if (isAtItsStart(el)) moved.add(el);
        const motion = Math.max(motionLeft(), noteScripted(moved) ? 1 : 0);
        resolve({
          ...whereNow(),
          frames: count,
          motion,
          loading: count > 0 ? loadingWords() : '',
          asked: askedForFirst,
          idle: isIdleDue(),
        });
      } catch (error) {
        resolve(failure(error)); // of a frame: nobody else hears of it
      }
    };
    const after = () => {
      left--;
      count++;
      if (observer) note(observer.takeRecords());
      const asked = nextHandles().frame !== handles.frame + 1;
      for (const el of movedNow) if (count > 1 && (movedBefore.has(el) || (asked && !asksForEver))) moved.add(el);
      if (movedNow.size > 0 && (asksForEver || !(count === 1 ? askedForFirst : askedForThis))) lastMoved = count;
      askedForThis = asked;
      for (const el of movedNow) movedBefore.add(el);
      movedNow = new Set();
      const scrollDue = isScrollDue(count, didNothing && !changed);
      // An interval may leave out a frame: a busy machine runs it later.
      const mayMoveOn = moved.size === 0 && lastMoved > 0 && count - lastMoved < kFramesLeftOut;
      const quiet = observer && !changed && (!asked || asksForEver) && count >= least && !scrollDue && !mayMoveOn;
      const maySlide = observer && asked && !asksForEver && moved.size === 0;
      if (left <= 0 && (((maySlide || mayMoveOn) && count < kFramesToSlide) || scrollDue)) left = 1;
      if (left <= 0 || quiet) {
        asksForEver = asked && (asksForEver || maySlide);
        end();
        return;
      }
      changed = false;
      nextFrame(turn);
      handles = nextHandles();
    };
    const turn = () => {
      if (first) {
        first = false;
        if (observer) note(observer.takeRecords());
        didNothing = !changed;
        changed = false;
        // What the input itself has styled, with a timer set, may be the beginning of a motion.
        if (movedNow.size > 0 && nextTimer() !== timer + 1) {
          left = least = Math.max(left, kFramesOfTimer);
          begunByInput = movedNow;
        }
        movedNow = new Set();
      }
      if (count === 0) {
        handles = nextHandles(); // what the input itself has asked for is this frame
        askedForFirst ||= handles.frame !== begun + 1;
      }
      queueTasks(kTasksBehind, after);
    };
    if (left <= 0) {
      end();
      return;
    }
    const { handle: begun } = nextFrame(turn);
    const timer = first ? nextTimer() : 0;
  });
}

export { nextHandles, watchAction, frames, startFrames, startClickFrames, dropClickFrames, laterUnwatched };
