// Animations that an action has begun and that show or hide something: what they bring about belongs to its answer.

import { firstChildOf, rectOf } from '../dom/members.js';
import { animationsNow } from '../dom/shadow_roots.js';
import { actedSince } from '../dom/acted.js';
import { words } from '../dom/collections.js';
import { poll } from './pollers.js';

// Others, such as colours and shadows, change nothing that a snapshot tells. What slides to another place is told too.
const kShowing = words('opacity visibility display height maxHeight width maxWidth clipPath gridTemplateRows');
const kStatic = words('offset easing composite computedOffset');

// The ms until the last of them is over; 0 without any. One without an end is no matter of waiting.
function motionLeft() {
  let longest = 0;
  for (const animation of animationsNow()) {
    const { playState, startTime, effect } = animation;
    if (playState !== 'running' || (startTime !== null && startTime < actedSince()) || !shows(effect)) continue;
    const left = effect.getComputedTiming().endTime - (animation.currentTime ?? 0);
    if (Number.isFinite(left)) longest = Math.max(longest, left);
  }
  return longest;
}

function shows(effect) {
  const target = effect?.target;
  if (!target || firstChildOf(target) === null) return false; // it only decorates
  const frames = effect.getKeyframes();
  for (const frame of frames)
    for (const name of Object.keys(frame)) if (!kStatic.has(name) && kShowing.has(name)) return true;
  return movesFar(rectOf(target), frames);
}

// By half its own width or height: others lift, stir or press something that stays where it is.
function movesFar({ width, height }, frames) {
  const [from, to] = [frames[0], frames.at(-1)].map((frame) => shiftOf(frame?.transform ?? 'none', width, height));
  const [x, y] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
  return (x > 0 && x >= width / 2) || (y > 0 && y >= height / 2);
}

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

// Waits until they are over; `left`: the ms of what isn't.
function still({ callId, timeout }) {
  const told = () => ({ ok: true, left: motionLeft() });
  return poll(
    { callId, timeout },
    (finish, again) => {
      if (motionLeft() === 0) finish({ ok: true, left: 0 });
      else again();
    },
    told,
  );
}

export { motionLeft, still };
