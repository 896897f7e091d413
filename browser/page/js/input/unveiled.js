// What the error says of an element that no scrolling brings in.

import { isConnected } from '../dom/members.js';
import { flatContains, flatParentOf } from '../dom/flat_tree.js';
import { records } from '../tree/refs.js';
import { refOf } from '../target/nearest.js';
import { describeElement } from '../target/targets.js';
import { isHoverable } from '../target/under_mouse.js';

// What shows only while the mouse is over the item that it belongs to is brought in by what that item shows, as the actions of a
// row are by its title.
function unveilWords(el) {
  const shown = [...records.values()]
    .map((record) => record.el.deref())
    .filter((at) => at && isConnected(at) && at !== el && isHoverable(at));
  let item = flatParentOf(el);
  let beside;
  for (; item && !beside; item = flatParentOf(item)) beside = shown.find((at) => flatContains(item, at));
  const hovered = beside ? `${describeElement(beside)}${refOf(beside)}` : 'what it belongs to';
  return `; what shows only under the mouse is brought in by browser_hover on ${hovered}`;
}

export { unveilWords };
