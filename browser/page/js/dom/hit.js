// Which element a point of the viewport hits, and where an element can be hit.

import {
  bodyOf,
  clientRectsOf,
  documentElementOf,
  hitInDocument,
  hitInRoot,
  labelControlOf,
  rectOf,
  rootNodeOf,
  tagOf,
} from './members.js';
import { tagSketch } from './errors.js';
import { shadowRootOf } from './shadow_roots.js';
import { closestFlat, flatContains, flatParentOf } from './flat_tree.js';
import { styleOf, withPass } from './style.js';

// The topmost element at a point of the viewport (CSS px), through shadow roots.
function deepHit(x, y) {
  let hit = hitInDocument(document, x, y);
  while (hit) {
    const root = shadowRootOf(hit);
    const inner = root && hitInRoot(root, x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

// Whether a hit on `hit` is a hit on `el`: itself, something in it, its shadow host, or its own label.
function isHitOn(el, hit) {
  if (!hit) return false;
  if (flatContains(el, hit)) return true;
  const root = rootNodeOf(el);
  if (root instanceof ShadowRoot && root.host === hit) return true;
  for (let at = hit; at; at = flatParentOf(at)) {
    if (tagOf(at) !== 'label') continue;
    const control = labelControlOf(at);
    return control === el;
  }
  return false;
}

// Whether a scroll container or clipping box around the element doesn't show this point.
function isClippedAt(el, x, y) {
  for (
    let at = flatParentOf(el);
    at && at !== documentElementOf(document) && at !== bodyOf(document);
    at = flatParentOf(at)
  ) {
    const style = styleOf(at);
    if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
    const box = rectOf(at);
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) return true;
  }
  return false;
}
const isClippedNow = (el, x, y) => withPass(() => isClippedAt(el, x, y));

// The first of an element's boxes with an area: an inline link may have an empty first line.
function firstBox(el) {
  for (const box of clientRectsOf(el)) if (box.width > 0 && box.height > 0) return box;
  return null;
}

function isInView(el) {
  const box = firstBox(el) ?? rectOf(el);
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
  return !isClippedNow(el, x, y);
}
const plainBox = ({ x, y, width, height }) => ({ x, y, width, height });

// The point to click: the middle of the first visible box, clipped to the viewport. With `blocker` when another
// element would get it.
function hitPoint(el, kind) {
  const boxes = [...clientRectsOf(el)].filter((box) => box.width > 0 && box.height > 0);
  let first = null;
  let blocker = '';
  for (const box of boxes.length ? boxes : [rectOf(el)]) {
    const left = Math.max(box.left, 0);
    const right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0);
    const bottom = Math.min(box.bottom, innerHeight);
    if (right <= left || bottom <= top) {
      blocker ||= 'outside of the viewport, and scrolling does not bring it in';
      continue;
    }
    const x = (left + right) / 2;
    const y = (top + bottom) / 2;
    first ??= { x, y };
    const hit = deepHit(x, y);
    if (kind === 'drop' || isHitOn(el, hit) || (tagOf(el) === 'area' && hit && tagOf(hit) === 'img')) return { x, y };
    blocker = hit ? coverText(el, hit) : 'outside of the viewport, and scrolling does not bring it in';
  }
  return { ...(first ?? { x: 0, y: 0 }), blocker: blocker || 'without a box to click' };
}

// Names the outermost element of what lies over: an overlay rather than the text in it.
function coverText(el, hit) {
  if (withPass(() => closestFlat(el, (at) => styleOf(at).pointerEvents === 'none')) && flatContains(hit, el))
    return 'not receiving clicks: pointer-events is none';
  let outer = hit;
  for (let at = flatParentOf(hit); at && !flatContains(at, el); at = flatParentOf(at)) outer = at;
  const inner = outer === hit ? '' : ` (${tagSketch(hit)} in it)`;
  return `covered by ${tagSketch(outer)}${inner}`;
}

export { deepHit, isHitOn, isClippedAt, isClippedNow, firstBox, isInView, plainBox, hitPoint, coverText };
