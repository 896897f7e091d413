// What an action has scrolled: a link to another part of the page, a key, the button of a carousel. It is drawn over many frames,
// and nothing else may have changed.

import {
  activeElementOf,
  attr,
  bodyOf,
  documentElementOf,
  firstElementOf,
  isConnected,
  matchesSelector,
  nextElementOf,
  rectOf,
  scrollingElementOf,
  tagOf,
} from '../dom/members.js';
import { actedElement, hasRunBefore } from '../dom/acted.js';
import { closestFlat, flatContains, flatParentOf } from '../dom/flat_tree.js';
import { isInView } from '../dom/hit.js';
import { withPass } from '../dom/pass.js';
import { animationsNow } from '../dom/shadow_roots.js';
import { isVisible, styleOf } from '../dom/style.js';
import { isEditable } from '../aria/values.js';
import { recordOf, records } from '../tree/refs.js';
import { isRoot, isScroller, scrolledBy, scrollText } from '../tree/scrollers.js';
import { addListener, isTrustedOf } from './events.js';
import { refOf } from './nearest.js';
import { describeElement } from './targets.js';

// From the input to the snapshot that tells of it: what has moved since, and whether it still does.
let begun = null;
let toldScrolls = ''; // for a snapshot that is taken again
let isListening = false;
// What has gone on through a whole wait goes on for ever, as a banner does.
const endlessBoxes = new WeakSet();

// Called as the input goes out: what it is aimed at has been scrolled into view by then. `by`: 'click', 'key' (one that scrolls) or
// '' (what does neither). `el`: what it is aimed at, or null.
function beginScrolls(by, el) {
  const sheet = sheetAround(el);
  begun = {
    top: scrollY,
    address: location.href,
    boxes: new Map(),
    by,
    key: null,
    sheet,
    from: sheet && rectOf(sheet),
  };
  if (isListening) return;
  isListening = true;
  addListener(window, 'scroll', ({ target }) => noteScroll(target, true), { capture: true, passive: true });
  addListener(window, 'scrollend', ({ target }) => noteScroll(target, false), { capture: true, passive: true });
  addListener(window, 'keydown', noteKey, { capture: true, passive: true });
}

function noteScroll(target, isMoving) {
  const box = target === document ? scrollingElementOf(document) : target;
  if (begun === null || !(box instanceof Element) || endlessBoxes.has(box)) return;
  if (isMoving || begun.boxes.has(box)) begun.boxes.set(box, isMoving);
}

function noteKey(event) {
  if (begun?.by === 'key' && isTrustedOf(event)) begun.key = event;
}

function movingBoxes() {
  return [...(begun?.boxes ?? [])].flatMap(([box, isMoving]) => (isMoving && isConnected(box) ? [box] : []));
}

// Whether something is about to scroll, as that begins `frames` behind the input at the latest. `didNothing`: the input has changed
// nothing else, as where a script scrolls smoothly.
function isScrollDue(frames, didNothing) {
  if (begun === null || begun.boxes.size > 0 || frames >= kFramesToLink) return false;
  if (begun.by !== 'click') return begun.key !== null && isKeyToScroll(begun.key);
  if (begun.address !== location.href) return true;
  return frames < kFramesToScript && (didNothing || isLinkWithin(actedElement())) && isScrollerNear();
}
const kFramesToLink = 6; // or a key
const kFramesToScript = 4;

// A link to a part of the page that its script follows itself, whatever else that does.
function isLinkWithin(el) {
  const link = el === null ? null : closestFlat(el, (at) => tagOf(at) === 'a');
  return link !== null && /^#./.test(attr(link, 'href') ?? '');
}

// Whether a script may scroll something: the page, or a box beside or around what was acted on.
function isScrollerNear() {
  if (isScroller(scrollingElementOf(document) ?? documentElementOf(document), false)) return true;
  let at = actedElement();
  for (let level = 0; at !== null && level < kScrollLevels; level++, at = flatParentOf(at)) {
    let left = kScrollBeside;
    for (let el = firstElementOf(at); el && left > 0; el = nextElementOf(el), left--)
      if (isScroller(el, true) || isScroller(el, false)) return true;
  }
  return false;
}
const kScrollLevels = 4;
const kScrollBeside = 20; // elements

// Whether a key has something to scroll, and nobody has taken it.
function isKeyToScroll(event) {
  if (event.defaultPrevented) return false;
  const by = kWays[event.key];
  const active = activeElementOf(document);
  const takes = event.key === ' ' ? kTakesSpace : kTakesKeys;
  if (by === undefined) return false;
  if (active !== null && !isPagedAround(active, event.key) && (isEditable(active) || matchesSelector(active, takes)))
    return false;
  const up = by < 0 || (event.key === ' ' && event.shiftKey);
  return scrolledBy(active ?? documentElementOf(document), 0, up ? -1 : 1) !== null;
}
const kWays = { ArrowUp: -1, PageUp: -1, Home: -1, ArrowDown: 1, PageDown: 1, End: 1, ' ': 1 };
// The keys that page do so around a field that has no more of its own to show that way.
const isPagedAround = (el, key) => /^Page/.test(key) && matchesSelector(el, kPagedFields);
const kPagedFields =
  'input:is(:not([type]),[type=text],[type=search],[type=email],[type=url],[type=tel],[type=password]),textarea';
