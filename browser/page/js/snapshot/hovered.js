// What the mouse was over at a snapshot. That an element has looked different since only because the mouse has left it is no
// change of what the page says; that a click elsewhere has given it another icon is one.

import {
  attr,
  attrNamesOf,
  firstChildOf,
  isElement,
  matchesSelector,
  nextSiblingOf,
  parentNodeOf,
} from '../dom/members.js';
import { rootsWatched } from '../dom/changes.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { hoveredIn, inState } from '../dom/states.js';
import { elementOf } from '../tree/node.js';

const kHover = inState('hover');
const kDeepest = 4; // elements under the mouse, from the inside out
const kPartsMax = 60; // elements beside one, or in it: among more it isn't known what its looks come of

// -> WeakMap: element -> all but the mouse that its looks may come of.
function hoveredNow() {
  const found = new WeakMap();
  for (const root of rootsWatched())
    for (const el of hoveredIn(root).slice(-kDeepest)) {
      const causes = causesOf(el);
      if (causes !== null) found.set(el, causes);
    }
  return found;
}

// Whether the mouse was over a node's element in the tree before, and that it has left is all that has happened to it.
function isOnlyLeft(node, before) {
  const el = before.hovered === null ? null : elementOf(node);
  const causes = el && before.hovered.get(el);
  return Boolean(causes) && !matchesSelector(el, kHover) && causesOf(el) === causes;
}

function causesOf(el) {
  const parts = partsIn(el);
  const parent = parentNodeOf(el);
  for (let at = parent && firstChildOf(parent); at && parts.length <= kPartsMax; at = nextSiblingOf(at))
    if (isElement(at)) parts.push(at);
  if (parts.length > kPartsMax) return null;
  for (let at = flatParentOf(el); at !== null; at = flatParentOf(at)) parts.push(at);
  return parts.map(stateOf).join('\n');
}

// Elements in one in document order, no more than it takes to know that there are too many: the page's root is always under
// the mouse.
function partsIn(el) {
  const parts = [];
  let at = firstChildOf(el);
  while (at !== null && parts.length <= kPartsMax) {
    if (isElement(at)) parts.push(at);
    let next = firstChildOf(at);
    for (let up = at; next === null && up !== el; up = parentNodeOf(up)) next = nextSiblingOf(up);
    at = next;
  }
  return parts;
}

const stateOf = (el) =>
  attrNamesOf(el)
    .map((name) => `${name}=${attr(el, name)}`)
    .join(' ') + (matchesSelector(el, ':checked') ? ' checked' : '');

// Whether two hints differ by a size at most that nobody sees: of a shape whose line is drawn thicker while the mouse is on it.
function isAsLarge(was, is) {
  const [before, now] = [kSizeTold.exec(was), kSizeTold.exec(is)];
  if (before === null || now === null || was.replace(kSizeTold, '') !== is.replace(kSizeTold, '')) return false;
  return [1, 2].every((side) => Math.abs(before[side] - now[side]) <= kSizeUnseen);
}
const kSizeTold = / (\d+)x(\d+)\]/;
const kSizeUnseen = 2; // px

export { hoveredNow, isAsLarge, isOnlyLeft };
