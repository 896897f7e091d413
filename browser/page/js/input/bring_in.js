// Scrolling what is to be operated, or a point of it, into view.

import { rectOf, scrollIntoViewOf, scrollLeftOf, scrollTopOf } from '../dom/members.js';
import { closestFlat, flatParentOf } from '../dom/flat_tree.js';
import { isInView, pointIn } from '../dom/hit.js';

// Each retry tries another alignment, as a sticky header or footer may lie over one of them.
const kAlignments = [
  { block: 'center', inline: 'center' },
  { block: 'end', inline: 'end' },
  { block: 'start', inline: 'start' },
  { block: 'nearest', inline: 'nearest' },
];

// Of an element larger than the viewport, the point that is asked for may need a step more.
function scrollTo(el, turn, at) {
  if (turn === 0) noteCutting(el);
  scrollIntoViewOf(el, { behavior: 'instant', ...kAlignments[turn % kAlignments.length] });
  scrollBeneath(el, turn);
  if (!at || isInView(el, at)) return;
  const { x, y } = pointIn(el, at);
  window.scrollBy({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: 'instant' });
}

let cutting = []; // { box, left, top }: what cuts off its contents without bars, and how far it was scrolled

function noteCutting(el) {
  cutting = [];
  for (let at = flatParentOf(el); at !== null; at = flatParentOf(at))
    if (kNoBars.test(getComputedStyle(at).overflow))
      cutting.push({ box: at, left: scrollLeftOf(at), top: scrollTopOf(at) });
}
const kNoBars = /hidden/;

// Where an element hasn't come into view, what a person can't scroll is where it was again, as no mouse would bring it back.
function putBack() {
  for (const { box, left, top } of cutting) {
    if (scrollLeftOf(box) !== left) box.scrollLeft = left;
    if (scrollTopOf(box) !== top) box.scrollTop = top;
  }
  cutting = [];
}

let beneath = null; // { el, top, y }: what the page was scrolled for, where it was then, and the page

// What is fixed may be placed anew by the page as that scrolls, as a popup by what has opened it. Where all the turns have
// not moved it the page is where it was again.
function scrollBeneath(el, turn) {
  const { top, bottom } = rectOf(el);
  if (turn === 0) {
    beneath = null;
    const by = bottom > innerHeight ? bottom - innerHeight + kRoomUnder : top < 0 ? top - kRoomUnder : 0;
    if (by === 0 || closestFlat(el, isFixed) === null) return;
    beneath = { el, top, y: scrollY };
    window.scrollBy({ top: by, behavior: 'instant' });
  } else if (turn === kAlignments.length - 1 && beneath?.el === el) {
    if (beneath.top === top) window.scrollTo({ top: beneath.y, behavior: 'instant' });
    beneath = null;
  }
}
const isFixed = (at) => getComputedStyle(at).position === 'fixed';
const kRoomUnder = 8; // CSS px

// Why an element has no such point, or ''.
function outsideOf(el, at) {
  const { x, y } = pointIn(el, at);
  const { left, top, right, bottom, width, height } = rectOf(el);
  if (x >= left && y >= top && x <= right && y <= bottom) return '';
  return `${Math.round(width)} x ${Math.round(height)} px large: position ${at.x}, ${at.y} lies outside of it`;
}

export { kAlignments, outsideOf, putBack, scrollTo };
