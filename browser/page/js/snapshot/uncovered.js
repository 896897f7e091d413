// What a snapshot has marked as covered and can be hit now, as a line of a delta: what lay over it has gone, which is a change
// of nothing else where that was told as something that loads. And the other way round, what something new has come over.

import { isConnected, rectOf, tagOf } from '../dom/members.js';
import { closestFlat, flatContains, flatParentOf } from '../dom/flat_tree.js';
import { inViewport } from '../dom/hit.js';
import { styleOf } from '../dom/style.js';
import { kWidgets, roleOf } from '../aria/roles.js';
import { elementOf } from '../tree/node.js';
import { liesAt, takeShadeGone, takeSlidIn, takeUncovered } from '../tree/positions.js';
import { refText } from '../tree/refs.js';
import { isShared } from './pairs.js';

const kUncoveredShown = 12;
let freed = []; // for a snapshot that is taken again
let isShadeGone = false;

function uncoveredLines(again) {
  freed = again ? [...freed, ...takeUncovered()] : takeUncovered();
  isShadeGone = takeShadeGone() || (again && isShadeGone);
  if (freed.length === 0) return [];
  const refs = freed.slice(0, isShadeGone ? kCoveredShown : kUncoveredShown).map(refText);
  if (isShadeGone) return [`- text: … no longer covered: ${refs.join(', ')} and whatever else the shade lay over`];
  const more = freed.length > refs.length ? ` and ${freed.length - refs.length} more` : '';
  return [`- text: … no longer covered: ${refs.join(', ')}${more}`];
}

let slidIn = []; // the same

// `- text: … on screen now: e7, e8`, of what a slide has brought into sight and no line tells.
function slidInLines(lines, again) {
  slidIn = again ? [...slidIn, ...takeSlidIn()] : takeSlidIn();
  const refs = slidIn.map(refText).filter((ref) => !lines.some((line) => line.includes(`[ref=${ref}]`)));
  if (refs.length === 0) return [];
  const more = refs.length > kUncoveredShown ? ` and ${refs.length - kUncoveredShown} more` : '';
  return [`- text: … on screen now: ${refs.slice(0, kUncoveredShown).join(', ')}${more}`];
}

// `- text: … covered now: e5, e6 and 9 more`, where something new lies over much of the window; '' where that tells by its role what it
// is, or shuts off the rest of the page.
function coveredLine(changes, before, now, modal) {
  const over = modal === null ? newOverlay(changes, before) : null;
  if (over === null || holdsAnyOf(over, before)) return '';
  const box = rectOf(over);
  const isBelow = ({ role, el: ref }) => {
    const el = kWidgets.has(role) ? ref.deref() : undefined;
    if (el === undefined || !isConnected(el) || flatContains(over, el)) return false;
    const { x, y, width, height } = rectOf(el);
    const [across, down] = [x + width / 2, y + height / 2];
    const isIn = across > box.left && across < box.right && down > box.top && down < box.bottom;
    return isIn && width > 0 && liesAt(over, across, down);
  };
  const below = recordsSeen(now).filter(isBelow);
  if (below.length === 0) return '';
  const refs = below.slice(0, kCoveredShown).map(refText);
  return `- text: … covered now: ${refs.join(', ')}${below.length > refs.length ? ` and ${below.length - refs.length} more` : ''}`;
}
const kCoveredShown = 3;

// The records of what is in a tree, but for what nobody can see, as a panel that is hidden meanwhile keeps its place, and its refs;
// and for what is new, whose line says it.
function recordsSeen(node, isShownBefore = false, seen = []) {
  const { rec, kids, marks, match } = node;
  const isOld = isShownBefore || isShared(node);
  if (rec !== null && (isOld || match) && !marks.includes(' [invisible]')) seen.push(rec);
  for (const kid of kids) if (typeof kid !== 'string') recordsSeen(kid, isOld, seen);
  return seen;
}

// The shade that a panel has come in, which keeps the mouse from all that it lies over; else the panel itself.
function shadeAround(panel, before) {
  const shade = closestFlat(flatParentOf(panel), isPlaced);
  return shade === null || holdsAnyOf(shade, before) ? panel : shadeAround(shade, before);
}

// Whether it holds something that was told before: then it is no overlay but a part of the page.
function holdsAnyOf(over, { rec, kids }) {
  const el = rec?.el.deref();
  if (el !== undefined && isConnected(el) && flatContains(over, el)) return true;
  return kids.some((kid) => typeof kid !== 'string' && holdsAnyOf(over, kid));
}

// The positioned box of the first things that are new, or the shade around it, where that takes much of the window; or null.
function newOverlay(changes, before, looks = { left: kNewLooked }) {
  for (const { node, lines, kids } of changes) {
    if (kids !== null) {
      const found = newOverlay(kids, before, looks);
      if (found !== null) return found;
    } else if (lines === null && !node.match && looks.left-- > 0) {
      const el = elementOf(node);
      const box = el && closestFlat(el, isPlaced);
      if (!box || holdsPopup(node) || isToldByRole(box)) continue;
      const shade = shadeAround(box, before);
      if (isLargePart(shade)) return shade;
    }
  }
  return null;
}

const isPlaced = (at) => /^(absolute|fixed)$/.test(styleOf(at).position);

const isToldByRole = (el) => kToldByRole.test(roleOf(el, tagOf(el)));

function isLargePart(box) {
  const part = inViewport(rectOf(box));
  return (
    part !== null && (part.right - part.left) * (part.bottom - part.top) >= kOverlayLeast * innerWidth * innerHeight
  );
}
// A dialog is often in a box of its own, with its shade.
const holdsPopup = ({ role, kids }) =>
  kToldByRole.test(role) || kids.some((kid) => typeof kid !== 'string' && holdsPopup(kid));
const kToldByRole = /^((alert)?dialog|menu|listbox|tooltip)$/;
const kOverlayLeast = 0.2;
const kNewLooked = 8; // each costs the styles of what is around it

export { coveredLine, slidInLines, uncoveredLines };
