// What the error says of an element that no scrolling brings in.

import { attr, isConnected, rectOf } from '../dom/members.js';
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

// As large as a row or a card may be, and no part of the page.
function isItem(el) {
  const { width, height } = rectOf(el);
  return width * height < kItemMost * innerWidth * innerHeight;
}
const kItemMost = 0.3; // of the viewport

export { unveilWords };
