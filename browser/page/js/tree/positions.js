// Where things are: off-screen and covered, asked only of what a user could operate. A hit test costs as much as the page
// has elements side by side, and a box has its price too, so that a delta, which prints few lines, asks for those only.

import {
  firstChildOf,
  fullscreenElementOf,
  inputTypeOf,
  isConnected,
  isOffPage,
  isSvg,
  matchesSelector,
  rectOf,
  tagOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { flatContains, flatParentOf } from '../dom/flat_tree.js';
import { pass } from '../dom/pass.js';
import { isVisible, styleOf } from '../dom/style.js';
import { coversView } from '../dom/surroundings.js';
import { isFadingAway, isSliding } from '../dom/slides.js';
import { boxesOfParts, deepHit, firstBox, freePoint, inViewport, clipAt, isClippedAt, isHitOn } from '../dom/hit.js';
import { labelsOf } from '../aria/labels.js';
import { kWidgets } from '../aria/roles.js';
import { thumbOf } from './natives.js';
import { elementOf } from './node.js';
import { scrollWords } from './scrollers.js';

const kHitTestsMax = 600; // a hit test costs about 4 µs; beyond this a page is no page
const kOffScreenEach = 20; // more than this many are told by the first of each run only

// Where elements were when last looked at, and since when they have been seen there. An element that is where an
// earlier frame had it stands still, and a click on it needs no further frame to know so.
const lastBoxes = new WeakMap(); // element -> { x, y, width, height, since }
const kTwoFrames = 34; // ms; a look that much later is a look at another frame, also where one takes longer than it should

function seenAt(el, { x, y, width, height }) {
  const last = lastBoxes.get(el);
  if (last && last.x === x && last.y === y && last.width === width && last.height === height)
    return performance.now() - last.since >= kTwoFrames;
  lastBoxes.set(el, { x, y, width, height, since: performance.now() });
  return false;
}

// Long runs below the fold are looked at by samples, as a box costs as much as a node's whole walk.
const kRunBeforeSampling = 48;
const kSampleStep = 8;

const isOperable = (node) =>
  (kWidgets.has(node.role) || node.pointer || node.kept) &&
  node.tag !== 'option' &&
  !node.marks.includes('hidden file');

let tests = 0; // hit tests of this snapshot
let offTold = 0; // what lines were printed as off-screen, when each is looked at alone
let wasOff = false; // the last one was
let looksAtFew = false; // only at what is printed
let shaded = 0; // what lines were printed of that a shade of the whole page covers

// `later`: where a node is is found out when its line is printed (marksOf).
function markPositions(nodes, later) {
  tests = offTold = shaded = 0;
  looksAtFew = later;
  wasOff = false;
  const operable = nodes.filter(isOperable);
  if (later) for (const node of operable) node.place = null;
  else markAll(operable);
}

const ON_SCREEN = 0;
const OFF_SCREEN = 1;
const STUCK = 2; // off-screen, and no scrolling brings it in

// Where an element is. What lies over it is told by its node's mark.
function lookAt(node) {
  const el = elementOf(node);
  if (el === null) return ON_SCREEN;
  const thumb = thumbOf(el);
  const box = rectOf(thumb);
  const { x, y, width, height } = box;
  if (width === 0 && height === 0) return ON_SCREEN;
  seenAt(el, box);
  if (isSliding(el)) return ON_SCREEN;
  const label = x + width + scrollX <= 0 ? labelDrawnFor(el) : null;
  if (label !== null) return inViewport(rectOf(label)) !== null ? ON_SCREEN : OFF_SCREEN;
  if (x + width <= 0 || y + height <= 0 || x >= innerWidth || y >= innerHeight) {
    if (holdsSeen(node) || showsPart(node)) return ON_SCREEN;
    const isStuck = isOffPage(thumb);
    if (isStuck || ((x + width <= 0 || x >= innerWidth) && isSlidAway(thumb, box))) noteSlid(node);
    return isStuck ? STUCK : OFF_SCREEN;
  }
  const hasPoint = kWidgets.has(node.role) || node.pointer;
  if (isOfPixel(box) || tests >= kHitTestsMax || !hasPoint) return ON_SCREEN;
  tests++;
  const hit = hitInPlaceOf(thumb, box);
  if (hit === kAway || hit === kSlidAway) {
    if (showsPart(node)) return ON_SCREEN;
    if (hit === kSlidAway) noteSlid(node);
    return OFF_SCREEN;
  }
  if (hit !== thumb) node.place = coveredMark(node, hit);
  noteCovered(node);
  if (node.place !== '' && isShading(hit)) markShaded(node, hit);
  return ON_SCREEN;
}

function markShaded(node, hit) {
  if (looksAtFew) shade = new WeakRef(hit);
  if (++shaded <= kShadedEach) return;
  node.place = '';
  unmarked.add(node);
}
const kShadedEach = 3;
const unmarked = new WeakSet(); // nodes that are covered without a mark
let shade = null; // a WeakRef of one that was found by few looks, so that what else it lies over nobody knows

// Whether that has gone since the last time this was asked, and all that it lay over can be hit again.
function takeShadeGone() {
  const el = shade?.deref();
  if (shade === null || (el !== undefined && isConnected(el) && isVisible(el) && isShading(el))) return false;
  shade = null;
  return true;
}

const isCoveredNode = (node) => marksOf(node).includes(' [covered]') || unmarked.has(node);

// Whether what is hit lies over all of the page, as what keeps the mouse from it while a dialog or a menu is open. It may be an empty
// box in a layer that is fixed.
function isShading(hit) {
  if (!coversView(hit)) return false;
  return styleOf(hit).position === 'fixed' || (firstChildOf(hit) === null && isFixedInPlace(hit));
}

// One line for what no mark tells.
function shadedLines() {
  const more = shaded - kShadedEach;
  if (more <= 0) return [];
  const over = fullscreenElementOf(document) === null ? 'a shade' : 'what is in full screen';
  return [`- text: … ${more} more ${more === 1 ? 'is' : 'are'} covered: ${over} lies over the whole page`];
}

// The label that is drawn in the place of a checkbox or radio button, which stands where nobody can scroll to; else null.
const labelDrawnFor = (el) =>
  tagOf(el) === 'input' && /^(checkbox|radio)$/.test(inputTypeOf(el))
    ? (labelsOf(el).find((label) => isVisible(label) && firstBox(label) !== null) ?? null)
    : null;

// What is hit where an element is: itself, what lies over it, or kAway, where what holds it has scrolled it away.
function hitInPlaceOf(el, box) {
  const middle = middleIn(box);
  const hit = deepHit(middle.x, middle.y);
  if (isHitOn(el, hit)) return el;
  const clip = clipAt(el, middle.x, middle.y);
  if (clip !== null) return isOfPixel(rectOf(clip)) ? el : scrollsWithin(clip) ? kAway : kSlidAway; // in a box of a pixel: hidden visually, on purpose
  // Between the lines of what is wrapped lies what is around it.
  const first = firstBox(el);
  if (first !== null && (first.height < box.height || first.width < box.width)) {
    const line = middleIn(first);
    if (isHitOn(el, deepHit(line.x, line.y))) return el;
  }
  const part = inViewport(box);
  return part !== null && (freePoint(el, part) !== null || isHitInPart(el)) ? el : hit;
}

// A drawing's middle may lie between its parts, or where it is cut off, without anything over it.
function isHitInPart(el) {
  if (!isSvg(el)) return false;
  for (const box of boxesOfParts(el)) {
    const middle = middleIn(box);
    if (isHitOn(el, deepHit(middle.x, middle.y))) return true;
  }
  return false;
}
const kAway = 'away';
const kSlidAway = 'slid away'; // by a script, as the slides of a carousel are: nothing scrolls it in
const scrollsWithin = (clip) => /auto|scroll/.test(styleOf(clip).overflowX + styleOf(clip).overflowY);

function isSlidAway(el, box) {
  const clip = clipAt(el, box.x + box.width / 2, box.y + box.height / 2);
  return clip !== null && !scrollsWithin(clip);
}
const isOfPixel = ({ width, height }) => width <= 1 || height <= 1;

const covered = new Set(); // the records of what the last look found covered
const kCoveredMax = 40;

function noteCovered({ rec, place }) {
  if (rec === null) return;
  if (place === '') covered.delete(rec);
  else if (covered.size < kCoveredMax) covered.add(rec);
}

// The records of what was covered and can be hit now. Of what is elsewhere now nothing is said.
function takeUncovered() {
  const free = [];
  for (const rec of covered) {
    const el = rec.el.deref();
    const thumb = el && isConnected(el) && isVisible(el) ? thumbOf(el) : null;
    const box = thumb && rectOf(thumb);
    const hit = box && inViewport(box) !== null ? hitInPlaceOf(thumb, box) : kAway;
    if (hit === thumb) free.push(rec);
    if (hit === thumb || hit === kAway || hit === kSlidAway) covered.delete(rec);
  }
  return free;
}

const slidAway = new Set(); // the records of what the last look found slid away

// What nobody can see wherever it lies is told as visible once it is.
function noteSlid({ rec, marks }) {
  if (rec !== null && slidAway.size < kCoveredMax && !marks.includes(' [invisible]')) slidAway.add(rec);
}

// The records of what was slid away and can be seen and hit now.
function takeSlidIn() {
  const came = [];
  for (const rec of slidAway) {
    const el = rec.el.deref();
    if (el === undefined || !isConnected(el)) slidAway.delete(rec);
    const thumb = el && isConnected(el) && isVisible(el) ? thumbOf(el) : null;
    const box = thumb && rectOf(thumb);
    if (!box || inViewport(box) === null || hitInPlaceOf(thumb, box) !== thumb) continue;
    slidAway.delete(rec);
    came.push(rec);
  }
  return came;
}

// Whether what is hit at a point belongs to an element.
function liesAt(el, x, y) {
  const hit = deepHit(x, y);
  return hit !== null && flatContains(el, hit);
}

// The middle of a box, in the viewport.
const middleIn = ({ x, y, width, height }) => ({
  x: Math.min(Math.max(x + width / 2, 0), innerWidth - 1),
  y: Math.min(Math.max(y + height / 2, 0), innerHeight - 1),
});

// Whether a box that lies elsewhere holds something that has a place of its own in the viewport, as what is fixed has.
function holdsSeen(node) {
  if (kWidgets.has(node.role) || node.pointer) return false;
  return node.kids.some((kid) => {
    if (typeof kid === 'string') return false;
    const el = elementOf(kid);
    if (el === null || !isFixedInPlace(el)) return false;
    return inViewport(rectOf(el)) !== null || holdsSeen(kid);
  });
}

// Whether what is there for its parts alone shows some of them: a list may have a box of its own elsewhere than these, or a middle
// that is scrolled away.
const showsPart = (node) =>
  kForParts.has(node.role) &&
  node.kids.slice(0, kPartsAsked).some((kid) => {
    const el = typeof kid === 'string' ? null : elementOf(kid);
    const box = el && rectOf(el);
    return box && inViewport(box) !== null && hitInPlaceOf(el, box) === el;
  });
const kForParts = words('listbox menu menubar tree grid treegrid tablist radiogroup');
const kPartsAsked = 5;

function markAll(operable) {
  const off = [];
  let run = 0;
  const look = (i) => {
    const where = lookAt(operable[i]);
    if (where === ON_SCREEN) return false;
    off.push({ node: operable[i], i, stuck: where === STUCK });
    return true;
  };
  for (let i = 0; i < operable.length; i++) {
    if (run > kRunBeforeSampling && i + kSampleStep < operable.length) {
      if (look(i + kSampleStep - 1)) {
        i += kSampleStep - 1;
        continue;
      }
      run = 0;
    }
    run = look(i) ? run + 1 : 0;
  }
  const few = off.length <= kOffScreenEach;
  let last = -2;
  for (const { node, i, stuck } of off) {
    if (stuck || few || i > last + kSampleStep || (off.length <= 10 * kOffScreenEach && isFixedInPlace(node.el)))
      node.place = kOffScreen;
    last = i;
  }
}

// The same for one line among those that are printed.
function markLine(node) {
  node.place = '';
  const where = lookAt(node);
  if (where !== ON_SCREEN) {
    offTold++;
    if (where === STUCK || offTold <= kOffScreenEach || !wasOff || isFixedInPlace(node.el)) node.place = kOffScreen;
  }
  wasOff = where !== ON_SCREEN;
}
const kOffScreen = ' [off-screen]';

// Where `pointer-events` is none, what lies below is hit; and the picture that one state of the page is changed for another
// behind lies over all of it for that moment only. So does what fades away.
const coveredMark = (node, hit) =>
  hit && !isChanging(hit) && !isFadingAway(hit) && styleOf(node.el).pointerEvents !== 'none' ? ' [covered]' : '';
const isChanging = (hit) =>
  tagOf(hit) === 'html' && kKnowsTransitions && matchesSelector(hit, ':active-view-transition');
const kKnowsTransitions = CSS.supports('selector(:active-view-transition)');

// The marks of a node as its line prints them.
function marksOf(node) {
  if (node.place === null) markLine(node);
  return node.marks + node.clip + node.place;
}

// How long they are, as far as that is known.
const marksLength = ({ marks, clip, place }) => marks.length + clip.length + (place?.length ?? 0);

// Whether a container around it has the middle of an element scrolled out of its sight, and leaves it there.
function isScrolledAway(node) {
  const el = elementOf(node);
  if (el === null) return false;
  const { x, y, width, height } = rectOf(el);
  return (width > 0 || height > 0) && !isSliding(el) && isClippedAt(el, x + width / 2, y + height / 2);
}

// A fixed element outside the viewport can't be scrolled in, but what scrolls within one can: the panes of an application
// often stand in a shell that is fixed.
function isFixedInPlace(el) {
  let fixed = pass.fixed.get(el);
  if (fixed !== undefined) return fixed;
  const parent = flatParentOf(el);
  fixed = styleOf(el).position === 'fixed' || (parent !== null && scrollWords(parent) === '' && isFixedInPlace(parent));
  pass.fixed.set(el, fixed);
  return fixed;
}

export {
  isCoveredNode,
  liesAt,
  isScrolledAway,
  seenAt,
  markPositions,
  marksLength,
  marksOf,
  shadedLines,
  takeShadeGone,
  takeSlidIn,
  takeUncovered,
};
