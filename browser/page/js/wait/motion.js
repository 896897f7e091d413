// Animations that an action has begun and that show or hide something: what they bring about belongs to its answer.

import { clientWidthOf, firstChildOf, isSvg, rectOf } from '../dom/members.js';
import { animationsNow } from '../dom/shadow_roots.js';
import { carriesSlides } from '../dom/carousels.js';
import { withPass } from '../dom/pass.js';
import { isDragUntold } from '../dom/dragged.js';
import { movesFar, scalesFar, setsPlace, turnsOver } from '../dom/slides.js';
import { actedSince, hasRunBefore } from '../dom/acted.js';
import { words } from '../dom/collections.js';
import { isScrolling, noteEndlessScrolls } from '../target/scrolled.js';
import { anyHeld } from './held.js';
import { isInterestDue } from './interest.js';
import { live, poll } from './pollers.js';

// Others, such as colours and shadows, change nothing that a snapshot tells. What slides to another place is told too.
const kShowing = words(
  'opacity visibility display height maxHeight width maxWidth clipPath flexBasis flexGrow gridTemplateColumns gridTemplateRows',
);
const kUnknownLeft = 1; // ms: how long it takes nobody knows
const kStatic = words('offset easing composite computedOffset');

// The ms until the last of them is over; 0 without any. One without an end is no matter of waiting. `counts`: whether an
// animation's effect is one of them.
function motionLeft(counts = shows) {
  let longest = anyHeld() || isScrolling() || isInterestDue() ? kUnknownLeft : 0;
  for (const animation of animationsNow()) {
    const { playState, startTime, effect } = animation;
    if (playState !== 'running') continue;
    // It starts with its frame, and that may have begun before the action, though it runs afterwards.
    if ((startTime !== null && startTime < actedSince() && hasRunBefore(animation)) || !counts(effect)) continue;
    const left = effect.getComputedTiming().endTime - (animation.currentTime ?? 0);
    if (Number.isFinite(left)) longest = Math.max(longest, left);
  }
  return longest;
}

// What gives way to something that is dragged over it does so by less than its own size, perhaps.
const moves = (effect) => effect?.target && effect.getKeyframes().some(setsPlace);

function shows(effect) {
  const target = effect?.target;
  if (!target) return false;
  const frames = effect.getKeyframes();
  const showing = frames.some((frame) => Object.keys(frame).some((name) => !kStatic.has(name) && kShowing.has(name)));
  if (firstChildOf(target) === null) return showing && isBackdrop(target); // others only decorate
  if (showing || scalesFar(frames) || turnsOver(frames)) return true;
  // What is dragged is let go of near the place that it glides to, and only there it is put among what stands there.
  if (isDragUntold() && frames.some(setsPlace)) return true;
  // The last part of the way that a track is dragged is a short one.
  return movesFar(target, frames) || (frames.some(setsPlace) && withPass(() => carriesSlides(target)));
}

// Empty itself, it comes before what it is the backdrop of: libraries show a dialog at the end of its animation.
function isBackdrop(el) {
  if (getComputedStyle(el).position !== 'fixed') return false;
  const { left, top, right, bottom } = rectOf(el);
  return left <= 0 && top <= 0 && right >= clientWidthOf(document.documentElement) && bottom >= innerHeight;
}

// --- Motion by script: an element whose style, or a shape whose place or form, a script sets anew frame by frame

let scripted = []; // those that the last frames have found, as WeakRefs
// What has gone on through a whole wait goes on for ever: a page's banner, a clock's hand.
const endless = new WeakSet();
const kEndlessMost = 5; // elements; a page that goes on making new ones isn't waited for at all
let endlessCount = 0;
const kStyleRests = 60; // ms without a change; scripts set styles each frame, or each 13 ms
const kStartRests = 250; // of what is next to nothing yet: a busy machine may be late with a script's first step
const kTurnsAtRest = 3; // of the wait's, one a frame: a busy machine runs no script for longer than that
const kShapeForm = words('d points transform x y x1 y1 x2 y2 cx cy r rx ry width height'); // of a drawing's shapes
const kMoving = ['style', ...kShapeForm];

// The elements among those that have changed in a frame that such a motion may show or hide something of.
function movedByScript(records) {
  const found = new Set();
  if (endlessCount >= kEndlessMost) return found;
  for (const { type, attributeName, target } of records) {
    if (type !== 'attributes' || endless.has(target)) continue;
    const isMoved =
      attributeName === 'style' ? firstChildOf(target) !== null : kShapeForm.has(attributeName) && isSvg(target);
    if (isMoved) found.add(target);
  }
  return found;
}

// Whether next to nothing of an element is shown yet, which a motion may bring into sight.
function isAtItsStart(el) {
  const { display, opacity, overflowX, overflowY } = getComputedStyle(el);
  if (display === 'none' || display === 'inline') return false;
  if (Number(opacity) < kFaint) return true;
  const { width, height } = rectOf(el);
  return (overflowY !== 'visible' && height < kThin) || (overflowX !== 'visible' && width < kThin);
}
const kFaint = 0.1;
const kThin = 6; // px: its borders and its padding may be there already

// Called when an input's frames are over, with what two of them in a row have moved. Whether there is anything to wait for.
function noteScripted(elements) {
  scripted = Array.from(elements, (el) => new WeakRef(el));
  return elements.size > 0;
}

// Waits until motions are over; `left`: the ms of what isn't. How long a script goes on nobody knows: of that nothing is left.
// `place`: until whatever is moved stands, as far as it goes.
function still({ callId, timeout, place = false }) {
  const motion = () => motionLeft(place ? moves : shows);
  const changes = new Map(); // element -> when it changed last, by the clock and by turns
  let turns = 0;
  const noteChange = (el) => changes.set(el, { at: performance.now(), turn: turns });
  for (const ref of scripted) if (ref.deref()) noteChange(ref.deref());
  const note = (records) => {
    for (const el of movedByScript(records)) if (changes.has(el)) noteChange(el);
  };
  const isMoving = (el) => {
    const { at, turn } = changes.get(el);
    const rests = isAtItsStart(el) ? kStartRests : kStyleRests;
    return performance.now() - at < rests || turns - turn < kTurnsAtRest;
  };
  const moving = () => [...changes.keys()].filter(isMoving);
  const observer = changes.size > 0 ? new MutationObserver(note) : null;
  if (observer) {
    observer.observe(document, { subtree: true, attributes: true, attributeFilter: kMoving });
    live.observers++;
  }
  return poll(
    { callId, timeout },
    (finish, again) => {
      turns++;
      if (motion() === 0 && moving().length === 0) finish({ ok: true, left: 0 });
      else again();
    },
    () => {
      noteEndlessScrolls();
      for (const el of moving()) {
        endless.add(el);
        endlessCount++;
      }
      return { ok: true, left: motion() };
    },
  ).finally(() => {
    scripted = [];
    if (!observer) return;
    observer.disconnect();
    live.observers--;
  });
}

export { isAtItsStart, motionLeft, movedByScript, noteScripted, still };
