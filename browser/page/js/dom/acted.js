// What was acted on last, and since when: what changes around it is told first, and what has begun since belongs to it.

import { bodyOf, isConnected, lastElementOf } from './members.js';
import { animationsNow } from './shadow_roots.js';
import { isVisible } from './style.js';

let acted = null;
let lastBefore = null; // the body's last element
let animatedBefore = new WeakSet(); // the animations that there were
let ranBefore = new WeakSet(); // and those of them that ran: one that waited may be played by the action
let since = 0; // ms of performance.now()

function noteActed(el) {
  acted = el ? new WeakRef(el) : null;
  since = performance.now();
  const animations = animationsNow();
  animatedBefore = new WeakSet(animations);
  ranBefore = new WeakSet(animations.filter(({ playState }) => playState === 'running'));
  noteIdle();
  const body = bodyOf(document);
  const last = body ? lastElementOf(body) : null;
  lastBefore = last ? new WeakRef(last) : null;
  noteAway();
}

const actedElement = () => acted?.deref() ?? null;
const actedSince = () => since;
const isOlder = (animation) => animatedBefore.has(animation);
const hasRunBefore = (animation) => ranBefore.has(animation);
const lastOfBody = () => lastBefore?.deref() ?? null;

// --- What has come lately, and may go by itself: what an action finds away, and there after it, has come again, though it is
// as it was told.

const lately = new Set(); // the records of what was told as new
let away = null; // those records whose elements the first action since the page was told has found away, or null before it
const kLately = 50;

function noteCame(record, el) {
  lately.delete(record);
  if (!isVisible(el)) return; // what has no box of its own never is
  lately.add(record);
  if (lately.size > kLately) lately.delete(lately.keys().next().value);
}

const hasGoneAway = ({ el }) => {
  const now = el.deref();
  return !now || !isConnected(now);
};

const isThere = (record) => !hasGoneAway(record) && isVisible(record.el.deref());

// Whether the next action may find something away that the page has only drawn anew since: a look at the whole page tells.
const mayBeRedrawn = () => away === null && [...lately].some(hasGoneAway);

// An action looks at its element more than once: what it has taken away by then is its own doing.
function noteAway() {
  if (away !== null) return;
  away = new Set();
  for (const record of lately) {
    if (isThere(record)) continue;
    away.add(record);
    lately.delete(record);
  }
}

// What has a line though it has no size, as a tab's panel that is empty, is there before and after without having come.
function takeAway() {
  const taken = [...(away ?? [])].filter(isThere);
  away = null;
  return new Set(taken);
}

// --- Idle callbacks

// The callbacks that a page asks for when it is idle. Their handles count up in the document, whoever asks and by whatever
// function: one that isn't the next tells that the page has asked.

let ours = 0; // requests of our own
let askedBefore = 0; // those of the page's that are none of the action's
const kRests = 500; // ms; a page that asks less often than once in that time doesn't do so for ever
// A page that has gone on asking through a whole wait, { asked, at } when it was looked at last. It isn't waited for
// again until it rests.
let goesOn = null;

const nothingToDo = () => {};

// How often the page has asked so far.
function idleAsked() {
  const handle = requestIdleCallback(nothingToDo);
  cancelIdleCallback(handle);
  return handle - ++ours;
}

// A request of ours.
function whenIdle(then) {
  ours++;
  return requestIdleCallback(then);
}

// What the page has asked for by now is none of the action's.
function noteIdle() {
  const asked = idleAsked();
  const at = performance.now();
  const turns = goesOn ? (at - goesOn.at) / kRests : 0;
  if (turns >= 1) goesOn = asked - goesOn.asked >= turns ? { asked, at } : null;
  askedBefore = asked;
}

function noteIdleGoesOn() {
  goesOn = { asked: idleAsked(), at: performance.now() };
}

// Whether the page has asked since.
const isIdleDue = () => goesOn === null && idleAsked() > askedBefore;

export {
  actedElement,
  actedSince,
  idleAsked,
  isIdleDue,
  hasRunBefore,
  isOlder,
  lastOfBody,
  mayBeRedrawn,
  noteActed,
  noteCame,
  noteIdle,
  noteIdleGoesOn,
  takeAway,
  whenIdle,
};
