// What the error says of an element that no scrolling brings in.

import { attr, bodyOf, isConnected, rectOf } from '../dom/members.js';
import { closestFlat, flatContains, flatParentOf, idListOf } from '../dom/flat_tree.js';
import { records } from '../tree/refs.js';
import { everywhere } from '../target/css.js';
import { refOf } from '../target/nearest.js';
import { describeElement } from '../target/targets.js';
import { isHoverable } from '../target/under_mouse.js';

// What shows only while the mouse is over the item that it belongs to is brought in by what that item shows, as the actions of a
// row are by its title; a drawer by what opens it.
function unveilWords(el) {
  const opener = everywhere('[aria-controls]').find((at) => isHoverable(at) && isController(at, el));
  if (opener) return `; ${describeElement(opener)}${refOf(opener)} opens what it is in`;
  if (isForReaders(el)) return kReadersPress;
  const shown = [...records.values()]
    .map((record) => record.el.deref())
    .filter((at) => at && isConnected(at) && at !== el && isHoverable(at));
  let item = flatParentOf(el);
  let beside;
  for (; item && isItem(item) && !beside; item = flatParentOf(item))
    beside = shown.find((at) => flatContains(item, at));
  if (!beside) return '';
  return `; what shows only under the mouse is brought in by browser_hover on ${describeElement(beside)}${refOf(beside)}`;
}

const isController = (at, el) =>
  !flatContains(at, el) &&
  closestFlat(
    el,
    (around) => attr(around, 'id') !== null && idListOf(at, 'aria-controls').includes(attr(around, 'id')),
  );

// What begins an application's drawing for screen readers, is a dot beside the page.
function isForReaders(el) {
  const { width, height } = rectOf(el);
  return width <= kDotMost && height <= kDotMost;
}
const kDotMost = 2; // CSS px
const kReadersPress = '; it is there for screen readers alone, which press it as browser_evaluate does with (el) => el.click() and this target'; // prettier-ignore

// As large as a row or a card may be, and no part of the page.
function isItem(el) {
  const { width, height } = rectOf(el);
  return el !== bodyOf(document) && width * height < kItemMost * innerWidth * innerHeight;
}
const kItemMost = 0.3; // of the viewport

export { unveilWords };
