// Where a mouse comes from that hasn't been in the document before. Some menus take no notice of one that is there before it has
// moved anywhere else, as it may rest there by chance where the page has just been loaded.

import { bodyOf, rectOf } from '../dom/members.js';
import { flatContains, flatParentOf } from '../dom/flat_tree.js';
import { deepHit } from '../dom/hit.js';

const kPartWhole = 0.5; // of the viewport: what is larger is no bar or box that something stands in
const kFromPoints = [[0.5, 0.5], [0.5, 0.9], [0.1, 0.5], [0.9, 0.5], [0.1, 0.9], [0.9, 0.9], [0.5, 0.1]]; // prettier-ignore

let hasArrived = false;

// A point of the viewport outside of all that an element stands in, or {}; only of the first that is asked for, in a page that
// isn't within another.
function arrivalAt(el) {
  if (hasArrived) return {};
  hasArrived = true;
  if (window !== window.top) return {};
  const box = outermostBox(el);
  for (const [across, down] of kFromPoints) {
    const [fromX, fromY] = [Math.round(across * innerWidth), Math.round(down * innerHeight)];
    const hit = deepHit(fromX, fromY);
    if (hit !== null && !flatContains(box, hit)) return { fromX, fromY };
  }
  return {};
}

function noteArrival() {
  hasArrived = true;
}

// The largest box around an element that is no more than a part of the page.
function outermostBox(el) {
  const whole = innerWidth * innerHeight * kPartWhole;
  let box = el;
  for (let at = el; at !== null && at !== bodyOf(document); at = flatParentOf(at)) {
    const { width, height } = rectOf(at);
    if (width * height > whole) break;
    box = at;
  }
  return box;
}

export { arrivalAt, noteArrival };
