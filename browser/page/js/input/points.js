// Points of the viewport that C++ asks about: it puts the coordinates of the frames together.

import { roleOf } from '../aria/roles.js';
import { closestFlat } from '../dom/flat_tree.js';
import { attr, rectOf, tagOf } from '../dom/members.js';
import { tagSketch } from '../dom/errors.js';
import { coverText, deepHit, firstBox, isClippedNow, isHitOn } from '../dom/hit.js';
import { describeElement, resolveTarget } from '../target/targets.js';

// Whether a point of this frame's viewport hits the target: for a frame element, whether its content is reachable there.
function hitAt({ target, x, y }) {
  const { el } = resolveTarget(target);
  const hit = deepHit(x, y);
  const inOther = hit !== null && kOthers.has(tagOf(hit));
  if (isHitOn(el, hit)) return { ok: true, inOther };
  if (!hit) return { ok: false, error: `${describeElement(el)} is outside of the viewport at this point`, inOther };
  return { ok: false, error: `${describeElement(el)} is ${coverText(el, hit)}`, hitInstead: tagSketch(hit), inOther };
}
const kOthers = new Set(['iframe', 'frame', 'fencedframe', 'object', 'embed']);

// One step out of a frame: a point of the frame's viewport in ours, and whether the frame itself is there to be hit.
// Called on the frame's element, with C++ going from frame to frame.
function frameStep(el, { x: px, y: py }) {
  const box = rectOf(el);
  const style = getComputedStyle(el);
  const scaleX = el.offsetWidth ? box.width / el.offsetWidth : 1;
  const scaleY = el.offsetHeight ? box.height / el.offsetHeight : 1;
  const inset = (name) => parseFloat(style[name]) || 0;
  const x = box.x + (el.clientLeft + inset('paddingLeft') + px) * scaleX;
  const y = box.y + (el.clientTop + inset('paddingTop') + py) * scaleY;
  const inView = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && !isClippedNow(el, x, y);
  const hit = inView ? deepHit(x, y) : null;
  if (isHitOn(el, hit)) return { ok: true, x, y, inView };
  return {
    ok: false,
    x,
    y,
    inView,
    error: hit
      ? `the frame is ${coverText(el, hit)}`
      : 'that part of the frame is out of view, and scrolling does not bring it in',
  };
}

const kOperatedWhole = 'button link checkbox radio switch tab option menuitem combobox textbox searchbox'.split(' ');

// What a person would click on at a point of the viewport: an element that is operated as a whole, or else the one there.
function elementAt({ x, y }) {
  const hit = deepHit(x, y);
  if (!hit) {
    const error = `${x}, ${y} is outside of the viewport, which is ${innerWidth} x ${innerHeight} CSS px`;
    return { ok: false, error: `${error}: scroll there, or take the point from a new screenshot` };
  }
  const operated = closestFlat(hit, (at) => kOperatedWhole.includes(roleOf(at, tagOf(at))));
  const words = describeElement(operated ?? hit);
  return { ok: true, describe: words.startsWith('generic "') ? tagOf(hit) + words.slice('generic'.length) : words };
}

// The middle of an element, wherever that is.
function pointOf({ target }) {
  const { el } = resolveTarget(target);
  const { x, y, width, height } = firstBox(el) ?? rectOf(el);
  return { ok: true, x: x + width / 2, y: y + height / 2 };
}

// Whether an item of a menu opens another one, which isn't open.
function submenuClosed({ target }) {
  const { el } = resolveTarget(target);
  const opens = (attr(el, 'aria-haspopup') ?? 'false') !== 'false';
  return { ok: true, closed: opens && attr(el, 'aria-expanded') === 'false' };
}

export { hitAt, elementAt, frameStep, pointOf, submenuClosed };
