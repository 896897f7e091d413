// Scrolling what is to be operated, or a point of it, into view.

import { rectOf, scrollIntoViewOf, scrollLeftOf, scrollTopOf } from '../dom/members.js';
import { closestFlat, flatParentOf } from '../dom/flat_tree.js';
import { isInView, pointIn } from '../dom/hit.js';
import { isScroller } from '../tree/scrollers.js';
import { wheelPoint } from './scroll.js';

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

// On a page that nothing scrolls, scripts may take the wheel to show one part after the other: what is beside the view comes into
// it by turning that. -> asked at each look: null where it is in view, or no wheel brings it; { rests: false } while the turn
// before still moves it, or may begin to; or how to turn it, and whether the turn before has moved the element.
function wheelTurner({ wheels, fromX, fromY }) {
  const began = performance.now();
  let seen = null; // where it was at the look before
  let seenAt = began;
  return (el, isMoving) => {
    if (!wheels) return null;
    const box = rectOf(el);
    const by = besideView(el, box);
    if (by === 0) return null;
    const now = performance.now();
    const isTurned = fromX !== undefined;
    const moved = isTurned && Math.hypot(box.x - fromX, box.y - fromY) > kWheelMoves;
    if (isMoving || seen === null || seen.x !== box.x || seen.y !== box.y) seenAt = now;
    seen = box;
    if (now - seenAt < kWheelRests || (isTurned && !moved && now - began < kWheelStarts)) return { rests: false };
    const point = wheelPoint();
    return point && { rests: true, ...point, dx: 0, dy: by, fromX: box.x, fromY: box.y, moved };
  };
}
const kWheelMoves = 1; // CSS px
const kWheelRests = 100; // ms without a move
const kWheelStarts = 500; // ms until a turn has moved it, if it does

// How far to turn the wheel for an element that is wholly above, below or beside the view, where nothing scrolls; or 0.
function besideView(el, { left, top, right, bottom }) {
  const down = top >= innerHeight ? top : bottom <= 0 ? bottom : 0;
  const across = left >= innerWidth ? left : right <= 0 ? right : 0;
  if (down === 0 && (across === 0 || closestFlat(el, isFixed) !== null)) return 0;
  if (closestFlat(el, (at) => isScroller(at, false) || isScroller(at, true)) !== null) return 0;
  const most = innerHeight * kWheelShare;
  return Math.max(-most, Math.min(most, down || across));
}
const kWheelShare = 0.9; // of the view's height

// Why an element has no such point, or ''.
function outsideOf(el, at) {
  const { x, y } = pointIn(el, at);
  const { left, top, right, bottom, width, height } = rectOf(el);
  if (x >= left && y >= top && x <= right && y <= bottom) return '';
  return `${Math.round(width)} x ${Math.round(height)} px large: position ${at.x}, ${at.y} lies outside of it`;
}

export { kAlignments, outsideOf, putBack, scrollTo, wheelTurner };
