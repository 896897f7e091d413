// Where things are: off-screen and covered, asked only of what a user could operate.

import { rectOf } from '../dom/members.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { pass, styleOf } from '../dom/style.js';
import { deepHit, isClippedAt, isHitOn } from '../dom/hit.js';
import { kWidgets } from '../aria/roles.js';

const kHitTestsMax = 600; // a hit test costs about 4 µs; beyond this a page is no page
const kOffScreenEach = 20; // more than this many are told by the first of each run only

// Where elements were when last looked at, and since when they have been seen there. An element that is where an
// earlier frame had it stands still, and a click on it needs no further frame to know so.
const lastBoxes = new WeakMap(); // element -> { x, y, width, height, since }
const kFrame = 16; // ms; a look at least this much later is a look at another frame

function seenAt(el, { x, y, width, height }) {
  const last = lastBoxes.get(el);
  if (last && last.x === x && last.y === y && last.width === width && last.height === height)
    return performance.now() - last.since >= kFrame;
  lastBoxes.set(el, { x, y, width, height, since: performance.now() });
  return false;
}

// Long runs below the fold are looked at by samples, as a box costs as much as a node's whole walk.
const kRunBeforeSampling = 48;
const kSampleStep = 8;

function markPositions(nodes) {
  const operable = nodes.filter(
    (node) =>
      (kWidgets.has(node.role) || node.pointer || node.kept) &&
      node.tag !== 'option' &&
      !node.marks.includes('hidden file'),
  );
  const off = [];
  let tests = 0;
  let run = 0;
  const look = (i) => {
    const node = operable[i];
    const box = rectOf(node.el);
    const { x, y, width, height } = box;
    if (width === 0 && height === 0) return false;
    seenAt(node.el, box);
    if (x + width <= 0 || y + height <= 0 || x >= innerWidth || y >= innerHeight) {
      off.push({ node, i, stuck: x + width + scrollX <= 0 || y + height + scrollY <= 0 });
      return true;
    }
    if (width <= 1 || height <= 1 || tests >= kHitTestsMax || (!kWidgets.has(node.role) && !node.pointer)) return false; // 1px: hidden visually, on purpose
    tests++;
    const cx = Math.min(Math.max(x + width / 2, 0), innerWidth - 1);
    const cy = Math.min(Math.max(y + height / 2, 0), innerHeight - 1);
    const hit = deepHit(cx, cy);
    if (isHitOn(node.el, hit)) return false;
    if (isClippedAt(node.el, cx, cy)) {
      off.push({ node, i, stuck: false });
      return true;
    }
    if (hit && styleOf(node.el).pointerEvents !== 'none') node.marks += ' [covered]'; // else what lies below is hit
    return false;
  };
  for (let i = 0; i < operable.length; i++) {
    if (run > kRunBeforeSampling && i + kSampleStep < operable.length) {
      if (look(i + kSampleStep - 1)) {
        i += kSampleStep - 1;
        continue;
      }
      run = 0;
    }
    run = look(i) ? run + 1 : 0;
  }
  const few = off.length <= kOffScreenEach;
  let last = -2;
  for (const { node, i, stuck } of off) {
    if (stuck || few || i > last + kSampleStep || (off.length <= 10 * kOffScreenEach && isFixedInPlace(node.el)))
      node.marks += ' [off-screen]';
    last = i;
  }
}

// A fixed element outside the viewport can't be scrolled in.
function isFixedInPlace(el) {
  let fixed = pass.fixed.get(el);
  if (fixed !== undefined) return fixed;
  const parent = flatParentOf(el);
  fixed = styleOf(el).position === 'fixed' || (parent !== null && isFixedInPlace(parent));
  pass.fixed.set(el, fixed);
  return fixed;
}

export { seenAt, markPositions };