const kTakesKeys = 'input,select,textarea,iframe,video,audio';
const kTakesSpace = `${kTakesKeys},button,summary`;

const isScrolling = () => movingBoxes().length > 0 || isSheetMoving();

// Whether an animation that the input has begun moves the dialog that was acted in.
const isSheetMoving = () =>
  begun !== null &&
  begun.sheet !== null &&
  animationsNow().some(
    (animation) =>
      animation.playState === 'running' &&
      animation.effect?.target === begun.sheet &&
      !hasRunBefore(animation) &&
      Number.isFinite(animation.effect.getComputedTiming().endTime),
  );

function noteEndlessScrolls() {
  for (const box of movingBoxes()) endlessBoxes.add(box);
}

// `the page has scrolled down by 700 px to heading "Prices" [ref=e4]`, or ''. Told once, but to a snapshot that is taken again,
// and none is told of what follows. `isWanted`: not beside other changes.
function scrolledWords(isAgain, isWanted) {
  if (!isAgain) {
    toldScrolls =
      begun !== null && isWanted && !isFocusElsewhere() ? wordsOfScrolls(begun) || wordsOfMoving(begun) : '';
    begun = null;
  }
  return isWanted ? toldScrolls : '';
}

// The dialog that was acted in, as a sheet that its handle draws up.
const sheetAround = (el) => el && closestFlat(el, (at) => matchesSelector(at, 'dialog,[role=dialog]'));

function wordsOfMoving({ sheet, from }) {
  if (sheet === null || !isConnected(sheet)) return '';
  const now = rectOf(sheet);
  const how = kSheetMoves.find(([edge, size]) => Math.abs(now[edge] - from[edge]) >= kMovedLeast && now[size] > 0);
  if (how === undefined) return '';
  const by = Math.round(now[how[0]] - from[how[0]]);
  return `${describeElement(sheet)}${refOf(sheet)} has moved ${by > 0 ? how[3] : how[2]} by ${Math.abs(by)} px`;
}
const kMovedLeast = 20; // CSS px: less is how a press is drawn
const kSheetMoves = [
  ['top', 'height', 'up', 'down'],
  ['left', 'width', 'to the left', 'to the right'],
];

function wordsOfScrolls({ top, boxes }) {
  for (const box of boxes.keys()) {
    const by = isRoot(box) ? Math.round(scrollY - top) : null;
    if (!isConnected(box) || (by === null ? isSliver(box) : Math.abs(by) < kScrolledLeast)) continue;
    const inView = withPass(() => cameIntoView(box, by));
    const to = inView === null ? '' : ` to ${describeElement(inView)}${refOf(inView)}`;
    if (by !== null) return `the page has scrolled ${by > 0 ? 'down' : 'up'} by ${Math.abs(by)} px${to}`;
    if (inView !== null || isSeenBox(box)) return `${nameOfBox(box)} has scrolled${to || scrollText(box, true, true)}`;
  }
  return '';
}
const kScrolledLeast = 2; // CSS px: positions are rounded

// What hides a checkbox of its own for readers alone scrolls to that as it takes the focus.
function isSliver(box) {
  const { width, height } = rectOf(box);
  return Math.min(width, height) < kScrolledLeast;
}

// Whether a person sees that it scrolls, as what is measured by boxes that scroll is seen by nobody.
function isSeenBox(box) {
  if (tagOf(box) === 'input') return false; // whose caret has moved
  const { width, height } = rectOf(box);
  return width >= kSeenLeast && height >= kSeenLeast && withPass(() => isVisible(box) && isInView(box));
}
const kSeenLeast = 20; // CSS px

// A focus that has gone elsewhere was brought into view, and is told.
function isFocusElsewhere() {
  const active = activeElementOf(document);
  const acted = actedElement();
  return active !== null && active !== bodyOf(document) && (acted === null || !flatContains(active, acted));
}

const kEdge = 2; // CSS px: positions are rounded

const nameOfBox = (box) => (recordOf.has(box) ? describeElement(box) + refOf(box) : 'a part of the page');

// The first element with a ref that can be seen in a box, and couldn't before where that is known by how far it went.
function cameIntoView(box, by) {
  for (const record of records.values()) {
    const el = record.el.deref();
    if (el === undefined || el === box || !isConnected(el) || !flatContains(box, el)) continue;
    const { top, bottom, height, width } = rectOf(el);
    if (height === 0 || width === 0 || top < -kEdge || bottom > innerHeight + kEdge) continue;
    if (by !== null && bottom + by > 0 && top + by < innerHeight) continue;
    if (isInView(el) && closestFlat(el, staysPut) === null) return el;
  }
  return null;
}
const staysPut = (at) => /^(fixed|sticky)$/.test(styleOf(at).position);

export { beginScrolls, isLinkWithin, isScrollDue, isScrolling, noteEndlessScrolls, scrolledWords };
