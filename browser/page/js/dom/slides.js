// Animations that move something to another place: a row to where it now stands, a drawer into sight.

import { rectOf } from './members.js';
import { words } from './collections.js';
import { flatContains, flatParentOf } from './flat_tree.js';
import { pass } from './pass.js';
import { animationsNow } from './shadow_roots.js';

// By half its own width or height, or by as much as brings something else into sight, as a page that makes room for a drawer at its
// side: others lift, stir or press something that stays where it is.
function movesFar(target, frames) {
  if (!frames.some(setsPlace)) return false;
  const { width, height } = rectOf(target);
  const [start, end] = [frames[0], frames.at(-1)].map((frame) => placeIn(frame, target, width, height));
  const [x, y] = [Math.abs(end.x - start.x), Math.abs(end.y - start.y)];
  return (x > 0 && x >= Math.min(width / 2, kFarMoved)) || (y > 0 && y >= Math.min(height / 2, kFarMoved));
}
const kFarMoved = 100; // CSS px

// Whether it turns something over, as a card that has two sides.
const turnsOver = (frames) =>
  new Set(frames.map(({ transform = 'none' }) => kTurns.exec(transform)?.[0] ?? '')).size > 1;
const kTurns = /rotate[XY]\([^)]*\)|rotate3d\([^)]*\)|matrix3d\([^)]*\)/;

const setsPlace = (frame) => Object.keys(frame).some((name) => kPlaces.has(name));
const kPlaces = words('transform translate left right top bottom marginLeft marginTop');

// Where a frame, or an inline style, has an element: { x, y } in CSS px, from where it would be else.
function placeIn(frame, target, width, height) {
  const { transform = 'none', translate = 'none' } = frame;
  const [own, moved] = [transform, `translate(${translate.replaceAll(' ', ',')})`].map((one) =>
    shiftOf(one, width, height),
  );
  const box = () => rectOf(flatParentOf(target) ?? target);
  const length = (value, side) => (parseFloat(value) || 0) * (value?.endsWith('%') ? box()[side] / 100 : 1);
  const { left, right, top, bottom, marginLeft, marginTop } = frame;
  return {
    x: own.x + moved.x + length(marginLeft, 'width') + (length(left, 'width') || -length(right, 'width')),
    y: own.y + moved.y + length(marginTop, 'width') + (length(top, 'height') || -length(bottom, 'height')),
  };
}

// From less than half its size on, or down to that: others stir something that is read all the while.
function scalesFar(frames) {
  const scales = frames.map(({ transform, scale }) => scaleOf(transform ?? '') * scaleOf(`scale(${scale})`));
  return Math.min(...scales) < kScaledFar && Math.max(...scales) > kScaledFar;
}
const kScaledFar = 0.5;

// How large a transform's functions draw an element's width: a matrix may turn it as well.
function scaleOf(transform) {
  let scale = 1;
  for (const [, name, first, second] of transform.matchAll(kScales))
    scale *= name.startsWith('matrix') ? Math.hypot(first, second) : Math.abs(first);
  return scale;
}
const kScales = /\b(scale(?:3d|X|Y)?|matrix(?:3d)?)\(([-\d.e]+)(?:,\s*([-\d.e]+))?/g;

// How far a transform's functions move an element: { x, y } in CSS px.
function shiftOf(transform, width, height) {
  const shift = { x: 0, y: 0 };
  for (const [, name, list] of transform.matchAll(kMoves)) {
    const args = list.split(',');
    const length = (i, whole) => (parseFloat(args[i] ?? 0) || 0) * (args[i]?.includes('%') ? whole / 100 : 1);
    if (name === 'matrix') {
      shift.x += length(4);
      shift.y += length(5);
    } else if (name === 'matrix3d') {
      shift.x += length(12);
      shift.y += length(13);
    } else if (name === 'translateY') shift.y += length(0, height);
    else {
      shift.x += length(0, width);
      if (name !== 'translateX') shift.y += length(1, height);
    }
  }
  return shift;
}
const kMoves = /(matrix(?:3d)?|translate(?:X|Y|3d)?)\(([^)]*)\)/g;

// Whether an element is on its way to another place, so that where it is now says little.
function isSliding(el) {
  pass.sliding ??= targetsSliding();
  if (pass.sliding.size === 0) return false;
  for (let at = el; at; at = flatParentOf(at)) if (pass.sliding.has(at)) return true;
  return false;
}

function targetsSliding() {
  const targets = new Set();
  for (const { playState, effect } of animationsNow()) {
    const target = effect?.target;
    if (playState !== 'running' || !target || !Number.isFinite(effect.getComputedTiming().endTime)) continue;
    if (movesFar(target, effect.getKeyframes())) targets.add(target);
  }
  return targets;
}

// Whether an element fades away, with what is around it, as the cover of a page does that was loading.
function isFadingAway(el) {
  return animationsNow().some(({ playState, effect }) => {
    if (playState !== 'running' || !effect?.target || !flatContains(effect.target, el)) return false;
    return Number.isFinite(effect.getComputedTiming().endTime) && effect.getKeyframes().at(-1)?.opacity === '0';
  });
}

// Whether a transition hides an element within a second, with all that is in it: whoever reads of it finds it gone. Custom elements
// that are hidden by their style begin so where the page has shown them before they were defined.
function isHiddenSoon(el) {
  pass.hiding ??= targetsHiding();
  return pass.hiding.has(el);
}

function targetsHiding() {
  const targets = new Set();
  for (const animation of animationsNow()) {
    const { playState, effect, transitionProperty } = animation;
    if (transitionProperty !== 'visibility' || playState !== 'running' || !effect?.target) continue;
    const left = effect.getComputedTiming().endTime - (animation.currentTime ?? 0);
    if (effect.getKeyframes().at(-1)?.visibility === 'hidden' && left <= kSoonHidden) targets.add(effect.target);
  }
  return targets;
}
const kSoonHidden = 1000; // ms

export { isFadingAway, isHiddenSoon, isSliding, movesFar, placeIn, scaleOf, scalesFar, setsPlace, shiftOf, turnsOver };
