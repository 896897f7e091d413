// How far a scroll container can still go.

import {
  clientHeightOf,
  clientWidthOf,
  scrollHeightOf,
  scrollLeftOf,
  scrollTopOf,
  scrollWidthOf,
  scrollingElementOf,
} from '../dom/members.js';
import { closestFlat } from '../dom/flat_tree.js';
import { styleOf } from '../dom/style.js';

// How far a scroll container can still be scrolled; noted only if that is worth a gesture.
function markScroller(node, el) {
  const text = scrollWords(el);
  if (text) {
    node.marks += text;
    node.kept = true;
  }
}
const kScrollWorth = 16; // CSS px

function scrollWords(el) {
  const { overflowX, overflowY } = styleOf(el);
  const [sideways, down] = [overflowX, overflowY].map((overflow) => /auto|scroll|overlay/.test(overflow));
  return sideways || down ? scrollText(el, sideways, down) : '';
}

function scrollText(el, sideways, down) {
  const parts = [];
  if (down) {
    const above = Math.round(scrollTopOf(el));
    const below = Math.round(scrollHeightOf(el) - clientHeightOf(el)) - above;
    if (above > kScrollWorth) parts.push(`${above}px above`);
    if (below > kScrollWorth) parts.push(`${below}px more below`);
  }
  if (sideways) {
    const left = Math.round(Math.abs(el.scrollLeft));
    const right = Math.round(scrollWidthOf(el) - clientWidthOf(el)) - left;
    if (left > kScrollWorth) parts.push(`${left}px left`);
    if (right > kScrollWorth) parts.push(`${right}px more right`);
  }
  return parts.length ? ` [scroll: ${parts.join(', ')}]` : '';
}

// --- Which one a wheel or a key moves

const kScrollSlack = 1; // CSS px; positions are fractions on some screens

const isRoot = (el) => el === scrollingElementOf(document);

// How far a container can go: CSS px to each side.
function roomOf(el) {
  const x = Math.max(0, scrollWidthOf(el) - (isRoot(el) ? innerWidth : clientWidthOf(el)));
  const y = Math.max(0, scrollHeightOf(el) - (isRoot(el) ? innerHeight : clientHeightOf(el)));
  const left = scrollLeftOf(el);
  const from = getComputedStyle(el).direction === 'rtl' ? -x : 0;
  return { left: left - from, right: x + from - left, above: scrollTopOf(el), below: y - scrollTopOf(el) };
}

// Whether the wheel can move it at all, to the sides or up and down.
function isScroller(el, sideways) {
  const style = getComputedStyle(el);
  const overflow = sideways ? style.overflowX : style.overflowY;
  if (isRoot(el)) {
    if (overflow === 'hidden' || overflow === 'clip') return false;
  } else if (overflow !== 'auto' && overflow !== 'scroll') {
    return false;
  }
  const { left, right, above, below } = roomOf(el);
  return sideways ? left + right > kScrollSlack : above + below > kScrollSlack;
}

// What the wheel moves at an element: the nearest container that can still go that way.
function scrolledBy(hit, dx, dy) {
  return closestFlat(hit, (at) => {
    const sideways = dx !== 0;
    if (!isScroller(at, sideways)) return false;
    const { left, right, above, below } = roomOf(at);
    return (sideways ? (dx < 0 ? left : right) : dy < 0 ? above : below) > kScrollSlack;
  });
}

export { isRoot, isScroller, kScrollSlack, markScroller, roomOf, scrollText, scrollWords, scrolledBy };
