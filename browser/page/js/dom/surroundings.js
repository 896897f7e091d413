// Where an element stood, which is known also when it has gone: what was around it, as places, from the inside out. A place
// moves on to the element that takes another's, and keeps none alive.

import {
  attr,
  bodyOf,
  clientRectsOf,
  firstElementOf,
  hasAttr,
  inputTypeOf,
  isConnected,
  matchesSelector,
  nextElementOf,
  querySelectorAllOf,
  rectOf,
  tagOf,
  textContentOf,
  viewHeight,
  viewWidth,
} from './members.js';
import { closestFlat, flatContains, flatParentOf, holdsNoOther } from './flat_tree.js';
import { withPass } from './pass.js';
import { kOpacityMin, styleOf } from './style.js';

const places = new WeakMap(); // element -> its place, if anything that was looked at stood in it
let lookNumber = 0; // what was found around an element holds for one look at the page

function beginPlaces() {
  lookNumber++;
}

// Notes where an element stands now, and gives its place. `weak`: the element as a WeakRef, which may be shared.
function notePlace(el, weak = null) {
  let inner = null;
  for (let at = el; at; at = flatParentOf(at)) {
    let place = places.get(at);
    if (!place) {
      place = { el: at === el && weak ? weak : new WeakRef(at), up: null, looked: 0 };
      places.set(at, place);
    }
    if (inner) inner.up = place;
    inner = place;
    if (place.looked === lookNumber) break;
    place.looked = lookNumber;
  }
  return places.get(el);
}

const knownPlace = (el) => places.get(el) ?? null;

function movePlace(place, weak) {
  place.el = weak;
  place.looked = 0;
  places.set(weak.deref(), place);
}

const elementOfPlace = (place) => {
  const el = place.el.deref();
  return el && isConnected(el) ? el : null;
};

// What has stayed of what was around a place that may be gone, the innermost; null: nothing.
function keptAround(place) {
  for (let at = place.up; at; at = at.up) {
    const el = elementOfPlace(at);
    if (el) return el;
  }
  return null;
}

// What is around an element and was there when it came, the innermost; null: nothing.
function knownAround(el) {
  let at = flatParentOf(el);
  while (at && !places.has(at)) at = flatParentOf(at);
  return at;
}

// --- Boxes around an element that keep it from being seen or clicked

// The outermost element from which an element has `pointer-events: none`; null: from none.
function deadFrom(el) {
  const letsThrough = (at) => styleOf(at).pointerEvents === 'none';
  let dead = closestFlat(el, letsThrough);
  for (let at = dead && flatParentOf(dead); at && letsThrough(at); at = flatParentOf(at)) dead = at;
  return dead;
}

// The element from which one that lets clicks through can't be seen, as what a player lays over its film while the mouse rests; or null.
const fadedFrom = (el) =>
  withPass(() => deadFrom(el) && closestFlat(el, (at) => parseFloat(styleOf(at).opacity) <= kOpacityMin));

// Whether what is hit belongs to the drawing of a box to tick that lies right over it: its next element, without words and
// controls, and as large.
function isFaceOf(el, hit, controls) {
  if (tagOf(el) !== 'input' || !/^(checkbox|radio)$/.test(inputTypeOf(el))) return false;
  const face = nextElementOf(el);
  if (face === null || !flatContains(face, hit) || /\S/.test(textContentOf(face))) return false;
  const [over, under] = [rectOf(face), rectOf(el)];
  const isAsLarge = ['left', 'top', 'right', 'bottom'].every(
    (side) => Math.abs(over[side] - under[side]) <= kFaceInset,
  );
  return isAsLarge && !matchesSelector(face, controls) && querySelectorAllOf(face, controls).length === 0;
}
const kFaceInset = 4; // CSS px

// Whether what lies over a combobox's field that can't be seen shows what was chosen: it is a plain part of the box that holds
// both and no other control, and opens the list as the field does.
function showsChoiceOf(el, hit, controls) {
  if (attr(el, 'role') !== 'combobox' || tagOf(el) !== 'input') return false;
  if (parseFloat(styleOf(el).opacity) > kOpacityMin) return false;
  let box = el;
  for (let depth = 0; box !== null && depth < kChoiceDepth && !flatContains(box, hit); depth++) box = flatParentOf(box);
  return box !== null && box !== bodyOf(document) && flatContains(box, hit) && holdsNoOther(box, controls, el);
}
const kChoiceDepth = 2; // elements

// Whether what lies over a combobox is the box beside it with the one field to type in, which opens the list as well: what was
// chosen stands in it too, and the buttons that take it away.
function typesFor(el, hit, controls) {
  if (attr(el, 'role') !== 'combobox' || !hasAttr(el, 'aria-expanded')) return false;
  let over = hit;
  let box = flatParentOf(hit);
  for (let depth = 0; box !== null && depth < kTypesDepth && !flatContains(box, el); depth++)
    [over, box] = [box, flatParentOf(box)];
  if (box === null || box === bodyOf(document) || !flatContains(box, el) || flatContains(over, el)) return false;
  const fields = querySelectorAllOf(over, kTyped);
  const isOther = (at) => at !== fields[0] && matchesSelector(at, controls);
  if (fields.length !== 1 || closestFlat(hit, (at) => at === box || isOther(at)) !== box) return false;
  return [...querySelectorAllOf(box, controls)].every((one) => flatContains(el, one) || flatContains(over, one));
}
const kTypesDepth = 5; // elements
const kTyped = 'input,textarea';

// Whether a click on what lies over an element is the element's: the drawing of a box to tick, what was chosen, a field's box.
const isPartOver = (el, hit, controls) =>
  isFaceOf(el, hit, controls) || showsChoiceOf(el, hit, controls) || typesFor(el, hit, controls);

function coversView(el) {
  const { left, top, right, bottom } = rectOf(el);
  return left <= 0 && top <= 0 && right >= viewWidth() && bottom >= viewHeight();
}

// An empty box over all of the page, as what closes a popup that lies above it where it is clicked beside that.
function isShadeOfPage(el) {
  if (!/^(fixed|absolute)$/.test(getComputedStyle(el).position)) return false;
  return firstElementOf(el) === null && !/\S/.test(textContentOf(el)) && coversView(el);
}

// An item that holds others of its kind, as in a tree, is pressed on its own line, which stands above these: on what has words there,
// or anywhere on it.
function* boxesOfOwnLine(el) {
  const kind = tagOf(el) === 'li' ? 'li' : attr(el, 'role') === 'treeitem' ? '[role=treeitem]' : null;
  const within = kind === null ? undefined : querySelectorAllOf(el, kind)[0];
  if (within === undefined) return;
  const { left, right, top, width } = rectOf(el);
  const { top: bottom } = rectOf(within);
  if (clientRectsOf(within).length === 0 || bottom - top < kLeastLine) return;
  for (let at = firstElementOf(el); at !== null && !flatContains(at, within); at = nextElementOf(at))
    if (/\S/.test(textContentOf(at)) && rectOf(at).bottom <= bottom + 1) yield rectOf(at);
  yield { left, right, top, bottom, width, height: bottom - top };
}
const kLeastLine = 8; // CSS px

export {
  boxesOfOwnLine,
  coversView,
  isShadeOfPage,
  isPartOver,
  deadFrom,
  fadedFrom,
  beginPlaces,
  elementOfPlace,
  keptAround,
  knownAround,
  knownPlace,
  movePlace,
  notePlace,
};
